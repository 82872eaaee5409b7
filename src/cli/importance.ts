/** `tierwise importance`: permutation importance of features. */
import type { Command } from "commander";
import { counted } from "../counted.ts";
import { listName } from "../data/names.ts";
import { subset } from "../data/subset.ts";
import { InputError, quote } from "../input-error.ts";
import { columnName } from "../models/shared/columns.ts";
import { type FeatureImportance, permutationImportance } from "../permutation-importance.ts";
import { listNamed } from "./list-choice.ts";
import { addCommonOptions, addReadingOptions, wholeNumber } from "./options.ts";
import { print, printJson, tableText } from "./output.ts";
import { addTransformCode, metricsFrom, readModelWith } from "./own-code.ts";
import { progress } from "./progress.ts";
import { loadForModel, type ScoringOptions, scoringOptions } from "./scoring-input.ts";

interface Options extends ScoringOptions {
  readonly metric: string;
  readonly repeats: string;
  readonly shuffle: string;
  readonly query?: string;
  readonly perList?: true;
  readonly top: string;
  readonly seed: string;
}

export function importanceCommand(program: Command): void {
  const command = program
    .command("importance")
    .summary("measure what each feature is worth to a model")
    .description(
      "Permutation importance: what a metric loses on judged lists when the values of one feature change places, for every feature, with standard errors over lists.",
    )
    .argument("<model>", "model file")
    .argument("<files...>", "data files; - is standard input")
    .option("-m, --metric <metric>", "metric whose loss is measured (tierwise list metrics)", "ndcg@10")
    .option("--repeats <number>", "shuffles of each feature", "5")
    .option("--shuffle <where>", "list or data: values change places within each list, or over all items", "list")
    .option("--query <id>", "one list only, by its id")
    .option("-q, --per-list", "also print the loss of every list")
    .option("--top <number>", "number of features to show", "20")
    .option("--seed <number>", "random seed of the shuffles", "1");
  addReadingOptions(addCommonOptions(addTransformCode(command))).action((model: string, files: string[]) =>
    run(command, model, files),
  );
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  const options = scoringOptions<Options>(command, path, files);
  const top = wholeNumber("top", options.top, 1)!;
  const repeats = wholeNumber("repeats", options.repeats, 1)!;
  const seed = wholeNumber("seed", options.seed, 0)!;
  const { shuffle } = options;
  if (shuffle !== "list" && shuffle !== "data") throw new InputError(`--shuffle: expected list or data, got ${quote(shuffle)}`);
  const [metric, ...others] = await metricsFrom(options.metric);
  if (!metric || others.length > 0) throw new InputError(`--metric: expected one metric, got ${quote(options.metric)}`);
  const file = await readModelWith(path, options);
  const all = await loadForModel(path, file, files, options);
  const data = options.query === undefined ? all : subset(all, Uint32Array.of(listNamed(all, options.query)));
  const bar = progress("Shuffling", options.quiet ?? false);
  const result = permutationImportance(file.model, data, {
    ...{ metric, repeats, shuffle, seed },
    progress: (done, of) => bar.at(done / of, `${done} of ${of} features`),
  });
  bar.done();
  const name = ({ feature }: FeatureImportance) => columnName(result.columns, feature);
  const sorted = [...result.features].sort((a, b) => b.mean - a.mean || a.feature - b.feature);
  const lists = Array.from({ length: data.starts.length - 1 }, (_, q) => listName(data, q));
  if (options.json)
    return printJson({
      ...{ metric: metric.spec, value: result.value, lists: lists.length, shuffle, repeats, seed },
      features: sorted.map((one) => ({
        ...{ feature: name(one), loss: one.mean, error: one.error },
        ...(options.perList ? { lists: Object.fromEntries(lists.map((list, q) => [list, one.lists[q]!])) } : {}),
      })),
    });
  const shown = sorted.slice(0, top);
  print(
    tableText({
      head: ["feature", `loss of ${metric.spec}`, "standard error"],
      rows: shown.map((one) => [name(one), one.mean, one.error]),
    }),
  );
  const more = sorted.length > shown.length ? `; ${counted(sorted.length - shown.length, "more feature")} (--top)` : "";
  print(`${metric.spec} is ${result.value.toFixed(4)} over ${counted(lists.length, "list")}${more}`);
  if (options.perList)
    print(
      `\n${tableText({ head: ["list", ...shown.map(name)], rows: lists.map((list, q) => [list, ...shown.map((one) => one.lists[q]!)]) })}`,
    );
}
