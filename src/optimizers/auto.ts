/** The optimizer that fits what the objective can give: L-BFGS for an exact gradient, Adam for a sampled or heuristic one. */
import { part } from "../part.ts";
import type { Optimizer } from "../types.ts";
import { adam } from "./adam.ts";
import { lbfgs } from "./lbfgs.ts";

export const auto = part("auto", "lbfgs where the gradient is exact, adam otherwise", {}, (_, text): Optimizer => {
  const [batch, stream] = [lbfgs(), adam()];
  return {
    id: "auto",
    text,
    rounds: Math.max(batch.rounds ?? 0, stream.rounds ?? 0),
    minimise: (problem, ...rest) => (problem.gradient === "exact" ? batch : stream).minimise(problem, ...rest),
  };
});
