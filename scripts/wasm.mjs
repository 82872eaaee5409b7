// Compiles src/numeric/wasm to one WebAssembly file and writes it as text into src/numeric/binary.ts, from which the library loads it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Ends the process with the compiler's message if there is an error or a warning. */
export async function compileKernels() {
  mkdirSync(`${root}dist`, { recursive: true });
  const file = "dist/kernels.wasm";
  const { error, stderr } = await main(
    [
      "src/numeric/wasm/index.ts",
      ...["--baseDir", root],
      // No runtime and no objects: the kernels only read and write the memory that they are given.
      ...["--outFile", file, "-O3", "--noAssert", "--runtime", "stub", "--enable", "simd", "--enable", "threads"],
      ...["--importMemory", "--sharedMemory", "--initialMemory", "16", "--maximumMemory", "65536", "--use", "abort="],
    ],
    { readFile: (name, folder) => source(`${folder}/${name}`) },
  );
  const messages = stderr.toString();
  if (messages !== "") console.error(messages);
  if (error || messages.includes("WARNING")) process.exit(1);
  const bytes = readFileSync(`${root}${file}`);
  writeFileSync(
    `${root}src/numeric/binary.ts`,
    `/** The compiled kernels of wasm/, ${bytes.length} bytes as base64. Written by the build. */\nexport const binary: string =\n  "${bytes.toString("base64")}";\n`,
  );
}

/**
 * The text of a file, or null if there is none. The kernels say "inline" in comments, which become decorators of the same length here:
 * TypeScript has no decorators of functions, so its tools could not read them.
 */
function source(path) {
  try {
    return readFileSync(path, "utf8").replaceAll("/* @inline */", "@inline      ");
  } catch {
    return null;
  }
}
