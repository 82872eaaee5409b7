/**
 * The schema of Arrow IPC: fields with their types, from the tables of Schema.fbs.
 * https://github.com/apache/arrow/blob/main/format/Schema.fbs
 */
import { InputError, quote } from "../../../input-error.ts";
import type { FlatTables } from "./flat-tables.ts";

/** How the values of a column lie in memory. */
export type ArrowType =
  | { readonly kind: "null" | "bool" | "struct" }
  | { readonly kind: "int"; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: "float"; readonly bits: 16 | 32 | 64 }
  /** Texts and other bytes, with offsets of 32 or 64 bits. */
  | { readonly kind: "text" | "bytes"; readonly offsetBits: 32 | 64 }
  /** Texts and other bytes of which rows tell where they are. */
  | { readonly kind: "text-view" | "bytes-view" }
  | { readonly kind: "fixed-bytes"; readonly size: number }
  | { readonly kind: "decimal"; readonly bits: 32 | 64 | 128 | 256; readonly scale: number }
  /** In whole days of 32 bits, or milliseconds of 64. */
  | { readonly kind: "date"; readonly bits: 32 | 64 }
  /** In parts of a second. */
  | { readonly kind: "time" | "timestamp" | "duration"; readonly bits: 32 | 64; readonly perSecond: number }
  | { readonly kind: "list"; readonly offsetBits: 32 | 64 }
  | { readonly kind: "fixed-list"; readonly size: number };

export interface ArrowField {
  readonly name: string;
  /** Of the values; where there is a dictionary, of those in it. */
  readonly type: ArrowType;
  readonly children: readonly ArrowField[];
  readonly dictionary?: { readonly id: number; readonly index: Extract<ArrowType, { kind: "int" }> };
}

/** Types of Schema.fbs of which there are no columns. */
const UNSUPPORTED: Readonly<Record<number, string>> = {
  ...{ 11: "an interval", 14: "a union", 17: "a map", 22: "run-end encoded", 25: "a list view", 26: "a large list view" },
};

const DEEPEST = 64; // levels of nested fields
const NAMES = 4; // bytes of all names together, for each byte of the schema: a name may be shared
const BIG_ENDIAN = 1;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The fields of the schema at a place. `file` is named in errors about types. */
export function fieldsOf(file: string, tables: FlatTables, schema: number): readonly ArrowField[] {
  if (tables.short(schema, 0) === BIG_ENDIAN)
    throw new InputError(`${file}: the Arrow data are big-endian, which is not supported; write them on another machine`);
  let [left, letters] = [tables.size / 4, tables.size * NAMES]; // each field has an entry of four bytes in a list
  const read = (table: number, slot: number, depth: number, parent: string): ArrowField[] => {
    if (depth > DEEPEST) throw new RangeError("fields are nested too deeply");
    return tables.entries(table, slot, 4).map((entry) => {
      const at = tables.follow(entry);
      const text = tables.text(at, 0);
      letters -= text.length;
      if (--left < 0 || letters < 0) throw new RangeError("there are more fields than the schema can hold");
      const name = decoder.decode(text);
      const path = parent === "" ? name : `${parent}.${name}`;
      const encoding = tables.table(at, 4);
      return {
        name,
        type: typeOf(file, path, tables, tables.byte(at, 2), tables.table(at, 3)),
        children: read(at, 5, depth + 1, path.slice(0, 200)),
        ...(encoding !== 0 && {
          dictionary: { id: tables.long(encoding, 0), index: indexOf(tables, tables.table(encoding, 1)) },
        }),
      };
    });
  };
  const fields = read(schema, 1, 0, "");
  for (const field of fields) checkChildren(field);
  return fields;
}

/** The type of the codes of a dictionary. */
function indexOf(tables: FlatTables, table: number): Extract<ArrowType, { kind: "int" }> {
  if (table === 0) return { kind: "int", bits: 32, signed: true };
  return { kind: "int", bits: oneOf(tables.int(table, 0), [8, 16, 32, 64]), signed: tables.byte(table, 1) !== 0 };
}

const UNITS = [1, 1e3, 1e6, 1e9]; // seconds, milliseconds, microseconds, nanoseconds
const [MILLISECOND, DAY] = [1, 0];

/** The type with this number, whose options are in a table. */
function typeOf(file: string, name: string, tables: FlatTables, number: number, table: number): ArrowType {
  if (table === 0) throw new RangeError("a field has no type");
  const perSecond = (absent: number) => oneOf(UNITS[tables.short(table, 0, absent)] ?? -1, [1, 1e3, 1e6, 1e9]);
  switch (number) {
    case 1:
      return { kind: "null" };
    case 2:
      return { kind: "int", bits: oneOf(tables.int(table, 0), [8, 16, 32, 64]), signed: tables.byte(table, 1) !== 0 };
    case 3:
      return { kind: "float", bits: oneOf([16, 32, 64][tables.short(table, 0)] ?? -1, [16, 32, 64]) };
    case 4:
    case 19:
      return { kind: "bytes", offsetBits: number === 4 ? 32 : 64 };
    case 5:
    case 20:
      return { kind: "text", offsetBits: number === 5 ? 32 : 64 };
    case 6:
      return { kind: "bool" };
    case 7: {
      const scale = tables.int(table, 1);
      if (Math.abs(scale) > 76) throw new RangeError("a decimal has an impossible scale");
      return { kind: "decimal", bits: oneOf(tables.int(table, 2, 128), [32, 64, 128, 256]), scale };
    }
    case 8:
      return { kind: "date", bits: oneOf(tables.short(table, 0, MILLISECOND), [DAY, MILLISECOND]) === DAY ? 32 : 64 };
    case 9:
      return { kind: "time", bits: oneOf(tables.int(table, 1, 32), [32, 64]), perSecond: perSecond(MILLISECOND) };
    case 10:
      return { kind: "timestamp", bits: 64, perSecond: perSecond(0) };
    case 18:
      return { kind: "duration", bits: 64, perSecond: perSecond(MILLISECOND) };
    case 12:
    case 21:
      return { kind: "list", offsetBits: number === 12 ? 32 : 64 };
    case 13:
      return { kind: "struct" };
    case 15:
      return { kind: "fixed-bytes", size: sizeOf(tables.int(table, 0)) };
    case 16:
      return { kind: "fixed-list", size: sizeOf(tables.int(table, 0)) };
    case 23:
      return { kind: "bytes-view" };
    case 24:
      return { kind: "text-view" };
    default:
      if (UNSUPPORTED[number] === undefined) throw new RangeError("a type is unknown");
      throw new InputError(
        `${file}: column ${quote(name)} is ${UNSUPPORTED[number]}, of which no feature can be made; leave it out of the file, or select the others with --sql`,
      );
  }
}

function oneOf<const N extends number>(value: number, allowed: readonly N[]): N {
  if (!allowed.includes(value as N)) throw new RangeError("a type has an impossible width or unit");
  return value as N;
}

function sizeOf(size: number): number {
  if (size < 0) throw new RangeError("a type has a negative size");
  return size;
}

function checkChildren({ type, children }: ArrowField): void {
  const isList = type.kind === "list" || type.kind === "fixed-list";
  if (isList ? children.length !== 1 : type.kind !== "struct" && children.length > 0)
    throw new RangeError("a field has the wrong number of members");
  for (const child of children) checkChildren(child);
}
