import { expect, it } from "vitest";
import { stageScratch, tierStage } from "./plain/tier-stage.ts";
import { DOUBLE } from "./tier-cost.ts";
import { FACTORS, factoredTierHessian, tierHessian, tierHessianScratch, tierHessianSize } from "./tier-hessian.ts";

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

it.each([
  ["close to the rest", (i: number) => Math.sin(i) * 2 - 1, 1e-12],
  ["far below it", (i: number) => -9 - (i % 7), 1e-12],
  ["far above it, with more nodes than factors", (i: number) => 8 + (i % 5), 1e-6],
])("a large tier %s in factors is its matrix", (_, margin, tolerance) => {
  const n = 90;
  const d = Float64Array.from({ length: n }, (_, i) => margin(i));
  const [matrix, sums] = [new Float64Array(n * n), new Float64Array(n)];
  const slope = tierHessian(tierHessianScratch(n), d, n, matrix, sums);
  const [factors, others] = [new Float64Array(tierHessianSize(n)), new Float64Array(n)];
  expect(Math.abs(factoredTierHessian(tierHessianScratch(n), d, n, factors, others) - slope)).toBeLessThan(
    tolerance * (1 + slope),
  );
  for (let i = 0; i < n; i++) {
    expect(Math.abs(others[i]! - sums[i]!)).toBeLessThan(tolerance);
    for (let j = 0; j < n; j++) {
      let value = i === j ? factors[i]! : 0;
      for (let column = 1; column <= FACTORS; column++) value += factors[column * n + i]! * factors[column * n + j]!;
      expect(Math.abs(value - matrix[i * n + j]!)).toBeLessThan(tolerance);
    }
  }
});
