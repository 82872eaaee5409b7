/**
 * The best cut of a leaf over all features. Members of a team scan features apart and write what they find into shared memory; then every
 * member compares for itself, so all know the same.
 *
 * Histograms hold no counts. Where rows must be counted, a side whose curvature is at least `minItems` times that of the heaviest row has
 * enough of them; only where that does not decide are the rows of the best feature counted, and its cuts compared again with counts
 * known. So the limit is exact, and counting touches one column of small leaves.
 */
import { heap } from "../../numeric/heap.ts";
import { countCodes } from "../../numeric/partition.ts";
import { bestCut, type Cut, cutScanner, foldCodes, NO_CUT, type Terms } from "../../numeric/split.ts";
import { poisoned } from "../../numeric/stress.ts";
import type { Team } from "../../types.ts";
import { CODES, COLUMNS } from "./layout.ts";
import type { Options } from "./options.ts";
import type { Units } from "./quantise.ts";
import { type Bounds, boundedCut, boundedScore, type Choice, categoryCut, FREE } from "./split.ts";
import type { Table } from "./table.ts";

/** A leaf while the tree grows. Sums are in units. */
export interface Leaf {
  readonly node: number;
  readonly depth: number;
  readonly starts: readonly number[]; // by member: where its rows of the leaf begin
  readonly counts: readonly number[];
  readonly total: number;
  readonly gradient: number;
  readonly curvature: number;
  readonly bounds: Bounds;
  readonly outStart: number; // this member's rows that the tree was not grown on
  readonly outCount: number;
  slot: number; // of its histograms; -1: none
  best?: Best | undefined;
}

export interface Best {
  readonly feature: number;
  readonly cut: Choice;
  readonly gain: number;
}

export interface Search {
  /** Sets what holds for one tree. A barrier follows before the first scan. */
  begin(units: Units, heaviest: number, allowed: Uint8Array | undefined): void;
  /** Scans the allowed features of a group for a leaf; `child` tells two leaves that are searched together apart. */
  scan(leaf: Leaf, group: number, child: number): void;
  /**
   * The best cut of a leaf for which all groups with an allowed feature have been scanned. Every member calls it, and may move its rows when
   * it returns: where the rows of all members were counted, it ends with a barrier.
   */
  choose(leaf: Leaf, child: number): Best | undefined;
  /** Marks by code whether rows go right. */
  mark(best: Best, right: Uint8Array): void;
}

const FACTS = 5; // of a cut: score (NO_CUT: none), bin, side of the missing, left gradient, left curvature

export function searcher(
  team: Team,
  table: Table,
  rows: Uint32Array,
  words: Int32Array,
  options: Options,
  monotone: Int8Array,
): Search {
  const { features, layout } = table;
  const found = team.share("f64", 2 * features.length * FACTS);
  const second = found.subarray(features.length * FACTS);
  const mine = new Float64Array(features.length * FACTS);
  const counted = new Uint8Array(features.length);
  const folded = heap.i32(2 * CODES);
  const counts = heap.i32(CODES);
  const codeCounts = heap.i32(CODES);
  const constrained = monotone.some((rise) => rise !== 0);
  const width = (f: number) => features[f]!.bins + (features[f]!.missing ? 1 : 0);
  // Bins by code, for features that share their column.
  const decode = features.map((_, f) => {
    const place = layout.places[f];
    if (!place || place.codes === width(f)) return undefined;
    const codes = heap.u8(CODES);
    for (let code = 0; code < place.codes; code++) codes[code] = Math.floor(code / place.step) % width(f);
    return codes;
  });
  const members: number[][] = Array.from({ length: layout.groups }, () => []);
  layout.places.forEach((place, f) => {
    if (place) members[Math.floor(place.column / COLUMNS)]!.push(f);
  });

  // All features of a group at once, where none of them asks for more than the best threshold.
  const scanners = members.map((all) => {
    if (constrained || all.some((f) => features[f]!.categorical)) return undefined;
    const list = all.map((f) => {
      const { column, codes } = layout.places[f]!;
      const { bins, missing } = features[f]!;
      return { at: column * CODES, bins, missing, codes, table: decode[f], to: f * FACTS };
    });
    return cutScanner(list);
  });

  const cut: Choice = { score: 0, bin: 0, missingLeft: false, gradient: 0, curvature: 0 };
  const terms: Terms = {
    ...{ bins: 0, missing: false, gradient: 0, curvature: 0, l1: 0, l2: 0, least: 1, floor: 0, total: 0 },
    items: options.minItems,
  };
  let heaviest = 0;
  let floorCurvature = 1;
  let factor = 1; // gain per unit of score
  let allowed: Uint8Array | undefined;
  const placed = Array.from(features.keys()).filter((f) => layout.places[f]);
  let candidates = placed; // features of this tree: only these are scanned, and only their results are read

  function aim(leaf: Leaf): void {
    terms.gradient = leaf.gradient;
    terms.curvature = leaf.curvature;
    terms.total = leaf.total;
    terms.least =
      options.count === "rows" ? floorCurvature : Math.max(floorCurvature, (options.minItems * leaf.curvature) / leaf.total);
    const score = boundedScore(leaf.gradient, leaf.curvature, terms, leaf.bounds);
    terms.floor = score + Math.max(options.minGain / factor, Math.abs(score) * 1e-10); // less is rounding
  }

  function tryFeature(leaf: Leaf, f: number, tally: Int32Array | undefined, into: Choice): boolean {
    const { bins, missing, categorical } = features[f]!;
    const place = layout.places[f]!;
    let from = words;
    let at = (leaf.slot * layout.groups * COLUMNS + place.column) * CODES;
    if (decode[f]) {
      foldCodes(words, at, place.codes, decode[f], width(f), folded);
      from = folded;
      at = 0;
    }
    terms.bins = bins;
    terms.missing = missing;
    if (categorical) return categoryCut(from, at, terms, tally, leaf.bounds, into);
    if (constrained && (monotone[f] !== 0 || leaf.bounds !== FREE))
      return boundedCut(from, at, terms, tally, leaf.bounds, monotone[f]!, into);
    return bestCut(from, at, terms, tally, into);
  }

  function write(to: Float64Array, at: number, good: boolean, { score, bin, missingLeft, gradient, curvature }: Cut): void {
    to[at] = good ? score : NO_CUT;
    if (!good) return;
    to[at + 1] = bin;
    to[at + 2] = missingLeft ? 1 : 0;
    to[at + 3] = gradient;
    to[at + 4] = curvature;
  }

  function count(leaf: Leaf, f: number): Int32Array {
    const { column, codes } = layout.places[f]!;
    const byte = Math.floor(column / COLUMNS) * table.rows * COLUMNS + (column % COLUMNS);
    codeCounts.fill(0);
    leaf.starts.forEach((start, r) => {
      countCodes(table.bins, byte, rows, start, leaf.counts[r]!, codeCounts);
    });
    counts.fill(0);
    for (let code = 0; code < codes; code++) counts[decode[f] ? decode[f][code]! : code]! += codeCounts[code]!;
    return counts;
  }

  return {
    begin(units, most, some) {
      terms.l1 = options.l1 * units.gradient;
      terms.l2 = options.l2 * units.curvature;
      floorCurvature = Math.max(1, options.minCurvature * units.curvature);
      factor = units.curvature / (units.gradient * units.gradient);
      heaviest = most;
      allowed = some;
      if (poisoned() && team.rank === 0) found.fill(Infinity); // for tests: a result that nobody wrote would win
      candidates = some ? placed.filter((f) => some[f]) : placed;
    },
    scan(leaf, group, child) {
      aim(leaf);
      const scan = allowed ? undefined : scanners[group];
      if (scan) {
        scan(words, leaf.slot * layout.groups * COLUMNS * CODES, terms, child === 0 ? found : second);
        return;
      }
      for (const f of members[group]!)
        if (!allowed || allowed[f]) write(found, (child * features.length + f) * FACTS, tryFeature(leaf, f, undefined, cut), cut);
    },
    choose(leaf, child) {
      const from = child * mine.length;
      mine.set(found.subarray(from, from + mine.length));
      counted.fill(0);
      aim(leaf);
      const sure = options.count === "curvature" ? 0 : options.minItems * heaviest;
      let counting = false;
      // All members count the same features of the same leaf, so all come to this barrier or none does.
      const settle = (best: Best | undefined) => {
        if (counting) team.barrier();
        return best;
      };
      for (;;) {
        let best = -1;
        let score = terms.floor;
        for (const f of candidates)
          if (mine[f * FACTS]! > score) {
            best = f;
            score = mine[f * FACTS]!;
          }
        if (best < 0) return settle(undefined);
        const at = best * FACTS;
        const light = Math.min(mine[at + 4]!, leaf.curvature - mine[at + 4]!);
        if (counted[best] || light >= sure) {
          const chosen: Choice = {
            ...{ score, bin: mine[at + 1]!, missingLeft: mine[at + 2] === 1 },
            ...{ gradient: mine[at + 3]!, curvature: mine[at + 4]! },
          };
          // The set of categories is not shared, so each member finds it again.
          if (features[best]!.categorical) tryFeature(leaf, best, counted[best] ? count(leaf, best) : undefined, chosen);
          const whole = boundedScore(leaf.gradient, leaf.curvature, terms, leaf.bounds);
          return settle({ feature: best, cut: chosen, gain: (score - whole) * factor });
        }
        counted[best] = 1;
        counting = true;
        write(mine, at, tryFeature(leaf, best, count(leaf, best), cut), cut);
      }
    },
    mark({ feature, cut: { bin, missingLeft, left } }, right) {
      const { bins } = features[feature]!;
      const table = decode[feature];
      for (let code = 0; code < CODES; code++) {
        const b = table ? table[code]! : code;
        right[code] = (left ? left[b] === 1 : b < bins ? b <= bin : missingLeft) ? 0 : 1;
      }
    },
  };
}
