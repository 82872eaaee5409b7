/**
 * Coefficients V that predict embeddings from features: ½ ‖Z - X V‖² + μ ‖X V‖₁ + λ/2 ‖V‖². Without μ it is ridge regression, solved by conjugate
 * gradients; with it, the alternating direction method of multipliers with B = X V solves one for each step:
 *
 *   V ← argmin ρ/2 ‖B - U - X V‖² + λ/2 ‖V‖²,   B ← soft((Z + ρ (X V + U)) / (1 + ρ), μ / (1 + ρ)),   U ← U + X V - B,   with ρ = 1.
 */
import type { Team } from "../../types.ts";
import { conjugateGradients, type GradientScratch } from "../shared/conjugate-gradients.ts";
import { type Entries, transpose } from "../shared/sparse.ts";
import { forValues, multiplySparse, type TallMatrix } from "../shared/tall-matrix.ts";

/** Shared matrices: of the shape of V, and of that of Z. */
export interface RegressionScratch extends GradientScratch {
  readonly rightSide: TallMatrix;
  readonly product: TallMatrix;
  readonly target: TallMatrix;
  readonly dual: TallMatrix;
}

const GRADIENT_STEPS = 50;
const MULTIPLIER_STEPS = 20;

/** Writes V into `v`. */
export function regress(
  team: Team,
  x: Entries,
  z: TallMatrix,
  v: TallMatrix,
  { l2, l1 }: { readonly l2: number; readonly l1: number },
  scratch: RegressionScratch,
): void {
  const { rightSide, product, target, dual } = scratch;
  const byColumn = transpose(x, v.rows);
  const solve = (goal: TallMatrix) => {
    multiplySparse(team, byColumn, goal, rightSide);
    const apply = (from: TallMatrix, into: TallMatrix) => {
      multiplySparse(team, x, from, product);
      multiplySparse(team, byColumn, product, into);
      forValues(team, into, (i) => {
        into.values[i] = into.values[i]! + l2 * from.values[i]!;
      });
    };
    conjugateGradients(team, apply, v, rightSide, scratch, GRADIENT_STEPS);
  };
  forValues(team, v, (i) => void (v.values[i] = 0));
  if (l1 === 0) {
    solve(z);
    return;
  }
  forValues(team, z, (i) => {
    target.values[i] = z.values[i]!;
    dual.values[i] = 0;
  });
  for (let step = 0; step < MULTIPLIER_STEPS; step++) {
    solve(target);
    multiplySparse(team, x, v, product);
    forValues(team, z, (i) => {
      const predicted = product.values[i]!;
      const u = dual.values[i]!;
      const mean = (z.values[i]! + predicted + u) / 2;
      const b = Math.sign(mean) * Math.max(0, Math.abs(mean) - l1 / 2);
      dual.values[i] = u + predicted - b;
      target.values[i] = b - dual.values[i]!; // the goal of the next V
    });
  }
}
