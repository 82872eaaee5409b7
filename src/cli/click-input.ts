/** What the commands that read a log of clicks have in common: the columns of the log, the estimate of its bias, and notices. */
import type { Command } from "commander";
import type { ClickLog } from "../clicks/click-log.ts";
import { readClickFiles } from "../formats/data/click-log-files.ts";
import type { ClickLogOptions, PreferredColumns } from "../formats/data/click-log-parser.ts";
import { shownPaths } from "../formats/data/columnar/query-path.ts";
import { InputError, quote } from "../input-error.ts";
import { type BiasMethod, biasMethods, type PositionBias, positionBias } from "../position-bias.ts";
import type { Dataset } from "../types.ts";
import { withoutSkipping } from "./options.ts";
import { notice } from "./output.ts";
import { progress } from "./progress.ts";

/** Options of the estimate. */
export interface BiasFlags {
  readonly bias?: string;
  readonly clip?: string;
}

export const addBiasOption = (command: Command): Command =>
  command.option(
    "--bias <method>",
    "how position bias is estimated: harvest, cascade, em, pairwise, or auto, the one that predicts held-out clicks best (default: auto)",
  );

export const addClipOption = (command: Command, start: number): Command =>
  command.option("--clip <number>", `largest inverse propensity (default: ${start})`);

export function biasMethod(text: string | undefined): BiasMethod | "auto" | undefined {
  const words = ["auto", ...biasMethods] as const;
  const found = words.find((method) => method === text);
  if (text !== undefined && !found) throw new InputError(`--bias: expected one of ${words.join(", ")}, got ${quote(text)}`);
  return found;
}

/** A number of the command line, at least `least`. */
export function numberOption(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d*\.?\d+(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && Number.isFinite(value)))
    throw new InputError(`--${name}: expected a number of at least ${least}, got ${quote(text)}`);
  return value;
}

export function levelOption(text: string | undefined): number {
  const level = text === undefined ? 0.95 : /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(level > 0 && level < 1)) throw new InputError(`--level: expected a fraction between 0 and 1, got ${quote(text!)}`);
  return level;
}

/** Logs may name queries and documents as the data do. */
export const columnsLike = ({ qid = "", id = "" }: { readonly qid?: string; readonly id?: string }): PreferredColumns => ({
  ...(qid !== "" && { query: qid }),
  ...(id !== "" && { document: id }),
});

export async function loadClicks(
  files: readonly string[],
  columns: ClickLogOptions,
  quiet: boolean,
  prefer?: PreferredColumns,
): Promise<ClickLog> {
  const bar = progress("Reading", quiet);
  const report = (read: number, total: number) => bar.at(read / total, `${(read / 1e6).toFixed(1)} MB`);
  const log = await readClickFiles(files, { ...columns, progress: report }, prefer)
    .finally(() => bar.done())
    .catch((error) => {
      throw prefer ? withoutSkipping(error) : error; // beside data, whose lines the option skips
    });
  const clicks = log.clicked.reduce((sum, one) => sum + one, 0);
  if (!quiet)
    notice(
      `${shownPaths(files)}: ${clicks} clicks on ${log.query.length} impressions of ${log.queries.length} queries, ${log.positions.length} positions`,
    );
  return log;
}

/** The bias of a log, with errors in words of the command line. */
export function biasOf(log: ClickLog, options: BiasFlags, features: Dataset | undefined, level: number): PositionBias {
  const method = biasMethod(options.bias);
  try {
    return positionBias(log, { level, ...(method && { method }), ...(features && { features }) });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const text = error.message
      .replace(/^positionBias: /, "")
      .replace("use em, with features of the documents", "use --bias em with --features FILES")
      .replace(
        /^the method (\w+) needs features of the documents/,
        "--bias $1 needs features of the documents: --features FILES",
      );
    throw new InputError(text);
  }
}

/** Refuses options of a log where there is none. */
export function checkNoClicks({ bias, clip }: BiasFlags): void {
  const [name] = Object.entries({ bias, clip }).find(([, value]) => value !== undefined) ?? [];
  if (name) throw new InputError(`--${name} is about a log of clicks; name one with --clicks`);
}
