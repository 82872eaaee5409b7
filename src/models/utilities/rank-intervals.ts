/**
 * Simultaneous rank intervals. Each ordered pair of items (j, k) is a hypothesis, θ_j ≤ θ_k; an item ranks surely below those for which it is
 * rejected, and if no true hypothesis is rejected then all intervals hold. The probability of any such error is at most 1 - level:
 *
 * - The critical value is a quantile of the greatest studentized difference over the draws (Mogstad, Romano, Shaikh and Wilhelm 2024, Inference
 *   for Ranks), first over all ordered pairs, then over those not rejected so far, until no more are (step-down).
 * - A hypothesis that holds by a wide margin is no candidate for an error. A tenth of the error probability pays for bounds on all differences
 *   at once, and draws are shifted to the bound where it is below zero (Romano, Shaikh and Wolf 2014, two-step tests of moment inequalities).
 *
 * Without these two steps items that are far apart would widen the intervals of those that are close.
 */

/** Rank interval of each item, from 1. */
export interface RankIntervals {
  /** Best rank of each item. */
  readonly low: Uint32Array;
  /** Worst rank of each item. */
  readonly high: Uint32Array;
}

/** Share of the error probability for the bounds of differences. */
const SELECTION = 0.1;
/** Differences of draws that are taken after the first step, at most. An earlier end gives wider intervals, which hold as well. */
const WORK = 5e7;

/** Rank intervals of utilities with this covariance; `draws` are draws of their errors. */
export function rankIntervals(
  utilities: Float64Array,
  covariance: Float64Array,
  draws: readonly Float64Array[],
  level = 0.95,
): RankIntervals {
  const n = utilities.length;
  const once = inverseErrors(covariance, n);
  const tops = greatestDifferences(once, draws, n);
  const bound = quantileOf(tops, 1 - SELECTION * (1 - level));
  const most = tops.reduce((top, one) => Math.max(top, one), 0);
  const [low, high] = [new Uint32Array(n).fill(1), new Uint32Array(n).fill(n)];
  const open = new Hypotheses(utilities, once, bound, most);
  let critical = quantileOf(tops, level);
  for (let [step, work] = [0, 0]; ; step++) {
    const before = open.count;
    open.reject(critical, (better, worse) => {
      low[worse]!++;
      high[better]!--;
    });
    work += open.count * draws.length;
    // The first critical value is that of all pairs, so a second step follows in any case.
    if (open.count === 0 || draws.length === 0 || (step > 0 && open.count === before) || work > WORK) return { low, high };
    const greatest = Float64Array.from(draws, (draw) => open.greatest(draw));
    critical = Math.min(critical, quantileOf(greatest, level + SELECTION * (1 - level)));
  }
}

/** The quantile of the greatest studentized difference over all pairs. */
export const simultaneousQuantile = (covariance: Float64Array, draws: readonly Float64Array[], n: number, level = 0.95): number =>
  quantileOf(greatestDifferences(inverseErrors(covariance, n), draws, n), level);

/** The greatest studentized difference over all pairs, for each draw. */
const greatestDifferences = (once: Float64Array, draws: readonly Float64Array[], n: number) =>
  Float64Array.from(draws, (draw) => {
    let top = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0, at = i * n; j < i; j++, at++) top = Math.max(top, Math.abs(draw[i]! - draw[j]!) * once[at]!);
    return top;
  });

/** The hypotheses that are not rejected: that `better` is no better than `worse`. */
class Hypotheses {
  count = 0;
  private readonly better: Uint32Array;
  private readonly worse: Uint32Array;
  /** 1 / standard error of the difference. */
  private readonly factor: Float64Array;
  /** Studentized difference. */
  private readonly lead: Float64Array;
  /** Upper bound of the true one, at most 0. */
  private readonly shift: Float64Array;

  /** All ordered pairs without those whose upper bound is so low that no draw reaches zero. */
  constructor(utilities: Float64Array, once: Float64Array, bound: number, most: number) {
    const n = utilities.length;
    const size = n * (n - 1);
    [this.better, this.worse] = [new Uint32Array(size), new Uint32Array(size)];
    [this.factor, this.lead, this.shift] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        if (i === j) continue;
        const factor = once[i > j ? i * n + j : j * n + i]!;
        const lead = (utilities[i]! - utilities[j]!) * factor;
        if (Math.min(0, lead + bound) <= -most) continue;
        const at = this.count++;
        this.better[at] = i;
        this.worse[at] = j;
        this.factor[at] = factor;
        this.lead[at] = lead;
        this.shift[at] = Math.min(0, lead + bound);
      }
    }
  }

  /** Removes those whose studentized difference exceeds the critical value. */
  reject(critical: number, visit: (better: number, worse: number) => void): void {
    const { better, worse, factor, lead, shift } = this;
    let kept = 0;
    for (let at = 0; at < this.count; at++) {
      if (lead[at]! > critical) {
        visit(better[at]!, worse[at]!);
        continue;
      }
      for (const column of [better, worse, factor, lead, shift]) column[kept] = column[at]!;
      kept++;
    }
    this.count = kept;
  }

  /** The greatest studentized difference of a draw, shifted to the bounds. */
  greatest(draw: Float64Array): number {
    const { count, better, worse, factor, shift } = this;
    let top = 0;
    for (let at = 0; at < count; at++) {
      const value = (draw[better[at]!]! - draw[worse[at]!]!) * factor[at]! + shift[at]!;
      if (value > top) top = value;
    }
    return top;
  }
}

/** 1 / standard error of each difference, below the diagonal. */
function inverseErrors(covariance: Float64Array, n: number): Float64Array {
  const once = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const variance = Math.max(0, covariance[i * n + i]! + covariance[j * n + j]! - 2 * covariance[i * n + j]!);
      once[i * n + j] = 1 / Math.max(1e-150, Math.sqrt(variance));
    }
  }
  return once;
}

function quantileOf(values: Float64Array, level: number): number {
  const sorted = values.slice().sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(level * sorted.length) - 1)] ?? Infinity;
}
