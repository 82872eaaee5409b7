/**
 * The paired randomization test: were there no difference between two systems, each list's difference could as well have the other sign.
 * The two-sided p-value is the share of all signings of the differences whose sum is at least as far from 0 as the sum observed.
 *
 * Exact, over all signings, where at most 20 differences are not 0; otherwise over `rounds` random signings, as (1 + as far) / (1 + rounds),
 * which counts what was observed among them and so is never too small (Phipson and Smyth 2010, https://doi.org/10.2202/1544-6115.1585).
 * The test for retrieval: Smucker, Allan and Carterette 2007, https://doi.org/10.1145/1321440.1321528
 */
import { check, someFunction, someNumbers } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import type { Random } from "../types.ts";

/** What the test found. */
export interface Randomization {
  /** Two-sided; NaN where there is no list. */
  readonly p: number;
  /** Whether p was computed over all sign assignments rather than a random sample. */
  readonly exact: boolean;
  /** Number of sign assignments evaluated. */
  readonly rounds: number;
  /** Standard error of p by the draw of the signings, 0 where it is exact. */
  readonly error: number;
}

export const ROUNDS = 100_000;
const EXACT = 20; // differences that are not 0

/** Sums in another order may differ in their last bits, and must count as equal. */
const ROUNDING = 1e-12;

/** The paired randomization test of differences, list by list. */
export function randomizationTest(differences: ArrayLike<number>, random: Random, rounds = ROUNDS): Randomization {
  check("the randomization test", differences, someNumbers);
  check("the randomization test, random numbers", random, someFunction);
  if (!(Number.isSafeInteger(rounds) && rounds > 0))
    throw new InputError(`the randomization test: expected a whole number of rounds above 0, got ${rounds}`);
  const values = Float64Array.from(differences).filter((value) => value !== 0);
  if (values.some((value) => !Number.isFinite(value)))
    throw new InputError(
      "the randomization test: expected finite differences; leave out the lists for which the metric is undefined",
    );
  if (differences.length === 0) return { p: Number.NaN, exact: true, rounds: 0, error: 0 };
  const sum = values.reduce((total, value) => total + value, 0);
  const size = values.reduce((total, value) => total + Math.abs(value), 0);
  const far = Math.abs(sum) - ROUNDING * size;
  if (values.length <= EXACT) return { p: enumerated(values, far), exact: true, rounds: 2 ** values.length, error: 0 };
  const p = (1 + drawn(values, far, random, rounds)) / (1 + rounds);
  return { p, exact: false, rounds, error: Math.sqrt((p * (1 - p)) / rounds) };
}

function enumerated(values: Float64Array, far: number): number {
  const half = values.length >> 1;
  const [low, high] = [signedSums(values, 0, half), signedSums(values, half, values.length)];
  let count = 0;
  for (const a of low) for (const b of high) if (Math.abs(a + b) >= far) count++;
  return count / (low.length * high.length);
}

/** How many of the random signings are as far out. Eight signs are one look-up. */
function drawn(values: Float64Array, far: number, random: Random, rounds: number): number {
  const tables: Float64Array[] = [];
  for (let from = 0; from < values.length; from += 8)
    tables.push(signedSums(values, from, Math.min(values.length, from + 8), 256));
  let count = 0;
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    let bits = 0;
    for (let t = 0; t < tables.length; t++) {
      bits = t % 4 === 0 ? Math.floor(random() * 0x100000000) : bits >>> 8;
      sum += tables[t]![bits & 255]!;
    }
    if (Math.abs(sum) >= far) count++;
  }
  return count;
}

/** Σ ± value over entries from to to, by the bits of the index: 1 is plus. Repeats itself where the table is longer than 2^entries. */
function signedSums(values: Float64Array, from: number, to: number, length = 2 ** (to - from)): Float64Array {
  const sums = new Float64Array(length);
  for (let bits = 0; bits < length; bits++)
    for (let i = from; i < to; i++) sums[bits] = sums[bits]! + ((bits >> (i - from)) & 1 ? values[i]! : -values[i]!);
  return sums;
}
