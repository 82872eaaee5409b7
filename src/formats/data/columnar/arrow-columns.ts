/**
 * Columns of tables from Arrow record batches. Numbers, booleans, dates and texts keep their kind; structs become a column for each member,
 * `item.price`, and lists one for each place, `vector.0`, as nested JSON does. A time of day is a text such as 12:30:00, as it would be in CSV.
 */
import {
  MISSING_BOOLEAN,
  MISSING_TEXT,
  type SourceTable,
  type TableBatch,
  type TableColumn,
} from "../../../data/table/source-table.ts";
import { InputError, quote } from "../../../input-error.ts";
import type { ArrowBatch, ArrowData, ArrowPackage, ArrowSchema } from "./imported-packages.ts";
import { missingColumn, textColumn } from "./value-column.ts";

/** Ids of types, as the Arrow format numbers them. */
const TYPE = {
  ...{ dictionary: -1, null: 1, int: 2, float: 3, binary: 4, utf8: 5, bool: 6, decimal: 7, date: 8, time: 9, timestamp: 10 },
  ...{
    list: 12,
    struct: 13,
    fixedBinary: 15,
    fixedList: 16,
    duration: 18,
    largeBinary: 19,
    largeUtf8: 20,
    largeList: 21,
    binaryView: 23,
    utf8View: 24,
  },
} as const;

type Data = ArrowData;

/** The file, and the package that read it. */
export interface ArrowSource {
  readonly file: string;
  readonly arrow: ArrowPackage;
}

/** Some rows of columns by name. */
type Named = readonly (readonly [name: string, column: TableColumn])[];

/** The columns of all batches: a list may be longer in one of them, so columns that another lacks are missing there. */
export function arrowTable(source: ArrowSource, batches: readonly ArrowBatch[], schema: ArrowSchema): SourceTable {
  const flat = batches.map((batch) => {
    const columns = batch.schema.fields.flatMap((field, c) =>
      flatten(source, field.name, batch.data.children[c]!, batch.numRows),
    );
    return { rows: batch.numRows, columns };
  });
  const first = new Map<string, true>();
  for (const { columns } of flat) for (const [column] of columns) first.set(column, true);
  const names =
    flat.length > 0
      ? uniqueNames(
          flat.map(({ columns }) => columns),
          first,
        )
      : schema.fields.map((field) => field.name);
  return { name: source.file, columns: names, batches: flat.map((batch) => aligned(batch, names)) };
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

const MOST = 1 << 20; // columns of a table

/** A column, or those of its members. */
function flatten(source: ArrowSource, name: string, data: Data, rows: number): Named {
  const { typeId } = data.type as { typeId: number };
  if (typeId === TYPE.struct) {
    const { children: fields } = data.type as unknown as { children: readonly { readonly name: string }[] };
    const valid = validityOf(data);
    const own = fields.flatMap((field, c) => flatten(source, `${name}.${field.name}`, data.children[c]!, rows));
    return valid ? own.map(([key, column]) => [key, masked(column, valid)] as const) : own;
  }
  if (typeId === TYPE.list || typeId === TYPE.fixedList || typeId === TYPE.largeList)
    return flattenList(source, name, data, rows);
  return [[name, columnOf(source, name, data)]];
}

/** Lists as columns by place. */
function flattenList(source: ArrowSource, name: string, data: Data, rows: number): Named {
  const valid = validityOf(data);
  const { typeId, listSize } = data.type as unknown as { typeId: number; listSize: number };
  const offsets = typeId === TYPE.fixedList ? undefined : (data.valueOffsets as unknown as ArrayLike<number | bigint>);
  const start = (row: number) => (offsets ? Number(offsets[row]!) : row * listSize);
  const size = (row: number) =>
    valid && !valid[row] ? 0 : offsets ? Number(offsets[row + 1]!) - Number(offsets[row]!) : listSize;
  let longest = 0;
  for (let row = 0; row < rows; row++) longest = Math.max(longest, size(row));
  if (longest > MOST)
    throw new InputError(`${source.file}: column ${quote(name)} has lists of ${longest} values; leave it out of the file`);
  const child = data.children[0]!;
  const inner = flatten(source, name, child, child.length);
  return Array.from({ length: longest }, (_, place) =>
    inner.map(([key, column]) => {
      const rest = key.slice(name.length);
      const from = Int32Array.from({ length: rows }, (_, row) => (place < size(row) ? start(row) + place : -1));
      return [`${name}.${place}${rest}`, taken(column, from)] as const;
    }),
  ).flat();
}

/** By row, 1 where there is a value; undefined: everywhere. */
function validityOf(data: Data): Uint8Array | undefined {
  const { nullBitmap, offset, length } = data;
  if (data.nullCount === 0 || !nullBitmap || nullBitmap.length === 0) return undefined;
  const valid = new Uint8Array(length);
  for (let row = 0; row < length; row++) valid[row] = (nullBitmap[(offset + row) >> 3]! >> ((offset + row) & 7)) & 1;
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

/** A column of values that are not nested. */
function columnOf(source: ArrowSource, name: string, data: Data): TableColumn {
  const { length } = data;
  const valid = validityOf(data);
  const { typeId } = data.type as { typeId: number };
  switch (typeId) {
    case TYPE.null:
      return missingColumn(length);
    case TYPE.int:
      return integers(data, valid);
    case TYPE.float:
      return floats(data, valid);
    case TYPE.bool: {
      const bits = data.values as unknown as Uint8Array;
      const at = (row: number) => (bits[(data.offset + row) >> 3]! >> ((data.offset + row) & 7)) & 1;
      return {
        kind: "boolean",
        values: Uint8Array.from({ length }, (_, row) => (valid && !valid[row] ? MISSING_BOOLEAN : at(row))),
      };
    }
    case TYPE.date:
    case TYPE.timestamp:
      return dates(data, valid);
    case TYPE.dictionary:
      return dictionary(source, name, data, valid);
    case TYPE.duration:
    case TYPE.decimal:
    case TYPE.time:
    case TYPE.utf8:
    case TYPE.largeUtf8:
    case TYPE.utf8View:
    case TYPE.binary:
    case TYPE.largeBinary:
    case TYPE.binaryView:
    case TYPE.fixedBinary:
      return slowly(source, name, data, valid);
    default:
      throw new InputError(
        `${source.file}: column ${quote(name)} is ${String(data.type)}, of which no feature can be made; leave it out of the file, or select the others with --sql`,
      );
  }
}

/** Values of a slice: apache-arrow cuts typed arrays of numbers to it. */
const slice = <A extends { subarray(from: number, to: number): A }>(data: Data) =>
  (data.values as unknown as A).subarray(0, data.length);

function integers(data: Data, valid: Uint8Array | undefined): TableColumn {
  const { bitWidth } = data.type as unknown as { bitWidth: number };
  if (bitWidth < 64) {
    const values = slice<Int32Array>(data);
    if (!valid && values instanceof Int32Array) return { kind: "number", values };
    return { kind: "number", values: Float64Array.from(values, (value, row) => (valid && !valid[row] ? Number.NaN : value)) };
  }
  const values = slice<BigInt64Array>(data);
  const numbers = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    numbers[row] = valid && !valid[row] ? Number.NaN : Number(values[row]!);
    if (Math.abs(numbers[row]!) > Number.MAX_SAFE_INTEGER)
      // an id, of which no digit may be lost
      return textColumn(Array.from(values, (value, i) => (valid && !valid[i] ? undefined : String(value))));
  }
  return { kind: "number", values: numbers };
}

function floats(data: Data, valid: Uint8Array | undefined): TableColumn {
  const { precision } = data.type as unknown as { precision: number };
  const values = slice<Float32Array>(data);
  if (precision === 0)
    return {
      kind: "number",
      values: Float64Array.from(values as unknown as Uint16Array, (bits, row) =>
        valid && !valid[row] ? Number.NaN : half(bits),
      ),
    };
  if (!valid) return { kind: "number", values };
  const copy = values.slice();
  for (let row = 0; row < copy.length; row++) if (!valid[row]) copy[row] = Number.NaN;
  return { kind: "number", values: copy };
}

/** A 16-bit float. */
function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

const UNITS = [1, 1e3, 1e6, 1e9]; // seconds, milliseconds, microseconds, nanoseconds

function dates(data: Data, valid: Uint8Array | undefined): TableColumn {
  const { typeId, unit } = data.type as unknown as { typeId: number; unit: number };
  const raw = data.values as unknown as ArrayLike<number | bigint>;
  const days = typeId === TYPE.date && unit === 0;
  const per = typeId === TYPE.date ? 1e3 : UNITS[unit]!;
  const secondsOf = (value: number | bigint) => {
    if (days) return Number(value) * 86_400;
    // Whole seconds apart from the rest, so that nanoseconds beyond 2^53 lose nothing of them.
    if (typeof value !== "bigint" || per === 1) return Number(value) / per;
    const whole = value / BigInt(per);
    return Number(whole) + Number(value - whole * BigInt(per)) / per;
  };
  return {
    kind: "date",
    values: Float64Array.from({ length: data.length }, (_, row) => (valid && !valid[row] ? Number.NaN : secondsOf(raw[row]!))),
  };
}

function dictionary(source: ArrowSource, name: string, data: Data, valid: Uint8Array | undefined): TableColumn {
  const codes = slice<Int32Array>(data);
  const chunks = data.dictionary!.data.map((chunk) => columnOf(source, name, chunk));
  const rows = Int32Array.from(codes, (code, row) => (valid && !valid[row] ? -1 : Number(code)));
  if (chunks.length === 1 && chunks[0]!.kind !== "text") return taken(chunks[0]!, rows);
  const entries = chunks.flatMap((chunk) =>
    chunk.kind === "text" ? Array.from(chunk.codes, (code) => (code < 0 ? undefined : chunk.dictionary[code]!)) : [],
  );
  return textColumn(Array.from(rows, (row) => (row < 0 ? undefined : entries[row])));
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Values one by one, as apache-arrow gives them. */
function slowly(source: ArrowSource, name: string, data: Data, valid: Uint8Array | undefined): TableColumn {
  const { typeId, scale, unit } = data.type as unknown as { typeId: number; scale: number; unit: number };
  const vector = new source.arrow.Vector([data]);
  const all = Array.from({ length: data.length }, (_, row) => (valid && !valid[row] ? undefined : vector.get(row)));
  if (typeId === TYPE.decimal)
    return {
      kind: "number",
      values: Float64Array.from(all, (value) => (value === undefined ? Number.NaN : decimal(value as Uint32Array, scale))),
    };
  if (typeId === TYPE.duration)
    return {
      kind: "number",
      values: Float64Array.from(all, (value) => (value === undefined ? Number.NaN : Number(value) / UNITS[unit]!)),
    };
  if (typeId === TYPE.time)
    return textColumn(all.map((value) => (value === undefined ? undefined : timeText(Number(value) / UNITS[unit]!))));
  return textColumn(
    all.map((value) => {
      if (typeof value === "string" || value === undefined || value === null) return value ?? undefined;
      try {
        return decoder.decode(value as Uint8Array);
      } catch {
        throw new InputError(
          `${source.file}: column ${quote(name)} holds bytes that are no text; leave it out of the file, or select the others with --sql`,
        );
      }
    }),
  );
}

/** A decimal number, whose whole digits are 32-bit words, low ones first, in two's complement. */
function decimal(words: Uint32Array, scale: number): number {
  let whole = 0n;
  for (let i = words.length - 1; i >= 0; i--) whole = (whole << 32n) | BigInt(words[i]!);
  whole = BigInt.asIntN(32 * words.length, whole);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, "0");
  const text = scale > 0 ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits;
  return Number(text) * (whole < 0n ? -1 : 1);
}

function timeText(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const rest = seconds % 60;
  const fraction = rest % 1 === 0 ? "" : rest.toFixed(9).replace(/^\d+/, "").replace(/0+$/, "");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(rest)}${fraction}`;
}
