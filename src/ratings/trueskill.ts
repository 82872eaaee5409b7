/**
 * TrueSkill: the skill of an item is normal, its performance in a contest is normal around it with standard deviation `beta`, and the order of
 * performances is seen: neighbors in the order differ by more than ε, or by at most ε if they tie, where ε follows from the probability of a tie.
 * Skills are updated by expectation propagation over the chain of neighbors until messages no longer change; for two items that is exact in
 * one pass. Herbrich, Minka and Graepel 2007, https://papers.nips.cc/paper/3079-trueskilltm-a-bayesian-skill-rating-system
 */
import { exp } from "../numeric/functions.ts";
import { normalBelow, normalQuantile } from "../numeric/normal.ts";
import { type Fields, part, real } from "../part.ts";
import type { RatingSystem } from "./system.ts";

/** Options of `trueSkill`. */
export interface TrueSkillOptions {
  /** Mean of the skill of an item without battles. A number. Default: 25. */
  readonly mu: number;
  /** Standard deviation of the skill of an item without battles. A number above 0. Default: 8.333333333333334. */
  readonly sigma: number;
  /** Standard deviation of a performance around the skill. A number above 0. Default: 4.166666666666667. */
  readonly beta: number;
  /** Standard deviation of the change of a skill from contest to contest. A number of at least 0. Default: 0.08333333333333333. */
  readonly tau: number;
  /** Probability of a tie of two equal items. A number of at least 0 and below 1. Default: 0.1. */
  readonly draw: number;
}

const fields: Fields<TrueSkillOptions> = {
  mu: real(25, "mean of the skill of an item without battles"),
  sigma: real(25 / 3, "standard deviation of the skill of an item without battles", { above: 0 }),
  beta: real(25 / 6, "standard deviation of a performance around the skill", { above: 0 }),
  tau: real(25 / 300, "standard deviation of the change of a skill from contest to contest", { min: 0 }),
  draw: real(0.1, "probability of a tie of two equal items", { min: 0, below: 1 }),
};

const density = (x: number) => exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** φ(x) / Φ(x), which is near -x far below 0. */
function ratio(x: number): number {
  if (x > -5) return density(x) / normalBelow(x);
  let fraction = 0;
  for (let k = 40; k > 0; k--) fraction = k / (-x + fraction);
  return -x + fraction;
}

/** Mean and variance of a standard normal number shifted by t, given that it is above e. */
function above(t: number, e: number): [mean: number, variance: number] {
  const v = ratio(t - e);
  return [t + v, Math.max(1e-12, 1 - v * (v + t - e))];
}

/** The same, given that it lies between -e and e. */
function between(t: number, e: number): [mean: number, variance: number] {
  const [low, high] = [-e - Math.abs(t), e - Math.abs(t)];
  const mass = normalBelow(high) - normalBelow(low);
  const sign = t < 0 ? -1 : 1;
  if (!(mass > 1e-100)) return [sign * e, 1e-12]; // squeezed against the near end
  const v = (density(low) - density(high)) / mass;
  const w = v * v + (high * density(high) - low * density(low)) / mass;
  return [t + sign * v, Math.max(1e-12, 1 - w)];
}

/** A normal density up to a factor: precision, and precision times mean. */
interface Message {
  precision: number;
  shift: number;
}

const ROUNDS = 500;

/** TrueSkill ratings; `trueskill` on the command line. */
export const trueSkill = part("trueskill", "TrueSkill ratings", fields, (options, spec): RatingSystem => {
  const { mu, sigma, beta, tau, draw } = options;
  const margin = normalQuantile((1 + draw) / 2) * Math.SQRT2 * beta;

  const contest = (items: readonly Float64Array[], places: ArrayLike<number>) => {
    const order = Array.from(items.keys()).sort((a, b) => places[a]! - places[b]! || a - b);
    const n = order.length;
    const skills = order.map((i) => ({ mean: items[i]![0]!, variance: items[i]![1]! ** 2 + tau * tau }));
    const priors = skills.map(({ mean, variance }): Message => {
      const precision = 1 / (variance + beta * beta);
      return { precision, shift: precision * mean };
    });
    const none = () => ({ precision: 0, shift: 0 });
    const [fromLeft, fromRight, differences] = [priors.map(none), priors.map(none), priors.slice(1).map(none)];
    const product = (a: Message, b: Message) => ({ precision: a.precision + b.precision, shift: a.shift + b.shift });

    /** Updates the difference of neighbors k and k + 1, and the messages to both; returns how much changed. */
    const visit = (k: number): number => {
      const left = product(priors[k]!, fromLeft[k]!);
      const right = product(priors[k + 1]!, fromRight[k + 1]!);
      const [leftMean, rightMean] = [left.shift / left.precision, right.shift / right.precision];
      const [mean, variance] = [leftMean - rightMean, 1 / left.precision + 1 / right.precision];
      const spread = Math.sqrt(variance);
      const tied = places[order[k]!] === places[order[k + 1]!];
      const [center, square] = (tied ? between : above)(mean / spread, margin / spread);
      const precision = 1 / (variance * square) - 1 / variance;
      const next = { precision, shift: (center * spread) / (variance * square) - mean / variance };
      const { precision: was, shift: wasShift } = differences[k]!;
      differences[k] = next;
      const [d, spreadOf] = [next.shift / precision, 1 / precision];
      const message = (at: number, own: Message): Message => {
        const value = 1 / (1 / own.precision + spreadOf);
        return { precision: value, shift: value * at };
      };
      fromLeft[k + 1] = message(leftMean - d, left);
      fromRight[k] = message(rightMean + d, right);
      return (
        Math.abs(precision - was) / precision + Math.abs(next.shift - wasShift) / (Math.abs(next.shift) + Math.sqrt(precision))
      );
    };
    for (let round = 0; round < ROUNDS; round++) {
      let change = 0;
      for (let k = 0; k < n - 1; k++) change = Math.max(change, visit(k));
      for (let k = n - 3; k >= 0; k--) change = Math.max(change, visit(k));
      if (n === 2 || change < 1e-12) break;
    }
    order.forEach((i, at) => {
      const { mean, variance } = skills[at]!;
      const seen = product(fromLeft[at]!, fromRight[at]!);
      if (seen.precision === 0) return;
      const precision = 1 / (1 / seen.precision + beta * beta);
      const total = 1 / variance + precision;
      items[i]![0] = (mean / variance + (precision * seen.shift) / seen.precision) / total;
      items[i]![1] = Math.sqrt(1 / total);
    });
  };

  return {
    ...{ id: "trueskill", spec, start: [mu, sigma], updates: "battle", period: 1, most: Infinity, contest },
    value: (item) => ({ rating: item[0]!, error: item[1]! }),
    expect(first, second) {
      const spread = Math.sqrt(2 * beta * beta + first[1]! ** 2 + second[1]! ** 2 + 2 * tau * tau);
      const win = normalBelow((first[0]! - second[0]! - margin) / spread);
      const loss = normalBelow((second[0]! - first[0]! - margin) / spread);
      return { win, tie: Math.max(0, 1 - win - loss), loss };
    },
  };
});
