/**
 * The maximum-likelihood temperature of scores under the Plackett-Luce likelihood of tiers. The cost is convex in 1 / temperature, so its
 * derivative has one root, found by false position (the Illinois method) after a few bisections.
 */
import { check, checkData, checkScores, isNumbers } from "./arguments.ts";
import { InputError } from "./input-error.ts";
import { exp, log } from "./numeric/functions.ts";
import { random } from "./numeric/random.ts";
import { plPartition } from "./objectives/index.ts";
import type { Dataset } from "./types.ts";

const tiers = plPartition();
const quiet = random(0); // the cost is exact and draws nothing

/** The cost of the tiers of some lists, each with its own temperature, and its slope along the logs of all temperatures. */
export function tierCostAt(
  scores: Float64Array,
  { starts, labels }: Dataset,
  lists: Iterable<number>,
  temperature: (list: number) => number,
): { cost: number; slope: number } {
  let [cost, slope] = [0, 0];
  for (const q of lists) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const t = temperature(q);
    const w = scores.slice(from, to).map((score) => score / t);
    const gradient = new Float64Array(w.length);
    cost += tiers.evaluate(w, labels.subarray(from, to), { gradient }, quiet);
    for (let i = 0; i < w.length; i++) slope -= gradient[i]! * w[i]!;
  }
  return { cost, slope };
}

/** A temperature and how well it fits. */
export interface Temperature {
  /** The temperature: what scores are divided by. */
  readonly value: number;
  /** "certain": the scores make no mistake, and the lower the better. "useless": they say nothing, and the higher the better. */
  readonly limit?: "certain" | "useless";
}

const WIDEST = 1e4; // against the spread of the scores: beyond, all orders are certain or all items equal

const USUAL = 1e100; // the squares of scores beyond, or below its inverse, leave the range of numbers

/** The temperature under which the tiers of these lists are most likely. */
export function fitTemperature(scores: Float64Array, data: Dataset, lists: Uint32Array): Temperature {
  checkData("fitTemperature", data);
  checkScores("fitTemperature", scores, data);
  check("fitTemperature, the lists", lists, { wanted: "an array of list numbers", fits: isNumbers });
  const count = data.starts.length - 1;
  const odd = lists.find((q) => !(Number.isInteger(q) && q >= 0 && q < count));
  if (odd !== undefined) throw new InputError(`fitTemperature: there is no list ${odd} among ${count}`);
  const wrong = scores.find((one) => !Number.isFinite(one));
  if (wrong !== undefined) throw new InputError(`fitTemperature: expected finite scores, got ${wrong}`);
  const largest = largestOf(scores, data, lists);
  if (largest === 0 || (largest <= USUAL && largest >= 1 / USUAL)) return fitted(scores, data, lists);
  const { value, ...rest } = fitted(
    scores.map((score) => score / largest),
    data,
    lists,
  );
  return { value: Math.min(Number.MAX_VALUE, Math.max(Number.MIN_VALUE, value * largest)), ...rest };
}

function fitted(scores: Float64Array, data: Dataset, lists: Uint32Array): Temperature {
  const spread = deviationWithinLists(scores, data, lists);
  if (spread === 0) return { value: 1, limit: "useless" };
  const slopeAt = (place: number) => {
    const t = exp(place);
    return tierCostAt(scores, data, lists, () => t).slope;
  };
  let [low, high] = [log(spread / WIDEST), log(spread * WIDEST)];
  let [slopeLow, slopeHigh] = [slopeAt(low), slopeAt(high)];
  if (!(slopeLow < 0)) return { value: exp(low), limit: "certain" };
  if (!(slopeHigh > 0)) return { value: exp(high), limit: "useless" };
  for (let iteration = 0, side = 0; iteration < 100 && high - low > 1e-8; iteration++) {
    // The slopes at the ends differ by powers of ten, where false position would creep.
    const place = iteration < 6 ? (low + high) / 2 : (low * slopeHigh - high * slopeLow) / (slopeHigh - slopeLow);
    const slope = slopeAt(place);
    if (Math.abs(slope) < 1e-12) return { value: exp(place) };
    if (slope < 0) {
      [low, slopeLow] = [place, slope];
      if (side < 0) slopeHigh /= 2;
      side = -1;
    } else {
      [high, slopeHigh] = [place, slope];
      if (side > 0) slopeLow /= 2;
      side = 1;
    }
  }
  return { value: exp((low + high) / 2) };
}

function largestOf(scores: Float64Array, { starts }: Dataset, lists: Uint32Array): number {
  let largest = 0;
  for (const q of lists) for (const one of scores.subarray(starts[q], starts[q + 1])) largest = Math.max(largest, Math.abs(one));
  return largest;
}

/** The standard deviation of scores within their lists. */
export function deviationWithinLists(scores: Float64Array, { starts }: Dataset, lists: Uint32Array): number {
  let [square, count] = [0, 0];
  for (const q of lists) {
    const own = scores.subarray(starts[q], starts[q + 1]);
    const mean = own.reduce((sum, one) => sum + one, 0) / own.length;
    for (const one of own) square += (one - mean) * (one - mean);
    count += own.length;
  }
  return Math.sqrt(square / count);
}
