/**
 * The split of a whole level of a symmetric (oblivious) tree: the feature, threshold and side of missing values whose gains, summed over the
 * leaves, are largest. CatBoost grows its trees so; Kohavi and Li 1995 call them oblivious decision graphs.
 *
 * A leaf of which a side would be too small is not split, adds nothing to the sum, and takes part again at the next level. Members of a team
 * scan groups of columns apart; each feature's sums run over the leaves in order, so they do not depend on the team.
 */
import { heap } from "../../numeric/heap.ts";
import { NO_CUT, unbundleHistogram } from "../../numeric/split.ts";
import { poisoned } from "../../numeric/stress.ts";
import type { Team } from "../../types.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import { bundleTables, featuresByGroup } from "./feature-columns.ts";
import { foundExchange, type GroupOwners } from "./group-owners.ts";
import { CODES, COLUMNS } from "./layout.ts";
import type { TreesSettings } from "./options.ts";
import type { Units } from "./quantize.ts";
import type { BestSplit, Leaf } from "./search.ts";

/** A split that all leaves of a level share. */
export interface LevelSplit {
  readonly feature: number;
  readonly bin: number;
  readonly missingLeft: boolean;
}

export interface LevelSearch {
  /** Sets what holds for one tree. A barrier follows before the first scan. */
  begin(units: Units): void;
  /** Scans the allowed features of a group (undefined: all) over the leaves that can be split. */
  scan(leaves: readonly Leaf[], group: number, allowed: Uint8Array | undefined): void;
  /** The best split of the level, once all groups with an allowed feature have been scanned. */
  choose(leaves: readonly Leaf[], allowed: Uint8Array | undefined): LevelSplit | undefined;
  /** Exchanges what processes have found in their groups. Every member calls it after all groups were scanned. */
  exchange(owners: GroupOwners): void;
  /** Sets what it does to each leaf: nothing where a side would be too small. */
  splitAll(leaves: readonly Leaf[], split: LevelSplit): void;
}

const SENT = 5; // of the split of a leaf: whether there is one, gain, score, left gradient, left Hessian
const FIELDS = 3; // gain (NO_CUT: none), bin, side of the missing

/** What the search of one training run holds. */
interface LevelState {
  readonly binned: BinnedDataset;
  /** Histograms. */
  readonly entries: Int32Array;
  readonly options: TreesSettings;
  readonly decode: readonly (Uint8Array | undefined)[];
  /** The best split of each feature. */
  readonly found: Float64Array;
  /** Scratch: a histogram by bin. */
  readonly unbundled: Int32Array;
  /** Gains by bin, missing values right and left. */
  readonly totals: readonly [Float64Array, Float64Array];
  // Of one tree:
  l1: number;
  l2: number;
  /** Hessian that a leaf must have. */
  floorHessian: number;
  /** Gain per unit of score. */
  factor: number;
}

function score({ l1, l2 }: LevelState, gradient: number, hessian: number): number {
  const kept = l1 > 0 ? Math.max(Math.abs(gradient) - l1, 0) : gradient;
  return (kept * kept) / (hessian + l2);
}

/** The Hessian that a side of a leaf must have. */
const enough = ({ floorHessian, options }: LevelState, { hessian, total }: Leaf) =>
  Math.max(floorHessian, (options.minItems * hessian) / total);

/** The histogram of a leaf by one feature, and the entry where it begins. */
function histogram(state: LevelState, leaf: Leaf, f: number): readonly [Int32Array, number] {
  const { entries, unbundled } = state;
  const { features, layout } = state.binned;
  const { column, codes } = layout.slots[f]!;
  const at = (leaf.slot * layout.groups * COLUMNS + column) * CODES;
  const table = state.decode[f];
  if (!table) return [entries, at];
  unbundleHistogram(entries, at, codes, table, features[f]!.bins + (features[f]!.missing ? 1 : 0), unbundled);
  return [unbundled, 0];
}

/** Adds the gains of one leaf, for every bin. */
function addLeaf(state: LevelState, leaf: Leaf, f: number): void {
  const { bins, missing } = state.binned.features[f]!;
  const [from, at] = histogram(state, leaf, f);
  const [whole, least] = [score(state, leaf.gradient, leaf.hessian), enough(state, leaf)];
  for (const side of missing ? [0, 1] : [0]) {
    const into = state.totals[side]!;
    let hl = side === 1 ? from[2 * (at + bins)]! >>> 0 : 0;
    let gl = side === 1 ? from[2 * (at + bins) + 1]! : 0;
    for (let b = 0; b < bins; b++) {
      hl += from[2 * (at + b)]! >>> 0;
      gl += from[2 * (at + b) + 1]!;
      const hr = leaf.hessian - hl;
      if (hl < least) continue;
      if (hr < least) break;
      into[b]! += score(state, gl, hl) + score(state, leaf.gradient - gl, hr) - whole;
    }
  }
}

/** Finds the best split of a level by one feature. */
function scanFeature(state: LevelState, leaves: readonly Leaf[], f: number): void {
  const { found, totals } = state;
  const { bins, missing } = state.binned.features[f]!;
  for (const side of totals) side.fill(0, 0, bins);
  for (const leaf of leaves) addLeaf(state, leaf, f);
  const at = f * FIELDS;
  found[at] = NO_CUT;
  for (const side of missing ? [0, 1] : [0])
    for (let b = 0; b < bins; b++)
      if (totals[side]![b]! > found[at]!) {
        found[at] = totals[side]![b]!;
        found[at + 1] = b;
        found[at + 2] = side;
      }
}

/** What the split of a level does to one leaf. */
function splitOf(state: LevelState, leaf: Leaf, { feature, bin, missingLeft }: LevelSplit): BestSplit | undefined {
  const { bins } = state.binned.features[feature]!;
  const [from, at] = histogram(state, leaf, feature);
  let [hessian, gradient] = [0, 0];
  for (let b = 0; b <= bins; b++) {
    if (b < bins ? b > bin : !missingLeft) continue;
    hessian += from[2 * (at + b)]! >>> 0;
    gradient += from[2 * (at + b) + 1]!;
  }
  const [least, hr, gr] = [enough(state, leaf), leaf.hessian - hessian, leaf.gradient - gradient];
  if (hessian < least || hr < least) return undefined;
  const whole = score(state, gradient, hessian) + score(state, gr, hr);
  const gain = Math.max(0, whole - score(state, leaf.gradient, leaf.hessian)) * state.factor; // l2 may make a leaf lose where the level gains
  return { feature, gain, weightedGain: gain, split: { score: whole, bin, missingLeft, gradient, hessian } };
}

export function levelSearch(
  team: Team,
  binned: BinnedDataset,
  entries: Int32Array,
  options: TreesSettings,
  weights: Float64Array | undefined,
): LevelSearch {
  const { features, layout } = binned;
  const found = team.allocShared("f64", features.length * FIELDS);
  const state: LevelState = {
    ...{ binned, entries, options, found, decode: bundleTables(binned), unbundled: heap.i32(2 * CODES) },
    totals: [new Float64Array(CODES), new Float64Array(CODES)],
    ...{ l1: 0, l2: 0, floorHessian: 1, factor: 1 },
  };
  const members = featuresByGroup(binned);
  const exchange = foundExchange(team, members, found, FIELDS);
  let sent: Float64Array = new Float64Array(); // of several processes: the splits of all leaves
  let owners: GroupOwners | undefined;
  return {
    begin(units) {
      state.l1 = options.l1 * units.gradient;
      state.l2 = options.l2 * units.hessian;
      state.floorHessian = Math.max(1, options.minHessian * units.hessian);
      state.factor = units.hessian / (units.gradient * units.gradient);
      if (poisoned() && team.rank === 0) found.fill(Infinity); // for tests: a result that was not written would win
    },
    scan(leaves, group, allowed) {
      for (const f of members[group]!) if (!allowed || allowed[f]) scanFeature(state, leaves, f);
    },
    choose(leaves, allowed) {
      const scale = leaves.reduce((sum, { gradient, hessian }) => sum + score(state, gradient, hessian), 0);
      const least = Math.max(options.minGain / state.factor, scale * 1e-10); // less is rounding
      let best = -1;
      let most = weights ? 0 : least;
      for (const f of features.keys()) {
        if (!layout.slots[f] || (allowed && !allowed[f]) || !(found[f * FIELDS]! > least)) continue;
        const value = weights ? weights[f]! * found[f * FIELDS]! : found[f * FIELDS]!;
        if (value > most) {
          best = f;
          most = value;
        }
      }
      if (best < 0) return undefined;
      return { feature: best, bin: found[best * FIELDS + 1]!, missingLeft: found[best * FIELDS + 2] === 1 };
    },
    exchange(whose) {
      owners = whose;
      exchange(whose);
    },
    splitAll(leaves, split) {
      if (team.processes.size === 1) {
        for (const leaf of leaves) leaf.best = splitOf(state, leaf, split);
        return;
      }
      // Only one process has the histograms of the feature.
      if (sent.length < leaves.length * SENT) sent = team.allocShared("f64", 2 * leaves.length * SENT);
      const owner = owners!.ownerOf(Math.floor(layout.slots[split.feature]!.column / COLUMNS));
      if (team.rank === 0 && team.processes.rank === owner)
        leaves.forEach((leaf, i) => {
          const found = splitOf(state, leaf, split);
          sent.set(found ? [1, found.gain, found.split.score, found.split.gradient, found.split.hessian] : [0], i * SENT);
        });
      team.broadcast(sent, owner);
      leaves.forEach((leaf, i) => {
        const [good, gain, score, gradient, hessian] = sent.subarray(i * SENT, (i + 1) * SENT) as unknown as number[];
        const { feature, bin, missingLeft } = split;
        const choice = { score: score!, bin, missingLeft, gradient: gradient!, hessian: hessian! };
        leaf.best = good === 1 ? { feature, gain: gain!, weightedGain: gain!, split: choice } : undefined;
      });
      team.barrier(); // all have read
    },
  };
}
