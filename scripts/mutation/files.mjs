// A private copy of the working tree in which sources are changed, and the parts of a build that a changed source needs.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";

/** Hard links to all files of a folder: a tool that replaces a file there leaves the original alone. */
function linkTree(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === ".vite" || name === ".vitest") continue;
    const [source, target] = [join(from, name), join(to, name)];
    const kind = lstatSync(source);
    if (kind.isDirectory()) linkTree(source, target);
    else if (kind.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}

const git = (root, ...args) => spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 }).stdout;

/** Copies every file that git knows or would know; with `only`, those it is true for. */
export function copySources(root, to, only = () => true) {
  for (const path of git(root, "ls-files", "-co", "--exclude-standard", "-z").split("\0")) {
    if (path === "" || !only(path) || !lstatSync(join(root, path), { throwIfNoEntry: false })) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(root, path), join(to, path));
  }
}

/** A copy that is built and can run the tests. */
export function createCopy(root, to) {
  copySources(root, to);
  linkTree(join(root, "node_modules"), join(to, "node_modules"));
  const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: to, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`the build of ${to} fails`);
}

export const isKernel = (file) => file.startsWith("src/numeric/wasm/");

/** Source files that changes are made to. */
export function sourceFiles(root) {
  const found = git(root, "ls-files", "-co", "--exclude-standard", "src").split("\n");
  return found
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|\/reference-[^/]*\.ts$|^src\/numeric\/binary\.ts$/.test(path))
    .sort();
}

/** The test files of `npm test`, the short ones of src first. */
export const testFiles = (root) =>
  ["src", "papers", "test"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith(".test.ts") && !path.endsWith(".long.test.ts") && !path.includes("node_modules"));

let compiler; // options of the build

/** The JavaScript of one changed source, where the build puts it. */
function transpile(copy, file) {
  compiler ??= {
    ...ts.parseJsonConfigFileContent(ts.readConfigFile(join(copy, "tsconfig.build.json"), ts.sys.readFile).config, ts.sys, copy)
      .options,
    module: ts.ModuleKind.ESNext, // "nodenext" would look for package.json, which a single file does not have
  };
  const { outputText } = ts.transpileModule(readFileSync(join(copy, file), "utf8"), {
    compilerOptions: compiler,
    fileName: join(copy, file),
  });
  writeFileSync(join(copy, "dist", file.replace(/\.ts$/, ".js")), outputText);
}

/** Writes a source of the copy and builds what depends on it. False if the kernels do not compile. */
export async function writeSource(copy, file, text) {
  writeFileSync(join(copy, file), text);
  if (isKernel(file)) {
    const { status } = spawnSync(process.execPath, ["-e", 'import("./scripts/wasm.mjs").then((m) => m.compileKernels())'], {
      cwd: copy,
    });
    if (status !== 0) return false;
    transpile(copy, "src/numeric/binary.ts");
  } else transpile(copy, file);
  const { stamp } = await import(pathToFileURL(join(copy, "scripts/stamp.mjs")).href);
  writeFileSync(join(copy, "dist/.stamp"), stamp(`${copy}/`));
  return true;
}

/** Remembers a source and what was built from it; the result puts them back. */
export function keep(copy, file) {
  const built = isKernel(file)
    ? ["src/numeric/binary.ts", "dist/src/numeric/binary.js"]
    : [`dist/${file.replace(/\.ts$/, ".js")}`];
  const texts = [file, ...built, "dist/.stamp"].map((path) => [path, readFileSync(join(copy, path))]);
  return () => {
    for (const [path, text] of texts) writeFileSync(join(copy, path), text);
  };
}
