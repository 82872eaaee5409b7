/**
 * A model of ours against another tool with its defaults: trained by `tierwise train` on every fold of the leaderboard's data sets, and compared
 * list by list with the scores of the tool in papers/scores (made by bench/score-files.py).
 *
 *   npm run bench quality -- --data DIR [--model trees] [--sets mq2008,ohsumed,mq2007-agg,search-folds] [--against catboost-yetirank]
 *                            [--train "--objective yetirank"] [--patience 50] [--budget 4] [--metric ndcg@10] [--json]
 *
 * DIR is that of `tierwise papers`. As for the other tools: one thread, patience 50, validation lists for the best round, and the number of
 * the fold as the seed. --train holds more options of `tierwise train`; --budget 4 gives it --budget with four times the processor time that
 * the tool took on the same fold. p is that of the paired randomization test, not corrected. --json prints the values of all lists and the
 * processor time of every fold.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { comparedSets, type Found, findSet, packageFolder } from "../papers/data-sets.ts";
import { denseValues, foldDigest, PARTS } from "../papers/fold-digest.ts";
import { type Difference, differences } from "../papers/leaderboard/differences.ts";
import { evaluateFold, readScoreFiles, type ScoreFile, toolName } from "../papers/score-files.ts";
import { pText } from "../papers/systems.ts";
import { loadFold, type Outcome, type Parts } from "../papers/trial.ts";
import { run } from "../src/cli/run.ts";
import { type Dataset, evaluate, InputError, metricList, readData, readModel } from "../src/index.ts";

const { values: requested } = parseArgs({
  options: {
    data: { type: "string", default: "data" },
    model: { type: "string", default: "trees" },
    sets: { type: "string", default: comparedSets.map(({ id }) => id).join(",") },
    against: { type: "string", default: "catboost-yetirank" },
    scores: { type: "string", default: packageFolder("papers/scores") },
    train: { type: "string", default: "" },
    patience: { type: "string", default: "50" },
    budget: { type: "string" },
    metric: { type: "string", default: "ndcg@10" },
    json: { type: "boolean", default: false },
  },
});
const metrics = metricList(requested.metric);
const metric = metrics[0]!.spec;

interface FoldResult {
  readonly processor: number; // seconds
  readonly values: readonly number[]; // of the test lists
}

interface SetResult {
  readonly set: string;
  readonly ours: readonly FoldResult[];
  readonly theirs: readonly FoldResult[];
}

/** SVMlight text that is read back to the same bits. */
function svmlight(data: Dataset): string {
  const { columns } = data.features;
  const values = denseValues(data);
  const lines: string[] = [];
  for (let q = 0; q + 1 < data.starts.length; q++)
    for (let row = data.starts[q]!; row < data.starts[q + 1]!; row++) {
      const cells: string[] = [];
      for (let c = 0; c < columns; c++) {
        const value = values[row * columns + c]!;
        // The last is always there, so that the width is known.
        if (value !== 0 || c === columns - 1) cells.push(`${c + 1}:${Number.isNaN(value) ? "NULL" : value}`);
      }
      lines.push(`${data.labels[row]} qid:${q + 1} ${cells.join(" ")}\n`);
    }
  return lines.join("");
}

/** Writes the parts of a fold as files, and makes sure that they hold the same. */
async function writeFold(folder: string, parts: Parts): Promise<string[]> {
  const paths = PARTS.map((part) => join(folder, `${part}.txt`));
  PARTS.forEach((part, i) => void writeFileSync(paths[i]!, svmlight(parts[part])));
  const read = await Promise.all(paths.map(async (path) => (await readData([path], { threads: 1 })).data));
  const [train, valid, test] = read as [Dataset, Dataset, Dataset];
  if (foldDigest({ train, valid, test }) !== foldDigest(parts))
    throw new Error("the files of a fold do not hold what the fold does");
  return paths;
}

/** Runs `tierwise train` here, without what it prints, and gives the seconds of processor time of this process. */
async function train(words: readonly string[]): Promise<number> {
  const { write } = process.stdout;
  const before = process.cpuUsage();
  process.stdout.write = () => true;
  try {
    const code = await run(["train", ...words]);
    if (code !== 0) throw new InputError(`tierwise train ${words.join(" ")} ended with ${code}`);
  } finally {
    process.stdout.write = write;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function trainFold(found: Found, fold: number, theirs: FoldResult): Promise<FoldResult> {
  const folder = mkdtempSync(join(tmpdir(), "tierwise-quality-"));
  try {
    const parts = await loadFold(found, fold);
    const [learn, valid] = (await writeFold(folder, parts)) as [string, string];
    const out = join(folder, "model.json");
    const budget = requested.budget === undefined ? [] : ["--budget", `${Number(requested.budget) * theirs.processor}s`];
    const how = ["--patience", requested.patience, "--seed", String(fold + 1), "--threads", "1", "--quiet", ...budget];
    const more = requested.train.split(/\s+/).filter((word) => word !== "");
    const processor = await train([learn, "--valid", valid, "--model", requested.model, ...how, ...more, "--out", out]);
    const { model } = await readModel(out);
    return { processor, values: [...evaluate(model, parts.test, metrics).details[metric]!.values] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const valuesOf = ({ lists }: Outcome) => lists[metric]!.map((value) => value ?? Number.NaN);

async function measure(found: Found, file: ScoreFile): Promise<SetResult> {
  const [ours, theirs]: [FoldResult[], FoldResult[]] = [[], []];
  for (const fold of found.set.folds.keys()) {
    const outcome = await evaluateFold(found, fold, file, metric);
    theirs.push({ processor: outcome.processor, values: valuesOf(outcome) });
    ours.push(await trainFold(found, fold, theirs.at(-1)!));
  }
  return { set: found.set.id, ours, theirs };
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The mean over folds of the means over their lists. */
const meanOf = (folds: readonly FoldResult[]) =>
  average(folds.map(({ values }) => average(values.filter((value) => !Number.isNaN(value)))));
const processorOf = (folds: readonly FoldResult[]) => average(folds.map(({ processor }) => processor));

function table(results: readonly SetResult[], found: readonly Difference[], other: string): string {
  const row = (cells: readonly string[]) => cells.map((cell, i) => (i === 0 ? cell.padEnd(14) : cell.padStart(10))).join("  ");
  const number = (value: number, digits = 4) => value.toFixed(digits);
  const rows = [
    row(["", "lists", "ours", "theirs", "difference", "p", "ours, s", "theirs, s"]),
    ...results.map(({ set, ours, theirs }, i) => {
      const { lists, difference, p } = found[i]!;
      const means = [number(meanOf(ours)), number(meanOf(theirs))];
      const seconds = [number(processorOf(ours), 2), number(processorOf(theirs), 2)];
      return row([set, String(lists), ...means, number(difference), pText(p), ...seconds]);
    }),
    row([
      "mean of sets",
      "",
      ...(["ours", "theirs"] as const).map((who) => number(average(results.map((one) => meanOf(one[who]))))),
    ]),
    row(["all lists", String(found.at(-1)!.lists), "", "", number(found.at(-1)!.difference), pText(found.at(-1)!.p)]),
  ];
  return [
    `${[requested.model, requested.train].filter((one) => one !== "").join(" ")} against ${other}: ${metric} of the test lists, means of folds; differences list by list`,
    ...rows,
    "s: processor time of one training, ours with reading the files and starting",
  ].join("\n");
}

async function main(): Promise<void> {
  const files = readScoreFiles(requested.scores).filter(({ path }) => path.endsWith(`-${requested.against}.json.gz`));
  const results: SetResult[] = [];
  for (const id of requested.sets.split(",")) {
    const set = comparedSets.find((one) => one.id === id);
    if (!set) throw new InputError(`--sets: ${id} is none of ${comparedSets.map((one) => one.id).join(", ")}`);
    const found = findSet(set, requested.data);
    if (!found) throw new InputError(`--data: ${requested.data} has no ${set.files.join(", ")}; from ${set.obtain}`);
    const file = files.find(({ data }) => data === id);
    if (!file) throw new InputError(`--against: ${requested.scores} has no ${id}-${requested.against}.json.gz`);
    results.push(await measure(found, file));
  }
  const flat = (folds: readonly FoldResult[]) => folds.flatMap(({ values }) => values);
  const found = differences(results.map(({ set, ours, theirs }) => ({ name: set, a: flat(ours), b: flat(theirs) })));
  console.log(
    requested.json ? JSON.stringify({ ...requested, results, differences: found }) : table(results, found, toolName(files[0]!)),
  );
}

try {
  await main();
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
