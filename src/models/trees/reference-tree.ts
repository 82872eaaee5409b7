/**
 * A tree learner without histograms, bytes or threads, to compare the real one with. It tries every cut of every feature in every leaf, and
 * for each of them adds up the rows on both sides again. It knows every option of trees.
 *
 * Given the whole numbers that the real one packs, its sums are the same numbers, and so are its scores, gains and values: the two trees
 * are equal to the last bit, also where cuts tie. The first leaf of those with the largest gain is cut, or all leaves of a level; of cuts with equal scores the
 * one of the first feature wins, then the one that sends missing values right, then the one with the lowest threshold.
 */
import type { TreesSettings } from "./options.ts";
import type { Tree } from "./tree.ts";

/** How one feature may be cut. */
export interface ReferenceFeature {
  readonly values: ArrayLike<number>; // by row, NaN where missing
  readonly thresholds: ArrayLike<number>; // ascending; of a categorical feature, the categories
  readonly categorical: boolean;
  readonly rise: number; // 1: the value of the tree may not fall with the feature, -1: not rise, 0: free
}

export interface ReferenceInput {
  readonly features: readonly (ReferenceFeature | undefined)[]; // undefined: not to be used
  readonly seen: readonly number[]; // rows that the tree is grown on
  readonly gradient: ArrayLike<number>; // by row, in units
  readonly hessian: ArrayLike<number>;
  readonly units: { readonly gradient: number; readonly hessian: number };
  readonly least: number; // Hessian that a side must have, in units
}

export type ReferenceOptions = Pick<
  TreesSettings,
  "shape" | "leaves" | "maxDepth" | "minItems" | "minItemsUnit" | "minGain" | "l1" | "l2"
>;

export interface ReferenceLeaf {
  readonly node: number;
  readonly rows: readonly number[];
  readonly gradient: number;
  readonly hessian: number;
  readonly low: number; // bounds of its value, in units of gradient over Hessian
  readonly high: number;
}

interface Leaf extends ReferenceLeaf {
  readonly depth: number;
  readonly bounded: boolean; // below a cut of a feature with a direction
  cut?: Cut | undefined;
}

interface Cut {
  readonly feature: number;
  readonly goesLeft: (value: number) => boolean;
  readonly score: number;
  readonly gain: number;
  readonly threshold: number;
  readonly missingLeft: boolean;
  readonly set: number[] | undefined;
  readonly middle: number; // of the two sides' values
}

const SMOOTHING = 10; // as in split.ts
const GREATEST = 3.4028234663852886e38; // of float32

/** The tree with full steps in its leaves. `goesLeft` of a cut decides for rows that were not seen, too. */
export function referenceTree(input: ReferenceInput, options: ReferenceOptions): { tree: Tree; leaves: ReferenceLeaf[] } {
  const { features, units, least } = input;
  const [l1, l2] = [options.l1 * units.gradient, options.l2 * units.hessian];
  const factor = units.hessian / (units.gradient * units.gradient); // gain per unit of score
  const usable = features.some((feature) => feature && hasCuts(feature));

  const sum = (rows: readonly number[], of: ArrayLike<number>) => rows.reduce((total, row) => total + of[row]!, 0);
  const drawn = (g: number) => Math.max(Math.abs(g) - l1, 0) * Math.sign(g);
  const step = (g: number, h: number, { low, high }: Leaf) => Math.min(high, Math.max(low, -drawn(g) / (h + l2)));

  /** What a side of a cut scores within the bounds of the leaf. */
  function boundedScore(g: number, h: number, leaf: Leaf): number {
    const w = step(g, h, leaf);
    return -(2 * drawn(g) * w + (h + l2) * w * w);
  }

  /** The same where there are none, in the terms of the kernel. */
  function freeScore(g: number, h: number): number {
    const kept = l1 > 0 ? Math.max(Math.abs(g) - l1, 0) : g;
    return (kept * kept) / (h + l2);
  }

  /** The best cut of a leaf. */
  function search(leaf: Leaf): Cut | undefined {
    const { rows, gradient, hessian } = leaf;
    if (rows.length < 2 * options.minItems || leaf.depth >= options.maxDepth || hessian < 2 * least) return undefined;
    const enough = options.minItemsUnit === "rows" ? least : Math.max(least, (options.minItems * hessian) / rows.length);
    const fewest = options.minItemsUnit === "hessian" ? 0 : options.minItems;
    const whole = boundedScore(gradient, hessian, leaf);
    let minScore = whole + Math.max(options.minGain / factor, Math.abs(whole) * 1e-10);
    let best: Cut | undefined;

    const attempt = (f: number, to: Pick<Cut, "goesLeft" | "threshold" | "missingLeft" | "set">) => {
      const { values, rise, categorical } = features[f]!;
      let [gl, hl, left] = [0, 0, 0];
      for (const row of rows) {
        if (!to.goesLeft(values[row]!)) continue;
        gl += input.gradient[row]!;
        hl += input.hessian[row]!;
        left++;
      }
      const [gr, hr, right] = [gradient - gl, hessian - hl, rows.length - left];
      if (hl < enough || hr < enough || left < fewest || right < fewest) return;
      const [low, high] = [step(gl, hl, leaf), step(gr, hr, leaf)];
      if (rise * (high - low) < 0) return;
      const free = !categorical && rise === 0 && !leaf.bounded;
      const score = free ? freeScore(gl, hl) + freeScore(gr, hr) : boundedScore(gl, hl, leaf) + boundedScore(gr, hr, leaf);
      if (!(score > minScore)) return;
      minScore = score;
      best = { ...to, feature: f, score, gain: (score - whole) * factor, middle: (low + high) / 2 };
    };

    features.forEach((feature, f) => {
      if (!feature || !hasCuts(feature)) return;
      for (const one of feature.categorical ? sets(feature, leaf) : thresholds(feature)) attempt(f, one);
    });
    return best;
  }

  function* thresholds({ thresholds }: ReferenceFeature) {
    for (const missingLeft of [false, true])
      for (const threshold of [...Array.from(thresholds), GREATEST]) {
        const goesLeft = (value: number) => (Number.isNaN(value) ? missingLeft : value <= threshold);
        yield { goesLeft, threshold, missingLeft, set: undefined };
      }
  }

  /** The categories that weigh anything, by what they ask for, from either end. */
  function* sets({ values, thresholds: categories }: ReferenceFeature, { rows, hessian }: Leaf) {
    const mean = (SMOOTHING * hessian) / rows.length;
    const weighed = Array.from(categories)
      .map((category) => {
        const own = rows.filter((row) => values[row] === category);
        return { category, g: sum(own, input.gradient), h: sum(own, input.hessian) };
      })
      .filter(({ g, h }) => g !== 0 || h !== 0);
    weighed.sort((a, b) => a.g / (a.h + mean) - b.g / (b.h + mean) || a.category - b.category);
    for (const order of [weighed, weighed.slice().reverse()])
      for (let k = 1; k <= order.length; k++) {
        const set = order.slice(0, k).map(({ category }) => category);
        yield {
          goesLeft: (value: number) => set.includes(value),
          threshold: 0,
          missingLeft: false,
          set: set.sort((a, b) => a - b),
        };
      }
  }

  const nodes: { items: number; cut?: Cut; left: number; right: number; missing: number }[] = [];
  const add = (items: number) => nodes.push({ items, left: -1, right: -1, missing: 0 }) - 1;
  const leafOf = (rows: readonly number[], more: Pick<Leaf, "depth" | "low" | "high" | "bounded">): Leaf => {
    const leaf: Leaf = {
      ...{ node: add(rows.length), rows, ...more },
      // Where no feature can be cut nothing is summed.
      gradient: usable ? sum(rows, input.gradient) : 0,
      hessian: usable ? sum(rows, input.hessian) : 0,
    };
    leaf.cut = usable && options.shape !== "symmetric" ? search(leaf) : undefined;
    return leaf;
  };

  /** Cuts a leaf in two. */
  function cutLeaf(parent: Leaf): readonly [Leaf, Leaf] {
    const { feature, goesLeft, middle, missingLeft, set } = parent.cut!;
    const { values, rise } = features[feature]!;
    const left = parent.rows.filter((row) => goesLeft(values[row]!));
    const right = parent.rows.filter((row) => !goesLeft(values[row]!));
    const depth = parent.depth + 1;
    const { low, high, bounded } = parent;
    const below = { depth, low, high: Math.min(high, middle), bounded: true };
    const above = { depth, low: Math.max(low, middle), high, bounded: true };
    const same = { depth, low, high, bounded };
    const [one, other] = rise === 0 ? [same, same] : rise > 0 ? [below, above] : [above, below];
    const pair = [leafOf(left, one), leafOf(right, other)] as const;
    const missing = Array.from(values).some(Number.isNaN) ? missingLeft : left.length >= right.length;
    Object.assign(nodes[parent.node]!, {
      ...{ cut: parent.cut, left: pair[0].node, right: pair[1].node },
      missing: !set && missing ? 1 : 0,
    });
    return pair;
  }

  let leaves = [leafOf(input.seen, { depth: 0, low: -Infinity, high: Infinity, bounded: false })];
  if (options.shape === "symmetric") cutLevels();
  else cutBest();

  function cutBest(): void {
    while (leaves.length < options.leaves) {
      let at = -1;
      leaves.forEach(({ cut }, i) => {
        if (cut && cut.gain > (at < 0 ? 0 : leaves[at]!.cut!.gain)) at = i;
      });
      if (at < 0) break;
      const pair = cutLeaf(leaves[at]!);
      leaves.splice(at, 1, pair[0]);
      leaves.push(pair[1]);
    }
  }

  /** The cut of one leaf by a threshold that its level shares; undefined where a side would be too small. */
  function sharedCut(leaf: Leaf, feature: number, to: Pick<Cut, "goesLeft" | "threshold" | "missingLeft" | "set">) {
    const { rows, gradient, hessian } = leaf;
    const left = rows.filter((row) => to.goesLeft(features[feature]!.values[row]!));
    const [gl, hl] = [sum(left, input.gradient), sum(left, input.hessian)];
    const enough = Math.max(least, (options.minItems * hessian) / rows.length);
    if (hl < enough || hessian - hl < enough) return undefined;
    const score = freeScore(gl, hl) + freeScore(gradient - gl, hessian - hl);
    return { ...to, feature, score, gained: score - freeScore(gradient, hessian), middle: 0 };
  }

  /** One cut for all leaves of a level: the one whose gains sum to most. */
  function cutLevels(): void {
    for (let level = 0; level < Math.min(options.maxDepth, Math.floor(Math.log2(options.leaves))); level++) {
      const open = leaves.filter(
        ({ rows, depth, hessian }) =>
          usable && rows.length >= 2 * options.minItems && depth < options.maxDepth && hessian >= 2 * least,
      );
      const scale = open.reduce((total, { gradient, hessian }) => total + freeScore(gradient, hessian), 0);
      let most = Math.max(options.minGain / factor, scale * 1e-10);
      let best: ReturnType<typeof sharedCut>[] | undefined;
      features.forEach((feature, f) => {
        if (!feature || !hasCuts(feature)) return;
        for (const one of thresholds(feature)) {
          const cuts = open.map((leaf) => sharedCut(leaf, f, one));
          const total = cuts.reduce((gained, cut) => (cut ? gained + cut.gained : gained), 0);
          if (!(total > most)) continue;
          most = total;
          best = cuts;
        }
      });
      if (!best) return;
      const chosen = best;
      leaves = leaves.flatMap((leaf) => {
        const cut = chosen[open.indexOf(leaf)];
        leaf.cut = cut && { ...cut, gain: Math.max(0, cut.gained) * factor };
        return cut ? cutLeaf(leaf) : [leaf];
      });
    }
  }

  const value = new Float64Array(nodes.length);
  for (const leaf of leaves) {
    const full = step(leaf.gradient, Math.max(leaf.hessian, least), leaf);
    value[leaf.node] = full === 0 ? 0 : (full * units.hessian) / units.gradient;
  }
  const tree: Tree = {
    feature: Int32Array.from(nodes, ({ cut }) => cut?.feature ?? -1),
    threshold: Float32Array.from(nodes, ({ cut }) => cut?.threshold ?? 0),
    missing: Uint8Array.from(nodes, ({ missing }) => missing),
    left: Int32Array.from(nodes, ({ left }) => left),
    right: Int32Array.from(nodes, ({ right }) => right),
    value,
    gain: Float64Array.from(nodes, ({ cut }) => cut?.gain ?? 0),
    items: Float64Array.from(nodes, ({ items }) => items),
    sets: new Map(nodes.flatMap(({ cut }, node) => (cut?.set ? [[node, Float32Array.from(cut.set)] as const] : []))),
  };
  return { tree, leaves };
}

/** Whether a feature has two bins or more, where those of no value count: a column of missing values alone has two. */
function hasCuts({ values, thresholds, categorical }: ReferenceFeature): boolean {
  const missing = Array.from(values).some(Number.isNaN);
  const bins = categorical ? thresholds.length + 1 : thresholds.length + 1 + (missing ? 1 : 0);
  return bins > 1;
}
