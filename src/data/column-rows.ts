/** Rows out of columns: parallel arrays, or an Arrow table. */
import { InputError, quote } from "../input-error.ts";
import { kindOf } from "./kind-of.ts";

/** Parallel arrays by the name of the column. */
export type DataColumns = Readonly<Record<string, ArrayLike<unknown>>>;

/** The part of an Arrow table that is used here. */
export interface ArrowTable {
  /** Number of rows. */
  readonly numRows: number;
  /** Names of the columns. */
  readonly schema: {
    /** The columns. */
    readonly fields: readonly {
      /** Name of the column. */
      readonly name: string;
    }[];
  };
  /** The column of that name. */
  getChild(name: string): {
    /** The value in that row. */
    get(index: number): unknown;
  } | null;
}

export const isArrow = (rows: object): rows is ArrowTable => "getChild" in rows && "schema" in rows && "numRows" in rows;

/** The rows of an Arrow table, as one object that is reused for each. */
export function* arrowRows(table: ArrowTable): Generator<object> {
  const names = table.schema.fields.map(({ name }) => name);
  const columns = names.map((name) => table.getChild(name));
  const row: Record<string, unknown> = {};
  for (let i = 0; i < table.numRows; i++) {
    names.forEach((name, c) => {
      row[name] = columns[c]?.get(i);
    });
    yield row;
  }
}

/** The rows of parallel arrays, as one object that is reused for each. A flat typed array of features holds one row after another. */
export function* columnRows(columns: DataColumns, list: unknown, features: unknown): Generator<object> {
  const names = Object.keys(columns);
  for (const name of names)
    if (typeof columns[name]?.length !== "number" || typeof columns[name] === "string")
      throw new InputError(`dataset: expected an array in column ${quote(name)}, got ${kindOf(columns[name])}`);
  const first = typeof list === "string" && list in columns ? list : names[0];
  const rows = first === undefined ? 0 : columns[first]!.length;
  const widths = names.map((name) => {
    const { length } = columns[name]!;
    const flat = name === features && ArrayBuffer.isView(columns[name]) && rows > 0 && length % rows === 0;
    if (length !== rows && !flat)
      throw new InputError(
        `dataset: column ${quote(first!)} has ${rows} values and column ${quote(name)} has ${length}; columns must be equally long`,
      );
    return flat ? length / rows : 0;
  });
  const row: Record<string, unknown> = {};
  for (let i = 0; i < rows; i++) {
    names.forEach((name, c) => {
      const [column, width] = [columns[name]!, widths[c]!];
      row[name] = width > 0 ? Array.prototype.slice.call(column, i * width, (i + 1) * width) : column[i];
    });
    yield row;
  }
}
