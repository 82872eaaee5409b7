/**
 * Every option of every model, objective, metric and optimizer: each of some valid values is accepted on small data, and one of those that are
 * not the default changes the result. Options are those that parts declare, so a new one is tried from the day it exists; one that changes
 * nothing here fails and needs a base in which it does. What each value gives is compared with fixtures/part-options.json, by a digest of all numbers
 * and the last of them; after a change that is meant, `TIERWISE_STORE=1 npx vitest run test/every-part-option.test.ts` stores it anew.
 */
import { describe, expect, it } from "vitest";
import { ballots } from "../src/data/ballots.ts";
import { build as buildData } from "../src/data/build.ts";
import { labelSets } from "../src/data/label-sets.ts";
import { evaluateScores } from "../src/evaluate.ts";
import { fit } from "../src/fit.ts";
import { metrics } from "../src/metrics/index.ts";
import { linear, models } from "../src/models/index.ts";
import { random } from "../src/numeric/random.ts";
import { objectives, plPartition } from "../src/objectives/index.ts";
import { optimizers } from "../src/optimizers/index.ts";
import type { AnyPart, Field } from "../src/part.ts";
import type { Dataset, Learner, Metric, Objective, Optimizer } from "../src/types.ts";
import { valuesOf } from "./random-cases.ts";
import { digest, storedResults } from "./stored.ts";

const draw = random(3);
const rows = Array.from({ length: 120 }, (_, i) => {
  const features = [draw(), 100 * draw(), Math.floor(4 * draw()), 1e-3 * draw()];
  const worth = features[0]! + 0.3 * draw() + (features[2] === 1 ? 0.4 : 0);
  const label = i < 4 ? 0 : Math.floor(Math.min(4, 3 * worth));
  return { list: `q${Math.floor(i / (i < 60 ? 4 : 12))}`, id: `d${120 - i}`, label, features };
});
const lists = buildData(rows);
const votes = ballots([
  ["a", ["b", "c"], "d"],
  ["b", "a"],
  ["c", "b", "a"],
  ["d", ["a", "c"]],
  ["b", "c", "d"],
  ["a", "d"],
]);
const documents = labelSets(
  Array.from({ length: 24 }, (_, i) => ({
    tags: [`t${i % 3}`, `t${3 + (i % 4)}`],
    words: { [`w${i % 5}`]: 1, [`v${i % 7}`]: 2 },
  })),
  { labels: "tags", features: "words" },
);

/** What a training gives, as text that differs if anything does. */
function trained(model: Learner, objective: Objective = plPartition(), data: Dataset = lists): string {
  const { model: found, rounds, history } = fit(data, { model, objective, seed: 5 });
  return JSON.stringify([found.save(), rounds, history.map(({ cost }) => cost)]);
}

/** Options of the part that make its other options matter, and the data that it needs. */
const grow = { rounds: 4, leaves: 6, minItems: 2 };
const small = { hidden: "6", epochs: 3, batch: 8 };
const dataOf: Readonly<Record<string, Dataset>> = {
  utilities: votes,
  leml: documents,
  sleec: documents,
  "label-tree": documents,
};
const bases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  trees: grow,
  "trees minLearningRate": { ...grow, learningRateDecay: 5 },
  "trees minItemsUnit": { ...grow, minItems: 4 },
  "trees withinListRaw": { ...grow, withinList: "z" },
  "linear withinListRaw": { withinList: "z" },
  mlp: small,
  "mlp withinListRaw": { ...small, withinList: "z" },
  "coordinate-ascent": { restarts: 2, iterations: 4 },
  leml: { rank: 2, rounds: 2 },
  sleec: { learners: 2, rank: 2, neighbors: 3, voters: 3, steps: 3, clusterSize: 8 },
  "label-tree": { trees: 2, leafLabels: 2 },
  utilities: { ghost: 0.5 },
  lbfgs: { iterations: 6 },
  newton: { iterations: 4 },
  adam: { epochs: 3 },
  adagrad: { epochs: 3 },
  sgd: { epochs: 3, rate: 0.01 },
  "lambdarank rel": { metric: "map" },
  "lambdarank gmax": { metric: "err" },
  "yetirank top": { mode: "ndcg" },
  "yetirank rel": { mode: "map" },
  "yetirank gmax": { mode: "err" },
};

/** Valid values where those that random-cases.ts knows would do nothing. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  "trees rounds": [1, 6],
  "trees monotone": ["(1-)", "(1+,2-)"],
  "trees categorical": ["(3)"],
  "trees interactionConstraints": ["(1)(2)(3)", "(1,2)(3)"],
  "trees featureWeights": ["(1=0)", "(2=1000,1=0.01)"],
  "trees minItems": [1, 30],
  "trees minHessian": [1, 5],
  "trees minGain": [0.5, 5],
  "trees minLearningRate": [0.1, 0.001],
  "trees maxBins": [2, 5],
  "utilities reference": ["a", "d"],
  "coordinate-ascent metric": ["err", "ndcg(gain=lin)@2"],
  "mcrank grades": [6, 8],
  "err gmax": [5, 20],
  "lambdarank gmax": [5, 20],
  "yetirank gmax": [5, 20],
};

/** Other data or another setting for one option. */
const settings: Readonly<Record<string, (built: never) => string>> = {
  "mlp rate": (built: Learner) =>
    JSON.stringify(fit(lists, { model: built, valid: lists, metrics: [metrics[0]!()] }).model.save()),
  "mlp sparse": (built: Learner) => trained(built, plPartition(), documents),
  "mlp negatives": (built: Learner) => trained(built, plPartition(), documents),
};

const components = { optimizers, metrics };

/** Every fourth item of the lists is an item that many lists of the training data had. */
const popular: Dataset = {
  ...lists,
  items: Uint32Array.from(lists.labels, (_, i) => i % 4),
  labelFrequency: { lists: 50, counts: Uint32Array.of(40, 3, 1, 10) },
};
const binary: Dataset = { ...lists, labels: lists.labels.map((label) => Math.min(1, label)) };
const evaluated = (metric: Metric, data: Dataset): string => {
  const scores = Float64Array.from(data.labels, (_, i) => ((i * 7) % 5) / 2);
  const { metrics: means, perList } = evaluateScores(scores, data, [metric]) as unknown as Record<string, unknown>;
  return JSON.stringify([means, perList]);
};

const registries: readonly [string, readonly AnyPart<unknown>[], (built: never, id: string) => string][] = [
  ["model", models, (built: Learner, id) => trained(built, plPartition(), dataOf[id])],
  ["objective", objectives, (built: Objective) => trained(linear({ optimizer: optimizers[3]!({ epochs: 2 }) }), built)],
  ["metric", metrics, (built: Metric, id) => evaluated(built, id === "err" ? binary : popular)],
  ["optimizer", optimizers, (built: Optimizer) => trained(linear({ optimizer: built, l2: 0.1 }))],
];

const compare = storedResults("part-options");

/** A digest of a result, and its last number: the cost of the last round, or the metric of the last list. */
const inShort = (result: string) => `${digest(result)} ${/-?[\d.]+(e[+-]?\d+)?(?=[^\d]*$)/.exec(result)![0]}`;

describe.each(registries)("%s", (kind, parts, effect) => {
  const all = parts.flatMap((part) => Object.keys(part.fields).map((key) => ({ part, id: part.id, key })));
  it.each(all)("$id, option $key", ({ part, id, key }) => {
    const field = (part.fields as Readonly<Record<string, Field<unknown>>>)[key]!;
    const base = bases[`${id} ${key}`] ?? bases[id] ?? {};
    const result = settings[`${id} ${key}`] ?? effect;
    const run = (value: unknown) => result(part({ ...base, [key]: value }) as never, id);
    const usual = run(base[key] ?? field.default);
    const tried = (values[`${id} ${key}`] ?? valuesOf(key, field, random(1), components)).filter(
      (value) => value !== field.default,
    );
    const results = tried.map(run);
    const changed = results.filter((one) => one !== usual);
    expect(changed.length, `${id}:${key}=${tried.join("|")}`).toBeGreaterThan(0);
    compare(`${kind} ${id}, ${key}`, [usual, ...results].map(inShort));
  });
});
