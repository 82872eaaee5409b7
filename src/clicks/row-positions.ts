/**
 * Inverse propensities for rows of which it is known at which position each was shown (LightGBM's position files): a list is an impression, and a label above 0
 * a click. Propensities are those of regression-based EM on the features of the rows, because the same document in two lists has no name there.
 */
import type { Dataset } from "../types.ts";
import { clickRates, designOf, rawFeatures } from "./document-features.ts";
import type { Exposures } from "./exposures.ts";
import { regressionEm } from "./regression-em.ts";

const MOST_ROWS = 50_000; // that propensities are estimated from: whole lists, evenly spaced

export interface RowPropensities {
  /** By position; undefined where the first has no click. */
  readonly propensities: Float64Array | undefined;
  /** By row: the weight of the row times its inverse propensity, where it is a click. */
  readonly weights: Float32Array;
}

/** Propensities of positions 0 to `count` - 1 and the weights that follow; rows without a position (NaN) keep theirs. */
export function rowPropensities(data: Dataset, positions: Float32Array, count: number, clip: number): RowPropensities {
  const { labels, itemWeights } = data;
  const rows = sampledRows(data).filter((row) => !Number.isNaN(positions[row]!));
  const weights = itemWeights ? itemWeights.slice() : new Float32Array(labels.length).fill(1);
  const clicked = Float64Array.from(rows, (row) => (labels[row]! > 0 ? 1 : 0));
  if (!rows.some((row, i) => positions[row] === 0 && clicked[i] === 1)) return { propensities: undefined, weights };
  const counts: Exposures = {
    ...{ positions: count, contexts: 1, starts: Uint32Array.from({ length: rows.length + 1 }, (_, i) => i) },
    ...{
      query: new Uint32Array(rows.length),
      document: Uint32Array.from(rows),
      position: Uint32Array.from(rows, (row) => positions[row]!),
    },
    ...{ context: new Uint32Array(rows.length), shown: new Float64Array(rows.length).fill(1), clicked },
    entryOf: Uint32Array.from(rows.keys()),
  };
  const propensities = regressionEm(counts, designOf(clickRates(counts), rawFeatures(data.features), Int32Array.from(rows)));
  for (let row = 0; row < labels.length; row++) {
    const position = positions[row]!;
    if (labels[row]! > 0 && !Number.isNaN(position)) weights[row]! *= 1 / Math.max(propensities[position]!, 1 / clip);
  }
  return { propensities, weights };
}

function sampledRows({ starts, labels }: Dataset): number[] {
  const every = Math.ceil(labels.length / MOST_ROWS);
  const rows: number[] = [];
  for (let q = 0; q < starts.length - 1; q += every) for (let row = starts[q]!; row < starts[q + 1]!; row++) rows.push(row);
  return rows;
}
