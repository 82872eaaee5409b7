/**
 * Compares treatments of ties on held-out ballots: utilities are fitted without one part of the voters, under each objective, and evaluated
 * on that part, in turn.
 *
 * Likelihoods of objectives for which a tie is an outcome of its own and of those for which it is an unknown order are probabilities of
 * different things, so `own` compares only within a kind. Two yardsticks are common to all: the tier likelihood of the ballots, and the
 * mean of -log P(better above worse) over pairs of different tiers, both at the fitted utilities.
 */
import { checkData, checkOptions, type Kinds, numberFrom, seedNumber, someTexts, wholeFrom } from "./arguments.ts";
import { splitIntoParts, splitUnits, trainTestSplits } from "./data/parts.ts";
import { totalWeight } from "./data/voters.ts";
import { fit } from "./fit.ts";
import { heldOutCost } from "./held-out.ts";
import { InputError } from "./input-error.ts";
import { isUtilities, learner } from "./models/index.ts";
import { objective, plPartition, rankNet } from "./objectives/index.ts";
import type { Dataset, Ties } from "./types.ts";

/** The objectives that are compared unless others are named. */
export const TIE_TREATMENTS = [
  "pl-partition",
  "pmop-fd",
  "davidson",
  "rao-kupper",
  "listmle",
  "listmle:ties=random",
  "ranknet",
] as const;

/** Which treatments of ties are compared, and how. */
export interface CompareTiesOptions {
  /** Specs of the objectives to compare. Default: `TIE_TREATMENTS`. */
  readonly objectives?: readonly string[];
  /** Number of parts of the cross-validation. Default: 5. */
  readonly parts?: number;
  /** Prior of every fit: wins and losses of each item against a ghost item. Default: 0.5. */
  readonly ghost?: number;
  /** Seed of the split into parts. Default: 1. */
  readonly seed?: number;
}

/** How one treatment of ties predicts ballots that it has not seen. */
export interface TieTreatment {
  /** Spec of the objective. */
  readonly objective: string;
  /** How the objective treats equal labels. */
  readonly ties: Ties;
  /** Mean held-out log-likelihood of a ballot, NaN where the cost is no likelihood. */
  readonly own: number;
  /** Mean held-out log-likelihood of a ballot's tiers under Plackett-Luce. */
  readonly tiers: number;
  /** Mean -log P over held-out pairs. */
  readonly pairs: number;
}

const kinds: Kinds<CompareTiesOptions> = { objectives: someTexts, parts: wholeFrom(2), ghost: numberFrom(0), seed: seedNumber };

/** Compares treatments of ties on held-out ballots. */
export function compareTies(data: Dataset, options: CompareTiesOptions = {}): TieTreatment[] {
  checkData("compareTies", data);
  checkOptions("compareTies", options, kinds);
  if (!data.items || !data.names.items || data.labelSpaceSize !== undefined)
    throw new InputError("compareTies: expected ballots over named items (see ballots), got data of another kind");
  const { objectives = TIE_TREATMENTS, parts = 5, ghost = 0.5, seed = 1 } = options;
  const model = learner(`utilities:ghost=${ghost},errors=no`);
  const { count, noun } = splitUnits(data);
  if (!(Number.isInteger(parts) && parts >= 2 && parts <= count))
    throw new InputError(`expected from 2 to ${count} parts of the ${noun}, got ${parts}`);
  const folds = trainTestSplits(data, splitIntoParts(data, parts, seed));
  return objectives.map((text) => {
    const cost = objective(text);
    const sums = { own: 0, tiers: 0, pairs: 0, ballots: 0, compared: 0 };
    for (const { train, test } of folds) {
      const { model: fitted } = fit(train, { model, objective: cost, seed });
      if (!isUtilities(fitted)) throw new Error("the model of ballots is utilities");
      const auxiliary = cost.auxiliary.map(({ name }) => fitted.fit.auxiliary[name]!);
      const scores = new Float64Array(test.labels.length);
      fitted.score(test, scores);
      sums.own += heldOutCost(test, cost, scores, auxiliary);
      sums.tiers += heldOutCost(test, plPartition(), scores, []);
      sums.pairs += heldOutCost(test, rankNet(), scores, []);
      sums.ballots += totalWeight(test);
      sums.compared += pairsOf(test);
    }
    const isLikelihood = cost.likelihood !== undefined && cost.cost === "exact";
    return {
      objective: cost.spec,
      ties: cost.ties,
      own: isLikelihood ? -sums.own / sums.ballots : Number.NaN,
      tiers: -sums.tiers / sums.ballots,
      pairs: sums.pairs / sums.compared,
    };
  });
}

/** How many pairs of different tiers the ballots hold. */
function pairsOf({ starts, labels, listWeights }: Dataset): number {
  let sum = 0;
  for (let q = 0; q + 1 < starts.length; q++) {
    const sizes = new Map<number, number>();
    for (const label of labels.subarray(starts[q], starts[q + 1])) sizes.set(label, (sizes.get(label) ?? 0) + 1);
    const n = starts[q + 1]! - starts[q]!;
    const tied = [...sizes.values()].reduce((all, size) => all + (size * (size - 1)) / 2, 0);
    sum += (listWeights ? listWeights[q]! : 1) * ((n * (n - 1)) / 2 - tied);
  }
  return sum;
}
