/**
 * The cells of a feature matrix while its rows arrive, without an object per row.
 *
 * Rows gather in a small window of (number, value) pairs. A full window is sealed into a block, dense when at least a third of it is
 * filled and sparse otherwise, so that what waits is about as large as the matrix it becomes. Blocks are dropped as they are copied.
 */
import { Mistake } from "../mistake.ts";
import type { DenseMatrix, Matrix, SparseMatrix } from "../types.ts";

export type Storage = "auto" | "dense" | "sparse";

interface Block {
  readonly rows: number;
  readonly width: number; // of a dense block; 0 in a sparse one
  readonly values: Float32Array;
  readonly numbers: Uint32Array; // empty in a dense block
  readonly ends: Uint32Array; // empty in a dense block
}

const WINDOW_CELLS = 1 << 16;
const WINDOW_ROWS = 1 << 12;
const NOTHING = new Uint32Array(0);

/** At least about a third of the cells: below that, pairs of number and value take less room and less time. */
export const isDense = (filled: number, rows: number, columns: number) => filled * 3 >= rows * columns;

export class Cells {
  rows = 0;
  filled = 0; // cells written, missing ones included
  lowest = Number.POSITIVE_INFINITY; // feature numbers as written
  highest = -1;
  highestHere = -1; // since the section began
  private readonly absent: number;
  private blocks: (Block | undefined)[] = [];
  private numbers = new Uint32Array(1 << 10);
  private values = new Float32Array(1 << 10);
  private ends = new Uint32Array(WINDOW_ROWS);
  private used = 0;
  private windowRows = 0;
  private width = 0; // of the window: its highest number and one
  private last = -1;
  private ascending = true;

  constructor(absent: number) {
    this.absent = absent;
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
  }

  /** Ends the current row. Gives the number of a feature that stands in it twice, or -1. */
  end(): number {
    const from = this.windowRows === 0 ? 0 : this.ends[this.windowRows - 1]!;
    const to = this.used;
    if (!this.ascending) {
      const twice = this.sort(from, to);
      if (twice >= 0) return twice;
    }
    if (to > from) {
      this.lowest = Math.min(this.lowest, this.numbers[from]!);
      const last = this.numbers[to - 1]!;
      if (last > this.highest) this.highest = last;
      if (last > this.highestHere) this.highestHere = last;
      if (last >= this.width) this.width = last + 1;
    }
    this.filled += to - from;
    this.rows++;
    this.ends[this.windowRows++] = to;
    this.last = -1;
    this.ascending = true;
    if (to >= WINDOW_CELLS || this.windowRows === WINDOW_ROWS) this.seal();
    return -1;
  }

  /** The matrix of all rows; row r stands at place[r] when places are given. The cells are used up. */
  finish(base: number, columns: number, storage: Storage, place?: Uint32Array): Matrix {
    this.seal();
    const dense = storage === "auto" ? isDense(this.filled, this.rows, columns) : storage === "dense";
    return dense ? this.toDense(base, columns, place) : this.toSparse(base, columns, place);
  }

  private widen(): void {
    const numbers = new Uint32Array(this.numbers.length * 2);
    numbers.set(this.numbers);
    this.numbers = numbers;
    const values = new Float32Array(numbers.length);
    values.set(this.values);
    this.values = values;
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

  private seal(): void {
    const rows = this.windowRows;
    if (rows === 0) return;
    const used = this.ends[rows - 1]!;
    const width = this.width;
    this.blocks.push(isDense(used, rows, width) ? this.denseBlock(rows, width) : this.sparseBlock(rows, used));
    this.used = 0;
    this.windowRows = 0;
    this.width = 0;
  }

  private denseBlock(rows: number, width: number): Block {
    const values = new Float32Array(rows * width);
    if (this.absent !== 0) values.fill(this.absent);
    for (let row = 0, i = 0; row < rows; row++) {
      const end = this.ends[row]!;
      for (const offset = row * width; i < end; i++) values[offset + this.numbers[i]!] = this.values[i]!;
    }
    return { rows, width, values, numbers: NOTHING, ends: NOTHING };
  }

  private sparseBlock(rows: number, used: number): Block {
    const numbers = this.numbers.slice(0, used);
    return { rows, width: 0, values: this.values.slice(0, used), numbers, ends: this.ends.slice(0, rows) };
  }

  private toDense(base: number, columns: number, place: Uint32Array | undefined): DenseMatrix {
    const values = allocate(this.rows, columns);
    if (this.absent !== 0) values.fill(this.absent);
    let first = 0;
    for (let b = 0; b < this.blocks.length; b++) {
      const { rows, width, values: cells, numbers, ends } = this.blocks[b]!;
      for (let row = 0, i = 0; row < rows; row++) {
        const offset = (place ? place[first + row]! : first + row) * columns - base;
        if (ends.length === 0) {
          if (width > base) values.set(cells.subarray(row * width + base, (row + 1) * width), offset + base);
        } else for (const end = ends[row]!; i < end; i++) values[offset + numbers[i]!] = cells[i]!;
      }
      first += rows;
      this.blocks[b] = undefined;
    }
    return { kind: "dense", rows: this.rows, columns, values, absent: this.absent };
  }

  private toSparse(base: number, columns: number, place: Uint32Array | undefined): SparseMatrix {
    const sizes = new Float64Array(this.rows + 1);
    let first = 0;
    for (const block of this.blocks) {
      for (let row = 0; row < block!.rows; row++)
        sizes[(place ? place[first + row]! : first + row) + 1] = this.stored(block!, row, base);
      first += block!.rows;
    }
    for (let row = 0; row < this.rows; row++) sizes[row + 1]! += sizes[row]!;
    const starts = sizes[this.rows]! < 2 ** 32 ? Uint32Array.from(sizes) : sizes;
    const indices = new Uint32Array(starts[this.rows]!);
    const values = new Float32Array(starts[this.rows]!);
    first = 0;
    for (let b = 0; b < this.blocks.length; b++) {
      const block = this.blocks[b]!;
      for (let row = 0; row < block.rows; row++)
        this.stored(block, row, base, indices, values, starts[place ? place[first + row]! : first + row]!);
      first += block.rows;
      this.blocks[b] = undefined;
    }
    return { kind: "sparse", rows: this.rows, columns, starts, indices, values, absent: this.absent };
  }

  /** Counts the cells of a row that differ from the absent value, and writes them where arrays are given. */
  private stored(block: Block, row: number, base: number, indices?: Uint32Array, values?: Float32Array, at = 0): number {
    const dense = block.ends.length === 0;
    const from = dense ? row * block.width + base : row === 0 ? 0 : block.ends[row - 1]!;
    const to = dense ? (row + 1) * block.width : block.ends[row]!;
    let count = 0;
    for (let i = from; i < to; i++) {
      const value = block.values[i]!;
      if (value === this.absent || (Number.isNaN(value) && this.absent !== 0)) continue;
      if (indices) {
        indices[at + count] = (dense ? i - row * block.width : block.numbers[i]!) - base;
        values![at + count] = value;
      }
      count++;
    }
    return count;
  }
}

/** 8 GB, which is more than a forced dense matrix of any sane file needs. */
const MOST_CELLS = 2 ** 31;

function allocate(rows: number, columns: number): Float32Array {
  const size = ((rows * columns * 4) / 2 ** 30).toFixed(1);
  const refusal = new Mistake(`a dense matrix of ${rows} rows and ${columns} columns needs ${size} GB; store it as sparse`);
  if (rows * columns > MOST_CELLS) throw refusal;
  try {
    return new Float32Array(rows * columns);
  } catch {
    throw refusal;
  }
}
