/** `tierwise next`: which pairs to compare next. */
import type { Command } from "commander";
import type { ResultColumnOptions } from "../formats/data/battle-columns.ts";
import { shownPaths } from "../formats/data/columnar/query-path.ts";
import { readBattles } from "../formats/data/read-battles.ts";
import { InputError, quote } from "../input-error.ts";
import { type NextPairsOptions, nextPairs } from "../next-pairs.ts";
import { objective } from "../objectives/index.ts";
import { addResultColumns, resultColumns } from "./battle-columns.ts";
import { addCommonOptions, addSkipLines, type Common, skippedLines, wholeNumber } from "./options.ts";
import { csvText, figure, notice, print, printJson, printRaw, tableText } from "./output.ts";
import { progress } from "./progress.ts";
import { applyConfigStrictly } from "./settings.ts";
import { addSqlOption } from "./sql-option.ts";

interface Options extends Common, ResultColumnOptions {
  readonly pairs?: string;
  readonly battles?: string;
  readonly top?: string;
  readonly new?: string;
  readonly objective?: string;
  readonly ghost?: string;
  readonly minBattles?: string;
  readonly level?: string;
  readonly seed?: string;
  readonly skipLines?: string;
  readonly csv?: true;
}

export function nextCommand(program: Command): void {
  const command = program
    .command("next")
    .summary("choose the pairs to compare next, to settle a leaderboard soonest")
    .description(
      "Lists the pairs whose comparison is expected to narrow the rank intervals of a leaderboard most. FILES are tables as for tierwise leaderboard.",
    )
    .argument("<files...>", "tables of battles; - is standard input")
    .option("--pairs <number>", "number of pairs (default: 20)")
    .option("--battles <number>", "how often each pair will be compared (default: 1)")
    .option("--top <number>", "settle only the ranks of so many items, the best (default: all)")
    .option("--new <names>", "comma-separated names of items without battles, which come first")
    .option("--objective <objective>", "ranknet (Bradley-Terry), davidson or rao-kupper (default: davidson if there are ties)")
    .option("--ghost <times>", "prior: wins and losses of each item against a ghost item (default: 0.5)")
    .option("--min-battles <number>", "leave out items with fewer battles")
    .option("--level <fraction>", "level of the rank intervals (default: 0.95)")
    .option("--seed <number>", "random seed of the rank intervals (default: 1)")
    .option("--csv", "print the pairs as CSV");
  addSqlOption(addCommonOptions(addSkipLines(addResultColumns(command)))).action((files: string[]) => run(command, files));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  const options = command.opts<Options>();
  const quiet = options.quiet ?? false;
  const settings = settingsOf(options);
  const how = { ...resultColumns(options), ...skippedLines(options) };
  const bar = progress("Reading", quiet);
  let leftOut = "";
  const data = await readBattles(files, {
    ...how,
    progress: (read, total) => bar.at(read / total, `${(read / 1e6).toFixed(1)} MB`),
    notice: (text) => void (leftOut = text),
  }).finally(() => bar.done());
  const battles = data.counts.reduce((sum, count) => sum + count, 0);
  if (!quiet) notice(`${shownPaths(files)}: ${figure(battles)} battles of ${data.items.length} items`);
  if (!quiet && leftOut !== "") notice(leftOut);
  try {
    const found = nextPairs(data, settings);
    const { pairs, widest, widestItems, mean } = found;
    if (options.json) return printJson(found);
    const head = ["first", "second", "error", "error after", "gain"];
    const rows = pairs.map(({ first, second, error, errorAfter, gain }) => [first, second, error, errorAfter, gain]);
    if (options.csv) return printRaw(csvText({ head, rows }));
    const names = `${widestItems.slice(0, 4).join(", ")}${widestItems.length > 4 ? ", ..." : ""}`;
    print(`widest rank interval: ${figure(widest)} ranks (${names}); mean: ${figure(mean)} ranks\n`);
    print(tableText({ head, rows }));
    print("\nErrors are of the difference of the two utilities; the gain is in ranks of the mean interval, to first order.");
  } catch (error) {
    throw error instanceof InputError ? new InputError(onCommandLine(error.message)) : error;
  }
}

const onCommandLine = (message: string) =>
  message
    .replace("nextPairs, option newItems:", "--new:")
    .replace("leaderboard, option minBattles:", "--min-battles:")
    .replace("(minBattles), or fit utilities with errors=no", "(--min-battles)")
    .replace(/ghost(=| )0\.5/, "--ghost 0.5")
    .replace(/^leaderboard: /, "");

function settingsOf(options: Options): NextPairsOptions {
  const cost = options.objective === undefined ? undefined : objective(options.objective);
  if (cost && !cost.pairs)
    throw new InputError(`--objective: expected an objective of pairs, ranknet, davidson or rao-kupper, got ${quote(cost.spec)}`);
  const number = (name: string, text: string | undefined, fits: (value: number) => boolean, wanted: string) => {
    if (text === undefined) return undefined;
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(value) || !fits(value)) throw new InputError(`--${name}: expected ${wanted}, got ${quote(text)}`);
    return value;
  };
  const names = options.new?.split(",").map((name) => name.trim());
  if (names?.includes(""))
    throw new InputError(`--new: expected names of items, separated by commas, got ${quote(options.new!)}`);
  const given = {
    ...{ objective: cost, newItems: names, pairs: wholeNumber("pairs", options.pairs, 1) },
    ...{ battles: wholeNumber("battles", options.battles, 1), top: wholeNumber("top", options.top, 1) },
    ghost: number("ghost", options.ghost, (value) => value >= 0, "a number of at least 0"),
    minBattles: wholeNumber("min-battles", options.minBattles, 0),
    level: number("level", options.level, (value) => value > 0 && value < 1, "a number between 0 and 1"),
    seed: wholeNumber("seed", options.seed, 0),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as NextPairsOptions;
}
