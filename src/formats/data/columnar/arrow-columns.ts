/**
 * Columns of tables from Arrow record batches. Numbers, booleans, dates, times and texts keep their kind; structs become a column for each member,
 * `item.price`, lists of numbers one for each place, `vector.0`, and lists of texts one of arrays, as nested JSON does.
 */
import { arrayText } from "../../../data/table/array-text.ts";
import {
  MISSING_BOOLEAN,
  MISSING_TEXT,
  type SourceTable,
  type TableBatch,
  type TableColumn,
  type TextColumn,
} from "../../../data/table/source-table.ts";
import { InputError, quote } from "../../../input-error.ts";
import type { ArrowColumn, ArrowDictionary } from "./arrow-batch.ts";
import type { ArrowMessages } from "./arrow-messages.ts";
import { arrowBytes, arrowDecimals } from "./arrow-values.ts";
import { lengthsNotice } from "./nested-columns.ts";
import { missingColumn, textColumn } from "./value-column.ts";

/** Some rows of columns by name. */
type Named = readonly (readonly [name: string, column: TableColumn])[];

/** The columns of all batches: a list may be longer in one of them, so columns that another lacks are missing there. */
export function arrowTable(file: string, { fields, batches }: ArrowMessages): SourceTable {
  const reader = new ColumnReader(file);
  const flat = batches.map(({ rows, columns }) => ({
    rows,
    columns: columns.flatMap((column, c) => reader.flatten(fields[c]!.name, column)),
  }));
  const first = new Map<string, true>();
  for (const { columns } of flat) for (const [column] of columns) first.set(column, true);
  const all =
    flat.length > 0
      ? uniqueNames(
          flat.map(({ columns }) => columns),
          first,
        )
      : fields.map((field) => field.name);
  const isEmpty = (name: string) => reader.empty.has(name) && all.some((one) => one.startsWith(`${name}.`));
  const names = all.filter((name) => !isEmpty(name));
  return { name: file, columns: names, batches: flat.map((batch) => aligned(batch, names)), notices: reader.notices() };
}

/** The names in order; those of one batch may repeat, which the roles of columns refuse later. */
function uniqueNames(batches: readonly Named[], all: ReadonlyMap<string, true>): string[] {
  const own = batches[0]!.map(([name]) => name);
  const same = batches.every((batch) => batch.length === own.length && batch.every(([name], c) => name === own[c]));
  return same ? own : [...all.keys()];
}

function aligned({ rows, columns }: { readonly rows: number; readonly columns: Named }, names: readonly string[]): TableBatch {
  if (columns.length === names.length && columns.every(([name], c) => name === names[c]))
    return { rows, columns: columns.map(([, column]) => column) };
  const known = new Map(columns);
  return { rows, columns: names.map((name) => known.get(name) ?? missingColumn(rows)) };
}

/** By row, 1 where there is a value; undefined: everywhere. */
function validityOf({ validity, length }: ArrowColumn): Uint8Array | undefined {
  if (!validity) return undefined;
  const valid = new Uint8Array(length);
  for (let row = 0; row < length; row++) valid[row] = (validity[row >> 3]! >> (row & 7)) & 1;
  return valid;
}

/** The column with rows in another order; -1 is a missing value. */
function taken(column: TableColumn, rows: Int32Array): TableColumn {
  if (column.kind === "text") return { ...column, codes: rows.map((row) => (row < 0 ? MISSING_TEXT : column.codes[row]!)) };
  const { values } = column;
  if (column.kind === "boolean")
    return { kind: "boolean", values: Uint8Array.from(rows, (row) => (row < 0 ? MISSING_BOOLEAN : values[row]!)) };
  return { kind: column.kind, values: Float64Array.from(rows, (row) => (row < 0 ? Number.NaN : values[row]!)) };
}

const masked = (column: TableColumn, valid: Uint8Array) =>
  taken(
    column,
    Int32Array.from(valid, (yes, row) => (yes ? row : -1)),
  );

const MOST = 1 << 20; // columns of a table
const SPARSEST = 64; // cells of a list for each of its values

class ColumnReader {
  /** What dictionaries hold, as far as they have been read. */
  private readonly entries = new WeakMap<readonly ArrowColumn[], { parts: number; column: TableColumn }>();

  /** Lists that have no values in some batch: a column of empty arrays, where others have no values either. */
  readonly empty = new Set<string>();
  /** Fewest and most values of lists that are read by place. */
  private readonly lengths = new Map<string, [number, number]>();

  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** A column, or those of its members. */
  flatten(name: string, column: ArrowColumn): Named {
    const { kind } = column.type;
    if (column.dictionary) return [[name, this.dictionary(name, column, column.dictionary)]];
    if (kind === "list" || kind === "fixed-list") return this.flattenList(name, column);
    if (kind !== "struct") return [[name, this.plain(name, column)]];
    const valid = validityOf(column);
    const own = column.children.flatMap(([key, child]) => this.flatten(`${name}.${key}`, child));
    return valid ? own.map(([key, inner]) => [key, masked(inner, valid)] as const) : own;
  }

  notices(): string[] {
    return [...this.lengths].flatMap(([name, [low, high]]) => (low < high ? [lengthsNotice(name, low, high)] : []));
  }

  /** Lists as columns by place, and those of texts as one. */
  private flattenList(name: string, { type, length: rows, offsets, children, ...rest }: ArrowColumn): Named {
    const valid = validityOf({ type, length: rows, children, ...rest });
    const each = type.kind === "fixed-list" ? type.size : 0;
    const start = (row: number) => (offsets ? offsets[row]! : row * each);
    const size = (row: number) => (valid && !valid[row] ? 0 : offsets ? offsets[row + 1]! - offsets[row]! : each);
    let longest = 0;
    for (let row = 0; row < rows; row++) longest = Math.max(longest, size(row));
    const [, child] = children[0]!;
    const inner = this.flatten(name, child);
    const arrays = (elements: (row: number) => readonly string[]): Named => [
      [name, textColumn(Array.from({ length: rows }, (_, row) => (valid && !valid[row] ? undefined : arrayText(elements(row)))))],
    ];
    if (longest === 0 || child.type.kind === "null") {
      this.empty.add(name);
      return arrays(() => []);
    }
    const [[, values]] = inner.length === 1 ? inner : [[]];
    if (values?.kind === "text" && (child.type.kind === "text" || child.type.kind === "text-view"))
      return arrays((row) => textsOf(values, start(row), size(row)));
    if (values?.kind === "number") this.noteLengths(name, rows, size);
    const cells = rows * longest * inner.length;
    if (longest * inner.length > MOST || cells > SPARSEST * (child.length * inner.length + rows) + MOST)
      throw new InputError(
        `${this.file}: column ${quote(name)} has lists of up to ${longest} values; leave it out of the file, or write such data as SVMlight`,
      );
    return Array.from({ length: longest }, (_, place) => {
      const from = Int32Array.from({ length: rows }, (_, row) => (place < size(row) ? start(row) + place : -1));
      return inner.map(([key, column]) => [`${name}.${place}${key.slice(name.length)}`, taken(column, from)] as const);
    }).flat();
  }

  private noteLengths(name: string, rows: number, size: (row: number) => number): void {
    let [low, high] = this.lengths.get(name) ?? [Infinity, 0];
    for (let row = 0; row < rows; row++) if (size(row) > 0) [low, high] = [Math.min(low, size(row)), Math.max(high, size(row))];
    this.lengths.set(name, [low, high]);
  }

  /** A column of values that are not nested. */
  private plain(name: string, column: ArrowColumn): TableColumn {
    const { type, length } = column;
    const valid = validityOf(column);
    switch (type.kind) {
      case "null":
        return missingColumn(length);
      case "int":
        return integers(column, valid);
      case "float":
        return floats(column, valid);
      case "bool": {
        const bits = column.values as Uint8Array;
        const at = (row: number) => (bits[row >> 3]! >> (row & 7)) & 1;
        return {
          kind: "boolean",
          values: Uint8Array.from({ length }, (_, row) => (valid && !valid[row] ? MISSING_BOOLEAN : at(row))),
        };
      }
      case "date":
      case "timestamp":
        return { kind: "date", values: seconds(column, valid) };
      case "time":
      case "duration":
        return { kind: "time", values: seconds(column, valid) };
      case "decimal":
        return arrowDecimals(column, valid);
      default: {
        const texts = arrowBytes(column, valid);
        if (typeof texts !== "string") return textColumn(texts);
        throw new InputError(
          `${this.file}: column ${quote(name)} ${texts}; leave it out of the file, or select the others with --sql`,
        );
      }
    }
  }

  private dictionary(name: string, column: ArrowColumn, { parts, length }: ArrowDictionary): TableColumn {
    const valid = validityOf(column);
    const rows = Int32Array.from({ length: column.length }, (_, row) => {
      if (valid && !valid[row]) return -1;
      const code = Number(column.values[row]!);
      if (!(code >= 0 && code < length))
        throw new InputError(
          `${this.file}: the Arrow data are damaged (column ${quote(name)} has a code that its dictionary lacks)`,
        );
      return code;
    });
    return taken(this.dictionaryValues(name, parts), rows);
  }

  /** The values of all parts of a dictionary, one behind another. */
  private dictionaryValues(name: string, parts: readonly ArrowColumn[]): TableColumn {
    const known = this.entries.get(parts);
    if (known?.parts === parts.length) return known.column;
    const columns = parts.map((part) => {
      const own = this.flatten(name, part);
      if (own.length === 1 && own[0]![0] === name) return own[0]![1];
      throw new InputError(
        `${this.file}: column ${quote(name)} has a dictionary of nested values, of which no feature can be made; leave it out of the file`,
      );
    });
    const column = joined(columns);
    this.entries.set(parts, { parts: parts.length, column });
    return column;
  }
}

/** The texts of some rows, without missing ones. */
const textsOf = ({ codes, dictionary }: TextColumn, from: number, count: number): string[] =>
  Array.from(codes.subarray(from, from + count)).flatMap((code) => (code === MISSING_TEXT ? [] : [dictionary[code]!]));

/** Columns of the same kind as one. */
function joined(columns: readonly TableColumn[]): TableColumn {
  const [first] = columns;
  if (columns.length === 1) return first!;
  if (first!.kind === "text")
    return textColumn(
      columns.flatMap((column) =>
        column.kind === "text" ? Array.from(column.codes, (code) => (code < 0 ? undefined : column.dictionary[code]!)) : [],
      ),
    );
  const values = columns.flatMap((column) => (column.kind === "text" ? [] : [...column.values]));
  return first!.kind === "boolean"
    ? { kind: "boolean", values: Uint8Array.from(values) }
    : { kind: first!.kind, values: Float64Array.from(values) };
}

function integers({ values }: ArrowColumn, valid: Uint8Array | undefined): TableColumn {
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) {
    if (!valid && values instanceof Int32Array) return { kind: "number", values };
    const numbers = values as Int32Array;
    return { kind: "number", values: Float64Array.from(numbers, (value, row) => (valid && !valid[row] ? Number.NaN : value)) };
  }
  const numbers = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    numbers[row] = valid && !valid[row] ? Number.NaN : Number(values[row]!);
    if (Math.abs(numbers[row]!) > Number.MAX_SAFE_INTEGER)
      // an id, of which no digit may be lost
      return textColumn(Array.from(values as BigInt64Array, (value, i) => (valid && !valid[i] ? undefined : String(value))));
  }
  return { kind: "number", values: numbers };
}

function floats({ values }: ArrowColumn, valid: Uint8Array | undefined): TableColumn {
  if (values instanceof Uint16Array)
    return { kind: "number", values: Float64Array.from(values, (bits, row) => (valid && !valid[row] ? Number.NaN : half(bits))) };
  const floats = values as Float32Array | Float64Array;
  if (!valid) return { kind: "number", values: floats };
  const copy = floats.slice();
  for (let row = 0; row < copy.length; row++) if (!valid[row]) copy[row] = Number.NaN;
  return { kind: "number", values: copy };
}

/** A 16-bit float. */
function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

const DAY = 86_400; // seconds

/** Points in time and durations in seconds. */
function seconds({ type, values, length }: ArrowColumn, valid: Uint8Array | undefined): Float64Array {
  const per = "perSecond" in type ? type.perSecond : 1e3; // of dates
  const secondsOf = (value: number | bigint) => {
    if (type.kind === "date" && type.bits === 32) return Number(value) * DAY;
    // Whole seconds apart from the rest, so that nanoseconds beyond 2^53 lose nothing of them.
    if (typeof value !== "bigint" || per === 1) return Number(value) / per;
    const whole = value / BigInt(per);
    return Number(whole) + Number(value - whole * BigInt(per)) / per;
  };
  return Float64Array.from({ length }, (_, row) => (valid && !valid[row] ? Number.NaN : secondsOf(values[row]!)));
}
