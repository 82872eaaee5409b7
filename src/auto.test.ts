/** `autoTrain` on small data; auto-training.long.test.ts has more. */
import { expect, it } from "vitest";
import { type AutoOptions, autoTrain } from "./auto.ts";
import { autoFolds } from "./auto-folds.ts";
import { build } from "./data/build.ts";
import { evaluate, score } from "./evaluate.ts";
import { fit } from "./fit.ts";
import { decodeScores, type Trial } from "./formats/trials.ts";
import { ndcg } from "./metrics/index.ts";
import { learner } from "./models/index.ts";
import { below, random } from "./numeric/random.ts";

const draw = random(1);
const data = build(
  Array.from({ length: 96 }, (_, i) => {
    const features = [draw(), draw(), draw()];
    return { list: `q${Math.floor(i / 6)}`, label: below(draw, 2) + (features[0]! + features[1]! > 1 ? 1 : 0), features };
  }),
);
const options: AutoOptions = { folds: 2, patience: 2, threads: 1, blocking: true, metrics: [ndcg({ k: 3 })] };

it("one trial has the scores of models that never saw the list, its metric is estimated by them, and its model is their mean", async () => {
  const trials: Trial[] = [];
  const found = await autoTrain(data, { ...options, trials: 1, seed: 5, onTrial: (one) => void trials.push(one) });
  expect(trials.map(({ model }) => model)).toEqual(["trees"]);
  const scores = decodeScores("test", trials[0]!.scores!, data.labels.length);
  const models = autoFolds("test", data, 2, 5).map(({ lists, train, valid }) => {
    const { model } = fit(train, { model: learner("trees"), valid, patience: 2, seed: 5 });
    const own = [...lists].flatMap((q) => [...scores.subarray(data.starts[q], data.starts[q + 1])]);
    expect(own).toEqual([...Float32Array.from(score(model, valid))]);
    return model;
  });
  const byItem = { ...models[0]!, score: (_: unknown, into: Float64Array) => into.set(scores) };
  expect(found.metrics["ndcg@3"]).toBeCloseTo(evaluate(byItem, data, [ndcg({ k: 3 })]).metrics["ndcg@3"]!, 12);
  expect(found.trials).toMatchObject([{ weight: 1, metrics: found.metrics, errors: found.errors }]);
  const [blended, ...parts] = [found.model, ...models].map((model) => score(model, data));
  const sum = parts[0]!.map((one, i) => one + parts[1]![i]!);
  const factor = blended![0]! / sum[0]!; // one over folds, deviation and temperature
  expect(factor).toBeGreaterThan(0);
  for (const [i, one] of sum.entries()) expect(blended![i]!).toBeCloseTo(factor * one, 9);
});

it("each trial has a seed of its own, by which it continues, and no state of its folds remains", async () => {
  const states = new Map<string, Uint8Array>();
  const saved = new Set<string>();
  const store = {
    where: "the test",
    load: (name: string) => (states.has(name) ? [states.get(name)!] : []),
    save(name: string, bytes: Uint8Array) {
      saved.add(name);
      states.set(name, bytes.slice());
    },
    remove: (name: string) => void states.delete(name),
  };
  const trials: Trial[] = [];
  const all = { ...options, trials: 3, seed: 7 };
  const found = await autoTrain(data, { ...all, checkpoint: { store, rounds: 1 }, onTrial: (one) => void trials.push(one) });
  expect([...saved].sort()).toEqual([7, 8, 9].flatMap((seed) => [1, 2].map((fold) => `training-seed-${seed}-fold-${fold}`)));
  expect([...states.keys()]).toEqual([]);
  const resumed = await autoTrain(data, { ...all, done: JSON.parse(JSON.stringify(trials.slice(0, 2))) });
  expect(JSON.stringify(resumed.model.save())).toBe(JSON.stringify(found.model.save()));
  expect(resumed.metrics).toEqual(found.metrics);
  expect(found.trials.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 14);
});
