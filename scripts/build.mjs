// Compiles the kernels and TypeScript to dist/ and remembers from which sources, so that ready.mjs can tell whether a build is due.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stamp } from "./stamp.mjs";
import { compileKernels } from "./wasm.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (script, ...args) => {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

rmSync(`${root}dist`, { recursive: true, force: true });
compileKernels();
run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
writeFileSync(`${root}dist/.stamp`, stamp(root));
