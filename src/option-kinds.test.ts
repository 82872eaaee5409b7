/** Options of leaderboards refuse what cannot be meant, and name the option. */
import { describe, expect, it } from "vitest";
import { ballots } from "./data/ballots.ts";
import { type Battle, battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { leaderboard } from "./leaderboard.ts";
import { compareBattleModels } from "./leaderboard-compare.ts";
import { leaderboardDrift } from "./leaderboard-drift.ts";
import { leaderboardFit } from "./leaderboard-fit.ts";
import { leaderboardInfluence } from "./leaderboard-influence.ts";
import { leaderboardWithJudges } from "./leaderboard-judges.ts";
import { leaderboardOfRankings } from "./leaderboard-rankings.ts";
import { leaderboardBySlice } from "./leaderboard-slices.ts";

const data = battles(
  Array.from(
    { length: 60 },
    (_, i): Battle => ({
      ...{ first: "abc"[i % 3]!, second: "abc"[(i + 1) % 3]!, winner: i % 4 === 0 ? "second" : "first" },
      ...{ cluster: `judge ${i % 5}`, slice: String(Math.floor(i / 20)) },
    }),
  ),
);
const votes = ballots([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "c", "b"]]); // biome-ignore format: ballots

const board = ["objective", "ghost", "errors", "errorRidge", "resamples", "level", "minBattles", "scale", "anchor", "seed"];
const functions: readonly (readonly [string, (options: never) => unknown, readonly string[]])[] = [
  ["leaderboard", (options) => leaderboard(data, options), [...board, "onProgress"]],
  ["leaderboardBySlice", (options) => leaderboardBySlice(data, options), [...board, "onProgress"]],
  ["leaderboardWithJudges", (options) => leaderboardWithJudges(data, options), [...board, "onProgress"]],
  [
    "leaderboardInfluence",
    (options) => leaderboardInfluence(data, options),
    ["objective", "ghost", "minBattles", "contenders", "largest", "refine", "onProgress"],
  ],
  [
    "leaderboardOfRankings",
    (options) => leaderboardOfRankings(votes, options),
    ["objective", "errors", "level", "scale", "anchor", "anchorItem", "seed", "itemFeatures", "shrinkage"],
  ],
  [
    "leaderboardFit",
    (options) => leaderboardFit(data, options),
    ["objective", "ghost", "seed", "simulations", "threshold", "onProgress"],
  ],
  [
    "leaderboardDrift",
    (options) => leaderboardDrift(data, options),
    ["objective", "level", "scale", "anchor", "periods", "step", "parts", "seed", "onProgress"],
  ],
  ["compareBattleModels", (options) => compareBattleModels(data, options), ["parts", "seed", "time", "periods", "onProgress"]],
];

describe.each(functions)("%s", (name, call, options) => {
  it.each(options)("%s", (option) => {
    for (const value of [null, Number.NaN, Symbol("x")]) {
      const act = () => call({ [option]: value } as never);
      expect(act).toThrow(InputError);
      expect(act).toThrow(new RegExp(`^${name}, option ${option}: expected [^\\n]+$`));
    }
  });

  it("another option is refused by its name", () => {
    expect(() => call({ nothing: 1 } as never)).toThrow(/nothing/);
  });
});
