/**
 * A weighted sum of features whose weights are moved one at a time to raise a metric itself, with restarts: Metzler and Croft 2007,
 * Linear feature-based models for information retrieval, https://doi.org/10.1007/s10791-006-9019-z, with the steps and defaults of RankLib.
 * Restarts differ in the order of features; the one with the best validation metric counts, or training metric where nothing validates.
 *
 * Takes no objective. Needs the features as a table, so no millions of them; missing values count as zero after scaling.
 */

import { InputError } from "../../input-error.ts";
import { metrics, ndcg } from "../../metrics/index.ts";
import { random } from "../../numeric/random.ts";
import { choice, type Fields, integer, part, partField, real } from "../../part.ts";
import type { Dataset, Learner, Matrix, Metric, Run, Team } from "../../types.ts";
import { interactionField, interactions } from "../interactions.ts";
import { weightedSum } from "../linear/model.ts";
import { columnsOf } from "../shared/columns.ts";
import { standardize } from "../standardize.ts";
import { type AscentOptions, ascendOnce, equalWeights, orderOfPass } from "./ascend.ts";
import { metricTracker } from "./metric-tracker.ts";

/** Options of `coordinateAscent`. */
export interface CoordinateAscentOptions {
  /** Metric to optimize. Default: ndcg@10. */
  readonly metric: Metric;
  /** Restarts, each with a different feature order. A whole number above 0. Default: 5. */
  readonly restarts: number;
  /** Steps in each direction, each twice as long as the last. A whole number above 0 and of at most 60. Default: 25. */
  readonly iterations: number;
  /** Stop when a pass over all features improves the metric by less. A number above 0. Default: 0.001. */
  readonly tolerance: number;
  /** Features standardized over all the data, within each list, or not at all. Default: "all". */
  readonly scale: "all" | "list" | "none";
  /**
   * Add products of two features whose absolute correlation with the label exceeds this; 0: none. A number of at least 0 and below 1.
   * Default: 0.
   */
  readonly interactions: number;
}

const fields: Fields<CoordinateAscentOptions> = {
  metric: partField(metrics, "metric", ndcg({ k: 10 }), "metric to optimize", "measure"),
  restarts: integer(5, "restarts, each with a different feature order", { above: 0, aliases: ["r"] }),
  iterations: integer(25, "steps in each direction, each twice as long as the last", { above: 0, max: 60, aliases: ["i"] }),
  tolerance: real(0.001, "stop when a pass over all features improves the metric by less", { above: 0 }),
  scale: choice(["all", "list", "none"], "features standardized over all the data, within each list, or not at all"),
  interactions: interactionField,
};

/** A weighted sum of features that optimizes a metric directly; `coordinate-ascent` on the command line. */
export const coordinateAscent = part(
  "coordinate-ascent",
  "a weighted sum of features that optimizes a metric directly",
  fields,
  ({ metric, restarts, scale, interactions: least, ...climb }, spec): Learner => {
    const plain: Learner = {
      id: "coordinate-ascent",
      spec,
      ...(least === 0 && { additive: true as const }),
      cost: metric.better === "higher" ? `minus the mean ${metric.spec}` : `the mean ${metric.spec}`,
      rounds: restarts,
      learn(data, _, run) {
        const count = data.features.columns;
        if (count === 0) throw new InputError("coordinate-ascent: the data have no features to weigh");
        const { weights, values } = climbAll(data, metric, run, restarts, climb);
        const sum = (restart: number) => weightedSum(columnsOf(data), weights.slice(restart * count, (restart + 1) * count));
        let kept: { restart: number; value: number } | undefined;
        for (let restart = 0; restart < restarts; restart++) {
          const value = values[restart]!;
          const status = run.afterRound(restart + 1, {
            cost: -value,
            scores: () => scoresOf(sum(restart), run.validation ?? data),
          });
          const better = run.validation ? status === "improved" : !kept || value > kept.value;
          if (better) kept = { restart, value };
          if (status === "stop") break;
        }
        return sum(kept?.restart ?? 0);
      },
    };
    return standardize(interactions(plain, least), scale);
  },
  ["ca", "coor-ascent"],
);

/** All climbs, in shared memory. */
type Climbs = {
  /** By restart, then feature. */
  readonly weights: Float64Array;
  /** By restart: the metric. */
  readonly values: Float64Array;
  /** By restart: passes that are done. */
  readonly passes: Uint32Array;
  /** By restart: 1 where the climb is over. */
  readonly over: Uint8Array;
};

/** Runs all climbs, pass by pass, so that a checkpoint can be written after each pass. */
function climbAll(data: Dataset, metric: Metric, run: Run, restarts: number, options: AscentOptions): Climbs {
  const { team, seed, checkpoint } = run;
  const count = data.features.columns;
  const table = columnsInTeam(data.features, team);
  const tracker = metricTracker(data, metric); // of this thread, for whatever climb it continues
  const climbs: Climbs = {
    weights: team.allocShared("f64", restarts * count),
    values: team.allocShared("f64", restarts),
    passes: team.allocShared("u32", restarts),
    over: team.allocShared("u8", restarts),
  };
  const { weights, values, passes, over } = climbs;
  const restored = checkpoint?.restored as Climbs | undefined;
  if (team.rank === 0) {
    for (let restart = 0; restart < restarts; restart++) weights.set(equalWeights(count), restart * count);
    for (const numbers of [values, passes, over]) numbers.fill(0);
    if (restored) for (const [name, numbers] of Object.entries(climbs)) numbers.set(restored[name as keyof Climbs]);
  }
  team.barrier();
  for (;;) {
    const active = Array.from({ length: restarts }, (_, restart) => restart).filter((restart) => over[restart] === 0);
    team.barrier(); // all have looked
    if (active.length === 0) return climbs;
    team.parallelFor(active.length, (a) => {
      const restart = active[a]!;
      const own = weights.subarray(restart * count, (restart + 1) * count);
      const order = orderOfPass(count, passes[restart]!++, random(seed, restart));
      const { value, last } = ascendOnce(table, tracker, options, order, own);
      values[restart] = value;
      over[restart] = last ? 1 : 0;
    });
    checkpoint?.save(() => climbs);
  }
}

function scoresOf(model: ReturnType<typeof weightedSum>, data: Dataset): Float64Array {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

/** A value, or 0 where it is missing, as the model scores it. */
const present = (value: number) => (Number.isNaN(value) ? 0 : value);

/** The features by column, shared by the team. What is absent is 0: standardized features have no other. */
function columnsInTeam(matrix: Matrix, team: Team): Float32Array[] {
  const { rows, columns } = matrix;
  if (rows * columns > 2 ** 29)
    throw new InputError(`coordinate-ascent: ${rows} rows of ${columns} features are too many; drop features`);
  const values = team.allocShared("f32", rows * columns, "zeros"); // what a sparse row leaves out
  const table = Array.from({ length: columns }, (_, c) => values.subarray(c * rows, (c + 1) * rows));
  if (team.rank === 0)
    for (let row = 0; row < rows; row++) {
      if (matrix.kind === "dense") for (let c = 0; c < columns; c++) table[c]![row] = present(matrix.values[row * columns + c]!);
      else
        for (let at = matrix.starts[row]!; at < matrix.starts[row + 1]!; at++)
          table[matrix.indices[at]!]![row] = present(matrix.values[at]!);
    }
  team.barrier();
  return table;
}
