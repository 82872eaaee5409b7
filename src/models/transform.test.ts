import { describe, expect, it } from "vitest";
import { build } from "../data/build.ts";
import { score } from "../evaluate.ts";
import { fit } from "../fit.ts";
import { parseModel, serializeModel } from "../formats/models/native.ts";
import { plPartition } from "../objectives/index.ts";
import { field, part } from "../part.ts";
import type { Dataset, Learner, Transform } from "../types.ts";
import { learner } from "./index.ts";

/** Powers of all features, divided by the largest of the training data. */
const powers = part(
  "powers",
  "powers of features",
  { power: field.real(2, "the power", { above: 0 }) },
  ({ power }, spec): Transform => ({
    id: "powers",
    spec,
    keepsColumns: true,
    fit: ({ features }) => ({ largest: Math.max(...features.values) }),
    apply: (state, data) => changed(data, (value) => (value / (state as { largest: number }).largest) ** power),
  }),
);

const changed = (data: Dataset, of: (value: number) => number): Dataset => ({
  ...data,
  features: { ...data.features, values: data.features.values.map(of) },
});

const rows = Array.from({ length: 24 }, (_, i) => ({
  list: Math.floor(i / 6),
  label: (i * 5) % 3,
  features: [1 + ((i * 7) % 12), 1 + ((i * 5) % 7)],
}));
const data = build(rows, { features: ["a", "b"] });
const trained = (transform: Transform, model = "linear:l2=0.1") => fit(data, { model: learner(model), transform });
const textOf = ({ model, rounds, best }: ReturnType<typeof fit>, transform: Transform) => serializeModel({ model, training: { model: "linear", objective: "pl-partition", seed: 1, rounds, best: best.round, cost: 0, transform: transform.spec } as never, metrics: {} }); // biome-ignore format: one line

describe("a transform of one's own", () => {
  it("changes the features that a model is trained on and scores", () => {
    const transform = powers({ power: 3 });
    const byHand = changed(data, (value) => (value / 12) ** 3);
    const inner = fit(byHand, { model: learner("linear:l2=0.1") });
    const found = trained(transform);
    expect(score(found.model, data)).toEqual(score(inner.model, byHand));
    expect(found.model.describe().facts.features).toBe(
      "2, transformed by powers:power=3 to 2, standardized over the training data",
    );
    const saved = found.model.save() as unknown as Record<string, unknown>;
    expect(saved).toMatchObject({ id: "transform", transform: "powers:power=3", state: { largest: 12 } });
    expect(found.model.explain?.(data, 1)).toEqual(inner.model.explain?.(byHand, 1));
  });

  it("is given again to read the model, finished or as the part that builds it", () => {
    const transform = powers({ power: 0.5 });
    const found = trained(transform);
    const text = textOf(found, transform);
    for (const one of [transform, powers])
      expect(score(parseModel(text, "m", { transforms: [one] }).model, data)).toEqual(score(found.model, data));
    expect(() => parseModel(text, "m")).toThrow(
      "m: the model was trained with the feature transform powers:power=0.5, whose code is not in the model file; pass it in the option transforms",
    );
    const other = { ...transform, id: "other", spec: "other" };
    expect(() => parseModel(text, "m", { transforms: [other] })).toThrow("not in the model file (given: other); pass it");
    expect(() => parseModel(text, "m", { transforms: [powers()] })).toThrow(
      "and the one given is powers; give it the same options",
    );
    expect(() => parseModel(text, "m", { transforms: [{ apply() {} }] as never })).toThrow("transforms: expected an array of");
    expect(() => parseModel(text, "m", { transforms: [() => transform] as never })).toThrow("transforms: expected an array of");
  });

  it("goes on from a model with the same transform, and from no other", () => {
    const model: Learner = learner("trees:rounds=2,leaves=3,min-items=1");
    const init = trained(powers(), "trees:rounds=2,leaves=3,min-items=1").model;
    const more = fit(data, { model, transform: powers(), init, objective: plPartition() }).model;
    expect(more.stages!.count).toBe(4);
    const stage = new Float64Array(24);
    more.stages!.after(2).score(data, stage);
    expect(stage).toEqual(score(init, data));
    const from =
      (transform: Transform, start = init) =>
      () =>
        fit(data, { model, transform, init: start });
    expect(from(powers({ power: 3 }))).toThrow(
      "the model to start from was trained with the transform powers, and cannot continue with powers:power=3",
    );
    const bare = fit(data, { model }).model;
    expect(from(powers(), bare)).toThrow("was trained without a transform, and cannot continue with powers");
  });

  it("keeps a state of plain JSON, and changes features only", () => {
    const keeping = (state: unknown) => () => trained({ ...powers(), fit: () => state });
    expect(keeping({ a: [1, "b", null, true, { c: 2 }] })).not.toThrow();
    expect(keeping([1, [Number.NaN]])).toThrow("transform powers: expected fit to give plain JSON, and the state[1][0] is NaN");
    expect(keeping({ a: { b: new Map() } })).toThrow("the state.a.b is");
    expect(keeping(undefined)).toThrow("the state is undefined");
    const wrong = {
      ...powers(),
      apply: (_: unknown, given: Dataset) => ({ ...given, labels: given.labels.map((one) => one + 1) }),
    };
    expect(() => trained(wrong)).toThrow(
      "transform powers: apply may change features only, and labels are not those of its data",
    );
  });
});
