/**
 * Simulations with seeds: 30 % of the judges vote at random and 10 % against the order, or reliability is normal. Ratings with judges are closer to the
 * truth than without, and intervals hold it between 92 and 98 times in 100. The truth is on the scale of the mean judge.
 */
import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { type Leaderboard, leaderboard } from "./leaderboard.ts";
import { leaderboardWithJudges } from "./leaderboard-judges.ts";
import { normals } from "./numeric/normal.ts";
import { below, random } from "./numeric/random.ts";

const RUNS = 100;
const [n, JUDGES, EACH] = [8, 100, 20];
const utilities = Array.from({ length: n }, (_, i) => 1.4 - 0.4 * i);

type Kind = "mixed" | "normal";

function draw(kind: Kind, seed: number): { rows: Battle[]; alphas: number[]; mean: number } {
  const r = random(seed, 77);
  const normal = normals(r);
  const alphas: number[] = [];
  const rows: Battle[] = [];
  for (let j = 0; j < JUDGES; j++) {
    const u = r();
    const alpha = kind === "normal" ? 1 + 0.6 * normal() : u < 0.3 ? 0 : u < 0.4 ? -1 : 1;
    alphas.push(alpha);
    for (let e = 0; e < EACH; e++) {
      const i = below(r, n);
      const k = (i + 1 + below(r, n - 1)) % n;
      const margin = alpha * (utilities[i]! - utilities[k]!);
      const [up, down] = [Math.exp(margin / 2), Math.exp(-margin / 2)];
      const x = r() * (up + down + 0.6);
      rows.push({
        ...{ first: `i${i}`, second: `i${k}`, winner: x < up ? "first" : x < up + down ? "second" : "tie", cluster: `j${j}` },
      });
    }
  }
  return { rows, alphas, mean: kind === "normal" ? 1 : 0.5 };
}

/** 1 minus the correlation with the truth, which no scale changes, and the number of intervals that hold it. */
function against(board: Leaderboard, truth: readonly number[]) {
  const items = truth.map((_, i) => board.items.find(({ name }) => name === `i${i}`)!);
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const ratings = items.map(({ rating }) => rating);
  return {
    distance: 1 - dot(ratings, truth) / Math.sqrt(dot(ratings, ratings) * dot(truth, truth)),
    held: items.filter(({ low, high }, i) => low <= truth[i]! && truth[i]! <= high).length,
    ranks: items.every(({ rankLow, rankHigh }, i) => rankLow <= i + 1 && i + 1 <= rankHigh) ? 1 : 0,
  };
}

describe.each<Kind>(["mixed", "normal"])("%s judges", (kind) => {
  it("ratings are closer to the truth, and intervals hold it", () => {
    const sums = { with: 0, without: 0, closer: 0, held: 0, ranks: 0, alphas: 0 };
    for (let run = 1; run <= RUNS; run++) {
      const { rows, alphas, mean } = draw(kind, run);
      const data = battles(rows);
      const truth = utilities.map((value) => mean * value);
      const { board, judges } = leaderboardWithJudges(data);
      const [ours, plain] = [against(board, truth), against(leaderboard(data), truth)];
      sums.with += ours.distance;
      sums.without += plain.distance;
      sums.closer += ours.distance < plain.distance ? 1 : 0;
      sums.held += ours.held;
      sums.ranks += ours.ranks;
      for (const { name, low, high } of judges) {
        const alpha = alphas[Number(name.slice(1))]! / mean;
        if (low <= alpha && alpha <= high) sums.alphas++;
      }
    }
    console.log(kind, JSON.stringify(sums));
    expect(sums.with / sums.without).toBeLessThan(kind === "mixed" ? 0.6 : 0.95);
    expect(sums.closer / RUNS).toBeGreaterThan(kind === "mixed" ? 0.8 : 0.5);
    expect(sums.held / (n * RUNS)).toBeGreaterThan(0.92);
    expect(sums.held / (n * RUNS)).toBeLessThan(0.98);
    expect(sums.ranks / RUNS).toBeGreaterThan(0.92);
    // Reliability of judges: the distribution of the mixed ones is not normal.
    expect(sums.alphas / (JUDGES * RUNS)).toBeGreaterThan(kind === "mixed" ? 0.9 : 0.92);
    expect(sums.alphas / (JUDGES * RUNS)).toBeLessThan(0.98);
  }, 900_000);
});
