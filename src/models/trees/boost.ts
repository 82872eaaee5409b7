/**
 * Gradient boosting: each round grows a tree (one for each output) on the derivatives of the cost at the scores so far, and adds a share of
 * its leaves' Newton steps to them. Friedman 2001, https://doi.org/10.1214/aos/1013203451
 *
 * Only the gradient and Hessian of the objective are used. Without a Hessian all rows count 1, and a leaf's step is the mean of its rows'
 * gradients.
 */
import { packGradients } from "../../numeric/histogram.ts";
import { addMatrix } from "../../numeric/quickscorer-rows.ts";
import { random } from "../../numeric/random.ts";
import { BLOCKS, splitEvenly, splitLists } from "../../teams/blocks.ts";
import type { Dataset, Objective, Run } from "../../types.ts";
import { reduceOutputs } from "../shared/reduce-outputs.ts";
import { binDataset } from "./binned-dataset.ts";
import { blockHessians, NO_LEAF } from "./block-hessian.ts";
import { type GradientSums, gradientEvaluator } from "./derivatives.ts";
import { type GrownTree, grower } from "./grow.ts";
import type { TreesSettings } from "./options.ts";
import { type Units, unitsFor } from "./quantize.ts";
import { withForest } from "./score.ts";
import type { Tree } from "./tree.ts";

export interface BoostInputs {
  /** To begin from, outputs by turns. */
  readonly trees: readonly Tree[];
  /** By feature: 1 rises, -1 falls, 0 free. */
  readonly monotone: Int8Array;
  readonly categorical: ReadonlySet<number>;
}

export interface BoostResult {
  readonly trees: readonly Tree[];
  readonly auxiliary: Readonly<Record<string, number>>;
}

export function boost(data: Dataset, objective: Objective, run: Run, options: TreesSettings, inputs: BoostInputs): BoostResult {
  const { team, seed, validation } = run;
  const { starts, features } = data;
  const { outputs } = objective;
  const fewest = Math.min(3, options.minItems); // a bin of one or two rows only invites chance
  const binned = binDataset(team, features, { most: options.maxBins, fewest, categorical: inputs.categorical });
  const grow = grower(team, binned, starts, splitLists(starts, team.size), options, inputs.monotone);
  const now = gradientEvaluator(data, objective, run);
  const rowBounds = splitEvenly(features.rows);
  const heaviest = team.allocShared("f64", BLOCKS);
  const validationScores = validation ? team.allocShared("f64", validation.labels.length * outputs, "zeros") : new Float64Array();
  const reduced = validation && objective.reduction ? new Float64Array(validation.labels.length) : validationScores;

  /** Adds trees to the scores of a whole data set, rows shared out in blocks. */
  function addTrees(some: readonly Tree[], to: Dataset, scores: Float64Array): void {
    const blocks = splitEvenly(to.labels.length);
    withForest(some, { columns: to.features.columns, outputs }, (forest) =>
      team.parallelFor(BLOCKS, (b) => addMatrix(forest, to.features, blocks[b]!, blocks[b + 1]!, scores)),
    );
  }

  function growOne(round: number, output: number, { gradients, hessians }: GradientSums, units: Units): GrownTree {
    if (!Number.isFinite(gradients[output]! + hessians[output]!))
      throw new Error(`objective ${objective.spec}: the derivatives of round ${round} are not finite`);
    team.parallelFor(BLOCKS, (b) => {
      heaviest[b] = packGradients(
        now.gradient,
        now.hessian,
        output,
        outputs,
        rowBounds[b]!,
        rowBounds[b + 1]!,
        units,
        grow.entries,
      );
    });
    const draw = random(seed, round, output, 0x7ee5);
    const { listFraction, featureFraction } = options;
    return grow.grow({
      ...{ units, heaviest: heaviest.reduce((a, b) => Math.max(a, b), 0) },
      ...(listFraction < 1 ? { lists: choose(starts.length - 1, listFraction, draw) } : {}),
      ...(featureFraction < 1 ? { features: choose(features.columns, featureFraction, draw) } : {}),
    });
  }

  /** Sets the leaves' values by the second derivative of the cost when all items of a leaf move together. */
  function stepByBlocks({ tree, leaves }: GrownTree, round: number, output: number, units: Units, leafOf: Uint32Array): void {
    leaves.forEach((leaf, k) => {
      grow.rowsOf(leaf, (rows, validationScores) => {
        for (const row of rows) leafOf[row] = validationScores ? k : NO_LEAF; // the leaf's gradient is that of seen rows
      });
    });
    team.barrier();
    const leafHessians = blockHessians(data, objective, run, now, unmoved, round - 1, output, leafOf, leaves.length);
    const scale = units.hessian / units.gradient; // of the bounds
    leaves.forEach(({ node, gradient, hessian, bounds }, k) => {
      const shrunk = Math.max(Math.abs(gradient / units.gradient) - options.l1, 0);
      const leafHessian = Math.max(leafHessians[k]!, options.minHessian, (FLAT * hessian) / units.hessian) + options.l2;
      const step = leafHessian > 0 && gradient !== 0 ? (-Math.sign(gradient) * shrunk) / leafHessian : 0;
      tree.value[node] = Math.min(bounds.high * scale, Math.max(bounds.low * scale, step));
    });
    team.barrier();
  }

  const leafIndex = options.leaf === "newton-block" ? team.allocShared("u32", features.rows) : undefined;
  // The scores at which the round's derivatives were taken, where trees of earlier outputs move them before all have been asked.
  const unmoved = leafIndex && outputs > 1 ? team.allocShared("f64", now.scores.length) : now.scores;
  const trees: Tree[] = [...inputs.trees];
  if (trees.length > 0) addTrees(trees, data, now.scores);
  if (trees.length > 0 && validation) addTrees(trees, validation, validationScores);
  let sums = now.evaluate(0);
  let kept: { trees: number; auxiliary: Float64Array } | undefined;
  for (let round = 1; round <= options.rounds; round++) {
    const rate = rateOf(options, round);
    const fresh: Tree[] = [];
    if (unmoved !== now.scores)
      team.parallelFor(BLOCKS, (b) => {
        const [from, to] = [rowBounds[b]! * outputs, rowBounds[b + 1]! * outputs];
        unmoved.set(now.scores.subarray(from, to), from);
      });
    for (let output = 0; output < outputs; output++) {
      const units = unitsFor(sums.gradients[output]!, sums.hessians[output]!, features.rows);
      const grown = growOne(round, output, sums, units);
      if (leafIndex) stepByBlocks(grown, round, output, units, leafIndex);
      const { value } = grown.tree;
      for (let node = 0; node < value.length; node++) value[node]! *= rate;
      grow.apply(grown, now.scores, output, outputs);
      fresh.push(grown.tree);
    }
    now.auxiliary.forEach((_, e) => {
      if (sums.auxiliaryHessians[e]! > 0) now.auxiliary[e]! -= (rate * sums.auxiliaryGradients[e]!) / sums.auxiliaryHessians[e]!;
    });
    trees.push(...fresh);
    team.barrier();
    if (validation) addTrees(fresh, validation, validationScores);
    sums = now.evaluate(round);
    const scores = () => {
      if (reduced !== validationScores) reduceOutputs(validationScores, objective.reduction, reduced);
      return reduced;
    };
    const status = run.afterRound(round, {
      ...{ cost: sums.cost, scores },
      outputs: () => ({ scores: validationScores, auxiliary: now.auxiliary }),
    });
    if (status === "improved") kept = { trees: trees.length, auxiliary: now.auxiliary.slice() };
    if (status === "stop") break;
  }
  const { trees: count, auxiliary } = kept ?? { trees: trees.length, auxiliary: now.auxiliary };
  return {
    trees: trees.slice(0, count),
    auxiliary: Object.fromEntries(objective.auxiliary.map(({ name }, e) => [name, auxiliary[e]!])),
  };
}

// Moving whole lists together changes no cost, and there the difference of two gradients is rounding alone. So the Hessian of a leaf counts
// as at least this share of the sum of its items' own, which limits a step to 64 times that of newton-diagonal.
const FLAT = 2 ** -6;

const rateOf = ({ learningRate, learningRateDecay, minLearningRate }: TreesSettings, round: number) =>
  Math.max(learningRate - learningRateDecay * (round - 1), Math.min(minLearningRate, learningRate));

/** Marks a share of n things, at least one, each set of them as likely as any other. */
function choose(n: number, fraction: number, draw: () => number): Uint8Array {
  const marks = new Uint8Array(n);
  let wanted = Math.max(1, Math.round(n * fraction));
  for (let i = 0; i < n; i++)
    if (draw() * (n - i) < wanted) {
      marks[i] = 1;
      wanted--;
    }
  return marks;
}
