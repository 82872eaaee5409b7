/**
 * The relevance of documents by their features: a logistic regression of clicks on expected examinations, r(x) = 1 / (1 + exp(-w x - b)), which maximizes
 *
 *   Σ C log r + (E - C) log(1 - r) - ridge/2 |w|²
 *
 * over documents that were clicked C times and examined E times in expectation; where C is above E, which chance and estimated propensities allow, E = C. It is
 * what is known of a document before its own clicks count. Newton's method; of many documents, an evenly spaced part is used.
 */
import { cholesky, solve } from "../numeric/cholesky.ts";
import { log, logistic } from "../numeric/functions.ts";
import type { Design } from "./regression-em.ts";

const RIDGE = 10;
const ROUNDS = 25;
const TOLERANCE = 1e-8;
const MOST_DOCUMENTS = 50_000;
const LONGEST_STEP = 3;

/** By row of the design: the relevance. */
export function relevanceRegression({ columns, values }: Design, clicks: Float64Array, examined: Float64Array): Float64Array {
  const n = columns + 1; // the intercept comes last
  const sum = (all: Float64Array) => all.reduce((total, one) => total + one, 0);
  const mean = Math.min(Math.max(sum(clicks) / sum(examined), 1e-6), 1 - 1e-6);
  const weights = new Float64Array(n);
  weights[columns] = log(mean / (1 - mean));
  const scoreOf = (d: number) => {
    let score = weights[columns]!;
    for (let j = 0; j < columns; j++) score += weights[j]! * values[d * columns + j]!;
    return score;
  };
  const used = Array.from(examined.keys()).filter((d) => examined[d]! > 0);
  const every = Math.ceil(used.length / MOST_DOCUMENTS);
  const sample = used.filter((_, i) => i % every === 0);
  const row = new Float64Array(n).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    const [gradient, hessian] = [new Float64Array(n), new Float64Array(n * n)];
    for (const d of sample) {
      const looks = Math.max(examined[d]!, clicks[d]!);
      const r = logistic(scoreOf(d));
      row.set(values.subarray(d * columns, (d + 1) * columns));
      for (let i = 0; i < n; i++) {
        gradient[i]! += (clicks[d]! - looks * r) * row[i]!;
        const left = looks * r * (1 - r) * row[i]!;
        if (left !== 0) for (let j = 0; j <= i; j++) hessian[i * n + j]! += left * row[j]!;
      }
    }
    for (let j = 0; j < columns; j++) {
      gradient[j]! -= RIDGE * weights[j]!;
      hessian[j * n + j]! += RIDGE;
    }
    cholesky(hessian, n, 1e-9);
    solve(hessian, n, gradient);
    const size = gradient.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    const scale = Math.min(1, LONGEST_STEP / size);
    for (let j = 0; j < n; j++) weights[j]! += scale * gradient[j]!;
    if (size < TOLERANCE) break;
  }
  return Float64Array.from(clicks, (_, d) => logistic(scoreOf(d)));
}
