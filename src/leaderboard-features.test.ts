import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { leaderboard } from "./leaderboard.ts";
import { leaderboardWithFeatures } from "./leaderboard-features.ts";
import { below, random } from "./numeric/random.ts";
import { rankNet } from "./objectives/index.ts";

const other = JSON.parse(readFileSync(new URL("../test/fixtures/arena/item-features.json", import.meta.url), "utf8"));
const data = battles(
  other.rows.map(([first, second, winner]: [string, string, "first" | "second"]) => ({ first, second, winner })),
);
const features = { names: ["x"], items: new Map<string, number[]>(other.x.map((x: number, i: number) => [`item ${i}`, [x]])) };
const none = { names: [], items: new Map(data.items.map((name) => [name, []])) };

describe("features of items", () => {
  it("have intervals of 95 % unless another level is given", () => {
    const given = (level?: number) => leaderboardWithFeatures(data, features, { shrinkage: 0.5, ...(level && { level }) });
    expect(given()).toEqual(given(0.95));
    expect(given()).not.toEqual(given(0.94));
  });

  it.each(["best", "given"] as const)(
    `are those of numpy ${other.versions.numpy} and scipy ${other.versions.scipy}, tau the %s`,
    (which) => {
      const wanted = other[which];
      const board = leaderboardWithFeatures(data, features, which === "given" ? { shrinkage: wanted.tau } : {});
      expect(board.shrinkage).toBeCloseTo(wanted.tau, 4);
      expect(board.features[0]!.value).toBeCloseTo(wanted.gamma, 4);
      for (const { name, rating } of board.items) expect(rating).toBeCloseTo(wanted.theta[Number(name.slice(5))], 4);
      // Errors given tau; where tau is estimated they are larger, by its own error.
      const given = leaderboardWithFeatures(data, features, { shrinkage: wanted.tau });
      expect(given.features[0]!.error).toBeCloseTo(wanted.gammaError, 4);
      for (const { name, error } of given.items) expect(error).toBeCloseTo(wanted.errors[Number(name.slice(5))], 4);
      if (which === "best") {
        const mean = (items: readonly { error: number }[]) => items.reduce((sum, { error }) => sum + error, 0) / items.length;
        expect(mean(board.items)).toBeGreaterThan(mean(given.items));
        expect(mean(board.items)).toBeLessThan(1.5 * mean(given.items));
      }
    },
  );

  it("marginal likelihoods differ as those of scipy, and the best adjusted one is above all of a fine grid", () => {
    const at = (shrinkage?: number) => leaderboardWithFeatures(data, features, shrinkage === undefined ? {} : { shrinkage });
    expect(at().logMarginal - at(0.3).logMarginal).toBeCloseTo(other.given.marginal - other.best.marginal, 4);
    const adjusted = ({ shrinkage: tau, logMarginal }: ReturnType<typeof at>) =>
      logMarginal + 2 * Math.log(tau) - 1.5 * Math.log(1 + tau * tau);
    const best = adjusted(at());
    for (let tau = 0.05; tau < 3; tau *= 1.3) expect(adjusted(at(tau))).toBeLessThanOrEqual(best + 1e-9);
  });

  it("deviations that the battles do not show are not taken for none", () => {
    // Every item wins as often as it loses against every other: the marginal likelihood is highest at 0.
    const level = battles(
      [0, 1, 2, 3, 4, 5].flatMap((i) =>
        [0, 1, 2, 3, 4, 5].filter((j) => j !== i).map((j) => ({ first: `${i}`, second: `${j}`, winner: "first" as const })),
      ),
    );
    const same = { names: [], items: new Map(level.items.map((name) => [name, []])) };
    const at = (shrinkage: number) => leaderboardWithFeatures(level, same, { shrinkage });
    expect(at(0.01).logMarginal).toBeGreaterThan(at(0.3).logMarginal);
    const board = leaderboardWithFeatures(level, same);
    expect(board.shrinkage).toBeGreaterThan(0.1);
    for (const { error } of board.items) expect(error).toBeGreaterThan(at(0.1).items[0]!.error);
  });

  it("little shrinkage gives the leaderboard without features, much gives all items their features or the mean", () => {
    const plain = leaderboard(data, { objective: rankNet() });
    const weak = leaderboardWithFeatures(data, none, { shrinkage: 1e4 });
    weak.items.forEach(({ name, rating, error }, i) => {
      expect(name).toBe(plain.items[i]!.name);
      expect(rating).toBeCloseTo(plain.items[i]!.rating, 4);
      expect(error).toBeCloseTo(plain.items[i]!.error, 4);
    });
    const strong = leaderboardWithFeatures(data, none, { shrinkage: 1e-4 });
    for (const { rating } of strong.items) expect(Math.abs(rating)).toBeLessThan(1e-4);
    const held = leaderboardWithFeatures(data, features, { shrinkage: 1e-4 });
    const mean = other.x.reduce((sum: number, x: number) => sum + x / 9, 0);
    for (const { name, rating } of held.items)
      expect(rating).toBeCloseTo(held.features[0]!.value * (other.x[Number(name.slice(5))] - mean), 5);
  });

  it("an item without battles has the rating of its features, and is less sure than any other", () => {
    const more = { names: ["x"], items: new Map([...features.items, ["new", [0.5]] as const]) };
    const board = leaderboardWithFeatures(data, more, { shrinkage: 0.4 });
    const fresh = board.items.find(({ name }) => name === "new")!;
    expect(fresh.battles).toBe(0);
    expect(Math.max(...board.items.map(({ error }) => error))).toBe(fresh.error);
    const old = leaderboardWithFeatures(data, features, { shrinkage: 0.4 });
    const gap = (from: typeof board) => {
      const by = new Map(from.items.map((item) => [item.name, item.rating]));
      return by.get("item 0")! - by.get("item 1")!;
    };
    expect(gap(board)).toBeCloseTo(gap(old), 8); // it changes nothing for the others
  });

  it("the unit of a feature does not matter", () => {
    const scaled = { names: ["x"], items: new Map([...features.items].map(([name, [x]]) => [name, [1e6 * x! + 3e7]])) };
    const [a, b] = [leaderboardWithFeatures(data, features), leaderboardWithFeatures(data, scaled)];
    expect(b.features[0]!.value * 1e6).toBeCloseTo(a.features[0]!.value, 5);
    b.items.forEach(({ rating }, i) => void expect(rating).toBeCloseTo(a.items[i]!.rating, 5));
  });

  it("items that never lost are rated too, with ties and covariates beside", () => {
    const r = random(3);
    const rows = Array.from({ length: 200 }, (): Battle => {
      const [i, x] = [below(r, 5), r() - 0.5];
      const u = r();
      const winner = i === 0 ? "first" : u < 0.4 + x / 2 ? "first" : u < 0.8 ? "second" : "tie";
      return { first: `i${i}`, second: `i${1 + ((i + below(r, 3)) % 4)}x`, winner, covariates: [x] };
    });
    const some = battles(rows, { covariates: ["x"] });
    expect(() => leaderboard(some)).toThrow("does not exist");
    const board = leaderboardWithFeatures(some, { names: [], items: new Map(some.items.map((name) => [name, []])) });
    expect(board.items[0]!.name).toBe("i0");
    expect(board.covariates[0]!.value).toBeGreaterThan(0);
    expect(board.auxiliary).toHaveLength(1);
  });
});

it.each<[string, () => unknown, RegExp]>([
  [
    "no features",
    () => leaderboardWithFeatures(data, undefined as never),
    /expected features, \{ names, items \} with items a Map/,
  ],
  [
    "an item without features",
    () => leaderboardWithFeatures(data, { names: [], items: new Map([["item 0", []]]) }),
    /8 items have no features: "item/,
  ],
  [
    "too few numbers",
    () => leaderboardWithFeatures(data, { names: ["x", "y"], items: features.items }),
    /expected 2 numbers as features of "item 0"/,
  ],
  [
    "a constant feature",
    () => leaderboardWithFeatures(data, { names: ["x"], items: new Map(data.items.map((name) => [name, [1]])) }),
    /the feature "x" is the same for all items/,
  ],
  [
    "two equal features",
    () =>
      leaderboardWithFeatures(data, {
        names: ["x", "y"],
        items: new Map([...features.items].map(([name, [x]]) => [name, [x!, 2 * x!]])),
      }),
    /depend on each other/,
  ],
  ["no shrinkage", () => leaderboardWithFeatures(data, features, { shrinkage: 0 }), /option shrinkage: expected/],
  ["an unknown option", () => leaderboardWithFeatures(data, features, { ghost: 1 } as never), /ghost/],
])("%s is an error of one line", (_, call, message) => {
  expect(call).toThrow(message);
});
