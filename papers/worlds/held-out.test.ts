/** Held-out likelihoods are compared list by list, weighted, within a kind. */
import { expect, it } from "vitest";
import { below, bestOf } from "./held-out.ts";

const outcome = { weights: [1, 3], logs: { a: [-1, -2], b: [-2, -1], c: [-1, -4] } };

it("the best likelihood of a kind has the highest weighted sum", () => {
  const kind = ["a", "b", "c"].map((fitted) => ({ fitted }));
  expect(bestOf(outcome, kind)).toBe("b"); // -2 - 3, against -1 - 6 and -1 - 12
  expect(bestOf(outcome, kind.slice(2))).toBe("c");
});

it("a loss is the weighted mean of differences, with the standard error of as many lists as weights say", () => {
  // b minus a: -1 once and 1 three times; mean 1/2, squares 9/4 + 3/4 over 4 - 1, over 4 lists.
  expect(below(outcome, "a", "b")).toEqual({ loss: 0.5, error: Math.sqrt((9 / 4 + 3 / 4) / 3 / 4) });
  expect(below(outcome, "b", "b")).toEqual({ loss: 0, error: 0 });
});
