/**
 * The model file: versioned JSON with the model and its transforms, its features, how it was trained and its validation metrics. The same
 * training gives the same bytes. All fields that are used are validated. Nothing here opens files: see files.ts.
 */
import { check, checkOptions, type Kinds, someModel, someText } from "../../arguments.ts";
import { describeValue, InputError, quote } from "../../input-error.ts";
import { revive, type Transforms } from "../../models/index.ts";
import { savedColumns } from "../../models/shared/saved.ts";
import { MissingTransform } from "../../models/transform.ts";
import type { Model, SavedModel } from "../../types.ts";
import { checkNesting } from "../json.ts";

export const VERSION = 1;

/** How a model came to be; everything but `objective` and `model` may be absent in files written by other programs. */
export interface Training {
  /** Spec of the objective. */
  readonly objective: string;
  /** Spec of the learner. */
  readonly model: string;
  /** Seed of the training. */
  readonly seed?: number;
  /** Number of rounds run. */
  readonly rounds?: number;
  /** The round that was kept. */
  readonly best?: number;
  /** Training cost after the round that was kept. */
  readonly cost?: number;
  /** What chose that round, "ndcg@10" or "loss"; absent where the last was kept. */
  readonly stopOn?: string;
  /** Lists, items, label counts, and how files were read. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Reader options, which later commands take as defaults. */
  readonly reading?: Readonly<Record<string, unknown>>;
  /** The trials that a blend was chosen from, of `autoTrain`. */
  readonly search?: TrainingSearch;
}

/** The trials of `autoTrain`. */
export interface TrainingSearch {
  /** Number of folds of the cross-validation. */
  readonly folds: number;
  /** Standard errors of the metrics of the model file, by spec. */
  readonly errors: Readonly<Record<string, number>>;
  /** The trials, in their order. */
  readonly trials: readonly SearchedTrial[];
}

/** A trial and its part in the blend. */
export interface SearchedTrial {
  /** Spec of the model. */
  readonly model: string;
  /** Spec of the objective. */
  readonly objective: string;
  /** Metrics of the out-of-fold scores, by spec; none where training failed. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Their standard errors. */
  readonly errors: Readonly<Record<string, number>>;
  /** The best round of each fold. */
  readonly rounds: readonly number[];
  /** Weight in the blend; all weights sum to 1. */
  readonly weight: number;
  /** Why it could not be trained. */
  readonly failed?: string;
}

/** All that a model file holds. */
export interface ModelFile {
  /** The model. */
  readonly model: Model;
  /** How it was trained. */
  readonly training: Training;
  /** Metrics of the validation data, by spec. */
  readonly metrics: Readonly<Record<string, number>>;
}

function checkModelFile(file: ModelFile): void {
  if (!isRecord(file) || typeof file.training !== "object" || typeof file.metrics !== "object")
    throw new InputError(`a model file: expected { model, training, metrics }, got ${describeValue(file)}`);
  check("a model file, its model", file.model, someModel);
  try {
    trainingFrom(file.training);
    numbersFrom("metrics", file.metrics);
  } catch (error) {
    throw error instanceof InputError
      ? new InputError(error.message.replace("the model file is damaged", "a model file"))
      : error;
  }
}

/** The content of a model file. */
export function modelRecord(file: ModelFile): Record<string, unknown> {
  checkModelFile(file);
  const { model, training, metrics } = file;
  const { count, base, names, encoding } = model.columns;
  const head = {
    format: "tierwise model",
    version: VERSION,
    training,
    metrics,
    columns: { count, base, ...(names && { names }), ...(encoding && { encoding }) },
  };
  return { ...head, model: model.save() };
}

const plain = (_: string, value: unknown) => (ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value);

/** A model file as text. The same training gives the same text. */
export const serializeModel = (file: ModelFile): string => `${JSON.stringify(modelRecord(file), plain, 1)}\n`;

/** What reading a model needs that a file cannot hold. */
export interface ReadModelOptions {
  /** The code of feature transforms of one's own, finished or as parts, where a model was trained with one. Default: none. */
  readonly transforms?: Transforms;
}

export const readModelKinds: Kinds<ReadModelOptions> = {
  transforms: {
    wanted: "an array of feature transforms, or of parts that build them",
    fits: (value) =>
      Array.isArray(value) &&
      value.every((one) =>
        typeof one === "function" ? "fields" in one && "id" in one : isRecord(one) && "apply" in one && "spec" in one,
      ),
  },
};

/** The model in a text; `path` is what errors call it. */
export function parseModel(text: string, path = "model", options: ReadModelOptions = {}): ModelFile {
  checkOptions("parseModel", options, readModelKinds);
  return parseRecord(text, path, options);
}

/** The same where `revise` puts something else in the place of values, as `JSON.parse` does. */
export function parseRecord(
  text: string,
  path: string,
  { transforms }: ReadModelOptions,
  revise?: (key: string, value: unknown) => unknown,
): ModelFile {
  check("parseModel", text, someText);
  check("parseModel, the path", path, someText);
  const saved = json(text, path, revise);
  if (!isRecord(saved) || saved.format !== "tierwise model") throw new InputError(`${path}: not a tierwise model file`);
  const { version } = saved;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1)
    throw new InputError(`${path}: the model file is damaged: version should be a whole number, and is ${shown(version)}`);
  if (version > VERSION)
    throw new InputError(
      `${path}: the model file has version ${version}, written by a later version of tierwise; this one reads up to ${VERSION}, so update it`,
    );
  try {
    const columns = savedColumns(saved, "columns");
    const training = trainingFrom(saved.training);
    const metrics = saved.metrics === undefined ? {} : numbersFrom("metrics", saved.metrics);
    if (!isRecord(saved.model) || typeof saved.model.id !== "string") throw damaged("model", "a model", saved.model);
    return { model: revive(saved.model as SavedModel, columns, transforms), training, metrics };
  } catch (error) {
    if (error instanceof MissingTransform) throw error.inFile(path);
    throw error instanceof InputError ? new InputError(`${path}: ${error.message}`) : error;
  }
}

function json(text: string, path: string, revise?: (key: string, value: unknown) => unknown): unknown {
  if (text.trim() === "") throw new InputError(`${path}: expected a model file, but it is empty`);
  checkNesting(text, path);
  try {
    return JSON.parse(text, revise);
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (!/^\s*[[{]/.test(text))
      throw new InputError(`${path}: expected a model file, but this is not JSON; give the model first, then the data`);
    const at = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    const end = text.trimEnd().length; // where a file that is cut off ends
    const line = text.slice(0, Math.min(at, end)).split("\n").length;
    throw new InputError(`${path}:${line}: invalid JSON in the model file, which may be truncated`);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const shown = (value: unknown) => quote(JSON.stringify(value) ?? "absent");

const damaged = (key: string, wanted: string, value: unknown) =>
  new InputError(`the model file is damaged: ${key} should be ${wanted}, and is ${shown(value)}`);

function trainingFrom(value: unknown): Training {
  if (!isRecord(value)) throw damaged("training", "an object", value);
  for (const key of ["objective", "model"])
    if (typeof value[key] !== "string") throw damaged(`training.${key}`, "a text", value[key]);
  if (value.stopOn !== undefined && typeof value.stopOn !== "string") throw damaged("training.stopOn", "a text", value.stopOn);
  for (const key of ["seed", "rounds", "best"])
    if (value[key] !== undefined && !Number.isSafeInteger(value[key]))
      throw damaged(`training.${key}`, "a whole number", value[key]);
  for (const key of ["data", "reading"])
    if (value[key] !== undefined && !isRecord(value[key])) throw damaged(`training.${key}`, "an object", value[key]);
  const cost = value.cost === undefined ? {} : numbersFrom("training", { cost: value.cost });
  const search = value.search === undefined ? {} : { search: searchFrom(value.search) };
  return { ...(value as unknown as Training), ...cost, ...search };
}

function searchFrom(value: unknown): TrainingSearch {
  const at = "training.search";
  if (!isRecord(value)) throw damaged(at, "an object", value);
  if (!Number.isSafeInteger(value.folds)) throw damaged(`${at}.folds`, "a whole number", value.folds);
  if (!Array.isArray(value.trials)) throw damaged(`${at}.trials`, "a list of trials", value.trials);
  const trials = value.trials.map((one: unknown, t): SearchedTrial => {
    const where = `${at}.trials[${t}]`;
    if (!isRecord(one)) throw damaged(where, "a trial", one);
    for (const key of ["model", "objective"])
      if (typeof one[key] !== "string") throw damaged(`${where}.${key}`, "a text", one[key]);
    if (typeof one.weight !== "number") throw damaged(`${where}.weight`, "a number", one.weight);
    if (!(Array.isArray(one.rounds) && one.rounds.every(Number.isSafeInteger)))
      throw damaged(`${where}.rounds`, "a list of whole numbers", one.rounds);
    if (one.failed !== undefined && typeof one.failed !== "string") throw damaged(`${where}.failed`, "a text", one.failed);
    const [metrics, errors] = [numbersFrom(`${where}.metrics`, one.metrics), numbersFrom(`${where}.errors`, one.errors)];
    return { ...(one as unknown as SearchedTrial), metrics, errors };
  });
  return { ...(value as unknown as TrainingSearch), errors: numbersFrom(`${at}.errors`, value.errors), trials };
}

/** Numbers by name. JSON knows no NaN, which is written as null: a metric that is undefined for every list. */
function numbersFrom(key: string, value: unknown): Record<string, number> {
  if (!isRecord(value)) throw damaged(key, "an object", value);
  const entries = Object.entries(value).map(([name, one]): [string, number] => {
    if (one !== null && typeof one !== "number") throw damaged(`${key}.${name}`, "a number", one);
    return [name, one ?? Number.NaN];
  });
  return Object.fromEntries(entries);
}
