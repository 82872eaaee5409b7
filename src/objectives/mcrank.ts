/**
 * Ranking as classification: each item has one output per grade, and cost = -Σ_i log softmax(outputs of i) at its grade. To rank, the
 * outputs are folded into the expected grade Σ_g g p_g. Li, Burges, Wu 2007, McRank. Labels must be whole grades from 0 to grades - 1. Lists
 * whose labels are all equal are left out, as everywhere here.
 */
import { InputError } from "../input-error.ts";
import { exp, log } from "../numeric/functions.ts";
import { type Fields, integer, part } from "../part.ts";
import type { OutputReduction } from "../types.ts";
import { declare } from "./shared/declare.ts";

/** Options of `mcRank`. */
export interface McRankOptions {
  /** Number of grades, from 0 on. A whole number of at least 2. Default: 5. */
  readonly grades: number;
}

const fields: Fields<McRankOptions> = { grades: integer(5, "number of grades, from 0 on", { min: 2, aliases: ["num_class"] }) };

/** Classification over grades, ranked by the expected grade; `mcrank` on the command line. */
export const mcRank = part("mcrank", "classification over grades, ranked by the expected grade", fields, ({ grades }, spec) => {
  const reduction: OutputReduction = { kind: "expected", values: Array.from({ length: grades }, (_, grade) => grade) };
  return declare(
    spec,
    { outputs: grades, reduction, gradient: "exact", hessian: "exact", ties: "value" },
    (scores, labels, { gradient, hessian }, _, weights) => {
      let cost = 0;
      for (let i = 0; i < labels.length; i++) {
        const label = labels[i]!;
        if (!(label >= 0 && label < grades && Number.isInteger(label)))
          throw new InputError(
            `mcrank: expected whole labels from 0 to ${grades - 1}, got ${label}; set grades to one more than the highest`,
          );
        const weight = weights ? weights[i]! : 1;
        const from = i * grades;
        let top = -Infinity;
        for (let g = 0; g < grades; g++) top = Math.max(top, scores[from + g]!);
        let mass = 0;
        for (let g = 0; g < grades; g++) mass += gradient[from + g] = exp(scores[from + g]! - top);
        for (let g = 0; g < grades; g++) {
          const chance = gradient[from + g]! / mass;
          gradient[from + g] = weight * (chance - (g === label ? 1 : 0));
          if (hessian) hessian[from + g] = weight * chance * (1 - chance);
        }
        cost += weight * (top + log(mass) - scores[from + label]!);
      }
      return cost;
    },
  );
});
