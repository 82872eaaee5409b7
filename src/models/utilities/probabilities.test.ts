import { expect, it } from "vitest";
import { ballots } from "../../data/ballots.ts";
import { fit } from "../../fit.ts";
import { normalBelow } from "../../numeric/normal.ts";
import { objective } from "../../objectives/index.ts";
import { isUtilities, learner, utilityProbabilities } from "../index.ts";

function learned(model: string) {
  const data = ballots(
    [
      ["a", "b"],
      ["b", "a"],
    ],
    { weights: [6, 3] },
  );
  const { model: found } = fit(data, { model: learner(model), objective: objective("pl-partition") });
  if (!isUtilities(found)) throw new Error("expected utilities");
  return utilityProbabilities(found);
}

it("six wins and three losses: what comes next, and what is true", () => {
  const { outcome, truth } = learned("utilities");
  expect(outcome.above("a", "b")).toBeCloseTo(2 / 3, 12);
  expect(outcome.first("b")).toBeCloseTo(1 / 3, 12);
  expect(outcome.expectedRank("a")).toBeCloseTo(1 + 1 / 3, 12);
  // The log of the odds, log 2, has variance 1/6 + 1/3 = 1/2.
  const sure = normalBelow(Math.LN2 / Math.sqrt(1 / 2));
  expect(truth.above("a", "b")).toBeCloseTo(sure, 9);
  expect(Math.abs(truth.first("a") - sure)).toBeLessThan(0.03);
  expect(Math.abs(truth.expectedRank("a") - (2 - sure))).toBeLessThan(0.03);
  expect(truth.top(2).get("b")).toBeCloseTo(1, 12);
  // The worth of a has the log-odds log 2 with the same variance.
  const odds = (z: number) => 2 * Math.exp(z * 1.959964 * Math.sqrt(1 / 2));
  const { low, high } = outcome.firstInterval("a");
  expect(low).toBeCloseTo(odds(-1) / (1 + odds(-1)), 6);
  expect(high).toBeCloseTo(odds(1) / (1 + odds(1)), 6);
  expect(() => outcome.first("c")).toThrow('no item is called "c"');
});

it("without standard errors only outcomes have probabilities", () => {
  const { outcome, truth } = learned("utilities:errors=no");
  expect(outcome.above("b", "a")).toBeCloseTo(1 / 3, 12);
  expect(() => truth.above("a", "b")).toThrow("errors=yes");
  expect(() => outcome.firstInterval("a")).toThrow("errors=yes");
});
