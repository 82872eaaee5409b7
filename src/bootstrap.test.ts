/** Bootstrap of ballots: shares and ranks of items with equal utilities do not depend on rounding. */
import { expect, it } from "vitest";
import { bootstrap } from "./bootstrap.ts";
import { ballots } from "./data/ballots.ts";
import { utilities } from "./models/index.ts";
import { plPartition } from "./objectives/index.ts";

it("items that no ballot separates share the first place and have the mean of their ranks", () => {
  const data = ballots(Array.from({ length: 6 }, () => [["a", "b"], "c"]));
  const { names, first, ranks } = bootstrap(data, { model: utilities({ ghost: 0.5 }), objective: plPartition(), resamples: 20 });
  expect(names).toEqual(["a", "b", "c"]);
  expect(first).toEqual([0.5, 0.5, 0]);
  expect(ranks.map(({ expected }) => expected)).toEqual([1.5, 1.5, 3]);
});

it("shares of the first place sum to 1", () => {
  const data = ballots([
    ["a", "b", "c"],
    [["a", "b"], "c"],
    ["b", "a", "c"],
    ["c", ["b", "a"]],
  ]);
  const { first, ranks } = bootstrap(data, { model: utilities({ ghost: 0.5 }), objective: plPartition(), resamples: 50 });
  expect(first.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  expect(ranks.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(6, 12);
});
