/**
 * A weighted sum of features whose weights are moved one at a time to raise a metric itself, with restarts: Metzler and Croft 2007,
 * Linear feature-based models for information retrieval, https://doi.org/10.1007/s10791-006-9019-z, with the steps and defaults of RankLib.
 * Restarts differ in the order of features; the one with the best validation metric counts, or training metric where nothing validates.
 *
 * Takes no objective. Needs the features as a table, so no millions of them; missing values count as zero after scaling.
 */
import { metrics, ndcg } from "../metrics/index.ts";
import { Mistake } from "../mistake.ts";
import { random } from "../numeric/random.ts";
import { choice, member, part, real, whole } from "../part.ts";
import type { Dataset, Learner, Matrix, Team } from "../types.ts";
import { ascend } from "./coordinate-ascent/ascend.ts";
import { watch } from "./coordinate-ascent/watch.ts";
import { secondOrder, weightedSum } from "./linear.ts";
import { products } from "./products.ts";
import { columnsOf } from "./shared/columns.ts";
import { standardise } from "./standardise.ts";

const fields = {
  metric: member(metrics, "metric", ndcg({ k: 10 }), "what is raised", "measure"),
  restarts: whole(5, "climbs, each with the features in another order", { above: 0, aliases: ["r"] }),
  iterations: whole(25, "steps in each direction, each twice as long as the last", { above: 0, most: 60, aliases: ["i"] }),
  tolerance: real(0.001, "a climb ends when a pass over all features gains less", { above: 0 }),
  scale: choice(["all", "list", "none"], "features standardised over all the data, within each list, or not at all"),
  products: secondOrder,
};

export const coordinateAscent = part(
  "coordinate-ascent",
  "a weighted sum of features that raises a metric directly",
  fields,
  ({ metric, restarts, scale, products: least, ...climb }, text): Learner => {
    const plain: Learner = {
      id: "coordinate-ascent",
      text,
      cost: metric.better === "higher" ? `minus the mean ${metric.text}` : `the mean ${metric.text}`,
      rounds: restarts,
      learn(data, _, run) {
        const count = data.features.columns;
        if (count === 0) throw new Mistake("coordinate-ascent: the data have no features to weigh");
        const table = columnsInTeam(data.features, run.team);
        const found = run.team.share("f64", restarts * (count + 1));
        run.team.each(restarts, (restart) => {
          const { weights, value } = ascend(table, watch(data, metric), climb, random(run.seed, restart));
          found.set(weights, restart * (count + 1));
          found[restart * (count + 1) + count] = value;
        });
        const sum = (restart: number) =>
          weightedSum(columnsOf(data), found.slice(restart * (count + 1), restart * (count + 1) + count));
        let kept: { restart: number; value: number } | undefined;
        for (let restart = 0; restart < restarts; restart++) {
          const value = found[restart * (count + 1) + count]!;
          const verdict = run.proceed(restart + 1, { cost: -value, scores: () => scoresOf(sum(restart), run.watched ?? data) });
          const better = run.watched ? verdict === "keep" : !kept || value > kept.value;
          if (better) kept = { restart, value };
          if (verdict === "stop") break;
        }
        return sum(kept?.restart ?? 0);
      },
    };
    return standardise(products(plain, least), scale);
  },
  ["ca", "coor-ascent"],
);

function scoresOf(model: ReturnType<typeof weightedSum>, data: Dataset): Float64Array {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

/** A value, or 0 where it is missing, as the model scores it. */
const present = (value: number) => (Number.isNaN(value) ? 0 : value);

/** The features by column, shared by the team. What is absent is 0: standardised features have no other. */
function columnsInTeam(matrix: Matrix, team: Team): Float32Array[] {
  const { rows, columns } = matrix;
  if (rows * columns > 2 ** 29)
    throw new Mistake(`coordinate-ascent: ${rows} rows of ${columns} features are too many for a table; leave features out`);
  const values = team.share("f32", rows * columns, "zeros"); // what a sparse row leaves out
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
