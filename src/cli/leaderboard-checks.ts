/** Options of `tierwise leaderboard` that do not go together, refused before anything is read. */

import { checkLabelWords } from "../data/label-words.ts";
import { InputError, quote } from "../input-error.ts";
import { type Options, wordsOf } from "./leaderboard-settings.ts";

const asBattles =
  "write the pairs of each ranking as battles (model_a, model_b, winner and this column), and leave out --rankings";

/** What works for rankings in the place of an option of battles. */
const wayOut: Readonly<Record<string, string>> = {
  judge:
    "; with --qid ROUND,JUDGE each judge's ranking counts alike. To see which judges differ, train a model on the rankings and compare each with it: tierwise train FILE --qid ROUND,JUDGE ... --out MODEL, then tierwise evaluate MODEL FILE --metrics kendall -q",
  cluster: `; --errors robust takes each ranking as one observation. For clusters of rankings, ${asBattles}`,
  by: `; make a leaderboard of the rankings of each value, each from a file of its own, or ${asBattles}`,
};

/** Refuses what battles have and rankings have not, and columns of a table without the one that says what belongs together. */
export function checkRankings(options: Options): void {
  const { rankings, qid, id, label, place, covariates, itemFeatures, shrinkage, errors } = options;
  const words = {
    ...{ "label-order": options.labelOrder, "label-last": options.labelLast },
    ...{ "missing-values": options.missingValues, "time-columns": options.timeColumns },
  };
  const columns = { qid, id, label, place, ...words };
  if (!rankings) {
    const given = Object.entries(columns).find(([, value]) => value !== undefined)?.[0];
    if (given) throw new InputError(`--${given} means nothing without --rankings`);
    return;
  }
  const { cluster, judge, influence, by, weight, since, fit, compare, time, report, minBattles, ghost, errorRidge } = options;
  const { first, second, winner, loser, tie, count } = options;
  const others = {
    first,
    second,
    winner,
    loser,
    tie,
    count,
    cluster,
    judge,
    influence,
    by,
    weight,
    since,
    fit,
    compare,
    time,
    report,
    "min-battles": minBattles,
  };
  const wrong = Object.entries({ ...others, ghost, "error-ridge": errorRidge, resamples: options.resamples }).find(
    ([, value]) => value !== undefined,
  )?.[0];
  if (wrong)
    throw new InputError(
      `--${wrong} is for battles, and --rankings reads rankings${wrong === "ghost" ? "; the prior of rankings is --shrinkage" : (wayOut[wrong] ?? "")}`,
    );
  if (label !== undefined && place !== undefined)
    throw new InputError("--label and --place both say the order; give one of them");
  checkLabelWords({ labelLast: wordsOf(options.labelLast), labelMissing: wordsOf(options.missingValues) }, "--missing-values");
  if (qid === undefined) {
    const given = Object.entries({ id, label, place, covariates, ...words }).find(([, value]) => value !== undefined)?.[0];
    if (given) throw new InputError(`--${given} is for a table; give --qid, the column of the ranking, too`);
  } else if (id === undefined || (label === undefined && place === undefined))
    throw new InputError("a table of rankings needs --qid, --id, the column of the item, and --label or --place");
  if (errors !== undefined && errors !== "information" && errors !== "robust")
    throw new InputError(`--errors: expected information or robust for rankings, got ${quote(errors)}`);
  if (errors !== undefined && (itemFeatures !== undefined || shrinkage !== undefined))
    throw new InputError("--shrinkage and --item-features have posterior errors; leave --errors out");
}

/** Refuses options that mean nothing beside --judge or --influence. */
export function checkJudge(options: Options): void {
  const { judge, cluster, by, since, fit, compare, time, itemFeatures, report, markdown, influence, csv, errors } = options;
  if (judge !== undefined && cluster !== undefined)
    throw new InputError("--judge and --cluster both name a column by which battles are grouped; give one of them");
  const others = { by, since, fit, compare, time, "item-features": itemFeatures, report, markdown };
  for (const [name, value] of Object.entries(others))
    if (value !== undefined && (judge !== undefined || influence))
      throw new InputError(`--${judge !== undefined ? "judge" : "influence"} makes one leaderboard; leave out --${name}`);
  if (influence && csv) throw new InputError("--influence is no table of items; leave out --csv");
  if (judge !== undefined && errors !== undefined && errors !== "clustered" && errors !== "information")
    throw new InputError(`--errors with --judge: expected clustered or information, got ${quote(errors)}`);
}

/** Refuses options that ask for different things at once, or that mean nothing together. */
export function checkModes(options: Options, files: readonly string[]): void {
  const { by, since, fit, compare, time, itemFeatures, report, markdown, csv, json } = options;
  const asked = (
    [["--by", by], ["--since", since], ["--fit", fit], ["--compare", compare], ["--item-features", itemFeatures]] as const
  ).filter(([, value]) => value !== undefined); // biome-ignore format: one list
  const timed = time !== undefined && !compare ? [["--time", time] as const] : [];
  const modes = [...asked, ...timed].map(([name]) => name);
  const free = report !== undefined ? modes.filter((name) => name !== "--by" && name !== "--time") : modes;
  if (free.length > 1) throw new InputError(`${free[0]} and ${free[1]} both say what is printed; give one of them`);
  if (report !== undefined && modes.length > 0 && modes.some((name) => ["--since", "--fit", "--compare"].includes(name)))
    throw new InputError(`--report writes a leaderboard, and ${free[0]} prints something else; give one of them`);
  if (report !== undefined && by !== undefined && time !== undefined && files.includes("-"))
    throw new InputError("--by and --time both need the battles, and standard input can be read once; save them to a file");
  if (markdown && modes.some((name) => name !== "--item-features"))
    throw new InputError(`--markdown prints a leaderboard, and ${modes[0]} something else; give one of them`);
  if (markdown && (csv || json))
    throw new InputError(`--markdown and ${csv ? "--csv" : "--json"} both say how; give one of them`);
  const needs = (name: string, value: unknown, there: boolean, wanted: string) => {
    if (value !== undefined && !there) throw new InputError(`--${name} means nothing without ${wanted}`);
  };
  needs("simulations", options.simulations, fit === true, "--fit");
  needs("parts", options.parts, compare === true || time !== undefined, "--compare or --time");
  needs("periods", options.periods, time !== undefined, "--time, the column of the time");
  needs("step", options.step, time !== undefined && !compare, "--time, the column of the time");
  needs(
    "shrinkage",
    options.shrinkage,
    itemFeatures !== undefined || options.rankings === true,
    "--item-features, the table of features, or --rankings",
  );
  if (itemFeatures !== undefined && options.errors !== undefined && options.errors !== "information")
    throw new InputError("--item-features has posterior errors; leave --errors out");
}
