/** `tierwise train --model auto`: the best ranker within a number of trials or a time. */
import type { Command } from "commander";
import { AUTO_TRIALS, type AutoTrained, autoTrain } from "../auto.ts";
import { FOLDS } from "../auto-folds.ts";
import { concat } from "../data/concat.ts";
import { digestOf } from "../data/digest.ts";
import { writeModel } from "../formats/models/files.ts";
import type { Trial, TrialContext } from "../formats/trials.ts";
import { InputError, quote } from "../input-error.ts";
import { columnsOf } from "../models/shared/columns.ts";
import { objective as objectiveNamed } from "../objectives/index.ts";
import type { Dataset, Metric, Objective } from "../types.ts";
import { type CheckpointFlags, checkpointOf } from "./checkpoint.ts";
import { checkFiles, FileOption } from "./files.ts";
import { checkReadable, load } from "./load.ts";
import { definitionsText } from "./metric-definitions.ts";
import { remembered, wholeNumber } from "./options.ts";
import { figure, print, printJson, tableText } from "./output.ts";
import { isModulePath, ownArgument } from "./own-code.ts";
import { progress } from "./progress.ts";
import { secondsOf } from "./seconds.ts";
import { rejectUnknown } from "./settings.ts";
import type { TrainOptions } from "./train-result.ts";
import { loadingOptions, type TrainingInput, type TrainingSettings, trainingSettings } from "./training-input.ts";
import { openSearch } from "./trials-file.ts";

/** Options of `train` that only `--model auto` has. */
export interface AutoFlags {
  readonly budget?: string;
  readonly trials?: string;
  readonly folds?: string;
  readonly trialsFile?: string;
}

export const addAutoOptions = (command: Command): Command =>
  command
    .option("--budget <time>", "with --model auto: time for all trials, such as 90s, 10m or 2h")
    .option("--trials <number>", `with --model auto: number of trials (default: ${AUTO_TRIALS}, unless --budget is given)`)
    .option("--folds <number>", `with --model auto: folds of the cross-validation (default: ${FOLDS}, or fewer below 10 lists)`)
    .addOption(
      new FileOption(
        "--trials-file <file>",
        "with --model auto: file for finished trials; trials found there are not repeated",
        "writes",
      ),
    );

/** Whether the model is auto; `command` is one that does not have it. */
export function isAuto(model: string, command?: "cv" | "tune"): boolean {
  const rest = /^\s*auto\s*(?:$|[:;(@])/i.test(model) ? model.trim().slice("auto".length).trim() : undefined;
  if (rest === undefined) return false;
  if (command)
    throw new InputError(
      `${command}: --model auto cross-validates by itself; use tierwise train --model auto, whose estimate is nested, or name one model here`,
    );
  if (rest !== "")
    throw new InputError(`--model auto takes no options after its name, got ${quote(rest)}; use --budget, --trials and --folds`);
  return true;
}

/** Refuses options of a search where there is none, and those of one training where there is a search. */
export function checkAutoFlags(options: TrainOptions & AutoFlags, auto: boolean): void {
  const first = (given: Readonly<Record<string, unknown>>) => Object.keys(given).find((flag) => given[flag] !== undefined);
  const { budget, trials, folds, trialsFile, holdOut, init, optimizer, report, history } = options;
  const search = first({ "--budget": budget, "--trials": trials, "--folds": folds, "--trials-file": trialsFile });
  if (!auto && search) throw new InputError(`${search} belongs to --model auto, and the model is ${options.model}; leave it out`);
  if (!auto) return;
  if (holdOut !== undefined)
    throw new InputError("--hold-out: --model auto validates all lists by cross-validation; leave it out, or use --folds");
  if (report !== undefined)
    throw new InputError(
      "--report: --model auto holds no lists out; write the report by tierwise report MODEL, with data of its own",
    );
  const single = first({ "--init": init, "--optimizer": optimizer, "--history": history });
  if (single) throw new InputError(`${single} belongs to the training of one model, and --model auto trains many; leave it out`);
}

export async function trainAuto(
  command: Command,
  input: TrainingInput<TrainOptions & AutoFlags & CheckpointFlags>,
): Promise<void> {
  const { files, options, quiet, notify } = input;
  checkAutoFlags(options, true);
  rejectUnknown(input.settings, [
    "budget",
    "trials",
    "folds",
    "valid",
    "metrics",
    "stop-on",
    "patience",
    "out",
    "seed",
    "threads",
  ]);
  const limits = {
    ...numbered("budget", budgetOf(options.budget)),
    ...numbered("trials", wholeNumber("trials", options.trials, 1)),
    ...numbered("folds", wholeNumber("folds", options.folds, 2)),
  };
  const settings = await trainingSettings(options);
  const objective = await objectiveOf(command, options.objective);
  const loading = loadingOptions(input);
  const checkpoint = checkpointOf(options, notify);
  checkFiles(command, { data: [files] });
  await checkReadable([...files, ...(options.valid ?? [])]);

  const begun = performance.now();
  const data = await load(files, loading);
  const valid = options.valid && (await load(options.valid, { ...loading, columns: columnsOf(data) }));
  const context = contextOf(valid ? concat([data, valid]) : data, settings, objective, limits.folds);
  const trialsFile = openSearch(options.trialsFile, checkpoint, context);
  const { length: known } = trialsFile.trials;
  if (known > 0) notify(`${trialsFile.path}: ${known} trials were already finished`);
  const loaded = performance.now();

  const { metrics } = settings;
  const bar = progress("Trials", quiet);
  const count = limits.trials ?? (limits.budget === undefined ? AUTO_TRIALS : undefined);
  const share = (trials: number) => doneOf({ ...limits, trials: count }, trials, (performance.now() - loaded) / 1000);
  const search = () =>
    autoTrain(data, {
      ...{ ...settings, ...limits, done: trialsFile.trials, blocking: true },
      ...(checkpoint && { checkpoint: checkpoint.options }),
      ...(loading.threads !== undefined && { threads: loading.threads }),
      ...(objective && { objective }),
      ...(valid && { valid }),
      onRound: ({ round }, { trial, model, fold, folds }) =>
        bar.at(share(trial - 1 + (fold - 1) / folds), `trial ${trial}: ${model}, fold ${fold} of ${folds}, round ${round}`),
      onTrial(trial, number) {
        if (number > known) trialsFile.add(trial);
        if (number > known) bar.line(`trial ${number}: ${trialText(trial, metrics[0]!)}`);
        bar.at(share(number), `trial ${number}: ${trialText(trial, metrics[0]!)}`);
      },
    });
  const found = await named(trialsFile.path, () => (checkpoint ? checkpoint.training(search) : search()));
  bar.done();
  const seconds = { load: (loaded - begun) / 1000, train: (performance.now() - loaded) / 1000 };
  const training = { ...found.training, reading: remembered(input.reading) };
  if (options.out !== undefined) writeModel(options.out, { model: found.model, training, metrics: found.metrics });
  if (options.json) printJson(jsonOf(found, settings, seconds, options.out));
  else print(textOf(found, metrics, seconds, options.out));
  checkpoint?.finish();
}

/** The share of the search that is done: of its trials or of its time, whichever is larger. */
export const doneOf = (
  limits: { readonly trials?: number | undefined; readonly budget?: number },
  trials: number,
  seconds: number,
) => Math.max(limits.trials ? trials / limits.trials : 0, limits.budget ? seconds / limits.budget : 0);

const numbered = <K extends string>(key: K, value: number | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [key in K]?: number };

/** The seconds of --budget. */
function budgetOf(text: string | undefined): number | undefined {
  const seconds = text === undefined ? undefined : secondsOf(text);
  if (text !== undefined && seconds === undefined)
    throw new InputError(`--budget: expected a time above 0, such as 90s, 10m or 2h, got ${quote(text)}`);
  return seconds;
}

/** The objective of all trials, where the command line names one. */
async function objectiveOf(command: Command, text: string): Promise<Objective | undefined> {
  if (command.getOptionValueSource("objective") === "default") return undefined;
  return isModulePath(text) ? (await ownArgument("--objective", "objective", text)).build() : objectiveNamed(text);
}

/** What must be the same for trials to be comparable. */
function contextOf(
  data: Dataset,
  { metrics, seed, stopOn, patience, transform }: TrainingSettings,
  objective: Objective | undefined,
  folds: number | undefined,
): TrialContext {
  return {
    ...{ search: "auto", data: digestOf(data), seed, metrics: metrics.map(({ spec }) => spec).join(",") },
    ...{ folds: folds ?? "by default", objective: objective?.spec ?? "several" },
    ...(patience !== undefined && { patience }),
    ...(stopOn !== undefined && { stopOn }),
    ...(transform && { transform: transform.spec }),
  };
}

/** Errors about options of `autoTrain` in words of the command line. */
async function named<T>(trialsFile: string | undefined, train: () => Promise<T>): Promise<T> {
  try {
    return await train();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      error.message
        .replace(/^autoTrain, option done/, trialsFile ?? "--trials-file")
        .replace(/^autoTrain, option stopOn/, "--stop-on")
        .replace(/^autoTrain/, "--model auto"),
    );
  }
}

const trialText = ({ model, objective, metrics, failed }: Trial, { spec }: Metric) =>
  `${model} under ${objective}, ${failed ?? `${spec} ${figure(metrics[spec]!)}`}`;

function jsonOf(
  { training, metrics, errors, trials, folds }: AutoTrained,
  settings: TrainingSettings,
  seconds: { readonly load: number; readonly train: number },
  out: string | undefined,
): Record<string, unknown> {
  const variants = Object.fromEntries(settings.metrics.map(({ spec, variant }) => [spec, variant]));
  const { model, objective, data, seed } = training;
  return { model, objective, metrics, errors, folds, trials, variants, seconds, data, seed, out: out ?? null };
}

/** The trials and the blend as text. */
export function textOf(
  { metrics: estimates, errors, trials, folds, training }: AutoTrained,
  metrics: readonly Metric[],
  seconds: { readonly load: number; readonly train: number },
  out: string | undefined,
): string {
  const value = (one: Readonly<Record<string, number>>, error: Readonly<Record<string, number>>, spec: string) =>
    one[spec] === undefined ? "-" : `${figure(one[spec])} ± ${figure(error[spec]!)}`;
  const rows = trials.map((one, t) => [
    ...[String(t + 1), one.model, one.objective],
    ...metrics.map(({ spec }) => value(one.metrics, one.errors, spec)),
    ...[one.seconds.toFixed(1), one.failed === undefined ? figure(one.weight) : `failed: ${one.failed}`],
  ]);
  const blend = ["blend", "", "", ...metrics.map(({ spec }) => value(estimates, errors, spec)), seconds.train.toFixed(1), ""];
  const { lists } = training.data as { readonly lists: number };
  return [
    tableText({
      head: ["trial", "model", "objective", ...metrics.map(({ spec }) => spec), "seconds", "weight"],
      rows: [...rows, blend],
    }),
    `Metrics are means over ${lists} lists with their standard error, by ${folds}-fold cross-validation. That of the blend is nested: for each fold, it is chosen on the lists of the others.`,
    definitionsText(metrics),
    `${trials.length} trials; --trials ${trials.length} makes the same model again.`,
    out ? `The model is in ${out}.` : "The model was not saved; use --out FILE to save it.",
  ].join("\n");
}
