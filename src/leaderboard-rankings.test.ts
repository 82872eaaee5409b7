/** Leaderboards from rankings with covariates, against other programs (test/fixtures/rankings) and against battles of two. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ballots } from "./data/ballots.ts";
import { battles } from "./data/battles.ts";
import { dataset } from "./data/dataset.ts";
import { labelSets } from "./data/label-sets.ts";
import { leaderboard } from "./leaderboard.ts";
import { leaderboardWithFeatures } from "./leaderboard-features.ts";
import { leaderboardOfRankings } from "./leaderboard-rankings.ts";
import { rankingProblem } from "./models/utilities/ranking-problem.ts";
import { random } from "./numeric/random.ts";
import { davidson } from "./objectives/davidson.ts";
import { plPartition } from "./objectives/pl-partition.ts";
import { rankNet } from "./objectives/ranknet.ts";
import { raoKupper } from "./objectives/rao-kupper.ts";
import { softmax } from "./objectives/softmax.ts";

const path = new URL("../test/fixtures/rankings/other-tools.json", import.meta.url);
const tools = JSON.parse(readFileSync(path, "utf8")) as {
  feature: number[];
  rankings: { items: number[]; x: number[][]; place: number[]; tied: number[] }[];
  strict: { params: number[]; errors: number[]; logLikelihood: number };
  tied: { params: number[]; errors: number[]; robust: number[]; cost: number };
  features: { tau: number; utilities: number[]; errors: number[]; gamma: number[]; beta: number[][] };
};

type Row = { race: number; horse: string; points: number; weight: number; draw: number };

const rows = (places: "place" | "tied"): Row[] =>
  tools.rankings.flatMap((ranking, race) =>
    ranking.items.map((item, e) => ({
      ...{ race, horse: `h${item}`, points: -ranking[places][e]! },
      ...{ weight: ranking.x[e]![0]!, draw: ranking.x[e]![1]! },
    })),
  );
const roles = { list: "race", label: "points", id: "horse" } as const;
const itemFeatures = { names: ["size"], items: new Map(tools.feature.map((value, i) => [`h${i}`, [value]])) };
const horses = tools.feature.map((_, i) => `h${i}`);

/** A number of each horse, in the order of its name. */
const byHorse = <T>(items: readonly ({ readonly name: string } & T)[], of: (item: T) => number) =>
  horses.map((name) => of(items.find((item) => item.name === name)!));

function expectClose(found: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(found.length).toBe(expected.length);
  found.forEach((value, i) => {
    expect(Math.abs(value - expected[i]!)).toBeLessThan(tolerance);
  });
}

describe("rankings with covariates", () => {
  it("without ties are a conditional logit of statsmodels, in coefficients and errors", () => {
    const { items, covariates, cost } = leaderboardOfRankings(dataset(rows("place"), roles), { anchorItem: "h0" });
    const { params, errors, logLikelihood } = tools.strict;
    expectClose(byHorse(items, ({ rating }) => rating), [0, ...params.slice(0, 7)], 1e-6); // biome-ignore format: one line
    expectClose(byHorse(items, ({ error }) => error), [0, ...errors.slice(0, 7)], 1e-6); // biome-ignore format: one line
    expectClose(covariates.flatMap(({ value, error }) => [value, error]), [params[7]!, errors[7]!, params[8]!, errors[8]!], 1e-6); // biome-ignore format: one line
    expect(covariates.map(({ name }) => name)).toEqual(["weight", "draw"]);
    expect(-cost).toBeCloseTo(logLikelihood, 8);
  });

  it("with ties have the likelihood of all orders, and its robust errors", () => {
    const data = dataset(rows("tied"), roles);
    const { params, errors, robust, cost } = tools.tied;
    for (const [kind, expected] of [
      ["information", errors],
      ["robust", robust],
    ] as const) {
      const board = leaderboardOfRankings(data, { errors: kind });
      expectClose(byHorse(board.items, ({ rating }) => rating), params.slice(0, 8), 1e-8); // biome-ignore format: one line
      expectClose(byHorse(board.items, ({ error }) => error), expected.slice(0, 8), 1e-8); // biome-ignore format: one line
      expectClose(board.covariates.map(({ value }) => value), params.slice(8), 1e-8); // biome-ignore format: one line
      expectClose(board.covariates.map(({ error }) => error), expected.slice(8), 1e-8); // biome-ignore format: one line
      expect(board.cost).toBeCloseTo(cost, 9);
      expect(board.errors).toBe(kind);
    }
  });

  it("shrink towards features by the adjusted marginal likelihood that scipy finds", () => {
    const board = leaderboardOfRankings(dataset(rows("tied"), roles), { itemFeatures });
    const { tau, utilities, errors, gamma, beta } = tools.features;
    expect(board.shrinkage).toBeCloseTo(tau, 3); // the search ends where log tau is known to 1e-4
    const given = leaderboardOfRankings(dataset(rows("tied"), roles), { itemFeatures, shrinkage: tau });
    expectClose(byHorse(given.items, ({ rating }) => rating), utilities, 1e-7); // biome-ignore format: one line
    expectClose(byHorse(given.items, ({ error }) => error), errors, 1e-7); // biome-ignore format: one line
    expectClose([given.features[0]!.value, given.features[0]!.error], gamma, 1e-7);
    expectClose(given.covariates.flatMap(({ value, error }) => [value, error]), beta.flat(), 1e-7); // biome-ignore format: one line
    expect(given.errors).toBe("posterior");
    expect(given.logMarginal!).toBeCloseTo(board.logMarginal!, 3);
  });

  it("rates items that are in no ranking by their features", () => {
    const more = { names: ["size"], items: new Map([...itemFeatures.items, ["new", [1.5]]]) };
    const { items } = leaderboardOfRankings(dataset(rows("tied"), roles), { itemFeatures: more, shrinkage: 0.5 });
    const [added, like] = [items.find(({ name }) => name === "new")!, items.find(({ name }) => name === "h0")!];
    expect(added.rankings).toBe(0);
    expect(added.error).toBeGreaterThan(like.error);
    expect(added.rating).toBeGreaterThan(0);
  });
});

/** Battles with covariates as rows of two. */
function contests(seed: number, ties: boolean) {
  const draw = random(seed);
  const names = ["a", "b", "c", "d", "e"];
  return Array.from({ length: 160 }, (_, b) => {
    const i = Math.floor(5 * draw());
    const j = (i + 1 + Math.floor(4 * draw())) % 5;
    const x = Math.floor(9 * draw()) - 4;
    const kind = draw();
    const winner = ties && kind < 0.25 ? "tie" : kind < 0.6 - 0.05 * (i - j) + 0.04 * x ? "first" : "second";
    return { b, first: names[i]!, second: names[j]!, winner: winner as "first" | "second" | "tie", x };
  });
}

/** Two rows for each battle: the covariate belongs to the first. */
const asRows = (all: ReturnType<typeof contests>) =>
  all.flatMap(({ b, first, second, winner, x }) => [
    { b, item: first, label: winner === "first" ? 1 : 0, x },
    { b, item: second, label: winner === "second" ? 1 : 0, x: 0 },
  ]);

describe("rankings of two", () => {
  const items = new Map([..."abcde"].map((name, i) => [name, [i * i]]));
  const roleNames = { list: "b", label: "label", id: "item" } as const;

  it.each([["davidson", davidson(), true], ["rao-kupper", raoKupper(), true], ["ranknet", rankNet(), false]] as const)("are battles under %s", (_, objective, ties) => {
    for (const errors of ["information", "robust"] as const) {
      const all = contests(7, ties);
      const one = leaderboardOfRankings(dataset(asRows(all), roleNames), { objective, errors, scale: "elo", anchorItem: "c" });
      const withX = battles(all.map(({ x, b: _, ...battle }) => ({ ...battle, covariates: [x] })), { covariates: ["x"] });
      const other = leaderboard(withX, { objective, errors, scale: "elo", anchorItem: "c" });
      for (const item of one.items) {
        const same = other.items.find(({ name }) => name === item.name)!;
        expect(item.rating).toBeCloseTo(same.rating, 6);
        expect(item.error).toBeCloseTo(same.error, 6);
        expect(item.rankings).toBe(same.battles);
      }
      expect(one.covariates[0]!.value).toBeCloseTo(other.covariates[0]!.value, 9);
      expect(one.covariates[0]!.error).toBeCloseTo(other.covariates[0]!.error, 9);
      expect(one.auxiliary.map(({ error }) => error.toFixed(8))).toEqual(other.auxiliary.map(({ error }) => error.toFixed(8)));
      expect(one.cost).toBeCloseTo(other.cost, 8);
    }
  }); // biome-ignore format: one table

  it("shrink like battles, and under Bradley-Terry the tier likelihood is the same", () => {
    const all = contests(8, false);
    const withX = battles(
      all.map(({ x, b: _, ...battle }) => ({ ...battle, covariates: [x] })),
      { covariates: ["x"] },
    );
    const features = { names: ["square"], items };
    const other = leaderboardWithFeatures(withX, features, { objective: rankNet() });
    for (const objective of [plPartition(), rankNet()]) {
      const one = leaderboardOfRankings(dataset(asRows(all), roleNames), { objective, itemFeatures: features });
      expect(one.shrinkage).toBeCloseTo(other.shrinkage, 3);
      expect(one.features[0]!.value).toBeCloseTo(other.features[0]!.value, 4);
      expect(one.features[0]!.error).toBeCloseTo(other.features[0]!.error, 4);
      for (const item of one.items) {
        const same = other.items.find(({ name }) => name === item.name)!;
        expect(item.rating).toBeCloseTo(same.rating, 3);
        expect(item.error).toBeCloseTo(same.error, 3);
      }
    }
  });
});

it("derivatives are those of the cost, with any covariates, ties and weights", () => {
  const draw = random(5);
  for (const objective of [plPartition(), davidson(), rankNet({ ties: "half" })]) {
    const rows = Array.from({ length: 40 }, (_, e) => ({ q: e >> 2, item: `i${(e * 7 + (e >> 2)) % 6}`, label: Math.floor(3 * draw()), x: draw(), y: draw() })); // biome-ignore format: one row
    const data = dataset(rows, { list: "q", label: "label", id: "item" });
    const numbers = Uint32Array.from(data.names.entries!, (name) => Number(name.slice(1)));
    const weighted = {
      ...data,
      items: numbers,
      listWeights: Float32Array.from({ length: 10 }, () => 1 + Math.floor(3 * draw())),
    };
    const values = Float64Array.from(data.features.kind === "dense" ? data.features.values : []);
    const problem = rankingProblem(weighted, 6, { columns: 2, values }, objective, 0.3);
    const params = Float64Array.from({ length: problem.size }, () => 2 * draw() - 1);
    const at = (i: number, by: number) => {
      const moved = params.slice();
      moved[i] = moved[i]! + by;
      const gradient = new Float64Array(problem.size);
      return { cost: problem.evaluate(moved, gradient, 0), gradient };
    };
    const { gradient } = at(0, 0);
    const matrix = problem.hessian(params).matrix();
    const h = 1e-5;
    for (let i = 0; i < problem.size; i++) {
      expect((at(i, h).cost - at(i, -h).cost) / (2 * h)).toBeCloseTo(gradient[i]!, 7);
      const [up, down] = [at(i, h).gradient, at(i, -h).gradient];
      for (let j = 0; j < problem.size; j++) expect((up[j]! - down[j]!) / (2 * h)).toBeCloseTo(matrix[i * problem.size + j]!, 6);
    }
  }
});

it("ballots without covariates have the utilities of the model, and weights count as many ballots", () => {
  const votes = [["a", "b", "c"], ["b", ["a", "c"]], ["c", "a"], ["a", "c", "b"], ["b", "c", "a"]] as const; // biome-ignore format: one list
  const data = ballots(votes.map((tiers) => tiers.map((tier) => (typeof tier === "string" ? [tier] : [...tier]))));
  const twice = { ...data, listWeights: new Float32Array(data.starts.length - 1).fill(2) };
  const [one, two] = [leaderboardOfRankings(data), leaderboardOfRankings(twice)];
  expect(two.cost).toBeCloseTo(2 * one.cost, 10);
  expect(two.items[0]!.error).toBeCloseTo(one.items[0]!.error / Math.SQRT2, 8);
  expect(two.rankings).toBe(2 * one.rankings);
  expect(one.covariates).toEqual([]);
});

describe("what cannot be fitted is refused in a line", () => {
  const data = () => dataset(rows("place"), roles);
  const changed = (change: (row: Row) => object) => dataset(rows("place").map(change) as Row[], roles);
  it.each<[string, () => unknown, RegExp]>([
    ["no data", () => leaderboardOfRankings(undefined as never), /^leaderboardOfRankings: expected/],
    ["label sets", () => leaderboardOfRankings(labelSets([{ tags: ["a"], words: [1] }, { tags: ["b"], words: [2] }], { labels: "tags", features: "words" })), /expected rankings, got label sets/],
    ["rows without ids", () => leaderboardOfRankings(dataset(rows("place").map(({ horse: _, ...row }) => row), { list: "race", label: "points" })), /expected rankings of named items/],
    ["an unknown option", () => leaderboardOfRankings(data(), { ghost: 1 } as never), /ghost/],
    ["an objective of lists", () => leaderboardOfRankings(data(), { objective: softmax() }), /option objective: expected plPartition/],
    ["a shrinkage of 0", () => leaderboardOfRankings(data(), { shrinkage: 0 }), /option shrinkage: expected a number above 0, or "auto"/],
    ["clustered errors", () => leaderboardOfRankings(data(), { errors: "clustered" as never }), /option errors: expected one of "information", "robust"/],
    ["errors of what shrinks", () => leaderboardOfRankings(data(), { errors: "robust", shrinkage: 1 }), /posterior errors; leave errors out/],
    ["an unknown anchor", () => leaderboardOfRankings(data(), { anchorItem: "h99" }), /option anchorItem: no item is called "h99"/],
    ["features of other items", () => leaderboardOfRankings(data(), { itemFeatures: { names: [], items: new Map() } }), /8 items have no features: "h\d"/],
    ["an item twice", () => leaderboardOfRankings(changed((row) => ({ ...row, horse: "h1" }))), /"h1" is twice in ranking 0/],
    ["a missing covariate", () => leaderboardOfRankings(changed((row) => ({ ...row, draw: Number.NaN }))), /row 1 of the rankings has no number for the covariate "draw"/],
    ["a covariate of the race", () => leaderboardOfRankings(changed((row) => ({ ...row, draw: row.race }))), /"draw" is the same for all items of each ranking/],
    ["a covariate of the item", () => leaderboardOfRankings(changed((row) => ({ ...row, draw: Number(row.horse.slice(1)) }))), /"draw" follows from the items and the columns before it.*feature of the items/],
    ["a covariate twice", () => leaderboardOfRankings(changed((row) => ({ ...row, draw: 3 * row.weight })), { shrinkage: 1 }), /"draw" follows from the columns before it/],
    ["a covariate that is the order", () => leaderboardOfRankings(changed((row) => ({ ...row, draw: row.points })), { shrinkage: 1 }), /separate the rankings perfectly/],
    ["an item that always wins", () => leaderboardOfRankings(ballots([[["a"], ["b"]], [["a"], ["c"], ["b"]], [["b"], ["c"]]])), /never below the others: "a"/],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(message);
  }); // biome-ignore format: one table
});
