import { expect, it } from "vitest";
import { stageScratch, tierStage } from "./plain/tier-stage.ts";
import { DOUBLE } from "./tier-cost.ts";
import { tierHessian, tierHessianScratch } from "./tier-hessian.ts";

const sets = [
  [0.3],
  [0, 0],
  [1.5, -2, 0.4],
  [-30, 3, 12],
  [-8, -8.5, -7, -9, -8.2],
  Array.from({ length: 40 }, (_, i) => Math.sin(i) * 3 - 2),
];

it.each(sets.map((d) => [d.length, d] as const))("%i items: the slopes of the first derivatives", (n, d) => {
  const matrix = new Float64Array(n * n);
  const sums = new Float64Array(n);
  const first = new Float64Array(n);
  const slope = tierHessian(tierHessianScratch(n), Float64Array.from(d), n, matrix, sums);
  expect(slope).toBeCloseTo(tierStage(stageScratch(), Float64Array.from(d), 0, n, DOUBLE, first, undefined).slope, 6);
  for (let j = 0; j < n; j++) {
    const [ahead, behind] = [1e-4, -1e-4].map((by) => {
      const at = Float64Array.from(d);
      at[j] = at[j]! + by;
      const into = new Float64Array(n);
      tierStage(stageScratch(), at, 0, n, DOUBLE, into, undefined);
      return into;
    }) as [Float64Array, Float64Array];
    for (let i = 0; i < n; i++) expect(matrix[i * n + j], `${i}, ${j}`).toBeCloseTo((ahead[i]! - behind[i]!) / 2e-4, 6);
    expect(sums[j]).toBeCloseTo(
      matrix.subarray(j * n, (j + 1) * n).reduce((all, one) => all + one, 0),
      10,
    );
  }
});
