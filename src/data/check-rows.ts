/**
 * Validates rows passed by code: catches what would otherwise be misread silently, such as numbers given as strings, or whole numbers that
 * are equal as 32-bit floats. Every row is checked; the details of a message are computed only when there is an error.
 */
import { describeValue, InputError, quote } from "../input-error.ts";
import { distance } from "../part.ts";
import type { Row } from "./build.ts";

/** From here on, neighboring whole numbers are the same number in 32 bits. */
export const LARGE = 2 ** 24;

const LABEL = -1; // the column of labels

/** Columns in which large values have been seen: for each number of 32 bits the value that became it, and its row. */
export class LargeValues {
  private readonly seen = new Map<number, Map<number, { value: number; row: number }>>();

  /** Notes a value of a feature, or a label where there is no column. Refuses one that becomes the same number as another. */
  note(value: number, row: number, column = LABEL, name = ""): void {
    const rounded = Math.fround(value);
    const what = column === LABEL ? "labels" : "features";
    if (Math.abs(rounded) === Number.POSITIVE_INFINITY)
      throw new InputError(`row ${row}${place(column, name)}: expected a finite value of at most 3.4e38, got ${value}`);
    let column32 = this.seen.get(column);
    if (!column32) this.seen.set(column, (column32 = new Map()));
    const before = column32.get(rounded);
    if (!before) column32.set(rounded, { value, row });
    else if (before.value !== value)
      throw new InputError(
        `row ${row}${place(column, name)}: ${value} and ${before.value} of row ${before.row} are the same number in 32 bits, which ${what} have; subtract an offset from all of them, or round them with Math.fround where such digits do not matter`,
      );
  }
}

const place = (column: number, name: string) => (column === LABEL ? ", label" : `, feature ${name}`);

/** Refuses a row that is not of the kind that `Row` says, apart from its features. */
export function checkRow(row: Row, number: number): void {
  if (typeof row !== "object" || row === null) throw wrong(row, number, "a row { list, label, features }", row);
  const { list, label, weight, id } = row;
  if (typeof list !== "string" && !(typeof list === "number" && !Number.isNaN(list)))
    throw wrong(row, number, "list, the text or number that all rows of a list share", list);
  // A label beyond 32 bits would be infinite.
  if (!(typeof label === "number" && Math.abs(label) < 3.4028235e38)) throw wrong(row, number, "a finite label", label);
  if (weight !== undefined && !(typeof weight === "number" && weight >= 0 && weight < 3.4028235e38))
    throw wrong(row, number, "a finite weight of at least 0", weight);
  if (id !== undefined && typeof id !== "string") throw wrong(row, number, "id as a text", id);
}

/** Refuses a first row with a key that was probably meant to be another. */
export function checkKeys(row: Row): void {
  const odd = Object.keys(row).find((key) => key !== "weight" && distance(key.toLowerCase(), "weight") <= 2);
  if (odd !== undefined && row.weight === undefined)
    throw new InputError(`row 1: a row has no ${quote(odd)}; did you mean weight?`);
}

function wrong(row: unknown, number: number, wanted: string, got: unknown): InputError {
  const keys =
    typeof row === "object" && row !== null && got === undefined ? ` (the row has ${Object.keys(row).join(", ")})` : "";
  return new InputError(`row ${number}: expected ${wanted}, got ${describeValue(got)}${keys}`);
}

/** Refuses features that are neither an array of numbers nor numbers of features with as many values. */
export function checkFeatures(features: unknown, row: number): void {
  if (isList(features)) return;
  const { numbers, values } = (features ?? {}) as { numbers?: unknown; values?: unknown };
  if (numbers === undefined || values === undefined)
    throw new InputError(
      `row ${row}: expected features as an array with one number per column, or { numbers, values }, got ${describeValue(features)}`,
    );
  if (!isList(numbers) || !isList(values))
    throw new InputError(
      `row ${row}: expected numbers and values as arrays, got ${describeValue(numbers)} and ${describeValue(values)}`,
    );
  if (numbers.length !== values.length)
    throw new InputError(
      `row ${row}: expected a value for each feature number, got ${numbers.length} numbers and ${values.length} values`,
    );
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) ||
  (typeof value === "object" && value !== null && Number.isSafeInteger((value as { length?: unknown }).length));

/** The error of a feature value that is no number. */
export const noNumber = (row: number, feature: string, value: unknown): InputError =>
  new InputError(`row ${row}, feature ${feature}: expected a number (NaN where one is missing), got ${describeValue(value)}`);
