import { describe, expect, it } from "vitest";
import { build } from "../data/build.ts";
import { average, ndcg } from "../metrics/index.ts";
import { random } from "../numeric/random.ts";
import { objective } from "../objectives/index.ts";
import { lbfgs } from "../optimizers/index.ts";
import { runSolo } from "../teams/solo.ts";
import type { Dataset, Model, SavedModel } from "../types.ts";
import { learner, revive } from "./index.ts";
import { choosePairs, correlations, interactions } from "./interactions.ts";
import { linearOverInteractions } from "./linear/index.ts";

/** The label follows the product of the first two features, which say nothing alone. */
function made(rows: number, storage: "dense" | "sparse" = "dense"): Dataset {
  const r = random(5);
  return build(
    Array.from({ length: rows }, (_, i) => {
      const x = Array.from({ length: 5 }, () => (r() < 0.2 ? 0 : 2 * r() - 1));
      return { label: x[0]! * x[1]! > 0.1 ? 2 : x[0]! * x[1]! > -0.05 ? 1 : 0, list: Math.floor(i / 10), features: x };
    }),
    { storage },
  );
}

const valueAt = ({ features }: Dataset, row: number, c: number) => {
  if (features.kind === "dense") return features.values[row * features.columns + c]!;
  for (let at = features.starts[row]!; at < features.starts[row + 1]!; at++)
    if (features.indices[at] === c) return features.values[at]!;
  return 0;
};

/** Pearson's correlation of two columns, by its definition. */
function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const cov = mean(a.map((value, i) => (value - ma) * (b[i]! - mb)));
  return cov / Math.sqrt(mean(a.map((value) => (value - ma) ** 2)) * mean(b.map((value) => (value - mb) ** 2)));
}

describe.each(["dense", "sparse"] as const)("correlations of products with the label, %s", (storage) => {
  it("are those of the products written out", () => {
    const data = made(1300, storage);
    const { correlation, mean, deviation } = runSolo((team) => correlations(data, team));
    for (let a = 0; a < 5; a++)
      for (let b = a; b < 5; b++) {
        const column = Array.from({ length: 1300 }, (_, row) => valueAt(data, row, a) * valueAt(data, row, b));
        const m = column.reduce((sum, value) => sum + value, 0) / 1300;
        expect(mean[5 * a + b]).toBeCloseTo(m, 6);
        expect(deviation[5 * a + b]).toBeCloseTo(Math.sqrt(column.reduce((sum, p) => sum + (p - m) ** 2, 0) / 1300), 6);
        expect(correlation[5 * a + b]).toBeCloseTo(pearson(column, [...data.labels]), 5);
      }
  });
});

it("keeps the products above the threshold, and a feature that never varies correlates with nothing", () => {
  const data = made(600);
  const { first, second } = runSolo((team) => choosePairs(data, 0.3, team));
  expect([[...first], [...second]]).toEqual([[0], [1]]);
  const flat = build([0, 1, 2, 1].map((label, i) => ({ label, list: Math.floor(i / 2), features: [3] })));
  expect(runSolo((team) => choosePairs(flat, 1e-6, team)).first).toHaveLength(0);
});

describe("a linear model with products", () => {
  const data = made(600);
  const learn = (text: string): Model =>
    runSolo((team) => learner(text).learn(data, objective("pl-partition"), { seed: 1, team, afterRound: () => "improved" }));
  const scoresOf = (model: Model, of = data) => {
    const scores = new Float64Array(of.labels.length);
    model.score(of, scores);
    return scores;
  };
  const quality = (model: Model) => average(ndcg(), scoresOf(model), data).mean;

  it.each(["linear", "coordinate-ascent"])("of kind %s learns what no weighted sum of features can", (kind) => {
    const more = kind === "linear" ? "" : ",restarts=1";
    expect(quality(learn(`${kind}:products=0.3${more}`))).toBeGreaterThan(quality(learn(kind)) + 0.15);
  });

  it("whose products are written out list by list learns what one with stored products learns", () => {
    const stored = interactions(learner("linear:scale=none"), 0.1);
    const wide = interactions(learner("linear:scale=none"), 0.1, linearOverInteractions(lbfgs(), 0), 0);
    const [one, other] = [stored, wide].map((how) =>
      runSolo((team) =>
        how.learn(data, objective("pl-partition"), { seed: 1, team, validation: data, afterRound: () => "improved" }),
      ),
    );
    expect(scoresOf(other!)).toEqual(scoresOf(one!));
  });

  it("gives the same scores after write and read, and explains every score by the features it has", () => {
    const model = learn("linear:products=0.1");
    const saved = JSON.parse(JSON.stringify(model.save())) as SavedModel;
    expect(scoresOf(revive(saved, model.columns))).toEqual(scoresOf(model));
    expect(model.columns.count).toBe(5);
    const { expected, scores, contributions } = model.explain!(data, 3);
    contributions.forEach((part, i) => {
      expect(part).toHaveLength(5);
      expect(part.reduce((sum, value) => sum + value, expected)).toBeCloseTo(scores[i]!, 9);
      expect(scores[i]).toBeCloseTo(scoresOf(model)[30 + i]!, 6);
    });
    expect(model.describe().tables[0]!.rows.map(([name]) => name)).toContain("1*2");
  });
});
