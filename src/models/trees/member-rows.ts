/** The rows of a team by leaf: each member keeps those of its own lists, in order of leaves, in its part of one shared array. */
import { memoryBudget } from "../../memory-budget.ts";
import { heap } from "../../numeric/heap.ts";
import { copyColumn, partitionRows } from "../../numeric/partition.ts";
import { poison, poisoned } from "../../numeric/stress.ts";
import { pause } from "../../teams/jitter.ts";
import type { Team } from "../../types.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import { CODES, COLUMNS } from "./layout.ts";
import type { Leaf } from "./search.ts";

/** A leaf that has just become a node: the rows of its left side, of each member, and of this one's rows that the tree does not see. */
interface Partition {
  readonly lefts: number[];
  /** Those of all processes. */
  readonly leftTotal: number;
  readonly outLeft: number;
}

export interface MemberRows {
  /** Rows by leaf, of all members. */
  readonly rows: Uint32Array;
  /** Puts all rows into one leaf, those of unseen lists (0 in `lists`) last. */
  reset(lists: Uint8Array | undefined): Pick<Leaf, "starts" | "counts" | "total" | "outStart" | "outCount">;
  /** Moves the rows of a leaf to its sides. `right` has a 1 for each code of the column that goes right. */
  partition(leaf: Leaf, column: number, right: Uint8Array): Partition;
  /** Calls with this member's rows of a leaf, and again with those that the tree was not grown on (`seen` is false). */
  rangesOf(leaf: Leaf, see: (from: number, count: number, seen: boolean) => void): void;
}

export function memberRows(
  team: Team,
  binned: BinnedDataset,
  starts: Uint32Array,
  listBounds: Uint32Array, // of lists, by member
): MemberRows {
  const { rank, size } = team;
  const rows = team.allocShared("u32", binned.rows);
  const exchanged = team.allocShared("i32", 2 * size);
  const begin = (member: number) => starts[listBounds[member]!]!;
  const [first, last] = [begin(rank), begin(rank + 1)];
  const scratch = heap.u32(last - first);
  const columns = splitColumns(team, binned, first, last);
  const several = team.processes.size > 1;
  const total = team.allocShared("f64", several ? 1 : 0);
  let parity = 0;

  /** The counts of all members. Alternates between two arrays: the fastest member may write its next count while the slowest still reads. */
  function exchange(count: number): number[] {
    parity = 1 - parity;
    exchanged[parity * size + rank] = count;
    team.barrier();
    return Array.from({ length: size }, (_, r) => exchanged[parity * size + r]!);
  }

  /** The sum of counts over all members of all processes. */
  function totalOf(counts: readonly number[]): number {
    const own = counts.reduce((a, b) => a + b, 0);
    if (!several) return own;
    if (rank === 0) total[0] = own;
    team.addUp(total);
    return total[0]!;
  }

  /** Writes this member's rows of lists that are seen, or of those that are not, from `at` on; returns where they end. */
  function place(at: number, wanted: (list: number) => boolean): number {
    for (let list = listBounds[rank]!; list < listBounds[rank + 1]!; list++)
      if (wanted(list)) for (let row = starts[list]!; row < starts[list + 1]!; row++) rows[at++] = row;
    return at;
  }

  /** For tests: no other member may read the rows of a member that is about to move them. */
  function disturb({ starts, counts }: Leaf): void {
    if (!poisoned()) return;
    const [from, to] = [starts[rank]!, starts[rank]! + counts[rank]!];
    const held = rows.slice(from, to);
    poison(rows.subarray(from, to));
    for (let k = 0; k < 8; k++) pause();
    rows.set(held, from);
  }

  return {
    rows,
    reset(lists) {
      poison(rows.subarray(first, last)); // for tests: nothing that an earlier tree left is read
      const end = place(first, (list) => lists?.[list] !== 0);
      if (lists) place(end, (list) => lists[list] === 0);
      const counts = exchange(end - first);
      return {
        ...{ starts: counts.map((_, r) => begin(r)), counts, total: totalOf(counts) },
        ...{ outStart: end, outCount: last - end },
      };
    },
    partition(leaf, column, right) {
      const { codes, byte, stride } = columns(column);
      disturb(leaf);
      const mine = partitionRows(codes, byte, stride, rows, leaf.starts[rank]!, leaf.counts[rank]!, right, scratch);
      const outLeft = partitionRows(codes, byte, stride, rows, leaf.outStart, leaf.outCount, right, scratch);
      const lefts = exchange(mine);
      return { lefts, leftTotal: totalOf(lefts), outLeft };
    },
    rangesOf(leaf, see) {
      see(leaf.starts[rank]!, leaf.counts[rank]!, true);
      if (leaf.outCount > 0) see(leaf.outStart, leaf.outCount, false);
    },
  };
}

/**
 * Where the codes of a column are read from when rows are split by it. A column that has split before is copied once, to where its codes lie side by side:
 * of a group's bins, one byte in eight of what the memory brings matters. Each member copies those of its own rows. Where memory is short, nothing is copied.
 */
function splitColumns(team: Team, { bins, rows, layout }: BinnedDataset, first: number, last: number) {
  const width = layout.groups * COLUMNS;
  const copies = width * rows <= memoryBudget() / SHARE ? team.allocShared("u8", width * rows) : undefined;
  const copied = new Uint8Array(width);
  return (column: number) => {
    const byte = Math.floor(column / COLUMNS) * rows * COLUMNS + (column % COLUMNS);
    if (!copies) return { codes: bins, byte, stride: COLUMNS };
    if (!copied[column]) copyColumn(bins, byte + COLUMNS * first, last - first, copies, column * rows + first);
    copied[column] = 1;
    return { codes: copies, byte: column * rows, stride: 1 };
  };
}

const SHARE = 16; // of the budget of memory, one part of so many

/** A table for `partition`. */
export const newSideTable = (): Uint8Array => heap.u8(CODES);
