/** Greedy selection against a slow one that copies out lists, sums scores again at every step, and measures by `evaluateScores`. */
import { describe, expect, it } from "vitest";
import { listValues, meanOf, selection, weightedSum } from "./auto-selection.ts";
import { build } from "./data/build.ts";
import { subset } from "./data/subset.ts";
import { evaluateScores } from "./evaluate.ts";
import { metric as metricNamed, ndcg } from "./metrics/index.ts";
import { below, random } from "./numeric/random.ts";
import type { Dataset, Metric } from "./types.ts";

function drawn(seed: number, models: number, weighted: boolean) {
  const draw = random(seed);
  const rows = Array.from({ length: 12 }, (_, q) =>
    Array.from({ length: 1 + below(draw, 6) }, () => ({ list: q, label: below(draw, 3), features: [draw()] })),
  ).flat();
  const plain = build(rows);
  const listWeights = Float32Array.from({ length: 12 }, () => below(draw, 4) / 2);
  const data: Dataset = weighted ? { ...plain, listWeights } : plain;
  // Few different values, so that sums tie.
  const scores = Array.from({ length: models }, () => Float32Array.from(rows, ({ label }) => below(draw, 5) / 4 + 0.3 * label));
  return { data, scores, draw };
}

/** The mean of a multiset of models over some lists, higher being better. */
function slowWorth(data: Dataset, scores: readonly Float32Array[], metric: Metric, lists: Uint32Array, drawn: readonly number[]) {
  const part = subset(data, lists);
  const entries = [...lists].flatMap((q) =>
    Array.from({ length: data.starts[q + 1]! - data.starts[q]! }, (_, i) => data.starts[q]! + i),
  );
  const counts = scores.map((_, m) => drawn.filter((one) => one === m).length);
  const sum = Float64Array.from(entries, (i) => scores.reduce((total, own, m) => total + counts[m]! * own[i]!, 0));
  const { mean } = evaluateScores(sum, part, [metric]).details[metric.spec]!;
  return Number.isNaN(mean) ? -Infinity : metric.better === "higher" ? mean : -mean;
}

function slowGreedy(worthOf: (drawn: readonly number[]) => number, models: number, start: number, steps: number, most: number) {
  const all = Array.from({ length: models }, (_, m) => m);
  const able = [...all].sort((a, b) => worthOf([b]) - worthOf([a]) || a - b).slice(0, most);
  let now = able.slice(0, start);
  let best = now;
  for (let step = 0; step < steps; step++) {
    let next: number[] | undefined;
    for (const m of able) if (!next || worthOf([...now, m]) > worthOf(next)) next = [...now, m];
    now = next!;
    if (worthOf(now) > worthOf(best)) best = now;
  }
  return all.map((m) => best.filter((one) => one === m).length);
}

describe("greedy selection", () => {
  it.each(["ndcg@3", "map", "err", "tier-accuracy"])("by %s chooses what trying every addition chooses", (name) => {
    for (let seed = 1; seed <= 25; seed++) {
      const models = 1 + (seed % 5);
      const { data, scores, draw } = drawn(seed, models, seed % 3 === 0);
      const metric = metricNamed(name);
      const [start, steps, most] = [1 + below(draw, 3), below(draw, 6), 1 + below(draw, 5)];
      const select = selection(scores, data, metric, { start, steps, most });
      for (const share of [1, 0.5, 0.8]) {
        const lists = Uint32Array.from({ length: 12 }, (_, q) => q).filter(() => share === 1 || draw() < share);
        const worthOf = (picked: readonly number[]) => slowWorth(data, scores, metric, lists, picked);
        expect([...select(lists).counts], `seed ${seed}`).toEqual(slowGreedy(worthOf, models, start, steps, most));
      }
    }
  });

  it("is never worse than the best model, and with one addition the best of all pairs with it", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { data, scores } = drawn(seed, 4, false);
      const lists = Uint32Array.from({ length: 12 }, (_, q) => q);
      const worthOf = (picked: readonly number[]) => slowWorth(data, scores, ndcg({ k: 3 }), lists, picked);
      const counts = selection(scores, data, ndcg({ k: 3 }), { start: 1, steps: 1, most: 4 })(lists).counts;
      const picked = [...counts].flatMap((count, m) => new Array<number>(count).fill(m));
      const single = Math.max(...scores.map((_, m) => worthOf([m])));
      const leader = scores.findIndex((_, m) => worthOf([m]) === single);
      expect(worthOf(picked)).toBe(Math.max(single, ...scores.map((_, m) => worthOf([leader, m]))));
    }
  });

  it("without a list that counts chooses the first models", () => {
    const { data, scores } = drawn(1, 3, false);
    expect([...selection(scores, data, ndcg(), { start: 2, steps: 3, most: 3 })(Uint32Array.of()).counts]).toEqual([1, 1, 0]);
  });
});

it("a mean and its standard error are those of lists drawn at random", () => {
  const { data, scores } = drawn(5, 1, false);
  const found = listValues(ndcg({ k: 3 }), weightedSum(scores, [1]), data);
  const values = [...found.values].filter((value) => !Number.isNaN(value));
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const variance = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1);
  const got = meanOf(found, data, found.values.keys());
  expect(got.mean).toBeCloseTo(mean, 14);
  expect(got.error).toBeCloseTo(Math.sqrt(variance / values.length), 14);
});

it("a list of weight 2 counts in the mean like two", () => {
  const { data, scores } = drawn(6, 1, true);
  const found = listValues(ndcg({ k: 3 }), weightedSum(scores, [2]), data);
  const wanted = evaluateScores(weightedSum(scores, [2]), data, [ndcg({ k: 3 })]).metrics["ndcg@3"]!;
  expect(meanOf(found, data, found.values.keys()).mean).toBeCloseTo(wanted, 14);
});
