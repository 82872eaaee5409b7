/**
 * The best split of a leaf over all features. Members of a team scan features apart and write what they find into shared memory; then every
 * member compares for itself, so all know the same.
 *
 * Histograms hold no counts. Where rows must be counted, a side whose Hessian is at least `minItems` times that of the heaviest row has
 * enough of them; only where that does not decide are the rows of the best feature counted, and its splits compared again with counts
 * known. So the limit is exact, and counting touches one column of small leaves.
 */
import { heap } from "../../numeric/heap.ts";
import { countCodes } from "../../numeric/partition.ts";
import { bestSplit, NO_CUT, type Split, type SplitTerms, splitScanner, unbundleHistogram } from "../../numeric/split.ts";
import { poisoned } from "../../numeric/stress.ts";
import type { Team } from "../../types.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import { CODES, COLUMNS } from "./layout.ts";
import type { TreesSettings } from "./options.ts";
import type { Units } from "./quantize.ts";
import { type Bounds, boundedScore, boundedSplit, categoricalSplit, FREE, type SplitChoice } from "./split.ts";

/** A leaf while the tree grows. Sums are in units. */
export interface Leaf {
  readonly node: number;
  readonly depth: number;
  /** By member: where its rows of the leaf begin. */
  readonly starts: readonly number[];
  readonly counts: readonly number[];
  readonly total: number;
  readonly gradient: number;
  readonly hessian: number;
  readonly bounds: Bounds;
  /** This member's rows that the tree was not grown on. */
  readonly outStart: number;
  readonly outCount: number;
  /** Of its histograms; -1: none. */
  slot: number;
  best?: BestSplit | undefined;
}

export interface BestSplit {
  readonly feature: number;
  readonly split: SplitChoice;
  readonly gain: number;
}

export interface SplitSearch {
  /** Sets what holds for one tree. A barrier follows before the first scan. */
  begin(units: Units, heaviest: number, allowed: Uint8Array | undefined): void;
  /** Scans the allowed features of a group for a leaf; `child` distinguishes two leaves that are searched together. */
  scan(leaf: Leaf, group: number, child: number): void;
  /**
   * The best split of a leaf for which all groups with an allowed feature have been scanned. Every member calls it, and may move its rows
   * when it returns: where the rows of all members were counted, it ends with a barrier.
   */
  choose(leaf: Leaf, child: number): BestSplit | undefined;
  /** Marks by code whether rows go right. */
  mark(best: BestSplit, right: Uint8Array): void;
}

/** By feature: its bin of each code of its column, for features that share theirs. */
export function bundleTables({ features, layout }: BinnedDataset): (Uint8Array | undefined)[] {
  return features.map(({ bins, missing }, f) => {
    const [slot, width] = [layout.slots[f], bins + (missing ? 1 : 0)];
    if (!slot || slot.codes === width) return undefined;
    const codes = heap.u8(CODES);
    for (let code = 0; code < slot.codes; code++) codes[code] = Math.floor(code / slot.step) % width;
    return codes;
  });
}

/** The features of each group of columns, in order. */
export function featuresByGroup({ layout }: BinnedDataset): number[][] {
  const members: number[][] = Array.from({ length: layout.groups }, () => []);
  layout.slots.forEach((slot, f) => {
    if (slot) members[Math.floor(slot.column / COLUMNS)]!.push(f);
  });
  return members;
}

const FIELDS = 5; // of a split: score (NO_CUT: none), bin, side of the missing, left gradient, left Hessian

export function splitSearch(
  team: Team,
  binned: BinnedDataset,
  rows: Uint32Array,
  entries: Int32Array,
  options: TreesSettings,
  monotone: Int8Array,
): SplitSearch {
  const { features, layout } = binned;
  const found = team.allocShared("f64", 2 * features.length * FIELDS);
  const second = found.subarray(features.length * FIELDS);
  const mine = new Float64Array(features.length * FIELDS);
  const counted = new Uint8Array(features.length);
  const unbundled = heap.i32(2 * CODES);
  const counts = heap.i32(CODES);
  const codeCounts = heap.i32(CODES);
  const constrained = monotone.some((rise) => rise !== 0);
  const width = (f: number) => features[f]!.bins + (features[f]!.missing ? 1 : 0);
  const decode = bundleTables(binned);
  const members = featuresByGroup(binned);

  // All features of a group at once, if they only need the best threshold.
  const scanners = members.map((all) => {
    if (constrained || all.some((f) => features[f]!.categorical)) return undefined;
    const list = all.map((f) => {
      const { column, codes } = layout.slots[f]!;
      const { bins, missing } = features[f]!;
      return { at: column * CODES, bins, missing, codes, table: decode[f], to: f * FIELDS };
    });
    return splitScanner(list);
  });

  const candidate: SplitChoice = { score: 0, bin: 0, missingLeft: false, gradient: 0, hessian: 0 };
  const terms: SplitTerms = {
    ...{ bins: 0, missing: false, gradient: 0, hessian: 0, l1: 0, l2: 0, minHessian: 1, minScore: 0, rows: 0 },
    minRows: options.minItems,
  };
  let heaviest = 0;
  let floorHessian = 1;
  let factor = 1; // gain per unit of score
  let allowed: Uint8Array | undefined;
  const placed = Array.from(features.keys()).filter((f) => layout.slots[f]);
  let candidates = placed; // features of this tree: only these are scanned, and only their results are read

  function setLeaf(leaf: Leaf): void {
    terms.gradient = leaf.gradient;
    terms.hessian = leaf.hessian;
    terms.rows = leaf.total;
    terms.minHessian =
      options.minItemsUnit === "rows" ? floorHessian : Math.max(floorHessian, (options.minItems * leaf.hessian) / leaf.total);
    const score = boundedScore(leaf.gradient, leaf.hessian, terms, leaf.bounds);
    terms.minScore = score + Math.max(options.minGain / factor, Math.abs(score) * 1e-10); // less is rounding
  }

  function tryFeature(leaf: Leaf, f: number, tally: Int32Array | undefined, into: SplitChoice): boolean {
    const { bins, missing, categorical } = features[f]!;
    const slot = layout.slots[f]!;
    let from = entries;
    let at = (leaf.slot * layout.groups * COLUMNS + slot.column) * CODES;
    if (decode[f]) {
      unbundleHistogram(entries, at, slot.codes, decode[f], width(f), unbundled);
      from = unbundled;
      at = 0;
    }
    terms.bins = bins;
    terms.missing = missing;
    if (categorical) return categoricalSplit(from, at, terms, tally, leaf.bounds, into);
    if (constrained && (monotone[f] !== 0 || leaf.bounds !== FREE))
      return boundedSplit(from, at, terms, tally, leaf.bounds, monotone[f]!, into);
    return bestSplit(from, at, terms, tally, into);
  }

  function write(to: Float64Array, at: number, good: boolean, { score, bin, missingLeft, gradient, hessian }: Split): void {
    to[at] = good ? score : NO_CUT;
    if (!good) return;
    to[at + 1] = bin;
    to[at + 2] = missingLeft ? 1 : 0;
    to[at + 3] = gradient;
    to[at + 4] = hessian;
  }

  function count(leaf: Leaf, f: number): Int32Array {
    const { column, codes } = layout.slots[f]!;
    const byte = Math.floor(column / COLUMNS) * binned.rows * COLUMNS + (column % COLUMNS);
    codeCounts.fill(0);
    leaf.starts.forEach((start, r) => {
      countCodes(binned.bins, byte, rows, start, leaf.counts[r]!, codeCounts);
    });
    counts.fill(0);
    for (let code = 0; code < codes; code++) counts[decode[f] ? decode[f][code]! : code]! += codeCounts[code]!;
    return counts;
  }

  return {
    begin(units, most, some) {
      terms.l1 = options.l1 * units.gradient;
      terms.l2 = options.l2 * units.hessian;
      floorHessian = Math.max(1, options.minHessian * units.hessian);
      factor = units.hessian / (units.gradient * units.gradient);
      heaviest = most;
      allowed = some;
      if (poisoned() && team.rank === 0) found.fill(Infinity); // for tests: a result that was not written would win
      candidates = some ? placed.filter((f) => some[f]) : placed;
    },
    scan(leaf, group, child) {
      setLeaf(leaf);
      const scan = allowed ? undefined : scanners[group];
      if (scan) {
        scan(entries, leaf.slot * layout.groups * COLUMNS * CODES, terms, child === 0 ? found : second);
        return;
      }
      for (const f of members[group]!)
        if (!allowed || allowed[f])
          write(found, (child * features.length + f) * FIELDS, tryFeature(leaf, f, undefined, candidate), candidate);
    },
    choose(leaf, child) {
      const from = child * mine.length;
      mine.set(found.subarray(from, from + mine.length));
      counted.fill(0);
      setLeaf(leaf);
      const sureHessian = options.minItemsUnit === "hessian" ? 0 : options.minItems * heaviest;
      let counting = false;
      // All members count the same features of the same leaf, so all come to this barrier or none does.
      const settle = (best: BestSplit | undefined) => {
        if (counting) team.barrier();
        return best;
      };
      for (;;) {
        let best = -1;
        let score = terms.minScore;
        for (const f of candidates)
          if (mine[f * FIELDS]! > score) {
            best = f;
            score = mine[f * FIELDS]!;
          }
        if (best < 0) return settle(undefined);
        const at = best * FIELDS;
        const light = Math.min(mine[at + 4]!, leaf.hessian - mine[at + 4]!);
        if (counted[best] || light >= sureHessian) {
          const chosen: SplitChoice = {
            ...{ score, bin: mine[at + 1]!, missingLeft: mine[at + 2] === 1 },
            ...{ gradient: mine[at + 3]!, hessian: mine[at + 4]! },
          };
          // The set of categories is not shared, so each member finds it again.
          if (features[best]!.categorical) tryFeature(leaf, best, counted[best] ? count(leaf, best) : undefined, chosen);
          const whole = boundedScore(leaf.gradient, leaf.hessian, terms, leaf.bounds);
          return settle({ feature: best, split: chosen, gain: (score - whole) * factor });
        }
        counted[best] = 1;
        counting = true;
        write(mine, at, tryFeature(leaf, best, count(leaf, best), candidate), candidate);
      }
    },
    mark({ feature, split: { bin, missingLeft, left } }, right) {
      const { bins } = features[feature]!;
      const binned = decode[feature];
      for (let code = 0; code < CODES; code++) {
        const b = binned ? binned[code]! : code;
        right[code] = (left ? left[b] === 1 : b < bins ? b <= bin : missingLeft) ? 0 : 1;
      }
    },
  };
}
