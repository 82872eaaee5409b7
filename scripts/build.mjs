// Compiles the kernels and TypeScript to dist/ and remembers from which sources, so that ready.mjs can tell whether a build is due.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildPages } from "./pages.mjs";
import { stamp } from "./stamp.mjs";
import { compileKernels } from "./wasm.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (script, ...args) => {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

rmSync(`${root}dist`, { recursive: true, force: true });
await compileKernels();
run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
await buildPages();
copyFigures();
linkCommand();
writeFileSync(`${root}dist/.stamp`, stamp(root));

/** The figures of the papers, which are JSON and so none of the compiler's business. */
function copyFigures() {
  for (const name of readdirSync(`${root}papers`)) {
    const file = `papers/${name}/published.json`;
    if (existsSync(`${root}${file}`)) copyFileSync(`${root}${file}`, `${root}dist/${file}`);
  }
}

/** Lets `npx tierwise` find the command inside the repository, as it does where the package is installed. */
function linkCommand() {
  const link = `${root}node_modules/.bin/tierwise`;
  chmodSync(`${root}dist/src/cli/main.js`, 0o755);
  if (process.platform === "win32") writeFileSync(`${link}.cmd`, '@node "%~dp0\\..\\..\\dist\\src\\cli\\main.js" %*\r\n');
  else {
    rmSync(link, { force: true });
    symlinkSync("../../dist/src/cli/main.js", link);
  }
}
