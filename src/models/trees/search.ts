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
import { bundleTables, featuresByGroup } from "./feature-columns.ts";
import { foundExchange, type GroupOwners } from "./group-owners.ts";
import { CODES, COLUMNS } from "./layout.ts";
import type { TreesSettings } from "./options.ts";
import type { Units } from "./quantize.ts";
import { type Bounds, boundedScore, boundedSplit, categoricalSplit, FREE, type SplitChoice } from "./split.ts";

/** What the splits above a leaf leave to it. */
export interface LeafPath {
  /** 1: the feature may split the leaf; undefined: all may. */
  readonly allowed: Uint8Array | undefined;
  /** The groups of features that hold all of its path, where interactions are constrained. */
  readonly groups?: readonly number[];
}

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
  readonly path: LeafPath;
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
  /** The gain times the weight of the feature, by which splits are compared. */
  readonly weightedGain: number;
}

export interface SplitSearch {
  /** Sets what holds for one tree. A barrier follows before the first scan. */
  begin(units: Units, heaviest: number): void;
  /** Scans the features of a group that the leaf may use; `child` distinguishes two leaves that are searched together. */
  scan(leaf: Leaf, group: number, child: number): void;
  /** Exchanges what processes have found in their groups. Every member calls it after all groups were scanned. */
  exchange(owners: GroupOwners): void;
  /**
   * The best split of a leaf for which all groups with a feature of the tree have been scanned. Every member calls it, and may move its rows
   * when it returns: where the rows of all members were counted, it ends with a barrier.
   */
  choose(leaf: Leaf, child: number): BestSplit | undefined;
  /** Marks by code whether rows go right. */
  mark(best: BestSplit, right: Uint8Array): void;
}

const FIELDS = 5; // of a split: score (NO_CUT: none), bin, side of the missing, left gradient, left Hessian

/** Splits of features, one after another, `FIELDS` numbers each. */
function storeSplit(to: Float64Array, at: number, found: boolean, { score, bin, missingLeft, gradient, hessian }: Split): void {
  to[at] = found ? score : NO_CUT;
  if (!found) return;
  to[at + 1] = bin;
  to[at + 2] = missingLeft ? 1 : 0;
  to[at + 3] = gradient;
  to[at + 4] = hessian;
}

const loadSplit = (from: Float64Array, at: number): SplitChoice => ({
  ...{ score: from[at]!, bin: from[at + 1]!, missingLeft: from[at + 2] === 1 },
  ...{ gradient: from[at + 3]!, hessian: from[at + 4]! },
});

/** What the search of one training run holds. */
interface SearchState {
  readonly team: Team;
  readonly binned: BinnedDataset;
  /** Rows by leaf, of all members. */
  readonly rows: Uint32Array;
  /** Histograms. */
  readonly entries: Int32Array;
  readonly options: TreesSettings;
  readonly monotone: Int8Array;
  /** Whether any feature is monotone. */
  readonly constrained: boolean;
  readonly weights: Float64Array | undefined;
  readonly decode: readonly (Uint8Array | undefined)[];
  /** Features by group. */
  readonly members: readonly (readonly number[])[];
  /** Features that have a column. */
  readonly placed: readonly number[];
  /** The best split of each feature, of two leaves. */
  readonly found: Float64Array;
  /** This member's copy of those of the leaf at hand, compared again where rows were counted. */
  readonly own: Float64Array;
  readonly counted: Uint8Array;
  /** Scratch: a histogram by bin, and rows by bin and by code. */
  readonly unbundled: Int32Array;
  readonly counts: Int32Array;
  readonly codeCounts: Int32Array;
  readonly candidate: SplitChoice;
  /** Of several processes: rows of all of them by code, and the split that one of them found, as `SENT` says. */
  readonly allCounts: Int32Array;
  readonly sent: Float64Array;
  readonly terms: SplitTerms;
  // Of one tree:
  owners: GroupOwners | undefined;
  /** Hessian of a row at most. */
  heaviest: number;
  /** Hessian that a leaf must have. */
  floorHessian: number;
  /** Gain per unit of score. */
  factor: number;
}

function newState(...[team, binned, rows, entries, options, monotone, weights]: Parameters<typeof splitSearch>): SearchState {
  const { features, layout } = binned;
  const placed = Array.from(features.keys()).filter((f) => layout.slots[f]);
  return {
    ...{ team, binned, rows, entries, options, monotone, weights, placed },
    constrained: monotone.some((rise) => rise !== 0),
    decode: bundleTables(binned),
    members: featuresByGroup(binned),
    found: team.allocShared("f64", 2 * features.length * FIELDS),
    own: new Float64Array(features.length * FIELDS),
    counted: new Uint8Array(features.length),
    unbundled: heap.i32(2 * CODES),
    counts: heap.i32(CODES),
    codeCounts: heap.i32(CODES),
    allCounts: team.allocShared("i32", team.processes.size > 1 ? CODES : 0),
    sent: team.allocShared("f64", team.processes.size > 1 ? SENT : 0),
    candidate: { score: 0, bin: 0, missingLeft: false, gradient: 0, hessian: 0 },
    terms: {
      ...{ bins: 0, missing: false, gradient: 0, hessian: 0, l1: 0, l2: 0, minHessian: 1, minScore: 0, rows: 0 },
      minRows: options.minItems,
    },
    ...{ owners: undefined, heaviest: 0, floorHessian: 1, factor: 1 },
  };
}

/** By group: a scan of all its features at once, if they only need the best threshold. */
function groupScanners({ binned: { features, layout }, members, constrained, decode }: SearchState) {
  return members.map((all) => {
    if (constrained || all.some((f) => features[f]!.categorical)) return undefined;
    const list = all.map((f) => {
      const { column, codes } = layout.slots[f]!;
      const { bins, missing } = features[f]!;
      return { at: column * CODES, bins, missing, codes, table: decode[f], to: f * FIELDS };
    });
    return splitScanner(list);
  });
}

/** Sets the terms of splits of a leaf. */
function setLeaf({ terms, options, floorHessian, factor }: SearchState, leaf: Leaf): void {
  terms.gradient = leaf.gradient;
  terms.hessian = leaf.hessian;
  terms.rows = leaf.total;
  terms.minHessian =
    options.minItemsUnit === "rows" ? floorHessian : Math.max(floorHessian, (options.minItems * leaf.hessian) / leaf.total);
  const score = boundedScore(leaf.gradient, leaf.hessian, terms, leaf.bounds);
  terms.minScore = score + Math.max(options.minGain / factor, Math.abs(score) * 1e-10); // less is rounding
}

/** Writes the best split of a leaf by one feature into `into`; whether there is one. `tally` has its rows by bin, where they count. */
function tryFeature(state: SearchState, leaf: Leaf, f: number, tally: Int32Array | undefined, into: SplitChoice): boolean {
  const { entries, unbundled, terms, monotone } = state;
  const { features, layout } = state.binned;
  const { bins, missing, categorical } = features[f]!;
  const slot = layout.slots[f]!;
  const table = state.decode[f];
  let from = entries;
  let at = (leaf.slot * layout.groups * COLUMNS + slot.column) * CODES;
  if (table) {
    unbundleHistogram(entries, at, slot.codes, table, bins + (missing ? 1 : 0), unbundled);
    from = unbundled;
    at = 0;
  }
  terms.bins = bins;
  terms.missing = missing;
  if (categorical) return categoricalSplit(from, at, terms, tally, leaf.bounds, into);
  if (state.constrained && (monotone[f] !== 0 || leaf.bounds !== FREE))
    return boundedSplit(from, at, terms, tally, leaf.bounds, monotone[f]!, into);
  return bestSplit(from, at, terms, tally, into);
}

const SENT = 1 + FIELDS + CODES; // whether there is a split, the split, and the side of each category

/** The same where only one process has the histogram of the feature; every member of all processes calls it. */
function tryAnywhere(state: SearchState, leaf: Leaf, f: number, tally: Int32Array | undefined, into: SplitChoice): boolean {
  const { team, binned, sent, owners } = state;
  if (team.processes.size === 1) return tryFeature(state, leaf, f, tally, into);
  const owner = owners!.ownerOf(Math.floor(binned.layout.slots[f]!.column / COLUMNS));
  if (team.rank === 0 && team.processes.rank === owner) {
    sent[0] = tryFeature(state, leaf, f, tally, into) ? 1 : 0;
    storeSplit(sent, 1, true, into);
    if (into.left) sent.set(into.left, 1 + FIELDS);
  }
  team.broadcast(sent, owner);
  const found = sent[0] === 1;
  Object.assign(into, loadSplit(sent, 1));
  if (binned.features[f]!.categorical) into.left = Uint8Array.from(sent.subarray(1 + FIELDS));
  team.barrier(); // all have read
  return found;
}

/** The rows of a leaf, of all members of all processes, by bin of a feature. */
function countRows(state: SearchState, leaf: Leaf, f: number): Int32Array {
  const { team, binned, rows, decode, counts, codeCounts, allCounts } = state;
  const { column, codes } = binned.layout.slots[f]!;
  const byte = Math.floor(column / COLUMNS) * binned.rows * COLUMNS + (column % COLUMNS);
  const table = decode[f];
  codeCounts.fill(0);
  leaf.starts.forEach((start, r) => {
    countCodes(binned.bins, byte, rows, start, leaf.counts[r]!, codeCounts);
  });
  if (team.processes.size > 1) {
    if (team.rank === 0) allCounts.set(codeCounts);
    team.addUp(allCounts);
    codeCounts.set(allCounts);
  }
  counts.fill(0);
  for (let code = 0; code < codes; code++) counts[table ? table[code]! : code]! += codeCounts[code]!;
  return counts;
}

/** The feature with the best of this member's splits, or -1. Results of features that the leaf may not use were not written. */
function bestFeature({ own, placed, terms, weights }: SearchState, { path: { allowed } }: Leaf, whole: number): number {
  let best = -1;
  let most = weights ? 0 : terms.minScore;
  for (const f of placed) {
    const score = allowed && !allowed[f] ? NO_CUT : own[f * FIELDS]!;
    if (!(score > terms.minScore)) continue;
    const value = weights ? weights[f]! * (score - whole) : score;
    if (value > most) {
      best = f;
      most = value;
    }
  }
  return best;
}

/** The best split of a leaf, from what was found for each feature. */
function chooseSplit(state: SearchState, leaf: Leaf, child: number): BestSplit | undefined {
  const { own, found, counted, options, candidate } = state;
  own.set(found.subarray(child * own.length, (child + 1) * own.length));
  counted.fill(0);
  setLeaf(state, leaf);
  const sureHessian = options.minItemsUnit === "hessian" ? 0 : options.minItems * state.heaviest; // of enough rows
  const lightSide = (f: number) => Math.min(own[f * FIELDS + 4]!, leaf.hessian - own[f * FIELDS + 4]!);
  const whole = boundedScore(leaf.gradient, leaf.hessian, state.terms, leaf.bounds);
  let counting = false;
  let best = bestFeature(state, leaf, whole);
  while (best >= 0 && !counted[best] && !(lightSide(best) >= sureHessian)) {
    counted[best] = 1;
    counting = true;
    storeSplit(own, best * FIELDS, tryAnywhere(state, leaf, best, countRows(state, leaf, best), candidate), candidate);
    best = bestFeature(state, leaf, whole);
  }
  const choice = best < 0 ? undefined : completeSplit(state, leaf, best, whole);
  // All members count the same features of the same leaf, so all come to this barrier or none does.
  if (counting) state.team.barrier();
  return choice;
}

/** The split of the feature chosen, with its gain and, if it is categorical, its set of categories. */
function completeSplit(state: SearchState, leaf: Leaf, feature: number, whole: number): BestSplit {
  const split = loadSplit(state.own, feature * FIELDS);
  const { score } = split;
  // The set of categories is not shared, so each member finds it again.
  if (state.binned.features[feature]!.categorical)
    tryAnywhere(state, leaf, feature, state.counted[feature] ? countRows(state, leaf, feature) : undefined, split);
  const gain = (score - whole) * state.factor;
  return { feature, split, gain, weightedGain: state.weights ? state.weights[feature]! * gain : gain };
}

export function splitSearch(
  team: Team,
  binned: BinnedDataset,
  rows: Uint32Array,
  entries: Int32Array,
  options: TreesSettings,
  monotone: Int8Array,
  weights: Float64Array | undefined,
): SplitSearch {
  const state = newState(team, binned, rows, entries, options, monotone, weights);
  const { found, candidate, terms, members, decode } = state;
  const { features, layout } = binned;
  const scanners = groupScanners(state);
  const second = found.subarray(features.length * FIELDS);
  const exchange = foundExchange(team, members, found, FIELDS, 2);
  return {
    begin(units, heaviest) {
      terms.l1 = options.l1 * units.gradient;
      terms.l2 = options.l2 * units.hessian;
      state.floorHessian = Math.max(1, options.minHessian * units.hessian);
      state.factor = units.hessian / (units.gradient * units.gradient);
      state.heaviest = heaviest;
      if (poisoned() && team.rank === 0) found.fill(Infinity); // for tests: a result that was not written would win
    },
    scan(leaf, group, child) {
      const { allowed } = leaf.path;
      setLeaf(state, leaf);
      const scan = allowed ? undefined : scanners[group];
      if (scan) {
        scan(entries, leaf.slot * layout.groups * COLUMNS * CODES, terms, child === 0 ? found : second);
        return;
      }
      for (const f of members[group]!)
        if (!allowed || allowed[f]) {
          const good = tryFeature(state, leaf, f, undefined, candidate);
          storeSplit(found, (child * features.length + f) * FIELDS, good, candidate);
        }
    },
    exchange(owners) {
      state.owners = owners;
      exchange(owners);
    },
    choose: (leaf, child) => chooseSplit(state, leaf, child),
    mark({ feature, split: { bin, missingLeft, left } }, right) {
      const { bins } = features[feature]!;
      const table = decode[feature];
      for (let code = 0; code < CODES; code++) {
        const b = table ? table[code]! : code;
        right[code] = (left ? left[b] === 1 : b < bins ? b <= bin : missingLeft) ? 0 : 1;
      }
    },
  };
}
