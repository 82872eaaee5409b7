/** Hessian-vector products from central differences of the gradient, two gradients per product. */
import { check, someFloats } from "../../arguments.ts";
import type { Hessian, Problem } from "../../types.ts";

const STEP = 1e-4; // errors of the second order, near 1e-8, against rounding near 1e-12

/** Products with the second derivatives of a problem at these numbers. */
export function finiteDifferenceHessian(problem: Problem, params: Float64Array): Hessian {
  check("finiteDifferenceHessian, params", params, { ...someFloats, wanted: "a Float64Array" });
  check("finiteDifferenceHessian", problem, {
    wanted: "a problem with a function evaluate",
    fits: (value) => typeof (value as Partial<Problem> | null | undefined)?.evaluate === "function",
  });
  const n = params.length;
  const place = new Float64Array(n);
  const [ahead, behind] = [new Float64Array(n), new Float64Array(n)];
  return {
    diagonal: new Float64Array(n).fill(1),
    times(x, into) {
      const step = STEP / Math.max(maxAbs(x), 1e-300);
      for (let i = 0; i < n; i++) place[i] = params[i]! + step * x[i]!;
      problem.evaluate(place, ahead, 0);
      for (let i = 0; i < n; i++) place[i] = params[i]! - step * x[i]!;
      problem.evaluate(place, behind, 0);
      for (let i = 0; i < n; i++) into[i] = (ahead[i]! - behind[i]!) / (2 * step);
    },
  };
}

/** The largest absolute value. */
export function maxAbs(values: Float64Array): number {
  let top = 0;
  for (const value of values) top = Math.max(top, Math.abs(value));
  return top;
}
