/**
 * The Plackett-Luce likelihood of tiers, in plain TypeScript: the stages of one list put together. An item of R, the tiers after t, enters
 * stage t through w_R = log Σ_R e^w, with p_j = exp(w_j - w_R): the gradient of log P is -G p_j and its second derivative
 * (V + G) p_j² - G p_j, where G and V are slope and curvature of the stage. Summed over the stages above a tier, these are two numbers per
 * tier, so that each item costs a single exponential in all.
 */
import { exp, log, logistic, softplus } from "../functions.ts";
import type { QuadratureRule, TierList } from "../tier-cost.ts";
import { type Stage, type StageScratch, stageScratch, tierStage } from "./tier-stage.ts";

/** For lists of up to as many items as its arrays are long. */
export interface TierCostScratch {
  /** Log mass of the tiers after t. */
  readonly below: Float64Array;
  /** The greatest score of tier t. */
  readonly peak: Float64Array;
  /** e^(w - the greatest of its tier), by place. */
  readonly expScore: Float64Array;
  /** w - the log mass below, by place. */
  readonly margin: Float64Array;
  readonly stage: StageScratch;
}

const tierCostScratch = (size: number): TierCostScratch => ({
  ...{ below: new Float64Array(size), peak: new Float64Array(size) },
  ...{ expScore: new Float64Array(size), margin: new Float64Array(size) },
  stage: stageScratch(),
});

/** The sum over tiers of -weight log P; derivatives by place. */
export function tierCost(list: TierList, rule: QuadratureRule, withHessian: boolean): number {
  const { n, count, scores, starts, weights, gradient } = list;
  const hessian = withHessian ? list.hessian : undefined;
  if (!list.scratch || list.scratch.below.length < n) list.scratch = tierCostScratch(list.scores.length);
  const { below, peak, expScore, margin, stage: work } = list.scratch;
  sumTiers(list, list.scratch);
  let cost = 0;
  let once = 0; // slopes of the stages so far, each times e^(rest - its own rest)
  let twice = 0; // the same for curvature + slope, squared
  let rest = 0; // log mass below the last stage
  for (let t = 0; t < count; t++) {
    const [from, to] = [starts[t]!, starts[t + 1]!];
    const weight = t < count - 1 ? weights[t]! : 0;
    let stage: Stage | undefined;
    if (weight !== 0) {
      if (to - from === 1) stage = singleStage(work, scores[from]! - below[t]!, from, gradient, hessian);
      else {
        for (let p = from; p < to; p++) margin[p] = scores[p]! - below[t]!;
        stage = tierStage(work, margin, from, to, rule, gradient, hessian);
      }
      cost -= weight * stage.log;
    }

    // The gradient of this tier's own stage, and those of the stages above it.
    const ratio = t === 0 ? 0 : exp(peak[t]! - rest);
    const [gradientScale, hessianScale] = [once * ratio, twice * ratio * ratio];
    for (let p = from; p < to; p++) {
      const s = expScore[p]!;
      gradient[p] = gradientScale * s - (stage ? weight * gradient[p]! : 0);
      if (hessian) hessian[p] = gradientScale * s - hessianScale * s * s - (stage ? weight * hessian[p]! : 0);
    }

    if (stage) {
      const shrink = t === 0 ? 0 : exp(below[t]! - rest);
      once = once * shrink + weight * stage.slope;
      twice = twice * shrink * shrink + weight * (stage.curvature + stage.slope);
      rest = below[t]!;
    }
  }
  return cost;
}

/** By tier: its greatest score, e to each score less that, and the log-sum-exp of all tiers below. */
function sumTiers({ count, scores, starts }: TierList, { below, peak, expScore }: TierCostScratch): void {
  below[count - 1] = -Infinity;
  let highest = -Infinity; // of the scores from tier t on, and their mass over e^highest
  let mass = 0;
  for (let t = count - 1; t >= 0; t--) {
    const [from, to] = [starts[t]!, starts[t + 1]!];
    let greatest = -Infinity;
    for (let p = from; p < to; p++) if (scores[p]! > greatest) greatest = scores[p]!;
    let [even, odd] = [0, 0];
    for (let p = from; p < to; p++) {
      expScore[p] = exp(scores[p]! - greatest);
      if (((p - from) & 1) === 0) even += expScore[p]!;
      else odd += expScore[p]!;
    }
    peak[t] = greatest;
    if (t === 0) break;
    if (greatest > highest) {
      mass = mass * exp(highest - greatest) + (even + odd);
      highest = greatest;
    } else mass += (even + odd) * exp(greatest - highest);
    below[t - 1] = highest + log(mass);
  }
}

/** A tier of one item has a closed form: P = 1 / (1 + e^-d). */
function singleStage(into: Stage, d: number, place: number, first: Float64Array, second: Float64Array | undefined): Stage {
  into.log = -softplus(-d);
  first[place] = into.slope = logistic(-d);
  into.curvature = -into.slope * logistic(d);
  if (second) second[place] = into.curvature;
  return into;
}
