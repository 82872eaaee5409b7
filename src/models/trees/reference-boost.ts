/**
 * Boosting without a team or kernels, round by round as the definition says, to compare the real one with. Rows are rounded to the same whole
 * units, lists and features drawn from the same stream, and derivatives taken list by list in place, so trees are equal to the last bit.
 */
import { ROUND } from "../../numeric/coefficients.ts";
import { Heap } from "../../numeric/heap.ts";
import { random } from "../../numeric/random.ts";
import { splitLists } from "../../teams/blocks.ts";
import type { Dataset, Objective } from "../../types.ts";
import { denseRows } from "./binned-dataset.ts";
import { findCategories, findEdges } from "./bins.ts";
import type { BoostInputs } from "./boost.ts";
import type { TreesSettings } from "./options.ts";
import type { ReferenceFeature } from "./reference-cuts.ts";
import { type ReferenceInput, type ReferenceLeaf, referenceTree } from "./reference-tree.ts";
import { goesLeft, leafOf, type Tree } from "./tree.ts";

export interface ReferenceBoostResult {
  readonly trees: readonly Tree[];
  readonly extras: readonly number[];
  readonly costs: readonly number[]; // before the first round, then after each
}

const BLOCK_STEP = 2 ** -17; // of newton-block: how far a leaf moves
const FLAT = 2 ** -6; // fraction of the diagonal Hessian that newton-block counts at least

/** Where boosting begins: what was learned beside the scores, and the number of the round before. */
interface First {
  readonly auxiliary: readonly number[];
  readonly round: number;
}

export function referenceBoost(
  data: Dataset,
  objective: Objective,
  options: TreesSettings,
  given: BoostInputs,
  seed: number,
  first: First = { auxiliary: objective.auxiliary.map(({ initial }) => initial), round: 0 },
): ReferenceBoostResult {
  return new ReferenceBoosting(data, objective, options, given, seed, first).boost();
}

class ReferenceBoosting {
  private readonly data: Dataset;
  private readonly objective: Objective;
  private readonly options: TreesSettings;
  private readonly seed: number;
  private readonly firstRound: number;
  private readonly features: readonly ReferenceFeature[];
  private readonly limits: Pick<BoostInputs, "interactions" | "weights">;
  private readonly scores: Float64Array; // by row, then output
  private readonly auxiliary: Float64Array;
  private readonly trees: Tree[];

  constructor(...[data, objective, options, given, seed, first]: Required<Parameters<typeof referenceBoost>>) {
    const { outputs } = objective;
    const { rows, columns } = data.features;
    const x = new Float32Array(rows * columns);
    denseRows(data.features, 0, rows, x);
    this.data = data;
    this.objective = objective;
    this.options = options;
    this.seed = seed;
    this.firstRound = first.round;
    this.limits = { interactions: given.interactions, weights: given.weights };
    this.features = slowFeatures(x, rows, columns, options, given);
    this.scores = new Float64Array(rows * outputs);
    this.auxiliary = Float64Array.from(first.auxiliary);
    this.trees = [...given.trees];
    given.trees.forEach((tree, t) => {
      for (let row = 0; row < rows; row++)
        this.scores[row * outputs + (t % outputs)]! += tree.value[leafOf(tree, x, row * columns)]!;
    });
  }

  boost(): ReferenceBoostResult {
    const { options, objective, auxiliary, trees } = this;
    let now = this.derivatives(this.firstRound);
    const costs = [now.cost];
    for (let round = 1; round <= options.rounds; round++) {
      const rate = Math.max(
        options.learningRate - options.learningRateDecay * (round - 1),
        Math.min(options.minLearningRate, options.learningRate),
      );
      const before = this.scores.slice();
      for (let output = 0; output < objective.outputs; output++) this.growOne(round, output, now, before, rate);
      auxiliary.forEach((_, e) => {
        if (now.extraCurvature[e]! > 0) auxiliary[e]! -= (rate * now.extraGradient[e]!) / now.extraCurvature[e]!;
      });
      now = this.derivatives(round);
      costs.push(now.cost);
    }
    return { trees, extras: [...auxiliary], costs };
  }

  private weightOf(list: number): number {
    return this.data.listWeights?.[list] ?? 1;
  }

  /** Cost and derivatives of one list, at the given scores. In the heap, so that an objective takes the same kernels. */
  private evaluate(list: number, at: Float64Array, round: number) {
    const { objective, auxiliary } = this;
    const { outputs } = objective;
    const { labels, itemWeights } = this.data;
    const [first, last] = [this.data.starts[list]!, this.data.starts[list + 1]!];
    const heap = new Heap();
    const size = (last - first) * outputs + auxiliary.length;
    const [s, g, h] = [heap.f64(size), heap.f64(size), heap.f64(size)];
    s.set(at.subarray(first * outputs, last * outputs));
    s.set(auxiliary, size - auxiliary.length);
    const derivatives = objective.hessian === "none" ? { gradient: g } : { gradient: g, hessian: h };
    const weights = itemWeights?.subarray(first, last);
    const cost = objective.evaluate(s, labels.subarray(first, last), derivatives, random(this.seed, round, list), weights);
    const result = { cost, gradient: g.slice(), hessian: h.slice() };
    heap.close();
    return result;
  }

  /** The mean cost of all lists at the scores so far, and its derivatives. */
  private derivatives(round: number) {
    const { objective, auxiliary, scores } = this;
    const { starts } = this.data;
    const { outputs } = objective;
    const [gradient, hessian] = [new Float64Array(scores.length), new Float64Array(scores.length).fill(1)];
    const [extraGradient, extraCurvature] = [auxiliary.slice().fill(0), auxiliary.slice().fill(0)];
    let [cost, weights] = [0, 0];
    for (let list = 0; list + 1 < starts.length; list++) {
      const weight = this.weightOf(list);
      const { cost: own, gradient: g, hessian: h } = this.evaluate(list, scores, round);
      cost += weight * own;
      weights += weight;
      const [from, n] = [starts[list]! * outputs, (starts[list + 1]! - starts[list]!) * outputs];
      for (let i = 0; i < n; i++) {
        gradient[from + i] = weight * g[i]!;
        if (objective.hessian !== "none") hessian[from + i] = Math.max(0, weight * h[i]!);
      }
      auxiliary.forEach((_, e) => {
        extraGradient[e]! += weight * g[n + e]!;
        extraCurvature[e]! += weight * (objective.hessian === "none" ? 1 : Math.max(0, h[n + e]!));
      });
    }
    return { cost: cost / weights, gradient, hessian, extraGradient, extraCurvature };
  }

  /** Grows the tree of one output and adds it to the scores. */
  private growOne(round: number, output: number, now: Derivatives, before: Float64Array, rate: number): void {
    const { options, objective, features, scores } = this;
    const { rows } = this.data.features;
    const of = (all: Float64Array) => Array.from({ length: rows }, (_, row) => all[row * objective.outputs + output]!);
    const [g, h] = [of(now.gradient), of(now.hessian)];
    const units = { gradient: unit(g, 2 ** 31 - 1 - rows / 2 - 1), hessian: unit(h, 2 ** 32 - 1 - rows / 2 - 1) };
    const grown = referenceTree(
      {
        ...this.drawSample(round, output),
        ...this.limits,
        ...{ units, least: Math.max(1, options.minHessian * units.hessian) },
        gradient: g.map((value) => value * units.gradient + ROUND - ROUND),
        hessian: h.map((value) => value * units.hessian + ROUND - ROUND),
      },
      options,
    );
    const { tree } = grown;
    if (options.leaf === "newton-block") this.stepByBlocks(round - 1, output, grown, units, before, now.gradient);
    for (let node = 0; node < tree.value.length; node++) tree.value[node]! *= rate;
    for (let row = 0; row < rows; row++) scores[row * objective.outputs + output]! += tree.value[reached(tree, features, row)]!;
    this.trees.push(tree);
  }

  /** The rows and features that a tree sees. */
  private drawSample(round: number, output: number): Pick<ReferenceInput, "seen" | "features"> {
    const { options, features } = this;
    const { starts } = this.data;
    const draw = random(this.seed, round, output, 0x7ee5);
    const someLists = options.listFraction < 1 ? drawn(starts.length - 1, options.listFraction, draw) : undefined;
    const someFeatures = options.featureFraction < 1 ? drawn(features.length, options.featureFraction, draw) : undefined;
    const seen: number[] = [];
    for (let list = 0; list + 1 < starts.length; list++)
      if (!someLists || someLists.has(list)) for (let row = starts[list]!; row < starts[list + 1]!; row++) seen.push(row);
    return { seen, features: features.map((feature, f) => (!someFeatures || someFeatures.has(f) ? feature : undefined)) };
  }

  /** Sets the values of leaves by the second derivative of the cost when all rows of a leaf move together. */
  private stepByBlocks(
    round: number,
    output: number,
    { tree, leaves }: ReturnType<typeof referenceTree>,
    units: ReferenceInput["units"],
    ...[at, slopes]: [at: Float64Array, slopes: Float64Array]
  ): void {
    const { options } = this;
    const hessians = this.blockHessians(round, output, leaves, at, slopes);
    leaves.forEach(({ node, gradient, hessian, low, high }, k) => {
      const slope = Math.max(Math.abs(gradient / units.gradient) - options.l1, 0);
      const curvature = Math.max(hessians[k]!, options.minHessian, (FLAT * hessian) / units.hessian) + options.l2;
      const step = curvature > 0 && gradient !== 0 ? (-Math.sign(gradient) * slope) / curvature : 0;
      const scale = units.hessian / units.gradient;
      tree.value[node] = Math.min(high * scale, Math.max(low * scale, step));
    });
  }

  /** By leaf: how the sum of its rows' gradients changes as all of them move. Added up as teams do, by blocks of lists. */
  private blockHessians(
    round: number,
    output: number,
    leaves: readonly ReferenceLeaf[],
    ...[at, gradient]: [at: Float64Array, gradient: Float64Array]
  ): Float64Array {
    const { starts } = this.data;
    const { outputs } = this.objective;
    const bounds = splitLists(starts);
    const total = new Float64Array(leaves.length);
    for (let block = 0; block + 1 < bounds.length; block++) {
      const part = new Float64Array(leaves.length);
      for (let list = bounds[block]!; list < bounds[block + 1]!; list++)
        leaves.forEach((leaf, k) => {
          const own = leaf.rows.filter((row) => row >= starts[list]! && row < starts[list + 1]!);
          if (own.length === 0) return;
          const moved = at.slice();
          for (const row of own) moved[row * outputs + output]! += BLOCK_STEP;
          const { gradient: g } = this.evaluate(list, moved, round);
          let change = 0;
          for (const row of own)
            change += this.weightOf(list) * g[(row - starts[list]!) * outputs + output]! - gradient[row * outputs + output]!;
          part[k]! += change / BLOCK_STEP;
        });
      for (let k = 0; k < total.length; k++) total[k]! += part[k]!;
    }
    return total;
  }
}

type Derivatives = ReturnType<ReferenceBoosting["derivatives"]>;

/** The leaf of a row. */
function reached(tree: Tree, features: readonly ReferenceFeature[], row: number): number {
  let node = 0;
  while (tree.feature[node]! >= 0)
    node = goesLeft(tree, node, features[tree.feature[node]!]!.values[row]!) ? tree.left[node]! : tree.right[node]!;
  return node;
}

function slowFeatures(
  x: Float32Array,
  rows: number,
  columns: number,
  { maxBins, minItems }: TreesSettings,
  { monotone, categorical }: BoostInputs,
): ReferenceFeature[] {
  return Array.from({ length: columns }, (_, f) => {
    const values = Float32Array.from({ length: rows }, (_, row) => x[row * columns + f]! + 0); // -0 is 0
    const sorted = values.filter((value) => !Number.isNaN(value)).sort();
    const thresholds = categorical.has(f) ? findCategories(sorted, maxBins) : findEdges(sorted, maxBins, Math.min(3, minItems));
    return { values, thresholds, categorical: categorical.has(f), rise: monotone[f]! };
  });
}

/** The largest power of two of which the sizes together stay within the limit. */
function unit(values: readonly number[], limit: number): number {
  const total = values.reduce((sum, value) => sum + Math.abs(value), 0);
  if (!(total > 0)) return 1;
  let power = 2 ** 900;
  while (total * power > limit) power /= 2;
  return power;
}

/** A fraction of n things, at least one. */
function drawn(n: number, fraction: number, draw: () => number): Set<number> {
  const chosen = new Set<number>();
  const wanted = Math.max(1, Math.round(n * fraction));
  for (let i = 0; i < n; i++) if (draw() * (n - i) < wanted - chosen.size) chosen.add(i);
  return chosen;
}
