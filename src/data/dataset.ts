/**
 * A dataset from values that are already in memory: an array of objects, any iterable or async iterable of them, columns as parallel arrays,
 * or an Arrow table. One option per role says which column is what; all other columns are features unless `features` names them.
 *
 * Numbers, booleans (1 and 0) and bigints are values; null, undefined and NaN are missing; an array of texts is a feature for each text (set-columns.ts).
 * Text is refused with the column's name, unless the encoding of a model says what it means.
 */
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import type { ColumnEncoding, Dataset } from "../types.ts";
import { Builder } from "./builder.ts";
import { type ArrowTable, arrowRows, columnRows, type DataColumns, isArrow } from "./column-rows.ts";
import { fillEncoded } from "./items.ts";
import { kindOf } from "./kind-of.ts";
import { gradesOf } from "./label-order.ts";
import { LAST, labelKey, lastLabels } from "./label-words.ts";
import { SetColumns } from "./set-columns.ts";
import { featureNames } from "./table/encode.ts";

/** A column: its name, or a function that takes its value out of a row. */
export type Column<R> = (keyof R & string) | ((row: R, index: number) => unknown);

/** Which columns of the rows are what. */
export interface DatasetOptions<R = Readonly<Record<string, unknown>>> {
  /** Which list (query, user, race) a row belongs to. Rows of a list need not be adjacent. */
  readonly list: Column<R>;
  /** The label: higher is better, and equal labels in a list are a tier. Default: none, for data that are only to be ranked. */
  readonly label?: Column<R>;
  /** Labels that are words, the best first, such as ["gold", "silver", "bronze"]. Default: labels are numbers, and higher is better. */
  readonly labelOrder?: readonly string[];
  /** Labels that are below all others of their list, such as ["DNF", "DSQ"] among numbers. Default: none. */
  readonly labelLast?: readonly string[];
  /** What the item is called in rankings. Default: its position in the list, from 1. */
  readonly id?: Column<R>;
  /** The weight of the row. Default: 1 each. */
  readonly weight?: Column<R>;
  /**
   * The features: names of columns, or one column that holds a vector of numbers (its features are then numbered from 1 instead of named).
   * Default: every column that has no other role.
   */
  readonly features?: readonly (keyof R & string)[] | Column<R>;
  /**
   * How a model makes features of columns (`model.columns.encoding`), for rows that it scores: words, dates and arrays of texts mean what they meant in
   * its training data. Default: none, so that features are numbers, and arrays of texts have a feature for each of their own texts.
   */
  readonly encoding?: readonly ColumnEncoding[];
}

/**
 * Builds a dataset from rows or columns in memory.
 *
 * @example
 * const data = dataset(
 *   [
 *     { query: "rolls", bakery: "north", rating: 3, price: 0.6, crust: 4 },
 *     { query: "rolls", bakery: "mill", rating: 1, price: 0.8, crust: 5 },
 *   ],
 *   { list: "query", label: "rating", id: "bakery" },
 * ); // the features are price and crust
 */
export function dataset<R extends object>(rows: AsyncIterable<R>, options: DatasetOptions<R>): Promise<Dataset>;
export function dataset<R extends object>(rows: Iterable<R>, options: DatasetOptions<R>): Dataset;
export function dataset(columns: DataColumns | ArrowTable, options: DatasetOptions): Dataset;
export function dataset(
  rows: AsyncIterable<object> | Iterable<object> | DataColumns | ArrowTable,
  options: DatasetOptions<never>,
): Dataset | Promise<Dataset> {
  checkOptions(options);
  const reader = new RowReader(options as DatasetOptions<object>);
  if (typeof rows === "object" && rows !== null) {
    if (Symbol.asyncIterator in rows) return readAll(rows, reader);
    if (isArrow(rows)) return readRows(arrowRows(rows), reader);
    if (Symbol.iterator in rows) return readRows(rows as Iterable<object>, reader);
    return readRows(columnRows(rows as DataColumns, options.list, options.features), reader);
  }
  throw new InputError(
    `dataset: expected rows (an array or another iterable of objects) or an object of columns, got ${kindOf(rows)}`,
  );
}

const ROLES = ["list", "label", "id", "weight", "features"] as const;
const WORDS = ["labelOrder", "labelLast"] as const;

function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new InputError(`dataset: expected options such as { list: "query", label: "rating" }, got ${kindOf(options)}`);
  for (const key of Object.keys(options))
    if (!WORDS.some((name) => name === key) && key !== "encoding" && !ROLES.some((role) => role === key))
      throw new InputError(`dataset has no option ${quote(key)}; ${suggest(key, [...ROLES, ...WORDS, "encoding"])}`);
  const given = options as Record<string, unknown>;
  const { encoding } = given;
  if (encoding !== undefined) {
    const isEncoding = Array.isArray(encoding) && encoding.every((one) => typeof one?.name === "string" && typeof one.kind === "string"); // biome-ignore format: one condition
    if (!isEncoding)
      throw new InputError(`dataset, option encoding: expected model.columns.encoding of a model, got ${kindOf(encoding)}`);
    if (given.features !== undefined)
      throw new InputError("dataset: the options encoding and features both say what the features are; give one of them");
  }
  for (const name of WORDS) {
    const words = given[name];
    if (words === undefined) continue;
    const fits = Array.isArray(words) && words.length > 0 && words.every((label) => typeof label === "string");
    if (!fits || new Set(words).size < words.length)
      throw new InputError(
        `dataset, option ${name}: expected different labels as texts${name === "labelOrder" ? ", the best first" : ""}`,
      );
  }
  if (given.labelOrder !== undefined && given.labelLast !== undefined)
    throw new InputError(
      "dataset: labelOrder has all labels, the best first, and labelLast others; put its words at the end of labelOrder",
    );
  if (given.list === undefined)
    throw new InputError("dataset: the option list is needed: the column that says which list a row belongs to");
  for (const role of ROLES) {
    const column = given[role];
    const names = role === "features" && Array.isArray(column);
    if (names && column.length === 0) throw new InputError("dataset, option features: expected at least one column, got none");
    if (names && new Set(column).size < column.length)
      throw new InputError(
        `dataset, option features: the column ${quote(String(column.find((one, i) => column.indexOf(one) < i)))} is named twice`,
      );
    for (const one of names ? column : [column])
      if (one !== undefined && typeof one !== "string" && (names || typeof one !== "function"))
        throw new InputError(
          `dataset, option ${role}: expected the name of a column${names ? "" : " or a function of a row"}, got ${kindOf(one)}`,
        );
  }
}

function readRows(rows: Iterable<object>, reader: RowReader): Dataset {
  for (const row of rows) reader.add(row);
  return reader.finish();
}

async function readAll(rows: AsyncIterable<object>, reader: RowReader): Promise<Dataset> {
  for await (const row of rows) reader.add(row);
  return reader.finish();
}

type Take = (row: object, index: number) => unknown;

/** Takes rows one by one into a builder. */
class RowReader {
  private readonly builder = new Builder({ absent: "missing", base: 0 });
  private readonly roles: Readonly<Record<"list" | "label" | "id" | "weight", Take | undefined>>;
  private readonly named: boolean; // features are found by their names
  private readonly grade: ((text: string) => number | undefined) | undefined; // of a label that is a word
  private readonly last: ReadonlySet<string>; // words for a label below all others
  private readonly open: boolean; // every column without another role is a feature
  private readonly vector: Take | undefined;
  private readonly taken: ReadonlySet<string>; // columns that are no features
  private readonly columns: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly found: boolean[] = []; // by column: some row has it
  private readonly width: { vector: number } = { vector: -1 };
  private readonly sets = new SetColumns();
  private readonly areArrays: boolean[] = []; // by column: its values are arrays of texts
  private readonly encoding: readonly ColumnEncoding[] | undefined;
  private readonly encoded: Float32Array; // features of a row, by the encoding

  constructor({ list, label, labelOrder, labelLast = [], id, weight, features, encoding }: DatasetOptions<object>) {
    this.encoding = encoding;
    if (encoding) this.columns.push(...featureNames(encoding));
    this.encoded = new Float32Array(this.columns.length);
    this.grade = labelOrder && gradesOf(labelOrder);
    this.last = new Set(labelLast.map(labelKey));
    this.roles = { list: take(list), label: take(label), id: take(id), weight: take(weight) };
    this.open = features === undefined;
    this.named = this.open || Array.isArray(features);
    this.vector = this.named ? undefined : take(features as Column<object>);
    this.taken = new Set([list, label, id, weight].filter((column) => typeof column === "string"));
    if (Array.isArray(features)) for (const name of features as readonly string[]) this.column(name);
    this.found.fill(false);
  }

  add(row: object): void {
    const number = this.builder.rows + 1;
    if (typeof row !== "object" || row === null)
      throw new InputError(`dataset, row ${number}: expected an object, got ${kindOf(row)}`);
    const list = this.role(row, "list");
    if (list === undefined || list === null || typeof list === "object" || typeof list === "function")
      throw new InputError(
        `dataset, row ${number}: expected a list (a text or a number), got ${kindOf(list)}; ${this.known(row)}`,
      );
    const given = this.roles.label ? this.role(row, "label") : 0;
    const isLast = given !== undefined && given !== null && this.last.has(labelKey(String(given)));
    const label = isLast ? LAST : this.roles.label ? Math.fround(this.label(given, number)) : 0;
    if (!isLast && !Number.isFinite(label)) throw new InputError(`dataset, row ${number}: expected a finite label, got ${given}`);
    const weight = this.roles.weight ? numberIn(this.role(row, "weight"), number, "the weight") : 1;
    if (!(weight >= 0 && Number.isFinite(Math.fround(weight))))
      throw new InputError(`dataset, row ${number}: expected a finite weight of at least 0, got ${weight}`);
    const id = this.roles.id ? this.role(row, "id") : undefined;
    if (this.encoding) this.addEncoded(row as Record<string, unknown>, number, this.encoding);
    else if (this.vector) this.addVector(this.vector(row, number - 1), number);
    else if (this.open) this.addOpen(row as Record<string, unknown>, number);
    else this.addNamed(row as Record<string, unknown>, number);
    this.builder.row(this.builder.list(String(list)), label, weight, id === undefined || id === null ? "" : String(id));
  }

  finish(): Dataset {
    const lost = this.encoding ? undefined : this.columns.find((_, c) => !this.found[c]);
    if (lost !== undefined && this.builder.rows > 0) throw new InputError(`dataset: no row has the feature ${quote(lost)}`);
    this.builder.cells.seal();
    if (this.named) this.builder.features = this.columns;
    const data = lastLabels(this.builder.finish());
    if (this.encoding) return { ...data, names: { ...data.names, encoding: this.encoding } };
    return this.named ? this.sets.expand(data) : { ...data, base: 1 };
  }

  private column(name: string): number {
    const next = this.columns.length;
    this.numbers.set(name, next);
    this.columns.push(name);
    this.found.push(true);
    return next;
  }

  private role(row: object, role: "list" | "label" | "id" | "weight"): unknown {
    return this.roles[role]!(row, this.builder.rows);
  }

  private label(value: unknown, row: number): number {
    if (this.grade && value !== undefined && value !== null) {
      const grade = this.grade(String(value));
      if (grade === undefined)
        throw new InputError(`dataset, row ${row}: the label ${quote(String(value))} is not in labelOrder`);
      return grade;
    }
    if (typeof value === "string")
      throw new InputError(
        `dataset, row ${row}: expected a number in the label, got ${kindOf(value)}; give words in order, the best first: labelOrder: ["S", "A", "B"], or those that are below all others: labelLast: [${JSON.stringify(value)}]`,
      );
    return numberIn(value, row, "the label");
  }

  private known(row: object): string {
    return `the columns are ${Object.keys(row)
      .slice(0, 20)
      .map((name) => quote(name))
      .join(", ")}`;
  }

  private addNamed(row: Record<string, unknown>, number: number): void {
    for (let c = 0; c < this.columns.length; c++) {
      const name = this.columns[c]!;
      const value = row[name];
      if (value === undefined) {
        if (!this.found[c] && name in row) this.found[c] = true;
        continue;
      }
      this.found[c] = true;
      this.cell(c, value, number, name);
    }
  }

  private addEncoded(row: Record<string, unknown>, number: number, encoding: readonly ColumnEncoding[]): void {
    fillEncoded(this.encoded, row, `dataset, row ${number}`, encoding);
    for (let c = 0; c < this.encoded.length; c++) this.builder.cells.add(c, this.encoded[c]!);
  }

  private addOpen(row: Record<string, unknown>, number: number): void {
    for (const name of Object.keys(row)) {
      if (this.taken.has(name)) continue;
      this.cell(this.numbers.get(name) ?? this.column(name), row[name], number, name);
    }
  }

  private addVector(vector: unknown, number: number): void {
    const { width } = this;
    if (!(Array.isArray(vector) || (ArrayBuffer.isView(vector) && "length" in vector)))
      throw new InputError(`dataset, row ${number}: expected an array of numbers as features, got ${kindOf(vector)}`);
    const values = vector as ArrayLike<unknown>;
    if (width.vector < 0) width.vector = values.length;
    if (values.length !== width.vector)
      throw new InputError(`dataset, row ${number}: expected ${width.vector} features as in row 1, got ${values.length}`);
    for (let f = 0; f < values.length; f++) this.cell(f, values[f], number, String(f + 1));
  }

  private cell(column: number, value: unknown, number: number, name: string): void {
    const array = this.named && typeof value === "object" && value !== null ? this.sets.numberOf(column, value) : undefined;
    const held = array ?? (typeof value === "number" ? value : numberIn(value, number, `column ${quote(name)}`, this.open));
    if (Math.abs(Math.fround(held)) === Number.POSITIVE_INFINITY)
      throw new InputError(`dataset, row ${number}, column ${quote(name)}: expected a finite number, got ${held}`);
    if (!Number.isNaN(held)) {
      const isArray = array !== undefined;
      if ((this.areArrays[column] ??= isArray) !== isArray)
        throw new InputError(
          `dataset, row ${number}: expected ${isArray ? "a number" : "an array of texts"} in column ${quote(name)} as in the rows before, got ${kindOf(value)}`,
        );
    }
    this.builder.cells.add(column, held);
  }
}

function take(column: Column<object> | undefined): Take | undefined {
  if (column === undefined || typeof column === "function") return column as Take | undefined;
  return (row) => (row as Record<string, unknown>)[column];
}

/** The number that a value means; NaN where it is missing. */
function numberIn(value: unknown, row: number, what: string, open = false): number {
  if (typeof value === "number") return value;
  if (value === undefined || value === null) return Number.NaN;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) return Number(value);
  const wayOut = open ? "; name the columns that are features: features: [...]" : "";
  throw new InputError(`dataset, row ${row}: expected a number in ${what}, got ${kindOf(value)}${wayOut}`);
}
