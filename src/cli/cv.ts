/** `tierwise cv`: cross-validation by list. */
import type { Command } from "commander";
import { type CrossValidation, type CvFold, cv } from "../cv.ts";
import { PATIENCE } from "../fit.ts";
import { writeDurably } from "../formats/durable.ts";
import { serializeValues } from "../formats/values.ts";
import { uselessFeatures } from "../inspect-same-in-lists.ts";
import { stopOnText } from "../stop-on.ts";
import { isFirstProcess } from "../teams/processes.ts";
import type { Metric } from "../types.ts";
import { isAuto } from "./auto.ts";
import { addCheckpointOptions, type CheckpointFlags, checkpointOf } from "./checkpoint.ts";
import { OBJECTIVE, objectiveOf, resolveModel } from "./choose.ts";
import { checkFiles, FileOption } from "./files.ts";
import { foldsFrom } from "./fold-files.ts";
import { definitionsText } from "./metric-definitions.ts";
import { addCommonOptions, addReadingOptions, wholeNumber } from "./options.ts";
import { figure, print, printJson, tableText } from "./output.ts";
import { addStopOn, addTransform } from "./own-code.ts";
import { addProcesses, checkProcesses, defaultThreads } from "./processes.ts";
import { progress } from "./progress.ts";
import { loadingOptions, type TrainingOptions, trainingInput, trainingSettings } from "./training-input.ts";

interface Options extends TrainingOptions, CheckpointFlags {
  readonly processes?: string;
  readonly folds: string;
  readonly valid: boolean; // --no-valid
  readonly optimizer?: string;
  readonly values?: string;
}

export function cvCommand(program: Command): void {
  const command = program
    .command("cv")
    .summary("cross-validation by list, or by voter")
    .description(
      "In each fold, trains on some lists, uses others for early stopping, and tests on the rest. FILES are data files, split at random; or one folder with Fold1, Fold2, ... of train, vali and test, or with parts such as S1.txt to S5.txt, which are rotated as in LETOR; and settings such as l2=0.1.",
    )
    .argument("<files...>", "data files, or a folder of folds or parts")
    .option("--folds <number>", "number of parts that lists or voters are split into, unless the files define folds", "5")
    .option("--no-valid", "use the validation part for training too, without early stopping")
    .option("--model <model>", "model (tierwise list models); for ballots the default is utilities", "linear")
    .option("--objective <objective>", "objective (tierwise list objectives), or a module that exports one", OBJECTIVE)
    .option("--optimizer <optimizer>", "optimizer (tierwise list optimizers)")
    .option("-m, --metrics <metrics>", "metrics (tierwise list metrics)", "ndcg@10")
    .option("--patience <rounds>", `stop after this many rounds without improvement, 0 for never (default: ${PATIENCE})`)
    .addOption(new FileOption("--values <file>", "save the metric values of every list, for tierwise compare", "writes"))
    .option("--seed <number>", "random seed of the folds and of training (default: 1)")
    .option("--threads <number>", "number of threads; does not affect the result (default: all cores)");
  addReadingOptions(addCommonOptions(addProcesses(addCheckpointOptions(addTransform(addStopOn(command)))))).action(
    (files: string[]) => run(command, files),
  );
}

async function run(command: Command, words: readonly string[]): Promise<void> {
  const input = await trainingInput<Options>(command, words);
  const { files, options, quiet, notify } = input;
  isAuto(options.model, "cv");
  checkProcesses(options);
  const chosen = await resolveModel(options, input.settings, input.inline, notify);
  const { model } = chosen;
  const settings = await trainingSettings(options);
  const { metrics, seed } = settings;
  const parts = wholeNumber("folds", options.folds, 2)!;
  const checkpoint = checkpointOf(options, notify);
  checkFiles(command, {});
  const loading = { ...loadingOptions(input), whole: input.ballots, digest: options.checkpoint !== undefined };
  const { what, noun, data, count, folds } = await foldsFrom(files, {
    ...{ parts, seed, valid: options.valid, loading },
    check: (data) => checkFiles(command, { data }),
  });
  notify(what);
  const objective = data ? objectiveOf(command, data, chosen, notify) : chosen.objective;
  for (const line of data && !settings.transform ? uselessFeatures(model, data) : []) notify(line);

  const bar = progress("Folds", quiet);
  const validate = () =>
    cv(folds, {
      ...(checkpoint && { checkpoint: checkpoint.options }),
      ...{ model, objective, ...settings, threads: loading.threads ?? defaultThreads(), blocking: true },
      onRound: (fold, { round }) =>
        bar.at((fold - 1 + within(round, model.rounds)) / count, `fold ${fold} of ${count}, round ${round}`),
      onFold(fold) {
        bar.at(fold.fold / count, `fold ${fold.fold} of ${count}`);
        bar.line(`fold ${fold.fold} of ${count}: ${metrics.map(({ spec }) => `${spec} ${figure(fold.test[spec]!)}`).join(", ")}`);
      },
    });
  const found = await (checkpoint ? checkpoint.training(validate) : validate());
  bar.done();
  if (!isFirstProcess()) return;
  if (options.values !== undefined) writeDurably(options.values, serializeValues(found.measured));
  if (options.json) {
    const { measured, ...result } = found;
    const variants = Object.fromEntries(metrics.map(({ spec, variant }) => [spec, variant]));
    const setting = { model: model.spec, seed };
    printJson({ ...setting, ...result, lists: measured.lists.length, variants, values: options.values ?? null });
  } else {
    print(textOf(found, metrics, noun));
    if (options.values !== undefined) print(`The values of all lists are in ${options.values}.`);
  }
  checkpoint?.finish();
}

const within = (round: number, most: number | undefined) => (most ? Math.min(1, round / most) : 0);

function textOf(
  { folds, metrics, likelihood, measured, stopOn }: CrossValidation,
  wanted: readonly Metric[],
  noun: string,
): string {
  const texts = wanted.map(({ spec }) => spec);
  const kept = ({ best, rounds }: CvFold) => (best === rounds ? `${rounds}` : `${best} of ${rounds}`);
  const lists = ({ lists: { train, valid, test } }: CvFold) => `${train}/${valid}/${test}`;
  const likely = (one: CvFold) => (likelihood ? [figure(one.likelihood!)] : []);
  const rows = folds.map((one) => [
    ...[String(one.fold), lists(one), kept(one), ...texts.map((text) => figure(one.test[text]!))],
    ...likely(one),
  ]);
  const spread = ({ mean, error }: { mean: number; error: number }) => `${figure(mean)} ± ${figure(error)}`;
  const total = ["mean", "", "", ...texts.map((text) => spread(metrics[text]!)), ...(likelihood ? [spread(likelihood)] : [])];
  const head = [
    ...["fold", `${noun} (train/valid/test)`, "rounds", ...texts.map((text) => `test ${text}`)],
    ...(likelihood ? ["test log-likelihood"] : []),
  ];
  return [
    `${measured.name}\n`,
    tableText({ head, rows: [...rows, total] }),
    `The mean is over folds, with its standard error.`,
    ...(stopOn === undefined ? [] : [`The best round of a fold is chosen by ${stopOnText(stopOn)} of its validation lists.`]),
    definitionsText(wanted),
    ...(likelihood ? ["test log-likelihood: of a ballot under the fit to the others, mean over the ballots of a fold"] : []),
  ].join("\n");
}
