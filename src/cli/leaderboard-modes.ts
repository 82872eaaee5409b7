/** What `tierwise leaderboard` does other than one plain leaderboard; loaded when an option asks for it. */
import type { Battles } from "../data/battles.ts";
import { type LeaderboardOptions, leaderboard } from "../leaderboard.ts";
import { leaderboardChanges } from "../leaderboard-changes.ts";
import { compareBattleModels } from "../leaderboard-compare.ts";
import { leaderboardDrift } from "../leaderboard-drift.ts";
import { type ItemFeatures, leaderboardWithFeatures } from "../leaderboard-features.ts";
import { leaderboardFit } from "../leaderboard-fit.ts";
import { leaderboardInfluence } from "../leaderboard-influence.ts";
import { leaderboardWithJudges } from "../leaderboard-judges.ts";
import { leaderboardBySlice } from "../leaderboard-slices.ts";
import { judgesJson, printInfluence, printJudges } from "./judges-output.ts";
import {
  comparisonTable,
  driftRows,
  fitTable,
  printComparison,
  printDrift,
  printFeatures,
  printFit,
} from "./leaderboard-diagnostics.ts";
import { influenceOptions } from "./leaderboard-influence.ts";
import { boardJson, changeTable, printChanges, printMarkdown, printSlices, slicesJson, table } from "./leaderboard-output.ts";
import { defined, driftSettings, featureSettings, type Options, partsOf } from "./leaderboard-settings.ts";
import { wholeNumber } from "./options.ts";
import { csvText, print, printJson, printRaw } from "./output.ts";

/** Does what the options ask for, and returns what prints it; undefined where they ask for a plain leaderboard. */
export function modeOf(
  options: Options,
  data: Battles,
  earlier: Battles | undefined,
  features: ItemFeatures | undefined,
  all: LeaderboardOptions,
): (() => void) | undefined {
  const most = options.all ? Infinity : 20;
  const { json, csv } = options;
  const parts = partsOf(options);
  const { objective: cost, seed, ghost, onProgress } = all;
  if (options.compare) {
    const periods = wholeNumber("periods", options.periods, 2);
    const found = compareBattleModels(data, defined({ parts, seed, periods, time: options.time !== undefined, onProgress }));
    return () =>
      json
        ? printJson({ parts, models: found })
        : csv
          ? printRaw(csvText(comparisonTable(found)))
          : printComparison(found, parts);
  }
  if (options.fit) {
    const simulations = wholeNumber("simulations", options.simulations, 0);
    const found = leaderboardFit(data, defined({ objective: cost, ghost, seed, simulations, onProgress }));
    return () => (json ? printJson(found) : csv ? printRaw(csvText(fitTable(found))) : printFit(found, most));
  }
  if (options.time !== undefined && options.by === undefined) {
    const found = leaderboardDrift(data, driftSettings(options, all));
    return () => (json ? printJson(found) : csv ? printRaw(csvText(driftRows(found))) : printDrift(found, most));
  }
  if (options.by !== undefined) {
    const found = leaderboardBySlice(data, all);
    return () => (json ? printJson(slicesJson(found)) : printSlices(found, most, csv));
  }
  if (earlier) {
    const [before, board] = [leaderboard(earlier, all), leaderboard(data, all)];
    const changes = leaderboardChanges(before, board);
    return () => {
      if (json) printJson({ before: boardJson(before), after: boardJson(board), changes });
      else if (csv) printRaw(csvText(changeTable(changes)));
      else printChanges(changes, most);
    };
  }
  if (options.judge !== undefined) return judgedMode(data, all, options, most);
  if (!features) return undefined;
  const shrunk = leaderboardWithFeatures(data, features, featureSettings(options, all));
  return () => {
    if (json) printJson(boardJson(shrunk));
    else if (csv) printRaw(csvText(table(shrunk)));
    else if (options.markdown) printMarkdown(shrunk);
    else printFeatures(shrunk, most);
  };
}

/** A leaderboard with judges; returns what prints it. */
function judgedMode(data: Battles, settings: LeaderboardOptions, { influence: wanted, json, csv }: Options, most: number) {
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
