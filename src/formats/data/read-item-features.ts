/** Features of items from a table with a header: the column item, model or name, and columns of numbers. */
import { check, someText } from "../../arguments.ts";
import { InputError, quote } from "../../input-error.ts";
import { checkInput, textOf } from "./file-bytes.ts";
import { cells, delimiterOf } from "./pairs.ts";

/** Features as a table gives them. */
export interface ItemFeatureTable {
  /** Names of the features. */
  readonly names: readonly string[];
  /** The numbers of each item. */
  readonly items: ReadonlyMap<string, readonly number[]>;
}

const ITEM = ["item", "model", "name"];

/** Features of items from a table: `item,size,open`, a row for each item. */
export async function readItemFeatures(path: string): Promise<ItemFeatureTable> {
  check("readItemFeatures, the path", path, someText);
  checkInput([path]);
  return parseItemFeatures(await textOf(path), path);
}

/** The features in the text of a table; `file` is named in errors. */
export function parseItemFeatures(text: string, file: string): ItemFeatureTable {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const fail = (at: number, message: string): never => {
    throw new InputError(`${file}:${at + 1}: ${message}`);
  };
  const start = lines.findIndex((line) => line.trim() !== "");
  if (start < 0) throw new InputError(`${file}: there are no items`);
  const delimiter = delimiterOf(lines[start]!);
  const head = cells(lines[start]!, delimiter);
  const place = head.findIndex((name) => ITEM.includes(name.toLowerCase()));
  if (place < 0) fail(start, `expected a column ${ITEM.join(", ")}, got ${quote(head.join(", "))}`);
  const names = head.filter((_, c) => c !== place);
  const double = names.find((name, c) => names.indexOf(name) !== c);
  if (double !== undefined) fail(start, `two columns are called ${quote(double)}`);
  const items = new Map<string, readonly number[]>();
  for (let at = start + 1; at < lines.length; at++) {
    if (lines[at]!.trim() === "") continue;
    const row = cells(lines[at]!, delimiter);
    if (row.length !== head.length) fail(at, `expected ${head.length} cells as in the header, got ${row.length}`);
    const name = row[place]!;
    if (name === "") fail(at, "the name of the item is empty");
    if (items.has(name)) fail(at, `${quote(name)} is there twice`);
    const values = row.filter((_, c) => c !== place).map((cell) => (cell.trim() === "" ? Number.NaN : Number(cell)));
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0)
      fail(at, `expected a number in the column ${names[bad]}, got ${quote(row.filter((_, c) => c !== place)[bad]!)}`);
    items.set(name, values);
  }
  if (items.size === 0) throw new InputError(`${file}: there are no items`);
  return { names, items };
}
