/**
 * A digest of the code that a value depends on: the given modules and everything that they import, without comments. Modules that only list others,
 * such as `objectives/index` or `src/index`, are not followed, because a value depends only on the parts that its settings name and on the
 * functions that it calls, and those are given: a new objective does not make the values of the others stale.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder above this one, of sources or compiled, and the ending of its modules. */
const root = fileURLToPath(new URL("../", import.meta.url));
const ENDING = import.meta.url.endsWith(".ts") ? ".ts" : ".js";

/** Kinds of parts that settings name, and where they are declared. */
const FOLDERS = { objective: "objectives", model: "models", metric: "metrics", optimizer: "optimizers" } as const;
export type PartKind = keyof typeof FOLDERS;

const LISTS = new Set(
  [...Object.values(FOLDERS).map((folder) => `src/${folder}/index`), "src/index", "papers/internal"].map((name) =>
    join(root, name + ENDING),
  ),
);

/** What reading, training and evaluating a model takes, besides the parts. */
export const TRAINING: readonly string[] = [
  ...["src/fit", "src/train", "src/evaluate", "src/formats/data/read"],
  ...["src/data/align", "src/data/concat", "src/data/folds", "src/data/split"],
];

/** The digest of modules, such as "src/fit" or "papers/trial", of the parts that specs name, and of all that these import. */
export function codeDigest(modules: readonly string[], specs: Partial<Record<PartKind, readonly string[]>> = {}): string {
  const roots = modules.map((name) => join(root, name + ENDING));
  for (const [kind, texts] of Object.entries(specs) as [PartKind, readonly string[]][])
    for (const text of texts) roots.push(...declarationsOf(kind, text));
  const key = roots.join("\n");
  const known = digests.get(key);
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  for (const path of closureOf(roots)) hash.update(`${path.slice(root.length)}\n${moduleAt(path).code}\n`);
  const digest = hash.digest("hex").slice(0, 16);
  digests.set(key, digest);
  return digest;
}

const digests = new Map<string, string>();

/** The modules and all that they import, in order of their paths. */
function closureOf(roots: readonly string[]): string[] {
  const found = new Set<string>();
  const waiting = [...roots];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path) || LISTS.has(path)) continue;
    found.add(path);
    waiting.push(...moduleAt(path).imports);
  }
  return [...found].sort();
}

interface Module {
  readonly code: string;
  readonly imports: readonly string[];
}

const modules = new Map<string, Module>();

function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const code = readFileSync(path, "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
  const imports = [...code.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
    .map(([, name]) => resolve(dirname(path), name!))
    .filter((one) => existsSync(one));
  const module = { code, imports };
  modules.set(path, module);
  return module;
}

/** The modules that declare the parts of a spec: the part itself, and the optimizer that it names. */
function declarationsOf(kind: PartKind, spec: string): string[] {
  const id = spec.replace(/[:;@(].*$/s, "").trim();
  const optimizer = kind === "model" ? /optimizer=([a-z-]+)/.exec(spec)?.[1] : undefined;
  return [...declaredAt(kind, id), ...(optimizer === undefined ? [] : declaredAt("optimizer", optimizer))];
}

/** Where a part is declared; all of its kind if it cannot be found by its name. */
function declaredAt(kind: PartKind, id: string): string[] {
  const all = modulesIn(join(root, "src", FOLDERS[kind]));
  const quoted = `"${id}"`;
  const declaring = all.filter((path) => new RegExp(`art\\(\\s*${quoted}`).test(moduleAt(path).code));
  return declaring.length > 0 ? declaring : all;
}

function modulesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(
      (name) => name.endsWith(ENDING) && !/\.(test|d)\.ts$|\.test\.js$/.test(name) && !basename(name).startsWith("reference-"),
    )
    .map((name) => join(folder, name))
    .sort();
}
