/** The likelihood ratio statistic of slices that do not differ has the mean of its degrees of freedom, where ties are rare too. */
import { expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { leaderboardBySlice } from "./leaderboard-slices.ts";
import { below, random } from "./numeric/random.ts";

function draw(seed: number): Battle[] {
  const r = random(seed, 0x511);
  return Array.from({ length: 160 }, (_, at): Battle => {
    const i = below(r, 3);
    const winner = r() < 0.025 ? "tie" : r() < 0.5 ? "first" : "second";
    return { first: `item ${i}`, second: `item ${(i + 1 + below(r, 2)) % 3}`, winner, slice: at % 2 === 0 ? "x" : "y" };
  });
}

const tied = (rows: readonly Battle[], slice: string) => rows.some((row) => row.winner === "tie" && row.slice === slice);

it("rare ties: the mean of the statistic is its degrees of freedom", () => {
  // Two ties are expected in each slice, so that about one slice in seven has none.
  let [sum, runs, without] = [0, 0, 0];
  for (let seed = 1; seed <= 300; seed++) {
    const rows = draw(seed);
    if (!tied(rows, "x") && !tied(rows, "y")) continue;
    if (!tied(rows, "x") || !tied(rows, "y")) without++;
    const { test } = leaderboardBySlice(battles(rows));
    expect(test!.df).toBe(3);
    sum += test!.statistic;
    runs++;
  }
  expect(without).toBeGreaterThan(40);
  expect(Math.abs(sum / runs - 3)).toBeLessThan(3 * Math.sqrt(6 / runs)); // three standard errors; 2 degrees are ten away
}, 300_000);
