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
import { CODES, COLUMNS } from "./layout.ts";
import type { TreesSettings } from "./options.ts";
import type { Units } from "./quantize.ts";
import { type BestSplit, bundleTables, featuresByGroup, type Leaf } from "./search.ts";

/** A split that all leaves of a level share. */
export interface LevelSplit {
  readonly feature: number;
  readonly bin: number;
  readonly missingLeft: boolean;
}

export interface LevelSearch {
  /** Sets what holds for one tree. A barrier follows before the first scan. */
  begin(units: Units, allowed: Uint8Array | undefined): void;
  /** Scans the allowed features of a group over the leaves that can be split. */
  scan(leaves: readonly Leaf[], group: number): void;
  /** The best split of the level, once all groups with an allowed feature have been scanned. */
  choose(leaves: readonly Leaf[]): LevelSplit | undefined;
  /** What it does to one leaf: undefined where a side would be too small. */
  splitOf(leaf: Leaf, split: LevelSplit): BestSplit | undefined;
}

const FIELDS = 3; // gain (NO_CUT: none), bin, side of the missing

export function levelSearch(team: Team, binned: BinnedDataset, entries: Int32Array, options: TreesSettings): LevelSearch {
  const { features, layout } = binned;
  const found = team.allocShared("f64", features.length * FIELDS);
  const unbundled = heap.i32(2 * CODES);
  const totals = [new Float64Array(CODES), new Float64Array(CODES)]; // gains by bin, missing values right and left
  const decode = bundleTables(binned);
  const members = featuresByGroup(binned);
  let [l1, l2, floorHessian, factor] = [0, 0, 1, 1];
  let allowed: Uint8Array | undefined;

  const score = (gradient: number, hessian: number) => {
    const kept = l1 > 0 ? Math.max(Math.abs(gradient) - l1, 0) : gradient;
    return (kept * kept) / (hessian + l2);
  };

  const enough = ({ hessian, total }: Leaf) => Math.max(floorHessian, (options.minItems * hessian) / total);

  /** The histogram of a leaf by one feature, and the entry where it begins. */
  function histogram(leaf: Leaf, f: number): readonly [Int32Array, number] {
    const { column, codes } = layout.slots[f]!;
    const at = (leaf.slot * layout.groups * COLUMNS + column) * CODES;
    const table = decode[f];
    if (!table) return [entries, at];
    unbundleHistogram(entries, at, codes, table, features[f]!.bins + (features[f]!.missing ? 1 : 0), unbundled);
    return [unbundled, 0];
  }

  /** Adds the gains of one leaf, for every bin. */
  function addLeaf(leaf: Leaf, f: number): void {
    const { bins, missing } = features[f]!;
    const [from, at] = histogram(leaf, f);
    const [whole, least] = [score(leaf.gradient, leaf.hessian), enough(leaf)];
    for (const side of missing ? [0, 1] : [0]) {
      const into = totals[side]!;
      let hl = side === 1 ? from[2 * (at + bins)]! >>> 0 : 0;
      let gl = side === 1 ? from[2 * (at + bins) + 1]! : 0;
      for (let b = 0; b < bins; b++) {
        hl += from[2 * (at + b)]! >>> 0;
        gl += from[2 * (at + b) + 1]!;
        const hr = leaf.hessian - hl;
        if (hl < least) continue;
        if (hr < least) break;
        into[b]! += score(gl, hl) + score(leaf.gradient - gl, hr) - whole;
      }
    }
  }

  function scanFeature(leaves: readonly Leaf[], f: number): void {
    const { bins, missing } = features[f]!;
    for (const side of totals) side.fill(0, 0, bins);
    for (const leaf of leaves) addLeaf(leaf, f);
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

  return {
    begin(units, some) {
      l1 = options.l1 * units.gradient;
      l2 = options.l2 * units.hessian;
      floorHessian = Math.max(1, options.minHessian * units.hessian);
      factor = units.hessian / (units.gradient * units.gradient);
      allowed = some;
      if (poisoned() && team.rank === 0) found.fill(Infinity); // for tests: a result that was not written would win
    },
    scan(leaves, group) {
      for (const f of members[group]!) if (!allowed || allowed[f]) scanFeature(leaves, f);
    },
    choose(leaves) {
      const scale = leaves.reduce((sum, { gradient, hessian }) => sum + score(gradient, hessian), 0);
      let best = -1;
      let gain = Math.max(options.minGain / factor, scale * 1e-10); // less is rounding
      for (const f of features.keys())
        if (layout.slots[f] && (!allowed || allowed[f]) && found[f * FIELDS]! > gain) {
          best = f;
          gain = found[f * FIELDS]!;
        }
      if (best < 0) return undefined;
      return { feature: best, bin: found[best * FIELDS + 1]!, missingLeft: found[best * FIELDS + 2] === 1 };
    },
    splitOf(leaf, { feature, bin, missingLeft }) {
      const { bins } = features[feature]!;
      const [from, at] = histogram(leaf, feature);
      let [hessian, gradient] = [0, 0];
      for (let b = 0; b <= bins; b++) {
        if (b < bins ? b > bin : !missingLeft) continue;
        hessian += from[2 * (at + b)]! >>> 0;
        gradient += from[2 * (at + b) + 1]!;
      }
      const [least, hr, gr] = [enough(leaf), leaf.hessian - hessian, leaf.gradient - gradient];
      if (hessian < least || hr < least) return undefined;
      const whole = score(gradient, hessian) + score(gr, hr);
      const gain = Math.max(0, whole - score(leaf.gradient, leaf.hessian)) * factor; // l2 may make a leaf lose where the level gains
      return { feature, gain, split: { score: whole, bin, missingLeft, gradient, hessian } };
    },
  };
}
