/**
 * What do clicks teach? A ranker that saw the labels of few queries shows pages of 10 documents of judged lists; users click by position or from the top on
 * (src/clicks/simulate.ts), 100,000 impressions. Printed are the largest relative error of each estimate of the bias curve and the method that is chosen, then
 * NDCG@10 by judgments of rankers trained on true labels, on clicks debiased by the chosen method, and on clicks as they are in three ways:
 *
 *   click-through rate           clicks over how often a document was shown, 0 where it never was; gains are linear in it
 *   smoothed click-through rate  the labels of the debiased ranker without propensities, which lean on the features of documents
 *   clicked above skipped        each impression a list
 *
 * and LightGBM on the same impressions, with its position file and without. All rankers keep the round that is best on judged validation lists. On few lists a ranker is
 * a bag of eight, because single ones differ more than what they learn from. Each log has its own seed of the ranker, and of LightGBM's example its own validation lists.
 * The share of the gap that is closed, (debiased - naive) / (true labels - naive), is one of sums over lists of means over logs; its standard error is that of a ratio, over lists.
 *
 *   npm run bench clicks [-- FOLDER]      data: FOLDER, or ../shared/data; DATA=mq2007-agg CLICKS=position choose one row (DATA=mq2008 and DATA=ohsumed: lists on which nothing was chosen); SEEDS=1,2,3 logs
 *                                         LISTS=all: every list is a test list once, in five parts; RIVALS=2: logs for the slow ones, LightGBM and clicked above skipped
 *
 * LightGBM runs where PYTHON names a Python that has it: python3 -m venv v && v/bin/pip install lightgbm numpy && PYTHON=v/bin/python npm run bench clicks
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SimulatedClicks } from "../src/clicks/simulate.ts";
import {
  biasMethods,
  clickData,
  type Dataset,
  type Evaluation,
  evaluate,
  evaluateScores,
  fit,
  lambdaRank,
  linear,
  ndcg,
  type PositionBias,
  positionBias,
  readData,
  score,
  simulateClicks,
  split,
  subset,
  trees,
} from "../src/index.ts";
import { lightgbmScores, type Sets } from "./clicks-lightgbm.ts";

const IMPRESSIONS = Number(process.env.IMPRESSIONS ?? 100_000);
const SEEDS = (process.env.SEEDS ?? "1,2,3,4,5").split(",").map(Number);
const RIVALS = Number(process.env.RIVALS ?? 2);
const shared = process.argv[2] ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
const metric = ndcg({ k: 10 });
const PARTS = [0, 1, 2, 3, 4];

const read = async (...paths: readonly string[]) => (await readData(paths.map((path) => join(shared, path)))).data;

interface Source {
  /** Rankers of which one is made. */
  readonly bag: number;
  /** The test lists that played no part in any choice, with lists to train on. */
  test(seed: number): Promise<Sets>;
  /** All lists: those of a part are the test lists, those of the part before it choose the round. */
  part(at: number): Promise<Sets>;
}

/** Five files, of which three train, one chooses the round and one tests. */
function filed(file: (number: number) => string, bag: number): Source {
  const files = (...parts: readonly number[]) => read(...parts.map((at) => file((at % 5) + 1)));
  const part = async (at: number) => ({
    train: await files(at + 1, at + 2, at + 3),
    ...{ valid: await files(at + 4), test: await files(at) },
  });
  return { bag, test: () => part(4), part };
}

const sources: Readonly<Record<string, Source>> = {
  "mq2007-agg": filed((number) => `mq2007-agg/A${number}.txt.gz`, 1),
  mq2008: filed((number) => `mq2008/S${number}.txt.gz`, 1),
  ohsumed: filed((number) => `ohsumed/T${number}.txt.gz`, 8),
  "lightgbm-rank": {
    bag: 8,
    async test(seed) {
      const [train, valid] = split(await read("lightgbm-rank/rank.train.gz"), [0.75, 0.25], seed) as [Dataset, Dataset];
      return { train, valid, test: await read("lightgbm-rank/rank.test.gz") };
    },
    async part(at) {
      const all = await read("lightgbm-rank/rank.train.gz", "lightgbm-rank/rank.test.gz");
      const lists = Array.from({ length: all.starts.length - 1 }, (_, q) => q);
      const pick = (...parts: readonly number[]) =>
        subset(
          all,
          lists.filter((q) => parts.some((one) => one % 5 === q % 5)),
        );
      return { train: pick(at + 1, at + 2, at + 3), valid: pick(at + 4), test: pick(at) };
    },
  },
};
const clickModels = { position: { model: "position" }, cascade: { model: "cascade", proceed: 1, afterClick: 0.5 } } as const;

/** Scores of a ranker that saw every 40th list, in units of their standard deviation. */
function production({ train }: Sets): Float64Array {
  const lists = train.starts.length - 1;
  const few = subset(
    train,
    Array.from({ length: Math.max(4, Math.ceil(lists / 40)) }, (_, i) => (i * 40) % lists),
  );
  const scores = score(fit(few, { model: linear({ l2: 1 }) }).model, train);
  const mean = meanOf(scores);
  const deviation = Math.sqrt(meanOf(scores.map((one) => (one - mean) ** 2)));
  return scores.map((one) => one / deviation);
}

const sum = (all: ArrayLike<number>) => Array.from(all).reduce((total, one) => total + one, 0);
const meanOf = (all: ArrayLike<number>) => sum(all) / all.length;

/** The data with labels by click-through rate. */
function clickThroughRates(train: Dataset, { log }: SimulatedClicks): Dataset {
  const [shown, clicks] = [new Float64Array(train.labels.length), new Float64Array(train.labels.length)];
  log.document.forEach((row, e) => {
    shown[row]!++;
    clicks[row]! += log.clicked[e]!;
  });
  return { ...train, labels: Float32Array.from(clicks, (count, row) => Math.log2(1 + (15 * count) / Math.max(1, shown[row]!))) };
}

/** The largest relative error of each estimate, and the method that is chosen. */
function biasErrors({ log, examination }: SimulatedClicks, features: Dataset, seed: number): PositionBias {
  const error = ({ propensities }: PositionBias) =>
    Math.max(...propensities.map((p, k) => Math.abs((p * examination[0]!) / examination[k]! - 1)));
  const auto = positionBias(log, { features });
  const all = seed === SEEDS[0] ? biasMethods.map((method) => positionBias(log, { method, features })) : [];
  const parts = all.map((bias) => `${bias.method} ${error(bias).toFixed(3)}`);
  console.log(`bias curve, largest relative error: ${[...parts, `chosen: ${auto.method} ${error(auto).toFixed(3)}`].join(", ")}`);
  return auto;
}

/** By ranker: NDCG@10 of each test list. */
type Values = Record<string, readonly number[]>;

const valuesOf = ({ details }: Evaluation): readonly number[] => Array.from(details[metric.spec]!.values);

/** The rankers of one log; the slow ones where asked for. */
function rankers(sets: Sets, bag: number, clicks: keyof typeof clickModels, seed: number, slow: boolean): Values {
  const { train, valid, test } = sets;
  const how = { impressions: IMPRESSIONS, temperature: 0.5, seed, ...clickModels[clicks] };
  const simulated = simulateClicks(train, production(sets), how);
  const bias = biasErrors(simulated, train, seed);
  const model = trees({ rounds: bag > 1 ? 100 : 200, learningRate: 0.1, bag });
  const result = (data: Dataset) =>
    valuesOf(evaluate(fit(data, { model, objective: lambdaRank(), valid, metrics: [metric], seed }).model, test, [metric]));
  const { log } = simulated;
  const found: Values = {
    "click-through rate": result(clickThroughRates(train, simulated)),
    "smoothed click-through rate": result(clickData(log, train).data),
    debiased: result(clickData(log, train, { bias }).data),
    "true labels": result(train),
  };
  if (!slow) return found;
  found["clicked above skipped"] = result(clickData(log, train, { by: "impression" }).data);
  for (const [name, scores] of Object.entries(lightgbmScores(sets, log) ?? {}))
    found[name] = valuesOf(evaluateScores(scores, test, [metric]));
  return found;
}

/** The share of the gap from a naive ranker to true labels that a ranker closes, with its standard error, from values by list. */
function closed(ranker: readonly number[], naive: readonly number[], truth: readonly number[]): string {
  const gains = ranker.map((value, q) => value - naive[q]!);
  const gaps = truth.map((value, q) => value - naive[q]!);
  const share = sum(gains) / sum(gaps);
  const error = Math.sqrt(sum(gains.map((gain, q) => (gain - share * gaps[q]!) ** 2))) / Math.abs(sum(gaps));
  return `${(100 * share).toFixed(0)} ± ${(100 * error).toFixed(0)} %`;
}

async function row(name: string, clicks: keyof typeof clickModels): Promise<void> {
  const { bag, test, part } = sources[name]!;
  const byList: Record<string, number[]> = {};
  console.log(`\n${name}, ${clicks} clicks, ${IMPRESSIONS} impressions, logs ${SEEDS.join(", ")}`);
  for (const at of process.env.LISTS === "all" ? PARTS : [undefined]) {
    const logs: Values[] = [];
    for (const [i, seed] of SEEDS.entries())
      logs.push(rankers(await (at === undefined ? test(seed) : part(at)), bag, clicks, seed, i < RIVALS));
    for (const ranker of new Set(logs.flatMap((one) => Object.keys(one)))) {
      const own = logs.flatMap((one) => (one[ranker] ? [one[ranker]!] : []));
      const means = own[0]!.map((_, q) => meanOf(own.map((values) => values[q]!)));
      (byList[ranker] ??= []).push(...means.filter((value) => !Number.isNaN(value))); // of lists with a relevant document
    }
  }
  const truth = byList["true labels"]!;
  for (const [ranker, values] of Object.entries(byList)) {
    const naive = ["click-through rate", "smoothed click-through rate", "clicked above skipped"].filter(
      (from) => byList[from] && from !== ranker && values !== truth,
    );
    const shares = naive.map((from) => `${closed(values, byList[from]!, truth)} from ${from}`);
    console.log(`${ranker.padEnd(28)} ndcg@10 ${meanOf(values).toFixed(4)}  ${shares.join(", ")}`);
  }
}

if (!existsSync(shared)) console.log(`skipped: the data are not at ${shared}; name their folder: npm run bench clicks -- FOLDER`);
else
  for (const name of Object.keys(sources))
    for (const clicks of ["position", "cascade"] as const)
      if ((process.env.DATA ?? name) === name && (process.env.CLICKS ?? clicks) === clicks) await row(name, clicks);
