import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { InputError } from "./input-error.ts";
import { continueRatings, onlineRatings, type RatingsState } from "./online-ratings.ts";
import { elo, glicko2, ratingSystem, trueSkill } from "./ratings/index.ts";

const fixture = JSON.parse(readFileSync(new URL("../test/fixtures/ratings/ratings.json", import.meta.url), "utf8"));
const WINNERS = ["first", "second", "tie"] as const;

describe("elo", () => {
  it("moves by k (S - E): equal ratings, a win of 16 points; a tie at equal ratings moves nothing", () => {
    const ratings = onlineRatings(elo());
    ratings.update({ first: "a", second: "b", winner: "first" });
    expect(ratings.items().map(({ rating }) => rating)).toEqual([1516, 1484]);
    const tied = onlineRatings(elo({ start: 1000 }));
    tied.update({ first: "a", second: "b", winner: "tie" });
    expect(tied.items().map(({ rating, ties }) => [rating, ties])).toEqual([
      [1000, 1],
      [1000, 1],
    ]);
  });

  it("400 points are odds of 10 to 1", () => {
    const ratings = onlineRatings(elo(), {
      ...{ format: "tierwise-ratings", version: 1, system: "elo", pending: [] },
      items: [
        ["a", [1900], 0, 0, 0],
        ["b", [1500], 0, 0, 0],
      ],
    });
    expect(ratings.expect("a", "b").win).toBeCloseTo(10 / 11, 12);
    ratings.update({ first: "a", second: "b", winner: "second" });
    expect(ratings.items().find(({ name }) => name === "b")!.rating).toBeCloseTo(1500 + 32 * (10 / 11), 9);
  });
});

describe("glicko2", () => {
  it("Glickman's example: 1464.06, 151.52, 0.05999", () => {
    const others = { b: [1400, 30], c: [1550, 100], d: [1700, 300] };
    const state: RatingsState = {
      ...{ format: "tierwise-ratings", version: 1, system: "glicko2", pending: [] },
      items: [
        ["a", [1500, 200, 0.06], 0, 0, 0],
        ...Object.entries(others).map(([name, numbers]) => [name, [...numbers, 0.06], 0, 0, 0] as const),
      ],
    };
    const ratings = continueRatings(state);
    ratings.update({ first: "a", second: "b", winner: "first" });
    ratings.update({ first: "a", second: "c", winner: "second" });
    ratings.update({ first: "a", second: "d", winner: "second" });
    ratings.endPeriod();
    const [rating, deviation, volatility] = ratings.state().items[0]![1] as [number, number, number];
    expect(rating).toBeCloseTo(1464.06, 1);
    expect(deviation).toBeCloseTo(151.52, 2);
    expect(Math.floor(volatility * 1e5)).toBe(5999); // the paper's digits are cut off, not rounded
  });

  it("is the Python package glicko2 over periods, with items that rest", () => {
    const ratings = onlineRatings(glicko2());
    for (const battles of fixture.glicko2.periods) {
      for (const [first, second, outcome] of battles) ratings.update({ first, second, winner: WINNERS[outcome as 0]! });
      ratings.endPeriod();
    }
    for (const [name, numbers] of ratings.state().items)
      fixture.glicko2.ratings[name].forEach(
        (value: number, k: number) => void expect(Math.abs(numbers[k]! / value - 1)).toBeLessThan(1e-5), // the package stops its search for the volatility at 1e-6
      );
  });

  it("a volatility far too large falls by more than tau, to the solution of the paper's equation", () => {
    // In a tie of equals delta is 0, and f(x) = -e^x / (2 (s + e^x)) - (x - a) / tau^2 with s = phi^2 + v. At e^x = s the first term is -1/4,
    // so with tau = 6 and a = log(s) + 9, f is 0 there: the new volatility is the root of s.
    const phi = 1;
    const v = 4 * (1 + 3 / Math.PI ** 2); // g(phi)^2 / 4 is 1 / v
    const s = phi ** 2 + v;
    const ratings = continueRatings({
      ...{ format: "tierwise-ratings", version: 1, system: "glicko2:tau=6", pending: [] },
      items: ["a", "b"].map((name) => [name, [1500, 173.7178 * phi, Math.sqrt(s) * Math.exp(4.5)], 0, 0, 0] as const),
    });
    ratings.update({ first: "a", second: "b", winner: "tie" });
    ratings.endPeriod();
    const [rating, deviation, volatility] = ratings.state().items[0]![1] as [number, number, number];
    expect(rating).toBeCloseTo(1500, 9);
    expect(volatility).toBeCloseTo(Math.sqrt(s), 7);
    expect(deviation).toBeCloseTo(173.7178 / Math.sqrt(1 / (phi ** 2 + s) + 1 / v), 5);
  });

  it("a period ends after its number of battles, and unfinished ones are shown", () => {
    const [two, all] = [onlineRatings(glicko2({ period: 2 })), onlineRatings(glicko2())];
    for (const ratings of [two, all]) {
      ratings.update({ first: "a", second: "b", winner: "first" });
      ratings.update({ first: "b", second: "a", winner: "tie" });
    }
    expect(two.state().pending).toEqual([]);
    expect(all.state().pending).toHaveLength(2);
    expect(all.items()).toEqual(two.items());
  });
});

describe("trueskill", () => {
  it("is the Python package trueskill over contests of 2 to 6 items with ties", () => {
    const ratings = onlineRatings(trueSkill({ draw: fixture.drawProbability }));
    for (const { items, places } of fixture.trueskill.contests as { items: string[]; places: number[] }[]) {
      const tiers = [...new Set(places)].sort((a, b) => a - b).map((place) => items.filter((_, i) => places[i] === place));
      ratings.update({ tiers });
    }
    for (const [name, [mean, deviation]] of ratings.state().items) {
      expect(mean).toBeCloseTo(fixture.trueskill.ratings[name][0], 5);
      expect(deviation).toBeCloseTo(fixture.trueskill.ratings[name][1], 5);
    }
  });

  it("two new items: 29.396 and 20.604, with deviation 7.171, as published", () => {
    const ratings = onlineRatings(trueSkill());
    ratings.update({ first: "a", second: "b", winner: "first" });
    const [a, b] = ratings.items();
    expect([a!.rating, a!.error, b!.rating]).toEqual([
      expect.closeTo(29.396, 3),
      expect.closeTo(7.171, 3),
      expect.closeTo(20.604, 3),
    ]);
  });

  it("expects the win of a lead of one standard deviation as often as a normal number is below 1", () => {
    const system = trueSkill({ beta: 1, tau: 3, draw: 0 });
    const ratings = onlineRatings(system, {
      ...{ format: "tierwise-ratings", version: 1, system: system.spec, pending: [] },
      items: [
        ["a", [30, 4], 0, 0, 0],
        ["b", [24, 0], 0, 0, 0],
      ],
    });
    // 6 is the root of 2 * 1 + 4 ** 2 + 0 ** 2 + 2 * 3 ** 2
    expect(ratings.expect("a", "b")).toEqual({ win: expect.closeTo(0.8413447460685429, 12), tie: 0, loss: expect.closeTo(0.15865525393145707, 12) }); // biome-ignore format: one line
  });

  it("stays finite after a thousand surprises, and a tie of far skills", () => {
    const ratings = onlineRatings(trueSkill({ sigma: 0.01, tau: 0, mu: 0 }));
    for (let i = 0; i < 1000; i++) ratings.update({ first: "a", second: "b", winner: "first" });
    const far = onlineRatings(trueSkill({ tau: 0 }), {
      ...{ format: "tierwise-ratings", version: 1, system: trueSkill({ tau: 0 }).spec, pending: [] },
      items: [
        ["a", [1e4, 1], 0, 0, 0],
        ["b", [-1e4, 1], 0, 0, 0],
      ],
    });
    far.update({ first: "a", second: "b", winner: "tie" });
    far.update({ first: "b", second: "a", winner: "first" });
    for (const { rating, error } of [...ratings.items(), ...far.items()]) {
      expect(Number.isFinite(rating)).toBe(true);
      expect(error).toBeGreaterThan(0);
    }
  });
});

describe("any system", () => {
  const battles = Array.from({ length: 60 }, (_, i) => ({
    ...{ first: `i${i % 5}`, second: `i${(i + 1 + (i % 3)) % 5}`, winner: WINNERS[(i * 7) % 3]! },
  }));
  it.each(["elo:k=10", "glicko2:period=7", "trueskill"])("%s: a saved state continues as if it had never stopped", (spec) => {
    const once = onlineRatings(ratingSystem(spec));
    for (const battle of battles) once.update(battle);
    const before = onlineRatings(ratingSystem(spec));
    for (const battle of battles.slice(0, 31)) before.update(battle);
    const after = continueRatings(JSON.parse(JSON.stringify(before.state())));
    for (const battle of battles.slice(31)) after.update(battle);
    expect(after.state()).toEqual(once.state());
    expect(after.items()).toEqual(once.items());
    const { win, tie, loss } = once.expect("i0", "somebody new");
    expect(win + tie + loss).toBeCloseTo(1, 12);
  });

  it.each<[string, () => unknown]>([
    ["no system", () => onlineRatings({} as never)],
    ["another system's state", () => onlineRatings(elo(), onlineRatings(trueSkill()).state())],
    ["no state", () => continueRatings([] as never)],
    ["null instead of a state", () => onlineRatings(elo(), null as never)],
    ["an unknown version", () => continueRatings({ ...onlineRatings(elo()).state(), version: 2 } as never)],
    [
      "an item twice",
      () =>
        continueRatings({
          ...onlineRatings(elo()).state(),
          items: [
            ["a", [1], 0, 0, 0],
            ["a", [1], 0, 0, 0],
          ],
        }),
    ],
    ["too few numbers", () => continueRatings({ ...onlineRatings(elo()).state(), items: [["a", [], 0, 0, 0]] })],
    ["a pending battle of nobody", () => continueRatings({ ...onlineRatings(glicko2()).state(), pending: [[0, 1, 0]] })],
    ["a winner of another name", () => onlineRatings(elo()).update({ first: "a", second: "b", winner: "a" as never })],
    ["an item against itself", () => onlineRatings(elo()).update({ first: "a", second: "a", winner: "tie" })],
    ["one item", () => onlineRatings(trueSkill()).update({ tiers: [["a"]] })],
    ["an empty tier", () => onlineRatings(trueSkill()).update({ tiers: [["a"], []] })],
    ["three items under elo", () => onlineRatings(elo()).update({ tiers: [["a"], ["b", "c"]] })],
    ["an unknown system", () => ratingSystem("ello")],
    ["an option out of range", () => elo({ k: 0 })],
  ])("refuses %s in one line", (_, call) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(/^[^\n]+$/);
  });
});
