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
import { descending } from "../../numeric/order.ts";

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
  const tops = new Tops(draws.length);
  const bounds = new ItemBounds(covariance, once, n);
  const firstOf = greatestDifference(bounds, once, n);
  const largest = tops.largest(level, (draw, threshold) => firstOf(draws[draw]!, threshold));
  const bound = quantileOf(largest, 1 - SELECTION * (1 - level), draws.length);
  const most = largest[0] ?? 0;
  const [low, high] = [new Uint32Array(n).fill(1), new Uint32Array(n).fill(n)];
  const open = new Hypotheses(bounds, utilities, once, bound, most);
  let critical = quantileOf(largest, level, draws.length);
  for (let [step, work] = [0, 0]; ; step++) {
    const before = open.count;
    open.reject(critical, (better, worse) => {
      low[worse]!++;
      high[better]!--;
    });
    work += open.count * draws.length;
    // The first critical value is that of all pairs, so a second step follows in any case.
    if (open.count === 0 || draws.length === 0 || (step > 0 && open.count === before) || work > WORK) return { low, high };
    const share = level + SELECTION * (1 - level);
    const greatest = tops.largest(share, (draw, threshold) => open.greatest(draws[draw]!, threshold));
    critical = Math.min(critical, quantileOf(greatest, share, draws.length));
  }
}

/** The quantile of the greatest studentized difference over all pairs. */
export function simultaneousQuantile(covariance: Float64Array, draws: readonly Float64Array[], n: number, level = 0.95): number {
  const once = inverseErrors(covariance, n);
  const greatest = greatestDifference(new ItemBounds(covariance, once, n), once, n);
  const largest = new Tops(draws.length).largest(level, (draw, threshold) => greatest(draws[draw]!, threshold));
  return quantileOf(largest, level, draws.length);
}

/**
 * The greatest difference of each draw, of which quantiles near 1 are wanted, and those of fewer and fewer pairs. So most draws need not be computed: a
 * draw counts only if it is above as many others as the quantile leaves, and its difference over fewer pairs is not above that over more.
 */
class Tops {
  /** No less than the greatest difference of each draw. */
  private readonly bounds: Float64Array;

  constructor(private readonly count: number) {
    this.bounds = new Float64Array(count).fill(Infinity);
  }

  /** The greatest differences from the quantile up, descending. `topOf` gives that of a draw, or any number that is not above `threshold` if that is not. */
  largest(level: number, topOf: (draw: number, threshold: number) => number): Float64Array {
    const { bounds, count } = this;
    const places = count - quantilePlace(level, count);
    const found = new Float64Array(places); // ascending from `from`
    let from = places;
    for (const draw of descending(bounds)) {
      const threshold = from === 0 ? found[0]! : -Infinity;
      if (bounds[draw]! <= threshold) break;
      const value = topOf(draw, threshold);
      bounds[draw] = Math.max(value, threshold);
      if (value <= threshold) continue;
      let at = from === 0 ? 0 : --from; // the smallest leaves when the places are taken
      for (; at + 1 < places && found[at + 1]! < value; at++) found[at] = found[at + 1]!;
      found[at] = value;
    }
    return found.reverse();
  }
}

/**
 * Bounds of what an item can have in a draw z, by which most are passed over. With q_i > 0 and var(i - j) ≥ r_i (q_i + q_j) for all j, by Cauchy and Schwarz
 *
 *   (z_i - z_j)² / var(i - j) ≤ (z_i² / q_i + z_j² / q_j) / r_i
 *
 * Close to equality if q are quasi-variances; here those of independent utilities, with these variances when they are made to sum to zero.
 */
class ItemBounds {
  private readonly inverse: Float64Array; // 1 / q
  private readonly factor: Float64Array; // 1 / r
  private readonly squares: Float64Array;

  constructor(covariance: Float64Array, once: Float64Array, n: number) {
    const variance = (i: number) => Math.max(0, covariance[i * n + i]!);
    let mean = 0;
    for (let i = 0; i < n; i++) mean += variance(i) / Math.max(1, n - 1);
    const q = Float64Array.from({ length: n }, (_, i) =>
      Math.max(1e-3 * mean, (variance(i) - mean / n) / Math.max(0.1, 1 - 2 / n), 1e-300),
    );
    this.inverse = q.map((one) => 1 / one);
    this.factor = q.map((own, i) => {
      let most = 0;
      for (let j = 0; j < n; j++) most = Math.max(most, (own + q[j]!) * once[i * n + j]! * once[i * n + j]!);
      return most * (1 + 1e-9); // above all rounding
    });
    this.squares = new Float64Array(n);
  }

  /** Writes the square of the bound of each item; returns the item with the largest. */
  fill(draw: Float64Array, into: Float64Array): number {
    const { inverse, factor, squares } = this;
    const n = squares.length;
    let most = 0;
    for (let i = 0; i < n; i++) {
      const square = draw[i]! * draw[i]! * inverse[i]!;
      squares[i] = square;
      if (square > most) most = square;
    }
    let widest = 0;
    for (let i = 0; i < n; i++) {
      into[i] = (squares[i]! + most) * factor[i]!;
      if (squares[i]! > squares[widest]!) widest = i;
    }
    return widest;
  }
}

/** The greatest studentized difference of a draw over all pairs, if it is above `threshold`. */
function greatestDifference(
  bounds: ItemBounds,
  once: Float64Array,
  n: number,
): (draw: Float64Array, threshold: number) => number {
  const squares = new Float64Array(n);
  return (draw, threshold) => {
    const widest = bounds.fill(draw, squares);
    let top = Math.max(0, threshold);
    for (let k = -1; k < n; k++) {
      const i = k < 0 ? widest : k;
      if (!(squares[i]! > top * top)) continue;
      const value = draw[i]!;
      for (let j = 0, at = i * n; j < n; j++, at++) {
        const difference = Math.abs(value - draw[j]!) * once[at]!;
        if (difference > top) top = difference;
      }
    }
    return top;
  };
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
  /** Those of one better item are next to each other: how many groups there are, where each ends, its item and its greatest shift. */
  private groups = 0;
  private readonly ends: Uint32Array;
  private readonly leaders: Uint32Array;
  private readonly shifts: Float64Array;
  private readonly squares: Float64Array;

  /** All ordered pairs without those whose upper bound is so low that no draw reaches zero. */
  constructor(
    private readonly bounds: ItemBounds,
    utilities: Float64Array,
    once: Float64Array,
    bound: number,
    most: number,
  ) {
    const n = utilities.length;
    const size = n * (n - 1);
    [this.better, this.worse] = [new Uint32Array(size), new Uint32Array(size)];
    [this.factor, this.lead, this.shift] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
    [this.ends, this.leaders] = [new Uint32Array(n), new Uint32Array(n)];
    [this.shifts, this.squares] = [new Float64Array(n), new Float64Array(n)];
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
    const { better, shift, ends, leaders, shifts } = this;
    let groups = 0;
    for (let at = 0; at < this.count; at++) {
      if (groups === 0 || leaders[groups - 1] !== better[at]) {
        leaders[groups] = better[at]!;
        shifts[groups] = shift[at]!;
        groups++;
      }
      const group = groups - 1;
      ends[group] = at + 1;
      shifts[group] = Math.max(shifts[group]!, shift[at]!);
    }
    this.groups = groups;
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
      better[kept] = better[at]!;
      worse[kept] = worse[at]!;
      factor[kept] = factor[at]!;
      lead[kept] = lead[at]!;
      shift[kept] = shift[at]!;
      kept++;
    }
    this.count = kept;
    this.group();
  }

  /** The greatest studentized difference of a draw, shifted to the bounds, if it is above `threshold`. */
  greatest(draw: Float64Array, threshold: number): number {
    const { worse, factor, shift, groups, ends, leaders, shifts, squares } = this;
    this.bounds.fill(draw, squares);
    let top = Math.max(0, threshold);
    for (let group = 0; group < groups; group++) {
      const leader = leaders[group]!;
      const least = top - shifts[group]!;
      if (!(squares[leader]! > least * least)) continue;
      const value = draw[leader]!;
      for (let at = group === 0 ? 0 : ends[group - 1]!; at < ends[group]!; at++) {
        const difference = (value - draw[worse[at]!]!) * factor[at]! + shift[at]!;
        if (difference > top) top = difference;
      }
    }
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

/** The place of a quantile among ascending values. */
const quantilePlace = (level: number, count: number) => Math.max(0, Math.min(count - 1, Math.ceil(level * count) - 1));

/** A quantile of `count` values from the largest of them, descending. */
const quantileOf = (largest: Float64Array, level: number, count: number): number =>
  largest[count - 1 - quantilePlace(level, count)] ?? Infinity;
