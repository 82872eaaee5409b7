/**
 * The Plackett-Luce likelihood of one tier before the rest against 95 digits: log P and the slope along one item. Tiers of up to 200 items in groups
 * of like or scattered scores, below, around and above the rest, which the random lists of the check of objectives seldom have.
 */
import { digestOf } from "../../fuzz/target.ts";
import { below } from "../../src/numeric/random.ts";
import { DOUBLE, SINGLE, tierCost, tierLists } from "../../src/numeric/tier-cost.ts";
import type { Random } from "../../src/types.ts";
import { type Check, each, Finding } from "../check.ts";
import { exp, fixed, log, ONE, over, toNumber } from "../precise/fixed.ts";
import { tierProbability } from "../precise/tier-probability.ts";

const MOVE = ONE >> 80n;
const listFor = tierLists();

/** Scores of the items of a tier; the rest has a score of 0. */
function drawTier(draw: Random): Float64Array {
  const most = draw() < 0.05 ? 200 : 40;
  const groups = Array.from({ length: 1 + below(draw, 3) }, () => ({
    center: 14 * draw() - 8,
    spread: draw() < 0.4 ? 0 : 3 * draw() ** 2,
  }));
  const first = draw(); // share of the first group at least
  // Of probabilities far below 1e-60 too few of 95 digits are left.
  const lowest = -140 / most;
  return Float64Array.from({ length: Math.floor(3 + (most - 3) * draw() ** 2) }, () => {
    const { center, spread } = groups[draw() < first ? 0 : below(draw, groups.length)]!;
    return Math.max(lowest, center + spread * (2 * draw() - 1));
  });
}

function check(draw: Random): string {
  const tier = drawTier(draw);
  const n = tier.length;
  const list = listFor(n + 1);
  list.count = 2;
  list.starts.set([0, n, n + 1]);
  list.weights.fill(1, 0, 2);
  list.scores.set(tier);
  list.scores[n] = 0;
  const logProbability = (scores: readonly bigint[]) => log(tierProbability(scores.map(exp)));
  const exact = [...tier].map(fixed);
  const expected = logProbability(exact);
  const value = toNumber(expected);
  const compare = (what: string, got: number, wanted: number, most: number) => {
    if (!(Math.abs(got - wanted) <= most))
      throw new Finding(`a tier of ${JSON.stringify([...tier])}: ${what} ${got} instead of ${wanted}`);
  };
  compare("log P in single precision", -tierCost(list, SINGLE, false), value, 1e-7 * (1 + Math.abs(value)));
  const cost = tierCost(list, DOUBLE, true);
  compare("log P", -cost, value, 1e-13 * (1 + Math.abs(value)));
  const at = below(draw, n);
  const moved = logProbability(exact.map((score, i) => (i === at ? score + MOVE : score)));
  compare(`slope ${at}`, -list.gradient[at]!, toNumber(over(moved - expected, MOVE)), 1e-12);
  return digestOf(cost, list.gradient.slice(0, n + 1), list.hessian.slice(0, n + 1));
}

export const tiers: Check = {
  id: "tiers",
  about: "the likelihood of tiers of many kinds against 95 digits",
  batch: 5,
  run: each((_, draw) => check(draw)),
};
