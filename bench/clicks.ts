/**
 * What do clicks teach? A ranker that saw the labels of few queries shows pages of 10 documents of judged lists; users click by position or from the top on
 * (src/clicks/simulate.ts), 100,000 impressions. The table has the largest relative error of each estimate of the bias curve, then NDCG@10 on test lists,
 * by their judgments, of rankers trained on true labels, on clicks as they are and on debiased clicks, beside LightGBM with its position file.
 * All rankers keep the round that is best on judged validation lists.
 *
 *   npm run bench clicks [-- FOLDER]      data: FOLDER, or ../shared/data; DATA=mq2007-agg CLICKS=position choose one row
 *
 * LightGBM runs where PYTHON names a Python that has it: python3 -m venv v && v/bin/pip install lightgbm numpy && PYTHON=v/bin/python npm run bench clicks
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SimulatedClicks } from "../src/clicks/simulate.ts";
import {
  type BiasMethod,
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
}

const read = async (...paths: readonly string[]) => (await readData(paths.map((path) => join(shared, path)))).data;

const sets: Readonly<Record<string, () => Promise<Sets>>> = {
  async "mq2007-agg"() {
    const parts = [1, 2, 3].map((part) => `mq2007-agg/A${part}.txt.gz`);
    return { train: await read(...parts), valid: await read("mq2007-agg/A4.txt.gz"), test: await read("mq2007-agg/A5.txt.gz") };
  },
  async "lightgbm-rank"() {
    const [train, valid] = split(await read("lightgbm-rank/rank.train.gz"), [0.75, 0.25], 1) as [Dataset, Dataset];
    return { train, valid, test: await read("lightgbm-rank/rank.test.gz") };
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

const learn = (train: Dataset, valid: Dataset): Model =>
  fit(train, { model: trees({ rounds: 200, learningRate: 0.1 }), objective: lambdaRank(), valid, metrics: [metric] }).model;

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

if (!existsSync(shared)) console.log(`skipped: the data are not at ${shared}; name their folder: npm run bench clicks -- FOLDER`);
else
  for (const [name, load] of Object.entries(sets)) {
    if (process.env.DATA && process.env.DATA !== name) continue;
    const all = await load();
    const shown = production(all);
    for (const [clicks, how] of Object.entries(clickModels)) {
      if (process.env.CLICKS && process.env.CLICKS !== clicks) continue;
      const simulated = simulateClicks(all.train, shown, { impressions: IMPRESSIONS, temperature: 0.5, seed: 1, ...how });
      const { log, examination } = simulated;
      console.log(`\n${name}, ${clicks} clicks, ${IMPRESSIONS} impressions`);
      const found: Partial<Record<BiasMethod, PositionBias>> = {};
      for (const method of biasMethods) {
        const bias = positionBias(log, { method, features: all.train });
        found[method] = bias;
        const errors = bias.propensities.map((p, k) => Math.abs((p * examination[0]!) / examination[k]! - 1));
        console.log(`bias curve, ${method.padEnd(9)} largest relative error ${Math.max(...errors).toFixed(3)}`);
      }
      const result = (train: Dataset) => evaluate(learn(train, all.valid), all.test, [metric]).metrics[metric.spec]!;
      const naive = result(clickData(log, all.train).data);
      const truth = result(all.train);
      const line = (what: string, value: number) =>
        console.log(
          `${what.padEnd(28)} ndcg@10 ${value.toFixed(4)}  gap closed ${(((value - naive) / (truth - naive)) * 100).toFixed(0)} %`,
        );
      line("clicks as they are", naive);
      for (const method of biasMethods)
        line(`debiased by ${method}`, result(clickData(log, all.train, { bias: found[method]! }).data));
      line("true labels", truth);
      for (const [what, value] of Object.entries(lightgbm(all, simulated) ?? {})) line(what, value);
    }
  }
