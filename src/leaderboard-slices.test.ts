import { describe, expect, it } from "vitest";
import { type Battle, battles, NO_SLICE } from "./data/battles.ts";
import { leaderboard } from "./leaderboard.ts";
import { leaderboardDrift } from "./leaderboard-drift.ts";
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

it("battles without a slice count in the pooled leaderboard, and not in slices or the test", () => {
  const rows = draw(3, 200, 0.2);
  const some: Battle[] = Array.from({ length: 40 }, (_, i) => ({ first: "item 0", second: `item ${1 + (i % 2)}`, winner: "first", slice: "none" })); // biome-ignore format: one line
  const all = battles([...rows, ...some, { first: "item 0", second: "new", winner: "tie", slice: "none" }]);
  const none = all.sliceNames!.indexOf("none");
  const data = { ...all, slices: all.slices!.map((slice) => (slice === none ? NO_SLICE : slice)), sliceNames: ["x", "y"] };
  const options = { objective: davidson(), ghost: 0 };
  const found = leaderboardBySlice(data, options);
  const without = leaderboardBySlice(battles(rows), options);
  expect(found.test).toEqual(without.test);
  expect(found.slices).toEqual(without.slices);
  expect(found.unsliced).toBe(41);
  expect(without).not.toHaveProperty("unsliced");
  expect(found.pooled.utilities).toEqual(leaderboard(all, options).utilities);
  expect(found.pooled.battles).toBe(241);
  expect(() => leaderboardBySlice({ ...data, slices: data.slices.map(() => NO_SLICE), sliceNames: [] })).toThrow(
    "leaderboardBySlice: no battle has a slice",
  );
  expect(() => leaderboardDrift(data)).toThrow("leaderboardDrift: some battles have no time; leave them out");
});

it("battles in code may lack a slice if that is wanted, and equal ones are merged", () => {
  const rows: Battle[] = [
    { first: "a", second: "b", winner: "first", slice: "x" },
    { first: "a", second: "b", winner: "first" },
  ];
  const many = Array.from({ length: 3000 }, () => rows).flat();
  expect(() => battles(many)).toThrow("3000 of 6000 battles have a slice; give one to all or to none, or add emptySlices: true");
  const { slices, sliceNames, counts } = battles(many, { emptySlices: true });
  expect([slices, sliceNames, counts]).toEqual([Uint32Array.of(0, NO_SLICE), ["x"], Float64Array.of(3000, 3000)]);
  const without = rows.map(({ first, second, winner }) => ({ first, second, winner }));
  expect(battles(without, { emptySlices: true })).not.toHaveProperty("slices");
});

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
