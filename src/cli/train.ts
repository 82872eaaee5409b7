/** `tierwise train`: trains a model and writes a model file. */
import type { Command } from "commander";
import { alignItems } from "../data/ballots.ts";
import { split } from "../data/split.ts";
import { type Fitted, PATIENCE } from "../fit.ts";
import { writeAtomically, writeModel } from "../formats/models/files.ts";
import type { ModelFile, Training } from "../formats/models/native.ts";
import { serializeHistory } from "../history.ts";
import { InputError, quote } from "../input-error.ts";
import { metricNames } from "../metrics/index.ts";
import { columnsOf } from "../models/shared/columns.ts";
import { roundsText, stopOnFor } from "../stop-on.ts";
import { cores, MOST } from "../teams/threads.ts";
import { train } from "../train.ts";
import type { Dataset, Metric, Objective } from "../types.ts";
import { chooseForBallots, filesAndSettings, OBJECTIVE, objectiveOf, resolveModel } from "./choose.ts";
import { commandText, readingWords } from "./command-text.ts";
import { checkFiles, FileOption } from "./files.ts";
import { checkReadable, load } from "./load.ts";
import {
  addCommonOptions,
  addReadingOptions,
  type Common,
  cacheOf,
  readingOptions,
  unknownFeatures,
  wholeNumber,
} from "./options.ts";
import { descriptionText, figure, notice, print, printJson, tableText } from "./output.ts";
import {
  addStopOn,
  addTransform,
  isModulePath,
  metricsFrom,
  pathAndOptions,
  readModelWith,
  stopOnFrom,
  transformFrom,
} from "./own-code.ts";
import { progress } from "./progress.ts";
import { checkDrawing, defaultMetrics, shortFileNames, versionOf, writeReport } from "./report.ts";
import { applyConfig, applySettings } from "./settings.ts";

interface Options extends Common {
  readonly valid?: readonly string[];
  readonly holdOut?: string;
  readonly init?: string;
  readonly model: string;
  readonly objective: string;
  readonly transform?: string;
  readonly optimizer?: string;
  readonly metrics: string;
  readonly stopOn?: string;
  readonly patience?: string;
  readonly out?: string;
  readonly report?: string;
  readonly history?: string;
  readonly seed?: string;
  readonly threads?: string;
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

export function trainCommand(program: Command): void {
  const command = program
    .command("train")
    .summary("train a ranking model on judged lists")
    .description(
      "Trains a model on lists of judged items. FILES are data files and settings of the model or objective, such as l2=0.1.",
    )
    .argument("<files...>", "data files, read one after another; - is standard input")
    .addOption(
      new FileOption(
        "--valid <files...>",
        "validation data, used to keep the best round and for early stopping (of utilities by newton, the converged fit)",
        "reads data",
      ),
    )
    .option("--hold-out <fraction>", "fraction of the lists or voters to hold out as validation data, chosen at random")
    .addOption(new FileOption("--init <model>", "model file to continue training from (trees)", "reads"))
    .option("--model <model>", "model (tierwise list models); for ballots the default is utilities", "linear")
    .option("--objective <objective>", "objective (tierwise list objectives), or a module that exports one", OBJECTIVE)
    .option("--optimizer <optimizer>", "optimizer (tierwise list optimizers)")
    .option("--metrics <metrics>", "validation metrics (tierwise list metrics)", "ndcg@10")
    .option("--patience <rounds>", `stop after this many rounds without improvement, 0 for never (default: ${PATIENCE})`)
    .addOption(new FileOption("--out <file>", "model file to write", "writes"))
    .addOption(
      new FileOption(
        "--report <file>",
        "HTML report on the model, evaluated on the validation data (see tierwise report)",
        "writes",
      ),
    )
    .addOption(new FileOption("--history <file>", "cost and validation metrics of every round, as JSON", "writes"))
    .option("--seed <number>", "random seed (default: 1)")
    .option("--threads <number>", `number of threads; does not affect the result (default: all cores)`);
  addReadingOptions(addCommonOptions(addTransform(addStopOn(command)))).action((files: string[], _options: Options) =>
    run(command, files),
  );
}

async function run(command: Command, words: readonly string[]): Promise<void> {
  const { files, inline } = filesAndSettings("train", words);
  const fromFile = applyConfig(command);
  const say = command.opts<Options>().quiet ? () => {} : notice;
  const settings = new Map([...fromFile, ...applySettings(command, inline, say)]);

  const readers = readingOptions(command.opts());
  const preferences = await chooseForBallots(command, files, readers.format);
  const options = command.opts<Options>();
  const quiet = options.quiet ?? false;
  const chosen = await resolveModel(options, settings, new Set(inline.keys()), say);
  const { model } = chosen;
  const metrics = await metricsFrom(options.metrics);
  const stopOn = stopOnFrom(options.stopOn, options.metrics, metrics);
  const transform = await transformFrom(options.transform);
  const seed = wholeNumber("seed", options.seed, 0) ?? 1;
  const requestedThreads = wholeNumber("threads", options.threads, 1, MOST);
  const patience = wholeNumber("patience", options.patience, 0);
  const fraction = options.holdOut === undefined ? undefined : Number(options.holdOut);
  if (fraction !== undefined && !(fraction > 0 && fraction < 1))
    throw new InputError(`--hold-out: expected a fraction between 0 and 1, such as 0.25, got ${quote(options.holdOut!)}`);
  if (fraction !== undefined && options.valid)
    throw new InputError("--hold-out and --valid both define the validation data; give one of them");
  const unknown = unknownFeatures(options);
  checkFiles(command, { data: [files] });
  if (options.report !== undefined) await checkDrawing();
  const init = options.init === undefined ? undefined : (await readModelWith(options.init, options)).model;
  await checkReadable([...files, ...(options.valid ?? [])]);

  const begun = performance.now();
  const how = { reading: readers, quiet, threads: requestedThreads, cache: cacheOf(options) };
  const all = await load(files, init ? { ...how, columns: init.columns, unknown } : how);
  const [data, kept] = fraction === undefined ? [all] : (split(all, [1 - fraction, fraction], seed) as [Dataset, Dataset]);
  const held = kept ?? (options.valid && (await load(options.valid, { ...how, columns: columnsOf(data), unknown })));
  const { items } = data.names;
  const valid = held && items && data.labelSpaceSize === undefined && held !== kept ? alignItems(held, items) : held;
  const threads = requestedThreads ?? (preferences && data.labels.length < FEW ? 1 : cores());
  const objective = objectiveOf(command, data, chosen, say);
  const chosenBy = stopOnFor("--stop-on", { stopOn, metrics, model, objective, valid })?.spec;
  const loaded = performance.now();

  const bar = progress("Training", quiet);
  const fitted = await train(data, {
    ...{ model, objective, metrics, seed, ...(transform && { transform }), threads },
    ...(init ? { init } : {}),
    ...(valid ? { valid } : {}),
    ...(stopOn === undefined ? {} : { stopOn }),
    ...(patience === undefined ? {} : { patience }),
    onProgress: (fraction) => bar.steady(fraction),
    onRound({ round, cost, metrics: values, criterion }) {
      const parts = Object.entries({ ...values, ...criterionOf(chosenBy, values, criterion) }).map(
        ([name, value]) => ` valid ${name} ${figure(value)}`,
      );
      if (!bar.isSteady())
        bar.at(model.rounds ? Math.min(1, round / model.rounds) : 0, `[${round}]${parts.join("")} cost ${figure(cost)}`);
      if (round <= 10 || round % 10 === 0) bar.line(`[${round}]${parts.join("")} cost ${figure(cost)}`);
    },
  });
  bar.done();
  const done = performance.now();
  if (!quiet && costUnchanged(fitted))
    notice(`The cost was the same in all ${fitted.rounds} rounds: nothing was learned. ${UNCHANGED_HINT}`);
  if (!quiet && model.id === "linear" && objective.likelihood && perfectlySeparated(fitted))
    notice("The lists are separated perfectly, so the weights grow without bound; try --model linear:l2=0.1.");

  const training: Training = { ...fitted.training, reading: readers };
  if (options.out !== undefined) writeModel(options.out, { model: fitted.model, training, metrics: fitted.best.metrics });

  if (options.history !== undefined) writeAtomically(options.history, serializeHistory(fitted));
  if (options.report !== undefined) {
    const file: ModelFile = { model: fitted.model, training, metrics: fitted.best.metrics };
    const words = [
      ...[
        "train",
        ...files,
        "--model",
        model.spec,
        ...(model.cost ? [] : ["--objective", ownPath(options.objective, objective)]),
      ],
      ...(valid
        ? [
            "--metrics",
            metricNames(options.metrics).some(isModulePath) ? options.metrics : metrics.map(({ spec }) => spec).join(","),
          ]
        : []),
      ...["--seed", String(seed), ...readingWords(readers), ...restOf(options)],
    ];
    await reportOn(options.report, { file, fitted, files, options, data, valid, metrics, words, seed, quiet });
  }

  const seconds = { load: (loaded - begun) / 1000, train: (done - loaded) / 1000 };
  if (options.json) {
    const { rounds, best, cost } = training;
    const variants = Object.fromEntries(metrics.map(({ spec, variant }) => [spec, variant]));
    const result = {
      model: model.spec,
      objective: training.objective,
      rounds,
      best,
      ...(fitted.stopOn !== undefined && { stopOn: fitted.stopOn, criterion: fitted.best.criterion }),
      cost,
      metrics: fitted.best.metrics,
      ...(fitted.likelihood !== undefined && { likelihood: fitted.likelihood }),
      variants,
      seconds,
    };
    return printJson({ ...result, data: training.data, seed, threads, out: options.out ?? null });
  }
  print(report(fitted, training, seconds, valid !== undefined));
  if (preferences) print(`\n${descriptionText(fitted.model.describe(), 10)}\n`);
  for (const { spec, variant } of valid ? metrics : []) print(`${spec}: ${variant}`);
  print(options.out ? `The model is in ${options.out}.` : "The model was not saved; use --out FILE to save it.");
  if (options.report !== undefined) print(`The report is in ${options.report}.`);
  if (options.history !== undefined) print(`The history is in ${options.history}.`);
}

/** The value that chooses the best round, by its name, where it is none of the metrics. */
const criterionOf = (spec: string | undefined, metrics: Readonly<Record<string, number>>, value: number | undefined) =>
  spec === undefined || spec in metrics || value === undefined ? {} : { [spec]: value };

const UNCHANGED_HINT =
  "Either there are too few items for the minimum leaf size (try --model trees:min-items=2), or all labels of each list are equal.";

const costUnchanged = ({ history }: Fitted) =>
  history.length > 1 && history.every(({ cost }) => Math.abs(cost - history[0]!.cost) <= 1e-9 * Math.abs(cost));

/** A likelihood of order reaches zero only in the limit; a cost with a margin gets there with finite weights. */
const perfectlySeparated = ({ history }: Fitted) => history.length > 1 && history.at(-1)!.cost < 1e-6 * history[0]!.cost;

/** The objective as an argument that names it again. */
const ownPath = (given: string, objective: Objective) =>
  isModulePath(given) ? pathAndOptions(given.replace(/(\.[cm]?[jt]s)[:;].*$/, "$1"), objective) : objective.spec;

/** What else shapes a training, as words. */
const restOf = ({
  transform,
  valid,
  holdOut,
  init,
  stopOn,
  patience,
  unknownFeatures: unknown,
  out,
  report: page,
}: Options): string[] => [
  ...(valid ? ["--valid", ...valid] : []),
  ...Object.entries({
    "--transform": transform,
    "--hold-out": holdOut,
    "--init": init,
    "--stop-on": stopOn,
    "--patience": patience,
    "--out": out,
    "--report": page,
  }).flatMap(([option, value]) => (value === undefined ? [] : [option, value])),
  ...(unknown === "ignore" ? ["--unknown-features", "ignore"] : []),
];

interface Trained {
  readonly file: ModelFile;
  readonly fitted: Fitted;
  readonly files: readonly string[];
  readonly options: Options;
  readonly data: Dataset;
  readonly valid: Dataset | undefined;
  readonly metrics: readonly Metric[];
  readonly words: readonly string[];
  readonly seed: number;
  readonly quiet: boolean;
}

/** The page about what was just trained, judged on the validation data, or else on the training data with a caution. */
async function reportOn(path: string, { file, fitted, files, options, data, valid, metrics, words, seed, quiet }: Trained) {
  const train = { name: shortFileNames(files), data };
  const held = options.valid ? shortFileNames(options.valid) : `${train.name}, held out`;
  const defaults = defaultMetrics(data);
  const wanted = valid ? [...metrics, ...defaults.filter(({ spec }) => metrics.every((one) => one.spec !== spec))] : defaults;
  const judged = valid
    ? { judged: { name: held, data: valid }, role: "validation" as const, train }
    : { judged: train, role: "training" as const };
  const parts = { name: options.out ?? file.training.model, history: fitted.history, commands: [commandText(words)] };
  await writeReport(path, { ...parts, ...judged, file, metrics: wanted, seed, version: versionOf() }, quiet);
}

const FEW = 300_000; // entries of ballots: below, starting threads takes longer than they save

function report(
  { best, rounds, stopOn, likelihood }: Fitted,
  { model, objective }: Training,
  seconds: { load: number; train: number },
  valid: boolean,
): string {
  const rows = [
    ["model", model],
    ["objective", objective],
    ["rounds", roundsText(best.round, rounds, stopOn)],
    ["cost", figure(best.cost)],
    ...(valid
      ? Object.entries({ ...best.metrics, ...criterionOf(stopOn, best.metrics, best.criterion) }).map(([name, value]) => [
          `valid ${name}`,
          figure(value),
        ])
      : []),
    ...(likelihood === undefined ? [] : [["valid log-likelihood", `${figure(likelihood)} a ballot`]]),
    ["seconds", `${seconds.load.toFixed(2)} to load, ${seconds.train.toFixed(2)} to train`],
  ];
  return tableText({ head: ["trained", ""], rows });
}
