/** `tierwise compare-ties`: compares treatments of ties on held-out ballots. */
import type { Command } from "commander";
import { compareTies, TIE_TREATMENTS } from "../compare-ties.ts";
import { InputError, quote } from "../input-error.ts";
import { checkFiles } from "./files.ts";
import { load } from "./load.ts";
import {
  addCommonOptions,
  addReadingOptions,
  type Common,
  cacheOf,
  readingOptions,
  unknownFeatures,
  wholeNumber,
} from "./options.ts";
import { print, printJson, tableText } from "./output.ts";
import { applyConfigStrictly } from "./settings.ts";

interface Options extends Common {
  readonly objectives: string;
  readonly parts?: string;
  readonly ghost?: string;
  readonly seed?: string;
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

export function compareTiesCommand(program: Command): void {
  const command = program
    .command("compare-ties")
    .summary("compare treatments of ties on held-out ballots")
    .description(
      "Fits utilities to ballots under several objectives, each time without one part of the voters, and evaluates the fits on that part.",
    )
    .argument("<files...>", "ballot files")
    .option("--objectives <names>", "comma-separated objectives (tierwise list objectives)", TIE_TREATMENTS.join(","))
    .option("--parts <number>", "number of parts that voters are split into", "5")
    .option("--ghost <times>", "prior: wins and losses of each item against a ghost item", "0.5")
    .option("--seed <number>", "random seed of the parts (default: 1)");
  addReadingOptions(addCommonOptions(command)).action((files: string[]) => run(command, files));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  checkFiles(command, { data: [files] });
  const options = command.opts<Options>();
  const parts = wholeNumber("parts", options.parts, 2) ?? 5;
  const ghost = Number(options.ghost ?? 0.5);
  if (!(ghost > 0)) throw new InputError(`--ghost: expected a number above 0, got ${quote(options.ghost ?? "")}`);
  const seed = wholeNumber("seed", options.seed, 0) ?? 1;
  unknownFeatures(options); // means nothing here, but a wrong value is an error everywhere
  const how = { reading: readingOptions({ ...options }), quiet: options.quiet ?? false, cache: cacheOf(options) };
  const data = await load(files, how);
  if (!data.items) throw new InputError(`${files[0]}: expected ballots, got rows with features`);
  const objectives = options.objectives.split(",").map((one) => one.trim());
  const found = compareTies(data, { objectives, parts, ghost, seed });
  if (options.json) return printJson({ parts, ghost, seed, treatments: found });
  const best = (values: readonly number[]) => Math.max(...values.filter((value) => !Number.isNaN(value)));
  const [tiers, pairs] = [best(found.map((one) => one.tiers)), -best(found.map((one) => -one.pairs))];
  const rows = found.map((one) => [
    one.objective,
    one.ties,
    Number.isNaN(one.own) ? "-" : one.own.toFixed(4),
    `${one.tiers.toFixed(4)}${one.tiers === tiers ? " *" : ""}`,
    `${one.pairs.toFixed(4)}${one.pairs === pairs ? " *" : ""}`,
  ]);
  print(
    tableText({ head: ["objective", "a tie is", "own log-likelihood", "log-likelihood of tiers", "-log P of a pair"], rows }),
  );
  print(
    `\nMeans over held-out ballots, ${parts} parts, ghost=${ghost}; * marks the best. Own log-likelihoods are comparable only between objectives that treat ties alike.`,
  );
}
