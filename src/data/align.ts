/**
 * Aligns data with the columns that a model was trained on: every function that takes a model and data does this first. Named columns are
 * found by name, in any order; one that the data lack is an error, and others of the data are left out, with a notice. Numbered columns are
 * found by number, and one that the data lack is absent throughout (0, or missing where the data were read so), because sparse files leave out
 * what is absent. A number beyond those of the model is an error, because the numbers then probably mean other features. `unknownFeatures`
 * makes an error of both, or leaves both out.
 */
import { check, checkData, checkOptions, type Kinds, oneOf } from "../arguments.ts";
import { InputError, quote } from "../input-error.ts";
import { checkMemory } from "../memory-budget.ts";
import { suggest } from "../part.ts";
import type { ColumnEncoding, Columns, Dataset, Matrix } from "../types.ts";
import { columnsOfFeatures } from "./table/encode.ts";

/** How data are fitted to the columns of a model. */
export interface AlignOptions {
  /**
   * What features of the data that the model does not know are: an error, or left out. Default: those with names are left out, and numbered ones
   * are an error.
   */
  readonly unknownFeatures?: UnknownFeatures;
}

/** What becomes of features that a model does not know. */
export type UnknownFeatures = "error" | "ignore";

export const alignKinds: Kinds<AlignOptions> = { unknownFeatures: oneOf("error", "ignore") };

/** The data have features that the model does not know. The way out has another name on the command line. */
export class UnknownFeatureError extends InputError {
  constructor(readonly what: string) {
    super(`${what}; the option unknownFeatures: "ignore" leaves such features out`);
  }
}

/** Data with the columns of a model. */
export interface AlignedData {
  /** The data. */
  readonly data: Dataset;
  /** A line about each thing left out. */
  readonly notices: readonly string[];
}

/** The data with the columns of a model, and a line about each thing left out. The same data where nothing differs. */
export function align(data: Dataset, columns: Columns, options: AlignOptions = {}): AlignedData {
  checkData("align", data);
  check("align, the columns", columns, { wanted: "the columns of a model (model.columns)", fits: isColumns });
  checkOptions("align", options, alignKinds);
  const names = data.names.features;
  if (columns.names && !names)
    throw new InputError(
      `the model knows its features by name, such as ${quote(columns.names[0] ?? "")}, but the data have numbered features`,
    );
  if (!columns.names && names)
    throw new InputError(
      `the model knows its features by number, but the data have named features, such as ${quote(names[0] ?? "")}`,
    );
  return columns.names ? byName(data, names!, columns, options) : byNumber(data, columns, options);
}

const isColumns = (value: unknown) => {
  const { count, base, names } = (value ?? {}) as Partial<Columns>;
  return Number.isSafeInteger(count) && (base === 0 || base === 1) && (names === undefined || names?.length === count);
};

function byName(data: Dataset, names: readonly string[], columns: Columns, { unknownFeatures = "ignore" }: AlignOptions) {
  const wanted = columns.names!;
  if (columns.encoding?.some(({ kind }) => kind !== "number") && !sameEncoding(columns.encoding, data.names.encoding))
    throw new InputError(
      "the features of the model are made of the columns of a table by an encoding, and the data were read with another; read them with the option scorer: { encoding: model.columns.encoding }, and rows in memory with dataset(rows, { encoding: model.columns.encoding, ... })",
    );
  const known = new Map(wanted.map((name, column) => [name, column]));
  const have = new Set(names);
  const lacking = wanted.find((name) => !have.has(name));
  if (lacking !== undefined)
    throw new InputError(`the model needs the feature ${quote(lacking)}, which is not in the data; ${suggest(lacking, names)}`);
  const strange = names.filter((name) => !known.has(name));
  if (strange.length > 0 && unknownFeatures === "error")
    throw new UnknownFeatureError(`the model does not know the feature ${quote(strange[0]!)} of the data`);
  const notices = strange.length > 0 ? [ignoredNotice(columnsOfFeatures(strange, data.names.encoding), "feature")] : [];
  if (names.length === wanted.length && names.every((name, column) => name === wanted[column])) return { data, notices };
  const target = Int32Array.from(names, (name) => known.get(name) ?? -1);
  const features = moveColumns(data.features, (column) => target[column]!, wanted.length);
  return { data: { ...data, features, base: columns.base, names: { ...data.names, features: wanted } }, notices };
}

/** Dates and categories have the same meaning in both; how numbers and times were written does not matter once they are read. */
function sameEncoding(model: readonly ColumnEncoding[], data: readonly ColumnEncoding[] | undefined): boolean {
  return data !== undefined && (model === data || meaning(model) === meaning(data));
}

const meaning = (encoding: readonly ColumnEncoding[]) =>
  JSON.stringify(encoding.map(({ decimal: _, unit: __, start: ___, assumed: ____, ...column }) => column));

function byNumber(data: Dataset, columns: Columns, { unknownFeatures = "error" }: AlignOptions) {
  const have = data.features.columns;
  const shift = data.base - columns.base;
  const before = Math.min(have, Math.max(0, -shift)); // only a feature 0 that the model does not have
  const after = Math.max(0, have + shift - columns.count);
  const strange = before + after;
  const first = before > 0 ? data.base : columns.base + columns.count;
  if (strange > 0 && unknownFeatures === "error") {
    const numbered = data.base === columns.base ? "" : ` and numbers features from ${columns.base}, the data from ${data.base}`;
    const known = columns.count === 0 ? "none" : `${columns.base} to ${columns.base + columns.count - 1}${numbered}`;
    throw new UnknownFeatureError(`the model does not know feature ${first} of the data (it knows ${known})`);
  }
  const notices = strange > 0 ? [dropped(strange, first)] : [];
  if (shift === 0 && have === columns.count) return { data, notices };
  const inside = (column: number) => (column < columns.count ? column : -1);
  const features = moveColumns(data.features, (column) => inside(column + shift), columns.count);
  return { data: { ...data, features, base: columns.base }, notices };
}

function dropped(count: number, first: number): string {
  const more = count > 1 ? ` and ${count - 1} more` : "";
  return `feature ${first}${more} of the data dropped: the model does not know ${count > 1 ? "them" : "it"}`;
}

const SHOWN = 6;

/** Says which columns or features are left out; of many, the first few. */
export function ignoredNotice(names: readonly string[], noun: "column" | "feature"): string {
  const some = names.slice(0, SHOWN).map((name) => quote(name)).join(", "); // biome-ignore format: one chain
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return names.length === 1
    ? `the ${noun} ${some} is ignored: the model does not know it`
    : `the ${noun}s ${some}${more} are ignored: the model does not know them`;
}

/** The same rows with each column at its new place; a place below 0 drops it. */
function moveColumns(matrix: Matrix, place: (column: number) => number, columns: number): Matrix {
  const { rows } = matrix;
  if (matrix.kind === "dense") {
    const absent = matrix.absent ?? 0;
    checkMemory(`a matrix of ${rows} rows and the ${columns} features of the model`, rows * columns * 4);
    const values = new Float32Array(rows * columns);
    if (absent !== 0) values.fill(absent);
    const places = Int32Array.from({ length: matrix.columns }, (_, column) => place(column));
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < places.length; column++)
        if (places[column]! >= 0) values[row * columns + places[column]!] = matrix.values[row * matrix.columns + column]!;
    return { ...matrix, columns, values };
  }
  const starts = matrix.starts.slice();
  const kept: { column: number; value: number }[] = [];
  const indices = new Uint32Array(matrix.indices.length);
  const values = new Float32Array(matrix.values.length);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    kept.length = 0;
    for (let i = matrix.starts[row]!; i < matrix.starts[row + 1]!; i++) {
      const column = place(matrix.indices[i]!);
      if (column >= 0) kept.push({ column, value: matrix.values[i]! });
    }
    kept.sort((a, b) => a.column - b.column);
    for (const { column, value } of kept) {
      indices[at] = column;
      values[at++] = value;
    }
    starts[row + 1] = at;
  }
  return { ...matrix, columns, starts, indices: indices.slice(0, at), values: values.slice(0, at) };
}
