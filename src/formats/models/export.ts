/** Models for other tools. A model in, text or bytes out, with the rows by which the conversion can be checked. */
import { check, checkOptions, type Kinds, oneOf, required, someModel, someName, someText, someTexts } from "../../arguments.ts";
import { encodingNotes } from "../../data/table/encoding-text.ts";
import { InputError } from "../../input-error.ts";
import type { Dataset, Model } from "../../types.ts";
import type { WriteOptions } from "./format.ts";
import { modelFormat, modelFormats } from "./formats.ts";
import { modelContent, readAs, withNames } from "./import.ts";
import { checkParity, compareParity, type Parity, type ParityCheck, parityOf, parityRows } from "./parity.ts";
import { type Portable, portable } from "./shared/portable.ts";

/** Options of exporting. */
export interface ExportOptions extends WriteOptions {
  /** The format to write, such as "lightgbm" or "onnx". */
  readonly to: string;
  /** Names of the features, in their order. Default: those of the model. */
  readonly features?: readonly string[];
}

/** A model as another tool reads it. */
export interface ExportedModel {
  /** Of the file. */
  readonly content: string | Uint8Array;
  /** What the target does otherwise than the model, a sentence each. */
  readonly notes: readonly string[];
  /** Rows and the scores that the target must give. */
  readonly parity: Parity;
}

const kinds: Kinds<ExportOptions> = {
  ...{ to: required(someText), features: someTexts, name: someName },
  missing: oneOf("refuse", "zero"),
};

/** A model in the format of another tool. Refuses, in one line, what the target cannot express so that scores would be wrong. */
export function exportModel(model: Model, options: ExportOptions): ExportedModel {
  check("exportModel", model, someModel);
  checkOptions("exportModel", options, kinds);
  const { to, features } = options;
  const format = modelFormat(to);
  if (!format.write) {
    const written = modelFormats.filter(({ write }) => write).map(({ id }) => id);
    throw new InputError(`models of the format ${to} are read and not written; those of ${written.join(", ")} are`);
  }
  const given = portable(features ? withNames(model, features) : model);
  const plain = format.named ? named(given) : given;
  const { content, notes, reference = plain, ...facts } = format.write(plain, options);
  const exported = {
    content,
    notes: [...notes, ...encodingNotes(model.columns.encoding)],
    parity: parityOf(reference, to, facts, content),
  };
  if (format.read) {
    const check = checkModel(content, exported.parity);
    if (!check.passed)
      throw new Error(
        `the model written as ${to} does not give the scores of its parity rows: ${check.identical} of ${check.rows} are the same`,
      );
  }
  return exported;
}

function named(model: Portable): Portable {
  const { count, base, names } = model.columns;
  return { ...model, columns: { count, base, names: names ?? Array.from({ length: count }, (_, c) => `f${c + base}`) } };
}

/** Scores the rows of a parity file with a converted model, as its target would. */
export function checkModel(content: string | Uint8Array, parity: Parity, path = "the model"): ParityCheck {
  check("checkModel", content, modelContent);
  check("checkModel, the path", path, someText);
  checkParity("checkModel", parity);
  const format = modelFormat(parity.target);
  if (!format.read)
    throw new InputError(`${path}: a file of the format ${parity.target} is checked by running it, which checkModel does not`);
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { model } = readAs(format, bytes, path);
  return compareParity(parity, scoresOf(model, parity), bytes);
}

function scoresOf(model: Model, parity: Parity): Float64Array {
  const [rows, { count }] = [parity.rows.length, model.columns];
  // A file may know fewer features than the model had, where it names only those that are used.
  const full = parityRows(parity);
  const places = model.columns.names && parity.features.every((name) => model.columns.names!.includes(name));
  const values = new Float32Array(rows * count);
  for (let row = 0; row < rows; row++)
    parity.columns.forEach((column, i) => {
      const place = places ? model.columns.names!.indexOf(parity.features[i]!) : column;
      if (place < count) values[row * count + place] = full[row * parity.count + column]!;
    });
  const data: Dataset = {
    starts: Uint32Array.of(0, rows),
    labels: new Float32Array(rows),
    features: { kind: "dense", rows, columns: count, values },
    base: model.columns.base,
    names: model.columns.names ? { features: model.columns.names } : {},
  };
  const scores = new Float64Array(rows);
  model.score(data, scores);
  return scores;
}
