/** Writes the bins of rows, a tile of dense rows at a time, whose values stay in a near cache. */
import { binColumn } from "../../numeric/bins.ts";
import type { Heap } from "../../numeric/heap.ts";
import type { BinnedFeatures } from "../../types.ts";
import { COLUMNS } from "./layout.ts";

/** Rows of a tile. */
export const TILE = 256;

export interface RowBinner {
  /** For the caller to fill with rows of values. */
  readonly tile: Float32Array;
  /** Adds the bins of n rows of the tile, from its row `first` on, to the bytes of rows from `row` on, which were 0. */
  add(first: number, n: number, row: number): void;
}

export interface RowBinnerOptions extends Pick<BinnedFeatures, "features" | "layout" | "bins"> {
  /** In all. */
  readonly rows: number;
  /** Columns of the tile. */
  readonly width: number;
  /** By feature: its column of the tile, or -1 where the rows have no such column; absent where both are the same. */
  readonly source?: Int32Array;
  /** Value of a column that the rows do not have. */
  readonly absent?: number;
  /** Called with features of which a value is missing. */
  readonly onMissing?: (feature: number) => void;
}

/** `heap` holds the tile and what is looked up; the caller closes it. */
export function rowBinner(heap: Heap, options: RowBinnerOptions): RowBinner {
  const { features, layout, bins, rows, width, source, absent = 0, onMissing } = options;
  const tile = heap.f32(TILE * width);
  // Edges with infinities up to the next power of two, so that every search takes the same steps.
  const halves = features.map(({ bins }) => {
    let half = 1;
    while (2 * half < bins) half *= 2;
    return half;
  });
  const padded = features.map(({ edges, categorical }, f) => {
    const all = heap.f32(2 * halves[f]!).fill(Infinity);
    if (!categorical) all.set(edges);
    return all;
  });
  const kinds = features.map(({ edges, categorical }) =>
    categorical ? new Map(Array.from(edges, (c, b) => [c, b])) : undefined,
  );
  return {
    tile,
    add(first, n, row) {
      features.forEach((feature, f) => {
        const slot = layout.slots[f];
        if (!slot) return;
        const at = (Math.floor(slot.column / COLUMNS) * rows + row) * COLUMNS + (slot.column % COLUMNS);
        const column = source ? source[f]! : f;
        const kind = kinds[f];
        if (column < 0) {
          const code = binOf(absent, feature) * slot.step;
          for (let i = 0; i < n; i++) bins[at + COLUMNS * i]! += code;
        } else if (kind)
          for (let i = 0; i < n; i++)
            bins[at + COLUMNS * i]! += (kind.get(tile[(first + i) * width + column]!) ?? feature.bins) * slot.step;
        else {
          const from = first * width + column;
          const missed = binColumn(tile, from, width, n, padded[f]!, halves[f]!, feature.bins, slot.step, bins, at);
          if (missed > 0) onMissing?.(f);
        }
      });
    },
  };
}

/** The bin of a value: how many edges are below it, or that of missing values. */
export function binOf(value: number, { edges, bins, categorical }: Omit<BinnedFeatures["features"][number], "missing">): number {
  if (Number.isNaN(value)) return bins;
  if (categorical) return edges.includes(value) ? edges.indexOf(value) : bins;
  let [from, to] = [0, edges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (edges[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
