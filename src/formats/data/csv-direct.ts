/**
 * Rows of a table of numbers, straight into the builder. The first cell of a feature, label or weight that is neither a number nor missing throws
 * `NeedsColumns`: what the column is then depends on all of its rows, so the files are read again as columns.
 */
import { type Builder, UNASSIGNED } from "../../data/builder.ts";
import { commaNumeralOf, groupedNumeralOf, isMissingWord, numeralOf } from "../../data/table/cell-text.ts";
import { isCommaGroup, isPointGroup } from "../../data/table/marks.ts";
import { InputError, quote } from "../../input-error.ts";
import { asText, numeral, readNumeral } from "../../numeric/numeral.ts";
import { isOneList, type Roles } from "./columns.ts";
import type { Cells } from "./csv-cells.ts";
import type { RowContext } from "./format.ts";
import { type ParseSummary, TOO_LARGE } from "./parse-summary.ts";

/** A table that cannot be read row by row: `readAsColumns` reads it otherwise. Never seen by users. */
export class NeedsColumns extends Error {}

/** Why, where reading in two rounds cannot do it: part of a message. */
export const OPEN_MARK =
  "a column has only numbers such as 1.039, in which the mark may group thousands; leave it out, or add --decimal . if it is a decimal mark";
const [OPEN, DECIMAL] = [1, 2];

const COMMA = 44;

export class DirectRows {
  private readonly builder: Builder;
  private readonly options: RowContext;
  private readonly summary: ParseSummary;
  private readonly names: readonly string[];
  private readonly roles: Roles;
  /** The feature that a column holds, or -1. */
  private readonly numbers: Int32Array;
  /** By column, what points in it are: 0 not known, `OPEN` perhaps between thousands, `DECIMAL`. */
  private readonly points: Uint8Array;
  /** The same of commas. */
  private readonly commas: Uint8Array;
  private lastQid: string | undefined;
  private list = UNASSIGNED;

  /** `numbers` has the feature of each column, or -1. */
  constructor(
    builder: Builder,
    options: RowContext,
    summary: ParseSummary,
    { names, roles, numbers }: { names: readonly string[]; roles: Roles; numbers: Int32Array },
  ) {
    this.builder = builder;
    this.options = options;
    this.summary = summary;
    this.names = names;
    this.roles = roles;
    this.numbers = numbers;
    this.points = new Uint8Array(names.length).fill(options.decimal === "." || options.typed ? DECIMAL : 0);
    this.commas = new Uint8Array(names.length);
    if (!options.grouped && isOneList(roles, options)) this.list = builder.list("1");
  }

  /** After the last row: points or commas that may stand between thousands need a look at all rows of all columns. */
  end(): void {
    const { points, commas, options, summary, names } = this;
    const open = [points, commas].flatMap((marks) => (marks.includes(OPEN) ? [marks.indexOf(OPEN)] : []));
    if (open.length === 0) return;
    const isShown = points.includes(OPEN) ? commas.some((mark) => mark !== 0) : points.includes(DECIMAL);
    if (options.sink === undefined || isShown) throw new NeedsColumns(OPEN_MARK);
    if (points.includes(DECIMAL)) return;
    summary.notices.push(
      `column ${quote(names[open[0]!]!)}: numbers with three digits after the ${points.includes(OPEN) ? "point" : "comma"} are read as decimals; if it groups thousands, remove it, or leave out --two-round`,
    );
  }

  /** Number of columns that identify the list. */
  get keys(): number {
    return this.roles.keys.length;
  }

  /** Takes the row whose cells were found; `where` is its file and line. */
  row(bytes: Uint8Array, cells: Cells, where: () => string): void {
    const { summary, builder, options, roles, numbers, names } = this;
    const { froms, tos } = cells;
    const features = builder.cells;
    const { points } = this;
    for (const column of roles.features) {
      let value = readNumeral(bytes, froms[column]!);
      if (!(numeral.end === tos[column]! && value < TOO_LARGE && value > -TOO_LARGE))
        value = this.unusual(bytes, cells, column, where);
      else if (numeral.decimals !== 0 && points[column] !== DECIMAL)
        this.point(asText(bytes, froms[column]!, tos[column]!), value, column);
      if (Number.isNaN(value)) summary.missing++;
      else features.add(numbers[column]!, value);
    }
    let label = roles.label < 0 ? Number.NaN : this.number(bytes, cells, roles.label, where);
    if (Number.isNaN(label) && options.missingLabels !== "leave-out") {
      if (options.labels !== "optional") throw new InputError(`${where()}: ${missingLabel(names[roles.label]!)}`);
      summary.unlabelled++;
      label = 0;
    }
    const weight = roles.weight < 0 ? 1 : this.number(bytes, cells, roles.weight, where);
    if (!(weight >= 0))
      throw new InputError(`${where()}: expected a weight of at least 0, got ${quote(cells.text(bytes, roles.weight))}`);
    if (roles.qid >= 0) {
      const qid = cells.name(bytes, roles.qid);
      if (qid === "") throw new InputError(`${where()}: ${missingQid(names[roles.qid]!)}`);
      if (qid !== this.lastQid) this.list = builder.list((this.lastQid = qid));
    }
    summary.rows++;
    builder.row(this.list, label, weight, roles.id < 0 ? "" : cells.name(bytes, roles.id));
  }

  /** The number in a cell, NaN for a missing one. */
  private number(bytes: Uint8Array, cells: Cells, column: number, where: () => string): number {
    const value = readNumeral(bytes, cells.froms[column]!);
    const plain = numeral.end === cells.tos[column]! && value < TOO_LARGE && value > -TOO_LARGE;
    if (!plain) return this.unusual(bytes, cells, column, where);
    if (numeral.decimals !== 0 && this.points[column] !== DECIMAL)
      this.point(asText(bytes, cells.froms[column]!, cells.tos[column]!), value, column);
    return value;
  }

  /** Notes what the point of a number is. */
  private point(text: string, value: number, column: number): void {
    if (isPointGroup(text)) this.points[column] = OPEN;
    else if (!Number.isInteger(value)) this.points[column] = DECIMAL;
  }

  /** The same for a comma. */
  private comma(text: string, column: number): void {
    if (this.options.decimal === ".") throw new NeedsColumns();
    if (!isCommaGroup(text)) this.commas[column] = DECIMAL;
    else if (this.commas[column] !== DECIMAL) this.commas[column] = OPEN;
  }

  /** The same for a cell that is no plain number. */
  private unusual(bytes: Uint8Array, cells: Cells, column: number, where: () => string): number {
    const text = cells.text(bytes, column);
    if (isMissingWord(text, this.options.missingValues)) return Number.NaN;
    // Blanks or quotes around it, or commas.
    const plain = numeralOf(text);
    if (plain !== undefined && this.options.typed && isPointGroup(text)) throw new NeedsColumns();
    if (plain !== undefined && this.points[column] !== DECIMAL) this.point(text, plain, column);
    const found = plain ?? (cells.delimiter === COMMA ? undefined : commaNumeralOf(text));
    if (found !== undefined && plain === undefined) this.comma(text, column);
    const again = found ?? (this.options.sink === undefined ? undefined : groupedNumeralOf(text));
    if (again === undefined) throw new NeedsColumns();
    if (!(again < TOO_LARGE && again > -TOO_LARGE)) throw new InputError(`${where()}: ${tooLarge(this.names[column]!, text)}`);
    return again;
  }
}

export const missingLabel = (column: string) =>
  `column ${quote(column)}: the label is missing; --tiers ratings leaves rows without one out, --label-last NA puts them below all others of their list`;
export const missingQid = (column: string) => `column ${quote(column)}: the qid is missing`;
export const tooLarge = (column: string, text: string) =>
  `column ${quote(column)}: ${quote(text)} is too large for a 32-bit float; --missing-values ${text} reads it as a missing value, and --ignore leaves out a column of ids`;
