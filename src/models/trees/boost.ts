/**
 * Gradient boosting: each round grows a tree (one for each output) on the derivatives of the cost at the scores so far, and adds its
 * leaves' Newton steps, times the learning rate, to the scores. Friedman 2001, https://doi.org/10.1214/aos/1013203451
 *
 * Only the gradient and Hessian of the objective are used. Without a Hessian every row has Hessian 1, so that before
 * regularization a leaf's step is minus the mean gradient of its rows.
 *
 * With `bag` above 1, as many ensembles grow side by side, each with seeds, scores and samples of lists and features of its own, and the model
 * is their mean: their trees, round by round, with leaf values divided by their number (Breiman 1996, https://doi.org/10.1007/BF00058655).
 * Validation data see the mean after every round.
 */
import { packGradients } from "../../numeric/histogram.ts";
import { addMatrix } from "../../numeric/quickscorer-rows.ts";
import { random } from "../../numeric/random.ts";
import { BLOCKS, firstEntry, firstList, splitEvenly, splitLists, totalEntries, totalLists } from "../../teams/blocks.ts";
import { gatherAll } from "../../teams/collectives.ts";
import type { Dataset, Objective, Run, Snapshot, Team } from "../../types.ts";
import { reduceOutputs } from "../shared/reduce-outputs.ts";
import { binDataset } from "./binned-dataset.ts";
import { binnedOf, binOptionsOf } from "./binned-input.ts";
import { blockHessians, NO_LEAF } from "./block-hessian.ts";
import { type EnsembleState, type GradientEvaluator, type GradientSums, gradientEvaluator } from "./derivatives.ts";
import { type Grower, type GrownTree, grower } from "./grow.ts";
import type { TreesSettings } from "./options.ts";
import { packTrees, unpackTrees } from "./packed.ts";
import { type Units, unitsFor } from "./quantize.ts";
import { withForest } from "./score.ts";
import { addBinned } from "./score-binned.ts";
import type { Tree } from "./tree.ts";

export interface BoostInputs {
  /** To begin from, outputs by turns. */
  readonly trees: readonly Tree[];
  /** Trees that a round of these has for each output. */
  readonly bag: number;
  /** By feature: 1 rises, -1 falls, 0 free. */
  readonly monotone: Int8Array;
  readonly categorical: ReadonlySet<number>;
  /** Groups of features that may occur on one path, which together hold all features; undefined: any may. */
  readonly interactions: readonly ReadonlySet<number>[] | undefined;
  /** By feature: the factor of its gains; undefined: 1 for all. */
  readonly weights: Float64Array | undefined;
}

export interface BoostResult {
  readonly trees: readonly Tree[];
  /** Trees that each round has for each output; 1 where rounds differ. */
  readonly bag: number;
  readonly auxiliary: Readonly<Record<string, number>>;
}

/** What one training run holds. */
interface Boosting {
  readonly data: Dataset;
  readonly objective: Objective;
  readonly options: TreesSettings;
  readonly team: Team;
  readonly grow: Grower;
  readonly derivatives: GradientEvaluator;
  /** Those of the bag, each with scores of its own, and their mean: the same where there is one. */
  readonly ensembles: readonly EnsembleState[];
  readonly mean: EnsembleState;
  readonly rowBounds: Uint32Array;
  /** By block of rows: the largest Hessian of a row. */
  readonly heaviest: Float64Array;
  /** By row: its leaf, if steps are those of whole leaves. */
  readonly leafIndex: Uint32Array | undefined;
  /** The scores at which the round's derivatives were taken, where trees of earlier outputs move them before all have been asked. */
  readonly unmoved: Float64Array | undefined;
}

function prepare(data: Dataset, objective: Objective, run: Run, options: TreesSettings, inputs: BoostInputs): Boosting {
  const { team } = run;
  const { starts, features } = data;
  const { outputs } = objective;
  const made = binnedOf(features);
  const binned = made
    ? { ...made, rows: features.rows }
    : binDataset(team, features, binOptionsOf(options, inputs.categorical), data.shard);
  const grow = grower(team, binned, starts, splitLists(starts, team.size), options, inputs);
  const derivatives = gradientEvaluator(data, objective, run);
  const ensembles = Array.from({ length: options.bag }, (_, member) => derivatives.begin(memberSeed(run.seed, member)));
  const block = options.leaf === "newton-block";
  return {
    ...{ data, objective, options, team, grow, derivatives, ensembles },
    mean: options.bag === 1 ? ensembles[0]! : derivatives.begin(run.seed),
    rowBounds: splitEvenly(features.rows),
    heaviest: team.allocShared("f64", BLOCKS),
    leafIndex: block ? team.allocShared("u32", features.rows) : undefined,
    unmoved: block && outputs > 1 ? team.allocShared("f64", data.labels.length * outputs) : undefined,
  };
}

/** Grows the tree of one output. */
function growOne(boosting: Boosting, round: number, output: number, sums: GradientSums, units: Units, seed: number): GrownTree {
  const { data, objective, options, team, grow, derivatives, rowBounds, heaviest } = boosting;
  if (!Number.isFinite(sums.gradients[output]! + sums.hessians[output]!))
    throw new Error(`objective ${objective.spec}: the derivatives of round ${round} are not finite`);
  const { gradient, hessian } = derivatives;
  const { outputs } = objective;
  team.parallelFor(BLOCKS, (b) => {
    heaviest[b] = packGradients(gradient, hessian, output, outputs, rowBounds[b]!, rowBounds[b + 1]!, units, grow.entries);
  });
  if (team.processes.size > 1) team.maximum(heaviest);
  const draw = random(seed, round, output, 0x7ee5);
  const { listFraction, featureFraction } = options;
  return grow.grow({
    ...{ units, heaviest: heaviest.reduce((a, b) => Math.max(a, b), 0) },
    ...(listFraction < 1 ? { lists: ownLists(data, choose(totalLists(data), listFraction, draw)) } : {}),
    ...(featureFraction < 1 ? { features: choose(data.features.columns, featureFraction, draw) } : {}),
  });
}

/** Sets the leaves' values by the second derivative of the cost when all items of a leaf move together. */
function stepByBlocks(
  { data, objective, options, team, grow, derivatives }: Boosting,
  { tree, leaves }: GrownTree,
  [round, output]: readonly [round: number, output: number],
  units: Units,
  leafOf: Uint32Array,
  before: EnsembleState,
): void {
  leaves.forEach((leaf, k) => {
    grow.rowsOf(leaf, (rows, seen) => {
      for (const row of rows) leafOf[row] = seen ? k : NO_LEAF; // the leaf's gradient is that of seen rows
    });
  });
  team.barrier();
  const { gradient: at } = derivatives;
  const leafHessians = blockHessians(data, objective, team, before, at, round - 1, output, leafOf, leaves.length);
  const scale = units.hessian / units.gradient; // of the bounds
  leaves.forEach(({ node, gradient, hessian, bounds }, k) => {
    const shrunk = Math.max(Math.abs(gradient / units.gradient) - options.l1, 0);
    const leafHessian = Math.max(leafHessians[k]!, options.minHessian, (FLAT * hessian) / units.hessian) + options.l2;
    const step = leafHessian > 0 && gradient !== 0 ? (-Math.sign(gradient) * shrunk) / leafHessian : 0;
    tree.value[node] = Math.min(bounds.high * scale, Math.max(bounds.low * scale, step));
  });
  team.barrier();
}

/** Grows a tree for each output of one ensemble and adds it to the scores of the ensemble and of the mean. */
function growRound(boosting: Boosting, round: number, ensemble: EnsembleState, sums: GradientSums, rate: number): Tree[] {
  const { data, objective, team, grow, ensembles, mean, rowBounds, leafIndex, unmoved } = boosting;
  const { outputs } = objective;
  const { scores, auxiliary, seed } = ensemble;
  if (unmoved)
    team.parallelFor(BLOCKS, (b) => {
      const [from, to] = [rowBounds[b]! * outputs, rowBounds[b + 1]! * outputs];
      unmoved.set(scores.subarray(from, to), from);
    });
  const before = unmoved ? { ...ensemble, scores: unmoved } : ensemble;
  const grownTrees: Tree[] = [];
  for (let output = 0; output < outputs; output++) {
    const units = unitsFor(sums.gradients[output]!, sums.hessians[output]!, totalEntries(data));
    const grown = growOne(boosting, round, output, sums, units, seed);
    if (leafIndex) stepByBlocks(boosting, grown, [round, output], units, leafIndex, before);
    const { value } = grown.tree;
    for (let node = 0; node < value.length; node++) value[node]! *= rate;
    grow.apply(grown, scores, output, outputs);
    if (ensemble !== mean) {
      for (let node = 0; node < value.length; node++) value[node]! /= ensembles.length;
      grow.apply(grown, mean.scores, output, outputs);
    }
    grownTrees.push(grown.tree);
  }
  auxiliary.forEach((_, e) => {
    if (sums.auxiliaryHessians[e]! > 0) auxiliary[e]! -= (rate * sums.auxiliaryGradients[e]!) / sums.auxiliaryHessians[e]!;
  });
  team.barrier();
  return grownTrees;
}

/** Adds trees to the scores of a whole data set, rows shared out in blocks. */
function addTrees(team: Team, trees: readonly Tree[], outputs: number, to: Dataset, scores: Float64Array): void {
  const blocks = splitEvenly(to.labels.length);
  const binned = binnedOf(to.features);
  if (binned) {
    const { rows } = to.features;
    team.parallelFor(BLOCKS, (b) => addBinned(trees, outputs, binned, rows, [blocks[b]!, blocks[b + 1]!], scores));
    return;
  }
  withForest(trees, { columns: to.features.columns, outputs }, (forest) =>
    team.parallelFor(BLOCKS, (b) => addMatrix(forest, to.features, blocks[b]!, blocks[b + 1]!, scores)),
  );
}

/** The scores of validation data, if there are any, as trees are added to them. */
function validationScores({ team, objective, mean }: Boosting, validation: Dataset | undefined) {
  const { outputs, reduction } = objective;
  const raw = validation ? team.allocShared("f64", validation.labels.length * outputs, "zeros") : new Float64Array();
  const reduced = validation && reduction ? new Float64Array(validation.labels.length) : raw;
  return {
    raw,
    add(trees: readonly Tree[]) {
      if (validation) addTrees(team, trees, outputs, validation, raw);
    },
    scores() {
      if (reduced !== raw) reduceOutputs(raw, reduction, reduced);
      return reduced;
    },
    outputs: () => ({ scores: raw, auxiliary: mean.auxiliary }),
  };
}

type ValidationScores = ReturnType<typeof validationScores>;

/** Averages what the ensembles of a bag learned beside their scores. */
function averageAuxiliary({ ensembles, mean }: Boosting): void {
  if (ensembles.length === 1) return;
  mean.auxiliary.forEach((_, e) => {
    mean.auxiliary[e] = ensembles.reduce((sum, { auxiliary }) => sum + auxiliary[e]!, 0) / ensembles.length;
  });
}

/** What a checkpoint keeps. Derivatives follow from the scores. */
type State = {
  readonly round: number;
  readonly trees: Snapshot;
  readonly scores: readonly Float64Array[];
  readonly auxiliary: readonly Float64Array[];
  readonly validation: Float64Array;
  readonly kept: { readonly trees: number; readonly auxiliary: Float64Array } | undefined;
};

/** Those of the bag and their mean, each once. */
const allEnsembles = ({ ensembles, mean }: Boosting) => [...new Set([...ensembles, mean])];

/** Puts the scores of all ensembles and of the validation data back to where a checkpoint, which has those of all processes, has them. */
function restoreScores(boosting: Boosting, validation: ValidationScores, state: State, valid: Dataset | undefined): void {
  const { team, data, objective } = boosting;
  const own = (from: Dataset, all: Float64Array) => {
    const at = firstEntry(from) * objective.outputs;
    return all.subarray(at, at + from.labels.length * objective.outputs);
  };
  allEnsembles(boosting).forEach(({ scores, auxiliary }, i) => {
    auxiliary.set(state.auxiliary[i]!);
    if (team.rank === 0) scores.set(own(data, state.scores[i]!));
  });
  if (team.rank === 0 && valid) validation.raw.set(own(valid, state.validation));
  team.barrier();
}

export function boost(data: Dataset, objective: Objective, run: Run, options: TreesSettings, inputs: BoostInputs): BoostResult {
  const boosting = prepare(data, objective, run, options, inputs);
  const { team, derivatives, ensembles, mean } = boosting;
  const validation = validationScores(boosting, run.validation);
  const restored = run.checkpoint?.restored as State | undefined;
  const trees: Tree[] = restored ? unpackTrees(restored.trees) : [...inputs.trees];
  if (restored) restoreScores(boosting, validation, restored, run.validation);
  else if (trees.length > 0) {
    for (const { scores } of allEnsembles(boosting)) addTrees(team, trees, objective.outputs, data, scores);
    validation.add(trees);
  }
  const before = restored?.round ?? 0;
  let sums = options.bag === 1 ? derivatives.evaluate(before, mean) : undefined; // of the mean, which one ensemble goes on from
  let kept = restored?.kept;
  for (let round = before + 1; round <= options.rounds; round++) {
    const rate = rateOf(options, round);
    const fresh = ensembles.flatMap((ensemble) =>
      growRound(boosting, round, ensemble, (ensemble === mean && sums) || derivatives.evaluate(round - 1, ensemble), rate),
    );
    averageAuxiliary(boosting);
    trees.push(...fresh);
    validation.add(fresh);
    sums = derivatives.evaluate(round, mean);
    const { scores, outputs } = validation;
    const status = run.afterRound(round, { cost: sums.cost, scores, outputs });
    if (status === "improved") kept = { trees: trees.length, auxiliary: mean.auxiliary.slice() };
    if (status === "stop") break;
    if (round < options.rounds) run.checkpoint?.save(() => stateAfter(round));
  }
  const { trees: count, auxiliary } = kept ?? { trees: trees.length, auxiliary: mean.auxiliary };
  return {
    trees: trees.slice(0, count),
    bag: inputs.trees.length === 0 || inputs.bag === options.bag ? options.bag : 1,
    auxiliary: Object.fromEntries(objective.auxiliary.map(({ name }, e) => [name, auxiliary[e]!])),
  };

  function stateAfter(round: number): State {
    const all = allEnsembles(boosting);
    return {
      ...{ round, trees: packTrees(trees), kept, validation: gatherAll(team, validation.raw) },
      scores: all.map(({ scores }) => gatherAll(team, scores)),
      auxiliary: all.map((one) => one.auxiliary),
    };
  }
}

// Moving whole lists together changes no cost, and there the difference of two gradients is rounding alone. So the Hessian of a leaf counts
// as at least this share of the sum of its items' own, which limits a step to 64 times that of newton-diagonal.
const FLAT = 2 ** -6;

const rateOf = ({ learningRate, learningRateDecay, minLearningRate }: TreesSettings, round: number) =>
  Math.max(learningRate - learningRateDecay * (round - 1), Math.min(minLearningRate, learningRate));

/** The seed of one of the ensembles that are averaged; the first has that of the run. */
export const memberSeed = (seed: number, member: number): number =>
  member === 0 ? seed : Math.floor(random(seed, member, 0xba6)() * 2 ** 32);

/** The marks of this process's lists. */
const ownLists = (data: Dataset, marks: Uint8Array): Uint8Array =>
  data.shard ? marks.subarray(firstList(data), firstList(data) + data.starts.length - 1) : marks;

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
