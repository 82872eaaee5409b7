/**
 * Coverage of intervals from rankings of more than two items: worths and ranks of `utilities`, and ratings, covariates and features of
 * `leaderboardOfRankings`.
 */
import { ballots } from "../../src/data/ballots.ts";
import { dataset } from "../../src/data/dataset.ts";
import { fit } from "../../src/fit.ts";
import { leaderboardOfRankings, type RankingLeaderboardOptions } from "../../src/leaderboard-rankings.ts";
import { isUtilities, learner, utilityProbabilities } from "../../src/models/index.ts";
import { normals } from "../../src/numeric/normal.ts";
import { descending } from "../../src/numeric/order.ts";
import { below, random } from "../../src/numeric/random.ts";
import { plPartition, rankNet } from "../../src/objectives/index.ts";
import type { Dataset } from "../../src/types.ts";
import { type CoverageCase, centered, countHeld, ranksHeld } from "./simulation.ts";

/** Positions from the best: scores with Gumbel noise are a draw from the Plackett-Luce distribution. */
const drawOrder = (scores: readonly number[], r: () => number) =>
  descending(Float64Array.from(scores, (score) => score - Math.log(-Math.log(r()))));

/** Worths, and the ranks of equal items, of ballots that are strict or have ties. */
export const worthCases = (): CoverageCase[] =>
  (["strict", "tied"] as const).map((kind) => {
    const truth = [1.5, 0.3, 0.3, 0.3, -0.4, -2];
    const mass = truth.reduce((sum, value) => sum + Math.exp(value), 0);
    const names = truth.map((_, i) => String(i));
    return {
      name: `worths of ${kind} ballots`,
      within: ["ratings", "ranks"],
      run(seed) {
        const r = random(seed, 0x30);
        const given = Array.from({ length: 150 }, () => {
          const order = [...drawOrder(truth, r)].map(String);
          return kind === "strict" ? order : [order.slice(0, 2), order[2]!, order.slice(3)];
        });
        const { model } = fit(ballots(given, { items: names }), { model: learner("utilities"), objective: plPartition() });
        if (!isUtilities(model)) throw new Error("expected utilities");
        const { outcome } = utilityProbabilities(model);
        const { low, high } = model.fit.uncertainty!.ranks;
        const utilityOf = (name: string) => truth[Number(name)]!;
        return {
          ratings: countHeld(
            names.map((name) => ({ name, ...outcome.firstInterval(name) })),
            (name) => Math.exp(utilityOf(name)) / mass,
          ),
          ranks: ranksHeld(
            names.map((name, i) => ({ name, rankLow: low[i]!, rankHigh: high[i]! })),
            utilityOf,
          ),
        };
      },
    };
  });

interface RankedWorld {
  readonly truth: readonly number[];
  /** Coefficient of the covariate, a normal number of an item in a ranking. */
  readonly beta: number;
  /** Items of a ranking. */
  readonly each: number;
  readonly rankings: number;
  /** The last so many items of a ranking are tied. */
  readonly tied: number;
  /** The first two of every third ranking are tied. */
  readonly topTied: boolean;
  /** Factors of the scores, one at random for each ranking: other than 1, the model is wrong. */
  readonly factors?: readonly number[];
}

const item = (i: number) => `item ${i}`;

function drawRankings({ truth, beta, each, rankings, tied, topTied, factors = [1] }: RankedWorld, seed: number): Dataset {
  const r = random(seed, 0x31);
  const normal = normals(r);
  const rows = Array.from({ length: rankings }, (_, list) => {
    const factor = factors[below(r, factors.length)]!;
    const shown = truth.map((_, i) => i);
    for (let k = 0; k < each; k++) {
      const l = k + below(r, shown.length - k);
      [shown[k], shown[l]] = [shown[l]!, shown[k]!];
    }
    const x = Array.from({ length: each }, normal);
    const scores = x.map((value, k) => factor * (truth[shown[k]!]! + beta * value));
    return [...drawOrder(scores, r)].map((k, place) => {
      const tier = place >= each - tied ? each : topTied && list % 3 === 0 && place === 1 ? 0 : place;
      return { list, item: item(shown[k]!), label: -tier, x: x[k]! };
    });
  }).flat();
  return dataset(rows, { list: "list", label: "label", id: "item" });
}

/**
 * The truth, or where the model is wrong what its estimate tends to, which is what robust intervals are about (White 1982, Maximum likelihood estimation of
 * misspecified models): the fit to rankings so many that their error is a tenth of that of a run.
 */
function truthOf(world: RankedWorld, options: RankingLeaderboardOptions): { utilities: Map<string, number>; beta: number } {
  if (!world.factors) {
    const values = centered(world.truth);
    return { utilities: new Map(values.map((value, i) => [item(i), value])), beta: world.beta };
  }
  const { items, covariates } = leaderboardOfRankings(drawRankings({ ...world, rankings: 100 * world.rankings }, 0), options);
  return { utilities: new Map(items.map(({ name, rating }) => [name, rating])), beta: covariates[0]!.value };
}

function rankingCase(about: string, world: RankedWorld, options: RankingLeaderboardOptions): CoverageCase {
  let truth: ReturnType<typeof truthOf> | undefined;
  const equal = new Set(world.truth).size < world.truth.length;
  return {
    name: `rankings, ${about}, ${options.objective?.spec ?? "pl-partition"}, ${options.errors}`,
    within: ["ratings", "coefficients", ...(equal && !world.factors ? (["ranks"] as const) : [])],
    run(seed) {
      truth ??= truthOf(world, options);
      const { utilities, beta } = truth;
      const { items, covariates } = leaderboardOfRankings(drawRankings(world, seed), { ...options, seed });
      return {
        ratings: countHeld(items, (name) => utilities.get(name)!),
        coefficients: countHeld(covariates, () => beta),
        ...(!world.factors && { ranks: ranksHeld(items, (name) => utilities.get(name)!) }),
      };
    },
  };
}

const rankedWorld: RankedWorld = { truth: [1.6, 0, 0, 0, -1.6], beta: 0.5, each: 4, rankings: 150, tied: 2, topTied: true };

const strictWorld: RankedWorld = { ...rankedWorld, tied: 1, topTied: false };

/** Rankings with a covariate: the model is right, pairs of one ranking depend on each other, or some rankings are more random than others. */
export const rankingCases = (): CoverageCase[] => [
  rankingCase("the model is right", rankedWorld, { errors: "information" }),
  rankingCase("the model is right", rankedWorld, { errors: "robust" }),
  // Under Plackett and Luce each pair of a strict ranking is a Bradley-Terry battle, so all pairs together estimate the utilities that were drawn.
  rankingCase("pairs of a strict ranking", strictWorld, { errors: "robust", objective: rankNet() }),
  // Tied pairs are left out, and whether a pair is tied depends on its places, so the pairs that are left are no Bradley-Terry battles.
  rankingCase(
    "pairs of a tied ranking",
    { ...strictWorld, topTied: true, factors: [1] },
    { errors: "robust", objective: rankNet() },
  ),
  rankingCase("some are random", { ...rankedWorld, factors: [0, 2.5] }, { errors: "robust" }),
];

/** Pairs of one ranking taken as independent. */
export const wrongRankingCase = (): CoverageCase =>
  rankingCase("pairs of a strict ranking", strictWorld, { errors: "information", objective: rankNet() });
