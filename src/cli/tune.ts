/** `tierwise tune`: hyperparameter search. */
import type { Command } from "commander";
import { counted } from "../counted.ts";
import { digestOf } from "../data/digest.ts";
import { PATIENCE } from "../fit.ts";
import type { Trial, TrialContext } from "../formats/trials.ts";
import { InputError, quote } from "../input-error.ts";
import { metricNames } from "../metrics/index.ts";
import { learner, models } from "../models/index.ts";
import { columnsOf } from "../models/shared/columns.ts";
import { buildPart, findOption, parseSpec } from "../part.ts";
import { dimensionText } from "../search-space.ts";
import { DEFAULT_STOP_ON } from "../stop-on.ts";
import { isFirstProcess } from "../teams/processes.ts";
import { candidatesFrom, TRIALS, type TuneResult, tune } from "../tune.ts";
import type { Metric } from "../types.ts";
import { isAuto } from "./auto.ts";
import { addCheckpointOptions, type CheckpointFlags, checkpointOf } from "./checkpoint.ts";
import { OBJECTIVE, objectiveOf } from "./choose.ts";
import { commandText, readingWords } from "./command-text.ts";
import { checkFiles, FileOption } from "./files.ts";
import { checkReadable, load } from "./load.ts";
import { addCommonOptions, addReadingOptions, wholeNumber } from "./options.ts";
import { figure, print, printJson, tableText } from "./output.ts";
import { addStopOn, addTransform, isModulePath, ownArgument, pathAndOptions } from "./own-code.ts";
import { addProcesses, checkProcesses, defaultThreads } from "./processes.ts";
import { progress } from "./progress.ts";
import {
  loadingOptions,
  type TrainingInput,
  type TrainingOptions,
  type TrainingSettings,
  trainingInput,
  trainingSettings,
} from "./training-input.ts";
import { openSearch, openTogether } from "./trials-file.ts";
import { HOLD_OUT, type Validation, validationOf } from "./validation.ts";

interface Options extends TrainingOptions, CheckpointFlags {
  readonly processes?: string;
  readonly valid?: readonly string[];
  readonly holdOut?: string;
  readonly folds?: string;
  readonly search?: string;
  readonly trials?: string;
  readonly trialsFile?: string;
  readonly top: string;
}

export function tuneCommand(program: Command): void {
  const command = program
    .command("tune")
    .summary("search for good hyperparameters")
    .description(
      "Trains with many settings and evaluates each on validation lists. Settings follow the files: leaves=100,200,500 lists values, learning-rate=0.01..0.1 is a range (on a log scale if it spans a factor of ten; override with :log or :linear), l2=0.01..10/4 is four values of a range; model=linear,trees and objective=lambdarank,ranknet can be searched too. Prints the command that trains the best model.",
    )
    .argument("<files...>", "data files, and the settings to search")
    .addOption(new FileOption("--valid <files...>", "validation data", "reads data"))
    .option("--hold-out <fraction>", `fraction of the lists to use as validation data (default: ${HOLD_OUT})`)
    .option("--folds <number>", "use cross-validation with this many folds; the metric is the mean")
    .option("--model <model>", "model with fixed options (tierwise list models)", "linear")
    .option(
      "--objective <objective>",
      "objective with fixed options (tierwise list objectives), or a module that exports one",
      OBJECTIVE,
    )
    .option("--search <kind>", "grid or random (default: grid if all values are listed)")
    .option("--trials <number>", `number of settings to try in a random search (default: ${TRIALS})`)
    .addOption(new FileOption("--trials-file <file>", "file for finished trials; trials found there are not repeated", "writes"))
    .option("--top <number>", "number of settings to show", "20")
    .option(
      "-m, --metrics <metrics>",
      "validation metrics; the first selects the best setting (tierwise list metrics)",
      "ndcg@10",
    )
    .option("--patience <rounds>", `stop after this many rounds without improvement, 0 for never (default: ${PATIENCE})`)
    .option("--seed <number>", "random seed of the search, the validation data and training (default: 1)")
    .option("--threads <number>", "number of threads; does not affect the result (default: all cores)");
  addReadingOptions(addCommonOptions(addProcesses(addCheckpointOptions(addTransform(addStopOn(command)))))).action(
    (files: string[]) => run(command, files),
  );
}

async function run(command: Command, words: readonly string[]): Promise<void> {
  const input = await trainingInput<Options>(command, words, ["model", "objective"]);
  const { files, options, quiet, notify } = input;
  isAuto(options.model, "tune");
  checkProcesses(options);
  const settings = await trainingSettings(options);
  const { metrics, seed, stopOn, transform, patience } = settings;
  const own = isModulePath(options.objective) ? await ownArgument("--objective", "objective", options.objective) : undefined;
  const loading = { ...loadingOptions(input), whole: input.ballots, digest: true };
  const space = Object.fromEntries(input.settings);
  const trials = wholeNumber("trials", options.trials, 1) ?? TRIALS;
  const top = wholeNumber("top", options.top, 1)!;
  const search = searchOf(options.search);
  const asGiven = { model: options.model, objective: options.objective, space, trials, seed, ...(search && { search }) } as const;
  const before = candidatesFrom(asGiven, own).candidates; // errors in settings are reported before anything is read
  const checkpoint = checkpointOf(options, notify);
  checkFiles(command, { data: [files] });

  const validation = validationOf(options, seed);
  await checkReadable([...files, ...(options.valid ?? [])]);
  const all = await load(files, loading);
  const held = options.valid && (await load(options.valid, { ...loading, columns: columnsOf(all) }));
  const folds = validation.folds(all, held, options.checkpoint !== undefined);
  // The default objective depends on the data, unless it or its options are tuned.
  const open = !own && before.every(({ objective }) => objective.spec === OBJECTIVE);
  const what = open ? { ...asGiven, objective: objectiveOf(command, all, before[0]!, notify).spec } : asGiven;
  const { dimensions, candidates, search: chosen } = candidatesFrom(what, own);
  const context: TrialContext = {
    ...{ data: held ? `${digestOf(all)} ${digestOf(held)}` : digestOf(all), validation: validation.text, seed },
    ...{ metrics: metrics.map(({ spec }) => spec).join(","), patience: patience ?? PATIENCE },
    ...stopOnCondition(stopOn, metrics),
    ...(transform && { transform: transform.spec }),
  };
  const trialsFile = openTogether(() => openSearch(options.trialsFile, checkpoint, context));
  if (trialsFile.trials.length > 0) notify(`${trialsFile.path}: ${trialsFile.trials.length} trials were already finished`);
  notify(
    `${counted(candidates.length, "setting")}, ${chosen === "grid" ? "full grid" : "drawn at random"}: ${dimensions.map(dimensionText).join("; ")}`,
  );

  const known = new Set(trialsFile.trials.map(({ model, objective }) => `${model} ${objective}`));
  const bar = progress("Tuning", quiet);
  let best: Trial | undefined;
  const searching = () =>
    tune(folds, {
      ...(checkpoint && { checkpoint: checkpoint.options }),
      ...{ ...what, ...settings, ...(own && { objective: { module: own.module, options: own.options } }) },
      ...{ done: trialsFile.trials, threads: loading.threads ?? defaultThreads(), blocking: true },
      onRound: (round, { trial, trials: count, fold }) =>
        bar.at(
          (trial - 1 + (fold - 1) / folds.length) / count,
          `trial ${trial} of ${count}, round ${round.round}${bestText(best, metrics)}`,
        ),
      onTrial(trial, { trial: at, trials: count }) {
        if (!known.has(`${trial.model} ${trial.objective}`)) {
          trialsFile.add(trial);
          bar.line(`trial ${at} of ${count}: ${trialLine(trial, metrics)}`);
        }
        if (!best || improves(metrics[0]!, trial, best)) best = trial;
        bar.at(at / count, `trial ${at} of ${count}${bestText(best, metrics)}`);
      },
    });
  const found = await (checkpoint ? checkpoint.training(searching) : searching());
  bar.done();
  if (!isFirstProcess()) return;

  const line = commandText(trainingWords(found.trials[0]!, input, validation, settings, own?.path));
  if (options.json) printJson({ ...found, validation: validation.text, seed, command: line });
  else {
    print(textOf(found, metrics, top));
    print(`Metrics are of the validation data: ${validation.text}.\n\nTo train the best model:\n${line}`);
  }
  checkpoint?.finish();
}

/** What chose the rounds of trials, unless it is the first metric, of which files of earlier versions say nothing. */
function stopOnCondition(stopOn: string | undefined, [first]: readonly Metric[]): { readonly stopOn?: string } {
  const what = stopOn ?? (DEFAULT_STOP_ON === "first-metric" ? first!.spec : DEFAULT_STOP_ON);
  return what === first!.spec ? {} : { stopOn: what };
}

function searchOf(text: string | undefined): "grid" | "random" | undefined {
  if (text === undefined || text === "grid" || text === "random") return text;
  throw new InputError(`--search: expected grid or random, got ${quote(text)}`);
}

const improves = ({ spec, better }: Metric, { metrics: now }: Trial, { metrics: before }: Trial) =>
  before[spec] === undefined || (better === "higher" ? now[spec]! > before[spec]! : now[spec]! < before[spec]!);

const bestText = (best: Trial | undefined, [metric]: readonly Metric[]) =>
  best?.metrics[metric!.spec] === undefined ? "" : `, best ${metric!.spec} ${figure(best.metrics[metric!.spec]!)}`;

const trialLine = ({ settings, metrics: values, failed }: Trial, metrics: readonly Metric[]) =>
  `${Object.entries(settings)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ")} ${failed ?? metrics.map(({ spec }) => `${spec} ${figure(values[spec]!)}`).join(", ")}`;

function textOf({ trials, dimensions }: TuneResult, metrics: readonly Metric[], top: number): string {
  const names = dimensions.map(({ name }) => name);
  const likely = trials.some(({ likelihood }) => likelihood !== undefined);
  const rows = trials
    .slice(0, top)
    .map(({ settings, metrics: values, likelihood, rounds, failed }, place) => [
      String(place + 1),
      ...names.map((name) => settings[name] ?? ""),
      ...metrics.map(({ spec }) => (failed ? "-" : figure(values[spec]!))),
      ...(likely ? [likelihood === undefined ? "-" : figure(likelihood)] : []),
      failed ? `failed: ${failed}` : [...new Set(rounds)].join(" "),
    ]);
  const table = tableText({
    head: ["", ...names, ...metrics.map(({ spec }) => spec), ...(likely ? ["log-likelihood"] : []), "best round"],
    rows,
  });
  return trials.length > top ? `${table}\n... and ${trials.length - top} more (--top shows them)` : table;
}

/** The words that train the best setting. Without data that validate, a number of rounds is taken from the trials. */
function trainingWords(
  best: Trial,
  { files, options: { stopOn, patience, transform, metrics: given }, reading }: TrainingInput<Options>,
  { words }: Validation,
  { seed, metrics }: TrainingSettings,
  own: string | undefined,
): string[] {
  return [
    "train",
    ...files,
    ...["--model", words.length > 0 ? best.model : withRounds(best)],
    ...(learner(best.model).cost
      ? []
      : ["--objective", own ? pathAndOptions(own, { id: idOf(best.objective), spec: best.objective }) : best.objective]),
    ...words,
    ...(words.length > 0
      ? ["--metrics", metricNames(given).some(isModulePath) ? given : metrics.map(({ spec }) => spec).join(",")]
      : []),
    ...(words.length > 0 && stopOn !== undefined ? ["--stop-on", stopOn] : []),
    ...(words.length > 0 && patience !== undefined ? ["--patience", patience] : []),
    ...(transform === undefined ? [] : ["--transform", transform]),
    ...["--seed", String(seed)],
    ...readingWords(reading),
    ...["--out", "model.json"],
  ];
}

const idOf = (spec: string) => spec.replace(/[@:;(].*$/s, "");

function withRounds({ model, rounds }: Trial): string {
  const { part, options } = parseSpec(models, "model", model);
  const name = findOption(part, "rounds");
  if (!name || rounds.length === 0) return model;
  const mean = Math.max(1, Math.round(rounds.reduce((sum, one) => sum + one, 0) / rounds.length));
  return buildPart(part, "model", { ...options, [name]: String(mean) }).spec;
}
