/** Takes rows and keeps nothing of them but bins, each row at its place. */
import type { RowSink, RowWindow } from "../../data/row-sink.ts";
import { InputError } from "../../input-error.ts";
import { COLUMNS } from "../../models/trees/layout.ts";
import { type RowBinner, rowBinner, TILE } from "../../models/trees/row-binner.ts";
import type { Heap } from "../../numeric/heap.ts";
import { scatterRows } from "../../numeric/index-values.ts";
import type { BinnedFeatures, DenseMatrix } from "../../types.ts";

/** Plain data from which threads make such a sink; `bins` lies in memory that they share. */
export interface BinJob {
  readonly kind: "bins";
  readonly binned: BinnedFeatures;
  readonly rows: number;
  /** Columns of the rows that are read. */
  readonly width: number;
  /** The number of their first feature. */
  readonly base: number;
  /** Value of columns that the rows do not have. */
  readonly absent: number;
  /** By feature of the bins: its column in the rows that are read, or -1; undefined where both are the same. */
  readonly source?: Int32Array | undefined;
  /** Row r in the order of reading stands at place[r] of the data. */
  readonly place?: Uint32Array | undefined;
}

/** `heap` has what is needed while rows are taken. */
export function binSink(job: BinJob, heap: Heap): RowSink {
  const { binned, rows, width, base, absent, source, place } = job;
  const binner = rowBinner(heap, { ...binned, rows, width, absent, ...(source && { source }) });
  const [ends, tile] = [heap.u32(TILE), binner.tile];

  /** Writes rows of the window, from its row r on, to the tile. */
  function spread(window: RowWindow, r: number, n: number): void {
    const from = r === 0 ? 0 : window.ends[r - 1]!;
    for (let k = 0; k < n; k++) ends[k] = window.ends[r + k]! - from;
    if (window.absent === 0) tile.fill(0, 0, n * width);
    const [numbers, values] = [window.numbers.subarray(from), window.values.subarray(from)];
    scatterRows(numbers, values, ends.subarray(0, n), tile, width, base, window.absent);
  }

  return {
    job,
    take(window, first) {
      checkRows(window, first, job);
      for (let r = 0; r < window.ends.length; r += TILE) {
        const n = Math.min(TILE, window.ends.length - r);
        spread(window, r, n);
        if (!place) writeBins(job, binner, 0, n, first + r);
        else for (let k = 0; k < n; k++) writeBins(job, binner, k, 1, place[first + r + k]!);
      }
    },
    part: () => undefined,
    join() {},
    finish(read): DenseMatrix {
      if (read.rows !== rows) throw changed();
      const { features } = binned;
      return { kind: "dense", rows, columns: features.length, values: new Float32Array(0), absent, binned };
    },
  };
}

/** Writes the bins of n rows of the tile. Rows may be read twice, when threads meet an error and one thread begins again. */
function writeBins({ binned: { bins, layout }, rows }: BinJob, binner: RowBinner, first: number, n: number, row: number): void {
  for (let g = 0; g < layout.groups; g++) bins.fill(0, (g * rows + row) * COLUMNS, (g * rows + row + n) * COLUMNS);
  binner.add(first, n, row);
}

/** Refuses rows that were not there when the columns were counted. */
function checkRows({ numbers, ends }: RowWindow, first: number, { rows, width, base }: BinJob): void {
  if (first + ends.length > rows) throw changed();
  for (let r = 0; r < ends.length; r++) {
    const [from, to] = [r === 0 ? 0 : ends[r - 1]!, ends[r]!];
    if (to > from && (numbers[from]! < base || numbers[to - 1]! >= base + width)) throw changed();
  }
}

export const changed = (): InputError =>
  new InputError("the data were changed between the two rounds of reading; read them again when nothing writes to them");
