/** Options and output of `rank --probabilities`. */
import type { Command } from "commander";
import { forSpreadsheet, oneCell } from "../data/names.ts";
import { InputError, quote } from "../input-error.ts";
import { objective } from "../objectives/index.ts";
import type { RankedProbabilities } from "../probabilities.ts";
import { wholeNumber } from "./options.ts";
import { rankFormat } from "./rank-output.ts";

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

/** Probabilities are a table between tabs, or JSON lines where an option or the ending of the file says so. */
export function probabilityFormat({ json, format, out }: Options): "tsv" | "jsonl" {
  const name = json ? "jsonl" : rankFormat(format, out);
  if (name === "tsv" || name === "jsonl") return name;
  if (format === undefined && name === "trec" && !/\.(run|trec)(\.gz)?$/i.test(out ?? "")) return "tsv"; // no format was asked for
  throw new InputError(`--probabilities can be written as tsv or jsonl, but the format ${quote(name)} cannot contain them`);
}

export function probabilityOptions(options: Options) {
  const machine = probabilityFormat(options) === "jsonl";
  if (options.pairs && !machine) throw new InputError("--pairs needs --json, because it adds a matrix to each list");
  const places = options.within.split(",").map((one) => wholeNumber("within", one.trim(), 1)!);
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

export const probabilityHeader = (places: readonly number[]) =>
  `${["list", "rank", "item", "score", "P(first)", ...places.map((k) => `P(top ${k})`), "expected rank", "90 % of ranks"].join("\t")}\n`;

export const probabilityRows = ({ list, items }: RankedProbabilities) =>
  items
    .map(({ id, rank, score, first, within, expected, interval: [low, high] }) => {
      const chances = [first, ...Object.values(within)].map((one) => one.toFixed(4));
      return `${[forSpreadsheet(oneCell(list)), rank, forSpreadsheet(oneCell(id)), score, ...chances, expected.toFixed(2), `${low}-${high}`].join("\t")}\n`;
    })
    .join("");
