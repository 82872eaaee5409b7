/** `tierwise leaderboard --rankings`: a leaderboard from rankings of any number of items. */
import { lowestBest } from "../data/label-names.ts";
import { DirectionOfLetters, isTierName } from "../data/label-order.ts";
import { type TableHeader, tableHeader } from "../formats/data/columnar/column-names.ts";
import { keyNames } from "../formats/data/columns.ts";
import { isInput } from "../formats/data/file-bytes.ts";
import { expandPaths } from "../formats/data/paths.ts";
import { type ReadOptions, readOptions } from "../formats/data/read-options.ts";
import { explained } from "../formats/data/title-lines.ts";
import { InputError, quote } from "../input-error.ts";
import type { LeaderboardOptions } from "../leaderboard.ts";
import type { ItemFeatures } from "../leaderboard-features.ts";
import { leaderboardOfRankings, type RankingLeaderboard } from "../leaderboard-rankings.ts";
import { suggest } from "../part.ts";
import type { Dataset } from "../types.ts";
import { more, parameterTable, rankText, ratingText } from "./leaderboard-output.ts";
import { defined, type Options, positive, wordsOf } from "./leaderboard-settings.ts";
import { load } from "./load.ts";
import { skippedLines } from "./options.ts";
import { csvText, figure, markdownText, notice, print, printJson, printRaw, tableText } from "./output.ts";

/** The columns of a table of rankings. */
async function headerOf(name: string, reading: Partial<ReadOptions>): Promise<TableHeader> {
  if (isInput(name)) throw new InputError("a table of rankings is read from a file; save standard input to one");
  const [path = name] = expandPaths([name]);
  return tableHeader(path, readOptions(reading));
}

/** Rankings of a table, of which only the named columns are read, or ballots in any format. */
async function loadRankings(files: readonly string[], options: Options, quiet: boolean): Promise<Dataset> {
  const { qid, id, label, place, covariates } = options;
  if (qid === undefined) {
    const data = await load(files, { reading: {}, quiet });
    if (!data.items)
      throw new InputError(`${files[0]}: expected ballots, or with --qid, --id and --label or --place a table of rankings`);
    return data;
  }
  const wanted = covariates?.split(",").map((name) => name.trim()) ?? [];
  const order = (label ?? place)!;
  const lines = skippedLines(options);
  const { columns: all, head } = await headerOf(files[0]!, lines);
  const header = all.filter((name) => name !== ""); // an index, which is left out
  const keys = keyNames(qid, header);
  const named = [order, ...keys, id!, ...wanted];
  const lacking = named.find((name) => !header.includes(name));
  if (lacking !== undefined) {
    const error = new InputError(`${files[0]}: there is no column ${quote(lacking)}; ${suggest(lacking, header)}`);
    const isHeader = (columns: readonly string[]) => (named.every((name) => columns.includes(name)) ? named : undefined);
    throw head ? explained(error, head, isHeader, lines) : error;
  }
  const double = named.find((name, at) => named.indexOf(name) !== at);
  if (double !== undefined) throw new InputError(`the column ${quote(double)} cannot be two things at once`);
  const kept = new Set(named);
  const ignore = header.filter((name) => !kept.has(name));
  // --place says that 1 is the best; of a label called tier, 1 is the best too.
  const isTier = place === undefined && isTierName(order);
  const direction = isTier || place !== undefined ? { lowerIsBetter: true } : { higherIsBetter: true };
  const [missing, labelOrder, labelLast] = [options.missingValues, options.labelOrder, options.labelLast].map(wordsOf);
  const timeColumns = wordsOf(options.timeColumns);
  const reading = {
    ...{ qid, id: id!, label: order, ignore, ...lines },
    ...{ ...(labelOrder && { labelOrder }), ...(labelLast && { labelLast }), ...(timeColumns && { timeColumns }) },
    ...(missing && { missingValues: missing, tiers: "ratings" }),
  };
  let isOfWords = labelOrder !== undefined;
  const data = await load(files, { reading: { ...reading, ...(!isOfWords && direction) }, quiet })
    .catch((error) => {
      isOfWords = error instanceof DirectionOfLetters; // they have an order of their own, S the best
      if (!isOfWords) throw error;
      return load(files, { reading, quiet });
    })
    .catch((error) => {
      throw error instanceof InputError ? new InputError(onCommandLine(error.message)) : error;
    });
  if (isOfWords) return data;
  if (isTier && !quiet) notice(`label "${order}": the lowest number is taken as the best tier; --place ${order} says so`);
  const best = place === undefined ? lowestBest(order) : undefined;
  if (best !== undefined && !quiet)
    notice(`label "${order}": the highest number is taken as the best; if ${best} is the best, name it with --place ${order}`);
  return data;
}

/** What reading advises, with the options that there are here. */
const onCommandLine = (message: string) =>
  message
    .replace(/; --ignore .* drops the column$/, "; leave it out of --covariates")
    .replace("the label is missing; --tiers ratings leaves rows", 'the label is missing; --missing-values "" leaves rows')
    .replace("--label-missing", "--missing-values");

const rankingTable = ({ items, level }: RankingLeaderboard) => ({
  head: ["rank", "item", "rating", "error", `low ${100 * level} %`, `high ${100 * level} %`, "best with probability", "rankings"],
  rows: items.map((item) => [
    ...[rankText(item), item.name, item.rating, item.error, item.low, item.high, item.best, item.rankings],
  ]),
});

/** Makes the leaderboard, and returns what prints it. */
export async function rankingsMode(
  files: readonly string[],
  options: Options,
  { objective, errors, ...settings }: LeaderboardOptions,
  itemFeatures: ItemFeatures | undefined,
): Promise<() => void> {
  const data = await loadRankings(files, options, options.quiet ?? false);
  const shrinkage = options.shrinkage === "auto" ? "auto" : positive("shrinkage", options.shrinkage);
  const { level, scale, anchor, anchorItem, seed } = settings;
  const board = leaderboardOfRankings(
    data,
    defined({ objective, errors: errors as "robust", level, scale, anchor, anchorItem, seed, itemFeatures, shrinkage }),
  );
  return () => show(board, options);
}

function show(board: RankingLeaderboard, { json, csv, markdown, all }: Options): void {
  const { utilities, covariance: _, ...rest } = board;
  const whole = rankingTable(board);
  if (json) printJson({ ...rest, utilities: [...utilities] });
  else if (csv) printRaw(csvText(whole));
  else if (markdown) {
    printRaw(markdownText(ratingText(whole, board.scale)));
    print(`\n${figure(board.rankings)} rankings under ${board.objective}; ranks are simultaneous intervals.`);
  } else printRankings(board, all ? Infinity : 20);
}

function printRankings(board: RankingLeaderboard, most: number): void {
  const { head, rows } = rankingTable(board);
  const unit = board.scale === "elo" ? "Elo points" : "utilities";
  const from = board.features.length > 0 ? "what their features say" : "their mean";
  const facts = [
    `${figure(board.rankings)} rankings of ${board.items.length} items under ${board.objective}, ratings in ${unit}, ${board.anchor}`,
    `${board.likelihood ? "log-likelihood" : "minus cost"} ${figure(-board.cost)}, ${board.errors} errors, simultaneous ${100 * board.level} % rank intervals`,
    ...(board.shrinkage === undefined
      ? []
      : [`Utilities deviate from ${from} by a standard deviation of ${figure(board.shrinkage)}.`]),
  ];
  const text = ratingText({ head, rows: rows.slice(0, most) }, board.scale);
  print(`${facts.join("\n")}\n\n${tableText(text)}${more(rows.length, most)}`);
  const parameters = [...board.covariates, ...board.features, ...board.auxiliary];
  if (parameters.length > 0) print(`\n${tableText(parameterTable(parameters))}`);
}
