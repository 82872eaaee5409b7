/** The binned training data: one byte per column, eight columns side by side, group after group. Members of a team fill it together. */
import { binColumn, sortFloats } from "../../numeric/bins.ts";
import { Heap } from "../../numeric/heap.ts";
import { lengthsIn } from "../../teams/collectives.ts";
import type { DenseMatrix, Matrix, Shard, Team } from "../../types.ts";
import { findCategories, findEdges } from "./bins.ts";
import { CODES, COLUMNS, type DefaultBins, type Layout, makeLayout } from "./layout.ts";

export interface Feature {
  /** Of values. */
  readonly bins: number;
  /** Whether one more bin, the last, holds rows without a value. */
  readonly missing: boolean;
  /** Between bins; of categories, the categories themselves. */
  readonly edges: Float32Array;
  readonly categorical: boolean;
}

export interface BinnedDataset {
  readonly rows: number;
  readonly features: readonly Feature[];
  readonly layout: Layout;
  /** Byte k of row r in group g is bins[(g * rows + r) * 8 + k]. */
  readonly bins: Uint8Array;
}

const SAMPLE = 100_000; // rows from which edges are found
const FEWER = 2048; // of these, rows in which most frequent bins are marked
const AT_ONCE = 16; // features whose values are collected in one walk over the rows
const TILE = 256; // rows binned at once, whose values stay in a near cache

export interface BinOptions {
  /** Bins of values. */
  readonly most: number;
  /** Rows of a bin. */
  readonly fewest: number;
  readonly categorical: ReadonlySet<number>;
}

/** `shard` says which rows of all processes these are. */
export function binDataset(team: Team, matrix: Matrix, options: BinOptions, shard?: Shard): BinnedDataset {
  const { features, defaultBins } = findFeatures(team, shard ? sampleOfAll(team, matrix, shard) : matrix, options);
  const missed = team.allocShared("i32", matrix.columns, "zeros");
  const width = (feature: Feature) => feature.bins + (feature.missing ? 1 : 0);
  for (;;) {
    const layout = makeLayout(features.map(width), defaultBins);
    const bins = team.allocShared("u8", Math.max(1, layout.groups) * matrix.rows * COLUMNS, "zeros");
    fill(team, matrix, features, layout, bins, missed);
    if (shard) team.addUp(missed);
    // A value may be missing in rows outside the sample alone.
    const late = features.map((feature, f) => !feature.missing && missed[f] !== 0);
    if (!late.includes(true)) return { rows: matrix.rows, features, layout, bins };
    late.forEach((yes, f) => {
      if (yes) features[f] = { ...features[f]!, missing: true };
    });
    team.barrier();
  }
}

/** The sampled rows of all processes: those at equal distances that one process would take. */
function sampleOfAll(team: Team, matrix: Matrix, { starts, list }: Shard): DenseMatrix {
  const { columns } = matrix;
  const rows = starts.at(-1)!;
  const sample = Math.min(rows, SAMPLE);
  const [first, last] = [starts[list]!, starts[list]! + matrix.rows];
  const own = Array.from({ length: sample }, (_, i) => Math.floor((i * rows) / sample)).filter(
    (row) => row >= first && row < last,
  );
  const part = team.allocShared("f32", own.length * columns);
  team.parallelFor(own.length, (i) =>
    denseRows(matrix, own[i]! - first, own[i]! - first + 1, part.subarray(i * columns, (i + 1) * columns)),
  );
  const values = team.allocShared("f32", sample * columns);
  team.gather(part, lengthsIn(team, part.length), values);
  return { kind: "dense", rows: sample, columns, values };
}

function findFeatures(
  team: Team,
  matrix: Matrix,
  { most, fewest, categorical }: BinOptions,
): { features: Feature[]; defaultBins: DefaultBins } {
  const { rows, columns } = matrix;
  const edges = team.allocShared("f32", columns * CODES);
  const facts = team.allocShared("i32", columns * 2); // number of bins, whether values are missing
  const sample = Math.min(rows, SAMPLE);
  const fewer = Math.min(sample, FEWER);
  const wordsPerFeature = Math.ceil(fewer / 32);
  const [defaultBins, marks] = [team.allocShared("i32", columns), team.allocShared("u32", columns * wordsPerFeature, "zeros")];
  const binsOf = new Uint16Array(fewer);
  const heap = new Heap();
  const [values, one, spare, tallies] = [heap.f32(AT_ONCE * sample), heap.f32(sample), heap.f32(sample), heap.u32(6144)];
  team.parallelFor(Math.ceil(columns / AT_ONCE), (block) => {
    const first = block * AT_ONCE;
    const count = Math.min(AT_ONCE, columns - first);
    collect(matrix, first, count, sample, values);
    for (let k = 0; k < count; k++) {
      let n = 0;
      for (let i = 0; i < sample; i++) {
        const value = values[i * AT_ONCE + k]!;
        if (!Number.isNaN(value)) one[n++] = value === 0 ? 0 : value; // -0 is 0
      }
      sortFloats(one, n, spare, tallies);
      const sorted = one.subarray(0, n);
      const feature = first + k;
      const found = categorical.has(feature) ? findCategories(sorted, most) : findEdges(sorted, most, fewest);
      edges.set(found, feature * CODES);
      facts[2 * feature] = categorical.has(feature) ? found.length : found.length + 1;
      facts[2 * feature + 1] = n < sample || categorical.has(feature) ? 1 : 0;
      if (categorical.has(feature)) continue; // marked nowhere
      for (let i = 0; i < fewer; i++)
        binsOf[i] = binOf(values[Math.floor((i * sample) / fewer) * AT_ONCE + k]!, found, found.length + 1);
      defaultBins[feature] = mark(binsOf, marks.subarray(feature * wordsPerFeature, (feature + 1) * wordsPerFeature));
    }
  });
  heap.close();
  const features = Array.from({ length: columns }, (_, feature) => {
    const isCategory = categorical.has(feature);
    const bins = facts[2 * feature]!;
    const from = feature * CODES;
    return {
      ...{ bins, missing: facts[2 * feature + 1] === 1, categorical: isCategory },
      edges: edges.slice(from, from + (isCategory ? bins : bins - 1)),
    };
  });
  return { features, defaultBins: { bins: defaultBins, marks, wordsPerFeature, rows: fewer } };
}

/** How many edges are below a value, or `missing`. */
function binOf(value: number, edges: Float32Array, missing: number): number {
  if (Number.isNaN(value)) return missing;
  let [from, to] = [0, edges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (edges[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Marks where the most frequent bin is, and returns it. */
function mark(bins: Uint16Array, marks: Uint32Array): number {
  const counts = new Uint32Array(CODES + 1);
  let defaultBin = 0;
  for (const bin of bins) if (++counts[bin]! > counts[defaultBin]!) defaultBin = bin;
  for (let i = 0; i < bins.length; i++) if (bins[i] === defaultBin) marks[i >> 5]! |= 1 << (i & 31);
  return defaultBin;
}

/** Values of `count` features from `first` on, for a sample of rows at equal distances. */
function collect(matrix: Matrix, first: number, count: number, sample: number, into: Float32Array): void {
  const { rows, columns } = matrix;
  for (let i = 0; i < sample; i++) {
    const row = Math.floor((i * rows) / sample);
    const at = i * AT_ONCE;
    if (matrix.kind === "dense") {
      const from = row * columns + first;
      for (let k = 0; k < count; k++) into[at + k] = matrix.values[from + k]!;
    } else {
      into.fill(matrix.absent, at, at + count);
      const end = matrix.starts[row + 1]!;
      for (let e = matrix.starts[row]!; e < end; e++) {
        const k = matrix.indices[e]! - first;
        if (k >= count) break;
        if (k >= 0) into[at + k] = matrix.values[e]!;
      }
    }
  }
}

/** Writes rows from to to of a matrix, every value of them, one row after another. */
export function denseRows(matrix: Matrix, from: number, to: number, into: Float32Array): void {
  const { columns } = matrix;
  if (matrix.kind === "dense") {
    into.set(matrix.values.subarray(from * columns, to * columns));
    return;
  }
  into.fill(matrix.absent, 0, (to - from) * columns);
  for (let row = from; row < to; row++)
    for (let e = matrix.starts[row]!; e < matrix.starts[row + 1]!; e++)
      into[(row - from) * columns + matrix.indices[e]!] = matrix.values[e]!;
}

function fill(
  team: Team,
  matrix: Matrix,
  features: readonly Feature[],
  layout: Layout,
  bins: Uint8Array,
  missed: Int32Array,
): void {
  const { rows, columns } = matrix;
  const heap = new Heap();
  const tile = heap.f32(TILE * columns);
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
  const chunk = 16 * TILE;
  team.parallelFor(Math.ceil(rows / chunk), (block) => {
    const last = Math.min(rows, (block + 1) * chunk);
    for (let row = block * chunk; row < last; row += TILE) {
      const n = Math.min(TILE, last - row);
      denseRows(matrix, row, row + n, tile);
      features.forEach(({ bins: count }, f) => {
        const slot = layout.slots[f];
        const at = slot ? (Math.floor(slot.column / COLUMNS) * rows + row) * COLUMNS + (slot.column % COLUMNS) : 0;
        const kind = kinds[f];
        if (!slot) return;
        if (kind) for (let i = 0; i < n; i++) bins[at + COLUMNS * i]! += (kind.get(tile[i * columns + f]!) ?? count) * slot.step;
        else if (binColumn(tile, f, columns, n, padded[f]!, halves[f]!, count, slot.step, bins, at) > 0) missed[f] = 1;
      });
    }
  });
  heap.close();
}
