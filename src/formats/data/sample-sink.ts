/**
 * Takes the sample of rows from which the edges of bins are found, and notes which features have missing values anywhere. The rows of the
 * sample are the same whichever threads or processes read them, and in whatever pieces: those that a training on the values would look at.
 */
import { type Block, isDense, layOut, shared } from "../../data/blocks.ts";
import type { RowSink, RowsRead, RowWindow } from "../../data/row-sink.ts";
import { SAMPLE, sampledRow } from "../../models/trees/binned-dataset.ts";
import type { DenseMatrix, Matrix } from "../../types.ts";

/** Plain data from which threads make such a sink. */
export interface SampleJob {
  readonly kind: "sample";
  /** So many rows are expected in all, of all files and processes; 0: nothing is sampled. */
  readonly rows: number;
  /** Row r in the order of reading stands at place[r] of the data. */
  readonly place?: Uint32Array | undefined;
  /** Rows that other processes have before those that are read. Default: 0. */
  readonly before?: number;
}

/** What was found in some rows. */
export interface SamplePart {
  /** Sampled rows, as pairs of feature number and value. */
  readonly blocks: Block[];
  /** Of each of these rows, its number in the sample. */
  readonly indices: number[];
  /** Features that a row has with a missing value. */
  readonly missing: Set<number>;
  /** Features that all rows have a value of, where a feature that a row leaves out is missing; undefined before the first row. */
  complete: Uint32Array | undefined;
  /** The value of features that a row leaves out; undefined before the first row. */
  absent: number | undefined;
}

/** What is known when all rows were read. */
export interface SampledRows {
  readonly read: RowsRead;
  /** The rows of the sample in their order; undefined if other rows were expected than came. */
  readonly sample: Matrix | undefined;
  /** Whether a value of the column is missing in any row. */
  isMissing(column: number): boolean;
  /** Value of features that a row leaves out. */
  readonly absent: number;
}

export interface SampleSink extends RowSink {
  readonly job: SampleJob;
  /** To be called after `finish`. */
  result(): SampledRows;
}

const nothing = (): SamplePart => ({ blocks: [], indices: [], missing: new Set(), complete: undefined, absent: undefined });

export function sampleSink(job: SampleJob): SampleSink {
  let found = nothing();
  let read: RowsRead | undefined;
  const completeIn = completeFeatures();

  return {
    job,
    take(window, first) {
      const { absent } = window;
      const complete = absent === 0 ? undefined : completeIn(window);
      add(found, { ...sampled(window, first, job), missing: missingIn(window), complete, absent });
    },
    part() {
      const part = found;
      found = nothing();
      return part;
    },
    join: (part) => add(found, part as SamplePart),
    finish(all): DenseMatrix {
      read = all;
      return { kind: "dense", rows: all.rows, columns: all.columns, values: new Float32Array(0) };
    },
    result() {
      const { base } = read!;
      const { missing, absent = 0 } = found;
      const always = new Set(found.complete);
      return {
        ...{ read: read!, absent, sample: sampleMatrix(found, read!, job) },
        isMissing: (column) => missing.has(column + base) || (absent !== 0 && !always.has(column + base)),
      };
    },
  };
}

/** The sampled rows of a window, in memory that threads share. */
function sampled(
  { numbers, values, ends }: RowWindow,
  first: number,
  { rows, place, before = 0 }: SampleJob,
): Pick<SamplePart, "blocks" | "indices"> {
  const size = Math.min(rows, SAMPLE);
  const [indices, chosen]: [number[], number[]] = [[], []];
  for (let r = 0; r < ends.length && size > 0; r++) {
    const row = before + (place ? place[first + r]! : first + r);
    const i = Math.ceil((row * size) / rows);
    if (i >= size || sampledRow(i, rows) !== row) continue;
    indices.push(i);
    chosen.push(r);
  }
  if (chosen.length === 0) return { blocks: [], indices };
  const from = (r: number) => (r === 0 ? 0 : ends[r - 1]!);
  const kept = { numbers: new Uint32Array(0), values: new Float32Array(0), ends: new Uint32Array(chosen.length) };
  let total = 0;
  chosen.forEach((r, k) => {
    total += ends[r]! - from(r);
    kept.ends[k] = total;
  });
  kept.numbers = new Uint32Array(total);
  kept.values = new Float32Array(total);
  chosen.forEach((r, k) => {
    const at = k === 0 ? 0 : kept.ends[k - 1]!;
    kept.numbers.set(numbers.subarray(from(r), ends[r]!), at);
    kept.values.set(values.subarray(from(r), ends[r]!), at);
  });
  return { blocks: [shared({ rows: chosen.length, width: 0, origin: 0, ...kept })], indices };
}

/** Finds the features that every row of a window has a value of. */
function completeFeatures(): (window: RowWindow) => Uint32Array {
  let counts = new Uint32Array(1024);
  return ({ numbers, values, ends }) => {
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      if (number >= counts.length) {
        const larger = new Uint32Array(Math.max(2 * counts.length, number + 1));
        larger.set(counts);
        counts = larger;
      }
      if (!Number.isNaN(values[i]!)) counts[number]!++;
    }
    const all = numbers.subarray(0, ends[0]).filter((number) => counts[number] === ends.length);
    for (let i = 0; i < numbers.length; i++) counts[numbers[i]!] = 0;
    return new Uint32Array(all);
  };
}

function missingIn({ numbers, values }: RowWindow): Set<number> {
  const missing = new Set<number>();
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i]!)) missing.add(numbers[i]!);
  return missing;
}

/** Adds what was found in other rows. */
function add(found: SamplePart, { blocks, indices, missing, complete, absent }: SamplePart): void {
  if (absent === undefined) return;
  found.blocks.push(...blocks);
  found.indices.push(...indices);
  for (const number of missing) found.missing.add(number);
  if (complete && found.complete) {
    const both = new Set(complete);
    found.complete = found.complete.filter((number) => both.has(number));
  } else found.complete ??= complete;
  found.absent = absent;
}

/** The rows of the sample, in the order of the data. */
function sampleMatrix(
  { blocks, indices, absent = 0 }: SamplePart,
  { rows, columns, base, place }: RowsRead,
  job: SampleJob,
): Matrix | undefined {
  if (job.rows !== rows || (place && !job.place)) return undefined;
  const filled = blocks.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const size = Math.min(rows, SAMPLE);
  const layout = { rows: size, base, columns, absent, place: Uint32Array.from(indices), heap: undefined };
  return layOut([...blocks], layout, isDense(filled, size, columns) ? "dense" : "sparse");
}
