/** What `tierwise leaderboard` does with judges, and with the battles that decide the first place. */
import type { Battles } from "../data/battles.ts";
import { InputError, quote } from "../input-error.ts";
import type { Leaderboard, LeaderboardOptions } from "../leaderboard.ts";
import { type LeaderboardInfluence, leaderboardInfluence } from "../leaderboard-influence.ts";
import { leaderboardWithJudges } from "../leaderboard-judges.ts";
import { fragilityLine, isFragile, judgesJson, printInfluence, printJudges } from "./judges-output.ts";
import { table } from "./leaderboard-output.ts";
import type { Options } from "./leaderboard-settings.ts";
import { csvText, print, printJson, printRaw } from "./output.ts";

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

/** What of the settings concerns the search for battles that decide the first place. */
const influenceOptions = ({ objective, ghost, minBattles }: LeaderboardOptions) => ({
  ...(objective && { objective }),
  ...(ghost !== undefined && { ghost }),
  ...(minBattles !== undefined && { minBattles }),
});

/** What decides the first place: all of it with --influence, or else what one line of the printed leaderboard needs. */
export function influenceOf(
  data: Battles,
  board: Leaderboard,
  settings: LeaderboardOptions,
  { influence: wanted, json, csv, markdown }: Options,
): LeaderboardInfluence | undefined {
  if (wanted) return leaderboardInfluence(data, influenceOptions(settings));
  if (json || csv || markdown || !data.counts.every(Number.isInteger)) return undefined;
  const { clusters: _, clusterNames: __, ...apart } = data; // the line is about battles
  const largest = Math.max(0.01, 2.5 / board.battles);
  return leaderboardInfluence(apart, { ...influenceOptions(settings), contenders: 1, refine: false, largest });
}

/** What decides the first place, or without --influence one line where that is little. */
export function printFirstPlace(found: LeaderboardInfluence, { influence: wanted }: Options, most: number): void {
  if (wanted) printInfluence(found, most);
  else if (found.fewest && isFragile(found.fewest, found.battles)) print(`\n${fragilityLine(found)}`);
}

/** A leaderboard with judges; returns what prints it. */
export function judgedMode(data: Battles, settings: LeaderboardOptions, { influence: wanted, json, csv }: Options, most: number) {
  const found = leaderboardWithJudges(data, settings);
  const influence = wanted ? leaderboardInfluence(data, influenceOptions(settings)) : undefined;
  return () => {
    if (json) return printJson({ ...judgesJson(found), ...(influence && { influence }) });
    if (csv) return printRaw(csvText(table(found.board)));
    printJudges(found, most);
    if (influence) {
      print("\nWith equal judges:");
      printInfluence(influence, most);
    }
  };
}
