/**
 * Scores of rows under a sum of decision trees, by QuickScorer: no row is led through a tree. Leaves are numbered from left to right, and
 * every split knows the leaves on its left, which a row that goes right cannot reach. The splits of all trees are kept by feature in rising
 * order of thresholds; those below a row's value clear leaves, and of the leaves that remain the first is the row's. Lucchese et al. 2015,
 * https://doi.org/10.1145/2766462.2767733. As in RapidScorer (Ye et al. 2018, https://doi.org/10.1145/3219819.3219857), 16 rows go together,
 * a byte of leaves of each in one vector, and a split touches only the bytes that it changes.
 *
 * Of a tree of more than `FULL` leaves the splits that most rows meet are done so; from where that ends, each row walks to its leaf.
 * Values of leaves are added in the order of trees, so the sums are those of walking every tree, bit for bit.
 *
 * How to use it, for trees of this library or of another tool:
 *
 *   const forest = buildForest(trees, { columns, outputs: 1 }, (bytes) => heap.u8(bytes));
 *   addRows(forest, rows, into);                  // arrays of numbers (quickscorer-rows.ts)
 *   addMatrix(forest, matrix, from, to, into);    // dense or sparse matrix
 *
 * Both add to `into[row * outputs + t % outputs]` the value of row's leaf in tree t; what stands there before is where the sum begins.
 * A decision is `value <= threshold` goes left. Other conventions are translated by whoever reads the trees: `value < t` is `value <= ` the
 * next number below t. See `SplitTree` and `ForestOptions` for missing values, zeros, categories, float32 and float64.
 */
import { isInHeap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/quickscorer.ts";

export { buildForest } from "./quickscorer-tables.ts";

export const LANES = 16; // rows of a packet

export interface QuickScorerKernels {
  scorePacket(...[blocks, count, sums, lanes, wide]: readonly number[]): void;
  deriveColumns(...[steps, count, tiny, truncate, wide]: readonly number[]): void;
  packLanes(...[rows, width, n, columns, count, into, wide]: readonly number[]): void;
}

/** A tree as its splits. Node 0 is the root, and children come after their parent. */
export interface SplitTree {
  /** Column of each node's split; -1: the node is a leaf. */
  readonly feature: ArrayLike<number>;
  /** Values up to it go left. Infinite ones are allowed. With inputs of float32 it is rounded down, which changes no decision. */
  readonly threshold: ArrayLike<number>;
  /** 1: missing values (NaN) go left. Not asked where there is a set. */
  readonly missing: ArrayLike<number>;
  /** 1: zero (see `tiny`) is missing here, whatever the threshold. Default: nowhere. */
  readonly zeroMissing?: ArrayLike<number>;
  readonly left: ArrayLike<number>;
  readonly right: ArrayLike<number>;
  /** Of a leaf: what it adds to the score. */
  readonly value: ArrayLike<number>;
  /** Training rows of each node, if known: splits that most rows meet are made fastest. No score depends on it. */
  readonly items?: ArrayLike<number>;
  /** By node, in place of a threshold: the categories that go left. All others go right; NaN goes left where it is a member. */
  readonly sets: ReadonlyMap<number, ArrayLike<number>>;
}

export interface ForestOptions {
  /** Features of a row. */
  readonly columns: number;
  /** Numbers per row; tree t adds to number t % outputs. */
  readonly outputs: number;
  /** "float32": values are rounded to float32 before they are compared. "float64": they are not, and thresholds count in full. Default: float32. */
  readonly inputs?: "float32" | "float64";
  /** "float32": the sum is rounded to float32 after each tree. Default: float64. */
  readonly sums?: "float32" | "float64";
  /** Values of at most this size are read as 0 (LightGBM: 1e-35 as float32). Default: 0. */
  readonly tiny?: number;
  /** Whether categories are truncated to whole numbers before they are looked up: toward 0, or "down". Default: false. */
  readonly truncate?: boolean | "down";
}

/**
 * Trees laid out for scoring, with scratch for one packet, all in one array. Addresses count bytes from the start of that array's buffer,
 * which is kernel memory or a buffer of its own. Not to be used by two threads at once.
 */
export interface Forest {
  readonly bytes: Uint8Array;
  readonly outputs: number;
  readonly columns: number;
  /** The columns that are read; packets hold these alone. */
  readonly used: Uint32Array;
  /** By column: where it stands in a packet, or -1. */
  readonly targets: Int32Array;
  /** A packet: 16 values of its first column, 16 of the second, ...; derived columns last. */
  readonly tile: Float32Array | Float64Array;
  /** 16 of the first output, 16 of the second, ... */
  readonly sums: Float64Array;
  /** Rows to be packed; empty where rows are too wide. */
  readonly block: Float32Array;
  /** Address of the headers of blocks of trees, 64 bytes each. */
  readonly blocks: number;
  /** Of blocks. */
  readonly count: number;
  /** Address of 16 bytes of scratch. */
  readonly lanes: number;
  /** Address of the steps that derive columns, 32 bytes each. */
  readonly steps: number;
  /** How many steps there are. */
  readonly derived: number;
  /** Values are float64. */
  readonly wide: boolean;
  readonly tiny: number;
  readonly truncate: boolean | "down";
  /** Address of `used`. */
  readonly usedAt: number;
  /** Lanes that hold a row's values; the others hold -Infinity, which clears no leaf by any threshold. */
  filled: number;
}

/** Adds to the sums of the packet what all trees give to its rows. */
export function scorePacket(forest: Forest): void {
  const wasm = isInHeap(forest.bytes) ? kernels() : null;
  if (!wasm) {
    plain.scorePacket(forest);
    return;
  }
  const wide = forest.wide ? 1 : 0;
  if (forest.derived > 0)
    wasm.deriveColumns(forest.steps, forest.derived, forest.tiny, forest.truncate === "down" ? 2 : forest.truncate ? 1 : 0, wide);
  wasm.scorePacket(forest.blocks, forest.count, forest.sums.byteOffset, forest.lanes, wide);
}

/** Copies the used columns of n rows, `columns` apart, from rows[at] on into the packet. */
export function packLanes(forest: Forest, rows: Float32Array, at: number, n: number): void {
  const wasm = isInHeap(forest.bytes) && isInHeap(rows) ? kernels() : null;
  if (!wasm) {
    plain.packLanes(forest, rows, at, n);
    return;
  }
  const { columns, usedAt, used, tile, wide } = forest;
  wasm.packLanes(rows.byteOffset + 4 * at, 4 * columns, n, usedAt, used.length, tile.byteOffset, wide ? 1 : 0);
}
