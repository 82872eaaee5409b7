/** `tierwise clicks`: position bias from a log of clicks, and training data without it. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { CLIP, clickData, LABEL_STEP } from "../click-data.ts";
import type { ClickLog } from "../clicks/click-log.ts";
import { counted } from "../counted.ts";
import type { ClickLogOptions } from "../formats/data/click-log-parser.ts";
import { WEIGHT_ENDING } from "../formats/data/side-files.ts";
import { rowsText } from "../formats/data/write-rows.ts";
import { writeDurably } from "../formats/durable.ts";
import { checkWritable } from "../formats/writable.ts";
import { InputError, quote } from "../input-error.ts";
import type { PositionBias } from "../position-bias.ts";
import type { Dataset } from "../types.ts";
import {
  addBiasOption,
  addClipOption,
  type BiasFlags,
  biasMethod,
  biasOf,
  levelOption,
  loadClicks,
  numberOption,
} from "./click-input.ts";
import { checkDistinct, checkFiles, FileOption } from "./files.ts";
import { checkReadable, load } from "./load.ts";
import { addCommonOptions, addSkipLines, type Common, skippedLines, withoutSkipping } from "./options.ts";
import { csvText, figure, notice, print, printJson, printRaw, tableText } from "./output.ts";
import { applyConfigStrictly } from "./settings.ts";

interface Options extends Common, BiasFlags, Omit<ClickLogOptions, "minDwell" | "skipLines"> {
  readonly features?: readonly string[];
  readonly ignore?: string;
  readonly minDwell?: string;
  readonly skipLines?: string;
  readonly level?: string;
  readonly out?: string;
  readonly by?: string;
  readonly unseen?: string;
  readonly labelStep?: string;
  readonly csv?: true;
}

export function clicksCommand(program: Command): void {
  const command = program
    .command("clicks")
    .summary("estimate position bias from a log of clicks, and make training data of it")
    .description(
      "Reads a log of clicks, a table with the columns query, document, position and clicked or JSON lines, and estimates how likely each position is examined. With --features and --out it writes training data in which that bias is taken out.",
    )
    .argument("<files...>", "logs of clicks; - is standard input");
  addBiasOption(command)
    .addOption(
      new FileOption(
        "--features <files...>",
        "data with the features of the documents, lists and items named as in the log",
        "reads data",
      ),
    )
    .option("--ignore <columns>", "comma-separated columns of the features to drop")
    .addOption(new FileOption("--out <file>", "training data: tiers, and weights in a file beside it (FILE.weight)", "writes"))
    .option("--by <what>", "training data with a list for each query, or impression (default: query)")
    .option(
      "--unseen <what>",
      "documents that were not shown: predicted by their features (by query only), last or leave-out (default: predicted by query, leave-out by impression)",
    )
    .option("--label-step <number>", `labels by query are multiples of it, from 0 to 4 (default: ${LABEL_STEP})`);
  addClipOption(command, CLIP)
    .option("--query <column>", "column of the query (default: query, qid or query_id)")
    .option("--document <column>", "column of the document (default: document, doc, docid, doc_id or item)")
    .option("--position <column>", "column of the position (default: position, pos or rank)")
    .option("--clicked <column>", "column of the click (default: clicked, click or clicks)")
    .option("--impression <column>", "column of the impression's id (default: impression or session, with or without _id)")
    .option("--dwell <column>", "column of the dwell time in seconds (default: dwell, dwell_time or dwell_seconds)")
    .option("--min-dwell <seconds>", "least dwell time of a click that counts (default: 0)")
    .option("--level <fraction>", "level of the intervals (default: 0.95)")
    .option("--csv", "print the table as CSV");
  addCommonOptions(addSkipLines(command)).action((files: string[]) => run(command, files));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  const options = command.opts<Options>();
  const quiet = options.quiet ?? false;
  const level = levelOption(options.level);
  const minDwell = numberOption("min-dwell", options.minDwell, 0);
  const clip = numberOption("clip", options.clip, 1);
  const labelStep = stepOption(options.labelStep);
  const by = choice("by", options.by, ["query", "impression"] as const);
  const unseen = choice("unseen", options.unseen, ["predicted", "last", "leave-out"] as const);
  biasMethod(options.bias);
  if (by === "impression" && unseen === "predicted")
    throw new InputError("--unseen predicted: needs lists by query; leave out --by impression");
  if (by === "impression" && labelStep !== undefined)
    throw new InputError("--label-step: labels by impression are 0, 1 and 2; leave out one of them");
  if (options.out !== undefined && !options.features)
    throw new InputError("--out writes the features of the documents too; name their files with --features");
  checkFiles(command, { others: files });
  if (options.out !== undefined) checkWeights(options.out, by, [...files, ...(options.features ?? [])]);
  await checkReadable([...files, ...(options.features ?? [])]);
  const log = await loadClicks(files, columnsOf(options, minDwell), quiet);
  const features = options.features && (await loadFeatures(options.features, options, quiet));
  const bias = biasOf(log, options, features, level);
  const written =
    options.out === undefined
      ? undefined
      : write(
          options.out,
          log,
          features!,
          { bias, ...(clip && { clip }), ...(by && { by }), ...(unseen && { unseen }), ...(labelStep && { labelStep }) },
          quiet,
        );
  if (options.json) return printJson(jsonOf(log, bias, level, written));
  const table = tableOf(bias);
  if (options.csv) return printRaw(csvText(table));
  print(`method  ${bias.method}${bias.tried ? ", which predicts held-out clicks best" : ""}\n\n${tableText(table)}`);
  if (bias.tried && !quiet)
    notice(
      `log-likelihood of a held-out impression: ${bias.tried.map((one) => `${one.method} ${figure(one.logLikelihood)}`).join(", ")}`,
    );
  if (bias.afterClick !== undefined)
    print(`\nthe next document is examined with probability ${figure(bias.proceed!)}, after a click ${figure(bias.afterClick)}`);
  if (written)
    print(
      `\nThe training data, ${counted(written.lists, "list")} of ${counted(written.items, "document")}, are in ${options.out}.`,
    );
}

/** The file of weights beside the output is read with it: it must be none of the inputs, and none that is left from before. */
function checkWeights(out: string, by: string | undefined, reads: readonly string[]): void {
  const path = `${out}${WEIGHT_ENDING}`;
  checkDistinct(reads, [{ what: "--out, weights", path }]);
  if (by === "impression") checkWritable(path);
  else if (existsSync(path))
    throw new InputError(`${path}: this file would be read with ${out}, which needs no weights; remove it`);
}

function choice<T extends string>(name: string, text: string | undefined, words: readonly T[]): T | undefined {
  const found = words.find((word) => word === text);
  if (text !== undefined && !found) throw new InputError(`--${name}: expected ${words.join(" or ")}, got ${quote(text)}`);
  return found;
}

function stepOption(text: string | undefined): number | undefined {
  const step = text === undefined ? undefined : /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (step !== undefined && !(step > 0 && step <= 4))
    throw new InputError(`--label-step: expected a number above 0 and at most 4, got ${quote(text!)}`);
  return step;
}

const COLUMNS = ["query", "document", "position", "clicked", "impression", "dwell"] as const;

function columnsOf(options: Options, minDwell: number | undefined): ClickLogOptions {
  const given = COLUMNS.flatMap((column) => {
    const name = options[column];
    if (name === "") throw new InputError(`--${column}: expected the name of a column, got an empty one`);
    return name === undefined ? [] : [[column, name]];
  });
  const columns = Object.fromEntries(given) as ClickLogOptions;
  return { ...columns, ...(minDwell !== undefined && { minDwell }), ...skippedLines(options) };
}

/** Features, in columns named as in the log. */
const loadFeatures = (files: readonly string[], { query, document, ignore }: Options, quiet: boolean): Promise<Dataset> =>
  load(files, {
    reading: {
      ...(query !== undefined && { qid: query }),
      ...(document !== undefined && { id: document }),
      ...(ignore !== undefined && { ignore: ignore.split(",").map((name) => name.trim()) }),
    },
    ...{ quiet, labels: "optional" },
  }).catch((error) => {
    throw withoutSkipping(error); // the option skips lines of the log
  });

function write(
  path: string,
  log: ClickLog,
  features: Dataset,
  options: Parameters<typeof clickData>[2],
  quiet: boolean,
): { lists: number; items: number; unknown: number; leftOut: number } {
  const { data, unknown, leftOut } = clickData(log, features, options);
  const { rows, weights } = rowsText(data);
  writeDurably(path, rows);
  if (weights !== undefined) writeDurably(`${path}${WEIGHT_ENDING}`, weights);
  if (!quiet && unknown > 0) notice(`left out: ${counted(unknown, "document")} of the log without features`);
  if (!quiet && leftOut > 0)
    notice(`left out: ${counted(leftOut, "impression")} without a click, or with fewer than two documents`);
  return { lists: data.starts.length - 1, items: data.labels.length, unknown, leftOut };
}

function tableOf({ positions, shown, clicks, propensities, low, high }: PositionBias) {
  const head = ["position", "shown", "clicks", "rate", "propensity", ...(low ? ["low", "high"] : [])];
  const rows = positions.map((name, k) => [
    ...[name, shown[k]!, clicks[k]!, clicks[k]! / shown[k]!, propensities[k]!],
    ...(low && high ? [low[k]!, high[k]!] : []),
  ]);
  return { head, rows };
}

function jsonOf(log: ClickLog, bias: PositionBias, level: number, written: object | undefined) {
  const { method, positions, propensities, low, high, shown, clicks, compared, proceed, afterClick } = bias;
  return {
    ...{ method, level, impressions: log.query.length, queries: log.queries.length },
    positions: positions.map((position, k) => ({
      ...{ position, shown: shown[k], clicks: clicks[k], propensity: propensities[k] },
      ...(low && high && { low: low[k], high: high[k] }),
      ...(compared && { compared: compared[k] }),
    })),
    ...(afterClick !== undefined && { proceed, afterClick }),
    ...(bias.tried && { tried: bias.tried }),
    ...(written && { training: written }),
  };
}
