/** Scores of trees inside a training: whoever of a team adds them, validation metrics are those of the finished model. */
import { describe, expect, it } from "vitest";
import { evaluate, fit, ndcg, objective, train, trees } from "../dist/src/index.js";
import { random } from "../src/numeric/random.ts";
import type { Dataset } from "../src/types.ts";

const COLUMNS = 12;

/** Lists whose labels follow numbers, missing values and categories. */
function lists(seed: number, count: number): Dataset {
  const draw = random(seed);
  const rows = 20 * count;
  const values = Float32Array.from({ length: rows * COLUMNS }, (_, i) =>
    i % COLUMNS < 3 ? Math.floor(40 * draw()) : draw() < 0.1 ? Number.NaN : draw(),
  );
  const relevance = (row: number) => (values[row * COLUMNS]! % 7 < 3 ? 1 : 0) + (values[row * COLUMNS + 4]! > 0.5 ? 1 : 0);
  return {
    starts: Uint32Array.from({ length: count + 1 }, (_, q) => 20 * q),
    labels: Float32Array.from({ length: rows }, (_, row) => relevance(row) + (draw() < 0.2 ? 1 : 0)),
    features: { kind: "dense", rows, columns: COLUMNS, values },
    ...{ base: 1, names: {} },
  };
}

describe("trees that score in threads", () => {
  const [data, valid] = [lists(1, 120), lists(2, 40)];
  const metric = ndcg({ k: 5 });
  const cost = objective("lambdarank");
  // Small trees to go on from, then trees so large that rows walk below their top.
  const init = fit(data, { model: trees({ rounds: 5, categorical: "(1,2,3)" }), objective: cost }).model;
  const learner = trees({ rounds: 6, leaves: 150, minItems: 3, categorical: "(1,2,3)" });

  it("give the same history and file with 1, 2 and 3, and each round's metric is that of its model", async () => {
    const results = [];
    for (const threads of [1, 2, 3]) {
      const { model, history } = await train(data, {
        ...{ model: learner, objective: cost, init, valid, metrics: [metric], patience: 0, threads, seed: 3 },
      });
      results.push({ history, text: JSON.stringify(model.save()) });
      const last = history.find(({ round }) => round === model.stages!.count - 5)!;
      expect(evaluate(model, valid, [metric]).metrics[metric.spec]).toBe(last.metrics[metric.spec]);
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });
});
