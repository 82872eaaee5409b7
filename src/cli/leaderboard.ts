/** `tierwise leaderboard`: a leaderboard from battles of two. */
import type { Command } from "commander";
import type { Battles } from "../data/battles.ts";
import { readBattles } from "../formats/data/read-battles.ts";
import { InputError, quote } from "../input-error.ts";
import { LEADERBOARD_ERRORS, type LeaderboardErrors, type LeaderboardOptions, leaderboard } from "../leaderboard.ts";
import { leaderboardChanges } from "../leaderboard-changes.ts";
import { leaderboardBySlice } from "../leaderboard-slices.ts";
import { objective } from "../objectives/index.ts";
import { FileOption } from "./file-option.ts";
import { boardJson, changeTable, printBoard, printChanges, printSlices, slicesJson, table } from "./leaderboard-output.ts";
import { addCommonOptions, type Common, wholeNumber } from "./options.ts";
import { csvText, figure, notice, printJson, printRaw } from "./output.ts";
import { progress } from "./progress.ts";
import { applyConfigStrictly } from "./settings.ts";

interface Options extends Common {
  readonly objective?: string;
  readonly scale?: string;
  readonly anchor?: string;
  readonly errors?: string;
  readonly cluster?: string;
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
  readonly all?: true;
  readonly csv?: true;
}

export function leaderboardCommand(program: Command): void {
  const command = program
    .command("leaderboard")
    .summary("make a leaderboard from battles of two")
    .description(
      "Ranks items by the results of their battles, with intervals. FILES are tables with the columns model_a, model_b and winner, or winner and loser, and perhaps count.",
    )
    .argument("<files...>", "tables of battles; - is standard input")
    .option(
      "--objective <objective>",
      "ranknet (Bradley-Terry; ranknet:ties=half), davidson or rao-kupper (default: davidson if there are ties)",
    )
    .option("--scale <scale>", "scale of ratings: log, the utility, or elo, 400 / ln 10 times it", "log")
    .option("--anchor <anchor>", "rating of the mean of all items, or NAME=RATING of one item (default: 0, or 1000 for elo)")
    .option(
      "--errors <kind>",
      `standard errors: ${LEADERBOARD_ERRORS.join(", ")} (default: information, or clustered with --cluster)`,
    )
    .option("--cluster <column>", "column of the voter, judge or prompt, whose battles may resemble each other")
    .option("--by <column>", "a leaderboard for each value of this column, and a test of whether they differ")
    .option("--weight <column>", "column with the weight of each battle")
    .option("--covariates <columns>", "comma-separated columns of numbers that favor the first item, with a coefficient each")
    .option("--min-battles <number>", "leave out items with fewer battles")
    .option("--ghost <times>", "prior: wins and losses of each item against a ghost item (default: 0)")
    .option(
      "--error-ridge <number>",
      "added to the information for each battle when errors are computed; arena-rank adds 1e-5 (default: 0)",
    )
    .option("--resamples <number>", "resamples of a bootstrap (default: 200)")
    .option("--level <fraction>", "level of the intervals (default: 0.95)")
    .addOption(
      new FileOption("--since <files...>", "tables of earlier battles: shows who moved since, beyond chance", "reads data"),
    )
    .option("--seed <number>", "random seed of a bootstrap and of rank intervals (default: 1)")
    .option("--all", "complete tables instead of the first twenty rows")
    .option("--csv", "print the leaderboard as CSV");
  addCommonOptions(command).action((files: string[]) => run(command, files));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  const options = command.opts<Options>();
  const quiet = options.quiet ?? false;
  const settings = settingsOf(options);
  if (options.by !== undefined && options.since)
    throw new InputError("--by and --since both make several leaderboards; give one of them");
  const data = await load(files, options, quiet);
  const earlier = options.since && (await load(options.since, options, quiet));
  const bar = progress("Resampling", quiet || !options.errors?.endsWith("bootstrap"));
  const all = { ...settings, onProgress: (share: number) => bar.steady(share) };
  const most = options.all ? Infinity : 20;
  try {
    if (options.by !== undefined) {
      const found = leaderboardBySlice(data, all);
      bar.done();
      return options.json ? printJson(slicesJson(found)) : printSlices(found, most, options.csv);
    }
    const board = leaderboard(data, all);
    if (!earlier) {
      bar.done();
      return options.json ? printJson(boardJson(board)) : options.csv ? printRaw(csvText(table(board))) : printBoard(board, most);
    }
    const before = leaderboard(earlier, all);
    bar.done();
    const changes = leaderboardChanges(before, board);
    if (options.json) printJson({ before: boardJson(before), after: boardJson(board), changes });
    else if (options.csv) printRaw(csvText(changeTable(changes)));
    else printChanges(changes, most);
  } catch (error) {
    bar.done();
    throw error instanceof InputError ? new InputError(onCommandLine(error.message)) : error;
  }
}

async function load(files: readonly string[], { cluster, by, weight, covariates }: Options, quiet: boolean): Promise<Battles> {
  const bar = progress("Reading", quiet);
  try {
    const data = await readBattles(files, {
      ...(cluster !== undefined && { cluster }),
      ...(by !== undefined && { by }),
      ...(weight !== undefined && { weight }),
      ...(covariates !== undefined && { covariates: covariates.split(",").map((name) => name.trim()) }),
      progress: (read, total) => bar.at(read / total, `${(read / 1e6).toFixed(1)} MB`),
    });
    bar.done();
    const battles = data.counts.reduce((sum, count) => sum + count, 0);
    if (!quiet) notice(`${files.join(", ")}: ${figure(battles)} battles of ${data.items.length} items`);
    return data;
  } finally {
    bar.done();
  }
}

function settingsOf(options: Options): LeaderboardOptions {
  const { errors, scale = "log" } = options;
  if (errors !== undefined && !LEADERBOARD_ERRORS.includes(errors as LeaderboardErrors))
    throw new InputError(`--errors: expected one of ${LEADERBOARD_ERRORS.join(", ")}, got ${quote(errors)}`);
  if (scale !== "log" && scale !== "elo") throw new InputError(`--scale: expected log or elo, got ${quote(scale)}`);
  if (errors?.startsWith("clustered") && options.cluster === undefined)
    throw new InputError(`--errors ${errors} needs --cluster, the column of the voter, judge or prompt`);
  const cost = options.objective === undefined ? undefined : objective(options.objective);
  if (cost && !cost.pairs)
    throw new InputError(`--objective: expected an objective of pairs, ranknet, davidson or rao-kupper, got ${quote(cost.spec)}`);
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
const onCommandLine = (message: string) =>
  message
    .replace("leaderboard, option anchorItem:", "--anchor:")
    .replace("leaderboard, option minBattles:", "--min-battles:")
    .replace(
      "(minBattles), or fit utilities with errors=no",
      "(--min-battles), or use tierwise train --model utilities:errors=no",
    )
    .replace("ghost=0.5", "--ghost 0.5")
    .replace(" or l2=0.01", "")
    .replace("such as ghost 0.5", "such as --ghost 0.5")
    .replace(/remove them, or add a prior/, "remove them with --min-battles, or add a prior")
    .replace(/^leaderboard: /, "");
