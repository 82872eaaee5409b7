/**
 * Simulations with seeds: with judges of whom 30 % vote at random and 10 % against the order, or whose reliability is normal, ratings that allow for
 * judges are closer to the truth than others, and intervals contain it between 92 and 98 times in 100 up to the error of the simulation.
 */
import { describe, expect, it } from "vitest";
import { drawJudged, type Judges, judgedOutcome } from "../bench/coverage/hierarchies.ts";
import { isAbove, isBelow, simulate } from "../bench/coverage/simulation.ts";
import { battles } from "./data/battles.ts";
import { type Leaderboard, leaderboard } from "./leaderboard.ts";
import { leaderboardWithJudges } from "./leaderboard-judges.ts";

const RUNS = 15;

/** 1 minus the correlation with the truth, which no scale changes. */
function distance({ items }: Leaderboard, truth: readonly number[]): number {
  const ratings = truth.map((_, i) => items.find(({ name }) => name === `i${i}`)!.rating);
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  return 1 - dot(ratings, truth) / Math.sqrt(dot(ratings, ratings) * dot(truth, truth));
}

describe.each<Judges>(["mixed", "normal"])("%s judges", (kind) => {
  it("ratings are closer to the truth, and intervals contain it", () => {
    const sums = { with: 0, without: 0, closer: 0 };
    const found = simulate(
      {
        name: kind,
        within: [],
        run(seed) {
          const { rows, alphas, truth } = drawJudged(kind, seed);
          const data = battles(rows);
          const { board, judges } = leaderboardWithJudges(data);
          const [ours, plain] = [distance(board, truth), distance(leaderboard(data), truth)];
          sums.with += ours;
          sums.without += plain;
          sums.closer += ours < plain ? 1 : 0;
          return judgedOutcome(board, judges, truth, alphas);
        },
      },
      RUNS,
    );
    expect(sums.with / sums.without).toBeLessThan(kind === "mixed" ? 0.6 : 0.95);
    expect(sums.closer / RUNS).toBeGreaterThan(kind === "mixed" ? 0.8 : 0.5);
    expect(isBelow(found.ratings!)).toBe(false);
    expect(isAbove(found.ratings!)).toBe(false);
    expect(isBelow(found.ranks!)).toBe(false);
    // The reliability of mixed judges is not normal, which their posterior intervals assume.
    expect(isBelow(found.coefficients!, kind === "mixed" ? 0.9 : 0.92)).toBe(false);
    expect(isAbove(found.coefficients!)).toBe(false);
  }, 300_000);
});
