/**
 * Boosted trees beside LightGBM and XGBoost, on made-up data in the shape of MSLR: 31 leaves, 255 bins, learning rate 0.1, 100 trees.
 *
 *   npm run bench trees [--docs 300000,1000000] [--threads 1,2] [--only lambdarank,listwise,loading] [--repeats 3]
 *
 * Every run is a process of its own, and runs of different tools alternate; the best time of each counts, since machines are shared. A
 * time a tree is that of the rounds after the first, so data are loaded and binned. Rivals run where TIERWISE_PYTHON (or python3) has
 * them. LightGBM reads no qid: it gets the same rows without, and the sizes of the lists beside them.
 */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Made, mslr, svmlight } from "./mslr.ts";

const { values: requested } = parseArgs({
  options: {
    docs: { type: "string", default: "300000,1000000" },
    threads: { type: "string", default: "1,2" },
    only: { type: "string", default: "lambdarank,listwise,loading" },
    repeats: { type: "string", default: "3" },
  },
});
const list = (text: string) => text.split(",");
const repeats = Number(requested.repeats);
const python = process.env.TIERWISE_PYTHON ?? "python3";

/** The result of one run. */
interface Measurement {
  readonly perTree?: number; // seconds
  readonly cpu?: number; // seconds of processors a tree, which other work on the machine hardly changes
  readonly load?: number; // seconds to read and bin the text
  readonly scored?: number; // documents per second
  readonly memory: number; // bytes at most
  readonly ndcg?: readonly number[]; // at 1, 5, 10 of the held-out documents
}

function prepare(documents: number): string {
  const folder = `${tmpdir()}/tierwise-bench-${documents}`;
  if (existsSync(`${folder}/complete`)) return folder;
  mkdirSync(folder, { recursive: true });
  for (const [name, made] of [
    ["train", mslr(documents, 1)],
    ["test", mslr(100_000, 2)],
  ] as const) {
    writeFileSync(`${folder}/${name}.values`, made.values);
    writeFileSync(`${folder}/${name}.labels`, made.labels);
    writeFileSync(`${folder}/${name}.starts`, made.starts);
    if (name === "train") writeText(folder, made);
  }
  writeFileSync(`${folder}/complete`, "");
  return folder;
}

function writeText(folder: string, made: Made): void {
  const [ours, theirs] = [openSync(`${folder}/train.txt`, "w"), openSync(`${folder}/lightgbm.txt`, "w")];
  for (let from = 0; from < made.starts.length - 1; from += 50) {
    const text = svmlight(made, from, Math.min(from + 50, made.starts.length - 1));
    writeSync(ours, text);
    writeSync(theirs, text.replace(/ qid:\d+/g, ""));
  }
  for (const file of [ours, theirs]) closeSync(file);
  const sizes = Array.from(made.starts.subarray(1), (end, q) => `${end - made.starts[q]!}\n`);
  writeFileSync(`${folder}/lightgbm.txt.query`, sizes.join(""));
}

function run(command: string, args: readonly string[]): Measurement | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return status === 0 ? (JSON.parse(stdout.trim().split("\n").at(-1)!) as Measurement) : undefined;
}

const ours = fileURLToPath(new URL("./trees-run.js", import.meta.url));
const theirs = fileURLToPath(new URL("../../bench/trees-rivals.py", import.meta.url));
const sides: Readonly<Record<string, readonly (readonly [name: string, what: string])[]>> = {
  lambdarank: [
    ["tierwise lambdarank", "lambdarank"],
    ["lightgbm lambdarank", "lightgbm:lambdarank"],
    ["xgboost rank:ndcg", "xgboost:rank:ndcg"],
  ],
  listwise: [
    ["tierwise pl-partition", "pl-partition"],
    ["tierwise xendcg", "xendcg"],
    ["lightgbm rank_xendcg", "lightgbm:rank_xendcg"],
  ],
  loading: [
    ["tierwise", "load"],
    ["lightgbm", "lightgbm:load"],
  ],
};

const time = ({ perTree, load }: Measurement) => perTree ?? load ?? Infinity;

/** The best of each side's runs, which alternate. */
function measure(what: string, folder: string, threads: number): Map<string, Measurement> {
  const best = new Map<string, Measurement>();
  for (let iteration = 0; iteration < repeats; iteration++)
    for (const [name, side] of sides[what]!) {
      const [command, script] = /^(lightgbm|xgboost):/.test(side) ? [python, theirs] : [process.execPath, ours];
      const [result, known] = [run(command, [script, folder, side, String(threads)]), best.get(name)];
      const cpu = Math.min(result?.cpu ?? Infinity, known?.cpu ?? Infinity);
      const better = result && !(known && time(known) <= time(result)) ? result : known;
      if (better) best.set(name, { ...better, ...(cpu < Infinity && { cpu }) });
    }
  return best;
}

function describe(result: Measurement, other: Measurement | undefined): string {
  const { perTree, cpu, load, scored, memory, ndcg } = result;
  const message: string[] = [];
  if (perTree !== undefined) message.push(`${perTree.toFixed(4)} s a tree`);
  if (load !== undefined) message.push(`${load.toFixed(2)} s`);
  if (cpu !== undefined) message.push(`${cpu.toFixed(4)} of processors`);
  if (other && other !== result) {
    const ratio = (time(result) / time(other)).toFixed(2);
    message.push(`${ratio}${cpu && other.cpu ? ` (processors ${(cpu / other.cpu).toFixed(2)})` : ""} of LightGBM's`);
  }
  if (ndcg) message.push(`ndcg@1, 5, 10 ${ndcg.map((value) => value.toFixed(4)).join(" ")}`);
  if (scored !== undefined) message.push(`scores ${Math.round(scored / 1000)} thousand documents a second`);
  message.push(`${Math.round(memory / 2 ** 20)} MiB at most`);
  return message.join("; ");
}

for (const documents of list(requested.docs).map(Number)) {
  const folder = prepare(documents);
  const size = Math.round(statSync(`${folder}/train.txt`).size / 1e6);
  console.log(`${documents} documents of 136 features, ${size} MB of text; best of ${repeats} alternating runs`);
  for (const threads of list(requested.threads).map(Number))
    for (const what of list(requested.only)) {
      if (!sides[what]) throw new Error(`--only: there are ${Object.keys(sides).join(", ")}; not ${what}`);
      const best = measure(what, folder, threads);
      console.log(`\n${what}, ${threads} thread${threads > 1 ? "s" : ""} (load average ${loadavg()[0]!.toFixed(1)})`);
      const other = best.get(sides[what].find(([name]) => name.startsWith("lightgbm"))![0]);
      for (const [name] of sides[what]) {
        const result = best.get(name);
        console.log(`  ${name.padEnd(24)}${result ? describe(result, other) : "not installed, or failed"}`);
      }
    }
  console.log();
}
