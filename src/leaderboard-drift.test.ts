import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { leaderboard } from "./leaderboard.ts";
import { leaderboardDrift } from "./leaderboard-drift.ts";
import { periodsOf } from "./leaderboard-periods.ts";
import { leaderboardBySlice } from "./leaderboard-slices.ts";
import { below, random } from "./numeric/random.ts";

/** Battles of four items at times 0 to 5; the first rises by `rise` from time to time. */
function draw(seed: number, rows: number, rise: number): Battle[] {
  const r = random(seed, 0xd1);
  return Array.from({ length: rows }, (_, at): Battle => {
    const [i, t] = [below(r, 4), at % 6];
    const j = (i + 1 + below(r, 3)) % 4;
    const utility = (k: number) => (k === 0 ? rise * (t - 2.5) : 0.3 * k);
    const [up, down] = [Math.exp((utility(i) - utility(j)) / 2), Math.exp((utility(j) - utility(i)) / 2)];
    const u = r() * (up + down + 0.6);
    return { first: `i${i}`, second: `i${j}`, winner: u < up ? "first" : u < up + down ? "second" : "tie", slice: String(t) };
  });
}

describe("drift", () => {
  it("large steps give each period a leaderboard of its own", () => {
    const data = battles(draw(1, 900, 0.3).filter(({ winner }) => winner !== "tie")); // all periods share a tie parameter
    const { items, periods, step } = leaderboardDrift(data, { periods: 6, step: 1e3 });
    expect(step).toBe(1e3);
    expect(periods.map(({ from, to }) => [from, to])).toEqual(Array.from({ length: 6 }, (_, t) => [String(t), String(t)]));
    for (const { name, board } of leaderboardBySlice(data).slices)
      for (const item of board.items) {
        const found = items.find((one) => one.name === item.name)!.ratings[Number(name)]!;
        const all = items.reduce((sum, one) => sum + one.ratings[Number(name)]!.rating / 4, 0);
        expect(found.rating - all).toBeCloseTo(item.rating, 4);
        expect(found.error).toBeCloseTo(item.error, 4);
        expect(found.battles).toBe(item.battles);
      }
  });

  it("small steps give all periods the leaderboard of all battles, with its errors", () => {
    const data = battles(draw(2, 600, 0.3));
    const { items } = leaderboardDrift(data, { periods: 6, step: 1e-4, level: 0.9 });
    for (const item of leaderboard(data, { level: 0.9 }).items) {
      for (const found of items.find(({ name }) => name === item.name)!.ratings) {
        expect(found.rating).toBeCloseTo(item.rating, 4);
        expect(found.error).toBeCloseTo(item.error, 4);
        expect(found.high - found.low).toBeCloseTo(item.high - item.low, 4);
      }
    }
  });

  it("takes two periods and two parts, and no fewer", () => {
    const data = battles(draw(5, 200, 0.3));
    const { periods, comparison } = leaderboardDrift(data, { periods: 2, parts: 2 });
    expect(periods).toHaveLength(2);
    expect(comparison).not.toHaveLength(0);
    expect(() => leaderboardDrift(data, { periods: 1 })).toThrow(/periods/);
    expect(() => leaderboardDrift(data, { parts: 1 })).toThrow(/parts/);
  });

  it("cross-validation finds drift where there is some, and little where there is none", () => {
    const moving = leaderboardDrift(battles(draw(3, 3000, 0.5)), { periods: 6 });
    expect(moving.step).toBeGreaterThanOrEqual(0.1);
    expect(moving.comparison!.map(({ step }) => step)[0]).toBe(0);
    const first = moving.items.find(({ name }) => name === "i0")!;
    // It rises by 2.5, and the mean of the four by a quarter of that.
    expect(Math.abs(first.change - 2.5 * 0.75)).toBeLessThan(4 * first.changeError + 0.1);
    expect(first.ratings[5]!.rating).toBeGreaterThan(first.ratings[0]!.rating + 1);
    expect(leaderboardDrift(battles(draw(4, 3000, 0)), { periods: 6 }).step).toBeLessThanOrEqual(0.05);
  });

  it("intervals hold the utilities of the periods", () => {
    let [held, all] = [0, 0];
    for (let seed = 1; seed <= 25; seed++) {
      for (const { name, ratings } of leaderboardDrift(battles(draw(seed, 1200, 0.2)), { periods: 6, step: 0.2 }).items) {
        const i = Number(name[1]);
        ratings.forEach(({ low, high }, t) => {
          const utilities = [0.2 * (t - 2.5), 0.3, 0.6, 0.9];
          const mean = utilities.reduce((sum, one) => sum + one / 4, 0);
          // Relative to the mean of the period; that of all periods is the anchor, and the walk of the mean is 0.05 by period.
          const truth = utilities[i]! - mean;
          if (low - 0.02 <= truth && truth <= high + 0.02) held++;
          all++;
        });
      }
    }
    expect(held / all).toBeGreaterThan(0.92);
  });

  it("dates are times, in their order, and Elo points a scale", () => {
    const dated = draw(5, 300, 0.2).map((row) => ({ ...row, slice: `2024-0${9 - Number(row.slice)}-01` }));
    const { periods, items, scale } = leaderboardDrift(battles(dated), { periods: 3, step: 0.1, scale: "elo" });
    expect(periods.map(({ from, to }) => [from, to])).toEqual([
      ["2024-04-01", "2024-05-01"],
      ["2024-06-01", "2024-07-01"],
      ["2024-08-01", "2024-09-01"],
    ]);
    expect(scale).toBe("elo");
    expect(items.reduce((sum, { ratings }) => sum + ratings[1]!.rating / 4, 0)).toBeCloseTo(1000, 6);
  });

  it("periods have about equally many battles, and equal times stay together", () => {
    const r = random(1);
    for (let run = 0; run < 100; run++) {
      const times = Array.from({ length: 2 + below(r, 30) }, () => below(r, 12));
      if (new Set(times).size < 2) continue;
      const data = battles(
        times.map((t) => ({ first: "a", second: "b", winner: "tie", slice: String(t), count: 1 + below(r, 5) })),
      );
      const wanted = 2 + below(r, 6);
      const { of, names } = periodsOf("test", data, wanted);
      expect(names).toHaveLength(Math.min(wanted, new Set(times).size));
      expect(new Set(of).size).toBe(names.length);
      data.slices!.forEach((slice, row) => {
        const time = Number(data.sliceNames![slice]);
        expect(Number(names[of[row]!]!.from) <= time && time <= Number(names[of[row]!]!.to)).toBe(true);
      });
      names.slice(1).forEach(({ from }, t) => void expect(Number(from)).toBeGreaterThan(Number(names[t]!.to)));
    }
  });
});

it.each<[string, () => unknown, RegExp]>([
  [
    "no times",
    () => leaderboardDrift(battles([{ first: "a", second: "b", winner: "tie" }])),
    /expected battles with times as slices/,
  ],
  [
    "one time",
    () => leaderboardDrift(battles([{ first: "a", second: "b", winner: "tie", slice: "3" }])),
    /expected two times or more, got 1/,
  ],
  [
    "a word as time",
    () => leaderboardDrift(battles(draw(1, 30, 0).map((row) => ({ ...row, slice: "soon" })))),
    /all of them numbers or dates such as 2024-08-14, got "soon"/,
  ],
  ["one period", () => leaderboardDrift(battles(draw(1, 60, 0)), { periods: 1 }), /option periods: expected/],
  [
    "an item that never lost",
    () => leaderboardDrift(battles([0, 1].map((t) => ({ first: "a", second: "b", winner: "first", slice: String(t) })))),
    /does not exist/,
  ],
])("%s is an error of one line", (_, call, message) => {
  expect(call).toThrow(message);
});
