/** Options and output of `rank --probabilities`. */
import type { Command } from "commander";
import { forSpreadsheet } from "../data/names.ts";
import { InputError, quote } from "../input-error.ts";
import { objective } from "../objectives/index.ts";
import type { RankedProbabilities } from "../probabilities.ts";
import { wholeNumber } from "./options.ts";
import {
  jsonLayout,
  type RankColumn,
  type RankLayouts,
  rankColumns,
  rankFormat,
  type TextLayout,
  tsvSpelling,
} from "./rank-output.ts";

interface Options {
  readonly json?: true;
  readonly format?: string;
  readonly out?: string;
  readonly within: string;
  readonly temperature: string;
  readonly pairs?: true;
  readonly exact?: string;
  readonly draws?: string;
  readonly seed?: string;
}

const FORMATS: readonly string[] = ["tsv", "csv", "jsonl", "parquet"];

/** Probabilities are a table between tabs, or what an option or the ending of the file says. */
export function probabilityFormat({ json, format, out }: Options): string {
  const name = json ? "jsonl" : rankFormat(format, out);
  if (FORMATS.includes(name)) return name;
  if (format === undefined && name === "trec" && !/\.(run|trec)(\.gz)?$/i.test(out ?? "")) return "tsv"; // no format was asked for
  throw new InputError(
    `--probabilities can be written as tsv, csv, jsonl or parquet, but the format ${quote(name)} cannot contain them`,
  );
}

export function probabilityOptions(options: Options) {
  const machine = probabilityFormat(options) === "jsonl";
  if (options.pairs && !machine) throw new InputError("--pairs needs --json, because it adds a matrix to each list");
  const places = [...new Set(options.within.split(",").map((one) => wholeNumber("within", one.trim(), 1)!))];
  const temperature = Number(options.temperature);
  if (!(temperature > 0 && temperature < Infinity))
    throw new InputError(`--temperature: expected a number above 0, got ${quote(options.temperature)}`);
  const exact = wholeNumber("exact", options.exact, 0);
  const draws = wholeNumber("draws", options.draws, 100);
  const seed = wholeNumber("seed", options.seed, 0);
  return {
    ...{ places, temperature, pairs: options.pairs ?? false },
    ...(exact === undefined ? {} : { exact }),
    ...(draws === undefined ? {} : { draws }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** Refuses options of computing probabilities without --probabilities. */
export function refuseChances(command: Command): void {
  for (const name of ["within", "temperature", "pairs", "exact", "draws", "seed"])
    if (command.getOptionValueSource(name) === "cli")
      throw new InputError(`--${name} is an option of --probabilities, which is not given`);
}

export const NO_LIKELIHOOD =
  "which is not a likelihood of whole lists: interpret the probabilities with caution, or fit a --temperature (evaluate --calibration)";

/** Whether scores under an objective are log-worths of a probability model. An objective that is not known here is believed. */
export function isLikelihood(text: string): boolean {
  try {
    return objective(text).likelihood !== undefined;
  } catch (error) {
    if (error instanceof InputError) return true;
    throw error;
  }
}

type Item = RankedProbabilities["items"][number];
type Columns = readonly RankColumn<RankedProbabilities>[];

/** How probabilities are written: for people between tabs, with few digits, and otherwise with all of them, each number in a column of its own. */
export function probabilityLayouts(places: readonly number[]): RankLayouts<RankedProbabilities> {
  const chances: Columns = [
    { name: "P(first)", kind: "number", of: (_, { first }) => first },
    ...places.map((k) => ({ name: `P(top ${k})`, kind: "number" as const, of: (_: string, { within }: Item) => within[k]! })),
  ];
  const columns: Columns = [
    ...rankColumns,
    ...chances,
    { name: "expected rank", kind: "number", of: (_, { expected }) => expected },
    { name: "90 % of ranks from", kind: "whole", of: (_, { interval }) => interval[0] },
    { name: "90 % of ranks to", kind: "whole", of: (_, { interval }) => interval[1] },
  ];
  const row = (list: string, item: Item) => {
    const { id, rank, score, expected, interval: [low, high] } = item; // biome-ignore format: one line
    const shown = chances.map(({ of }) => (of(list, item) as number).toFixed(4));
    return [forSpreadsheet(list), rank, forSpreadsheet(id), score, ...shown, expected.toFixed(2), `${low}-${high}`];
  };
  const head = [...rankColumns, ...chances].map(({ name }) => name);
  const tsv: TextLayout<RankedProbabilities> = {
    head: `${[...head, "expected rank", "90 % of ranks"].join("\t")}\n`,
    spelling: tsvSpelling,
    lines: ({ list, items }) => items.map((item) => `${row(list, item).join("\t")}\n`).join(""),
  };
  return { columns, text: { tsv, jsonl: jsonLayout } };
}
