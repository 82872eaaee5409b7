import { describe, expect, it } from "vitest";
import { build } from "../../data/build.ts";
import { fit } from "../../fit.ts";
import { average, metric, ndcg } from "../../metrics/index.ts";
import { random } from "../../numeric/random.ts";
import { objective } from "../../objectives/index.ts";
import { runSolo } from "../../teams/solo.ts";
import type { Dataset, Model, SavedModel } from "../../types.ts";
import { learner, revive } from "../index.ts";
import { ascendOnce, equalWeights, orderOfPass } from "./ascend.ts";
import { metricTracker } from "./metric-tracker.ts";

/** Lists of different lengths with few grades; some tell nothing. */
function made(seed: number, lists: number, longest: number): Dataset {
  const r = random(seed);
  const rows = Array.from({ length: lists }, (_, list) =>
    Array.from({ length: 1 + Math.floor(r() * longest) }, () => {
      const x = [r(), r(), Math.round(4 * r()) / 4];
      return { label: list % 7 === 0 ? 1 : Math.floor(1.5 * x[0]! + 1.5 * x[1]! + 0.6 * r()), list, features: x };
    }),
  ).flat();
  return build(rows);
}

describe("the metric while scores move", () => {
  it.each(["ndcg@10", "ndcg@3;ties=worst", "err", "map", "precision@5", "kendall"])("is the mean %s at every moment", (text) => {
    const data = made(3, 40, 30);
    const one = metric(text);
    // Lists with equal labels throughout tell nothing about the order, whatever a metric makes of them.
    const telling = (q: number) => new Set(data.labels.subarray(data.starts[q]!, data.starts[q + 1]!)).size > 1;
    const r = random(4);
    const see = metricTracker(data, one);
    const scores = new Float64Array(data.labels.length);
    for (let move = 0; move < 60; move++) {
      // Small moves, coarse ones that tie, and jumps to another order.
      for (let i = 0; i < scores.length; i++)
        scores[i] = move % 9 === 0 ? r() : move % 4 === 0 ? Math.round(10 * scores[i]!) / 10 : scores[i]! + 0.02 * (r() - 0.5);
      const values = average(one, scores, data).values.filter((value, q) => telling(q) && !Number.isNaN(value));
      expect(see.all(scores)).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 12);
    }
  });

  it("and of lists that are longer than what is mended", () => {
    const data = made(5, 3, 900);
    const r = random(6);
    const see = metricTracker(data, ndcg({ k: 5 }));
    for (let move = 0; move < 5; move++) {
      const scores = Float64Array.from(data.labels, () => r());
      const values = average(ndcg({ k: 5 }), scores, data).values.slice(1); // the first has equal labels
      expect(see.all(scores)).toBeCloseTo((values[0]! + values[1]!) / 2, 12);
    }
  });
});

it("a climb turns a weight round: the second feature is the label backwards, the first says nothing", () => {
  const labels = [2, 1, 0, 0, 1, 2, 1, 2, 0];
  const data = build(labels.map((label, i) => ({ label, list: Math.floor(i / 3), features: [1, 5 - label] })));
  const columns = [new Float32Array(9).fill(1), Float32Array.from(labels, (label) => 5 - label)];
  const weights = equalWeights(2);
  const pass = (number: number) =>
    ascendOnce(
      columns,
      metricTracker(data, ndcg()),
      { iterations: 25, tolerance: 0.001 },
      orderOfPass(2, number, random(1)),
      weights,
    );
  expect(pass(0)).toEqual({ value: 1, last: false });
  expect(pass(1)).toEqual({ value: 1, last: true });
  expect(weights[1]).toBeLessThan(0);
  expect(Math.abs(weights[0]!) + Math.abs(weights[1]!)).toBeCloseTo(1, 12);
});

it("moving one feature gives what all scores give, also where it does not vary in some lists", () => {
  const data = made(9, 20, 15);
  const r = random(10);
  const column = Float32Array.from(data.labels, (_, row) => (row < data.labels.length / 2 ? 0.5 : r()));
  const scores = Float64Array.from(data.labels, () => r());
  const [moving, fresh] = [metricTracker(data, ndcg({ k: 4 })), metricTracker(data, ndcg({ k: 4 }))];
  moving.all(scores);
  const along = moving.along(column, scores);
  for (const change of [0.1, -0.2, 5, -1000, 0])
    expect(along(change)).toBeCloseTo(fresh.all(scores.map((score, row) => score + change * column[row]!)), 12);
});

describe("the learner", () => {
  const data = made(7, 30, 12);
  const learn = (text: string, extra = {}): Model =>
    runSolo((team) => learner(text).learn(data, objective("softmax"), { seed: 2, team, afterRound: () => "improved", ...extra }));
  const scoresOf = (model: Model) => {
    const scores = new Float64Array(data.labels.length);
    model.score(data, scores);
    return scores;
  };

  it("reaches a higher metric than equal weights", () => {
    const model = learn("coordinate-ascent:metric=ndcg@3,restarts=2");
    const equal = Float64Array.from({ length: data.labels.length }, (_, row) =>
      [0, 1, 2].reduce((sum, c) => sum + (data.features.kind === "dense" ? data.features.values[3 * row + c]! : 0), 0),
    );
    expect(average(ndcg({ k: 3 }), scoresOf(model), data).mean).toBeGreaterThan(average(ndcg({ k: 3 }), equal, data).mean + 0.02);
  });

  it("is a linear model in the file, the same after write and read, and repeats itself", () => {
    const model = learn("coordinate-ascent:restarts=2");
    const saved = JSON.parse(JSON.stringify(model.save())) as SavedModel;
    expect(scoresOf(revive(saved, model.columns))).toEqual(scoresOf(model));
    expect(learn("coordinate-ascent:restarts=2").save()).toEqual(model.save());
  });

  it("without validation the restart with the best training metric counts", () => {
    const costs: number[] = [];
    const afterRound = (_: number, { cost }: { cost: number }) => {
      costs.push(cost);
      return "improved" as const;
    };
    const model = learn("coordinate-ascent:restarts=4,metric=ndcg@2", { afterRound });
    const telling = average(ndcg({ k: 2 }), scoresOf(model), data).values.filter(
      (value, q) =>
        q % 7 !== 0 && !Number.isNaN(value) && new Set(data.labels.subarray(data.starts[q]!, data.starts[q + 1]!)).size > 1,
    );
    const reached = telling.reduce((sum, value) => sum + value, 0) / telling.length;
    expect(reached).toBeCloseTo(-Math.min(...costs), 10);
  });
});

describe("what teaches nothing", () => {
  it("no list with different labels: refused in one line, where the climb once had no end", () => {
    const flat = build([0, 1, 2].map((list) => ({ label: list, list, features: [list, 1] })));
    expect(() => fit(flat, { model: learner("coordinate-ascent") })).toThrow(
      "no order can be learned: each of the 3 lists has one item",
    );
  });

  it("missing values count as 0 without scaling too", () => {
    const rows = [0, 1, 2, 3].flatMap((list) => [0, 1, 2].map((label) => ({ label, list, features: [label + 1, label - 1] })));
    const [full, gaps] = [
      build(rows),
      build(rows.map((row) => ({ ...row, features: row.features.map((x) => x || Number.NaN) }))),
    ];
    const saved = (data: Dataset) =>
      JSON.stringify(fit(data, { model: learner("coordinate-ascent:scale=none,restarts=1") }).model.save());
    expect(saved(gaps)).toBe(saved(full));
  });
});

it("a metric of the scores themselves is measured anew, whatever was measured before", () => {
  const lists = build([2, 1, 0].map((label) => ({ label, list: 0, features: [label] })));
  const [small, large] = [Float64Array.of(2, 1, 0), Float64Array.of(20, 10, 0)];
  const seen = metricTracker(lists, metric("tier-boundaries"));
  seen.all(small);
  expect(seen.all(large)).toBe(metricTracker(lists, metric("tier-boundaries")).all(large));
  expect(seen.all(large)).toBeGreaterThan(seen.all(small));
});
