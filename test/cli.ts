/** Runs the built command line as a user would, in folders of its own. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { afterAll } from "vitest";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const main = join(root, "dist/src/cli/main.js");

const { stamp } = (await import(new URL("../scripts/stamp.mjs", import.meta.url).href)) as { stamp(root: string): string };
const built = () => readFileSync(join(root, "dist/.stamp"), "utf8");
if (built() !== stamp(root)) throw new Error("dist/ is older than the sources, and these tests run it: npm run build");

// Commands inside this process use one thread unless they ask for more: starting threads takes longer than the little work of most tests.
os.availableParallelism = () => 1;
syncBuiltinESMExports();
const { run, build } = (await import(new URL("../dist/src/cli/run.js", import.meta.url).href)) as {
  run(words: readonly string[]): Promise<number>;
  build(): Promise<Command>;
};

/** The commands of the program, with their options. */
export const commands = (await build()).commands;

/** Commands that run until a signal ends them. Tests of their own try their options. */
export const servers: readonly string[] = ["serve", "poll", "lab"];

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Where {
  readonly cwd: string;
}

/** Runs a command as a process of its own. */
export function start(args: readonly string[], { cwd, input }: Where & { readonly input?: string | Uint8Array }): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd, encoding: "utf8", input });
  return { code: status, out: stdout, err: stderr };
}

/** Runs a command inside this process, which saves the time of starting one. */
export async function tierwise(args: readonly string[], { cwd }: Where): Promise<Ran> {
  const result = { out: "", err: "" };
  const before = process.cwd();
  const writers = [process.stdout.write, process.stderr.write] as const;
  const into = (key: "out" | "err") => (text: string | Uint8Array) => {
    result[key] += typeof text === "string" ? text : Buffer.from(text).toString();
    return true;
  };
  try {
    process.chdir(cwd);
    process.stdout.write = into("out");
    process.stderr.write = into("err");
    const code = await run(args);
    return { code, ...result };
  } finally {
    [process.stdout.write, process.stderr.write] = writers;
    process.chdir(before);
  }
}

/** The same for a command that must succeed; gives what it printed. */
export async function succeed(args: readonly string[], where: Where): Promise<string> {
  const { code, out, err } = await tierwise(args, where);
  if (code !== 0) throw new Error(`tierwise ${args.join(" ")} ended with ${code}: ${err}`);
  return out;
}

/** A folder with the given files, which goes when the tests of the file are done. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), "tierwise-test-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A folder that holds the bundled example data. */
export function searchFolder(): string {
  const path = folder();
  for (const from of ["examples/search", "examples/arena", "examples/clicks"])
    for (const name of readdirSync(join(root, from))) copyFileSync(join(root, from, name), join(path, name));
  return path;
}

/** Rows of made-up lists: the label follows features 1 and 2, feature 3 is noise. Deterministic, and no two scores tie. */
export function rows(lists: number, items = 6): { list: string; id: string; label: number; features: number[] }[] {
  let state = 12345;
  const draw = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  return Array.from({ length: lists * items }, (_, i) => {
    const features = [draw(), draw(), draw()].map((value) => Number(value.toFixed(4)));
    const worth = features[0]! + 0.5 * features[1]! + 0.3 * draw();
    return { list: `q${1 + Math.floor(i / items)}`, id: `d${i + 1}`, label: worth > 1.2 ? 2 : worth > 0.7 ? 1 : 0, features };
  });
}

/** A TREC run over the same lists, by one of their features: 0 ranks well, 2 at random. */
export const runBy = (feature: 0 | 1 | 2, lists: number): string =>
  rows(lists)
    .map(({ list, id, features }) => `${list} Q0 ${id} 1 ${features[feature]} run\n`)
    .join("");

export const svmlight = (lists: number): string =>
  rows(lists)
    .map(({ list, id, label, features }) => `${label} qid:${list} ${features.map((v, i) => `${i + 1}:${v}`).join(" ")} # ${id}\n`)
    .join("");
