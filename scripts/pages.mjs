// Builds the pages of polls and of the lab into dist/pages, a folder each: plain files without any address of elsewhere.
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

const require = createRequire(import.meta.url);
const VIRTUAL = "virtual:parquet-wasm";

/** The WebAssembly of parquet-wasm as a text in a script of its own, in place of the file that its loader would fetch. */
const parquetWasm = {
  name: "parquet-wasm",
  resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : undefined),
  load(id) {
    if (id !== `\0${VIRTUAL}`) return undefined;
    const bytes = readFileSync(require.resolve("parquet-wasm/esm/parquet_wasm_bg.wasm"));
    return `export default "${gzipSync(bytes, { level: 9 }).toString("base64")}";`;
  },
  transform: (code, id) =>
    id.endsWith("/esm/parquet_wasm.js")
      ? code.replace("new URL('parquet_wasm_bg.wasm', import.meta.url)", "undefined")
      : undefined,
};

/** Licences of what is bundled into the lab, as its packages have them. */
function licences() {
  const files = [
    ["preact", ["LICENSE"]],
    ["parquet-wasm", ["LICENSE_MIT", "LICENSE_APACHE"]],
  ];
  const folderOf = (name) => require.resolve.paths(name).map((path) => join(path, name));
  const read = (name, file) => {
    for (const folder of folderOf(name)) {
      try {
        return readFileSync(join(folder, file), "utf8").trim();
      } catch {} // not in this folder
    }
    throw new Error(`pages: ${name} has no ${file}`);
  };
  return files.map(([name, texts]) => `# ${name}\n\n${texts.map((file) => read(name, file)).join("\n\n")}\n`).join("\n\n");
}

export async function buildPages() {
  for (const view of ["poll", "lab"]) {
    const folder = `${root}dist/pages/${view}`;
    await build({
      ...{ root: `${root}pages`, configFile: false, base: "./", logLevel: "error", publicDir: false },
      oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
      worker: { format: "es", plugins: () => [parquetWasm] },
      build: {
        ...{ outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 2000 },
        assetsInlineLimit: 0, // data: URLs of scripts and styles would be against the policy of the pages
        modulePreload: { polyfill: false },
        rollupOptions: { input: `${root}pages/${view}.html` },
      },
    });
    renameSync(`${folder}/${view}.html`, `${folder}/index.html`);
    copyFileSync(`${root}pages/icon.svg`, `${folder}/icon.svg`);
    if (view === "lab") writeFileSync(`${folder}/licences.txt`, licences());
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPages();
