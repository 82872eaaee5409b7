/**
 * Selects an optimizer for the problem: Newton's method if it provides a Hessian, L-BFGS for an exact gradient, Adam for a sampled or
 * heuristic one.
 */
import { part } from "../part.ts";
import type { Optimizer } from "../types.ts";
import { adam } from "./adam.ts";
import { lbfgs } from "./lbfgs.ts";
import { newton } from "./newton.ts";

/** Newton or lbfgs where the gradient is exact, adam otherwise; `auto` on the command line. */
export const autoOptimizer = part(
  "auto",
  "newton or lbfgs where the gradient is exact, adam otherwise",
  {},
  (_, spec): Optimizer => {
    const [second, first, stochastic] = [newton(), lbfgs(), adam()];
    return {
      id: "auto",
      spec,
      rounds: Math.max(first.rounds ?? 0, stochastic.rounds ?? 0),
      minimize(problem, ...rest) {
        const chosen = problem.gradient !== "exact" ? stochastic : problem.hessian ? second : first;
        chosen.minimize(problem, ...rest);
      },
    };
  },
);
