/** The options of `tierwise leaderboard`, checked, and as options of the library. */
import type { ResultColumnOptions } from "../formats/data/battle-columns.ts";
import { InputError, quote } from "../input-error.ts";
import type { LeaderboardOptions } from "../leaderboard.ts";
import { LEADERBOARD_ERRORS, type LeaderboardErrors } from "../leaderboard-errors.ts";
import type { Objective } from "../types.ts";
import { type Common, wholeNumber } from "./options.ts";

/** The words of an option. */
export const wordsOf = (option: string | undefined): string[] | undefined => option?.split(",").map((word) => word.trim());

export interface Options extends Common, ResultColumnOptions {
  readonly objective?: string;
  readonly scale?: string;
  readonly anchor?: string;
  readonly errors?: string;
  readonly cluster?: string;
  readonly judge?: string;
  readonly influence?: true;
  readonly by?: string;
  readonly weight?: string;
  readonly covariates?: string;
  readonly minBattles?: string;
  readonly ghost?: string;
  readonly errorRidge?: string;
  readonly resamples?: string;
  readonly level?: string;
  readonly since?: readonly string[];
  readonly seed?: string;
  readonly fit?: true;
  readonly simulations?: string;
  readonly compare?: true;
  readonly parts?: string;
  readonly time?: string;
  readonly periods?: string;
  readonly step?: string;
  readonly itemFeatures?: string;
  readonly shrinkage?: string;
  readonly rankings?: true;
  readonly qid?: string;
  readonly id?: string;
  readonly label?: string;
  readonly place?: string;
  readonly labelOrder?: string;
  readonly labelLast?: string;
  readonly timeColumns?: string;
  readonly missingValues?: string;
  readonly skipLines?: string;
  readonly report?: string;
  readonly markdown?: true;
  readonly all?: true;
  readonly csv?: true;
}

export async function settingsOf(options: Options): Promise<LeaderboardOptions> {
  const { errors, scale = "log" } = options;
  if (errors !== undefined && !LEADERBOARD_ERRORS.includes(errors as LeaderboardErrors))
    throw new InputError(`--errors: expected one of ${LEADERBOARD_ERRORS.join(", ")}, got ${quote(errors)}`);
  if (scale !== "log" && scale !== "elo") throw new InputError(`--scale: expected log or elo, got ${quote(scale)}`);
  if (errors?.startsWith("clustered") && options.cluster === undefined && options.judge === undefined)
    throw new InputError(`--errors ${errors} needs --cluster, the column of the voter, judge or prompt`);
  const cost = options.objective === undefined ? undefined : await objectiveOf(options.objective, options.rankings ?? false);
  const number = (name: string, text: string | undefined, fits: (value: number) => boolean, wanted: string) => {
    if (text === undefined) return undefined;
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(value) || !fits(value)) throw new InputError(`--${name}: expected ${wanted}, got ${quote(text)}`);
    return value;
  };
  const atLeast0 = (value: number) => value >= 0;
  const given = {
    ...{ objective: cost, errors: errors as LeaderboardErrors | undefined, scale, ...anchorOf(options.anchor) },
    minBattles: wholeNumber("min-battles", options.minBattles, 0),
    ghost: number("ghost", options.ghost, atLeast0, "a number of at least 0"),
    errorRidge: number("error-ridge", options.errorRidge, atLeast0, "a number of at least 0"),
    resamples: wholeNumber("resamples", options.resamples, 20),
    level: number("level", options.level, (value) => value > 0 && value < 1, "a number between 0 and 1"),
    seed: wholeNumber("seed", options.seed, 0),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as LeaderboardOptions;
}

/** Loaded when an objective is named: the default needs no list of all. */
async function objectiveOf(spec: string, rankings: boolean): Promise<Objective> {
  const { objective } = await import("../objectives/index.ts");
  const cost = objective(spec);
  if (rankings && !(await import("../models/utilities/ranking-problem.ts")).hasExactHessian(cost))
    throw new InputError(
      `--objective: expected pl-partition, or an objective of pairs, ranknet, davidson or rao-kupper, got ${quote(cost.spec)}`,
    );
  if (!rankings && !cost.pairs)
    throw new InputError(`--objective: expected an objective of pairs, ranknet, davidson or rao-kupper, got ${quote(cost.spec)}`);
  return cost;
}

/** "1000", or "name=1000". */
function anchorOf(text: string | undefined): Pick<LeaderboardOptions, "anchor" | "anchorItem"> {
  if (text === undefined) return {};
  const [, name, rating] = /^(?:(.*)=)?([^=]*)$/s.exec(text)!;
  const anchor = rating!.trim() === "" ? Number.NaN : Number(rating);
  if (!Number.isFinite(anchor) || name === "")
    throw new InputError(
      `--anchor: expected a number, or the name of an item and its rating, such as lark=1000, got ${quote(text)}`,
    );
  return { anchor, ...(name !== undefined && { anchorItem: name }) };
}

/** What the library says of its options, said of flags. */
export const onCommandLine = (message: string) =>
  message
    .replace("add a prior: ghost=0.5", "add a prior: --ghost 0.5")
    .replace(" or l2=0.01", "")
    .replace("add a prior: shrinkage, such as 1", "add a prior, such as --shrinkage 1")
    .replace("leaderboard, option anchorItem:", "--anchor:")
    .replace("leaderboard, option minBattles:", "--min-battles:")
    .replace(
      "(minBattles), or fit utilities with errors=no",
      "(--min-battles), or use tierwise train --model utilities:errors=no",
    )
    .replace(/^leaderboardOfRankings, option anchorItem:/, "--anchor:")
    .replace(/^leaderboardOfRankings: /, "")
    .replace("such as ghost 0.5", "such as --ghost 0.5")
    .replace("remove them, or add a prior:", "remove them with --min-battles, or add a prior:")
    .replace("make it a feature of the items", "make it a feature of the items (--item-features)")
    .replace("give it as a number", "give --shrinkage a number")
    .replace("leave out those with few battles (minBattles)", "leave out those with few battles (--min-battles)")
    .replace(/^leaderboardWithFeatures, option anchorItem:/, "--anchor:")
    .replace(/^(leaderboardDrift|compareBattleModels): expected times/, "--time: expected times")
    .replace(/^(leaderboardDrift|compareBattleModels): expected two times/, "--time: expected two times")
    .replace(
      /^(leaderboard|leaderboardWithJudges|leaderboardInfluence|leaderboardWithFeatures|leaderboardFit|leaderboardDrift|compareBattleModels): /,
      "",
    );

/** Without what is undefined. */
export const defined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as { [K in keyof T]: NonNullable<T[K]> };

export const partsOf = ({ parts }: Options) => wholeNumber("parts", parts, 2) ?? 5;

/** What the options say of drift. */
export const driftSettings = (
  options: Options,
  { objective: cost, level, scale, anchor, seed, onProgress }: LeaderboardOptions,
) =>
  defined({
    ...{ objective: cost, level, scale, anchor, seed, onProgress, parts: partsOf(options) },
    ...{ periods: wholeNumber("periods", options.periods, 2), step: positive("step", options.step) },
  });

/** What the options say of features of items. */
export const featureSettings = (
  options: Options,
  { objective: cost, level, minBattles, scale, anchor, anchorItem, seed }: LeaderboardOptions,
) =>
  defined({
    ...{ objective: cost, level, minBattles, scale, anchor, anchorItem, seed },
    shrinkage: options.shrinkage === "auto" ? undefined : positive("shrinkage", options.shrinkage),
  });

export function positive(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InputError(`--${name}: expected a number above 0, got ${quote(text)}`);
  return value;
}
