import { describe, expect, it } from "vitest";
import { autoFolds } from "./auto-folds.ts";
import { build } from "./data/build.ts";

/** Lists of three items; those with a number below `tied` have one tier only. */
const lists = (count: number, tied = 0) =>
  build(
    Array.from({ length: 3 * count }, (_, i) => ({
      list: Math.floor(i / 3),
      label: Math.floor(i / 3) < tied ? 1 : i % 3,
      features: [i],
    })),
  );

describe("folds", () => {
  it("put every list into one, and the rest into training", () => {
    const data = lists(23, 4);
    const folds = autoFolds("test", data, undefined, 7);
    expect(folds).toHaveLength(5);
    expect(folds.flatMap((fold) => [...fold.lists]).sort((a, b) => a - b)).toEqual(Array.from({ length: 23 }, (_, q) => q));
    for (const { lists: own, train, valid } of folds) {
      expect([...own]).toEqual([...own].sort((a, b) => a - b));
      const first = (at: number, from: typeof data) => from.features.values[from.starts[at]!]! / 3; // the number of the list
      expect(Array.from({ length: valid.starts.length - 1 }, (_, at) => first(at, valid))).toEqual([...own]);
      expect(train.starts.length - 1).toBe(23 - own.length);
      expect(own.some((q) => train.features.values.includes(3 * q))).toBe(false);
    }
  });

  it("share out the lists that can be ranked wrongly, however few they are", () => {
    const useful = autoFolds("test", lists(40, 30), undefined, 3).map(({ lists: own }) => own.filter((q) => q >= 30).length);
    expect(useful).toEqual([2, 2, 2, 2, 2]);
  });

  it.each([
    [4, 2],
    [5, 2],
    [6, 3],
    [9, 4],
    [10, 5],
    [400, 5],
  ])("%i lists make %i", (count, wanted) => expect(autoFolds("test", lists(count), undefined, 1)).toHaveLength(wanted));

  it("are as many as are asked for, down to one list in each", () => {
    expect(autoFolds("test", lists(12), 3, 1)).toHaveLength(3);
    expect(autoFolds("test", lists(12), 12, 1)).toHaveLength(12);
    expect(() => autoFolds("test", lists(12), 13, 1)).toThrow(
      "test: 12 lists with two different labels are too few for 13 folds",
    );
  });

  it.each([
    [1, 0],
    [3, 0],
    [50, 47],
  ])("cannot be made of %i lists of which %i have one tier", (count, tied) =>
    expect(() => autoFolds("test", lists(count, tied), undefined, 1)).toThrow(
      `test: expected at least 4 lists with two different labels to validate models, got ${count - tied}; train one model instead`,
    ),
  );

  it("depend on the seed", () => {
    const [one, same, other] = [1, 1, 2].map((seed) => autoFolds("test", lists(30), undefined, seed).map((f) => [...f.lists]));
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });
});
