/** `tierwise train`: trains a model and writes a model file. */
import type { Command } from "commander";
import { type ChainDiagnostics, chainDiagnostics } from "../chain-diagnostics.ts";
import { alignItems } from "../data/ballots.ts";
import { splitWith } from "../data/split.ts";
import { PATIENCE } from "../fit.ts";
import { writeDurably } from "../formats/durable.ts";
import { writeModel } from "../formats/models/files.ts";
import type { ModelFile, Training } from "../formats/models/native.ts";
import { serializeHistory } from "../history.ts";
import { InputError } from "../input-error.ts";
import { uselessFeatures } from "../inspect-same-in-lists.ts";
import { columnsOf } from "../models/shared/columns.ts";
import { learnerFor } from "../models/shared/data-dependent-defaults.ts";
import { stopOnFor } from "../stop-on.ts";
import { isFirstProcess, processContext } from "../teams/processes.ts";
import { train } from "../train.ts";
import type { Dataset, Model, Objective } from "../types.ts";
import { type AutoFlags, addAutoOptions, checkAutoFlags, isAuto, trainAuto } from "./auto.ts";
import { addCheckpointOptions, type CheckpointFlags, checkpointOf } from "./checkpoint.ts";
import { OBJECTIVE, objectiveOf, resolveModel } from "./choose.ts";
import { checkFiles, FileOption } from "./files.ts";
import { checkReadable, type LoadOptions, load } from "./load.ts";
import { addCommonOptions, addReadingOptions, heldOutShare, remembered } from "./options.ts";
import { figure, print, printJson } from "./output.ts";
import { addStopOn, addTransform, readModelWith } from "./own-code.ts";
import { addProcesses, checkProcesses, defaultThreads } from "./processes.ts";
import { progress } from "./progress.ts";
import { partSelector } from "./shard-parts.ts";
import { addTrainClicks, checkTrainClicks, labelsFromClicks, type TrainClicksFlags } from "./train-clicks.ts";
import { criterionOf, resultJson, resultText, type TrainOptions, type TrainResult, warnings } from "./train-result.ts";
import { loadingOptions, trainingInput, trainingSettings } from "./training-input.ts";
import { addTwoRound, checkTwoRound, loadBinned, type TwoRoundFlags } from "./two-round.ts";

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
    .option(
      "--hold-out <fraction>",
      "fraction (0.25 or 25%) of the lists or voters to hold out as validation data, chosen at random",
    )
    .addOption(new FileOption("--init <model>", "model file to continue training from (trees)", "reads"))
    .option(
      "--model <model>",
      "model (tierwise list models), or auto, the best blend of several; for ballots the default is utilities",
      "linear",
    )
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
  addReadingOptions(
    addCommonOptions(
      addProcesses(addCheckpointOptions(addTransform(addAutoOptions(addTwoRound(addStopOn(addTrainClicks(command))))))),
    ),
  ).action((files: string[], _options: TrainOptions) => run(command, files));
}

const FEW = 300_000; // entries of ballots: below, starting threads takes longer than they save

async function run(command: Command, words: readonly string[]): Promise<void> {
  const input = await trainingInput<TrainOptions & AutoFlags & CheckpointFlags & TwoRoundFlags & TrainClicksFlags>(
    command,
    words,
  );
  checkTrainClicks(input.options, input.ballots);
  if (isAuto(input.options.model)) {
    if (processContext()) throw new InputError("--model auto trains with the threads of one process only; start one process");
    if (input.options.twoRound)
      throw new InputError("--two-round: auto tries models that need the values of features; use --model trees");
    return trainAuto(command, input);
  }
  const { files, options, reading, quiet, notify } = input;
  checkProcesses(options);
  const chosen = await resolveModel(options, input.settings, input.inline, notify);
  const settings = await trainingSettings(options);
  const loading = { ...loadingOptions(input), whole: input.ballots, digest: options.checkpoint !== undefined };
  const fraction = heldOutFraction(options);
  const checkpoint = checkpointOf(options, notify);
  checkFiles(command, { data: [files] });
  checkAutoFlags(options, false);
  checkTwoRound(options, input.ballots, chosen.model);
  if (options.report !== undefined) await (await import("./report.ts")).checkDrawing();
  if (options.report !== undefined && processContext())
    throw new InputError("--report: needs the data of all processes in one; run tierwise report on the model file instead");
  const init = options.init === undefined ? undefined : (await readModelWith(options.init, options)).model;
  await checkReadable([...files, ...(options.valid ?? []), ...(options.clicks ?? [])]);

  const begun = performance.now();
  const { data, valid } = options.twoRound
    ? await loadBinned(files, options.valid, loading, chosen.model)
    : await loadData(files, options.valid, fraction, settings.seed, loading, init, options);
  const model = learnerFor(chosen.model, data, valid);
  const threads = loading.threads ?? (input.ballots && data.labels.length < FEW ? 1 : defaultThreads());
  const objective = objectiveOf(command, data, chosen, notify);
  if (!settings.transform) for (const line of uselessFeatures(model, data)) notify(line);
  const chosenBy = stopOnFor("--stop-on", { ...settings, model, objective, valid })?.spec;
  if (settings.stopOn !== undefined && !valid)
    notify("--stop-on: without validation data it chooses nothing, and the last round is kept; give --valid or --hold-out");
  const loaded = performance.now();

  const bar = progress("Training", quiet);
  const training = () =>
    train(data, {
      ...(checkpoint && { checkpoint: checkpoint.options }),
      ...{ model, objective, ...settings, threads, blocking: true },
      ...(init ? { init } : {}),
      ...(valid ? { valid } : {}),
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
  const fitted = await (checkpoint ? checkpoint.training(training) : training());
  bar.done();
  const seconds = { load: (loaded - begun) / 1000, train: (performance.now() - loaded) / 1000 };
  for (const line of warnings(fitted, model, objective)) notify(line);

  if (!isFirstProcess()) return;
  const record: Training = { ...fitted.training, reading: remembered(reading) };
  const file: ModelFile = { model: fitted.model, training: record, metrics: fitted.best.metrics };
  const chains = chainsOf(fitted.model, data, objective, settings.seed);
  const result: TrainResult = {
    ...{ input, settings, model, objective, data, valid, fitted, file, threads, seconds },
    ...(chains && { chains }),
  };
  if (options.out !== undefined) writeModel(options.out, file);
  if (options.history !== undefined) writeDurably(options.history, serializeHistory(fitted));
  if (options.report !== undefined) await (await import("./train-report.ts")).writeTrainReport(options.report, result);
  if (options.json) printJson(resultJson(result));
  else print(resultText(result));
  checkpoint?.finish();
}

const CHAINS = 4;
const STEPS = 1000;
const WORK = 2e7; // items that the chains pass over, about half a second

/** Diagnostics of an objective that samples, at as many lists as take a moment. */
function chainsOf(model: Model, data: Dataset, objective: Objective, seed: number): ChainDiagnostics | undefined {
  const lists = data.starts.length - 1;
  if (!objective.chains || data.labelSpaceSize !== undefined || lists === 0) return undefined;
  const length = data.labels.length / lists;
  const stages = Math.max(1, Math.min(50, Math.floor(WORK / (CHAINS * STEPS * length))));
  const found = chainDiagnostics(model, data, { objective, chains: CHAINS, steps: STEPS, stages, seed });
  return found.stages > 0 ? found : undefined;
}

/** The fraction of --hold-out, if given. */
function heldOutFraction({ holdOut, valid }: TrainOptions): number | undefined {
  if (holdOut === undefined) return undefined;
  const fraction = heldOutShare(holdOut);
  if (valid) throw new InputError("--hold-out and --valid both define the validation data; give one of them");
  return fraction;
}

/** Training data and, from other files or held out, validation data. */
async function loadData(
  files: readonly string[],
  validFiles: readonly string[] | undefined,
  fraction: number | undefined,
  seed: number,
  loading: LoadOptions,
  init: Model | undefined,
  { clicks, ...bias }: TrainClicksFlags,
): Promise<{ data: Dataset; valid: Dataset | undefined }> {
  const read = await load(files, {
    ...loading,
    ...(init && { columns: init.columns, unknownFeatures: loading.unknownFeatures ?? "error" }),
    ...(clicks && { labels: "optional" as const }),
  });
  const all = clicks ? await labelsFromClicks(read, clicks, bias, loading) : read;
  if (fraction !== undefined) {
    const select = partSelector(loading.digest ?? false);
    const [data, valid] = splitWith(select, all, [1 - fraction, fraction], seed) as [Dataset, Dataset];
    return { data, valid };
  }
  if (!validFiles) return { data: all, valid: undefined };
  const held = await load(validFiles, { ...loading, columns: columnsOf(all) });
  const { items } = all.names;
  return { data: all, valid: items && all.labelSpaceSize === undefined ? alignItems(held, items) : held };
}
