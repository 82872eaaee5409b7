/**
 * The histograms of leaves, in as many slots as fit into memory: a leaf whose slot is taken by another has its histograms summed again when
 * it is split. Members of a team take groups of columns; sums are of whole numbers, so they do not depend on who adds what. Of several processes
 * each sums its own rows, and then has the sums of all processes of the groups that it owns (group-owners.ts).
 */
import { memoryBudget } from "../../memory-budget.ts";
import { heap } from "../../numeric/heap.ts";
import {
  clearEntries,
  type DefaultRows,
  gatherEntries,
  markOthers,
  subtractEntries,
  sumContiguous,
  sumRows,
} from "../../numeric/histogram.ts";
import { poison } from "../../numeric/stress.ts";
import { BLOCKS, splitEvenly } from "../../teams/blocks.ts";
import type { Team } from "../../types.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import type { GroupOwners } from "./group-owners.ts";
import { CODES, COLUMNS, LINE } from "./layout.ts";
import { rowLines } from "./row-lines.ts";
import type { Leaf } from "./search.ts";

const POOL = 2 ** 30; // bytes for histograms at most
const GROUP = COLUMNS * CODES; // entries of a group's histograms
const FEW = 0.5; // share of the rows up to which those of a leaf are read from lines
const TILE = 4096; // rows of which a line is read for one group after the other, from a near cache

export interface LeafHistograms {
  /** Packed derivatives by row, for the team to fill. */
  readonly entries: Int32Array;
  /** The histograms, slot after slot. */
  readonly sums: Int32Array;
  /** Number of leaves that can have histograms at once. */
  readonly slots: number;
  /** Frees all slots. */
  reset(): void;
  /** A free slot, if need be that of the leaf that is least likely to be split next, but for those to keep. */
  takeSlot(leaves: readonly Leaf[], keep: readonly Leaf[]): number;
  freeSlot(leaf: Leaf): void;
  /** Copies the entries of this member's rows of a leaf to where all members' lie one after another. A barrier follows before `sum`. */
  gather(leaf: Leaf): void;
  /**
   * Sums the histograms of a leaf, whose entries have been gathered, or with "all rows" of a leaf that has every row, and calls `then` for each group of
   * this process once it is summed.
   */
  sum(leaf: Leaf, owners: GroupOwners, rows: "gathered" | "all rows", then?: (group: number) => void): void;
  /** Takes those of another leaf away from one group's histograms of a leaf. */
  subtractGroup(from: Leaf, part: Leaf, group: number): void;
  /** The derivatives of all rows of a leaf, from a group that is summed, for all processes. */
  totals(leaf: Leaf, owners: GroupOwners): Pick<Leaf, "gradient" | "hessian">;
}

export function leafHistograms(
  team: Team,
  binned: BinnedDataset,
  rows: Uint32Array,
  leaves: number,
  lines = rowLines(team, binned),
): LeafHistograms {
  const { layout } = binned;
  const { rank } = team;
  const several = team.processes.size > 1;
  const span = layout.groups * GROUP; // entries of a leaf's histograms
  const pool = Math.min(POOL, leastOf(team, memoryBudget() / 8)); // the same in all members
  const slots = Math.max(3, Math.min(leaves, Math.floor(pool / 8 / Math.max(1, span))));
  const entries = team.allocShared("i32", 2 * binned.rows);
  const gathered = team.allocShared("i32", 2 * binned.rows);
  const sums = team.allocShared("i32", 2 * slots * span);
  const defaults = defaultRows(team, binned);
  const sent = team.allocShared("i64", several ? span : 0); // sums of this process's rows, the active groups one after another
  const received = team.allocShared("i64", several ? Math.ceil(layout.groups / team.processes.size) * GROUP : 0);
  const [sentWords, receivedWords] = [words(sent), words(received)];
  const wholeSums = team.allocShared("f64", several ? 2 : 0);
  let free: number[] = [];
  const at = ({ slot }: Leaf, group: number) => slot * span + group * GROUP;
  let known: ({ readonly active: readonly number[] } & ReturnType<typeof partsOf>) | undefined; // of the tree at hand
  const firstBin = (group: number) => group * binned.rows * COLUMNS;

  /** Sums one group's histograms of this process's rows of a leaf, whose entries have been gathered. */
  function sumGathered(leaf: Leaf, [group]: readonly number[], into: Int32Array, to: (group: number) => number): void {
    let from = 0;
    leaf.starts.forEach((start, r) => {
      const n = leaf.counts[r]!;
      sumRows(binned.bins, firstBin(group!), COLUMNS, rows, start, gathered, from, n, into, to(group!), defaults[group!]);
      from += n;
    });
  }

  /** The same for some groups of a line. */
  function sumLines(leaf: Leaf, groups: readonly number[], into: Int32Array, to: (group: number) => number): void {
    const { bytes, placeOf } = lines!;
    const places = groups.map((group) => ({ group, ...placeOf(group) }));
    let from = 0;
    leaf.starts.forEach((start, r) => {
      const count = leaf.counts[r]!;
      for (let row = 0; row < count; row += TILE) {
        const n = Math.min(TILE, count - row);
        for (const { group, first, stride } of places)
          sumRows(bytes, first, stride, rows, start + row, gathered, from + row, n, into, to(group), defaults[group]);
      }
      from += count;
    });
  }

  /** The same for one group and a leaf of all rows, whose entries need not be gathered. */
  function sumAll(_: Leaf, [group]: readonly number[], into: Int32Array, to: (group: number) => number): void {
    sumContiguous(binned.bins, firstBin(group!), entries, 0, binned.rows, into, to(group!), defaults[group!]?.bins);
  }

  /** Groups that are summed together; those that take long come first, so that a team ends together. */
  function partsOf(active: readonly number[]) {
    const slow = (part: readonly number[]) => part.filter((group) => !defaults[group]).length;
    const sorted = (parts: number[][]) => parts.sort((a, b) => slow(b) - slow(a));
    return { single: sorted(active.map((group) => [group])), ofLines: sorted(partsOfLines(active, team.size)) };
  }

  /** How the histograms of a leaf are summed. */
  function waysOf({ counts }: Leaf, active: readonly number[], which: "gathered" | "all rows") {
    if (known?.active !== active) known = { active, ...partsOf(active) };
    if (which === "all rows") return { local: sumAll, parts: known.single };
    const own = counts.reduce((a, b) => a + b, 0);
    return lines && own <= FEW * binned.rows
      ? { local: sumLines, parts: known.ofLines }
      : { local: sumGathered, parts: known.single };
  }

  return {
    entries,
    sums,
    slots,
    reset() {
      free = Array.from({ length: slots }, (_, slot) => slots - 1 - slot);
      if (rank === 0) [gathered, sums].forEach(poison); // for tests: nothing that an earlier tree left is read
    },
    takeSlot(all, keep) {
      if (free.length === 0) {
        const least = leastLikely(all, keep);
        free.push(least.slot);
        least.slot = -1;
      }
      return free.pop()!;
    },
    freeSlot(leaf) {
      if (leaf.slot >= 0) free.push(leaf.slot);
      leaf.slot = -1;
    },
    gather(leaf) {
      let to = 0;
      for (let r = 0; r < rank; r++) to += leaf.counts[r]!;
      gatherEntries(entries, rows, leaf.starts[rank]!, leaf.counts[rank]!, gathered, to);
    },
    sum(leaf, { active, own, counts }, which, then) {
      const { local, parts } = waysOf(leaf, active, which);
      if (!several) {
        team.parallelFor(parts.length, (k) => {
          const groups = parts[k]!;
          for (const group of groups) clearEntries(sums, at(leaf, group), GROUP);
          local(leaf, groups, sums, (group) => at(leaf, group));
          if (then) groups.forEach(then);
        });
        return;
      }
      const places = new Map(active.map((group, k) => [group, k * GROUP]));
      team.parallelFor(parts.length, (k) => {
        for (const group of parts[k]!) clearEntries(sentWords, places.get(group)!, GROUP);
        local(leaf, parts[k]!, sentWords, (group) => places.get(group)!);
      });
      team.reduceScatter(
        sent,
        counts.map((count) => count * GROUP),
        received,
      );
      team.parallelFor(own.length, (k) => {
        sums.set(receivedWords.subarray(2 * k * GROUP, 2 * (k + 1) * GROUP), 2 * at(leaf, own[k]!));
        then?.(own[k]!);
      });
    },
    subtractGroup: (from, part, group) => subtractEntries(sums, at(from, group), at(part, group), GROUP),
    totals(leaf, { active, ownerOf }) {
      const [group] = active;
      if (!several) return totals(sums, 2 * at(leaf, group!));
      const owner = ownerOf(group!);
      if (rank === 0 && team.processes.rank === owner) {
        const { gradient, hessian } = totals(sums, 2 * at(leaf, group!));
        wholeSums.set([gradient, hessian]);
      }
      team.broadcast(wholeSums, owner);
      return { gradient: wholeSums[0]!, hessian: wholeSums[1]! };
    },
  };
}

/**
 * Groups in parts of one line each: whole lines where these keep the members evenly busy, otherwise halves, pairs or single groups. Two members that
 * read halves of a line both bring all of it from memory.
 */
export function partsOfLines(groups: readonly number[], size: number): number[][] {
  for (let most = LINE; ; most /= 2) {
    const parts: number[][] = [];
    for (const group of groups) {
      const last = parts.at(-1);
      if (last && last.length < most && Math.floor(last[0]! / LINE) === Math.floor(group / LINE)) last.push(group);
      else parts.push([group]);
    }
    const even = parts.length % size === 0 && parts.every(({ length }) => length === parts[0]!.length);
    if (even || parts.length >= 2 * size || most === 1) return parts;
  }
}

/** By group: its default bins, where it has some, and which rows have others. Takes a byte a row for each eight such groups. */
function defaultRows(team: Team, { bins, rows, layout }: BinnedDataset): (DefaultRows | undefined)[] {
  const count = layout.defaultBins.filter((codes) => codes).length;
  const marks = team.allocShared("u8", Math.ceil(count / 8) * rows, "zeros");
  let known = 0;
  const defaults = layout.defaultBins.map((codes) => {
    if (!codes) return undefined;
    const held = heap.u8(COLUMNS);
    held.set(codes);
    const one = { bins: held, marks, first: Math.floor(known / 8) * rows, bit: known % 8 };
    known++;
    return one;
  });
  const bounds = splitEvenly(rows);
  team.parallelFor(BLOCKS, (b) => {
    const [from, to] = [bounds[b]!, bounds[b + 1]!];
    defaults.forEach((one, group) => {
      if (one) markOthers(bins, (group * rows + from) * COLUMNS, to - from, one.bins, one.bit, marks, one.first + from);
    });
  });
  return defaults;
}

/** The same numbers in halves. */
const words = ({ buffer, byteOffset, length }: BigInt64Array) => new Int32Array(buffer, byteOffset, 2 * length);

/** The least value that a process gives. */
function leastOf(team: Team, value: number): number {
  if (team.processes.size === 1) return value;
  const shared = team.allocShared("f64", 1);
  if (team.rank === 0) shared[0] = -value;
  team.maximum(shared);
  return -shared[0]!;
}

/** The leaf with a slot that has the smallest gain. */
function leastLikely(leaves: readonly Leaf[], keep: readonly Leaf[]): Leaf {
  let least: Leaf | undefined;
  for (const leaf of leaves)
    if (leaf.slot >= 0 && !keep.includes(leaf) && (!least || (leaf.best?.gain ?? 0) < (least.best?.gain ?? 0))) least = leaf;
  return least!;
}

/** Sums of one column's histogram: those of all rows. */
function totals(sums: Int32Array, at: number): { gradient: number; hessian: number } {
  let [gradient, hessian] = [0, 0];
  for (let i = at; i < at + 2 * CODES; i += 2) {
    hessian += sums[i]! >>> 0;
    gradient += sums[i + 1]!;
  }
  return { gradient, hessian };
}
