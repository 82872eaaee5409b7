/** The binned training data: one byte per column, eight columns side by side, group after group. Members of a team fill it together. */
import { sortFloats } from "../../numeric/bins.ts";
import { Heap } from "../../numeric/heap.ts";
import { lengthsIn } from "../../teams/collectives.ts";
import type { BinnedFeature, BinnedFeatures, BinOptions, BundleLayout, DenseMatrix, Matrix, Shard, Team } from "../../types.ts";
import { findCategories, findEdges } from "./bins.ts";
import { CODES, COLUMNS, type DefaultBins, makeLayout } from "./layout.ts";
import { binOf, rowBinner, TILE } from "./row-binner.ts";

export interface BinnedDataset extends Pick<BinnedFeatures, "features" | "layout" | "bins"> {
  readonly rows: number;
}

/** Rows from which edges are found. */
export const SAMPLE = 100_000;
const FEWER = 2048; // of these, rows in which most frequent bins are marked
const AT_ONCE = 16; // features whose values are collected in one walk over the rows

/** What is found in a sample of rows. */
export interface FoundFeatures {
  readonly features: BinnedFeature[];
  readonly defaultBins: DefaultBins;
}

/** Row number i of the sample of so many rows: they stand at equal distances, whoever holds which rows. */
export const sampledRow = (i: number, rows: number): number => Math.floor((i * rows) / Math.min(rows, SAMPLE));

/** Bins of a feature with that of missing values. */
const widthOf = ({ bins, missing }: BinnedFeature) => bins + (missing ? 1 : 0);

export const layoutOf = ({ features, defaultBins }: Pick<FoundFeatures, "features"> & Partial<FoundFeatures>): BundleLayout =>
  makeLayout(features.map(widthOf), defaultBins);

/** Features with a bin for missing values where that is `late`: where rows outside of the sample have some. */
export const withMissing = (features: readonly BinnedFeature[], late: (feature: number) => boolean): BinnedFeature[] =>
  // A feature of one bin says nothing, so it is not looked at outside of the sample.
  features.map((feature, f) => (widthOf(feature) > 1 && !feature.missing && late(f) ? { ...feature, missing: true } : feature));

/** `shard` says which rows of all processes these are. */
export function binDataset(team: Team, matrix: Matrix, options: BinOptions, shard?: Shard): BinnedDataset {
  const found = findFeatures(team, shard ? sampleOfAll(team, matrix, shard) : matrix, options);
  const missed = team.allocShared("i32", matrix.columns, "zeros");
  for (let { features } = found; ; ) {
    const layout = layoutOf({ ...found, features });
    const bins = team.allocShared("u8", Math.max(1, layout.groups) * matrix.rows * COLUMNS, "zeros");
    fill(team, matrix, features, layout, bins, missed);
    if (shard) team.addUp(missed);
    const late = withMissing(features, (f) => missed[f] !== 0);
    if (late.every((feature, f) => feature === features[f])) return { rows: matrix.rows, features, layout, bins };
    features = late;
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

/** Finds the edges of all features in a sample of the rows; all rows are looked at where there are no more than SAMPLE. */
export function findFeatures(team: Team, matrix: Matrix, { most, fewest, categorical }: BinOptions): FoundFeatures {
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
      const bins = { edges: found, bins: found.length + 1, categorical: false };
      for (let i = 0; i < fewer; i++) binsOf[i] = binOf(values[Math.floor((i * sample) / fewer) * AT_ONCE + k]!, bins);
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
    const row = sampledRow(i, rows);
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
  features: readonly BinnedFeature[],
  layout: BundleLayout,
  bins: Uint8Array,
  missed: Int32Array,
): void {
  const { rows, columns: width } = matrix;
  const heap = new Heap();
  const onMissing = (feature: number) => {
    missed[feature] = 1;
  };
  const { tile, add } = rowBinner(heap, { features, layout, bins, rows, width, onMissing });
  const chunk = 16 * TILE;
  team.parallelFor(Math.ceil(rows / chunk), (block) => {
    const last = Math.min(rows, (block + 1) * chunk);
    for (let row = block * chunk; row < last; row += TILE) {
      const n = Math.min(TILE, last - row);
      denseRows(matrix, row, row + n, tile);
      add(0, n, row);
    }
  });
  heap.close();
}
