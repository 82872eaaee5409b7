/**
 * What do clicks teach? A ranker that saw the labels of few queries shows pages of 10 documents of judged lists; users click by position or from the top on
 * (src/clicks/simulate.ts), 100,000 impressions. Printed are the largest relative error of each estimate of the bias curve and the method that is chosen, then
 * NDCG@10 on test lists, by their judgments, of rankers trained on true labels, on clicks debiased by the chosen method, and on clicks as they are in two ways: each
 * impression a list with what was clicked above what was skipped, as a log is mostly used, and the labels of the debiased ranker without propensities. Beside them
 * LightGBM with its position file on the same impressions. All rankers keep the round that is best on judged validation lists. Everything
 * is a mean over several logs, each with its own seed of the ranker; on few lists a ranker is a bag of eight, because single ones differ more than what they learn from.
 *
 *   npm run bench clicks [-- FOLDER]      data: FOLDER, or ../shared/data; DATA=mq2007-agg CLICKS=position choose one row; SEEDS=1,2,3 logs
 *
 * LightGBM runs where PYTHON names a Python that has it, on the first two logs: python3 -m venv v && v/bin/pip install lightgbm numpy && PYTHON=v/bin/python npm run bench clicks
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SimulatedClicks } from "../src/clicks/simulate.ts";
import {
  biasMethods,
  clickData,
  type Dataset,
  evaluate,
  evaluateScores,
  fit,
  lambdaRank,
  linear,
  type Model,
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

const IMPRESSIONS = Number(process.env.IMPRESSIONS ?? 100_000);
const shared = process.argv[2] ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
const python = process.env.PYTHON ?? "python3";
const rivals = fileURLToPath(new URL("../../bench/clicks-rivals.py", import.meta.url));
const metric = ndcg({ k: 10 });

interface Sets {
  readonly train: Dataset;
  readonly valid: Dataset;
  readonly test: Dataset;
  /** Rankers of which one is made. */
  readonly bag: number;
}

const read = async (...paths: readonly string[]) => (await readData(paths.map((path) => join(shared, path)))).data;

const sets: Readonly<Record<string, () => Promise<Sets>>> = {
  async "mq2007-agg"() {
    const parts = [1, 2, 3].map((part) => `mq2007-agg/A${part}.txt.gz`);
    return {
      train: await read(...parts),
      valid: await read("mq2007-agg/A4.txt.gz"),
      test: await read("mq2007-agg/A5.txt.gz"),
      bag: 1,
    };
  },
  async "lightgbm-rank"() {
    const [train, valid] = split(await read("lightgbm-rank/rank.train.gz"), [0.75, 0.25], 1) as [Dataset, Dataset];
    return { train, valid, test: await read("lightgbm-rank/rank.test.gz"), bag: 8 };
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
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  const deviation = Math.sqrt(scores.reduce((sum, one) => sum + (one - mean) ** 2, 0) / scores.length);
  return scores.map((one) => one / deviation);
}

const learn = (train: Dataset, { valid, bag }: Sets, seed: number): Model =>
  fit(train, {
    ...{ model: trees({ rounds: bag > 1 ? 100 : 200, learningRate: 0.1, bag }), objective: lambdaRank() },
    ...{ valid, metrics: [metric], seed },
  }).model;

/** NDCG@10 of LightGBM on the impressions with clicks, with positions and without; undefined where it is not installed. */
function lightgbm({ train, valid, test }: Sets, { log }: SimulatedClicks): Record<string, number> | undefined {
  const folder = mkdtempSync(join(tmpdir(), "tierwise-clicks-"));
  try {
    const dense = (data: Dataset) => {
      const { rows, columns } = data.features;
      const values = new Float32Array(rows * columns);
      if (data.features.kind === "dense") return data.features.values;
      const { starts, indices, values: given, absent } = data.features;
      values.fill(absent);
      for (let row = 0; row < rows; row++)
        for (let at = starts[row]!; at < starts[row + 1]!; at++) values[row * columns + indices[at]!] = given[at]!;
      return values;
    };
    const put = (name: string, array: ArrayBufferView) =>
      writeFileSync(join(folder, name), new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    const clickedIn = Array.from(log.query.keys()).filter((i) =>
      log.clicked.subarray(log.starts[i]!, log.starts[i + 1]!).includes(1),
    );
    const used = clickedIn.slice(0, Math.floor(3e8 / 10 / train.features.columns)); // of memory: 1.2 GB of features
    const entries = used.flatMap((i) =>
      Array.from({ length: log.starts[i + 1]! - log.starts[i]! }, (_, at) => log.starts[i]! + at),
    );
    put(
      "rows",
      Uint32Array.from(entries, (e) => log.document[e]!),
    );
    put(
      "clicks",
      Float32Array.from(entries, (e) => log.clicked[e]!),
    );
    put(
      "positions",
      Uint32Array.from(entries, (e) => log.position[e]!),
    );
    put(
      "groups",
      Uint32Array.from(used, (i) => log.starts[i + 1]! - log.starts[i]!),
    );
    for (const [name, data] of Object.entries({ train, valid, test })) {
      put(`${name}.features`, dense(data));
      put(`${name}.labels`, data.labels);
      put(
        `${name}.groups`,
        Uint32Array.from({ length: data.starts.length - 1 }, (_, q) => data.starts[q + 1]! - data.starts[q]!),
      );
    }
    const { status, stderr } = spawnSync(
      python,
      [rivals, folder, ...[train, valid, test].map((data) => String(data.features.columns))],
      { encoding: "utf8" },
    );
    if (status !== 0) {
      console.log(`LightGBM is left out: ${stderr.trim().split("\n").at(-1)}`);
      return undefined;
    }
    const result = (name: string) => {
      const bytes = readFileSync(join(folder, name));
      return evaluateScores(new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), test, [
        metric,
      ]).metrics[metric.spec]!;
    };
    return {
      "LightGBM, clicks": result("naive"),
      "LightGBM, position file": result("positions"),
      "LightGBM, true labels": result("labels"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SEEDS = (process.env.SEEDS ?? "1,2,3,4,5").split(",").map(Number);
const WITH_RIVAL = 2; // logs, of which also a ranker is trained on all impressions

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;

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

function row(name: string, clicks: keyof typeof clickModels, all: Sets): void {
  const shown = production(all);
  const found: Record<string, number[]> = {};
  const add = (what: string, value: number) => {
    found[what] = [...(found[what] ?? []), value];
  };
  console.log(`\n${name}, ${clicks} clicks, ${IMPRESSIONS} impressions, ${SEEDS.length} logs`);
  for (const [at, seed] of SEEDS.entries()) {
    const how = { impressions: IMPRESSIONS, temperature: 0.5, seed, ...clickModels[clicks] };
    const simulated = simulateClicks(all.train, shown, how);
    const bias = biasErrors(simulated, all.train, seed);
    const result = (train: Dataset) => evaluate(learn(train, all, seed), all.test, [metric]).metrics[metric.spec]!;
    add("clicks as they are", result(clickData(simulated.log, all.train).data));
    add("debiased", result(clickData(simulated.log, all.train, { bias }).data));
    add("true labels", result(all.train));
    if (at >= WITH_RIVAL) continue;
    add("clicked above skipped", result(clickData(simulated.log, all.train, { by: "impression" }).data));
    for (const [what, value] of Object.entries(lightgbm(all, simulated) ?? {})) add(what, value);
  }
  const truth = mean(found["true labels"]!);
  const closed = (value: number, from: string) => {
    const start = mean(found[from]!);
    return `${(((value - start) / (truth - start)) * 100).toFixed(0)} % from ${from}`;
  };
  for (const [what, values] of Object.entries(found)) {
    const value = mean(values);
    const spread = Math.sqrt(mean(values.map((one) => (one - value) ** 2)) / Math.max(1, values.length - 1));
    const gaps = ["clicks as they are", "clicked above skipped"].map((from) => closed(value, from));
    console.log(`${what.padEnd(24)} ndcg@10 ${value.toFixed(4)} ± ${spread.toFixed(4)}  gap closed ${gaps.join(", ")}`);
  }
}

if (!existsSync(shared)) console.log(`skipped: the data are not at ${shared}; name their folder: npm run bench clicks -- FOLDER`);
else
  for (const [name, load] of Object.entries(sets)) {
    if (process.env.DATA && process.env.DATA !== name) continue;
    const all = await load();
    for (const clicks of ["position", "cascade"] as const)
      if (!process.env.CLICKS || process.env.CLICKS === clicks) row(name, clicks, all);
  }
