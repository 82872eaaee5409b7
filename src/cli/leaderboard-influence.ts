/** What `tierwise leaderboard` says of the battles that decide the first place. */
import type { Battles } from "../data/battles.ts";
import type { Leaderboard, LeaderboardOptions } from "../leaderboard.ts";
import { influenceFrom, type LeaderboardInfluence } from "../leaderboard-influence.ts";
import { fragilityLine, isFragile, printInfluence } from "./judges-output.ts";
import type { Options } from "./leaderboard-settings.ts";
import { print } from "./output.ts";

/** What of the settings concerns the search for battles that decide the first place. */
export const influenceOptions = ({ objective, ghost, minBattles }: LeaderboardOptions) => ({
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
  if (wanted) return influenceFrom(data, influenceOptions(settings), board);
  if (json || csv || markdown || !data.counts.every(Number.isInteger)) return undefined;
  const { clusters: _, clusterNames: __, ...apart } = data; // the line is about battles
  const largest = Math.max(0.01, 2.5 / board.battles);
  return influenceFrom(apart, { ...influenceOptions(settings), contenders: 1, refine: false, largest }, board);
}

/** What decides the first place, or without --influence one line where that is little. */
export function printFirstPlace(found: LeaderboardInfluence, { influence: wanted }: Options, most: number): void {
  if (wanted) printInfluence(found, most);
  else if (found.fewest && isFragile(found.fewest, found.battles)) print(`\n${fragilityLine(found)}`);
}
