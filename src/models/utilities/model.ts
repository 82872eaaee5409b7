/** Fitted utilities as a model: scores for the items of ballots, and a leaderboard. */
import { InputError, quote } from "../../input-error.ts";
import { exp } from "../../numeric/functions.ts";
import { Z95 } from "../../numeric/normal.ts";
import { descending } from "../../numeric/order.ts";
import type { Dataset, Description, Estimate, Model, SavedModel } from "../../types.ts";
import { checkScoresArray } from "../shared/columns.ts";
import { savedNumber, savedNumbers, savedObject } from "../shared/saved.ts";
import type { Uncertainty } from "./uncertainty.ts";

/** Fitted utilities and how they were fitted. */
export interface UtilitiesFit {
  /** Names of the items. */
  readonly names: readonly string[];
  /** Utility of each item. */
  readonly utilities: Float64Array;
  /** Item whose utility is 0; -1 if utilities sum to zero. */
  readonly reference: number;
  /** Auxiliary parameters that the objective learned. */
  readonly auxiliary: Readonly<Record<string, number>>;
  /** Number of ballots. */
  readonly ballots: number;
  /** Total cost of the ballots, without the prior. */
  readonly cost: number;
  /** Whether the cost is a negative log-likelihood. */
  readonly likelihood: boolean;
  /** Number of fitted parameters. */
  readonly parameters: number;
  /** The prior in words. */
  readonly prior: string;
  /** The largest entry of the gradient of the total cost. */
  readonly maxGradient: number;
  /** Standard errors and rank intervals, if they were computed. */
  readonly uncertainty?: Uncertainty;
}

/** A model of utilities, with its fit to look into. */
export interface UtilitiesModel extends Model {
  /** The fitted utilities and how they were fitted. */
  readonly fit: UtilitiesFit;
  /** Probability of being placed first among all items. */
  readonly worths: Float64Array;
}

/** Whether a model is one of utilities, with its fit to look into. */
export const isUtilities = (model: Model): model is UtilitiesModel => model?.id === "utilities" && "fit" in model;

const KEPT = 200; // items up to which a file keeps the whole covariance

export function utilitiesModel(fit: UtilitiesFit): UtilitiesModel {
  const { names, utilities } = fit;
  let numbers: ReadonlyMap<string, number> | undefined;
  return {
    id: "utilities",
    columns: { count: 0, base: 1 },
    fit,
    worths: worthsOf(utilities),
    score(data, into) {
      checkScoresArray(data, into);
      numbers ??= new Map(names.map((name, i) => [name, i]));
      const number = numbering(data, names, numbers);
      data.items!.forEach((item, at) => {
        into[at] = utilities[number[item]!]!;
      });
    },
    save: () => saved(fit),
    describe: () => described(fit),
  };
}

/** For each item of the data, its number here. */
function numbering({ items, names: given }: Dataset, names: readonly string[], known: ReadonlyMap<string, number>): Uint32Array {
  if (!items) throw new InputError("the model scores named items of ballots, and these data have none");
  const there = given.items ?? names.map((_, i) => String(i + 1));
  return Uint32Array.from(there, (name) => {
    const number = known.get(name);
    if (number === undefined) throw new InputError(`the model does not know the item ${quote(name)} of the data`);
    return number;
  });
}

export function worthsOf(utilities: Float64Array): Float64Array {
  const top = utilities.reduce((most, value) => Math.max(most, value), -Infinity);
  const masses = utilities.map((value) => exp(value - top));
  const sum = masses.reduce((all, mass) => all + mass, 0);
  return masses.map((mass) => mass / sum);
}

/** "2-4", or "3" where the interval is one rank. */
export const rankText = (low: number, high: number) => (low === high ? `${low}` : `${low}-${high}`);

/** The standard error of each utility as it is given: against the reference, or against the mean of all. */
function errorsOf({ reference, utilities, uncertainty }: UtilitiesFit): Float64Array | undefined {
  if (!uncertainty || reference < 0 || !uncertainty.covariance) return uncertainty?.errors;
  const { covariance } = uncertainty;
  const n = utilities.length;
  const own = covariance[reference * n + reference]!;
  return utilities.map((_, i) => Math.sqrt(Math.max(0, covariance[i * n + i]! + own - 2 * covariance[i * n + reference]!)));
}

function described(fit: UtilitiesFit): Description {
  const { names, utilities, reference, auxiliary, ballots, cost, likelihood, parameters, prior, maxGradient, uncertainty } = fit;
  const worths = worthsOf(utilities);
  const errors = errorsOf(fit);
  const order = descending(utilities);
  const head = [
    "rank",
    "item",
    "worth",
    "utility",
    ...(uncertainty ? ["standard error", "quasi error", "best with probability", "expected rank"] : []),
  ];
  const rows = Array.from(order, (i, place) => [
    uncertainty ? rankText(uncertainty.ranks.low[i]!, uncertainty.ranks.high[i]!) : place + 1,
    names[i]!,
    worths[i]!,
    utilities[i]!,
    ...(uncertainty && errors
      ? [errors[i]!, Math.sqrt(uncertainty.quasi[i]!), uncertainty.first[i]!, uncertainty.expected[i]!]
      : []),
  ]);
  const learned = Object.fromEntries(
    Object.entries(auxiliary).map(([name, value], e) => [
      name,
      uncertainty?.auxiliary[e] === undefined
        ? value
        : `${value.toPrecision(7)} (standard error ${uncertainty.auxiliary[e]!.toPrecision(4)})`,
    ]),
  );
  const estimates: Estimate[] = Array.from(order, (i, place) => ({
    name: names[i]!,
    value: utilities[i]!,
    low: utilities[i]! - (errors ? Z95 * errors[i]! : 0),
    high: utilities[i]! + (errors ? Z95 * errors[i]! : 0),
    rank: uncertainty ? rankText(uncertainty.ranks.low[i]!, uncertainty.ranks.high[i]!) : String(place + 1),
  }));
  return {
    title: "utilities: a free utility for each item",
    facts: {
      items: names.length,
      ballots,
      ...(likelihood ? { "log-likelihood": -cost, AIC: 2 * cost + 2 * parameters } : { "total cost": cost }),
      utilities: reference < 0 ? "sum to zero" : `${names[reference]} has 0`,
      prior,
      ...learned,
      ...(Number.isNaN(maxGradient) ? {} : { "largest gradient": maxGradient }),
    },
    tables: [{ title: uncertainty ? "Leaderboard, with simultaneous 95 % rank intervals" : "Leaderboard", head, rows }],
    estimates,
  };
}

const brief = (values: Iterable<number>) => Array.from(values, (value) => Number(value.toPrecision(8)));

function saved({ utilities, uncertainty, ...rest }: UtilitiesFit): SavedModel {
  const n = utilities.length;
  const keep = uncertainty?.covariance && n <= KEPT;
  return {
    id: "utilities",
    // Model files keep the keys that these fields had when the format was defined.
    ...{ names: rest.names, reference: rest.reference, extras: rest.auxiliary, ballots: rest.ballots, cost: rest.cost },
    ...{ likelihood: rest.likelihood, free: rest.parameters, prior: rest.prior },
    steepest: Number.isNaN(rest.maxGradient) ? null : rest.maxGradient,
    utilities: [...utilities],
    ...(uncertainty && {
      sure: {
        errors: brief(uncertainty.errors),
        quasi: brief(uncertainty.quasi),
        low: [...uncertainty.ranks.low],
        high: [...uncertainty.ranks.high],
        first: brief(uncertainty.first),
        expected: brief(uncertainty.expected),
        extras: brief(uncertainty.auxiliary),
        ...(keep && { covariance: brief(uncertainty.covariance!.filter((_, at) => at % n <= Math.floor(at / n))) }),
      },
    }),
  };
}

export function readUtilities(given: SavedModel): UtilitiesModel {
  const values = savedNumbers(given, "utilities");
  const n = values.length;
  const { names } = given;
  if (!Array.isArray(names) || names.length !== n || !names.every((name) => typeof name === "string"))
    throw new InputError("the model file is damaged: names should be a name for each item");
  return utilitiesModel({
    names,
    utilities: values,
    reference: savedNumber(given, "reference"),
    auxiliary: savedObject(given, "extras") as Record<string, number>,
    ballots: savedNumber(given, "ballots"),
    cost: savedNumber(given, "cost"),
    likelihood: given.likelihood === true,
    parameters: savedNumber(given, "free"),
    prior: String(given.prior),
    maxGradient: given.steepest === null ? Number.NaN : savedNumber(given, "steepest"),
    ...(given.sure ? { uncertainty: readUncertainty(savedObject(given, "sure"), n) } : {}),
  });
}

function readUncertainty(uncertainty: Readonly<Record<string, unknown>>, n: number): Uncertainty {
  const packed = uncertainty.covariance ? savedNumbers(uncertainty, "covariance", (n * (n + 1)) / 2) : undefined;
  const at = (i: number, j: number) => (i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i);
  return {
    errors: savedNumbers(uncertainty, "errors", n),
    quasi: savedNumbers(uncertainty, "quasi", n),
    ranks: {
      low: Uint32Array.from(savedNumbers(uncertainty, "low", n)),
      high: Uint32Array.from(savedNumbers(uncertainty, "high", n)),
    },
    first: savedNumbers(uncertainty, "first", n),
    expected: savedNumbers(uncertainty, "expected", n),
    auxiliary: [...savedNumbers(uncertainty, "extras")],
    ...(packed && { covariance: Float64Array.from({ length: n * n }, (_, k) => packed[at(Math.floor(k / n), k % n)]!) }),
  };
}
