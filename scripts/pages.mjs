// Builds the pages of polls and of the lab into dist/pages, a folder each: plain files without any address of elsewhere.
import { copyFileSync, renameSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function buildPages() {
  for (const view of ["poll", "lab"]) {
    const folder = `${root}dist/pages/${view}`;
    await build({
      ...{ root: `${root}pages`, configFile: false, base: "./", logLevel: "error", publicDir: false },
      oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
      worker: { format: "es" },
      build: {
        ...{ outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 2000 },
        assetsInlineLimit: 0, // data: URLs of scripts and styles would be against the policy of the pages
        modulePreload: { polyfill: false },
        rollupOptions: { input: `${root}pages/${view}.html` },
      },
    });
    renameSync(`${folder}/${view}.html`, `${folder}/index.html`);
    copyFileSync(`${root}pages/icon.svg`, `${folder}/icon.svg`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPages();
