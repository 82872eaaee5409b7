/** What the trees of a random case must be: those of the slow grower, with its costs, scores that are those of validation, and constraints kept. */
import { revive } from "../src/models/index.ts";
import { isTrees, trees } from "../src/models/trees/index.ts";
import { referenceBag } from "../src/models/trees/reference-bag.ts";
import type { Tree } from "../src/models/trees/tree.ts";
import { random } from "../src/numeric/random.ts";
import { runSolo } from "../src/teams/solo.ts";
import type { Dataset, Model, SavedModel } from "../src/types.ts";
import { type Case, difference, valuesOf, writtenOut } from "./random-trees.ts";

export interface Learned {
  readonly model: Model;
  readonly trees: readonly Tree[];
  readonly costs: readonly number[];
  readonly seen: Float64Array; // scores of the validation data
}

/** The trees of a model, or of the one inside that sees features within the list. */
function treesOf(model: Model): readonly Tree[] {
  const inner = model.derived ? revive(model.save().inner as SavedModel, model.derived.columns) : model;
  if (!isTrees(inner)) throw new Error("not trees");
  return inner.trees;
}

/** The model of a case on one thread, with what was reported after each round. */
export function learn(one: Case, changed: Partial<Case["options"]> = {}): Learned {
  const { objective, options, seed, watched: validation } = one;
  const costs: number[] = [];
  let seen = new Float64Array();
  const model = runSolo((team) =>
    trees({ ...options, ...changed }).learn(one.data, objective, {
      ...{ seed, team, validation },
      afterRound(_, report) {
        costs.push(report.cost);
        seen = report.scores().slice();
        return "improved";
      },
    }),
  );
  return { model, trees: treesOf(model), costs, seen };
}

const scoresOf = (model: Model, data: Dataset) => {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
};

/** Where the score moves against a constraint as one feature rises and the others stay. */
function against({ given: { monotone }, data, number }: Case, model: Model): string | undefined {
  const { columns, rows } = data.features;
  const values = valuesOf(data.features);
  const draw = random(number, 0x96d);
  for (let f = 0; f < columns; f++) {
    if (monotone[f] === 0) continue;
    const known = values.filter((value, i) => i % columns === f && !Number.isNaN(value));
    const line = Float32Array.from([-1e38, ...known, ...known.map((value) => value + 0.01), 1e38]).sort();
    for (let iteration = 0; iteration < 3 && rows > 0; iteration++) {
      const row = Math.floor(draw() * rows);
      // Its list once for each value, because scores may depend on the other items.
      const list = data.starts.findIndex((_, q) => row < data.starts[q + 1]!);
      const [from, to] = [data.starts[list]!, data.starts[list + 1]!];
      const size = to - from;
      const grid = new Float32Array(line.length * size * columns);
      line.forEach((value, i) => {
        grid.set(values.subarray(from * columns, to * columns), i * size * columns);
        grid[(i * size + row - from) * columns + f] = value;
      });
      const all = scoresOf(model, {
        ...{ starts: Uint32Array.from({ length: line.length + 1 }, (_, i) => i * size), base: 1, names: {} },
        labels: new Float32Array(line.length * size),
        features: { kind: "dense", rows: line.length * size, columns, values: grid },
      });
      const scores = Float64Array.from(line, (_, i) => all[i * size + row - from]!);
      const at = scores.findIndex((score, i) => i > 0 && (score - scores[i - 1]!) * monotone[f]! < 0);
      if (at > 0) return `feature ${f + 1} at ${line[at]}: score ${scores[at]} after ${scores[at - 1]}`;
    }
  }
  return undefined;
}

/** What is wrong with the model of a case, if anything is, and the model. */
export function compareWithReference(one: Case): { readonly wrong: string | undefined; readonly model: Model } {
  const plain = writtenOut(one);
  const slow = referenceBag(plain.data, plain.objective, plain.options, plain.given, plain.seed);
  const { model, trees: grown, costs, seen } = learn(one);
  const off = costs.findIndex((cost, i) => Math.abs(cost - slow.costs[i + 1]!) > 1e-9 * (1 + Math.abs(cost)));
  const wrong =
    difference(grown, slow.trees) ??
    (off >= 0 ? `cost ${costs[off]} instead of ${slow.costs[off + 1]} after round ${off + 1}` : undefined) ??
    (scoresOf(model, one.watched).every((score, i) => Object.is(score, seen[i]))
      ? undefined
      : "scores of the model are not those that were watched") ??
    against(one, model);
  return { wrong, model };
}
