/** Conjugate gradients for a symmetric positive definite operator on tall matrices. */
import type { Team } from "../../types.ts";
import { forValues, innerProduct, type TallMatrix } from "./tall-matrix.ts";

/** Matrices of the shape of the unknown. */
export interface GradientScratch {
  readonly residual: TallMatrix;
  readonly direction: TallMatrix;
  readonly image: TallMatrix;
}

/** Improves x toward the solution of apply(x) = rightSide by at most so many steps. */
export function conjugateGradients(
  team: Team,
  apply: (from: TallMatrix, into: TallMatrix) => void,
  x: TallMatrix,
  rightSide: TallMatrix,
  { residual, direction, image }: GradientScratch,
  steps: number,
): void {
  apply(x, image);
  const [r, d, q] = [residual.values, direction.values, image.values];
  forValues(team, x, (i) => {
    r[i] = rightSide.values[i]! - q[i]!;
    d[i] = r[i]!;
  });
  let size = innerProduct(team, residual, residual);
  const enough = 1e-10 * innerProduct(team, rightSide, rightSide);
  for (let step = 0; step < steps && size > enough; step++) {
    apply(direction, image);
    const length = size / innerProduct(team, direction, image);
    if (!Number.isFinite(length)) break; // the squares of a residual near 0 underflow
    forValues(team, x, (i) => {
      x.values[i] = x.values[i]! + length * d[i]!;
      r[i] = r[i]! - length * q[i]!;
    });
    const next = innerProduct(team, residual, residual);
    const beta = next / size;
    size = next;
    forValues(team, x, (i) => {
      d[i] = r[i]! + beta * d[i]!;
    });
  }
}
