/**
 * Hyperparameter search over any options of a model and an objective, by grid or at random; each setting is evaluated on validation lists.
 * A setting is identified by the specs of its model and objective, so an interrupted search, or one over other ranges, reuses earlier
 * trials.
 */
import {
  check,
  checkData,
  checkOptions,
  type Kinds,
  metricsOrModules,
  oneOf,
  required,
  someFunction,
  someText,
  transformOrModule,
  wholeFrom,
} from "./arguments.ts";
import { CheckpointError, type CheckpointOptions, checkCheckpoint, nameOf, someCheckpoint } from "./checkpoint.ts";
import type { TrainingRound } from "./fit.ts";
import type { Trial } from "./formats/trials.ts";
import { InputError } from "./input-error.ts";
import { isOutOfMemory } from "./memory-budget.ts";
import { models } from "./models/index.ts";
import { importOwn, isModuleSource, loadModules, type ModuleSource, type OwnExport } from "./modules.ts";
import { digest } from "./numeric/digest.ts";
import { random } from "./numeric/random.ts";
import { objectives } from "./objectives/index.ts";
import { type AnyPart, buildPart, findOption, kebabCase, parseSpec, suggest } from "./part.ts";
import { dimension, drawFrom, gridOf, isCountable, type SearchDimension, type SearchSettings } from "./search-space.ts";
import { removeOnce } from "./shared-checkpoints.ts";
import { parseStopOn } from "./stop-on.ts";
import { communicator } from "./teams/processes.ts";
import { type TrainOptions, train, trainKinds } from "./train.ts";
import type { Dataset, Learner, Metric, Objective } from "./types.ts";

/** What to tune, and how. */
export interface TuneOptions
  extends Pick<TrainOptions, "transform" | "stopOn" | "patience" | "seed" | "threads" | "blocking" | "signal"> {
  /** Spec of the model, with the options that all settings share: "trees:rounds=500". */
  readonly model: string;
  /** Spec of the objective, with the options that all settings share, or a module that exports one. Options of a part can be tuned. */
  readonly objective: string | ModuleSource;
  /** Values or ranges by option; "model" and "objective" may be among them. */
  readonly space: Readonly<Record<string, string>>;
  /** Metrics of the validation data, or modules that export one. The first decides which setting is best. */
  readonly metrics: readonly (Metric | ModuleSource)[];
  /** How settings are chosen. Default: "grid" if the space can be enumerated, else "random". */
  readonly search?: "grid" | "random";
  /** Number of settings of a random search. Default: 20. */
  readonly trials?: number;
  /**
   * Keeps the state of the trial in training, and continues from it if the same search was interrupted before. Finished trials are those of
   * `done`. Default: none.
   */
  readonly checkpoint?: CheckpointOptions;
  /** Trials of an earlier, interrupted run, which are not repeated. Default: none. */
  readonly done?: readonly Trial[];
  /** Called after each trial, also for those of `done`. */
  readonly onTrial?: (trial: Trial, at: TuneProgress) => void;
  /** Called after each round of training. */
  readonly onRound?: (round: TrainingRound, at: TuneProgress) => void;
}

/** How far tuning has come. */
export interface TuneProgress {
  /** Number of the trial, from 1. */
  readonly trial: number;
  /** Number of trials in all. */
  readonly trials: number;
  /** Number of the fold, from 1. */
  readonly fold: number;
  /** Number of folds in all. */
  readonly folds: number;
}

/** The settings tried and how good they are. */
export interface TuneResult {
  /** How settings were chosen. */
  readonly search: "grid" | "random";
  /** The options searched and their values. */
  readonly dimensions: readonly SearchDimension[];
  /** The trials, best first. */
  readonly trials: readonly Trial[];
}

export const TRIALS = 20;

const {
  stopOn: aStopOn,
  patience: aPatience,
  seed: aSeed,
  threads: someThreads,
  blocking: someBlocking,
  signal: aSignal,
} = trainKinds;
const kinds: Kinds<TuneOptions> = {
  objective: required({
    wanted: 'a spec, such as "pl-partition", or { module: URL, options }',
    fits: (value) => typeof value === "string" || isModuleSource(value),
  }),
  transform: transformOrModule,
  ...{ model: required(someText), seed: aSeed, trials: wholeFrom(1) },
  search: oneOf("grid", "random"),
  space: {
    wanted: 'texts of values by option, such as { leaves: "8,16" }',
    fits: (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((one) => typeof one === "string"),
    required: true,
  },
  ...{ stopOn: aStopOn, patience: aPatience, threads: someThreads, blocking: someBlocking, signal: aSignal },
  ...{ metrics: required(metricsOrModules), onTrial: someFunction, onRound: someFunction },
  checkpoint: someCheckpoint,
  done: { wanted: "an array of trials", fits: Array.isArray },
};

/** Training and validation data of one fold. */
export interface TuneFold {
  /** Training data. */
  readonly train: Dataset;
  /** Validation data. */
  readonly valid: Dataset;
}

/** Folds are what is trained on and what judges, whole lists each; metrics are means over them. */
export async function tune(folds: readonly TuneFold[], options: TuneOptions): Promise<TuneResult> {
  check("tune", folds, { wanted: "an array of { train, valid }", fits: Array.isArray });
  checkOptions("tune", options, kinds);
  checkCheckpoint("tune", options.checkpoint, false);
  for (const [f, fold] of folds.entries()) {
    checkData(`tune, the training data of fold ${f + 1}`, fold?.train);
    checkData(`tune, the validation data of fold ${f + 1}`, fold?.valid);
  }
  const { objective: cost, ...given } = options;
  const {
    metrics = [],
    transform,
    done = [],
    onTrial,
    onRound,
    stopOn,
    patience,
    seed = 1,
    threads,
    blocking,
    signal,
    checkpoint,
  } = await loadModules("tune", given);
  if (folds.length === 0) throw new InputError("tune: expected data to train on and to validate with");
  if (metrics.length === 0) throw new InputError("tune: expected at least one metric");
  if (stopOn !== undefined) parseStopOn("tune, option stopOn", stopOn, metrics);
  const { search, dimensions, candidates } = candidatesFrom(options, await importObjective("tune, option objective", cost));
  const before = new Map(done.map((trial) => [keyOf(trial), trial]));
  const found: Trial[] = [];
  for (const [at, { settings, model, objective }] of candidates.entries()) {
    const place = { trial: at + 1, trials: candidates.length, folds: folds.length };
    const name = { model: model.spec, objective: model.cost ?? objective.spec };
    const known = before.get(keyOf(name));
    const trial = known ? { ...known, settings } : { settings, ...name, ...(await tried()) };
    found.push(trial);
    onTrial?.(trial, { ...place, fold: folds.length });
    for (const f of folds.keys()) if (checkpoint) await removeOnce(checkpoint.store, entryOf(checkpoint, name, f));

    async function tried(): Promise<Pick<Trial, "metrics" | "rounds" | "likelihood" | "failed">> {
      const rounds: number[] = [];
      let likely = 0;
      const sums = new Map(metrics.map(({ spec }) => [spec, 0]));
      for (const [f, { train: data, valid }] of folds.entries()) {
        try {
          const { best, likelihood = Number.NaN } = await train(data, {
            ...{ model, objective, metrics, valid, seed },
            ...(transform && { transform }),
            ...(stopOn === undefined ? {} : { stopOn }),
            ...(patience === undefined ? {} : { patience }),
            ...(threads === undefined ? {} : { threads }),
            ...(blocking === undefined ? {} : { blocking }),
            ...(signal && { signal }),
            ...(checkpoint && { checkpoint: { ...checkpoint, name: entryOf(checkpoint, name, f) } }),
            onRound: (round) => onRound?.(round, { ...place, fold: f + 1 }),
          });
          rounds.push(best.round);
          likely += likelihood / folds.length;
          for (const { spec } of metrics) sums.set(spec, sums.get(spec)! + best.metrics[spec]! / folds.length);
        } catch (error) {
          // A process may run out of memory alone, and the others would wait for it.
          const together = !communicator() || !isOutOfMemory(error);
          if (error instanceof InputError && !(error instanceof CheckpointError) && together)
            return { metrics: {}, rounds: [], failed: error.message }; // others may do better
          throw error;
        }
      }
      return { metrics: Object.fromEntries(sums), rounds, ...(Number.isNaN(likely) ? {} : { likelihood: likely }) };
    }
  }
  if (found.every(({ failed }) => failed !== undefined))
    throw new InputError(`tune: none of ${found.length} settings could be trained; the last: ${found.at(-1)?.failed}`);
  return { search, dimensions, trials: found.sort(byMetric(metrics[0]!)) };
}

const keyOf = ({ model, objective }: Pick<Trial, "model" | "objective">) => `${model} ${objective}`;

/** The name in the store of checkpoints: settings identify a trial, whatever its number. */
const entryOf = (checkpoint: CheckpointOptions, trial: Pick<Trial, "model" | "objective">, fold: number) =>
  `${nameOf(checkpoint)}-${digest(new TextEncoder().encode(keyOf(trial)))}-fold-${fold + 1}`;

/** The best first; equal ones as they were tried, and those without a value last. */
function byMetric({ spec, better }: Metric): (a: Trial, b: Trial) => number {
  const worth = ({ metrics }: Trial) => {
    const value = metrics[spec] ?? Number.NaN;
    return Number.isNaN(value) ? -Infinity : better === "higher" ? value : -value;
  };
  return (a, b) => {
    const [x, y] = [worth(a), worth(b)];
    return x === y ? 0 : y - x;
  };
}

/** A setting to try. */
export interface Candidate {
  /** Values by option. */
  readonly settings: SearchSettings;
  /** The model with these settings. */
  readonly model: Learner;
  /** The objective with these settings. */
  readonly objective: Objective;
}

/** The settings that `tune` tries. */
export interface Candidates {
  /** How settings are chosen. */
  readonly search: "grid" | "random";
  /** The options searched and their values. */
  readonly dimensions: readonly SearchDimension[];
  /** The settings, in order. */
  readonly candidates: readonly Candidate[];
}

type Search = Pick<TuneOptions, "model" | "objective" | "space" | "search" | "trials" | "seed">;

/** What is searched. */
export interface CandidatesOptions extends Omit<Search, "objective"> {
  /** Spec of the objective, with the options that all settings share. */
  readonly objective: string;
}

/** The settings that are tried, in order. They depend on the options alone, not on what was tried before. */
export function candidatesOf(options: CandidatesOptions): Candidates {
  checkOptions("candidatesOf", options as TuneOptions, { ...kinds, objective: required(someText), metrics: metricsOrModules });
  return candidatesFrom(options);
}

/** What the module of an objective exports; undefined for a spec. */
export const importObjective = async (who: string, objective: string | ModuleSource): Promise<OwnObjective | undefined> =>
  typeof objective === "string"
    ? undefined
    : { ...(await importOwn(who, "objective", objective.module)), options: objective.options ?? {} };

/** An objective of one's own, with the options that all settings share. */
export interface OwnObjective extends OwnExport<Objective> {
  readonly options: Readonly<Record<string, unknown>>;
}

/** The same where the objective may be of a module. */
export function candidatesFrom(
  options: Omit<Search, "objective"> & { readonly objective: unknown },
  own?: OwnObjective,
): Candidates {
  const dimensions = dimensionsOf(options, own);
  const { search = dimensions.every(isCountable) ? "grid" : "random", trials = TRIALS, seed = 1 } = options;
  const candidates: Candidate[] = [];
  const seen = new Set<string>();
  const add = (settings: SearchSettings): boolean => {
    const one = candidate(options, settings, own);
    const key = `${one.model.spec} ${one.model.cost ?? one.objective.spec}`;
    if (seen.has(key)) return false;
    seen.add(key);
    candidates.push(one);
    return true;
  };
  if (search === "grid") for (const settings of gridOf(dimensions)) add(settings);
  else {
    // Where few values are left, the same ones come again; after a hundred in a row there is nothing new.
    let again = 0;
    for (let draw = 0; candidates.length < trials && again < 100; draw++)
      again = add(drawFrom(dimensions, random(seed, draw))) ? 0 : again + 1;
  }
  return { search, dimensions, candidates };
}

/** The objective is a spec unless a module is given beside it. */
type Space = Pick<TuneOptions, "model" | "space"> & { readonly objective: unknown };

/** The dimensions of the space, each of which some model or objective of it must know. */
function dimensionsOf({ model, objective, space }: Space, own: OwnObjective | undefined): SearchDimension[] {
  if (own && space.objective !== undefined)
    throw new InputError("objectives of a module and objectives by name cannot be tuned together; leave one of them out");
  const choices = (name: "model" | "objective", start: string) => {
    const one = dimension(name, space[name] ?? start.replace(/^([^@:;(]+)[:;](.*)$/, "$1($2)"), false);
    if (!("values" in one)) throw new InputError(`${name}: expected comma-separated names, got ${space[name]}`);
    return one.values;
  };
  const parts: AnyPart<unknown>[] = [
    ...choices("model", model).map((text) => parseSpec(models, "model", text).part),
    ...(own ? [own.part ?? []].flat() : objectiveParts()),
  ];
  function objectiveParts() {
    return choices("objective", String(objective)).map((text) => parseSpec(objectives, "objective", text).part);
  }
  return Object.entries(space).map(([name, text]) => {
    if (name === "model" || name === "objective") return dimension(name, text, false);
    const fields = parts.flatMap((part) => {
      const option = findOption(part, name);
      return option ? [{ option, field: (part.fields as Record<string, { kind: string }>)[option]! }] : [];
    });
    if (fields.length === 0) {
      const known = parts.flatMap((part) => Object.keys(part.fields).map(kebabCase));
      throw new InputError(`nothing that is tuned has an option ${JSON.stringify(name)}; ${suggest(name, [...new Set(known)])}`);
    }
    return dimension(
      kebabCase(fields[0]!.option),
      text,
      fields.every(({ field }) => field.kind.startsWith("a whole number")),
    );
  });
}

/** The model and the objective of a setting. An option that neither has, in a space of several models, does nothing there. */
function candidate(
  { model, objective }: Omit<Space, "space">,
  settings: SearchSettings,
  own: OwnObjective | undefined,
): Candidate {
  const { model: otherModel, objective: otherObjective, ...rest } = settings;
  const learner = parseSpec(models, "model", otherModel ?? model);
  const named = own ? undefined : parseSpec(objectives, "objective", otherObjective ?? String(objective));
  const cost = { part: named?.part ?? own?.part, options: { ...(named ?? own)!.options } };
  for (const [name, value] of Object.entries(rest)) {
    const both: { part: AnyPart<unknown> | undefined; options: Record<string, unknown> }[] = [learner, cost];
    const into = both.find(({ part }) => part && findOption(part, name));
    if (!into?.part) continue;
    const option = findOption(into.part, name)!;
    if (option in into.options) throw new InputError(`${into.part.id}: ${name} is given and tuned as well`);
    into.options[option] = value;
  }
  return {
    settings,
    model: buildPart(learner.part, "model", learner.options),
    objective: own ? own.build(cost.options) : buildPart(cost.part!, "objective", cost.options),
  };
}
