/** `tierwise report`: writes an HTML report on a model. */
import type { Command } from "commander";
import { writeDurably } from "../formats/durable.ts";
import type { ModelFile } from "../formats/models/native.ts";
import { textOfSmall } from "../formats/small-files.ts";
import { parseHistory } from "../history.ts";
import { InputError } from "../input-error.ts";
import { metricList } from "../metrics/index.ts";
import { plotter } from "../report/plotter.ts";
import { type ReportOptions, report } from "../report/report.ts";
import type { Dataset, Metric, Model } from "../types.ts";
import { addBiasOption, type BiasFlags, biasMethod, biasOf, checkNoClicks, loadClicks } from "./click-input.ts";
import { commandText, trainingWords } from "./command-text.ts";
import { shortFileNames } from "./file-names.ts";
import { FileOption } from "./files.ts";
import { checkReadable } from "./load.ts";
import { addCommonOptions, addReadingOptions, readingOptions, unknownFeatures, wholeNumber } from "./options.ts";
import { notice, print, printJson } from "./output.ts";
import { addTransformCode, metricsFrom, readModelWith } from "./own-code.ts";
import { loadForModel, type ScoringOptions, scoringOptions } from "./scoring-input.ts";
import { versionOf } from "./version.ts";

interface Options extends ScoringOptions, BiasFlags {
  readonly clicks?: readonly string[];
  readonly train?: readonly string[];
  readonly against?: readonly string[];
  readonly history?: string;
  readonly metrics?: string;
  readonly out: string;
  readonly seed?: string;
}

export function reportCommand(program: Command): void {
  const command = program
    .command("report")
    .summary("write an HTML report on a model")
    .description(
      "Writes a self-contained HTML report on a model: its training, metrics with intervals next to baselines and other models, lists, features, tiers, and the commands to reproduce it.",
    )
    .argument("<model>", "model file")
    .argument("[files...]", "evaluation data; without them the report only describes the model")
    .addOption(new FileOption("-o, --out <file>", "output file", "writes").default("report.html"))
    .addOption(
      new FileOption(
        "--train <files...>",
        "the training data, for learning curves and for choosing the best single feature",
        "reads data",
      ),
    )
    .addOption(new FileOption("--against <models...>", "other model files to compare with", "reads"))
    .addOption(new FileOption("--history <file>", "file written by train --history, for learning curves", "reads"))
    .addOption(
      new FileOption("--clicks <files...>", "logs of clicks, whose position bias is drawn (see tierwise clicks)", "reads"),
    )
    .option("-m, --metrics <metrics>", "figures show the first one (default: depends on the kind of data)")
    .option("--seed <number>", "random seed of the bootstrap resamples (default: 1)");
  addBiasOption(command);
  addReadingOptions(addCommonOptions(addTransformCode(command))).action((model: string, files: string[]) =>
    run(command, model, files),
  );
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  const options = scoringOptions<Options>(command, path, files);
  const quiet = options.quiet ?? false;
  const seed = wholeNumber("seed", options.seed, 0) ?? 1;
  const requestedMetrics = options.metrics === undefined ? undefined : await metricsFrom(options.metrics);
  readingOptions({ ...options }); // wrong values are errors also where no data are read
  unknownFeatures(options);
  await checkDrawing();
  const file = await readModelWith(path, options);
  const otherModels: ({ name: string } & ModelFile)[] = [];
  for (const name of options.against ?? []) otherModels.push({ name, ...(await readModelWith(name, options)) });
  if (otherModels.length > 0 && files.length === 0)
    throw new InputError("--against compares models on data, but no data files are given");
  if (options.train && files.length === 0)
    throw new InputError("--train needs data files to evaluate the model on, but none are given");
  biasMethod(options.bias);
  if (!options.clicks) checkNoClicks(options);
  const history = options.history === undefined ? undefined : parseHistory(textOf(options.history), options.history);
  await checkReadable([...files, ...(options.train ?? [])]);

  const data = files.length > 0 ? await loadForModel(path, file, files, options) : undefined;
  const train = options.train && (await loadForModel(path, file, options.train, options));
  const bias = options.clicks && biasOf(await loadClicks(options.clicks, {}, quiet, {}), options, data, 0.95);
  const against: { name: string; model: Model; data: Dataset }[] = [];
  for (const other of otherModels) {
    const { name, model } = other;
    const same = data && JSON.stringify(model.columns) === JSON.stringify(file.model.columns);
    against.push({ name, model, data: same ? data : await loadForModel(name, other, files, options, { quiet: true }) });
  }
  const commands = [
    commandText(trainingWords(path, file, options.train)),
    commandText([
      "report",
      path,
      ...files,
      ...(options.train ? ["--train", ...options.train] : []),
      ...(options.against ? ["--against", ...options.against] : []),
      ...(options.history === undefined ? [] : ["--history", options.history]),
      ...(options.clicks ? ["--clicks", ...options.clicks] : []),
      ...(options.bias === undefined ? [] : ["--bias", options.bias]),
      ...(options.metrics === undefined ? [] : ["--metrics", options.metrics]),
      ...(options.seed === undefined ? [] : ["--seed", options.seed]),
      ...["--out", options.out],
    ]),
  ];
  await writeReport(
    options.out,
    {
      ...{ name: path, file, metrics: requestedMetrics ?? defaultMetrics(data), commands, seed, version: versionOf() },
      ...(data ? { judged: { name: shortFileNames(files), data } } : {}),
      ...(train ? { train: { name: shortFileNames(options.train!), data: train } } : {}),
      ...(history ? { history } : {}),
      ...(bias ? { bias } : {}),
      against,
    },
    quiet,
  );
  if (options.json) printJson({ out: options.out });
  else print(`The report is in ${options.out}.`);
}

/** Refuses, before the work is done, a report for which a package is missing. */
export async function checkDrawing(): Promise<void> {
  await plotter();
}

export async function writeReport(path: string, options: ReportOptions, quiet: boolean): Promise<void> {
  if (!quiet) notice("Writing the report ...");
  writeDurably(path, await report(options));
}

/** The default metrics of a report. */
export function defaultMetrics(data: Dataset | undefined): Metric[] {
  if (data?.labelSpaceSize !== undefined) return metricList("precision@1,precision@3,precision@5,ndcg@5,psp@5");
  if (data?.items) return metricList("kendall,spearman");
  return metricList("ndcg@10,ndcg@5,ndcg@1,map,mrr");
}

function textOf(path: string): string {
  try {
    return textOfSmall(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path}: the history cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
