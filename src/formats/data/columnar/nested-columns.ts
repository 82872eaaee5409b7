/**
 * Columns from rows of nested values, such as those of JSON: members of objects become columns such as `item.price`, those of arrays `vector.0`. An array of texts is one cell,
 * as text (`array-text.ts`), and so are other values and arrays in a column that has such arrays. A member that a row lacks is missing.
 */
import { arrayText, type Element } from "../../../data/table/array-text.ts";
import type { TableBatch, TableColumn } from "../../../data/table/source-table.ts";
import { InputError, quote } from "../../../input-error.ts";
import { type CellValue, columnOf, missingColumn } from "./value-column.ts";

const ROWS = 16_384; // of a batch
const CELLS = 1 << 22; // of a batch
const MOST = 1 << 20; // columns of a table
const DEEPEST = 64; // levels of nesting

export interface NestedOptions {
  readonly file: string;
  /** Most cells of the whole table. */
  readonly cells: number;
  /** Columns of arrays of texts, as far as they are known. */
  readonly sets: ReadonlySet<string>;
  /** Batches end where `endBatch` says it, however large they are. */
  readonly batched?: boolean;
}

interface NestedBatch {
  readonly rows: number;
  readonly columns: ReadonlyMap<number, TableColumn>;
}

export class NestedColumns {
  /** Columns of arrays of texts. */
  readonly sets: Set<string>;
  /** Whether a column turned out to be one of these after it had other values, so that all rows must be added again. */
  isLate = false;
  private readonly options: NestedOptions;
  private readonly names = new Map<string, number>();
  private readonly batches: NestedBatch[] = [];
  /** By column: some row has a value that is no empty array. */
  private readonly hasValues: boolean[] = [];
  /** Objects and arrays whose members are columns. */
  private readonly parents = new Set<string>();
  /** Fewest and most values of arrays by place. */
  private readonly lengths = new Map<string, [number, number]>();
  private cells = new Map<number, CellValue[]>(); // by column, of the batch at hand
  private rows = 0;
  private total = 0; // rows of all batches
  private held = 0; // cells of all batches

  constructor(options: NestedOptions) {
    this.options = options;
    this.sets = new Set(options.sets);
  }

  /** Number of columns so far. */
  get size(): number {
    return this.names.size;
  }

  /** Adds a row; `where` begins messages about it. */
  add(row: Readonly<Record<string, unknown>>, where: string): void {
    const isFull = this.rows === ROWS || this.rows * this.cells.size > CELLS;
    if (isFull && !this.options.batched) this.endBatch();
    this.rows++;
    this.flatten(row, "", 0, where);
  }

  /** The rows that follow are in another batch. */
  endBatch(): void {
    const columns = new Map<number, TableColumn>();
    for (const [c, values] of this.cells) {
      while (values.length < this.rows) values.push(undefined);
      columns.set(c, columnOf(values));
    }
    this.batches.push({ rows: this.rows, columns });
    this.total += this.rows;
    this.held += this.rows * columns.size;
    const { file, cells } = this.options;
    if (Math.max(this.held, this.total * this.names.size) > cells)
      throw new InputError(
        `${file}: the lines have ${this.names.size} different members, of which most are missing in each; write such data as SVMlight`,
      );
    this.cells = new Map();
    this.rows = 0;
  }

  /** The columns of all rows. A column without values whose name others begin with is none of its own: `null` and `[]` in the place of an object or array. */
  finish(): {
    readonly columns: readonly string[];
    readonly batches: readonly TableBatch[];
    readonly notices: readonly string[];
  } {
    if (this.rows > 0 && !this.options.batched) this.endBatch();
    const kept = [...this.names].filter(([name, c]) => this.hasValues[c] || !this.parents.has(name));
    const whole = ({ rows, columns }: NestedBatch): TableBatch => {
      const none = missingColumn(rows); // one for all that are missing
      return { rows, columns: kept.map(([, c]) => columns.get(c) ?? none) };
    };
    const notices = [...this.lengths].flatMap(([name, [low, high]]) => (low < high ? [lengthsNotice(name, low, high)] : []));
    return { columns: kept.map(([name]) => name), batches: this.batches.map(whole), notices };
  }

  /** Adds a value, or those within it. */
  private flatten(value: unknown, name: string, depth: number, where: string): void {
    const isSet = this.sets.has(name);
    if (typeof value !== "object" || value === null) {
      this.put(name, isSet && value !== null ? arrayText([value as Element]) : (value as CellValue), where);
      return;
    }
    if (depth >= DEEPEST) throw new InputError(`${where}: the object has more than ${DEEPEST} levels`);
    if (Array.isArray(value) && depth > 0 && value.every(isPlain)) {
      const isEmpty = value.every((one) => one === null);
      if (isEmpty || isSet || value.some((one) => typeof one === "string")) {
        if (!isEmpty && !isSet) this.foundSet(name);
        this.put(name, arrayText(value), where, isEmpty);
        return;
      }
      const [low, high] = this.lengths.get(name) ?? [Infinity, 0];
      this.lengths.set(name, [Math.min(low, value.length), Math.max(high, value.length)]);
    }
    const entries = Object.entries(value);
    if (depth > 0 && entries.length > 0) this.parents.add(name);
    for (const [key, inner] of entries) this.flatten(inner, depth === 0 ? key : `${name}.${key}`, depth + 1, where);
  }

  private foundSet(name: string): void {
    this.sets.add(name);
    if (this.parents.has(name) || this.hasValues[this.names.get(name) ?? -1]) this.isLate = true;
  }

  private put(name: string, value: CellValue, where: string, isEmpty = value === null): void {
    let column = this.names.get(name);
    if (column === undefined) {
      if (this.names.size >= MOST) throw new InputError(`${where}: the table has more than ${MOST} columns`);
      this.names.set(name, (column = this.names.size));
    }
    const row = this.rows - 1;
    const values = this.cells.get(column) ?? [];
    if (values.length === 0) this.cells.set(column, values);
    if (values.length > row) throw new InputError(`${where}: the member ${quote(name)} occurs twice`);
    while (values.length < row) values.push(undefined);
    values.push(value);
    if (!isEmpty) this.hasValues[column] = true;
  }
}

const isPlain = (value: unknown): value is Element => typeof value !== "object" || value === null;

/** Arrays of numbers become a column for each place, and those of codes should not. */
export const lengthsNotice = (name: string, low: number, high: number): string =>
  `column ${quote(name)}: arrays of ${low} to ${high} numbers are read by place, from ${quote(`${name}.0`)} on; if they are codes, write them as texts, which become a feature each`;
