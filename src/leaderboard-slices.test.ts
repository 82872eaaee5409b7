import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { leaderboard } from "./leaderboard.ts";
import { leaderboardBySlice } from "./leaderboard-slices.ts";
import { below, random } from "./numeric/random.ts";
import { davidson, raoKupper } from "./objectives/index.ts";

/** Battles of three items that do not differ by slice, and tie with this probability. */
function draw(seed: number, rows: number, tie: number): Battle[] {
  const r = random(seed, 0x511);
  return Array.from({ length: rows }, (_, at): Battle => {
    const i = below(r, 3);
    const winner = r() < tie ? "tie" : r() < 0.5 ? "first" : "second";
    return { first: `item ${i}`, second: `item ${(i + 1 + below(r, 2)) % 3}`, winner, slice: at % 2 === 0 ? "x" : "y" };
  });
}

describe("degrees of freedom of the test of slices", () => {
  it.each([davidson(), raoKupper()])("no slice has ties: two utilities more, and no tie parameter: $id", (objective) => {
    const { slices, pooled, test } = leaderboardBySlice(battles(draw(1, 120, 0)), { objective });
    expect(test!.df).toBe(2);
    expect([pooled.parameters, pooled.auxiliary]).toEqual([2, []]);
    for (const { board } of slices) expect([board.parameters, board.auxiliary]).toEqual([2, []]);
  });

  it("a slice without ties among others with ties: its share of ties is compared too", () => {
    const rows = draw(1, 120, 0);
    const more = rows.map((row, at): Battle => (row.slice === "y" && at % 3 === 0 ? { ...row, winner: "tie" } : row));
    const { slices, test } = leaderboardBySlice(battles(more));
    expect(slices.map(({ board }) => board.parameters)).toEqual([2, 3]);
    expect(test!.df).toBe(3);
    expect(test!.p).toBeLessThan(1e-5); // 20 of 60 battles tied against none
  });
});

it("a leaderboard without ties under a model of ties has no tie parameter", () => {
  const [a, b] = [leaderboard(battles(draw(2, 90, 0)), { objective: davidson() }), leaderboard(battles(draw(2, 90, 0)))];
  expect(a.auxiliary).toEqual([]);
  expect(a.parameters).toBe(b.parameters);
  expect(a.cost).toBeCloseTo(b.cost, 8);
});
