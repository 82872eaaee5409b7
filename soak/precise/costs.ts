/**
 * Costs of objectives by their definitions, in 95 digits: nothing is shifted, merged or approximated. Derivatives are differences of costs, of
 * which 25 digits or more remain. Objectives that draw at random or have no cost of their own (lambdarank, xendcg, yetirank, plrank, the chains
 * of pmop) are not here; their laws are in src/testing.
 */
import { exp, type Fixed, fixed, LN2, log, ONE, over, sqrt, sum, times } from "./fixed.ts";
import { tierProbability } from "./tier-probability.ts";

/** One list. Scores are followed by auxiliary parameters where there are some. */
export interface PreciseList {
  readonly scores: readonly Fixed[];
  readonly labels: readonly number[];
  readonly weights: readonly Fixed[];
}

export type PreciseCost = (list: PreciseList) => Fixed;

const whole = (n: number): Fixed => BigInt(n) * ONE;
const logSum = (values: readonly Fixed[]) => log(sum(values.map(exp)));
const square = (value: Fixed) => times(value, value);
const mean = (values: readonly Fixed[]) => sum(values) / BigInt(values.length);
const gain = (label: number) => (label > 0 ? exp(times(fixed(label), LN2)) - ONE : 0n);
const log2 = (value: Fixed) => over(log(value), LN2);

/** Items by falling label, each tier in the given order. */
function tiersOf(labels: readonly number[]): number[][] {
  const values = [...new Set(labels)].sort((a, b) => b - a);
  return values.map((value) => Array.from(labels.keys()).filter((i) => labels[i] === value));
}

/** DCG of the best order. */
const idealOf = (labels: readonly number[]) =>
  sum([...labels].sort((a, b) => b - a).map((label, place) => over(gain(label), log2(whole(place + 2)))));

const atAll = (values: readonly Fixed[], items: readonly number[]) => items.map((i) => values[i]!);

/** Stage by stage from the first tier to the last but one: the tier and what lies below it. */
function stages(labels: readonly number[], backward: boolean): { tier: number[]; rest: number[]; start: number }[] {
  const tiers = backward ? tiersOf(labels).reverse() : tiersOf(labels);
  return tiers.slice(0, -1).map((tier, t) => ({ tier, rest: tiers.slice(t + 1).flat(), start: tiers.slice(0, t).flat().length }));
}

const mirrored = (backward: boolean, scores: readonly Fixed[]) => (backward ? scores.map((score) => -score) : scores);

export const plPartition =
  (top = Infinity, backward = false): PreciseCost =>
  ({ scores: given, labels, weights }) => {
    const scores = mirrored(backward, given);
    return sum(
      stages(labels, backward).map(({ tier, rest, start }) => {
        if (start >= top) return 0n;
        const below = logSum(atAll(scores, rest));
        return -times(mean(atAll(weights, tier)), log(tierProbability(tier.map((i) => exp(scores[i]! - below)))));
      }),
    );
  };

export const plLb: PreciseCost = ({ scores, labels, weights }) =>
  sum(
    stages(labels, false).map(({ tier, rest }) => {
      const left = logSum(atAll(scores, [...tier, ...rest]));
      const orders = sum(tier.map((_, k) => log(whole(k + 1)))); // log n!
      return sum(tier.map((i) => times(weights[i]!, left - scores[i]!))) - times(mean(atAll(weights, tier)), orders);
    }),
  );

export const plTopK =
  (k: number, backward = false): PreciseCost =>
  ({ scores: given, labels, weights }) => {
    const scores = mirrored(backward, given);
    const order = (backward ? tiersOf(labels).reverse() : tiersOf(labels)).flat();
    return sum(order.slice(0, k).map((i, p) => times(weights[i]!, logSum(atAll(scores, order.slice(p))) - scores[i]!)));
  };

/** log of n over m. */
const logWays = (n: number, m: number) => sum(Array.from({ length: m }, (_, k) => log(whole(n - k)) - log(whole(k + 1))));

/** The sums over all subsets of each size of exp(Σ l), by size from 0: the coefficients of Π (1 + e^l x). */
const subsetSums = (logOdds: readonly Fixed[]) =>
  logOdds.reduce<readonly Fixed[]>(
    (sums, l) => sums.concat(0n).map((value, m) => value + (m > 0 ? times(sums[m - 1]!, exp(l)) : 0n)),
    [ONE],
  );

export const pmopExact =
  (potential: "mean" | "sum", sizes: "modeled" | "given", backward = false): PreciseCost =>
  ({ scores: given, labels, weights }) => {
    const scores = mirrored(backward, given);
    const offset = potential === "sum" && sizes === "modeled" ? scores[labels.length]! : 0n;
    return sum(
      stages(labels, backward).map(({ tier, rest }) => {
        const left = atAll(scores, [...tier, ...rest]).map((score) => score + offset);
        const share = (m: number) => (potential === "mean" ? m : 1);
        const ofSize = (m: number) => subsetSums(left.map((score) => score / BigInt(share(m))))[m]!;
        const all = sizes === "given" ? [tier.length] : left.map((_, i) => i + 1);
        const own = sum(left.slice(0, tier.length)) / BigInt(share(tier.length));
        return times(mean(atAll(weights, tier)), log(sum(all.map(ofSize))) - own);
      }),
    );
  };

export const pmopFd =
  (backward = false): PreciseCost =>
  ({ scores: given, labels, weights }) => {
    const scores = mirrored(backward, given);
    return sum(
      stages(labels, backward).map(({ tier, rest }) =>
        times(
          mean(atAll(weights, tier)),
          logSum(atAll(scores, [...tier, ...rest])) -
            logSum(atAll(scores, tier)) +
            logWays(tier.length + rest.length - 1, tier.length - 1),
        ),
      ),
    );
  };

/** A sum over pairs: `win` with the weight of the better item, `tie` with the mean of both. */
const pairs =
  (win: (d: Fixed, x: Fixed) => Fixed, tie?: (d: Fixed, x: Fixed) => Fixed): PreciseCost =>
  ({ scores, labels, weights }) => {
    const x = scores[labels.length] ?? 0n;
    return sum(
      labels.flatMap((label, i) =>
        labels.map((other, j) => {
          const d = scores[i]! - scores[j]!;
          if (label > other) return times(weights[i]!, win(d, x));
          return tie && label === other && i < j ? times((weights[i]! + weights[j]!) / 2n, tie(d, x)) : 0n;
        }),
      ),
    );
  };

const softplus = (value: Fixed) => log(ONE + exp(value));
const half = (value: Fixed) => value / 2n;

export const rankNet = pairs((d) => softplus(-d));
export const rankNetHalf = pairs(
  (d) => softplus(-d),
  (d) => half(softplus(-d) + softplus(d)),
);
export const rankSvm = pairs((d) => (d < ONE ? ONE - d : 0n));
export const rankRegress = pairs((d) => square(ONE - d));

const davidsonTotal = (d: Fixed, x: Fixed) => logSum([half(d), -half(d), x]);
export const davidson = pairs(
  (d, x) => davidsonTotal(d, x) - half(d),
  (d, x) => davidsonTotal(d, x) - x,
);
const threshold = (x: Fixed) => ONE + exp(x);
const raoKupperWin = (d: Fixed, x: Fixed) => log(ONE + times(threshold(x), exp(-d)));
export const raoKupper = pairs(
  raoKupperWin,
  (d, x) => raoKupperWin(d, x) + raoKupperWin(-d, x) - log(square(threshold(x)) - ONE),
);

/** Σ w t (log Σ e^s - s), for targets that are shares of their sum. */
const crossEntropy =
  (target: (label: number) => Fixed): PreciseCost =>
  ({ scores, labels, weights }) => {
    const targets = labels.map(target);
    const all = sum(targets);
    if (all === 0n) return 0n;
    const level = logSum(scores);
    return sum(targets.map((t, i) => times(times(weights[i]!, over(t, all)), level - scores[i]!)));
  };

export const softmax = crossEntropy((label) => fixed(Math.max(0, label)));
export const softmaxExp = crossEntropy((label) => exp(fixed(label)));
export const attRank = crossEntropy((label) => (label > 0 ? exp(fixed(label)) : 0n));

/** Σ p log(q / softmax), p the gains over a norm and q their shares. */
const divergence =
  (norm: (labels: readonly number[]) => Fixed): PreciseCost =>
  ({ scores, labels, weights }) => {
    const gains = labels.map(gain);
    const all = sum(gains);
    if (all === 0n) return 0n;
    const [level, size] = [logSum(scores), norm(labels)];
    return sum(
      gains.map((g, i) => (g === 0n ? 0n : times(times(weights[i]!, over(g, size)), log(over(g, all)) + level - scores[i]!))),
    );
  };

export const kl = divergence((labels) => sum(labels.map(gain)));
export const cKl = divergence(idealOf);

export const uniqueSoftmax: PreciseCost = ({ scores, labels, weights }) =>
  sum(
    labels.map((label, i) => {
      const lower = labels.flatMap((other, j) => (other < label ? [exp(scores[j]! - scores[i]!)] : []));
      return lower.length === 0 ? 0n : times(times(weights[i]!, gain(label)), log(ONE + sum(lower)));
    }),
  );

const angle =
  (norm: (labels: readonly number[]) => Fixed): PreciseCost =>
  ({ scores, labels, weights }) => {
    const gains = labels.map(gain);
    if (sum(gains) === 0n) return 0n;
    const product = sum(gains.map((g, i) => times(g, scores[i]!)));
    const length = sqrt(sum(scores.map(square)));
    return half(times(mean(weights), ONE - over(over(product, norm(labels)), length)));
  };

export const cosine = angle((labels) => sqrt(sum(labels.map((label) => square(gain(label))))));
export const cCosine = angle(idealOf);

const squaredError =
  (targets: (labels: readonly number[]) => readonly Fixed[]): PreciseCost =>
  ({ scores, labels, weights }) => {
    const target = targets(labels);
    return sum(scores.map((score, i) => times(weights[i]!, square(score - target[i]!))));
  };

export const mart1 = squaredError((labels) => labels.map(gain));
export const mart2 = squaredError((labels) => labels.map(fixed));
export const cMart = squaredError((labels) => {
  const ideal = idealOf(labels);
  return labels.map((label) => (ideal === 0n ? 0n : over(gain(label), ideal)));
});

export const approxNdcg =
  (temperature: number): PreciseCost =>
  ({ scores, labels, weights }) => {
    const [gains, ideal, t] = [labels.map(gain), idealOf(labels), fixed(temperature)];
    const all = sum(gains);
    return sum(
      gains.map((g, i) => {
        if (g === 0n) return 0n;
        const before = scores.map((score, j) => (j === i ? 0n : over(ONE, ONE + exp(over(scores[i]! - score, t)))));
        const part = over(ONE, all) - over(over(ONE, log2(ONE + ONE + sum(before))), ideal);
        return times(times(weights[i]!, g), part);
      }),
    );
  };

/** Scores are so many outputs for each item. */
export const mcRank =
  (grades: number): PreciseCost =>
  ({ scores, labels, weights }) =>
    sum(
      labels.map((label, i) => {
        const own = scores.slice(i * grades, (i + 1) * grades);
        return times(weights[i]!, logSum(own) - own[label]!);
      }),
    );

const STEP = ONE >> 60n;

/** Cost, slope and curvature along one score. */
export function derivatives(cost: PreciseCost, list: PreciseList, at: number): { cost: Fixed; slope: Fixed; curvature: Fixed } {
  const moved = (by: Fixed) => cost({ ...list, scores: list.scores.map((score, i) => (i === at ? score + by : score)) });
  const [below, here, above] = [moved(-STEP), moved(0n), moved(STEP)];
  return { cost: here, slope: over(above - below, 2n * STEP), curvature: over(over(above - 2n * here + below, STEP), STEP) };
}
