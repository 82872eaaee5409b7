/** `tierwise leaderboard`: a leaderboard from battles of two. */
import type { Command } from "commander";
import type { Battles } from "../data/battles.ts";
import { InputError } from "../input-error.ts";
import { type LeaderboardOptions, leaderboard } from "../leaderboard.ts";
import { LEADERBOARD_ERRORS } from "../leaderboard-errors.ts";
import type { ItemFeatures } from "../leaderboard-features.ts";
import { addResultColumns } from "./battle-columns.ts";
import { checkFiles, FileOption } from "./files.ts";
import { checkJudge, checkModes, checkRankings } from "./leaderboard-checks.ts";
import { influenceOf, printFirstPlace } from "./leaderboard-influence.ts";
import { loadBattles } from "./leaderboard-input.ts";
import { boardJson, printBoard, printMarkdown, table } from "./leaderboard-output.ts";
import { type Options, onCommandLine, settingsOf } from "./leaderboard-settings.ts";
import { addCommonOptions, addSkipLines } from "./options.ts";
import { csvText, print, printJson, printRaw } from "./output.ts";
import { progress } from "./progress.ts";
import { applyConfigStrictly } from "./settings.ts";
import { addSqlOption } from "./sql-option.ts";

export function leaderboardCommand(program: Command): void {
  const command = program
    .command("leaderboard")
    .summary("make a leaderboard from battles of two, or from rankings")
    .description(
      "Ranks items by the results of their battles, with intervals. FILES are tables with the columns model_a, model_b and winner, or winner and loser, and perhaps count; with --rankings, rankings of any number of items.",
    )
    .argument("<files...>", "tables of battles, or rankings; - is standard input")
    .option(
      "--objective <objective>",
      "ranknet (Bradley-Terry; ranknet:ties=half), davidson or rao-kupper (default: davidson if there are ties); for rankings also pl-partition, the default",
    )
    .option("--scale <scale>", "scale of ratings: log, the utility, or elo, 400 / ln 10 times it", "log")
    .option("--anchor <anchor>", "rating of the mean of all items, or NAME=RATING of one item (default: 0, or 1000 for elo)")
    .option(
      "--errors <kind>",
      `standard errors: ${LEADERBOARD_ERRORS.join(", ")} (default: information, or clustered with --cluster)`,
    )
    .option("--cluster <column>", "column of the voter, judge or prompt, whose battles may resemble each other")
    .option(
      "--judge <column>",
      "column of the judge: estimates how reliable each is, so that careless and hostile votes count less",
    )
    .option(
      "--influence",
      "which battles, and which clusters or judges, decide the first place: the fewest whose removal changes it",
    )
    .option("--by <column>", "a leaderboard for each value of this column, and a test of whether they differ")
    .option("--weight <column>", "column with the weight of each battle")
    .option(
      "--covariates <columns>",
      "comma-separated columns of numbers that favor the first item, or of a ranking the item of the row, with a coefficient each",
    )
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
    .addOption(
      new FileOption(
        "--item-features <file>",
        "table of features of items, towards which items with few battles shrink",
        "reads",
      ),
    )
    .option(
      "--shrinkage <number>",
      "standard deviation of utilities from their features, or of rankings without features from their mean; auto: by adjusted marginal likelihood (default with features)",
    )
    .option("--rankings", "files are rankings: ballots in any format, or a table with --qid, --id and --label or --place")
    .option("--qid <column>", "column of the ranking, in a table of rankings; of several, as in round,judge, all together")
    .option("--id <column>", "column of the item, in a table of rankings")
    .option("--label <column>", "column of the order, in a table of rankings: higher is better, equal is tied")
    .option("--place <column>", "the same for places: lower is better")
    .option("--label-order <labels>", "all labels of a table of rankings, the best first, such as gold,silver,bronze")
    .option("--label-last <words>", "labels below all others of their ranking, such as DNF,DSQ, in a table of rankings")
    .option(
      "--time-columns <columns>",
      "what comes first in labels such as 1:23, in a table of rankings: NAME:hours or NAME:minutes",
    )
    .option(
      "--missing-values <words>",
      "words that mean no label, in a table of rankings, such as DNS: such rows, and those with an empty label, are left out",
    )
    .option("--fit", "observed and expected results by pair, a test of the model, and cycles")
    .option("--simulations <number>", "simulations of the test of the model (default: 200 where counts are small, else 0)")
    .option("--compare", "compare models of ties, covariates and drift by held-out likelihood")
    .option("--parts <number>", "parts that battles are split into for --compare and --time (default: 5)")
    .option("--time <column>", "column of the time, a number or a date: ratings that drift from period to period")
    .option("--periods <number>", "number of periods of --time (default: 8)")
    .option("--step <number>", "standard deviation of a utility's step between periods (default: by held-out likelihood)")
    .addOption(new FileOption("--report <file>", "write the leaderboard as an HTML page too", "writes"))
    .option("--seed <number>", "random seed of a bootstrap, of rank intervals, parts and simulations (default: 1)")
    .option("--all", "complete tables instead of the first twenty rows")
    .option("--csv", "print the leaderboard as CSV")
    .option("--markdown", "print the leaderboard as a Markdown table");
  addSqlOption(addCommonOptions(addSkipLines(addResultColumns(command)))).action((files: string[]) => run(command, files));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  checkFiles(command, { data: [files] });
  const options = command.opts<Options>();
  const quiet = options.quiet ?? false;
  checkRankings(options);
  const settings = await settingsOf(options);
  checkJudge(options);
  checkModes(options, files);
  if (options.report !== undefined) await (await import("./report.ts")).checkDrawing();
  const features = options.itemFeatures === undefined ? undefined : await featuresOf(options.itemFeatures);
  if (options.rankings) return runRankings(files, options, settings, features);
  const data = await loadBattles(files, options, quiet);
  const earlier = options.since && (await loadBattles(options.since, options, quiet));
  const works =
    options.judge !== undefined ||
    options.errors?.endsWith("bootstrap") ||
    options.compare ||
    options.time !== undefined ||
    options.fit;
  const bar = progress(options.errors?.endsWith("bootstrap") ? "Resampling" : "Fitting", quiet || !works);
  const all = { ...settings, onProgress: (share: number) => bar.steady(share) };
  try {
    const modes = asksForMore(options) ? await import("./leaderboard-modes.ts") : undefined;
    const show = modes?.modeOf(options, data, earlier, features, all) ?? plain(options, data, all);
    bar.done();
    if (options.report !== undefined) {
      const { writeLeaderboardReport } = await import("./leaderboard-report.ts");
      await writeLeaderboardReport(files, options, all, data, features);
    }
    show();
    if (options.report !== undefined && !options.json && !options.csv && !options.markdown)
      print(`\nThe report is in ${options.report}.`);
  } catch (error) {
    bar.done();
    throw error instanceof InputError ? new InputError(onCommandLine(error.message)) : error;
  }
}

async function runRankings(
  files: readonly string[],
  options: Options,
  settings: LeaderboardOptions,
  features: ItemFeatures | undefined,
): Promise<void> {
  try {
    const { rankingsMode } = await import("./leaderboard-rankings.ts");
    const show = await rankingsMode(files, options, settings, features);
    show();
  } catch (error) {
    throw error instanceof InputError ? new InputError(onCommandLine(error.message)) : error;
  }
}

const featuresOf = async (path: string): Promise<ItemFeatures> =>
  (await import("../formats/data/read-item-features.ts")).readItemFeatures(path);

/** Whether something else than one plain leaderboard is asked for. The code for it is loaded then: most of the time of a short command is loading code. */
const asksForMore = ({ compare, fit, time, by, since, judge, itemFeatures }: Options): boolean =>
  [compare, fit, time, by, since, judge, itemFeatures].some((one) => one !== undefined);

/** Makes one leaderboard, and returns what prints it. */
function plain(options: Options, data: Battles, settings: LeaderboardOptions): () => void {
  const most = options.all ? Infinity : 20;
  const board = leaderboard(data, settings);
  const influence = influenceOf(data, board, settings, options);
  return () => {
    if (options.json) printJson({ ...boardJson(board), ...(influence && { influence }) });
    else if (options.csv) printRaw(csvText(table(board)));
    else if (options.markdown) printMarkdown(board);
    else {
      printBoard(board, most);
      if (influence) printFirstPlace(influence, options, most);
    }
  };
}
