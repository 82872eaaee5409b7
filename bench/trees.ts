/**
 * Boosted trees beside LightGBM and XGBoost, on made-up data in the shape of MSLR: 31 leaves, 255 bins, learning rate 0.1, 100 trees.
 *
 *   npm run bench trees [documents] [turns]
 *
 * Every run is a process of its own, and runs of different tools alternate; the best time of each counts, since machines are shared. A
 * time is that of the rounds after the first, so data are loaded and binned. Rivals run where TIERWISE_PYTHON (or python3) has them.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { type Made, mslr, svmlight } from "./mslr.ts";

const documents = Number(process.argv[2] ?? 300_000);
const turns = Number(process.argv[3] ?? 3);
const folder = `${tmpdir()}/tierwise-bench-${documents}`;
const python = process.env.TIERWISE_PYTHON ?? "python3";

/** What one run tells. */
interface Told {
  readonly perTree?: number; // seconds
  readonly load?: number; // seconds to read and bin the text
  readonly scored?: number; // documents per second
  readonly memory: number; // bytes at most
  readonly ndcg?: readonly number[]; // at 1, 5, 10 of the held-out documents
}

function prepare(): void {
  if (existsSync(`${folder}/done`)) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, made] of [
    ["train", mslr(documents, 1)],
    ["test", mslr(100_000, 2)],
  ] as const) {
    writeFileSync(`${folder}/${name}.values`, made.values);
    writeFileSync(`${folder}/${name}.labels`, made.labels);
    writeFileSync(`${folder}/${name}.starts`, made.starts);
    writeText(`${folder}/${name}.txt`, made);
  }
  writeFileSync(`${folder}/done`, "");
}

function writeText(path: string, made: Made): void {
  const file = openSync(path, "w");
  for (let list = 0; list < made.starts.length - 1; list += 50)
    writeSync(file, svmlight(made, list, Math.min(list + 50, made.starts.length - 1)));
}

function run(command: string, args: readonly string[]): Told | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return status === 0 ? (JSON.parse(stdout.trim().split("\n").at(-1)!) as Told) : undefined;
}

const ours = fileURLToPath(new URL("./trees-run.js", import.meta.url));
const theirs = fileURLToPath(new URL("../../bench/trees-rivals.py", import.meta.url));
const tierwise = (what: string, threads: number) => run(process.execPath, [ours, folder, what, String(threads)]);
const rival = (what: string, threads: number) => run(python, [theirs, folder, what, String(threads)]);

interface Contest {
  readonly title: string;
  readonly sides: readonly (readonly [name: string, run: () => Told | undefined])[];
}

const contests: Contest[] = [];
for (const threads of [1, 2]) {
  const title = (what: string) => `${what}, ${threads} thread${threads > 1 ? "s" : ""}`;
  contests.push({
    title: title("LambdaMART"),
    sides: [
      ["tierwise lambdarank", () => tierwise("lambdarank", threads)],
      ["lightgbm lambdarank", () => rival("lightgbm:lambdarank", threads)],
      ["xgboost rank:ndcg", () => rival("xgboost:rank:ndcg", threads)],
    ],
  });
  contests.push({
    title: title("listwise"),
    sides: [
      ["tierwise pl-partition", () => tierwise("pl-partition", threads)],
      ["tierwise xendcg", () => tierwise("xendcg", threads)],
      ["lightgbm rank_xendcg", () => rival("lightgbm:rank_xendcg", threads)],
    ],
  });
  contests.push({
    title: title("loading and binning text"),
    sides: [
      ["tierwise", () => tierwise("load", threads)],
      ["lightgbm", () => rival("lightgbm:load", threads)],
    ],
  });
}

prepare();
console.log(`${documents} documents of 136 features; best of ${turns} alternating runs\n`);
for (const { title, sides } of contests) {
  const best = new Map<string, Told>();
  for (let turn = 0; turn < turns; turn++)
    for (const [name, go] of sides) {
      const told = go();
      const known = best.get(name);
      const time = (one: Told) => one.perTree ?? one.load ?? Infinity;
      if (told && (!known || time(told) < time(known))) best.set(name, told);
    }
  console.log(title);
  for (const [name] of sides) {
    const told = best.get(name);
    console.log(`  ${name.padEnd(24)}${told ? tell(told) : "not installed, or failed"}`);
  }
}

function tell({ perTree, load, scored, memory, ndcg }: Told): string {
  const said: string[] = [];
  if (perTree !== undefined) said.push(`${perTree.toFixed(4)} s a tree`);
  if (load !== undefined) said.push(`${load.toFixed(2)} s`);
  if (ndcg) said.push(`ndcg@1, 5, 10 ${ndcg.map((value) => value.toFixed(4)).join(" ")}`);
  if (scored !== undefined) said.push(`scores ${Math.round(scored / 1000)} thousand documents a second`);
  said.push(`${Math.round(memory / 2 ** 20)} MiB at most`);
  return said.join("; ");
}
