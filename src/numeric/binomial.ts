/** Binomial and multinomial numbers from uniform ones, with no approximation and the same on every machine. */
import type { Random } from "../types.ts";
import { log } from "./functions.ts";
import { normals } from "./normal.ts";

const FEW = 24; // trials that are made one by one

/** Makes a function that draws the number of successes in n trials of probability p. */
export function binomials(random: Random): (n: number, p: number) => number {
  const normal = normals(random);
  /** A gamma number of a shape of at least 1 (Marsaglia and Tsang 2000). */
  const gamma = (shape: number) => {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const root = 1 + c * x;
      if (root <= 0) continue;
      const v = root * root * root;
      const u = random();
      if (u < 1 - 0.0331 * x * x * x * x || log(u) < 0.5 * x * x + d * (1 - v + log(v))) return d * v;
    }
  };
  // Of n uniform numbers, the i-th in order is a beta number; it says on which side of p the others lie (Ahrens and Dieter 1974).
  return (n, p) => {
    if (!(p > 0)) return 0;
    if (p >= 1) return n;
    let [left, successes, chance] = [n, 0, p];
    while (left > FEW) {
      const i = 1 + Math.floor(left / 2);
      const one = gamma(i);
      const middle = one / (one + gamma(left + 1 - i));
      if (middle <= chance) {
        successes += i;
        left -= i;
        chance = (chance - middle) / (1 - middle);
      } else {
        left = i - 1;
        chance /= middle;
      }
    }
    for (; left > 0; left--) if (random() < chance) successes++;
    return successes;
  };
}

/** Draws Σ counts things with replacement from as many, of which counts[i] are of kind i; writes how often each kind was drawn. */
export function multinomial(binomial: (n: number, p: number) => number, counts: Float64Array, into: Float64Array): void {
  let mass = counts.reduce((sum, count) => sum + count, 0);
  let left = mass;
  for (let i = 0; i < counts.length; i++) {
    into[i] = counts[i]! >= mass ? left : binomial(left, counts[i]! / mass);
    left -= into[i]!;
    mass -= counts[i]!;
  }
}
