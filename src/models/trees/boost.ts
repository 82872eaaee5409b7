/**
 * Gradient boosting: each round grows a tree (one for each output) on the derivatives of the cost at the scores so far, and adds a share of
 * its leaves' Newton steps to them. Friedman 2001, https://doi.org/10.1214/aos/1013203451
 *
 * The objective is only asked for gradient and curvature. Where it has no curvature all rows count 1, and a leaf's step is the mean of its
 * rows' gradients.
 */
import { Mistake } from "../../mistake.ts";
import { Heap } from "../../numeric/heap.ts";
import { random } from "../../numeric/random.ts";
import { BLOCKS, cutLists } from "../../teams/blocks.ts";
import type { Dataset, Objective, Run } from "../../types.ts";
import { type Grown, grower } from "./grow.ts";
import type { Options } from "./options.ts";
import { quantise, unitsFor } from "./quantise.ts";
import { addScores, flatten } from "./score.ts";
import { tabulate } from "./table.ts";
import type { Tree } from "./tree.ts";

export interface Boosted {
  readonly trees: readonly Tree[]; // outputs by turns
}

export interface Given {
  readonly trees: readonly Tree[]; // to begin from
  readonly monotone: Int8Array; // by feature: 1 rises, -1 falls, 0 free
  readonly categorical: ReadonlySet<number>;
}

export function boost(data: Dataset, objective: Objective, run: Run, options: Options, given: Given): Boosted {
  const { team, seed, watched } = run;
  const { starts, labels } = data;
  const { outputs } = objective;
  const rows = labels.length;
  const lists = starts.length - 1;
  const table = tabulate(team, data.features, options.maxBins, given.categorical);
  const cuts = cutLists(starts);
  const grow = grower(team, table, starts, cutLists(starts, team.size), options, given.monotone);
  const scores = team.share("f64", rows * outputs);
  const gradient = team.share("f64", rows * outputs);
  const bends = objective.curvature !== "none";
  const curvature = bends ? team.share("f64", rows * outputs) : undefined;
  const heaviest = team.share("f64", BLOCKS);
  const seen = watched ? team.share("f64", watched.labels.length * outputs) : new Float64Array();
  const trees: Tree[] = [...given.trees];
  const weightOf = (list: number) => data.listWeights?.[list] ?? 1;
  let weights = 0;
  for (let list = 0; list < lists; list++) weights += weightOf(list);

  /** Adds trees to the scores of whole data sets, rows shared out in blocks. */
  function addTrees(some: readonly Tree[], of: Dataset, into: Float64Array): void {
    const room = new Heap();
    const flat = flatten(some, room);
    team.each(BLOCKS, (block) => {
      const at = (b: number) => Math.floor((of.labels.length * b) / BLOCKS);
      addScores(some, flat, of.features, at(block), at(block + 1), outputs, into);
    });
    room.close();
  }

  /** Fills the derivatives; returns the cost, and for each output the sums of sizes of gradients and of curvatures. */
  function evaluate(round: number): Float64Array {
    return team.sum(BLOCKS, 1 + 2 * outputs, (block, into) => {
      for (let list = cuts[block]!; list < cuts[block + 1]!; list++) {
        const [from, to] = [starts[list]!, starts[list + 1]!];
        const g = gradient.subarray(from * outputs, to * outputs);
        const h = curvature?.subarray(from * outputs, to * outputs);
        const cost = objective.evaluate(
          scores.subarray(from * outputs, to * outputs),
          labels.subarray(from, to),
          h ? { gradient: g, curvature: h } : { gradient: g },
          random(seed, round, list),
          data.itemWeights?.subarray(from, to),
        );
        const weight = weightOf(list);
        into[0]! += weight * cost;
        for (let i = 0; i < g.length; i++) {
          const output = i % outputs;
          if (weight !== 1) g[i]! *= weight;
          if (h && weight !== 1) h[i]! *= weight;
          into[1 + output]! += Math.abs(g[i]!);
          into[1 + outputs + output]! += h ? Math.max(0, h[i]!) : 1;
        }
      }
    });
  }

  function growOne(round: number, output: number, gradients: number, curvatures: number): Grown {
    if (!Number.isFinite(gradients + curvatures))
      throw new Error(`objective ${objective.text}: the derivatives of round ${round} are not finite`);
    const units = unitsFor(gradients, curvatures, rows);
    team.each(BLOCKS, (block) => {
      const [from, to] = [starts[cuts[block]!]!, starts[cuts[block + 1]!]!];
      heaviest[block] = quantise(gradient, curvature, output, outputs, from, to, units, grow.words);
    });
    const draw = random(seed, round, output, 0x7ee5);
    const load = { units, heaviest: heaviest.reduce((a, b) => Math.max(a, b), 0) };
    const listsSeen = options.listFraction < 1 ? { lists: choose(lists, options.listFraction, draw) } : {};
    const columns = data.features.columns;
    const featuresSeen = options.featureFraction < 1 ? { features: choose(columns, options.featureFraction, draw) } : {};
    return grow.grow({ ...load, ...listsSeen, ...featuresSeen });
  }

  if (trees.length > 0) addTrees(trees, data, scores);
  if (trees.length > 0 && watched) addTrees(trees, watched, seen);
  let sums = evaluate(0).slice();
  let kept = -1;
  for (let round = 1; round <= options.rounds; round++) {
    const rate = Math.max(
      options.learningRate - options.rateStep * (round - 1),
      Math.min(options.leastRate, options.learningRate),
    );
    const fresh: Tree[] = [];
    for (let output = 0; output < outputs; output++) {
      const grown = growOne(round, output, sums[1 + output]!, sums[1 + outputs + output]!);
      const { value } = grown.tree;
      for (let node = 0; node < value.length; node++) value[node]! *= rate;
      grow.apply(grown, scores, output, outputs);
      fresh.push(grown.tree);
    }
    trees.push(...fresh);
    team.barrier();
    if (watched) addTrees(fresh, watched, seen);
    sums = evaluate(round).slice();
    const verdict = run.proceed(round, { cost: sums[0]! / weights, scores: () => seen });
    if (verdict === "keep") kept = trees.length;
    if (verdict === "stop") break;
  }
  return { trees: kept < 0 ? trees : trees.slice(0, kept) };
}

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

/** Says what trees cannot take. */
export function refuse(objective: Objective): void {
  if (objective.gradient === "none")
    throw new Mistake(`trees need a gradient, and objective ${objective.text} has none; try coordinate ascent on a linear model`);
  if (objective.extras.length > 0)
    throw new Mistake(
      `trees learn scores alone, and objective ${objective.text} also learns ${objective.extras.map(({ name }) => name).join(", ")}; use a linear model`,
    );
}
