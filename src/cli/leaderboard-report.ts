/** `tierwise leaderboard --report`: the leaderboard as an HTML page, with slices, drift and the fit of the model where they apply. */
import type { Battles } from "../data/battles.ts";
import { writeDurably } from "../formats/durable.ts";
import { InputError } from "../input-error.ts";
import { type LeaderboardOptions, leaderboard } from "../leaderboard.ts";
import { leaderboardDrift } from "../leaderboard-drift.ts";
import { type ItemFeatures, leaderboardWithFeatures } from "../leaderboard-features.ts";
import { leaderboardFit } from "../leaderboard-fit.ts";
import { leaderboardBySlice } from "../leaderboard-slices.ts";
import { leaderboardReport } from "../report/leaderboard/leaderboard-report.ts";
import { commandText } from "./command-text.ts";
import { shortFileNames } from "./file-names.ts";
import { loadBattles } from "./leaderboard-input.ts";
import { defined, driftSettings, featureSettings, type Options } from "./leaderboard-settings.ts";
import { notice } from "./output.ts";
import { versionOf } from "./version.ts";

export async function writeLeaderboardReport(
  files: readonly string[],
  options: Options,
  settings: LeaderboardOptions,
  data: Battles,
  features: ItemFeatures | undefined,
): Promise<void> {
  const { by, time } = options;
  const shrunk = features && leaderboardWithFeatures(data, features, featureSettings(options, settings));
  const board = shrunk ?? leaderboard(data, settings);
  const { objective, ghost, seed } = settings;
  const timed =
    time === undefined
      ? undefined
      : by === undefined
        ? data
        : await loadBattles(files, { ...withoutSlices(options), time }, true);
  const fit = tested(() => leaderboardFit(data, defined({ objective, ghost, seed })), options);
  const words = ["leaderboard", ...files, ...givenWords(options)];
  const text = await leaderboardReport({
    ...{
      name: shortFileNames(files),
      board,
      data,
      version: versionOf(),
    },
    commands: [commandText(words)],
    ...(shrunk && { features: shrunk.features }),
    ...(fit && { fit }),
    ...(by !== undefined && { slices: leaderboardBySlice(data, settings), sliceName: by }),
    ...(timed && { drift: leaderboardDrift(timed, driftSettings(options, settings)) }),
  });
  if (!options.quiet) notice("Writing the report ...");
  writeDurably(options.report!, text);
}

const withoutSlices = ({ by: _, ...rest }: Options) => rest;

/** The fit, unless these battles or this objective have no expected counts to compare with. */
function tested<T>(call: () => T, { quiet }: Options): T | undefined {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (!quiet) notice(`The report has no section on the fit: ${error.message.replace(/^leaderboardFit: /, "")}`);
    return undefined;
  }
}

/** Options that are given, as words of a command. */
function givenWords(options: Options): string[] {
  const flag = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return Object.entries(options)
    .filter(
      ([name, value]) =>
        value !== undefined &&
        value !== false &&
        !["quiet", "config", "sql"].includes(name) &&
        !(name === "scale" && value === "log"),
    )
    .flatMap(([name, value]) =>
      value === true ? [flag(name)] : Array.isArray(value) ? [flag(name), ...value] : [flag(name), String(value)],
    );
}
