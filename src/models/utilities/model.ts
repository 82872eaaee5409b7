/** Fitted utilities: scores for the items of ballots, and a leaderboard for people. */
import { Mistake, quote } from "../../mistake.ts";
import { exp } from "../../numeric/functions.ts";
import { Z95 } from "../../numeric/normal.ts";
import { descending } from "../../numeric/order.ts";
import type { Dataset, Description, Estimate, Model, SavedModel } from "../../types.ts";
import { checkRoom } from "../shared/columns.ts";
import { aNumber, anObject, numbers } from "../shared/saved.ts";
import type { Uncertainty } from "./uncertainty.ts";

export interface Fit {
  readonly names: readonly string[];
  readonly utilities: Float64Array;
  readonly reference: number; // the item whose utility is 0, or -1: they sum to zero
  readonly extras: Readonly<Record<string, number>>; // what the objective learned besides
  readonly ballots: number;
  readonly cost: number; // of all ballots, without the prior
  readonly likelihood: boolean; // the cost is minus a log-likelihood
  readonly free: number; // numbers fitted
  readonly prior: string;
  readonly steepest: number; // the largest entry of the gradient of the total cost
  readonly sure?: Uncertainty;
}

/** A model of utilities, with its fit to look into. */
export interface UtilitiesModel extends Model {
  readonly fit: Fit;
  readonly worths: Float64Array; // probability of being placed first among all items
}

/** Whether a model is one of utilities, with its fit to look into. */
export const isUtilities = (model: Model): model is UtilitiesModel => model?.id === "utilities" && "fit" in model;

const KEPT = 200; // items up to which a file keeps the whole covariance

export function utilitiesModel(fit: Fit): UtilitiesModel {
  const { names, utilities } = fit;
  return {
    id: "utilities",
    columns: { count: 0, base: 1 },
    fit,
    worths: worthsOf(utilities),
    score(data, into) {
      checkRoom(data, into);
      const number = numbering(data, names);
      data.items!.forEach((item, at) => {
        into[at] = utilities[number[item]!]!;
      });
    },
    save: () => saved(fit),
    describe: () => described(fit),
  };
}

/** For each item of the data, its number here. */
function numbering({ items, names: given }: Dataset, names: readonly string[]): Uint32Array {
  if (!items) throw new Mistake("the model knows items by name, and these data name none; it scores ballots only");
  const known = new Map(names.map((name, i) => [name, i]));
  const there = given.items ?? names.map((_, i) => String(i + 1));
  return Uint32Array.from(there, (name) => {
    const number = known.get(name);
    if (number === undefined) throw new Mistake(`the model does not know the item ${quote(name)} of the data`);
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
function errorsOf({ reference, utilities, sure }: Fit): Float64Array | undefined {
  if (!sure || reference < 0 || !sure.covariance) return sure?.errors;
  const { covariance } = sure;
  const n = utilities.length;
  const own = covariance[reference * n + reference]!;
  return utilities.map((_, i) => Math.sqrt(Math.max(0, covariance[i * n + i]! + own - 2 * covariance[i * n + reference]!)));
}

function described(fit: Fit): Description {
  const { names, utilities, reference, extras, ballots, cost, likelihood, free, prior, steepest, sure } = fit;
  const worths = worthsOf(utilities);
  const errors = errorsOf(fit);
  const order = descending(utilities);
  const head = [
    "rank",
    "item",
    "worth",
    "utility",
    ...(sure ? ["standard error", "quasi error", "best with probability", "expected rank"] : []),
  ];
  const rows = Array.from(order, (i, place) => [
    sure ? rankText(sure.ranks.low[i]!, sure.ranks.high[i]!) : place + 1,
    names[i]!,
    worths[i]!,
    utilities[i]!,
    ...(sure && errors ? [errors[i]!, Math.sqrt(sure.quasi[i]!), sure.first[i]!, sure.expected[i]!] : []),
  ]);
  const learned = Object.fromEntries(
    Object.entries(extras).map(([name, value], e) => [
      name,
      sure?.extras[e] === undefined ? value : `${value.toPrecision(7)} (standard error ${sure.extras[e]!.toPrecision(4)})`,
    ]),
  );
  const estimates: Estimate[] = Array.from(order, (i, place) => ({
    name: names[i]!,
    value: utilities[i]!,
    low: utilities[i]! - (errors ? Z95 * errors[i]! : 0),
    high: utilities[i]! + (errors ? Z95 * errors[i]! : 0),
    rank: sure ? rankText(sure.ranks.low[i]!, sure.ranks.high[i]!) : String(place + 1),
  }));
  return {
    title: "utilities: a free utility for each item",
    facts: {
      items: names.length,
      ballots,
      ...(likelihood ? { "log-likelihood": -cost, AIC: 2 * cost + 2 * free } : { "total cost": cost }),
      utilities: reference < 0 ? "sum to zero" : `${names[reference]} has 0`,
      prior,
      ...learned,
      ...(Number.isNaN(steepest) ? {} : { "largest gradient": steepest }),
    },
    tables: [{ title: sure ? "Leaderboard, with rank intervals that hold together at 95 %" : "Leaderboard", head, rows }],
    estimates,
  };
}

const brief = (values: Iterable<number>) => Array.from(values, (value) => Number(value.toPrecision(8)));

function saved({ utilities, sure, ...rest }: Fit): SavedModel {
  const n = utilities.length;
  const keep = sure?.covariance && n <= KEPT;
  return {
    id: "utilities",
    ...rest,
    steepest: Number.isNaN(rest.steepest) ? null : rest.steepest,
    utilities: [...utilities],
    ...(sure && {
      sure: {
        errors: brief(sure.errors),
        quasi: brief(sure.quasi),
        low: [...sure.ranks.low],
        high: [...sure.ranks.high],
        first: brief(sure.first),
        expected: brief(sure.expected),
        extras: brief(sure.extras),
        ...(keep && { covariance: brief(sure.covariance!.filter((_, at) => at % n <= Math.floor(at / n))) }),
      },
    }),
  };
}

export function readUtilities(given: SavedModel): UtilitiesModel {
  const values = numbers(given, "utilities");
  const n = values.length;
  const { names } = given;
  if (!Array.isArray(names) || names.length !== n || !names.every((name) => typeof name === "string"))
    throw new Mistake("the model file is damaged: names should be a name for each item");
  return utilitiesModel({
    names,
    utilities: values,
    reference: aNumber(given, "reference"),
    extras: anObject(given, "extras") as Record<string, number>,
    ballots: aNumber(given, "ballots"),
    cost: aNumber(given, "cost"),
    likelihood: given.likelihood === true,
    free: aNumber(given, "free"),
    prior: String(given.prior),
    steepest: given.steepest === null ? Number.NaN : aNumber(given, "steepest"),
    ...(given.sure ? { sure: readSure(anObject(given, "sure"), n) } : {}),
  });
}

function readSure(sure: Readonly<Record<string, unknown>>, n: number): Uncertainty {
  const packed = sure.covariance ? numbers(sure, "covariance", (n * (n + 1)) / 2) : undefined;
  const at = (i: number, j: number) => (i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i);
  return {
    errors: numbers(sure, "errors", n),
    quasi: numbers(sure, "quasi", n),
    ranks: { low: Uint32Array.from(numbers(sure, "low", n)), high: Uint32Array.from(numbers(sure, "high", n)) },
    first: numbers(sure, "first", n),
    expected: numbers(sure, "expected", n),
    extras: [...numbers(sure, "extras")],
    ...(packed && { covariance: Float64Array.from({ length: n * n }, (_, k) => packed[at(Math.floor(k / n), k % n)]!) }),
  };
}
