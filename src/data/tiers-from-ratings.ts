/**
 * Tiers from ratings: equal ratings are a tier. Stars and grades stay the labels they are; with `cuts`, which ascend, a rating becomes the
 * number of cuts that it reaches; with dense=true, tiers are numbered from 0 without gaps. Items without a rating (NaN) say nothing and are
 * left out.
 */
import { InputError } from "../input-error.ts";

export interface TierLabels {
  /** Which items have a label, ascending. */
  readonly entries: Uint32Array;
  /** Of those. */
  readonly labels: Float32Array;
}

export interface RatingOptions {
  readonly cuts?: readonly number[];
  readonly dense?: boolean;
}

export function tiersFromRatings(ratings: ArrayLike<number>, { cuts, dense = false }: RatingOptions = {}): TierLabels {
  if (cuts?.some((cut, i) => !(i === 0 || cut > cuts[i - 1]!)))
    throw new InputError(`ratings: expected ascending cut points, got ${cuts.join(", ")}`);
  const entries = Uint32Array.from(Array.from(ratings).keys()).filter((i) => !Number.isNaN(ratings[i]!));
  const values = Array.from(entries, (i) => (cuts ? cuts.filter((cut) => ratings[i]! >= cut).length : ratings[i]!));
  if (!dense) return { entries, labels: Float32Array.from(values) };
  const known = [...new Set(values)].sort((a, b) => a - b);
  const rank = new Map(known.map((value, at) => [value, at]));
  return { entries, labels: Float32Array.from(values, (value) => rank.get(value)!) };
}
