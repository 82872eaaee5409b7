import { describe, expect, it } from "vitest";
import { build } from "../../data/build.ts";
import { fit } from "../../fit.ts";
import { plPartition } from "../../objectives/index.ts";
import { learnerFor } from "../shared/data-dependent-defaults.ts";
import { defaultsFor, settingsFor } from "./defaults.ts";
import { trees } from "./index.ts";
import type { TreesOptions } from "./options.ts";

const size = { lists: 500, items: 10_000, features: 40 };

describe("defaults that depend on the data", () => {
  it("are small trees with short steps for few items, and larger ones for many", () => {
    expect(defaultsFor(size, false)).toEqual({
      ...{ rounds: 100, leaves: 8, learningRate: 0.05, l2: 10, listFraction: 0.5, featureFraction: 0.5 },
    });
    expect(defaultsFor({ ...size, items: 100_000 }, false)).toMatchObject({ rounds: 200, leaves: 8 });
    expect(defaultsFor({ ...size, items: 300_000 }, false)).toMatchObject({ rounds: 100, leaves: 31, learningRate: 0.1 });
    expect(defaultsFor(size, true).rounds).toBe(1000);
  });

  it("sample neither lists nor features where there are few", () => {
    expect(defaultsFor({ ...size, lists: 19, features: 9 }, false)).toMatchObject({ listFraction: 1, featureFraction: 1 });
  });

  it("give way to every option that is given", () => {
    const given: Partial<TreesOptions> = {
      rounds: 7,
      leaves: 5,
      learningRate: 0.2,
      l2: 0,
      listFraction: 1,
      featureFraction: 0.9,
    };
    for (const [key, value] of Object.entries(given)) {
      const options = { ...auto, [key]: value } as TreesOptions;
      expect(settingsFor(options, size, false)).toEqual({ ...defaultsFor(size, false), [key]: value });
    }
  });

  const auto = Object.fromEntries(Object.keys(defaultsFor(size, false)).map((key) => [key, "auto"])) as unknown as TreesOptions;
  const data = build(
    Array.from({ length: 120 }, (_, i) => ({
      list: `q${i % 30}`,
      label: i % 4,
      features: [Math.sin(i), i % 4, Math.cos(3 * i)],
    })),
  );

  it("are recorded with the model, and training with them by name gives the same model", () => {
    const objective = plPartition();
    const { training, model } = fit(data, { model: trees({ minItems: 1 }), objective });
    expect(training.model).toBe(
      "trees:rounds=100,leaves=8,learning-rate=0.05,min-items=1,l2=10,list-fraction=0.5,feature-fraction=1",
    );
    const named = { rounds: 100, leaves: 8, learningRate: 0.05, minItems: 1, l2: 10, listFraction: 0.5, featureFraction: 1 };
    expect(fit(data, { model: trees(named), objective }).model.save()).toEqual(model.save());
  });

  it("do not replace code of the caller", () => {
    const own = { ...trees(), learn: () => Promise.reject(new Error("never")) as never };
    expect(learnerFor(own, data, undefined)).toBe(own);
    expect(learnerFor(trees(), data, undefined).spec).toContain("leaves=8");
  });
});
