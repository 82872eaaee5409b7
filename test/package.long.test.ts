/** What is published: its files, its types, and that it works where it is installed. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { beforeAll, describe, expect, it } from "vitest";
import { examples } from "../src/cli/examples.ts";
import { folder, root, svmlight } from "./cli.ts";

const cwd = folder();
const home = join(cwd, "node_modules/tierwise"); // where the package is installed
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
let paths: string[];
let tarball: string;

const node = (args: readonly string[], where = cwd) => spawnSync(process.execPath, args, { cwd: where, encoding: "utf8" });

beforeAll(() => {
  // Without scripts, because a build would take dist/ away from the other tests.
  const packed = spawnSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", cwd], {
    cwd: root,
    encoding: "utf8",
  });
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
  paths = files.map(({ path }) => path).sort();
  tarball = join(cwd, filename);
  // As an installation would lay it out, but without a network.
  mkdirSync(home, { recursive: true });
  spawnSync("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
  for (const name of Object.keys(manifest.dependencies))
    symlinkSync(join(root, "node_modules", name), join(cwd, "node_modules", name));
  writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
  writeFileSync(join(cwd, "train.txt"), svmlight(10));
  writeFileSync(join(cwd, "clicks.csv"), "query,doc,position,clicked\na,x,1,0\na,y,2,1\n");
  writeFileSync(join(cwd, "battles.csv"), "model_a,model_b,winner\na,b,a\na,b,b\n");
  writeFileSync(join(cwd, "items.csv"), "item,size\na,1\nb,2\n");
});

describe("the package", () => {
  it("holds the compiled sources with their types, the example data and the documents, and nothing else", () => {
    const inside = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    const sources = ["src", "papers"].flatMap((folder) =>
      inside(folder)
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith(join("numeric", "wasm")))
        .filter((name) => !basename(name).startsWith("reference-")) // oracles of tests
        .map((name) => `dist/${folder}/${name.replace(/\.ts$/, "")}`),
    );
    const figures = inside("papers")
      .filter((name) => name.endsWith("published.json"))
      .map((name) => `dist/papers/${name}`);
    const data = ["examples/search", "examples/arena", "examples/clicks"].flatMap((from) =>
      readdirSync(join(root, from)).map((name) => `${from}/${name}`),
    );
    const pages = ["docs", "papers"].flatMap((folder) =>
      inside(folder)
        .filter((name) => /\.(md|svg|webp|png)$/.test(name) && !/^(api|results.(cells|quick))\b/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    const own = ["ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "README", "SECURITY", "THIRD-PARTY"].map((name) => `${name}.md`);
    const documents = [...own, "Dockerfile", "LICENSE", "package.json", ...pages];
    // Names of compiled pages hold a digest.
    const compiled = paths.filter((path) => path.startsWith("dist/pages/"));
    for (const page of ["lab", "poll"]) {
      const names = compiled
        .filter((path) => path.startsWith(`dist/pages/${page}/`))
        .map((path) => path.replace(/-[\w-]{8}\./, "."));
      expect(names).toEqual(
        expect.arrayContaining(
          ["index.html", "icon.svg", `assets/${page}.js`, `assets/${page}.css`].map((name) => `dist/pages/${page}/${name}`),
        ),
      );
      const others = page === "lab" ? ["dist/pages/lab/licences.txt"] : []; // of the packages bundled into it
      expect(names.filter((name) => !/\.(html|svg|js|css)$/.test(name))).toEqual(others);
    }
    const wanted = [...compiled, ...sources.flatMap((name) => [`${name}.d.ts`, `${name}.js`]), ...figures, ...data, ...documents];
    expect(paths).toEqual(wanted.sort());
  });

  it("has a licence for each of its files, by THIRD-PARTY.md, which names no others", () => {
    const page = readFileSync(join(root, "THIRD-PARTY.md"), "utf8").split("\n## ")[0]!;
    const patterns = Array.from(page.matchAll(/^\| `([^`]+)` +\|/gm), ([, pattern]) => pattern!);
    const fits = (pattern: string, path: string) =>
      pattern === "*" ? !path.includes("/") : path.startsWith(pattern.replace(/\*\*$/, ""));
    expect(paths.filter((path) => patterns.filter((pattern) => fits(pattern, path)).length !== 1)).toEqual([]);
    expect(patterns.filter((pattern) => !paths.some((path) => fits(pattern, path)))).toEqual([]);
    expect(readFileSync(join(home, "examples/search/README.md"), "utf8")).toContain("Copyright (c) Microsoft Corporation");
  });

  it("holds every file that README and the other documents link to", () => {
    const documents = paths.filter((path) => path.endsWith(".md"));
    const missing = documents.flatMap((path) => {
      const links = readFileSync(join(root, path), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
      return Array.from(links, ([, link]) => normalize(join(dirname(path), link!)))
        .filter((target) => !paths.some((one) => one === target || one.startsWith(`${target.replace(/\/$/, "")}/`)))
        .map((target) => `${path} links to ${target}`);
    });
    expect(missing).toEqual([]);
  });

  it("is to publint's liking", async () => {
    const { messages } = await publint({ pkgDir: home, strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  it("has types that resolve as its code does", () => {
    const cli = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const { status, stdout, stderr } = node([cli, tarball, "--profile", "esm-only", "--no-color", "--no-emoji"]);
    expect(status, stdout + stderr).toBe(0);
  });

  it("is locked without addresses, so that any registry serves", () => {
    const lock = readFileSync(join(root, "package-lock.json"), "utf8");
    const resolved = Object.entries<{ resolved?: string; integrity?: string; link?: true }>(JSON.parse(lock).packages);
    expect(resolved.filter(([, entry]) => entry.resolved !== undefined && !entry.link).map(([name]) => name)).toEqual([]);
    const fetched = resolved.filter(([name]) => name.includes("node_modules/")); // the others are folders of this repository
    expect(fetched.filter(([, { integrity, link }]) => !integrity && !link).map(([name]) => name)).toEqual([]);
    expect(lock).not.toMatch(
      /"resolved": "(?!test\/)|localhost|https?:\/\/(?!github\.com|opencollective\.com|tidelift\.com)[^"]*\.tgz/,
    );
  });
});

describe("the package where it is installed", () => {
  it("runs as a command that knows its version", () => {
    const bin = join(home, manifest.bin.tierwise);
    expect(readFileSync(bin, "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
    expect(node([bin, "--version"])).toMatchObject({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
    const { status, stdout } = node([bin, "train", "train.txt", "--out", "m.json", "--json", "--quiet", "--threads", "2"]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).threads).toBe(2);
  });

  it("names the packages that a report needs, where they are not installed", () => {
    const bin = join(home, manifest.bin.tierwise);
    // Without a file inside, so that none is found in folders above either.
    mkdirSync(join(cwd, "node_modules/@observablehq/plot"), { recursive: true });
    writeFileSync(join(cwd, "node_modules/@observablehq/plot/package.json"), '{ "main": "gone.js" }');
    expect(node([bin, "train", "train.txt", "--out", "m.json", "--quiet"]).status).toBe(0);
    const { status, stderr } = node([bin, "report", "m.json", "train.txt", "--quiet"]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        "tierwise: a report is drawn with the package @observablehq/plot, which is not installed: npm install @observablehq/plot@0.6 jsdom@29\n",
    });
    expect(Object.keys(manifest.peerDependencies)).toEqual(expect.arrayContaining(["@observablehq/plot", "jsdom"]));
  });

  it("is a library for plain Node", () => {
    const program = `import { evaluate, fit, linear, ndcg, plPartition, rank, readData, train } from "tierwise";
      const { data } = await readData(["train.txt"]);
      const options = { model: linear(), objective: plPartition() };
      const alone = fit(data, options).model;
      const together = (await train(data, { ...options, threads: 2 })).model;
      const same = JSON.stringify(alone.save()) === JSON.stringify(together.save());
      const { lists } = evaluate(alone, data, [ndcg({ k: 3 })]);
      console.log(JSON.stringify({ same, lists, ranked: [...rank(alone, data)].length }));`;
    writeFileSync(join(cwd, "use.mjs"), program);
    const { stdout, stderr } = node(["use.mjs"]);
    expect({ stdout, stderr }).toEqual({ stdout: '{"same":true,"lists":10,"ranked":10}\n', stderr: "" });
  });

  it("has types for programs in TypeScript, and they refuse what is wrong", () => {
    const program = `import { type Dataset, evaluate, fit, linear, type Model, ndcg, plPartition, readData } from "tierwise";
      const { data }: { data: Dataset } = await readData(["train.txt"]);
      const model: Model = fit(data, { model: linear({ l2: 0.1 }), objective: plPartition() }).model;
      const value: number | undefined = evaluate(model, data, [ndcg({ k: 10, gain: "lin" })]).metrics["ndcg@10;gain=lin"];
      // @ts-expect-error the gains are exp and lin
      ndcg({ gain: "linear" });
      // @ts-expect-error l2 is a number
      linear({ l2: "much" });
      export { value };`;
    writeFileSync(join(cwd, "use.ts"), program);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: "nodenext",
      target: "es2022",
      types: [],
    };
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    const { stdout } = node([join(root, "node_modules/typescript/bin/tsc"), "-p", "."]);
    expect(stdout).toBe("");
  });

  /** A strict project beside the package, which checks its types too. */
  const project = (name: string, more: object = {}) => {
    const compilerOptions = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, ...more };
    const types = { types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
    const target = { module: "nodenext", target: "es2022", lib: ["es2022"], ...types };
    writeFileSync(
      join(cwd, name),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...target }, files: ["strangers.ts"] }),
    );
  };

  it("compiles in strict projects, from TypeScript 5.0 on", { timeout: 240_000 }, () => {
    cpSync(join(root, "test/strangers.ts"), join(cwd, "strangers.ts"));
    const modules = join(root, "node_modules");
    for (const name of ["@observablehq", "jsdom"]) rmSync(join(cwd, "node_modules", name), { recursive: true, force: true });
    for (const name of ["@observablehq", "jsdom"]) symlinkSync(join(modules, name), join(cwd, "node_modules", name));
    project("oldest.json");
    project("newest.json", { noEmit: true });
    const oldest = node([join(modules, "oldest-typescript/node_modules/typescript/bin/tsc"), "-p", "oldest.json"]);
    expect(oldest.stdout).toBe("");
    expect(node([join(modules, "typescript/bin/tsc"), "-p", "newest.json"]).stdout).toBe("");
  });

  it("answers every public function with a result or a InputError, compiled by TypeScript 5.0", { timeout: 240_000 }, () => {
    const { stdout } = node(["strangers.js"]);
    const { calls, refused, problems } = JSON.parse(stdout);
    expect(problems).toEqual([]);
    expect(refused).toBeGreaterThan(0.8 * calls);
  });

  it("says in one line why a bundle has no threads", () => {
    // What a bundler makes of the package: its code elsewhere, without the files that only workers open.
    cpSync(join(home, "dist"), join(cwd, "bundled"), { recursive: true });
    rmSync(join(cwd, "bundled/src/teams/worker.js"));
    const program = `import { build, linear, InputError, train } from "./bundled/src/index.js";
      const data = build([{ list: 1, label: 1, features: [1] }, { list: 1, label: 0, features: [0] }]);
      await train(data, { model: linear(), threads: 2 }).catch((error) => console.log(error instanceof InputError, error.message));`;
    writeFileSync(join(cwd, "bundle.mjs"), program);
    const { stdout } = node(["bundle.mjs"]);
    expect(stdout).toMatch(
      /^true threads: .*worker\.js is not there, probably because the program is a bundle; .*external: \["tierwise"\].*\n$/,
    );
  });

  it("brings the data that the examples of the help name", () => {
    const named = Object.values(examples).flatMap((lines) => lines.flatMap((line) => line.match(/\S+\.txt\.gz/g) ?? []));
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(existsSync(join(home, "examples/search", name))).toBe(true);
  });
});
