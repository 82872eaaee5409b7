import { expect, it } from "vitest";
import { blendOf } from "./auto-blend.ts";
import { blend } from "./blend.ts";
import { ballots } from "./data/ballots.ts";
import { build } from "./data/build.ts";
import { fit } from "./fit.ts";
import { linear, utilities } from "./models/index.ts";
import { plPartition } from "./objectives/index.ts";
import type { Model } from "./types.ts";

const data = build(
  Array.from({ length: 12 }, (_, i) => ({ list: Math.floor(i / 4), label: i % 4, features: [i % 4, (i * 7) % 5] })),
);
const { model } = fit(data, { model: linear(), objective: plPartition() });

it("errors of a blend count models from 1", () => {
  const votes = ballots([
    ["a", "b"],
    ["b", "a"],
  ]);
  const items = fit(votes, { model: utilities(), objective: plPartition() }).model;
  expect(() => blend([model, items], data)).toThrow("blend, model 2: a model of kind utilities scores items by themselves");
  expect(() => blend([model, 1 as never], data)).toThrow("blend, model 2: expected a model");
  const infinite: Model = { ...model, score: (_, into) => void into.fill(Infinity) };
  expect(() => blend([model, infinite], data)).toThrow("blend: the scores of model 2 (");
});

it("a blend of trials names their folds, from 1, and gives each the same weight", () => {
  const trial = { trial: { model: "linear", objective: "pl-partition" } } as never;
  const choice = { weights: [0.5, 0.5], scales: [2, 4], temperature: 0.25, estimates: {} };
  const { members } = blendOf([trial, trial], choice, [[model, model], [model]], data); // biome-ignore format: one call
  expect(members.map(({ name, weight, scale }) => [name, weight, scale])).toEqual([
    ["linear under pl-partition, fold 1", 1, 2],
    ["linear under pl-partition, fold 2", 1, 2],
    ["linear under pl-partition, fold 1", 2, 4],
  ]);
});
