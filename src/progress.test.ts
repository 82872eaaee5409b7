/** What functions report of their progress, counted by hand. */
import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { build } from "./data/build.ts";
import { labelSets } from "./data/label-sets.ts";
import { fit } from "./fit.ts";
import { leaderboard } from "./leaderboard.ts";
import { compareBattleModels } from "./leaderboard-compare.ts";
import { leaderboardDrift } from "./leaderboard-drift.ts";
import { leaderboardFit } from "./leaderboard-fit.ts";
import { leaderboardInfluence } from "./leaderboard-influence.ts";
import { leaderboardWithJudges } from "./leaderboard-judges.ts";
import { labelTree, mlp, sleec } from "./models/index.ts";
import { compareRatings } from "./online-compare.ts";
import { elo, glicko2 } from "./ratings/index.ts";

const winners = ["first", "first", "second", "tie"] as const;
const rows = Array.from(
  { length: 80 },
  (_, i): Battle => ({
    ...{ first: "abcd"[i % 4]!, second: "abcd"[(i + 1 + (Math.floor(i / 4) % 3)) % 4]!, winner: winners[(i * 5) % 7] ?? "tie" },
    ...{ cluster: `judge ${i % 5}`, slice: String(Math.floor(i / 10)) },
  }),
);
const decided = rows.map((row) => (row.winner === "tie" ? { ...row, winner: "second" as const } : row));
const plain = (all: readonly Battle[]) => battles(all.map(({ cluster, slice, ...row }) => row));
const lists = build(Array.from({ length: 40 }, (_, i) => ({ list: i % 10, label: i % 3, features: [i % 7, (i * i) % 5] })));
const documents = labelSets(
  Array.from({ length: 40 }, (_, i) => ({
    tags: [`t${i % 4}`, `t${4 + (i % 3)}`],
    words: { [`w${i % 5}`]: 1, [`v${i % 7}`]: 2 },
  })),
  { labels: "tags", features: "words" },
);

type Report = (share: number) => void;
const steps = (count: number) => Array.from({ length: count }, (_, k) => (k + 1) / count);

describe("the shares that are reported are those of the work", () => {
  it.each<[string, (onProgress: Report) => unknown, readonly number[]]>([
    [
      "leaderboard: resamples",
      (onProgress) => leaderboard(battles(rows), { errors: "bootstrap", resamples: 20, onProgress }),
      steps(20),
    ],
    ["leaderboardFit: simulations", (onProgress) => leaderboardFit(battles(rows), { simulations: 7, onProgress }), steps(7)],
    [
      "leaderboardDrift: seven steps in two parts",
      (onProgress) => leaderboardDrift(battles(rows), { parts: 2, onProgress }),
      steps(2 * 7),
    ],
    [
      "compareBattleModels: a model in three parts",
      (onProgress) => compareBattleModels(plain(decided), { parts: 3, onProgress }),
      steps(3),
    ],
    ["the same with ties: five models", (onProgress) => compareBattleModels(plain(rows), { parts: 3, onProgress }), steps(15)],
    [
      "the same over time: five models and four with drift",
      (onProgress) => compareBattleModels(battles(rows), { parts: 2, time: true, onProgress }),
      steps(18),
    ],
    [
      "compareRatings: the batch fit in three steps, and two systems",
      (onProgress) => compareRatings(rows, { slices: 4, systems: [elo(), glicko2()], onProgress }),
      [1 / 9, 2 / 9, 3 / 9, 2 / 3, 1],
    ],
    [
      "leaderboardInfluence: two contenders, the clusters, and the end",
      (onProgress) => leaderboardInfluence(battles(rows), { contenders: 2, ghost: 0.5, onProgress }),
      [1 / 3, 2 / 3, 1],
    ],
    [
      "leaderboardInfluence without clusters: two contenders, and the end",
      (onProgress) => leaderboardInfluence(plain(rows), { contenders: 2, ghost: 0.5, onProgress }),
      [1 / 2, 1, 1],
    ],
    [
      "fit of mlp: three rounds of four batches, of 3, 3, 3 and 1 lists",
      (onProgress) => fit(lists, { model: mlp({ hidden: [2], epochs: 3, batch: 3 }), onProgress }),
      [0, 1, 2].flatMap((epoch) => [3, 6, 9, 10].map((done) => (epoch + done / 10) / 3)),
    ],
  ])("%s", (_, run, expected) => {
    const shares: number[] = [];
    run((share) => void shares.push(share));
    expect(shares.length).toBe(expected.length);
    for (const [k, share] of shares.entries()) expect(share).toBeCloseTo(expected[k]!, 12);
  });

  it.each<[string, (onProgress: Report) => unknown]>([
    ["label-tree", (onProgress) => fit(documents, { model: labelTree({ trees: 2 }), onProgress })],
    ["sleec", (onProgress) => fit(documents, { model: sleec({ learners: 2, rank: 6 }), onProgress })],
  ])("%s: nodes or clusters of both rounds, each as much of a round as the others", (_, run) => {
    const shares: number[] = [];
    run((share) => void shares.push(share));
    const half = shares.indexOf(0.5) + 1;
    expect(half).toBeGreaterThan(0);
    expect(shares.slice(0, half)).toEqual(steps(half).map((share) => share / 2));
    expect(shares.slice(half)).toEqual(steps(shares.length - half).map((share) => 0.5 + share / 2));
  });

  it("judges: rounds without a known end come ever closer to it", () => {
    const shares: number[] = [];
    leaderboardWithJudges(battles(rows), { ghost: 0.5, onProgress: (share) => void shares.push(share) });
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(new Set(shares).size).toBe(shares.length);
    for (const share of shares) expect(share > 0 && share < 1).toBe(true);
  });
});
