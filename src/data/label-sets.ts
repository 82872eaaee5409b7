/**
 * Documents with sets of labels, as a dataset whose lists are the whole label space: the labels of a document are its first tier, all others
 * the second. For models that rank labels (`mlp`, `leml`).
 */
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import type { Dataset } from "../types.ts";
import type { Column } from "./dataset.ts";
import { MultiLabelBuilder } from "./multilabel-builder.ts";

/** Where documents keep their labels and features. */
export interface LabelSetOptions<R = Readonly<Record<string, unknown>>> {
  /** The labels of a document: a list of names. */
  readonly labels: Column<R>;
  /** The features: numbers by name, such as counts of words, or a vector. What a document does not name is 0. */
  readonly features: Column<R>;
  /** The label space, in order. Default: the labels that occur, in the order in which they first do. Give that of training for other data. */
  readonly space?: readonly string[];
}

/**
 * Builds a dataset from documents with label sets.
 *
 * @example
 * const data = labelSets([{ tags: ["wine", "red"], words: { oak: 2, plum: 1 } }], { labels: "tags", features: "words" });
 */
export function labelSets<R extends object>(rows: Iterable<R>, options: LabelSetOptions<R>): Dataset {
  const { labels, features, space } = checked(options as LabelSetOptions<never>);
  if (typeof rows !== "object" || rows === null || !(Symbol.iterator in rows))
    throw new InputError("labelSets: expected rows: an array or another iterable of objects");
  const [labelNumbers, featureNumbers] = [new Map(space?.map((name, i) => [name, i])), new Map<string, number>()];
  let width = -1; // of vectors; -1: features have names
  const documents = Array.from(rows, (row, i) => {
    const where = `labelSets, row ${i + 1}`;
    if (typeof row !== "object" || row === null) throw new InputError(`${where}: expected an object`);
    const names = columnOf(row, i, labels);
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
      throw new InputError(`${where}: expected a list of names as labels`);
    const strange = space && names.find((name) => !labelNumbers.has(name));
    if (strange !== undefined)
      throw new InputError(`${where}: the label ${quote(strange)} is not in the label space; ${suggest(strange, space!)}`);
    const cells = columnOf(row, i, features);
    const found = isVector(cells) ? cells.length : -1;
    if (typeof cells !== "object" || cells === null || (i > 0 && found < 0 !== width < 0))
      throw new InputError(
        `${where}: expected ${i === 0 ? "numbers by name, or a vector," : width < 0 ? "numbers by name" : "a vector"} as features`,
      );
    if (i > 0 && found !== width) throw new InputError(`${where}: expected ${width} features as in row 1, got ${found}`);
    width = found;
    const entries = isVector(cells) ? Object.entries(Array.from(cells)) : Object.entries(cells as Record<string, unknown>);
    return {
      where,
      labels: names.map((name) => numbered(labelNumbers, name)),
      cells: entries.map(([name, value]) => ({ feature: width < 0 ? numbered(featureNumbers, name) : Number(name), value })),
    };
  });

  const [itemNames, featureNames] = [[...labelNumbers.keys()], [...featureNumbers.keys()]];
  const columns = width < 0 ? featureNames.length : width;
  const builder = new MultiLabelBuilder({ items: itemNames.length, columns, itemNames, ...(width < 0 && { featureNames }) });
  for (const { where, labels: judged, cells } of documents) {
    for (const label of judged) builder.addLabel(label, 1);
    for (const { feature, value } of cells) {
      if (typeof value !== "number" || Math.abs(Math.fround(value)) === Number.POSITIVE_INFINITY)
        throw new InputError(`${where}: expected a finite number as feature ${quote(featureNames[feature] ?? String(feature))}`);
      builder.cells.add(feature, value);
    }
    const twice = builder.end();
    if (twice && "item" in twice) throw new InputError(`${where}: the label ${quote(itemNames[twice.item]!)} is given twice`);
  }
  return builder.finish();
}

/** The number of a name, which gets the next one when it is new. */
function numbered(numbers: Map<string, number>, name: string): number {
  const number = numbers.get(name) ?? numbers.size;
  numbers.set(name, number);
  return number;
}

const isVector = (cells: unknown): cells is ArrayLike<unknown> =>
  Array.isArray(cells) || (ArrayBuffer.isView(cells) && "length" in cells);

const columnOf = (row: object, index: number, column: Column<never>): unknown =>
  typeof column === "function"
    ? (column as (row: object, index: number) => unknown)(row, index)
    : (row as Record<string, unknown>)[column];

function checked(options: LabelSetOptions<never>): LabelSetOptions<never> {
  if (typeof options !== "object" || options === null)
    throw new InputError('labelSets: expected options such as { labels: "tags", features: "words" }');
  for (const key of Object.keys(options))
    if (!["labels", "features", "space"].includes(key))
      throw new InputError(`labelSets has no option ${quote(key)}; ${suggest(key, ["labels", "features", "space"])}`);
  for (const key of ["labels", "features"] as const)
    if (typeof options[key] !== "string" && typeof options[key] !== "function")
      throw new InputError(`labelSets: the option ${key} is needed: the name of a column, or a function of a row`);
  const { space } = options;
  if (
    space !== undefined &&
    (!Array.isArray(space) || new Set(space).size < space.length || !space.every((name) => typeof name === "string"))
  )
    throw new InputError("labelSets, option space: expected different names of labels");
  return options;
}
