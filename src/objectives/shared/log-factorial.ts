/** log n! and the logarithm of binomial coefficients. Factorials by summing below 32, and by Stirling's series from there, whose error is then below 1e-16. */
import { log } from "../../numeric/functions.ts";

const known = [0];
for (let n = 1; n < 32; n++) known.push(known[n - 1]! + log(n));

export function logFactorial(n: number): number {
  if (n < 32) return known[n]!;
  const r = 1 / n;
  const tail = r * (1 / 12 - r * r * (1 / 360 - r * r * (1 / 1260 - (r * r) / 1680)));
  return (n + 0.5) * log(n) - n + 0.5 * log(2 * Math.PI) + tail;
}

/** log of n over m: the number of ways to choose m of n items. */
export const logWays = (n: number, m: number): number => logFactorial(n) - logFactorial(m) - logFactorial(n - m);
