import { describe, expect, it } from "vitest";
import { baselines, bestFeature, featureScores, frequencyTop, sample } from "./baselines.ts";
import { ndcg } from "./metrics/index.ts";
import type { Dataset } from "./types.ts";

/** Two lists of three items; feature 1 is noise, feature 2 falls with the label, feature 3 is mostly missing. */
const data: Dataset = {
  starts: Uint32Array.of(0, 3, 6),
  labels: Float32Array.of(2, 1, 0, 0, 2, 1),
  features: {
    kind: "dense",
    ...{ rows: 6, columns: 3 },
    values: Float32Array.of(5, 1, 1, 9, 2, Number.NaN, 7, 3, Number.NaN, 1, 3, Number.NaN, 1, 1, Number.NaN, 2, 2, 4),
  },
  base: 1,
  names: {},
};
const metric = ndcg({ k: 10 });

describe("baselines", () => {
  it("find the best single feature and which way up", () => {
    expect(bestFeature(data, metric)).toEqual({ column: 1, sign: -1, mean: 1 });
  });

  it("put items without a value last, whichever way up", () => {
    expect([...featureScores(data, 2, -1)]).toEqual([-1, -1e300, -1e300, -1e300, -1e300, -4]);
  });

  it("rank by all features without labels", () => {
    const [best, free, random] = baselines(data, { metric });
    expect(best!.name).toBe("best single feature (2)");
    expect(random!.scores).toEqual(new Float64Array(6));
    // List 1: ranks by feature 1 are 3 1 2, by feature 2 they are 3 2 1, by feature 3 they are 1, then 2.5 each: means 7/3, 5.5/3, 5.5/3.
    expect([...free!.scores.subarray(0, 3)].map((one) => -3 * one)).toEqual([7, 5.5, 5.5].map((one) => expect.closeTo(one, 12)));
  });

  it("choose the feature in the training data where these are given", () => {
    const train = { ...data, labels: Float32Array.of(0, 2, 1, 0, 0, 2) }; // as feature 1 has it
    const [best] = baselines(data, { metric, train, nameOf: (c) => "abc"[c]! });
    expect(best).toMatchObject({ name: "best single feature (a)", about: "high values first, the best in training" });
  });

  it("know only random order where there are no features", () => {
    const bare = { ...data, features: { kind: "dense" as const, rows: 6, columns: 0, values: new Float32Array(0) } };
    expect(baselines(bare, { metric }).map(({ name }) => name)).toEqual(["random order"]);
  });

  it("rank a catalogue by how often its items were judged", () => {
    const { items, scores } = frequencyTop(data, { lists: 9, counts: Uint32Array.of(3, 8, 3, 1) }, 2);
    expect([...items]).toEqual([1, 0, 1, 0]);
    expect([...scores]).toEqual([8, 3, 8, 3]);
  });
});

describe("a sample", () => {
  it("has whole lists, in the order of the data, and all where they are few", () => {
    expect(sample(data, 6)).toBe(data);
    const one = sample(data, 2);
    expect(one.starts).toEqual(Uint32Array.of(0, 3));
  });
});
