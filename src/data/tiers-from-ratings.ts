/**
 * Tiers from ratings: equal ratings form a tier. Stars and grades stay the labels they are; with `cuts`, which ascend, a rating becomes the
 * number of cuts that it reaches; with dense=true, tiers are numbered from 0 without gaps. Items without a rating (NaN) are left out.
 */
import { check, checkOptions, isNumbers, yesOrNo } from "../arguments.ts";
import { describeValue, InputError } from "../input-error.ts";

/** Tiers of some items of a list. */
export interface TierLabels {
  /** The items that have a label, ascending. */
  readonly entries: Uint32Array;
  /** The label of each of these, higher for a better tier. */
  readonly labels: Float32Array;
}

/** Options of `tiersFromRatings`. */
export interface RatingOptions {
  /** Ascending thresholds: a rating becomes the number of cuts that it reaches. Default: ratings stay as they are. */
  readonly cuts?: readonly number[];
  /** Number the tiers from 0 without gaps. Default: false. */
  readonly dense?: boolean;
}

const someCuts = {
  wanted: "an array of finite numbers that ascend",
  fits: (cuts: unknown) => Array.isArray(cuts) && cuts.every((cut, i) => Number.isFinite(cut) && (i === 0 || cut > cuts[i - 1]!)),
};

/**
 * Tiers from the ratings of the items of a list, NaN for an item without one.
 *
 * ```ts
 * tiersFromRatings([4.5, 2, NaN, 3], { cuts: [3, 4] }).labels; // 2 0 1, of the items 0, 1 and 3
 * ```
 */
export function tiersFromRatings(ratings: ArrayLike<number>, options: RatingOptions = {}): TierLabels {
  check("tiersFromRatings", ratings, { wanted: "an array of ratings", fits: isNumbers });
  checkOptions("tiersFromRatings", options, { cuts: someCuts, dense: yesOrNo });
  const { cuts, dense = false } = options;
  const entries = Uint32Array.from(Array.from(ratings).keys()).filter((i) => {
    const rating = ratings[i];
    if (typeof rating !== "number" || !Number.isFinite(Math.fround(Number.isNaN(rating) ? 0 : rating)))
      throw new InputError(
        `tiersFromRatings: expected finite numbers, or NaN for no rating, got ${describeValue(rating)} at ${i}`,
      );
    return !Number.isNaN(rating);
  });
  const values = Array.from(entries, (i) => (cuts ? cuts.filter((cut) => ratings[i]! >= cut).length : ratings[i]!));
  if (!dense) return { entries, labels: Float32Array.from(values) };
  const known = [...new Set(values)].sort((a, b) => a - b);
  const rank = new Map(known.map((value, at) => [value, at]));
  return { entries, labels: Float32Array.from(values, (value) => rank.get(value)!) };
}
