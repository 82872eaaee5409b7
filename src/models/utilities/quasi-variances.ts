/**
 * Quasi-variances q of estimates with a covariance: numbers above 0 such that q_i + q_j is close to the variance of the difference of i and j
 * for every pair, in least squares of logs. So one interval for each item, ± 1.4 √q or so, lets a reader compare any two.
 * Firth and de Menezes 2004, Quasi-variances, Biometrika 91.
 *
 * By Newton's method in u = log q: with r = log(q_i + q_j) - log variance and p_i = q_i / (q_i + q_j), the second derivatives of r² / 2 are
 * p_i² + r p_i p_j on the diagonal and p_i p_j (1 - r) beside it. Where they are not positive definite, those without r serve (Gauss-Newton).
 */
import { cholesky, solve } from "../../numeric/cholesky.ts";
import { exp, log } from "../../numeric/functions.ts";

const ITERATIONS = 200;
const LONGEST = 2; // step in u
const SMALL = 1e-8; // a step in u after which the next one would be rounding: convergence is quadratic

export function quasiVariances(covariance: Float64Array, n: number): Float64Array {
  const wanted = new Float64Array(n * n); // logs of the variances of differences
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const variance = covariance[i * n + i]! + covariance[j * n + j]! - 2 * covariance[i * n + j]!;
      wanted[i * n + j] = log(Math.max(1e-300, variance));
    }
  }
  if (n === 2) return new Float64Array(2).fill(exp(wanted[2]!) / 2);
  let logs = Float64Array.from({ length: n }, (_, i) => log(Math.max(1e-300, covariance[i * n + i]!)));
  const [step, matrix] = [new Float64Array(n), new Float64Array(n * n)];
  let cost = costOf(logs, wanted);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    if (!newtonStep(logs, wanted, step, matrix)) break;
    const largest = step.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    if (largest < SMALL) return logs.map((value, i) => exp(value - step[i]!));
    let length = Math.min(1, LONGEST / largest);
    let next = logs;
    let reached = Infinity;
    for (let halvings = 0; halvings < 20 && !(reached <= cost); halvings++, length /= 2) {
      next = logs.map((value, i) => value - length * step[i]!);
      reached = costOf(next, wanted);
    }
    if (!(reached <= cost)) break;
    logs = next;
    cost = reached;
  }
  return logs.map(exp);
}

function costOf(logs: Float64Array, wanted: Float64Array): number {
  const n = logs.length;
  const q = logs.map(exp);
  let cost = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const off = log(q[i]! + q[j]!) - wanted[i * n + j]!;
      cost += off * off;
    }
  }
  return cost;
}

/** Newton's step, to be subtracted; false where even the Gauss-Newton matrix is singular. */
function newtonStep(logs: Float64Array, wanted: Float64Array, step: Float64Array, matrix: Float64Array): boolean {
  const n = logs.length;
  const q = logs.map(exp);
  for (const second of [1, 0]) {
    step.fill(0);
    matrix.fill(0);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const sum = q[i]! + q[j]!;
        const off = log(sum) - wanted[i * n + j]!;
        const [own, other] = [q[i]! / sum, q[j]! / sum];
        const [both, bent] = [own * other, second * off];
        step[i] = step[i]! + off * own;
        step[j] = step[j]! + off * other;
        matrix[i * n + i] = matrix[i * n + i]! + own * own + bent * both;
        matrix[j * n + j] = matrix[j * n + j]! + other * other + bent * both;
        matrix[i * n + j] = both * (1 - bent);
      }
    }
    if (!cholesky(matrix, n)) continue;
    solve(matrix, n, step);
    return true;
  }
  return false;
}
