/**
 * How often intervals hold the truth, in seeded simulations: between 92 and 98 times in 100 for intervals of 95 %. Where the model is wrong, the truth
 * is what it would fit to endless data, and only errors that allow for that must hold it.
 */
import { describe, expect, it } from "vitest";
import { ballots } from "./data/ballots.ts";
import { type Battle, battles } from "./data/battles.ts";
import { fit } from "./fit.ts";
import { type LeaderboardOptions, leaderboard } from "./leaderboard.ts";
import type { LeaderboardErrors } from "./leaderboard-errors.ts";
import { isUtilities, learner, utilityProbabilities } from "./models/index.ts";
import { normals } from "./numeric/normal.ts";
import { descending } from "./numeric/order.ts";
import { below, random } from "./numeric/random.ts";
import { davidson, objective, plPartition, rankNet } from "./objectives/index.ts";
import type { Objective } from "./types.ts";

const RUNS = 200;
const utilities = [0.8, 0.4, 0, -0.4, -0.8];
const n = utilities.length;
const name = (i: number) => `item ${i}`;

/** Probabilities of a win, a loss and a tie at a margin, under Davidson's model. */
function chances(margin: number, nu: number): [number, number, number] {
  const [up, down] = [Math.exp(margin / 2), Math.exp(-margin / 2)];
  const sum = up + down + nu;
  return [up / sum, down / sum, nu / sum];
}

interface World {
  /** The weight of ties. */
  readonly nu: number;
  /** Standard deviation of a voter's taste for an item. */
  readonly taste: number;
  readonly voters: number;
  readonly each: number;
  readonly truth?: readonly number[];
}

function draw({ nu, taste, voters, each, truth = utilities }: World, seed: number): Battle[] {
  const r = random(seed, 0xc0);
  const normal = normals(r);
  return Array.from({ length: voters }, (_, v) => {
    const own = truth.map((value) => value + taste * normal());
    return Array.from({ length: each }, (): Battle => {
      const i = below(r, n);
      const j = (i + 1 + below(r, n - 1)) % n;
      const [win, loss] = chances(own[i]! - own[j]!, nu);
      const u = r();
      const winner = u < win ? "first" : u < win + loss ? "second" : "tie";
      return { first: name(i), second: name(j), winner, cluster: `voter ${v}` };
    });
  }).flat();
}

/** Utilities that the objective fits to endless data: expected counts, over the tastes of voters by a sum with steps of a tenth. */
function fittedToAll({ nu, taste, truth = utilities }: World, cost: Objective): Map<string, number> {
  const rows: Battle[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const mean = [0, 0, 0];
      let mass = 0;
      for (let z = -6; z <= 6.001; z += 0.1) {
        const weight = Math.exp((-z * z) / 2);
        const found = chances(truth[i]! - truth[j]! + z * taste * Math.SQRT2, nu);
        found.forEach((chance, k) => void (mean[k]! += weight * chance));
        mass += weight;
      }
      mean.forEach(
        (sum, k) =>
          void rows.push({
            first: name(i),
            second: name(j),
            winner: (["first", "second", "tie"] as const)[k]!,
            count: sum / mass,
          }),
      );
    }
  }
  return new Map(
    leaderboard(battles(rows), { objective: cost, errors: "information" }).items.map((item) => [item.name, item.rating]),
  );
}

/** Shares of the intervals of ratings, against the mean and against an item in turn, and of whole leaderboards of ranks that hold the truth. */
function coverage(world: World, options: LeaderboardOptions & { objective: Objective }): { ratings: number; ranks: number } {
  const truth = fittedToAll(world, options.objective);
  const least = (item: string) => [...truth].filter(([, value]) => value > truth.get(item)! + 1e-6).length + 1;
  const most = (item: string) => [...truth].filter(([, value]) => value > truth.get(item)! - 1e-6).length;
  let [held, all, ranks] = [0, 0, 0];
  for (let run = 1; run <= RUNS; run++) {
    const anchor = run % 2 === 0 ? { anchorItem: name(run % n) } : {};
    const { items } = leaderboard(battles(draw(world, run)), { ...options, ...anchor, seed: run });
    const zero = anchor.anchorItem === undefined ? 0 : truth.get(anchor.anchorItem)!;
    for (const one of items) {
      if (one.name === anchor.anchorItem) continue;
      const value = truth.get(one.name)! - zero;
      if (one.low <= value && value <= one.high) held++;
      all++;
    }
    // Every rank that tied items may have lies in the interval.
    if (items.every((one) => one.rankLow <= least(one.name) && most(one.name) <= one.rankHigh)) ranks++;
  }
  return { ratings: held / all, ranks: ranks / RUNS };
}

const plain: World = { nu: 0.8, taste: 0, voters: 40, each: 15 };
const tasteful: World = { nu: 0.8, taste: 0.9, voters: 60, each: 15 };
const half = rankNet({ ties: "half" });

describe("intervals hold the truth between 92 and 98 times in 100", () => {
  it.each<[string, World, Objective, LeaderboardErrors]>([
    ["the model holds", plain, davidson(), "information"],
    ["the model holds", plain, davidson(), "robust"],
    ["the model holds", plain, davidson(), "bootstrap"],
    ["the model holds", plain, davidson(), "clustered"],
    ["no ties", { ...plain, nu: 0 }, rankNet(), "information"],
    ["another model of ties", plain, objective("rao-kupper"), "robust"],
    ["ties as half wins", plain, half, "robust"],
    ["ties as half wins", plain, half, "bootstrap"],
    ["voters have tastes", tasteful, davidson(), "clustered"],
    ["voters have tastes", tasteful, davidson(), "clustered-bootstrap"],
    ["voters have tastes, ties as half wins", tasteful, half, "clustered"],
  ])(
    "%s: %#",
    (_, world, cost, errors) => {
      const held = coverage(world, { objective: cost, errors, resamples: 100 });
      expect(held.ratings).toBeGreaterThan(0.92);
      expect(held.ratings).toBeLessThan(0.98);
      expect(held.ranks).toBeGreaterThan(0.92); // the items differ by many standard errors, see below
    },
    300_000,
  );

  it.each<[World, Objective, LeaderboardErrors]>([
    [plain, davidson(), "information"],
    [plain, half, "robust"],
    [{ ...tasteful, taste: 0.5 }, davidson(), "clustered"],
    [plain, davidson(), "bootstrap"],
  ])(
    "rank intervals of equal items: no two are distinguished 95 times in 100: %#",
    (world, cost, errors) => {
      const held = coverage({ ...world, truth: [0, 0, 0, 0, 0] }, { objective: cost, errors, resamples: 100 });
      expect(held.ranks).toBeGreaterThan(0.92);
      expect(held.ranks).toBeLessThan(0.98);
    },
    300_000,
  );

  // Where all items differ by many standard errors their order is certain, and so are rank intervals of any method that finds it. Errors are possible
  // among items that are equal or nearly so.
  it.each<[string, readonly number[], Objective, LeaderboardErrors]>([
    ["three of five are equal", [1.7, 0, 0, 0, -1.7], davidson(), "information"],
    ["two pairs are equal", [1.6, 1.6, 0, -1.6, -1.6], davidson(), "information"],
    ["two pairs are equal", [1.6, 1.6, 0, -1.6, -1.6], half, "robust"],
    ["one pair is equal", [3.2, 1.6, 0, 0, -1.6], davidson(), "information"],
  ])(
    "rank intervals of some equal items, the others far away: %s: %#",
    (_, truth, cost, errors) => {
      const held = coverage({ ...plain, voters: 80, truth }, { objective: cost, errors });
      expect(held.ranks).toBeGreaterThan(0.92);
      expect(held.ranks).toBeLessThan(0.98);
    },
    300_000,
  );

  it.each(["strict", "tied"])(
    "worths of %s ballots, and the ranks of their equal items",
    (kind) => {
      const truth = [1.5, 0.3, 0.3, 0.3, -0.4, -2];
      const worths = truth.map((value) => Math.exp(value) / truth.reduce((sum, one) => sum + Math.exp(one), 0));
      const names = truth.map((_, i) => String(i));
      let [held, ranks] = [0, 0];
      for (let run = 0; run < RUNS; run++) {
        const r = random(run, 0x30);
        const given = Array.from({ length: 150 }, () => {
          const order = [...descending(Float64Array.from(truth, (value) => value - Math.log(-Math.log(r()))))].map(String);
          return kind === "strict" ? order : [order.slice(0, 2), order[2]!, order.slice(3)];
        });
        const { model } = fit(ballots(given, { items: names }), { model: learner("utilities"), objective: plPartition() });
        if (!isUtilities(model)) throw new Error("expected utilities");
        const { outcome } = utilityProbabilities(model);
        worths.forEach((worth, i) => {
          const { low, high } = outcome.firstInterval(String(i));
          if (low <= worth && worth <= high) held++;
        });
        const { low, high } = model.fit.uncertainty!.ranks;
        const least = (i: number) => truth.filter((value) => value > truth[i]!).length + 1;
        const most = (i: number) => truth.filter((value) => value >= truth[i]!).length;
        if (truth.every((_, i) => low[i]! <= least(i) && most(i) <= high[i]!)) ranks++;
      }
      expect(held / (RUNS * truth.length)).toBeGreaterThan(0.92);
      expect(held / (RUNS * truth.length)).toBeLessThan(0.98);
      expect(ranks / RUNS).toBeGreaterThan(0.92);
      expect(ranks / RUNS).toBeLessThan(0.98);
    },
    300_000,
  );

  it("errors that do not allow for what is wrong do not hold it: the simulations can tell", () => {
    expect(coverage(tasteful, { objective: davidson(), errors: "information" }).ratings).toBeLessThan(0.92);
    expect(coverage(plain, { objective: half, errors: "information" }).ratings).toBeGreaterThan(0.98);
  }, 300_000);
});
