/** Blocks of rows, dense or sparse, and the matrix assembled from them. Blocks are released as they are copied. */
import { InputError } from "../input-error.ts";
import { checkMemory } from "../memory-budget.ts";
import type { Heap } from "../numeric/heap.ts";
import type { DenseMatrix, Matrix, SparseMatrix } from "../types.ts";

/** How features are stored; "auto": dense when at least a third of the cells are given. */
export type FeatureStorage = "auto" | "dense" | "sparse";

export interface Block {
  readonly rows: number;
  /** Of a dense block; 0 in a sparse one. */
  readonly width: number;
  /** The feature number of its first column. */
  readonly origin: number;
  readonly values: Float32Array;
  /** Empty in a dense block. */
  readonly numbers: Uint32Array;
  /** Empty in a dense block. */
  readonly ends: Uint32Array;
}

export interface Layout {
  readonly rows: number;
  /** The feature number of the first column. */
  readonly base: number;
  readonly columns: number;
  readonly absent: number;
  /** Row r stands at place[r]. */
  readonly place: Uint32Array | undefined;
  /** Where the matrix goes. */
  readonly heap: Heap | undefined;
}

/** At least about a third of the cells: below that, pairs of number and value take less memory and less time. */
export const isDense = (filled: number, rows: number, columns: number) => filled * 3 >= rows * columns;

/** The blocks with one more, which becomes one with the last where both are dense and adjoin in memory. */
export function joined(blocks: Block[], next: Block): Block[] {
  const last = blocks.at(-1);
  const adjoins =
    last &&
    last.ends.length === 0 &&
    last.width === next.width &&
    last.origin === next.origin &&
    last.values.buffer === next.values.buffer &&
    last.values.byteOffset + last.values.byteLength === next.values.byteOffset;
  if (!adjoins) blocks.push(next);
  else {
    const rows = last.rows + next.rows;
    blocks[blocks.length - 1] = { ...last, rows, values: viewed(last.values, rows * last.width) };
  }
  return blocks;
}

const viewed = ({ buffer, byteOffset }: Float32Array, length: number) => new Float32Array(buffer, byteOffset, length);

/** Moves every row r to place[r], along the cycles of that permutation and without a second matrix. */
export function moveRows(values: Float32Array, columns: number, place: Uint32Array): void {
  const source = new Uint32Array(place.length); // where the row that belongs here stands
  for (let row = 0; row < place.length; row++) source[place[row]!] = row;
  const held = new Float32Array(columns);
  for (let start = 0; start < source.length; start++) {
    if (source[start] === start) continue;
    held.set(values.subarray(start * columns, (start + 1) * columns));
    let to = start;
    for (let from = source[to]!; from !== start; from = source[to]!) {
      values.copyWithin(to * columns, from * columns, (from + 1) * columns);
      source[to] = to;
      to = from;
    }
    values.set(held, to * columns);
    source[to] = to;
  }
}

export const layOut = (blocks: (Block | undefined)[], layout: Layout, kind: "dense" | "sparse"): Matrix =>
  kind === "dense" ? toDense(blocks, layout) : toSparse(blocks, layout);

function toDense(blocks: (Block | undefined)[], { rows: all, base, columns, absent, place, heap }: Layout): DenseMatrix {
  const isSame = ({ width, origin, ends }: Block) => ends.length === 0 && width === columns && origin === base && !place;
  const [only] = blocks;
  if (blocks.length === 1 && !heap && isSame(only!) && only!.values.buffer.byteLength === 4 * all * columns)
    return { kind: "dense", rows: all, columns, values: only!.values, absent };
  const values = allocate(all, columns, heap);
  if (absent !== 0 && !blocks.every((block) => isSame(block!))) values.fill(absent);
  let first = 0;
  for (let b = 0; b < blocks.length; b++) {
    const { rows, width, origin, values: cells, numbers, ends } = blocks[b]!;
    if (isSame(blocks[b]!)) values.set(cells, first * columns);
    else
      for (let row = 0, i = 0; row < rows; row++) {
        const offset = (place ? place[first + row]! : first + row) * columns - base;
        if (ends.length === 0) {
          const skipped = Math.max(0, base - origin);
          if (width > skipped) values.set(cells.subarray(row * width + skipped, (row + 1) * width), offset + origin + skipped);
        } else for (const end = ends[row]!; i < end; i++) values[offset + numbers[i]!] = cells[i]!;
      }
    first += rows;
    blocks[b] = undefined;
  }
  return { kind: "dense", rows: all, columns, values, absent };
}

function toSparse(blocks: (Block | undefined)[], { rows: all, base, columns, absent, place, heap }: Layout): SparseMatrix {
  const sizes = new Float64Array(all + 1);
  let first = 0;
  for (const block of blocks) {
    for (let row = 0; row < block!.rows; row++)
      sizes[(place ? place[first + row]! : first + row) + 1] = stored(block!, row, base, absent);
    first += block!.rows;
  }
  for (let row = 0; row < all; row++) sizes[row + 1]! += sizes[row]!;
  checkMemory(`a sparse matrix of ${all} rows and ${sizes[all]!} cells`, sizes[all]! * 8);
  const starts = sizes[all]! < 2 ** 32 ? Uint32Array.from(sizes) : sizes;
  const indices = inHeap(heap, (from) => from.u32(starts[all]!)) ?? new Uint32Array(starts[all]!);
  const values = inHeap(heap, (from) => from.f32(starts[all]!)) ?? new Float32Array(starts[all]!);
  first = 0;
  for (let b = 0; b < blocks.length; b++) {
    const block = blocks[b]!;
    for (let row = 0; row < block.rows; row++)
      stored(block, row, base, absent, indices, values, starts[place ? place[first + row]! : first + row]!);
    first += block.rows;
    blocks[b] = undefined;
  }
  return { kind: "sparse", rows: all, columns, starts, indices, values, absent };
}

/** Counts the cells of a row that differ from the absent value, and writes them where arrays are given. */
function stored(
  { width, origin, values: cells, numbers, ends }: Block,
  row: number,
  base: number,
  absent: number,
  indices?: Uint32Array,
  values?: Float32Array,
  at = 0,
): number {
  const dense = ends.length === 0;
  const from = dense ? row * width + Math.max(0, base - origin) : row === 0 ? 0 : ends[row - 1]!;
  const to = dense ? (row + 1) * width : ends[row]!;
  let count = 0;
  for (let i = from; i < to; i++) {
    const value = cells[i]!;
    if (value === absent || (Number.isNaN(value) && absent !== 0)) continue;
    if (indices) {
      indices[at + count] = (dense ? i - row * width + origin : numbers[i]!) - base;
      values![at + count] = value;
    }
    count++;
  }
  return count;
}

/** An array of the heap, or nothing where that is full. */
export function inHeap<A>(heap: Heap | undefined, make: (heap: Heap) => A): A | undefined {
  try {
    return heap && make(heap);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** 8 GB, which is more than a forced dense matrix of any sane file needs. */
const MOST_CELLS = 2 ** 31;

function allocate(rows: number, columns: number, heap: Heap | undefined): Float32Array {
  const size = ((rows * columns * 4) / 2 ** 30).toFixed(1);
  const refusal = new InputError(`a dense matrix of ${rows} rows and ${columns} columns needs ${size} GB; store it as sparse`);
  if (rows * columns > MOST_CELLS) throw refusal;
  checkMemory(`a dense matrix of ${rows} rows and ${columns} columns`, rows * columns * 4);
  try {
    return inHeap(heap, (from) => from.f32(rows * columns, "zeros")) ?? new Float32Array(rows * columns);
  } catch {
    throw refusal;
  }
}

/** An array of a block that has none. */
export const NOTHING: Uint32Array = new Uint32Array(0);

/** Copies an array to the beginning of another. */
export function copied<A extends Uint32Array | Float32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}

/** A block on shared buffers, which other threads can read. */
export function shared(block: Block): Block {
  const values = copied(block.values, new Float32Array(new SharedArrayBuffer(block.values.byteLength)));
  const numbers = copied(block.numbers, new Uint32Array(new SharedArrayBuffer(block.numbers.byteLength)));
  const ends = copied(block.ends, new Uint32Array(new SharedArrayBuffer(block.ends.byteLength)));
  return { ...block, values, numbers, ends };
}
