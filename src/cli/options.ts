/** Options common to several commands. */
import { type Command, Option } from "commander";
import type { AlignOptions } from "../data/align.ts";
import { type ReadOptions, readerFields, readOptions } from "../formats/data/read-options.ts";
import type { Training } from "../formats/models/native.ts";
import { InputError, quote } from "../input-error.ts";
import { type Field, kebabCase } from "../part.ts";
import { FileOption } from "./file-option.ts";
import { addSqlOption } from "./sql-option.ts";

export interface Common {
  readonly json?: true;
  readonly quiet?: true;
  readonly config?: string;
}

/** Options of reading that concern more than the format. */
export interface ReadingFlags {
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

export const addCommonOptions = (command: Command): Command =>
  command
    .option("--json", "print the result as one line of JSON")
    .option("--quiet", "suppress progress and notices")
    .addOption(
      new FileOption("--config <file>", "read options from JSON or key=value lines; the command line takes precedence", "reads"),
    );

/** On the command line `--format` is how results are written; how data are read is `--data-format`. */
export const nameOf = (key: string) => (key === "format" ? "dataFormat" : key);

/** Second names of options, which say the same for a table of opinions. */
const OTHER_NAMES: Readonly<Record<string, string>> = { qid: "list", id: "item" };

/** What an option without a value does. */
const FLAGS: Readonly<Record<string, string>> = {
  header: "tables have no header: columns are numbered from 0, and the first is the label by default (csv, tsv)",
  joinLists: "lists of the same name in several files are one list, as of one table in parts",
  lowerIsBetter: "a lower label is better, as the position in a race is",
  higherIsBetter: 'a higher label is better, also in a column called "tier", where 1 is the best otherwise',
};

/** Options that name a table beside the data. Model files do not remember them. */
export const SIDE_TABLES: readonly string[] = ["items", "lists"];

/** Options of reading data, from the fields of the readers. */
export function addReadingOptions(command: Command): Command {
  for (const [key, field] of Object.entries(readerFields) as [string, Field<unknown>][]) {
    const start = field.write(field.default);
    const flag = typeof field.default === "boolean";
    const name = kebabCase(nameOf(key));
    const second = `--${OTHER_NAMES[key]}`;
    const isFree = key in OTHER_NAMES && !command.options.some(({ long }) => long === second); // what-if has an --item of its own
    const other = isFree ? `${second}, ` : "";
    const written = flag ? `--${field.default ? "no-" : ""}${name}` : `${other}--${name} <value>`;
    const about = `${FLAGS[key] ?? field.about}${start && !flag ? ` (default: ${start})` : ""}`;
    const option = SIDE_TABLES.includes(key) ? new FileOption(`--${name} <file>`, about, "reads") : new Option(written, about);
    if (Array.isArray(field.default))
      option.argParser((more: string, before?: string) => (before === undefined ? more : `${before},${more}`)); // given again, it adds
    command.addOption(option);
  }
  return addSqlOption(command)
    .option("--cache", "cache the parsed data in a binary file next to the data, and use it while they are unchanged")
    .option("--cache-dir <folder>", "like --cache, with the cache files in this folder")
    .option(
      "--unknown-features <what>",
      "features unknown to the model: error or ignore (default: ignore columns with a name, refuse numbered features)",
    );
}

/** The reading options that were given, by their names in code. */
export function readingOptions(options: Readonly<Record<string, unknown>>): Partial<ReadOptions> {
  const given = Object.fromEntries(
    Object.keys(readerFields)
      .map((key): [string, unknown] => [key, options[nameOf(key)]])
      .filter(([key, value]) => value !== undefined && !(key === "header" && value === true)),
  );
  for (const [key, value] of Object.entries(given)) {
    const field: Field<unknown> = readerFields[key as keyof ReadOptions];
    if (field.read(value) === undefined)
      throw new InputError(`--${kebabCase(nameOf(key))}: expected ${field.kind}, got ${quote(String(value))}`);
  }
  return given as Partial<ReadOptions>;
}

/** What a model file remembers of how its data were read: not the tables beside them, nor the lines above their headers. */
export const remembered = (reading: Partial<ReadOptions>): Partial<ReadOptions> =>
  Object.fromEntries(Object.entries(reading).filter(([key]) => !SIDE_TABLES.includes(key) && key !== "skipLines"));

/** The option of commands that read battles, rankings or logs. */
export const addSkipLines = (command: Command): Command =>
  command.option("--skip-lines <number>", `${readerFields.skipLines.about.replace(/ \(.*$/, "")} (default: 0)`);

/** What it says. */
export function skippedLines({ skipLines }: { readonly skipLines?: string }): { readonly skipLines?: number } {
  const count = wholeNumber("skip-lines", skipLines, 0);
  return count === undefined ? {} : { skipLines: count };
}

/** How the data of a model were read, which data to score are read like, unless the command line says otherwise. */
export function readingFromModel(
  path: string,
  { reading = {} }: Training,
  options: Readonly<Record<string, unknown>>,
): Partial<ReadOptions> {
  try {
    readOptions(reading as Partial<ReadOptions>);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${path}: the model file is damaged: ${error.message}`) : error;
  }
  const given = readingOptions(options);
  const { lowerIsBetter, higherIsBetter, labelOrder, labelLast, ...others } = reading as Partial<ReadOptions>;
  const isGiven = given.lowerIsBetter || given.higherIsBetter || given.labelOrder !== undefined;
  const direction = isGiven ? {} : { lowerIsBetter, higherIsBetter, ...(given.labelLast === undefined && { labelOrder }) };
  const last = given.labelOrder === undefined ? { labelLast } : {}; // these two exclude each other
  const known = Object.entries({ ...direction, ...last }).filter(([, value]) => value !== undefined);
  return { ...others, ...Object.fromEntries(known), ...given };
}

/** Where to keep what was read, if at all. */
export const cacheOf = ({ cache, cacheDir }: ReadingFlags): boolean | string => cacheDir ?? cache ?? false;

/** What features are that a model does not know, as the option of code that leaves it to the default if it was not given. */
export function unknownFeatures({ unknownFeatures: given }: ReadingFlags): AlignOptions {
  if (given === undefined) return {};
  if (given === "error" || given === "ignore") return { unknownFeatures: given };
  throw new InputError(`--unknown-features: expected error or ignore, got ${quote(given)}`);
}

/** An error about a file whose lines the command cannot skip. */
export const withoutSkipping = (error: unknown): unknown =>
  error instanceof InputError
    ? new InputError(error.message.replace(/: --skip-lines \d+$/, ": remove the lines above it"))
    : error;

/** A whole number from the command line. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    const range = number > most || most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`;
    throw new InputError(`--${name}: expected a whole number ${range}, got ${quote(text)}`);
  }
  return number;
}

/** The fraction that --hold-out gives as 0.25 or 25%. */
export function heldOutShare(text: string): number {
  const percent = /^\s*([^\s%]+)\s*%\s*$/.exec(text)?.[1];
  const fraction = percent === undefined ? Number(text) : Number(percent) / 100;
  if (!(fraction > 0 && fraction < 1))
    throw new InputError(`--hold-out: expected a fraction between 0 and 1, such as 0.25 or 25%, got ${quote(text)}`);
  return fraction;
}
