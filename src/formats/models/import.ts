/** Models of other tools as models of this library. Text or bytes in, a model out; files.ts opens files. */
import { check, checkOptions, type Kind, type Kinds, someText, someTexts } from "../../arguments.ts";
import { InputError } from "../../input-error.ts";
import { revive } from "../../models/index.ts";
import { isTrees, treesModel } from "../../models/trees/index.ts";
import type { Columns, Model } from "../../types.ts";
import type { Imported, ModelFormat } from "./format.ts";
import { modelFormat, modelFormats, sniff } from "./formats.ts";
import { type ModelFile, parseModel } from "./native.ts";
import { textOf } from "./shared/text.ts";

/** Options of importing. */
export interface ImportOptions {
  /** The format, such as "lightgbm". Default: what the content looks like. */
  readonly from?: string;
  /** Names of the features, in their order. Default: those of the file. */
  readonly features?: readonly string[];
  /**
   * Number of the first feature, 0 or 1, where features have no names. Default: as the file numbers them, which for models trained on arrays
   * is from 0; data files that number the same features from 1 need 1.
   */
  readonly base?: 0 | 1;
  /** What errors call the file. Default: "the model". */
  readonly path?: string;
}

/** A model with what its file states about it. */
export interface ImportedModel extends ModelFile {
  /** The id of its format, or "tierwise". */
  readonly format: string;
  /** What a user should know, a sentence each. */
  readonly notes: readonly string[];
}

const kinds: Kinds<ImportOptions> = {
  ...{ from: someText, features: someTexts, path: someText },
  base: { wanted: "0 or 1", fits: (value) => value === 0 || value === 1 },
};

export const modelContent: Kind = {
  wanted: "the text or the bytes of a model file",
  fits: (value) => typeof value === "string" || value instanceof Uint8Array,
};

/** The model in the text or the bytes of a file of any known format: LightGBM, XGBoost, CatBoost, RankLib and others, or tierwise itself. */
export function importModel(content: string | Uint8Array, options: ImportOptions = {}): ImportedModel {
  check("importModel", content, modelContent);
  checkOptions("importModel", options, kinds);
  const { from, features, base, path = "the model" } = options;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const format = from === undefined ? sniff(bytes) : from === "tierwise" ? undefined : modelFormat(from);
  const file = format ? foreign(bytes, format.id, path) : own(bytes, path);
  const model = base === undefined ? file.model : withBase(file.model, base);
  return { ...file, model: features ? withNames(model, features) : model };
}

function own(bytes: Uint8Array, path: string): ImportedModel {
  return { ...parseModel(textOf(bytes, path), path), format: "tierwise", notes: [] };
}

function foreign(bytes: Uint8Array, id: string, path: string): ImportedModel {
  const format = modelFormat(id);
  if (!format.read) {
    const readable = modelFormats.filter(({ read }) => read).map((one) => one.id);
    throw new InputError(`${path}: models of the format ${id} are written and not read; those of ${readable.join(", ")} are`);
  }
  if (bytes.length === 0) throw new InputError(`${path}: expected a model of the format ${id}, and the file is empty`);
  const { model, objective, notes } = readAs(format, bytes, path);
  return { model, training: { model: id, objective }, metrics: {}, format: id, notes };
}

/** The model of a format; errors of parts that know no files get the name of this one. */
export function readAs(format: ModelFormat, bytes: Uint8Array, path: string): Imported {
  try {
    return format.read!(bytes, path);
  } catch (error) {
    if (!(error instanceof InputError) || error.message.startsWith(path)) throw error;
    throw new InputError(`${path}: ${error.message}`);
  }
}

/** The same model with other names of its features. Trees may be given more features than they use. */
export function withNames(model: Model, names: readonly string[]): Model {
  const { count } = model.columns;
  const fits = isTrees(model) ? names.length >= count : names.length === count;
  if (!fits) throw new InputError(`the model has ${count} features, and ${names.length} names are given`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(`the name ${JSON.stringify(twice)} is given to two features`);
  return withColumns(model, { count: names.length, base: model.columns.base, names });
}

/** The same model with its first feature numbered 0 or 1. */
export const withBase = (model: Model, base: 0 | 1): Model => withColumns(model, { ...model.columns, base });

const withColumns = (model: Model, columns: Columns): Model =>
  isTrees(model) ? treesModel(columns, model.trees, {}, model.reduction, model.sum) : revive(model.save(), columns);
