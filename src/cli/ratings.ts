/** `tierwise ratings`: ratings that are updated battle by battle. */
import type { Command } from "commander";
import type { ResultColumnOptions } from "../formats/data/battle-columns.ts";
import { shownPaths } from "../formats/data/columnar/query-path.ts";
import { eachBattle } from "../formats/data/read-battles.ts";
import { writeDurably } from "../formats/durable.ts";
import { checkNesting } from "../formats/json.ts";
import { bytesOf } from "../formats/models/files.ts";
import { InputError, quote } from "../input-error.ts";
import { compareRatings, type RatingsComparison, type TimedBattle } from "../online-compare.ts";
import { continueRatings, type OnlineRatings, onlineRatings } from "../online-ratings.ts";
import { ratingSystem, ratingSystems } from "../ratings/index.ts";
import { addResultColumns, resultColumns } from "./battle-columns.ts";
import { checkFiles, FileOption } from "./files.ts";
import { addCommonOptions, addSkipLines, type Common, skippedLines, wholeNumber } from "./options.ts";
import { csvText, figure, notice, print, printJson, printRaw, tableText } from "./output.ts";
import { progress } from "./progress.ts";
import { applyConfigStrictly } from "./settings.ts";
import { addSqlOption } from "./sql-option.ts";

interface Options extends Common, ResultColumnOptions {
  readonly system?: string;
  readonly period?: string;
  readonly from?: string;
  readonly out?: string;
  readonly compare?: true;
  readonly slices?: string;
  readonly skipLines?: string;
  readonly all?: true;
  readonly csv?: true;
}

export function ratingsCommand(program: Command): void {
  const command = program
    .command("ratings")
    .summary("rate items battle by battle: Elo, Glicko-2, TrueSkill")
    .description(
      "Rates items by one pass over their battles in the order of the files, oldest first. FILES are tables as for tierwise leaderboard.",
    )
    .argument("<files...>", "tables of battles; - is standard input")
    .option("--system <system>", `${ratingSystems.map(({ id }) => id).join(", ")}, with options as in elo:k=16 (default: elo)`)
    .option("--period <column>", "column of the rating period of glicko2, such as the day: a new one begins where it changes")
    .addOption(new FileOption("--from <file>", "continue with the ratings of this file, which --out wrote", "reads"))
    .addOption(new FileOption("--out <file>", "write the ratings as JSON, to be continued with --from", "writes"))
    .option("--compare", "compare all systems, or that of --system, with the leaderboard by prediction of the next battle")
    .option("--slices <number>", "slices of time of --compare; the leaderboard is fitted at the beginning of each (default: 10)")
    .option("--all", "complete tables instead of the first twenty rows")
    .option("--csv", "print the ratings as CSV");
  addSqlOption(addCommonOptions(addSkipLines(addResultColumns(command)))).action((files: string[]) => run(command, files));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  const options = command.opts<Options>();
  const slices = wholeNumber("slices", options.slices, 2);
  const system = options.system === undefined ? undefined : ratingSystem(options.system);
  for (const other of ["from", "out"] as const)
    if (options.compare && options[other] !== undefined)
      throw new InputError(`--compare rates from the beginning and saves nothing; leave out --${other}`);
  if (slices !== undefined && !options.compare) throw new InputError("--slices needs --compare");
  checkFiles(command, { data: [files] });
  if (options.compare) {
    const timed: TimedBattle[] = [];
    await read(files, options, (battle) => void timed.push(battle));
    const bar = progress("Comparing", options.quiet ?? false);
    try {
      const found = compareRatings(timed, {
        ...(system && { systems: [system] }),
        ...(slices !== undefined && { slices }),
        onProgress: (share) => bar.steady(share),
      });
      bar.done();
      return options.json ? printJson(found) : printComparison(found, options.csv);
    } catch (error) {
      throw error instanceof InputError ? new InputError(error.message.replace(/^compareRatings: /, "")) : error;
    } finally {
      bar.done();
    }
  }
  const ratings =
    options.from === undefined
      ? onlineRatings(system ?? ratingSystem("elo"))
      : parseRatings(new TextDecoder().decode(bytesOf(options.from)), options.from);
  if (system && options.from !== undefined && system.spec !== ratings.system.spec)
    throw new InputError(
      `${options.from} has ratings of ${quote(ratings.system.spec)}, not of ${quote(system.spec)}; leave out --system`,
    );
  let period: string | undefined;
  let begun = false;
  await read(files, options, (battle) => {
    if (begun && battle.period !== period) ratings.endPeriod();
    [period, begun] = [battle.period, true];
    ratings.update(battle);
  });
  if (options.out !== undefined) writeDurably(options.out, `${JSON.stringify(ratings.state())}\n`);
  show(ratings, options);
  if (options.out !== undefined && !options.quiet) notice(`The ratings are in ${options.out}.`);
}

/** Calls `visit` for every battle, as often as its row counts. */
async function read(files: readonly string[], options: Options, visit: (battle: TimedBattle) => void) {
  const { period, quiet = false } = options;
  const bar = progress("Reading", quiet);
  let battles = 0;
  let leftOut = "";
  try {
    await eachBattle(
      files,
      ({ count, ...battle }) => {
        if (!Number.isInteger(count))
          throw new InputError(`ratings are updated battle by battle, so counts must be whole numbers, got ${count}`);
        for (let k = 0; k < count; k++) visit(battle);
        battles += count;
      },
      {
        ...{ ...resultColumns(options), ...skippedLines(options) },
        ...(period !== undefined && { period }),
        progress: (done, total) => bar.at(done / total, `${(done / 1e6).toFixed(1)} MB`),
        notice: (text) => void (leftOut = text),
      },
    );
  } finally {
    bar.done();
  }
  if (!quiet) notice(`${shownPaths(files)}: ${figure(battles)} battles`);
  if (!quiet && leftOut !== "") notice(leftOut);
}

/** Ratings from the text of a file that `--out` wrote; errors begin with `path`. */
export function parseRatings(text: string, path: string): OnlineRatings {
  checkNesting(text, path);
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    throw new InputError(`${path}: expected ratings that tierwise ratings --out wrote, got no JSON`);
  }
  try {
    return continueRatings(state as never);
  } catch (error) {
    throw error instanceof InputError
      ? new InputError(`${path}: expected ratings that tierwise ratings --out wrote (${error.message})`)
      : error;
  }
}

function show(ratings: OnlineRatings, { json, csv, all }: Options) {
  const items = ratings.items();
  const { spec } = ratings.system;
  if (json) return printJson({ system: spec, items });
  const hasErrors = items.some(({ error }) => !Number.isNaN(error));
  const head = ["rank", "item", "rating", ...(hasErrors ? ["deviation"] : []), "battles", "wins", "losses", "ties"];
  const rows = items.map(({ name, rating, error, battles, wins, losses, ties }, i) => [
    ...[i + 1, name, rating, ...(hasErrors ? [error] : []), battles, wins, losses, ties],
  ]);
  if (csv) return printRaw(csvText({ head, rows }));
  const most = all ? Infinity : 20;
  print(`ratings of ${items.length} items by ${spec}\n`);
  print(tableText({ head, rows: rows.slice(0, most) }));
  if (items.length > most) print(`... and ${items.length - most} more (--all shows them)`);
}

function printComparison({ scores, battles, first }: RatingsComparison, csv?: true) {
  const head = ["ratings", "log-loss", "difference", "low 95 %", "high 95 %", "Brier score", "accuracy"];
  const rows = scores.map(({ name, logLoss, difference = "-", low = "-", high = "-", brier, accuracy }) => [
    ...[name, logLoss, difference, low, high, brier, accuracy],
  ]);
  if (csv) return printRaw(csvText({ head, rows }));
  print(tableText({ head, rows }));
  print(
    `\nPredictions of ${figure(battles)} battles, each from those before it; the first ${figure(first)} are not counted. The leaderboard is fitted at the beginning of each slice of time. Differences are of log-loss, from the leaderboard; a tie is half a win.`,
  );
}
