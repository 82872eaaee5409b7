// Compiles src/numeric/wasm to one WebAssembly file and writes it as text into src/numeric/binary.ts, from which the library loads it.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export function compileKernels() {
  mkdirSync(`${root}dist`, { recursive: true });
  const file = "dist/kernels.wasm";
  // No runtime and no objects: the kernels only read and write the memory that they are given.
  const { status } = spawnSync(
    process.execPath,
    [
      "node_modules/assemblyscript/bin/asc.js",
      "src/numeric/wasm/index.ts",
      ...["--outFile", file, "-O3", "--noAssert", "--runtime", "stub", "--enable", "simd", "--enable", "threads"],
      ...["--importMemory", "--sharedMemory", "--initialMemory", "16", "--maximumMemory", "65536", "--use", "abort="],
    ],
    { cwd: root, stdio: "inherit" },
  );
  if (status !== 0) process.exit(status ?? 1);
  const bytes = readFileSync(`${root}${file}`);
  writeFileSync(
    `${root}src/numeric/binary.ts`,
    `/** The compiled kernels of wasm/, ${bytes.length} bytes as base64. Written by the build. */\nexport const binary =\n  "${bytes.toString("base64")}";\n`,
  );
}
