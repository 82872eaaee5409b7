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

/**
 * The greatest studentized difference over all pairs, for each draw. Most items are passed over, because their distance from the farthest item times the
 * greatest of their factors is no more than what others have.
 */
function greatestDifferences(once: Float64Array, draws: readonly Float64Array[], n: number): Float64Array {
  const greatest = Float64Array.from({ length: n }, (_, i) => maximum(once, i * n, i * n + n));
  const bounds = new Float64Array(n);
  return Float64Array.from(draws, (draw) => {
    const [low, high] = [minimum(draw), maximum(draw, 0, n)];
    for (let i = 0; i < n; i++) bounds[i] = Math.max(draw[i]! - low, high - draw[i]!) * greatest[i]!;
    let top = 0;
    const scan = (i: number) => {
      const value = draw[i]!;
      for (let j = 0, at = i * n; j < n; j++, at++) {
        const difference = Math.abs(value - draw[j]!) * once[at]!;
        if (difference > top) top = difference;
      }
    };
    if (n > 0) scan(bounds.indexOf(maximum(bounds, 0, n)));
    for (let i = 0; i < n; i++) if (bounds[i]! > top) scan(i);
    return top;
  });
}

function maximum(values: Float64Array, from: number, to: number): number {
  let most = -Infinity;
  for (let at = from; at < to; at++) if (values[at]! > most) most = values[at]!;
  return most;
}

function minimum(values: Float64Array): number {
  let least = Infinity;
  for (let at = 0; at < values.length; at++) if (values[at]! < least) least = values[at]!;
  return least;
}

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
  /** Those of one better item are next to each other: where each group ends, its item and its greatest factor. */
  private readonly ends: number[] = [];
  private readonly leaders: number[] = [];
  private readonly factors: number[] = [];

  /** All ordered pairs without those whose upper bound is so low that no draw reaches zero. */
  constructor(utilities: Float64Array, once: Float64Array, bound: number, most: number) {
    const n = utilities.length;
    const size = n * (n - 1);
    [this.better, this.worse] = [new Uint32Array(size), new Uint32Array(size)];
    [this.factor, this.lead, this.shift] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        if (i === j) continue;
        const factor = once[i * n + j]!;
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
    this.group();
  }

  private group(): void {
    const { better, factor, ends, leaders, factors } = this;
    ends.length = leaders.length = factors.length = 0;
    for (let at = 0; at < this.count; at++) {
      const last = ends.length - 1;
      if (last < 0 || leaders[last] !== better[at]) {
        leaders.push(better[at]!);
        factors.push(factor[at]!);
        ends.push(at + 1);
      } else {
        ends[last] = at + 1;
        factors[last] = Math.max(factors[last]!, factor[at]!);
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
    this.group();
  }

  /** The greatest studentized difference of a draw, shifted to the bounds. Groups that cannot have it are passed over. */
  greatest(draw: Float64Array): number {
    const { worse, factor, shift, ends, leaders, factors } = this;
    const low = minimum(draw);
    const boundOf = (group: number) => (draw[leaders[group]!]! - low) * factors[group]!;
    let top = 0;
    const scan = (group: number) => {
      const value = draw[leaders[group]!]!;
      for (let at = group === 0 ? 0 : ends[group - 1]!; at < ends[group]!; at++) {
        const difference = (value - draw[worse[at]!]!) * factor[at]! + shift[at]!;
        if (difference > top) top = difference;
      }
    };
    let widest = 0;
    for (let group = 1; group < ends.length; group++) if (boundOf(group) > boundOf(widest)) widest = group;
    if (ends.length > 0) scan(widest);
    for (let group = 0; group < ends.length; group++) if (boundOf(group) > top) scan(group);
    return top;
  }
}

/** 1 / standard error of each difference, and 0 on the diagonal. */
function inverseErrors(covariance: Float64Array, n: number): Float64Array {
  const once = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const variance = Math.max(0, covariance[i * n + i]! + covariance[j * n + j]! - 2 * covariance[i * n + j]!);
      once[i * n + j] = once[j * n + i] = 1 / Math.max(1e-150, Math.sqrt(variance));
    }
  }
  return once;
}

function quantileOf(values: Float64Array, level: number): number {
  const sorted = values.slice().sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(level * sorted.length) - 1)] ?? Infinity;
}
