/**
 * A tree learner without histograms, bytes or threads, to compare the real one with. It tries every cut of every feature in every leaf, and
 * for each of them adds up the rows on both sides again. It knows every option of trees.
 *
 * Given the whole numbers that the real one packs, its sums are the same numbers, and so are its scores, gains and values: the two trees
 * are equal to the last bit, also where cuts tie. The first leaf of those with the largest gain is cut, or all leaves of a level; of cuts with equal scores the
 * one of the first feature wins, then the one that sends missing values right, then the one with the lowest threshold.
 */
import type { TreesSettings } from "./options.ts";
import { hasCuts, type ReferenceFeature, type Sides, thresholds } from "./reference-cuts.ts";
import type { Tree } from "./tree.ts";

export interface ReferenceInput {
  readonly features: readonly (ReferenceFeature | undefined)[]; // undefined: not to be used
  readonly seen: readonly number[]; // rows that the tree is grown on
  readonly gradient: ArrayLike<number>; // by row, in units
  readonly hessian: ArrayLike<number>;
  readonly units: { readonly gradient: number; readonly hessian: number };
  readonly least: number; // Hessian that a side must have, in units
  readonly interactions: readonly ReadonlySet<number>[] | undefined; // a path keeps within one of these
  readonly weights: ArrayLike<number> | undefined; // by feature, of its gains
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
  readonly path: readonly number[]; // features of the cuts above
  readonly bounded: boolean; // below a cut of a feature with a direction
  cut?: Cut | undefined;
}

interface Cut extends Sides {
  readonly feature: number;
  readonly score: number;
  readonly gain: number;
  readonly weighted: number; // the gain by which cuts are compared
  readonly middle: number; // of the two sides' values
}

const SMOOTHING = 10; // as in split.ts

/** The tree with full steps in its leaves. `goesLeft` of a cut decides for rows that were not seen, too. */
export function referenceTree(input: ReferenceInput, options: ReferenceOptions): { tree: Tree; leaves: ReferenceLeaf[] } {
  return new ReferenceGrowth(input, options).grow();
}

class ReferenceGrowth {
  private readonly input: ReferenceInput;
  private readonly options: ReferenceOptions;
  private readonly features: ReferenceInput["features"];
  private readonly least: number;
  private readonly l1: number;
  private readonly l2: number;
  private readonly factor: number; // gain per unit of score
  private readonly usable: boolean; // some feature can be cut
  private readonly nodes: { items: number; cut?: Cut; left: number; right: number; missing: number }[] = [];
  private leaves: Leaf[];

  constructor(input: ReferenceInput, options: ReferenceOptions) {
    const { features, units, least, seen } = input;
    this.input = input;
    this.options = options;
    this.features = features;
    this.least = least;
    this.l1 = options.l1 * units.gradient;
    this.l2 = options.l2 * units.hessian;
    this.factor = units.hessian / (units.gradient * units.gradient);
    this.usable = features.some((feature) => feature && hasCuts(feature));
    this.leaves = [this.leafOf(seen, { depth: 0, path: [], low: -Infinity, high: Infinity, bounded: false })];
  }

  grow(): { tree: Tree; leaves: ReferenceLeaf[] } {
    if (this.options.shape === "symmetric") this.cutLevels();
    else this.cutBest();
    return { tree: this.tree(), leaves: this.leaves };
  }

  private softened(g: number): number {
    return Math.max(Math.abs(g) - this.l1, 0) * Math.sign(g);
  }

  private step(g: number, h: number, { low, high }: Leaf): number {
    return Math.min(high, Math.max(low, -this.softened(g) / (h + this.l2)));
  }

  /** What a side of a cut scores within the bounds of the leaf. */
  private boundedScore(g: number, h: number, leaf: Leaf): number {
    const w = this.step(g, h, leaf);
    return -(2 * this.softened(g) * w + (h + this.l2) * w * w);
  }

  /** The same where there are none, in the terms of the kernel. */
  private freeScore(g: number, h: number): number {
    const kept = this.l1 > 0 ? Math.max(Math.abs(g) - this.l1, 0) : g;
    return (kept * kept) / (h + this.l2);
  }

  /** A leaf with its best cut, unless levels are cut as a whole. */
  private leafOf(rows: readonly number[], more: Pick<Leaf, "depth" | "path" | "low" | "high" | "bounded">): Leaf {
    const leaf: Leaf = {
      ...{ node: this.nodes.push({ items: rows.length, left: -1, right: -1, missing: 0 }) - 1, rows, ...more },
      // Where no feature can be cut nothing is summed.
      gradient: this.usable ? sum(rows, this.input.gradient) : 0,
      hessian: this.usable ? sum(rows, this.input.hessian) : 0,
    };
    leaf.cut = this.usable && this.options.shape !== "symmetric" ? this.search(leaf) : undefined;
    return leaf;
  }

  /** Whether a leaf is large enough to be cut, and not too deep. */
  private canCut({ rows, depth, hessian }: Leaf): boolean {
    return rows.length >= 2 * this.options.minItems && depth < this.options.maxDepth && hessian >= 2 * this.least;
  }

  /** Whether a feature may follow those of a path: some group holds them all. */
  private mayFollow(path: readonly number[], feature: number): boolean {
    const { interactions } = this.input;
    return !interactions || interactions.some((group) => [...path, feature].every((f) => group.has(f)));
  }

  private weightOf(feature: number): number {
    return this.input.weights?.[feature] ?? 1;
  }

  /** The best cut of a leaf: of each feature the one with the highest score, and of these the one with the largest weighted gain. */
  private search(leaf: Leaf): Cut | undefined {
    if (!this.canCut(leaf)) return undefined;
    const whole = this.boundedScore(leaf.gradient, leaf.hessian, leaf);
    const minScore = whole + Math.max(this.options.minGain / this.factor, Math.abs(whole) * 1e-10);
    const { weights } = this.input;
    const value = (score: number, f: number) => (weights ? this.weightOf(f) * (score - whole) : score);
    let best: Cut | undefined;
    this.features.forEach((feature, f) => {
      if (!feature || !hasCuts(feature) || !this.mayFollow(leaf.path, f)) return;
      let top: Cut | undefined;
      for (const sides of feature.categorical ? this.sets(feature, leaf) : thresholds(feature)) {
        const cut = this.cutOf(leaf, f, sides);
        if (!cut || !(cut.score > (top?.score ?? minScore))) continue;
        const gain = (cut.score - whole) * this.factor;
        top = { ...sides, feature: f, ...cut, gain, weighted: this.weightOf(f) * gain };
      }
      if (top && value(top.score, f) > (best ? value(best.score, best.feature) : weights ? 0 : minScore)) best = top;
    });
    return best;
  }

  /** What a cut of a leaf scores, unless a side is too small or a direction is broken. */
  private cutOf(leaf: Leaf, f: number, { goesLeft }: Sides): { score: number; middle: number } | undefined {
    const { input, options, least } = this;
    const { rows, gradient, hessian } = leaf;
    const { values, rise, categorical } = this.features[f]!;
    const enough = options.minItemsUnit === "rows" ? least : Math.max(least, (options.minItems * hessian) / rows.length);
    const fewest = options.minItemsUnit === "hessian" ? 0 : options.minItems;
    const left = rows.filter((row) => goesLeft(values[row]!));
    const [gl, hl] = [sum(left, input.gradient), sum(left, input.hessian)];
    const [gr, hr, right] = [gradient - gl, hessian - hl, rows.length - left.length];
    if (hl < enough || hr < enough || left.length < fewest || right < fewest) return undefined;
    const [low, high] = [this.step(gl, hl, leaf), this.step(gr, hr, leaf)];
    if (rise * (high - low) < 0) return undefined;
    const free = !categorical && rise === 0 && !leaf.bounded;
    const score = free
      ? this.freeScore(gl, hl) + this.freeScore(gr, hr)
      : this.boundedScore(gl, hl, leaf) + this.boundedScore(gr, hr, leaf);
    return { score, middle: (low + high) / 2 };
  }

  /** The categories that weigh anything, by what they ask for, from either end. */
  private *sets({ values, thresholds: categories }: ReferenceFeature, { rows, hessian }: Leaf): Generator<Sides> {
    const mean = (SMOOTHING * hessian) / rows.length;
    const weighed = Array.from(categories)
      .map((category) => {
        const own = rows.filter((row) => values[row] === category);
        return { category, g: sum(own, this.input.gradient), h: sum(own, this.input.hessian) };
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

  /** Cuts a leaf in two. */
  private cutLeaf(parent: Leaf): readonly [Leaf, Leaf] {
    const { feature, goesLeft, middle, missingLeft, set } = parent.cut!;
    const { values, rise } = this.features[feature]!;
    const left = parent.rows.filter((row) => goesLeft(values[row]!));
    const right = parent.rows.filter((row) => !goesLeft(values[row]!));
    const depth = parent.depth + 1;
    const { low, high, bounded } = parent;
    const path = [...parent.path, feature];
    const below = { depth, path, low, high: Math.min(high, middle), bounded: true };
    const above = { depth, path, low: Math.max(low, middle), high, bounded: true };
    const same = { depth, path, low, high, bounded };
    const [one, other] = rise === 0 ? [same, same] : rise > 0 ? [below, above] : [above, below];
    const pair = [this.leafOf(left, one), this.leafOf(right, other)] as const;
    const missing = Array.from(values).some(Number.isNaN) ? missingLeft : left.length >= right.length;
    Object.assign(this.nodes[parent.node]!, {
      ...{ cut: parent.cut, left: pair[0].node, right: pair[1].node },
      missing: !set && missing ? 1 : 0,
    });
    return pair;
  }

  /** Cuts the leaf with the largest gain, until there are enough or none gains. */
  private cutBest(): void {
    const { leaves } = this;
    while (leaves.length < this.options.leaves) {
      let at = -1;
      leaves.forEach(({ cut }, i) => {
        if (cut && cut.weighted > (at < 0 ? 0 : leaves[at]!.cut!.weighted)) at = i;
      });
      if (at < 0) break;
      const pair = this.cutLeaf(leaves[at]!);
      leaves.splice(at, 1, pair[0]);
      leaves.push(pair[1]);
    }
  }

  /** Cuts level by level. Interactions are constrained by the features of all levels above. */
  private cutLevels(): void {
    const path: number[] = [];
    for (let level = 0; level < Math.min(this.options.maxDepth, Math.floor(Math.log2(this.options.leaves))); level++) {
      const open = this.leaves.filter((leaf) => this.usable && this.canCut(leaf));
      const cuts = this.bestOfLevel(open, path);
      if (!cuts) return;
      path.push(cuts.find((cut) => cut)!.feature);
      this.leaves = this.leaves.flatMap((leaf) => {
        const cut = cuts[open.indexOf(leaf)];
        const gain = cut ? Math.max(0, cut.gained) * this.factor : 0;
        leaf.cut = cut && { ...cut, gain, weighted: gain };
        return cut ? this.cutLeaf(leaf) : [leaf];
      });
    }
  }

  /** One cut for all leaves of a level: the one whose gains sum to most. */
  private bestOfLevel(open: readonly Leaf[], path: readonly number[]) {
    const scale = open.reduce((total, { gradient, hessian }) => total + this.freeScore(gradient, hessian), 0);
    const least = Math.max(this.options.minGain / this.factor, scale * 1e-10);
    let most = this.input.weights ? 0 : least;
    let best: ReturnType<typeof this.sharedCut>[] | undefined;
    this.features.forEach((feature, f) => {
      if (!feature || !hasCuts(feature) || !this.mayFollow(path, f)) return;
      for (const one of thresholds(feature)) {
        const cuts = open.map((leaf) => this.sharedCut(leaf, f, one));
        const total = cuts.reduce((gained, cut) => (cut ? gained + cut.gained : gained), 0);
        if (!(total > least && this.weightOf(f) * total > most)) continue;
        most = this.weightOf(f) * total;
        best = cuts;
      }
    });
    return best;
  }

  /** The cut of one leaf by a threshold that its level shares; undefined where a side would be too small. */
  private sharedCut(leaf: Leaf, feature: number, to: Sides) {
    const { rows, gradient, hessian } = leaf;
    const left = rows.filter((row) => to.goesLeft(this.features[feature]!.values[row]!));
    const [gl, hl] = [sum(left, this.input.gradient), sum(left, this.input.hessian)];
    const enough = Math.max(this.least, (this.options.minItems * hessian) / rows.length);
    if (hl < enough || hessian - hl < enough) return undefined;
    const score = this.freeScore(gl, hl) + this.freeScore(gradient - gl, hessian - hl);
    return { ...to, feature, score, gained: score - this.freeScore(gradient, hessian), middle: 0 };
  }

  private tree(): Tree {
    const { nodes, input } = this;
    const value = new Float64Array(nodes.length);
    for (const leaf of this.leaves) {
      const full = this.step(leaf.gradient, Math.max(leaf.hessian, this.least), leaf);
      value[leaf.node] = full === 0 ? 0 : (full * input.units.hessian) / input.units.gradient;
    }
    return {
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
  }
}

const sum = (rows: readonly number[], of: ArrayLike<number>) => rows.reduce((total, row) => total + of[row]!, 0);
