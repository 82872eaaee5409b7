/**
 * Predicted probabilities against what happened, by bins of equal width. Predictions of one list hang together, so the intervals of the
 * observed shares are bootstrapped over lists.
 */
import type { Random } from "../types.ts";
import { bootstrapMean } from "./bootstrap.ts";

/** Predicted probabilities against what happened. */
export interface Reliability {
  /** The bins with predictions, ascending. */
  readonly bins: readonly ReliabilityBin[];
  /** Number of predictions. */
  readonly count: number;
  /** Expected calibration error: |predicted - observed| of the bins, weighted by their counts. */
  readonly error: number;
}

/** Predictions of about the same probability, and how often they came true. */
export interface ReliabilityBin {
  /** Lower bound of the predictions. */
  readonly from: number;
  /** Upper bound of the predictions. */
  readonly to: number;
  /** Number of predictions. */
  readonly count: number;
  /** Mean prediction. */
  readonly predicted: number;
  /** Fraction of the predictions that came true. */
  readonly observed: number;
  /** Lower end of the interval of `observed`; NaN where one list alone fills the bin. */
  readonly low: number;
  /** Upper end of the interval of `observed`; NaN where one list alone fills the bin. */
  readonly high: number;
}

const RESAMPLES = 1000;

/** Collects predictions, from `from` to 1, and summarizes their reliability. */
export class Predictions {
  private readonly from: number;
  private readonly bins: number;
  private readonly lists: number;
  /** By bin, then list. */
  private readonly counts: Float64Array;
  private readonly hits: Float64Array;
  /** Of predictions, by bin. */
  private readonly sums: Float64Array;

  constructor(from: number, bins: number, lists: number) {
    this.from = from;
    this.bins = bins;
    this.lists = lists;
    this.counts = new Float64Array(bins * lists);
    this.hits = new Float64Array(bins * lists);
    this.sums = new Float64Array(bins);
  }

  /** What was predicted in a list came true, or did not, or is half true. */
  add(list: number, predicted: number, happened: number): void {
    const bin = Math.min(this.bins - 1, Math.floor(((predicted - this.from) / (1 - this.from)) * this.bins));
    this.counts[bin * this.lists + list]! += 1;
    this.hits[bin * this.lists + list]! += happened;
    this.sums[bin]! += predicted;
  }

  reliability(level: number, random: Random): Reliability {
    const width = (1 - this.from) / this.bins;
    const bins: ReliabilityBin[] = [];
    let [total, off] = [0, 0];
    for (let b = 0; b < this.bins; b++) {
      const counts = this.counts.subarray(b * this.lists, (b + 1) * this.lists);
      const count = counts.reduce((sum, one) => sum + one, 0);
      if (count === 0) continue;
      const shares = counts.map((one, q) => this.hits[b * this.lists + q]! / one);
      const { mean: observed, low, high } = bootstrapMean(shares, { random, weights: counts, level, resamples: RESAMPLES });
      const predicted = this.sums[b]! / count;
      bins.push({ from: this.from + b * width, to: this.from + (b + 1) * width, count, predicted, observed, low, high });
      total += count;
      off += count * Math.abs(predicted - observed);
    }
    return { bins, count: total, error: off / total };
  }
}
