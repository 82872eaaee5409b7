import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { fit, ndcg, objective, readData, trees } from "../src/index.ts";

const file = (name: string) => fileURLToPath(new URL(`../examples/search/${name}`, import.meta.url));

// The bounds are those that LightGBM's own test asks of itself on these data, with this schedule of the learning rate.
it.each([
  ["lambdarank", 1, 0.5674],
  ["lambdarank", 3, 0.578],
  ["xendcg", 1, 0.6211],
  ["xendcg", 3, 0.6253],
])("%s ndcg@%i on the search example is above %d within 50 trees", async (cost, k, bound) => {
  const [{ data }, { data: valid }] = await Promise.all([readData([file("train.txt.gz")]), readData([file("test.txt.gz")])]);
  const { best } = fit(data, {
    ...{ model: trees({ rounds: 50, learningRateDecay: 0.01, minLearningRate: 0.01 }), objective: objective(cost), valid },
    ...{ metrics: [ndcg({ k, ties: "order", empty: "1" })], patience: 50, seed: 1 },
  });
  expect(Object.values(best.metrics)[0]).toBeGreaterThan(bound);
});
