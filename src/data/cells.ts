/**
 * Collects the cells of a feature matrix row by row, without an object per row.
 *
 * Rows are collected in a small window of (index, value) pairs. A full window is sealed into a block, dense if at least a third of it is
 * filled and sparse otherwise, so pending data are about as large as the final matrix. If the number of rows is known approximately, dense
 * blocks are written to their final place and nothing is copied at the end.
 */
import { InputError } from "../input-error.ts";
import type { Heap } from "../numeric/heap.ts";
import { readIndexValues, scatterRows } from "../numeric/index-values.ts";
import type { Matrix } from "../types.ts";
import { type Block, copied, type FeatureStorage, isDense, joined, layOut, moveRows, NOTHING, shared } from "./blocks.ts";
import { isWhole, type Reserve, rowsOf } from "./reserve.ts";
import { EXACT, type Rounded, RoundedNumbers } from "./rounded.ts";
import type { RowSink } from "./row-sink.ts";

const WINDOW_CELLS = 1 << 16;
const WINDOW_ROWS = 1 << 12;

export interface CellsOptions {
  /** 0 or NaN. */
  readonly absent: number;
  /** The number of the first feature. */
  readonly base: 0 | 1 | "auto";
  /** For what is needed until the matrix is finished. */
  readonly scratch?: Heap;
  /** For the matrix. */
  readonly heap?: Heap;
  /** The window waits for `part` however large it grows. */
  readonly held?: boolean;
  /** Takes the rows, of which nothing is kept here. */
  readonly sink?: RowSink;
}

/** Cells collected by another thread. */
export interface CellsPart {
  readonly rows: number;
  readonly filled: number;
  readonly lowest: number;
  readonly highest: number;
  /** Undefined: the rows stand in the reserve. */
  readonly block: Block | undefined;
  readonly rounded: readonly (readonly [number, Rounded])[];
  /** What a sink gathered from the rows. */
  readonly sunk?: unknown;
}

export class Cells {
  rows = 0;
  /** Cells written, missing ones included. */
  filled = 0;
  /** Feature numbers as written. */
  lowest = Number.POSITIVE_INFINITY;
  highest = -1;
  /** Since the section began. */
  highestHere = -1;
  /** About how many rows are still to come, where that is known. */
  expected: (() => number) | undefined;
  reserve: Reserve | undefined;
  /** What 32-bit floats have rounded, by feature number as written. */
  readonly rounded = new RoundedNumbers();
  private readonly options: CellsOptions;
  private blocks: Block[] = [];
  private numbers: Uint32Array;
  private values: Float32Array;
  private ends: Uint32Array;
  /** Where the text was left, and how many pairs the window holds. */
  private readonly state: Uint32Array;
  private used = 0;
  private windowRows = 0;
  private windowLowest = Number.POSITIVE_INFINITY;
  /** Of the window: its highest number and one. */
  private width = 0;
  private last = -1;
  private ascending = true;

  constructor(options: CellsOptions) {
    this.options = options;
    const size = options.scratch ? 2 * WINDOW_CELLS : 1 << 10;
    this.numbers = this.whole(size);
    this.values = this.floats(size);
    this.ends = this.whole(WINDOW_ROWS);
    this.state = this.whole(2);
  }

  /** A cell of the current row, at the number that the file gives the feature. NaN is a missing value. */
  add(number: number, value: number): void {
    const at = this.used;
    if (at === this.numbers.length) this.widen();
    this.numbers[at] = number;
    this.values[at] = value + 0; // -0 becomes 0, so that both ways of storing hold the same bits
    if (number <= this.last) this.ascending = false;
    this.last = number;
    this.used = at + 1;
    if (value > EXACT || value < -EXACT) this.rounded.note(number, value);
  }

  /** Cells of the current row from text, as far as `readIndexValues` reads it; numbers begin at `least`. Gives where it stopped. */
  read(bytes: Uint8Array, at: number, least: number): number {
    const { state } = this;
    state[0] = at;
    for (;;) {
      const before = (state[1] = this.used);
      readIndexValues(bytes, state, this.numbers, this.values, this.numbers.length, Math.max(this.last, least - 1));
      const used = (this.used = state[1]!);
      if (used > before) this.last = this.numbers[used - 1]!;
      if (used < this.numbers.length) return state[0]!;
      this.widen();
    }
  }

  /** Ends the current row. Gives the number of a feature that occurs twice, or -1. */
  end(): number {
    const from = this.windowRows === 0 ? 0 : this.ends[this.windowRows - 1]!;
    const to = this.used;
    if (!this.ascending) {
      const twice = this.sort(from, to);
      if (twice >= 0) return twice;
    }
    if (to > from) {
      const [first, last] = [this.numbers[from]!, this.numbers[to - 1]!];
      if (first < this.windowLowest) this.windowLowest = first;
      if (last >= this.width) this.width = last + 1;
    }
    this.filled += to - from;
    this.rows++;
    this.ends[this.windowRows++] = to;
    this.last = -1;
    this.ascending = true;
    if (this.windowRows === this.ends.length || to >= WINDOW_CELLS) {
      if (!this.options.held) this.seal();
      else if (this.windowRows === this.ends.length) this.ends = copied(this.ends, this.whole(this.ends.length * 2));
    }
    return -1;
  }

  /** Seals the cells so far, so that lowest and highest count all rows. */
  seal(): void {
    const rows = this.windowRows;
    if (rows === 0) return;
    this.count(this.windowLowest, this.width - 1);
    if (this.options.sink) {
      this.sinkRows(this.options.sink, this.rows - rows);
      return;
    }
    const place = this.placeFor(rows, this.used);
    if (place) {
      this.spread(place);
      this.blocks = joined(this.blocks, place);
    } else this.blocks.push(this.ownBlock());
    this.empty();
  }

  /**
   * Removes the cells so far, for another thread: into the sink, whose row number `first` they begin with, into the reserve, which begins with
   * their first row, or as a block.
   */
  part(reserve: Reserve | undefined, first = 0): CellsPart {
    const { rows, filled, windowLowest, width } = this;
    const { sink } = this.options;
    if (sink) this.sinkRows(sink, first);
    const place = reserve && this.within(reserve, rows, this.used) ? rowsOf(reserve, rows) : undefined;
    if (place) this.spread(place);
    const block = place || sink ? undefined : shared(this.ownBlock());
    const rounded = [...this.rounded.columns];
    this.empty();
    this.rows = this.filled = 0;
    this.rounded.clear();
    return { rows, filled, lowest: windowLowest, highest: width - 1, block, rounded, ...(sink && { sunk: sink.part() }) };
  }

  /** Appends cells of another thread. Rows have their places in the reserve whether they are stored there or not. */
  join({ rows, filled, lowest, highest, block, rounded, sunk }: CellsPart): void {
    for (const [number, one] of rounded) this.rounded.add(number, one);
    this.rows += rows;
    this.filled += filled;
    this.count(lowest, highest);
    if (this.options.sink) {
      this.options.sink.join(sunk);
      return;
    }
    const place = this.reserve && this.reserve.used + rows <= this.reserve.rows ? rowsOf(this.reserve, rows) : undefined;
    if (block) this.blocks.push(block);
    else this.blocks = joined(this.blocks, place!);
  }

  /** The matrix of all rows; row r stands at place[r] when places are given. The cells are used up. */
  finish(base: number, columns: number, storage: FeatureStorage, place?: Uint32Array): Matrix {
    this.seal();
    const { heap, absent, sink } = this.options;
    if (sink) return sink.finish({ rows: this.rows, columns, base, place });
    const dense = storage === "auto" ? isDense(this.filled, this.rows, columns) : storage === "dense";
    const [only, more] = this.blocks;
    if (dense && heap && this.reserve && only && !more && isWhole(only, this.reserve, base, columns)) {
      const values = heap.shorten(this.reserve.values, this.rows * columns);
      if (place) moveRows(values, columns, place);
      return { kind: "dense", rows: this.rows, columns, values, absent };
    }
    const blocks = this.blocks;
    this.blocks = [];
    return layOut(blocks, { rows: this.rows, base, columns, absent, place, heap }, dense ? "dense" : "sparse");
  }

  private whole = (length: number): Uint32Array => this.options.scratch?.u32(length) ?? new Uint32Array(length);
  private floats = (length: number): Float32Array => this.options.scratch?.f32(length) ?? new Float32Array(length);

  private widen(): void {
    const size = this.numbers.length * 2;
    this.numbers = copied(this.numbers, this.whole(size));
    this.values = copied(this.values, this.floats(size));
  }

  private count(lowest: number, highest: number): void {
    this.lowest = Math.min(this.lowest, lowest);
    this.highest = Math.max(this.highest, highest);
    this.highestHere = Math.max(this.highestHere, highest);
  }

  private sort(from: number, to: number): number {
    const order = new Uint32Array(to - from).map((_, i) => from + i);
    order.sort((a, b) => this.numbers[a]! - this.numbers[b]!);
    const numbers = Uint32Array.from(order, (at) => this.numbers[at]!);
    const values = Float32Array.from(order, (at) => this.values[at]!);
    for (let i = 1; i < numbers.length; i++) if (numbers[i] === numbers[i - 1]) return numbers[i]!;
    this.numbers.set(numbers, from);
    this.values.set(values, from);
    return -1;
  }

  private empty(): void {
    this.used = 0;
    this.windowRows = 0;
    this.windowLowest = Number.POSITIVE_INFINITY;
    this.width = 0;
  }

  private sinkRows(sink: RowSink, first: number): void {
    const { numbers, values, used, windowRows } = this;
    const ends = this.ends.subarray(0, windowRows);
    const pairs = { numbers: numbers.subarray(0, used), values: values.subarray(0, used) };
    if (windowRows > 0) sink.take({ ...pairs, ends, absent: this.options.absent }, first);
    this.empty();
  }

  private get origin(): number {
    return this.options.base === 0 || this.windowLowest === 0 ? 0 : 1;
  }

  private within({ origin, width, rows, used }: Reserve, more: number, cells: number): boolean {
    const fits = used + more <= rows && this.windowLowest >= origin && this.width <= origin + width;
    return fits && isDense(cells, more, origin + width);
  }

  /** Where the rows of the window go when they are dense enough and about how many follow is known. */
  private placeFor(rows: number, cells: number): Block | undefined {
    const open = this.reserve;
    if (open && this.within(open, rows, cells)) return rowsOf(open, rows);
    if (!isDense(cells, rows, this.width) || this.width === 0 || !this.expected) return undefined;
    if (open && this.windowLowest >= open.origin && this.width <= open.origin + open.width && open.used + rows <= open.rows)
      return undefined; // some emptier rows among fuller ones
    return this.open(Math.max(rows, this.expected()), rows);
  }

  private open(expected: number, rows: number): Block | undefined {
    const { heap, scratch } = this.options;
    const from = heap ?? scratch;
    const origin = Math.min(this.origin, this.reserve?.origin ?? 1);
    const width = Math.max(this.width, this.reserve ? this.reserve.origin + this.reserve.width : 0) - origin;
    if (!from || expected * width * 4 > MOST_BYTES) return undefined;
    try {
      if (this.reserve) from.shorten(this.reserve.values, this.reserve.used * this.reserve.width);
      this.reserve = { values: from.f32(expected * width, "zeros"), width, origin, rows: expected, used: 0 };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.expected = undefined; // kernel memory is full
      return undefined;
    }
    return rowsOf(this.reserve, rows);
  }

  private spread({ values, width, origin }: Block): void {
    const ends = this.ends.subarray(0, this.windowRows);
    scatterRows(this.numbers, this.values, ends, values, width, origin, this.options.absent);
  }

  /** The window as a block of its own. */
  private ownBlock(): Block {
    const [rows, used, origin] = [this.windowRows, this.used, this.origin];
    const width = this.width - origin;
    if (used > 0 && isDense(used, rows, this.width)) {
      const block = { rows, width, origin, values: new Float32Array(rows * width), numbers: NOTHING, ends: NOTHING };
      this.spread(block);
      return block;
    }
    const numbers = copied(this.numbers.subarray(0, used), new Uint32Array(used));
    const values = copied(this.values.subarray(0, used), new Float32Array(used));
    return { rows, width: 0, origin, values, numbers, ends: copied(this.ends.subarray(0, rows), new Uint32Array(rows)) };
  }
}

/** Of the 4 GiB that the kernels reach, what a matrix may have. */
const MOST_BYTES = 3 * 2 ** 30;
