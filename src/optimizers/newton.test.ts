import { expect, it } from "vitest";
import { random } from "../numeric/random.ts";
import type { Problem } from "../types.ts";
import { newton } from "./newton.ts";

it("ends where neither cost nor gradient becomes smaller, however small the tolerance", () => {
  // (x - 1)² / 2, with an error of 1e-9 in its slope: the step from 1 + 1e-9 leads to 1 - 1e-9, which is no better.
  const problem: Problem = {
    ...{ size: 1, gradient: "exact", lists: 1 },
    evaluate([x], into) {
      into[0] = x! - 1 + (x! < 1 ? -1e-9 : 1e-9);
      return (x! - 1) ** 2 / 2;
    },
    hessian: () => ({ diagonal: Float64Array.of(1), times: (x, into) => into.set(x) }),
  };
  const params = Float64Array.of(0);
  let rounds = 0;
  newton({ tolerance: 1e-12, iterations: 50 }).minimize(problem, params, random(1), () => {
    rounds++;
    return "continue";
  });
  expect([rounds, params[0]]).toEqual([1, 1 + 1e-9]);
});
