import { describe, expect, it } from "vitest";
import { build } from "../../data/build.ts";
import { fit } from "../../fit.ts";
import { random } from "../../numeric/random.ts";
import { plPartition } from "../../objectives/index.ts";
import { linear } from "../linear/index.ts";
import { hasCounts, withCounts } from "./counts.ts";
import { trees } from "./index.ts";
import { isTrees, treesModel } from "./model.ts";

const draw = random(3);
const data = build(
  Array.from({ length: 400 }, (_, i) => {
    const features = [draw(), draw() < 0.2 ? Number.NaN : draw(), Math.floor(4 * draw())];
    return { list: Math.floor(i / 10), label: Math.floor(3 * features[0]!), features };
  }),
);
const trained = fit(data, { model: trees({ rounds: 5, listFraction: 1, minItems: 5 }), objective: plPartition() }).model;
if (!isTrees(trained)) throw new Error("trees give trees");
const emptied = treesModel(
  trained.columns,
  trained.trees.map((tree) => ({ ...tree, items: new Float64Array(tree.items.length) })),
  {},
);

describe("numbers of rows by node", () => {
  it("are those of training when the training rows are counted", () => {
    expect(hasCounts(trained.trees)).toBe(true);
    expect(hasCounts(emptied.trees)).toBe(false);
    const counted = withCounts(emptied, data);
    if (!isTrees(counted)) throw new Error("a model of trees");
    expect(counted.trees.map(({ items }) => [...items])).toEqual(trained.trees.map(({ items }) => [...items]));
    expect(trained.trees.some(({ items }) => items.length > 1)).toBe(true);
  });

  it("do not change the scores", () => {
    const [before, after] = [new Float64Array(400), new Float64Array(400)];
    emptied.score(data, before);
    withCounts(emptied, data).score(data, after);
    expect(after).toEqual(before);
  });

  it("stay as they are where they are known, for other models, and without rows", () => {
    expect(withCounts(trained, data)).toBe(trained);
    const weights = fit(data, { model: linear(), objective: plPartition() }).model;
    expect(withCounts(weights, data)).toBe(weights);
    const none = { ...data, features: { ...data.features, rows: 0, values: new Float32Array(0) } } as typeof data;
    expect(withCounts(emptied, none)).toBe(emptied);
  });
});
