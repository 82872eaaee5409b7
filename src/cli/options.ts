/** Options that several commands share, declared once. */
import { type Command, Option } from "commander";
import { type ReadOptions, readerFields, readOptions } from "../formats/data/index.ts";
import { Mistake, quote } from "../mistake.ts";
import { type Field, kebab } from "../part.ts";

export interface Common {
  readonly json?: true;
  readonly quiet?: true;
  readonly config?: string;
}

export const common = (command: Command): Command =>
  command
    .option("--json", "print the result as one line of JSON")
    .option("--quiet", "no progress and no remarks, only the result")
    .option("--config <file>", "settings as JSON or key=value lines; the command line counts more");

/** On the command line `--format` is how results are written; how data are read is `--data-format`. */
const nameOf = (key: string) => (key === "format" ? "dataFormat" : key);

/** Options of reading data, from the fields of the readers. */
export function reading(command: Command): Command {
  for (const [key, field] of Object.entries(readerFields) as [string, Field<unknown>][]) {
    const start = field.write(field.start);
    command.addOption(new Option(`--${kebab(nameOf(key))} <value>`, `${field.about}${start ? ` (default: ${start})` : ""}`));
  }
  return command.option("--unknown-features <what>", "features that the model does not know: error or ignore", "error");
}

/** The reading options that were given, by their names in code. */
export function givenReading(options: Readonly<Record<string, unknown>>): Partial<ReadOptions> {
  const given = Object.fromEntries(
    Object.keys(readerFields)
      .map((key) => [key, options[nameOf(key)]])
      .filter(([, value]) => value !== undefined),
  );
  readOptions(given as Partial<ReadOptions>); // says what is wrong with them
  return given as Partial<ReadOptions>;
}

export function unknownFeatures(options: { unknownFeatures?: string }): "error" | "ignore" {
  const { unknownFeatures = "error" } = options;
  if (unknownFeatures === "error" || unknownFeatures === "ignore") return unknownFeatures;
  throw new Mistake(`--unknown-features: expected error or ignore, got ${quote(unknownFeatures)}`);
}

/** A whole number from the command line. */
export function wholeNumber(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < least)
    throw new Mistake(`--${name}: expected a whole number of at least ${least}, got ${quote(text)}`);
  return number;
}
