import { expect, it } from "vitest";
import { ndcg } from "../metrics/index.ts";
import { doneOf, textOf } from "./auto.ts";

it("the table of trials has the weight of a trial, or why it failed", () => {
  const trial = { model: "linear", objective: "pl-partition", seconds: 1 };
  const found = {
    ...{ metrics: { ndcg: 0.5 }, errors: { ndcg: 0.125 }, folds: 2, training: { data: { lists: 8 } } },
    trials: [
      { ...trial, metrics: { ndcg: 0.5 }, errors: { ndcg: 0.125 }, weight: 0.75 },
      { ...trial, metrics: {}, errors: {}, weight: 0, failed: "no gradient" },
    ],
  };
  const lines = textOf(found as never, [ndcg()], { load: 0, train: 2 }, undefined).split("\n");
  expect(lines[2]).toMatch(/^1 +linear +pl-partition +0\.5000 ± 0\.1250 +1\.0 +0\.7500$/);
  expect(lines[3]).toMatch(/^2 +linear +pl-partition +- +1\.0 +failed: no gradient$/);
});

it("a search is as far as its trials or its time, whichever is nearer to the end", () => {
  expect(doneOf({ trials: 8 }, 2.5, 1000)).toBe(2.5 / 8);
  expect(doneOf({ budget: 200 }, 2.5, 50)).toBe(1 / 4);
  expect(doneOf({ trials: 8, budget: 200 }, 4, 50)).toBe(1 / 2);
  expect(doneOf({ trials: 8, budget: 200 }, 1, 150)).toBe(3 / 4);
});
