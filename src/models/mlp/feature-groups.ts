/** The features of a sparse batch, divided into blocks of neighboring features, so that each weight is moved by one thread. */
import type { Heap } from "../../numeric/heap.ts";
import type { RowEntries } from "../../numeric/network.ts";
import type { SparseRows } from "./rows.ts";

export class FeatureGroups {
  readonly blocks: number;
  private readonly features: number;
  private readonly heap: Heap;
  /** By feature of a block: its number of entries, then where the next of them goes. */
  private readonly places: Uint32Array;
  private capacity = 0;
  private found: RowEntries;

  constructor(heap: Heap, features: number) {
    this.heap = heap;
    this.features = features;
    this.blocks = Math.max(1, Math.min(64, Math.ceil(features / 64)));
    const width = Math.ceil(features / this.blocks) + 1;
    this.places = new Uint32Array(width);
    const rows = { rows: heap.u32(width), starts: heap.u32(width + 1) };
    this.found = { count: 0, ...rows, lines: heap.u32(0), values: heap.f32(0) };
  }

  /** The first feature of a block. */
  from(block: number): number {
    return Math.floor((this.features * block) / this.blocks);
  }

  /** Calls visit for each entry of the block in the first `count` rows, row after row. */
  visit(
    { starts, indices }: SparseRows,
    count: number,
    block: number,
    each: (feature: number, row: number, at: number) => void,
  ): void {
    const [low, high] = [this.from(block), this.from(block + 1)];
    for (let r = 0; r < count; r++)
      for (let at = lowerBound(indices, starts[r]!, starts[r + 1]!, low); at < starts[r + 1]! && indices[at]! < high; at++)
        each(indices[at]!, r, at);
  }

  /** The entries of the block by feature; `all` includes features without entries. Valid until the next call. */
  entries(batch: SparseRows, count: number, block: number, all: boolean): RowEntries {
    const { places } = this;
    const low = this.from(block);
    this.reserve(this.countEntries(batch, count, block));
    const { found } = this;
    this.placeFeatures(block, all);
    this.visit(batch, count, block, (feature, row, at) => {
      const place = places[feature - low]!++;
      found.lines[place] = row;
      found.values[place] = batch.values[at]!;
    });
    return found;
  }

  /** Counts the entries of each feature into `places`; the number of all. */
  private countEntries(batch: SparseRows, count: number, block: number): number {
    const { places } = this;
    const low = this.from(block);
    places.fill(0);
    let total = 0;
    this.visit(batch, count, block, (feature) => {
      places[feature - low] = places[feature - low]! + 1;
      total++;
    });
    return total;
  }

  private reserve(entries: number): void {
    if (entries <= this.capacity) return;
    this.capacity = 2 * entries;
    this.found = { ...this.found, lines: this.heap.u32(this.capacity), values: this.heap.f32(this.capacity) };
  }

  /** Turns counts into places, one feature after another. */
  private placeFeatures(block: number, all: boolean): void {
    const { places, found } = this;
    const [low, high] = [this.from(block), this.from(block + 1)];
    let [rows, next] = [0, 0];
    for (let f = 0; f < high - low; f++) {
      const size = places[f]!;
      places[f] = next;
      if (size === 0 && !all) continue;
      found.rows[rows] = low + f;
      found.starts[rows++] = next;
      next += size;
    }
    found.starts[rows] = next;
    found.count = rows;
  }
}

/** The first place from `from` on whose value is at least x. */
export function lowerBound(values: Uint32Array, from: number, to: number, x: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle]! < x) from = middle + 1;
    else to = middle;
  }
  return from;
}
