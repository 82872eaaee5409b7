/**
 * Coverage of the intervals of `leaderboard`: under the model, and where it is wrong. There the truth is what the objective would fit to endless
 * data, and only errors that allow for that must contain it.
 */
import { type Battle, battles } from "../../src/data/battles.ts";
import { type LeaderboardOptions, leaderboard } from "../../src/leaderboard.ts";
import type { LeaderboardErrors } from "../../src/leaderboard-errors.ts";
import { normals } from "../../src/numeric/normal.ts";
import { below, random } from "../../src/numeric/random.ts";
import { davidson, objective, rankNet } from "../../src/objectives/index.ts";
import type { Objective } from "../../src/types.ts";
import { type CoverageCase, countHeld, ranksHeld } from "./simulation.ts";

const utilities = [0.8, 0.4, 0, -0.4, -0.8];
const name = (i: number) => `item ${i}`;
const RESAMPLES = 100;

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
  /** Coefficient of the only covariate, a normal number. */
  readonly beta?: number;
}

function draw({ nu, taste, voters, each, truth = utilities, beta }: World, seed: number): Battle[] {
  const r = random(seed, 0xc0);
  const normal = normals(r);
  const n = truth.length;
  return Array.from({ length: voters }, (_, v) => {
    const own = truth.map((value) => value + taste * normal());
    return Array.from({ length: each }, (): Battle => {
      const i = below(r, n);
      const j = (i + 1 + below(r, n - 1)) % n;
      const x = beta === undefined ? 0 : normal();
      const [win, loss] = chances(own[i]! - own[j]! + x * (beta ?? 0), nu);
      const u = r();
      const winner = u < win ? "first" : u < win + loss ? "second" : "tie";
      const row = { first: name(i), second: name(j), winner, cluster: `voter ${v}` } as const;
      return beta === undefined ? row : { ...row, covariates: [x] };
    });
  }).flat();
}

/** Equal battles as one row with their count, which no error but the clustered ones distinguishes from single rows, and which is faster. */
function merged(rows: readonly Battle[]): Battle[] {
  const counts = new Map<string, Battle & { count: number }>();
  for (const { first, second, winner } of rows) {
    const key = `${first}\n${second}\n${winner}`;
    const row = counts.get(key);
    if (row) counts.set(key, { ...row, count: row.count + 1 });
    else counts.set(key, { first, second, winner, count: 1 });
  }
  return [...counts.values()];
}

/** Utilities that the objective fits to endless data: expected counts, over the tastes of voters by a sum with steps of a tenth. */
function fittedToAll({ nu, taste, truth = utilities }: World, cost: Objective): Map<string, number> {
  const rows: Battle[] = [];
  for (let i = 0; i < truth.length; i++) {
    for (let j = 0; j < i; j++) {
      const mean = [0, 0, 0];
      let mass = 0;
      for (let z = -6; z <= 6.001; z += 0.1) {
        const weight = Math.exp((-z * z) / 2);
        const found = chances(truth[i]! - truth[j]! + z * taste * Math.SQRT2, nu);
        found.forEach((chance, k) => void (mean[k]! += weight * chance));
        mass += weight;
      }
      mean.forEach((sum, k) => {
        const winner = (["first", "second", "tie"] as const)[k]!;
        rows.push({ first: name(i), second: name(j), winner, count: sum / mass });
      });
    }
  }
  const { items } = leaderboard(battles(rows), { objective: cost, errors: "information" });
  return new Map(items.map((item) => [item.name, item.rating]));
}

/** Ratings against the mean and against an item in turn, the coefficient of a covariate, and ranks. */
function battleCase(
  [about, world, cost, errors]: readonly [string, World, Objective, LeaderboardErrors],
  kinds: Pick<CoverageCase, "within" | "atLeast">,
): CoverageCase {
  const truth = world.beta === undefined ? fittedToAll(world, cost) : new Map(utilities.map((value, i) => [name(i), value]));
  const options: LeaderboardOptions = { objective: cost, errors, resamples: RESAMPLES };
  const n = truth.size;
  return {
    name: `${about}, ${cost.spec}, ${errors}`,
    ...kinds,
    run(seed) {
      const anchor = seed % 2 === 0 ? { anchorItem: name(seed % n) } : {};
      const drawn = draw(world, seed);
      const single = world.beta !== undefined || errors.startsWith("clustered");
      const data = battles(single ? drawn : merged(drawn), world.beta === undefined ? {} : { covariates: ["x"] });
      const { items, covariates } = leaderboard(data, { ...options, ...anchor, seed });
      const zero = anchor.anchorItem === undefined ? 0 : truth.get(anchor.anchorItem)!;
      const others = items.filter((item) => item.name !== anchor.anchorItem);
      return {
        ratings: countHeld(others, (item) => truth.get(item)! - zero),
        ...(world.beta !== undefined && { coefficients: countHeld(covariates, () => world.beta!) }),
        ranks: ranksHeld(items, (item) => truth.get(item)!),
      };
    },
  };
}

const plain: World = { nu: 0.8, taste: 0, voters: 40, each: 15 };
const tasteful: World = { nu: 0.8, taste: 0.9, voters: 60, each: 15 };
const half = rankNet({ ties: "half" });

/** Ratings; the items differ by many standard errors, so that their ranks are nearly certain under any method. */
export const ratingCases = (): CoverageCase[] =>
  (
    [
      ["the model is right", plain, davidson(), "information"],
      ["the model is right", plain, davidson(), "robust"],
      ["the model is right", plain, davidson(), "bootstrap"],
      ["the model is right", plain, davidson(), "clustered"],
      ["no ties", { ...plain, nu: 0 }, rankNet(), "information"],
      ["another model of ties", plain, objective("rao-kupper"), "robust"],
      ["ties as half wins", plain, half, "robust"],
      ["ties as half wins", plain, half, "bootstrap"],
      ["voters have tastes", tasteful, davidson(), "clustered"],
      ["voters have tastes", tasteful, davidson(), "clustered-bootstrap"],
      ["voters have tastes", tasteful, half, "clustered"],
    ] as const
  ).map((one) => battleCase(one, { within: ["ratings"], atLeast: ["ranks"] }));

/** A covariate of battles. */
export const covariateCases = (): CoverageCase[] =>
  (["information", "robust", "bootstrap"] as const).map((errors) =>
    battleCase(["a covariate", { ...plain, beta: 0.5 }, davidson(), errors], {
      within: ["ratings", "coefficients"],
      atLeast: ["ranks"],
    }),
  );

/** Ranks where some or all items are equal, since errors are possible there only. */
export const rankCases = (): CoverageCase[] => {
  const all = { truth: [0, 0, 0, 0, 0] };
  const near = { ...plain, voters: 80 };
  return (
    [
      ["all items are equal", { ...plain, ...all }, davidson(), "information"],
      ["all items are equal", { ...plain, ...all }, half, "robust"],
      ["all items are equal, voters have tastes", { ...tasteful, taste: 0.5, ...all }, davidson(), "clustered"],
      ["all items are equal", { ...plain, ...all }, davidson(), "bootstrap"],
      ["three of five are equal", { ...near, truth: [1.7, 0, 0, 0, -1.7] }, davidson(), "information"],
      ["two pairs are equal", { ...near, truth: [1.6, 1.6, 0, -1.6, -1.6] }, davidson(), "information"],
      ["two pairs are equal", { ...near, truth: [1.6, 1.6, 0, -1.6, -1.6] }, half, "robust"],
      ["one pair is equal", { ...near, truth: [3.2, 1.6, 0, 0, -1.6] }, davidson(), "information"],
    ] as const
  ).map((one) => battleCase(one, { within: ["ranks"] }));
};

/** Errors that do not allow for what is wrong: too small where voters have tastes, too large where ties are half wins. */
export const wrongCases = (): { readonly tooSmall: CoverageCase; readonly tooLarge: CoverageCase } => ({
  tooSmall: battleCase(["voters have tastes", tasteful, davidson(), "information"], { within: [] }),
  tooLarge: battleCase(["ties as half wins", plain, half, "information"], { within: [] }),
});
