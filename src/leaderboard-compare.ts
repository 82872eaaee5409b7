/**
 * Models of battles compared by held-out likelihood: each is fitted without one part of the battles and evaluated on that part, in turn. Where
 * battles have clusters, all of a cluster are in one part. Fits have a weak prior, so that each part has an estimate.
 */
import { checkOptions, type Kinds, seedNumber, someFunction, wholeFrom } from "./arguments.ts";
import type { Battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { checkBattles } from "./leaderboard.ts";
import { periodsOf } from "./leaderboard-periods.ts";
import { parametersOf, type RowModel, rowsOfBattles, singleRows, WEAK } from "./leaderboard-rows.ts";
import { splitBattles } from "./leaderboard-split.ts";
import { fitLinearRows, rowCosts } from "./models/utilities/linear-rows.ts";
import { Z95 } from "./numeric/normal.ts";
import { davidson } from "./objectives/davidson.ts";
import { rankNet } from "./objectives/ranknet.ts";
import { raoKupper } from "./objectives/rao-kupper.ts";
import type { Objective } from "./types.ts";

/** How models of battles are compared. */
export interface CompareBattleModelsOptions {
  /** Number of parts of the cross-validation. Default: 5. */
  readonly parts?: number;
  /** Seed of the split into parts. Default: 1. */
  readonly seed?: number;
  /** Whether slices are times; models whose utilities drift are then compared too. Default: false. */
  readonly time?: boolean;
  /** Number of periods of drift at most. Default: 8. */
  readonly periods?: number;
  /** Called with the share of the fits that are done. */
  readonly onProgress?: (share: number) => void;
}

/** How well a model predicts battles that it has not seen. */
export interface ModelComparison {
  /** The model in words. */
  readonly model: string;
  /** Number of parameters. */
  readonly parameters: number;
  /** Mean held-out log-likelihood of a battle. */
  readonly logLikelihood: number;
  /** Difference of that from the first model. */
  readonly difference: number;
  /** Lower end of the 95 % interval of the difference. */
  readonly low: number;
  /** Upper end of the 95 % interval of the difference. */
  readonly high: number;
}

/** A model with its name; `data` replaces the battles, row by row. */
export interface NamedModel extends RowModel {
  readonly name: string;
  readonly covariates?: false;
}

const kinds: Kinds<CompareBattleModelsOptions> = {
  ...{ parts: wholeFrom(2), seed: seedNumber, periods: wholeFrom(2), onProgress: someFunction },
  time: { wanted: "true or false", fits: (value) => typeof value === "boolean" },
};

/** Compares models of ties, covariates and drift by the likelihood of held-out battles. */
export function compareBattleModels(data: Battles, options: CompareBattleModelsOptions = {}): ModelComparison[] {
  checkBattles("compareBattleModels", data);
  checkOptions("compareBattleModels", options, kinds);
  const { parts = 5, seed = 1, time = false, periods = 8, onProgress } = options;
  const ties = data.outcome.includes(2);
  const named = (name: string, objective: Objective, more: Partial<NamedModel> = {}): NamedModel => ({
    ...{ name, objective, ridge: WEAK, ...more },
  });
  const main = ties ? davidson() : rankNet();
  const models = [
    named(ties ? "davidson" : "bradley-terry", main),
    ...(ties
      ? [
          named("rao-kupper", raoKupper()),
          named("davidson, ties by item", davidson(), { ties: "item" }),
          named("rao-kupper, ties by item", raoKupper(), { ties: "item" }),
          named("davidson, 2 tie factors", davidson(), { ties: 2 }),
        ]
      : []),
    ...(data.covariateNames.length > 0 ? [named(`${main.id}, no covariates`, main, { covariates: false })] : []),
  ];
  if (time) {
    const found = periodsOf("compareBattleModels", data, periods);
    for (const step of [0.05, 0.1, 0.2, 0.4])
      models.push(
        named(`${models[0]!.name}, drift of ${step}`, main, { periods: found.of, periodCount: found.names.length, step }),
      );
  }
  return heldOut("compareBattleModels", data, models, { parts, seed, ...(onProgress && { onProgress }) });
}

interface HeldOutOptions {
  readonly parts: number;
  readonly seed: number;
  readonly onProgress?: (share: number) => void;
}

/** Held-out likelihoods of models, compared with the first. */
export function heldOut(who: string, data: Battles, models: readonly NamedModel[], options: HeldOutOptions): ModelComparison[] {
  const { parts, seed, onProgress } = options;
  if (data.weights) throw new InputError(`${who}: battles with weights have no likelihood to compare`);
  const split = splitBattles(who, data, parts, seed);
  const plain: Battles = { ...data, covariateNames: [], covariates: new Float64Array(0) };
  const costs = models.map((model, m) => {
    const own = model.covariates === false ? plain : data;
    const single = singleRows(own, model);
    const sums = new Float64Array(data.counts.length); // held-out cost of all battles of a row
    let start: Float64Array | undefined;
    split.forEach((test, p) => {
      const train = data.counts.map((count, r) => count - test[r]!);
      const { params } = fitLinearRows(rowsOfBattles(own, model, train), start);
      start = params;
      const cost = rowCosts(single, params);
      test.forEach((count, r) => void (sums[r] = sums[r]! + count * cost[r]!));
      onProgress?.((m + (p + 1) / parts) / models.length);
    });
    return sums;
  });
  const total = data.counts.reduce((sum, count) => sum + count, 0);
  return models.map((model, m) => {
    const gain = costs[0]!.map((cost, r) => cost - costs[m]![r]!);
    const difference = gain.reduce((sum, one) => sum + one, 0) / total;
    const reach = Z95 * errorOf(data, gain, difference, total);
    return {
      model: model.name,
      parameters: parametersOf(model.covariates === false ? plain : data, model),
      logLikelihood: -costs[m]!.reduce((sum, one) => sum + one, 0) / total,
      ...{ difference, low: difference - reach, high: difference + reach },
    };
  });
}

/** Standard error of the mean gain of a battle; rows hold sums over their battles, which are nearly equal, and clusters are summed. */
function errorOf({ counts, clusters }: Battles, gain: Float64Array, mean: number, total: number): number {
  if (!clusters) {
    const squares = gain.reduce((sum, one, r) => sum + (counts[r]! > 0 ? counts[r]! * (one / counts[r]! - mean) ** 2 : 0), 0);
    return Math.sqrt(squares) / total;
  }
  const sums = new Map<number, number>();
  gain.forEach((one, r) => void sums.set(clusters[r]!, (sums.get(clusters[r]!) ?? 0) + one - counts[r]! * mean));
  return Math.sqrt([...sums.values()].reduce((sum, one) => sum + one * one, 0)) / total;
}
