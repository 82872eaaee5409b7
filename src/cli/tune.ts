/** `tierwise tune`: which settings train the best model? */
import type { Command } from "commander";
import { concat } from "../data/concat.ts";
import { PATIENCE } from "../fit.ts";
import type { Grounds, Trial } from "../formats/trials.ts";
import { metricList } from "../metrics/index.ts";
import { Mistake, quote } from "../mistake.ts";
import { learner, models } from "../models/index.ts";
import { columnsOf } from "../models/shared/columns.ts";
import { build, lookUp, optionNamed } from "../part.ts";
import { dimensionText } from "../search-space.ts";
import { cores, MOST } from "../teams/threads.ts";
import { candidatesOf, TRIALS, type Tuned, tune } from "../tune.ts";
import type { Metric } from "../types.ts";
import { chooseForBallots, filesAndSettings, OBJECTIVE, objectiveOf } from "./choose.ts";
import { commandText, readingWords } from "./command-text.ts";
import { checkFiles, FileOption } from "./files.ts";
import { checkReadable, load } from "./load.ts";
import { type Common, cacheOf, common, givenReading, reading, unknownFeatures, wholeNumber } from "./options.ts";
import { figure, notice, print, printJson, tableText } from "./output.ts";
import { progress } from "./progress.ts";
import { apply, type Settings, settle } from "./settings.ts";
import { digestOf, openTrials } from "./trials-file.ts";
import { HOLD_OUT, type Validation, validationOf } from "./validation.ts";

interface Options extends Common {
  readonly valid?: readonly string[];
  readonly holdOut?: string;
  readonly folds?: string;
  readonly model: string;
  readonly objective: string;
  readonly search?: string;
  readonly trials?: string;
  readonly trialsFile?: string;
  readonly top: string;
  readonly metrics: string;
  readonly patience?: string;
  readonly seed?: string;
  readonly threads?: string;
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

export function tuneCommand(program: Command): void {
  const command = program
    .command("tune")
    .summary("search for good settings")
    .description(
      "Trains with many settings and judges each on lists held out. Settings stand after the files: leaves=100,200,500 tries each, learning-rate=0.01..0.1 is a range (log scale from a factor of ten on, or :log, :linear), l2=0.01..10/4 four values of one; model=linear,trees and objective=lambdarank,ranknet are tried too. Ends with the command that trains the best.",
    )
    .argument("<files...>", "data files, and the settings to look through")
    .addOption(new FileOption("--valid <files...>", "validation data", "reads data"))
    .option("--hold-out <share>", `share of the lists, chosen by the seed, that validates (default: ${HOLD_OUT})`)
    .option("--folds <number>", "cross-validation instead: each part of the lists validates once, the metric is the mean")
    .option("--model <model>", "with the options that stay as they are (tierwise list models)", "linear")
    .option("--objective <objective>", "with the options that stay as they are (tierwise list objectives)", OBJECTIVE)
    .option("--search <kind>", "grid or random (default: a grid where all values are listed)")
    .option("--trials <number>", `settings that a random search tries (default: ${TRIALS})`)
    .addOption(
      new FileOption(
        "--trials-file <file>",
        "where finished trials are kept; a search that finds some there goes on from them",
        "writes",
      ),
    )
    .option("--top <number>", "settings that are shown", "20")
    .option("-m, --metrics <metrics>", "of the validation data, the first decides (tierwise list metrics)", "ndcg@10")
    .option("--patience <rounds>", `rounds without a better one before stopping, 0 for never (default: ${PATIENCE})`)
    .option("--seed <number>", "of the search, of what is held out and of training (default: 1)")
    .option("--threads <number>", "threads; the result does not depend on them (default: all cores)");
  reading(common(command)).action((files: string[]) => run(command, files));
}

async function run(command: Command, words: readonly string[]): Promise<void> {
  const { files, inline } = filesAndSettings("tune", words);
  const fromFile = settle(command);
  const quiet = command.opts<Options>().quiet ?? false;
  const say = quiet ? () => {} : notice;
  const space = spaceOf(command, inline, fromFile, say);
  await chooseForBallots(command, files, givenReading(command.opts()).format);
  const options = command.opts<Options>();
  const metrics = metricList(options.metrics);
  const seed = wholeNumber("seed", options.seed, 0) ?? 1;
  const asked = wholeNumber("threads", options.threads, 1, MOST);
  const patience = wholeNumber("patience", options.patience, 0);
  const trials = wholeNumber("trials", options.trials, 1) ?? TRIALS;
  const top = wholeNumber("top", options.top, 1)!;
  const search = searchOf(options.search);
  const asGiven = { model: options.model, objective: options.objective, space, trials, seed, ...(search && { search }) } as const;
  const before = candidatesOf(asGiven).candidates; // mistakes in settings are told before anything is read
  checkFiles(command, { data: [files] });

  const validation = validationOf(options, seed);
  await checkReadable([...files, ...(options.valid ?? [])]);
  const readers = givenReading({ ...options });
  const how = { reading: readers, quiet, threads: asked, cache: cacheOf(options) };
  const all = await load(files, how);
  const held =
    options.valid && (await load(options.valid, { ...how, columns: columnsOf(all), unknown: unknownFeatures(options) }));
  const folds = validation.folds(all, held);
  // The data decide about an objective that nobody named, unless it is tuned or has options that are.
  const open = before.every(({ objective }) => objective.text === OBJECTIVE);
  const what = open ? { ...asGiven, objective: objectiveOf(command, all, before[0]!, say).text } : asGiven;
  const { dimensions, candidates, search: chosen } = candidatesOf(what);
  const grounds: Grounds = {
    ...{ data: digestOf(held ? concat([all, held]) : all), validation: validation.text, seed },
    ...{ metrics: metrics.map(({ text }) => text).join(","), patience: patience ?? PATIENCE },
  };
  const book = openTrials(options.trialsFile, grounds);
  if (book.trials.length > 0) say(`${options.trialsFile}: ${book.trials.length} trials were made before`);
  say(
    `${candidates.length} settings, ${chosen === "grid" ? "all of a grid" : "drawn by chance"}: ${dimensions.map(dimensionText).join("; ")}`,
  );

  const known = new Set(book.trials.map(({ model, objective }) => `${model} ${objective}`));
  const bar = progress("Tuning", quiet);
  let best: Trial | undefined;
  const found = await tune(folds, {
    ...{ ...what, metrics, done: book.trials, threads: asked ?? cores() },
    ...(patience === undefined ? {} : { patience }),
    onRound: (round, { trial, trials: count, fold }) =>
      bar.at(
        (trial - 1 + (fold - 1) / folds.length) / count,
        `trial ${trial} of ${count}, round ${round.round}${bestText(best, metrics)}`,
      ),
    onTrial(trial, { trial: at, trials: count }) {
      if (!known.has(`${trial.model} ${trial.objective}`)) {
        book.add(trial);
        bar.line(`trial ${at} of ${count}: ${told(trial, metrics)}`);
      }
      if (!best || improves(metrics[0]!, trial, best)) best = trial;
      bar.at(at / count, `trial ${at} of ${count}${bestText(best, metrics)}`);
    },
  });
  bar.done();

  const line = commandText(trainingWords(found.trials[0]!, files, options, validation, readers, seed, metrics));
  if (options.json) return printJson({ ...found, validation: validation.text, seed, command: line });
  print(textOf(found, metrics, top));
  print(`Metrics are of the validation data: ${validation.text}.\n\nThe best is trained by\n${line}`);
}

function searchOf(text: string | undefined): "grid" | "random" | undefined {
  if (text === undefined || text === "grid" || text === "random") return text;
  throw new Mistake(`--search: expected grid or random, got ${quote(text)}`);
}

/** The settings to look through. Those of --model and --objective are no options here but choices. */
function spaceOf(command: Command, inline: Settings, fromFile: Settings, say: (line: string) => void): Record<string, string> {
  const names = new Map<string, string>();
  for (const name of ["model", "objective"]) {
    const value = inline.get(name);
    if (value === undefined) continue;
    names.set(name, value);
    inline.delete(name);
  }
  return Object.fromEntries([...names, ...fromFile, ...apply(command, inline, say)]);
}

const improves = ({ text, better }: Metric, { metrics: now }: Trial, { metrics: before }: Trial) =>
  before[text] === undefined || (better === "higher" ? now[text]! > before[text]! : now[text]! < before[text]!);

const bestText = (best: Trial | undefined, [metric]: readonly Metric[]) =>
  best?.metrics[metric!.text] === undefined ? "" : `, best ${metric!.text} ${figure(best.metrics[metric!.text]!)}`;

const told = ({ settings, metrics: values, failed }: Trial, metrics: readonly Metric[]) =>
  `${Object.entries(settings)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ")} ${failed ?? metrics.map(({ text }) => `${text} ${figure(values[text]!)}`).join(", ")}`;

function textOf({ trials, dimensions }: Tuned, metrics: readonly Metric[], top: number): string {
  const names = dimensions.map(({ name }) => name);
  const likely = trials.some(({ likelihood }) => likelihood !== undefined);
  const rows = trials
    .slice(0, top)
    .map(({ settings, metrics: values, likelihood, rounds, failed }, place) => [
      String(place + 1),
      ...names.map((name) => settings[name] ?? ""),
      ...metrics.map(({ text }) => (failed ? "-" : figure(values[text]!))),
      ...(likely ? [likelihood === undefined ? "-" : figure(likelihood)] : []),
      failed ? `failed: ${failed}` : [...new Set(rounds)].join(" "),
    ]);
  const table = tableText({
    head: ["", ...names, ...metrics.map(({ text }) => text), ...(likely ? ["log-likelihood"] : []), "best round"],
    rows,
  });
  return trials.length > top ? `${table}\n... and ${trials.length - top} more (--top shows them)` : table;
}

/** The words that train the best setting. Without data that validate, a number of rounds is taken from the trials. */
function trainingWords(
  ...[best, files, { patience }, { words }, readers, seed, metrics]: [
    ...[best: Trial, files: readonly string[], options: Options, validation: Validation],
    ...[readers: ReturnType<typeof givenReading>, seed: number, metrics: readonly Metric[]],
  ]
): string[] {
  return [
    "train",
    ...files,
    ...["--model", words.length > 0 ? best.model : withRounds(best)],
    ...(learner(best.model).cost ? [] : ["--objective", best.objective]),
    ...words,
    ...(words.length > 0 ? ["--metrics", metrics.map(({ text }) => text).join(",")] : []),
    ...(words.length > 0 && patience !== undefined ? ["--patience", patience] : []),
    ...["--seed", String(seed)],
    ...readingWords(readers),
    ...["--out", "model.json"],
  ];
}

function withRounds({ model, rounds }: Trial): string {
  const { part, options } = lookUp(models, "model", model);
  const name = optionNamed(part, "rounds");
  if (!name || rounds.length === 0) return model;
  const mean = Math.max(1, Math.round(rounds.reduce((sum, one) => sum + one, 0) / rounds.length));
  return build(part, "model", { ...options, [name]: String(mean) }).text;
}
