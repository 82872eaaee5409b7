/** The entry points in programs: require, bundles for browsers and for Node, and other runtimes where they are installed. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { build as viteBuild } from "vite";
import { describe, expect, it } from "vitest";
import { folder, root } from "./cli.ts";

const cwd = folder();
mkdirSync(join(cwd, "node_modules"));
symlinkSync(root, join(cwd, "node_modules/tierwise"), "junction");
const node = (args: readonly string[]) => spawnSync(process.execPath, args, { cwd, encoding: "utf8" });

const rows = `[[1, 1, [1, 0]], [1, 0, [0, 1]], [2, 1, [1, 1]], [2, 0, [0, 0]]].map(([list, label, features]) => ({ list, label, features }))`;
const saved = (fitted: string) => `console.log(JSON.stringify((${fitted}).model.save()));`;
const fits = `import { build, fit, linear } from "tierwise";\n${saved(`fit(build(${rows}), { model: linear({ l2: 1 }) })`)}`;
const trains = `import { build, linear, train } from "tierwise";
train(build(${rows}), { model: linear({ l2: 1 }), threads: 2 }).then((fitted) => ${saved("fitted").slice(0, -1)}, (error) => console.log(error.name, error.message));`;
writeFileSync(join(cwd, "fits.mjs"), fits);
writeFileSync(join(cwd, "trains.mjs"), trains);
const wanted = node(["fits.mjs"]).stdout;

describe("require", () => {
  const entries = ["tierwise", "tierwise/report", "tierwise/testing"];
  const requires = `for (const name of ${JSON.stringify(entries)}) console.log(Object.keys(require(name)).length > 0);
    const { build, fit, linear } = require("tierwise");\n${saved(`fit(build(${rows}), { model: linear({ l2: 1 }) })`)}`;
  writeFileSync(join(cwd, "requires.cjs"), requires);
  const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];
  const can = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (!can) console.warn(`skipped: require("tierwise"), which Node ${process.version} cannot do`);

  it.skipIf(!can)("gives the library, its report and its checks", () => {
    const { stdout, stderr } = node(["requires.cjs"]);
    expect(stdout, stderr).toBe(`true\ntrue\ntrue\n${wanted}`);
  });
});

/** Gives the path of a bundle of a program; in a bundle for Node the package is inside or left out. */
type Bundle = (entry: string, target: "browser" | "inside" | "external") => Promise<string>;

const withVite: Bundle = async (entry, target) => {
  const outDir = join(cwd, `vite-${entry}-${target}`);
  const forBrowser = { lib: { entry: join(cwd, entry), formats: ["es" as const] } };
  const forNode = { ssr: join(cwd, entry) };
  await viteBuild({
    ...{ root: cwd, logLevel: "error", configFile: false },
    ssr: target === "inside" ? { noExternal: true } : { external: ["tierwise"] },
    build: {
      ...(target === "browser" ? forBrowser : forNode),
      ...{ outDir, minify: false, rollupOptions: { output: { entryFileNames: "bundle.mjs" } } },
    },
  });
  return join(outDir, "bundle.mjs");
};

const withEsbuild: Bundle = async (entry, target) => {
  const outfile = join(cwd, `esbuild-${entry}-${target}`, "bundle.mjs");
  await esbuild({
    ...{ absWorkingDir: cwd, entryPoints: [entry], outfile, bundle: true, format: "esm", logLevel: "silent" },
    platform: target === "browser" ? "browser" : "node",
    external: target === "external" ? ["tierwise"] : [],
  });
  return outfile;
};

describe.each([
  ["vite", withVite],
  ["esbuild", withEsbuild],
] as const)("%s", (_, bundle) => {
  it("bundles the browser's names, which need nothing else", async () => {
    const file = await bundle("fits.mjs", "browser");
    expect(readFileSync(file, "utf8")).not.toMatch(/^import |\bfrom ["']|\brequire\(|["']node:/m);
    expect(node([file]).stdout).toBe(wanted);
  }, 120_000);

  it("bundles a program for Node that leaves the package out, and it trains with threads", async () => {
    expect(node([await bundle("trains.mjs", "external")]).stdout).toBe(wanted);
  }, 120_000);

  it("bundles the package into a program for Node, which says in one line why it has no threads", async () => {
    const file = await bundle("trains.mjs", "inside");
    expect(node([file]).stdout).toMatch(/^InputError threads: .* \(external: \["tierwise"\]\).*\n$/);
  }, 120_000);
});

describe.each(["deno", "bun"])("%s", (name) => {
  const path = process.env[name.toUpperCase()];
  if (!path) console.warn(`skipped: the package in ${name} (set ${name.toUpperCase()} to its path)`);
  it.skipIf(!path)(
    "fits and trains, with the same result",
    () => {
      for (const program of ["fits.mjs", "trains.mjs"]) {
        const args = name === "deno" ? ["run", "-A", "--node-modules-dir=manual", program] : [program];
        expect(spawnSync(path!, args, { cwd, encoding: "utf8" }).stdout, program).toBe(wanted);
      }
    },
    120_000,
  );
});
