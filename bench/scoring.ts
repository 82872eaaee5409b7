/**
 * Scores of trees, one thread: lists of 1 to 200 rows from plain arrays, and batches of 20,000 rows beside LightGBM, lleaves and ONNX Runtime
 * on the same trees, which were grown on made-up data in the shape of MSLR (136 features).
 *
 *   npm run bench scoring [--only 31x100,31x300,64x100,255x100,categories,imported] [--repeats 3]
 *
 * Rivals run where TIERWISE_PYTHON (or python3) has them:
 *
 *   python3 -m venv venv && venv/bin/pip install lightgbm lleaves "llvmlite<0.45" onnxruntime onnx onnxmltools skl2onnx
 *   TIERWISE_PYTHON=venv/bin/python npm run bench scoring
 *
 * Every run is a process of its own, and runs of different tools alternate; the best of each counts. Rates are rows per second of processor
 * time, which other work on the machine changes little; times of short lists are medians of 1,000 calls by the clock. lleaves compiles each
 * model once, which takes from seconds to many minutes (255 leaves); the result is kept with models and data in the folder for temporary files.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { objective, train, trees } from "../src/index.ts";
import { isTrees } from "../src/models/trees/index.ts";
import type { Dataset } from "../src/types.ts";
import { lightgbmText } from "./lightgbm-text.ts";
import { FEATURES, mslr } from "./mslr.ts";

const ROWS = 20_000;
const CATEGORICAL = 20; // features with categories

const shapes: Readonly<Record<string, { readonly rounds: number; readonly leaves: number; readonly minItems: number }>> = {
  "31x100": { rounds: 100, leaves: 31, minItems: 20 },
  "31x300": { rounds: 300, leaves: 31, minItems: 20 },
  "64x100": { rounds: 100, leaves: 64, minItems: 5 },
  "255x100": { rounds: 100, leaves: 255, minItems: 2 },
  categories: { rounds: 100, leaves: 31, minItems: 20 },
  imported: { rounds: 300, leaves: 31, minItems: 20 }, // ours reads LightGBM's file, too
};
const { values: requested } = parseArgs({
  options: { only: { type: "string", default: Object.keys(shapes).join(",") }, repeats: { type: "string", default: "3" } },
});
const python = process.env.TIERWISE_PYTHON ?? "python3";
const folder = `${tmpdir()}/tierwise-bench-scoring`;
mkdirSync(folder, { recursive: true });

interface Run {
  readonly rate: number; // rows a second
  readonly small: Readonly<Record<string, number>>; // milliseconds by rows
  readonly sum: number; // of all scores
  readonly digest?: string; // of all scores as 64-bit numbers
  readonly first?: number; // milliseconds of the first call
}

/** Made-up rows; the first columns may be categories that depend on others. */
function dataOf(kind: "numbers" | "categories"): Dataset {
  const { starts, labels, values } = mslr(ROWS, 1);
  if (kind === "categories")
    for (let row = 0; row < ROWS; row++)
      for (let c = 0; c < CATEGORICAL; c++) {
        const hash = Math.imul(Math.round(7 * values[row * FEATURES + c + 100]!), 2654435761) >>> 8;
        values[row * FEATURES + c] = hash % (12 * (c + 1)); // 12 to 240 of them
      }
  if (!existsSync(`${folder}/${kind}.values`)) writeFileSync(`${folder}/${kind}.values`, values);
  return { starts, labels, features: { kind: "dense", rows: ROWS, columns: FEATURES, values }, base: 1, names: {} };
}

async function prepare(name: string): Promise<void> {
  if (existsSync(`${folder}/${name}.lightgbm.txt`)) return;
  const kind = name === "categories" ? "categories" : "numbers";
  const list = Array.from({ length: CATEGORICAL }, (_, c) => c + 1).join(",");
  const learner = trees({ ...shapes[name]!, ...(kind === "categories" && { categorical: `(${list})` }) });
  const { model } = await train(dataOf(kind), { model: learner, objective: objective("lambdarank"), seed: 1 });
  if (!isTrees(model)) throw new Error("trees give no trees");
  writeFileSync(`${folder}/${name}.json`, JSON.stringify(model.save()));
  writeFileSync(`${folder}/${name}.lightgbm.txt`, lightgbmText(model));
}

function run(command: string, args: readonly string[]): Run | string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout.trim().split("\n").at(-1)!) as Run;
  return (stderr ?? "").trim().split("\n").at(-1) || `${command} did not run`;
}

const better = (a: Run | undefined, b: Run): Run => ({
  ...b,
  rate: Math.max(a?.rate ?? 0, b.rate),
  small: Object.fromEntries(Object.entries(b.small).map(([n, time]) => [n, Math.min(time, a?.small[n] ?? Infinity)])),
  ...(b.first !== undefined && { first: Math.min(b.first, a?.first ?? Infinity) }),
});

const ours = fileURLToPath(new URL("./scoring-run.js", import.meta.url));
const theirs = fileURLToPath(new URL("../../bench/scoring-rivals.py", import.meta.url));
const tools = ["tierwise", "lleaves", "onnxruntime", "lightgbm"];

const rates = new Map<string, number>();
for (const name of requested.only.split(",")) {
  if (!shapes[name]) throw new Error(`--only: there are ${Object.keys(shapes).join(", ")}; not ${name}`);
  await prepare(name);
  console.log(
    `\n${name}: ${shapes[name].rounds} trees of ${shapes[name].leaves} leaves (load average ${loadavg()[0]!.toFixed(1)})`,
  );
  const best = new Map<string, Run>();
  const failed = new Map<string, string>();
  for (let iteration = 0; iteration < Number(requested.repeats); iteration++)
    for (const tool of tools) {
      if (failed.has(tool)) continue;
      const result =
        tool === "tierwise" ? run(process.execPath, [ours, folder, name]) : run(python, [theirs, folder, name, tool]);
      if (typeof result === "string") failed.set(tool, result);
      else best.set(tool, better(best.get(tool), result));
    }
  const mine = best.get("tierwise");
  if (mine) rates.set(name, mine.rate);
  for (const tool of tools) {
    const result = best.get(tool);
    if (!result) console.log(`  ${tool.padEnd(12)} skipped: ${failed.get(tool)}`);
    else {
      const small = Object.entries(result.small).map(([n, time]) => `${n}: ${time.toFixed(3)}`);
      const beside = mine && tool !== "tierwise" ? `, ours ${(mine.rate / result.rate).toFixed(2)} times that` : "";
      const equal = name === "imported" && tool === "lightgbm" && mine?.digest === result.digest ? "; all scores equal ours" : "";
      const apart = mine ? Math.abs(result.sum - mine.sum) / Math.abs(mine.sum) : 0;
      console.log(
        `  ${tool.padEnd(12)} ${Math.round(result.rate).toLocaleString("en")} rows/s${beside}; ms by rows ${small.join(", ")}` +
          `${result.first === undefined ? "" : `; first call ${result.first.toFixed(1)} ms`}${equal}${apart > 1e-5 ? `; SCORES DIFFER by ${apart}` : ""}`,
      );
    }
  }
}
const [numbers, categories] = [rates.get("31x100"), rates.get("categories")];
if (numbers && categories) console.log(`\ncategories score at ${(categories / numbers).toFixed(2)} of the speed of numbers`);
