/**
 * Gradient boosting: each round grows a tree (one for each output) on the derivatives of the cost at the scores so far, and adds a share of
 * its leaves' Newton steps to them. Friedman 2001, https://doi.org/10.1214/aos/1013203451
 *
 * The objective is only asked for gradient and curvature. Where it has no curvature all rows count 1, and a leaf's step is the mean of its
 * rows' gradients.
 */
import { packRows } from "../../numeric/histogram.ts";
import { addMatrix } from "../../numeric/quickscorer-rows.ts";
import { random } from "../../numeric/random.ts";
import { BLOCKS, cutEvenly, cutLists } from "../../teams/blocks.ts";
import type { Dataset, Objective, Run } from "../../types.ts";
import { foldOutputs } from "../shared/fold.ts";
import { blockCurvatures } from "./block.ts";
import { derivator, type Sums } from "./derivatives.ts";
import { type Grown, grower } from "./grow.ts";
import type { Options } from "./options.ts";
import { type Units, unitsFor } from "./quantise.ts";
import { withForest } from "./score.ts";
import { tabulate } from "./table.ts";
import type { Tree } from "./tree.ts";

export interface Given {
  readonly trees: readonly Tree[]; // to begin from, outputs by turns
  readonly monotone: Int8Array; // by feature: 1 rises, -1 falls, 0 free
  readonly categorical: ReadonlySet<number>;
}

export interface Boosted {
  readonly trees: readonly Tree[];
  readonly extras: Readonly<Record<string, number>>;
}

export function boost(data: Dataset, objective: Objective, run: Run, options: Options, given: Given): Boosted {
  const { team, seed, watched } = run;
  const { starts, features } = data;
  const { outputs } = objective;
  const fewest = Math.min(3, options.minItems); // a bin of one or two rows only invites chance
  const table = tabulate(team, features, { most: options.maxBins, fewest, categorical: given.categorical });
  const grow = grower(team, table, starts, cutLists(starts, team.size), options, given.monotone);
  const now = derivator(data, objective, run);
  const cuts = cutEvenly(features.rows);
  const heaviest = team.share("f64", BLOCKS);
  const seen = watched ? team.share("f64", watched.labels.length * outputs) : new Float64Array();
  const folded = watched && objective.fold ? new Float64Array(watched.labels.length) : seen;

  /** Adds trees to the scores of a whole data set, rows shared out in blocks. */
  function addTrees(some: readonly Tree[], to: Dataset, scores: Float64Array): void {
    const blocks = cutEvenly(to.labels.length);
    withForest(some, { columns: to.features.columns, outputs }, (forest) =>
      team.each(BLOCKS, (b) => addMatrix(forest, to.features, blocks[b]!, blocks[b + 1]!, scores)),
    );
  }

  function growOne(round: number, output: number, { gradients, curvatures }: Sums, units: Units): Grown {
    if (!Number.isFinite(gradients[output]! + curvatures[output]!))
      throw new Error(`objective ${objective.text}: the derivatives of round ${round} are not finite`);
    team.each(BLOCKS, (b) => {
      heaviest[b] = packRows(now.gradient, now.curvature, output, outputs, cuts[b]!, cuts[b + 1]!, units, grow.words);
    });
    const draw = random(seed, round, output, 0x7ee5);
    const { listFraction, featureFraction } = options;
    return grow.grow({
      ...{ units, heaviest: heaviest.reduce((a, b) => Math.max(a, b), 0) },
      ...(listFraction < 1 ? { lists: choose(starts.length - 1, listFraction, draw) } : {}),
      ...(featureFraction < 1 ? { features: choose(features.columns, featureFraction, draw) } : {}),
    });
  }

  /** Sets the leaves' values by how the cost bends when all items of a leaf move together. */
  function stepByBlocks({ tree, leaves }: Grown, round: number, output: number, units: number, leafOf: Uint32Array): void {
    leaves.forEach((leaf, k) => {
      grow.rowsOf(leaf, (rows) => {
        for (const row of rows) leafOf[row] = k;
      });
    });
    team.barrier();
    const bends = blockCurvatures(data, objective, run, now, round - 1, output, leafOf, leaves.length);
    leaves.forEach(({ node, gradient }, k) => {
      const pull = Math.max(Math.abs(gradient / units) - options.l1, 0);
      const bend = Math.max(bends[k]!, options.minCurvature) + options.l2;
      tree.value[node] = bend > 0 && gradient !== 0 ? (-Math.sign(gradient) * pull) / bend : 0;
    });
    team.barrier();
  }

  const together = options.leaf === "newton-block" ? team.share("u32", features.rows) : undefined;
  const trees: Tree[] = [...given.trees];
  if (trees.length > 0) addTrees(trees, data, now.scores);
  if (trees.length > 0 && watched) addTrees(trees, watched, seen);
  let sums = now.evaluate(0);
  let kept: { trees: number; extras: Float64Array } | undefined;
  for (let round = 1; round <= options.rounds; round++) {
    const rate = rateOf(options, round);
    const fresh: Tree[] = [];
    for (let output = 0; output < outputs; output++) {
      const units = unitsFor(sums.gradients[output]!, sums.curvatures[output]!, features.rows);
      const grown = growOne(round, output, sums, units);
      if (together) stepByBlocks(grown, round, output, units.gradient, together);
      const { value } = grown.tree;
      for (let node = 0; node < value.length; node++) value[node]! *= rate;
      grow.apply(grown, now.scores, output, outputs);
      fresh.push(grown.tree);
    }
    now.extras.forEach((_, e) => {
      if (sums.extraCurvatures[e]! > 0) now.extras[e]! -= (rate * sums.extraGradients[e]!) / sums.extraCurvatures[e]!;
    });
    trees.push(...fresh);
    team.barrier();
    if (watched) addTrees(fresh, watched, seen);
    sums = now.evaluate(round);
    const scores = () => {
      if (folded !== seen) foldOutputs(seen, objective.fold, folded);
      return folded;
    };
    const verdict = run.proceed(round, { cost: sums.cost, scores });
    if (verdict === "keep") kept = { trees: trees.length, extras: now.extras.slice() };
    if (verdict === "stop") break;
  }
  const { trees: count, extras } = kept ?? { trees: trees.length, extras: now.extras };
  return {
    trees: trees.slice(0, count),
    extras: Object.fromEntries(objective.extras.map(({ name }, e) => [name, extras[e]!])),
  };
}

const rateOf = ({ learningRate, rateStep, leastRate }: Options, round: number) =>
  Math.max(learningRate - rateStep * (round - 1), Math.min(leastRate, learningRate));

/** Marks a share of n things, at least one, each set of them as likely as any other. */
function choose(n: number, share: number, draw: () => number): Uint8Array {
  const marks = new Uint8Array(n);
  let wanted = Math.max(1, Math.round(n * share));
  for (let i = 0; i < n; i++)
    if (draw() * (n - i) < wanted) {
      marks[i] = 1;
      wanted--;
    }
  return marks;
}
