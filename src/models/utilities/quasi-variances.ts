/**
 * Quasi-variances q of estimates with a covariance: numbers above 0 such that q_i + q_j is close to the variance of the difference of i and j
 * for every pair, in least squares of logs. So one interval for each item, ± 1.4 √q or so, lets a reader compare any two.
 * Firth and de Menezes 2004, Quasi-variances, Biometrika 91.
 */
import { exp, log } from "../../numeric/functions.ts";
import { random } from "../../numeric/random.ts";
import { lbfgs } from "../../optimizers/index.ts";

export function quasiVariances(covariance: Float64Array, n: number): Float64Array {
  const wanted = new Float64Array(n * n); // logs of the variances of differences
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const variance = covariance[i * n + i]! + covariance[j * n + j]! - 2 * covariance[i * n + j]!;
      wanted[i * n + j] = log(Math.max(1e-300, variance));
    }
  }
  if (n === 2) return new Float64Array(2).fill(exp(wanted[2]!) / 2);
  const logs = Float64Array.from({ length: n }, (_, i) => log(Math.max(1e-300, covariance[i * n + i]!)));
  const pairs = (n * (n - 1)) / 2;
  lbfgs({ tolerance: 0, iterations: 500 }).minimize(
    {
      size: n,
      lists: 1,
      gradient: "exact",
      evaluate(params, gradient) {
        const q = params.map(exp);
        gradient.fill(0);
        let cost = 0;
        for (let i = 0; i < n; i++) {
          for (let j = 0; j < i; j++) {
            const sum = q[i]! + q[j]!;
            const off = log(sum) - wanted[i * n + j]!;
            cost += (off * off) / pairs;
            gradient[i] = gradient[i]! + (2 * off * q[i]!) / sum / pairs;
            gradient[j] = gradient[j]! + (2 * off * q[j]!) / sum / pairs;
          }
        }
        return cost;
      },
    },
    logs,
    random(1),
    () => "continue",
  );
  return logs.map(exp);
}
