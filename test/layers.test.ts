import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as internal from "../papers/internal.ts";
import * as library from "../src/index.ts";
import { importsOf, violations } from "./layers.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = ["src", "papers", "examples", "bench"]
  .flatMap((folder) => list(folder))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("src/numeric/wasm/"));

function list(folder: string): string[] {
  try {
    return readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`);
  } catch {
    return []; // a folder that is still to come
  }
}

describe("layers", () => {
  it("imports point down and never sideways, and node:* stays at the edges", () => {
    expect(modules.length).toBeGreaterThan(60);
    expect(modules.flatMap((path) => violations(path, readFileSync(`${root}${path}`, "utf8")))).toEqual([]);
  });

  it("files are written in one place", () => {
    const writing = /^(write|append|truncate|ftruncate|rename|copy|cp|createWrite|link|symlink)/;
    const writers = modules
      .filter((path) => /^(src|papers)\//.test(path))
      .filter((path) =>
        [...readFileSync(`${root}${path}`, "utf8").matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g)]
          .flatMap(([, names]) => names!.split(",").map((name) => name.trim()))
          .some((name) => writing.test(name) && name !== "writeSync"),
      );
    expect(writers).toEqual(["src/formats/durable.ts"]);
  });

  it("imports have no cycles", () => {
    const graph = new Map(modules.map((path) => [path, runtimeImports(path)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
      if (done.has(path) || trail.includes(path)) return;
      for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) walk(path, []);
    expect(cycles).toEqual([]);
  });
});

const runtimeImports = (path: string) =>
  importsOf(path, readFileSync(`${root}${path}`, "utf8"))
    .filter(({ target, typesOnly }) => target.startsWith(".") && !typesOnly)
    .map(({ target }) => new URL(target, `file:///${path}`).pathname.slice(1));

describe("papers", () => {
  it("go around the public names only where there is none", () => {
    expect(Object.keys(internal).filter((name) => name in library)).toEqual([]);
  });
});

describe("the check of the layers", () => {
  const offenders: [what: string, path: string, text: string][] = [
    ["an import from above", "src/objectives/x.ts", 'import { linear } from "../models/linear.ts";'],
    ["an import from the same layer", "src/objectives/x.ts", 'import { ndcg } from "../metrics/ndcg.ts";'],
    ["an import of a type from the same layer", "src/data/x.ts", 'import type { Average } from "../metrics/mean.ts";'],
    ["a re-export", "src/numeric/x.ts", 'export { part } from "../data/build.ts";'],
    ["a re-export of everything", "src/numeric/x.ts", 'export * from "../data/build.ts";'],
    ["an import for its effects", "src/models/x.ts", 'import "../cli/main.ts";'],
    ["an import when first used", "src/models/x.ts", 'const { read } = await import("../formats/data/read.ts");'],
    ["a type by its import", "src/models/x.ts", 'type Read = import("../formats/data/read.ts").Read;'],
    ["a program of threads", "src/teams/x.ts", 'const program = new URL("../train-worker.js", import.meta.url);'],
    ["node:* in a model", "src/models/x.ts", 'import { readFileSync } from "node:fs";'],
    ["node:* in a format that opens no files", "src/formats/data/csv.ts", 'import { readFileSync } from "node:fs";'],
    ["node:* in a verb", "src/train.ts", 'import { cpus } from "node:os";'],
    ["a package below the command line", "src/formats/x.ts", 'import { Command } from "commander";'],
    ["more than types from types.ts", "src/models/x.ts", 'import { Model } from "../types.ts";'],
    ["the public names from inside", "src/formats/x.ts", 'import { train } from "../index.ts";'],
    ["a name without its ending", "src/models/x.ts", 'import { linear } from "./linear.js";'],
    ["a paper that imports from inside", "papers/x/y.ts", 'import { fit } from "../../src/fit.ts";'],
    ["a module without a layer", "src/utils.ts", ""],
    ["a folder without a layer", "src/helpers/x.ts", ""],
  ];
  it.each(offenders)("finds %s", (_, path, text) => {
    expect(violations(path, text)).toHaveLength(1);
  });

  const neighbours: [what: string, path: string, text: string][] = [
    ["types from types.ts", "src/numeric/x.ts", 'import type { Random } from "../types.ts";'],
    ["types among names", "src/cli/x.ts", 'import { type Model } from "../types.ts";'],
    ["a folder's own files", "src/formats/models/native.ts", 'import { csv } from "../data/csv.ts";'],
    ["several layers down", "src/cli/x.ts", 'import { order } from "../numeric/order.ts";\nimport { Command } from "commander";'],
    ["verbs of one another", "src/rank.ts", 'import { score } from "./evaluate.ts";'],
    ["words that only look like imports", "src/numeric/x.ts", '// import "../cli/main.ts"\nconst text = `import "node:fs"`;'],
    ["a paper that imports public names", "papers/x/y.ts", 'import { fit } from "../../src/index.ts";'],
    ["the one place of papers for others", "papers/internal.ts", 'export { random } from "../src/numeric/random.ts";'],
    ["threads in teams", "src/teams/x.ts", 'import { Worker } from "node:worker_threads";'],
  ];
  it.each(neighbours)("lets %s be", (_, path, text) => {
    expect(violations(path, text)).toEqual([]);
  });
});
