/**
 * What the footer of a Parquet file says of a table without nested columns: the kinds of its columns and where their values are. Undefined for everything that
 * `parquet-pages.ts` does not read: other types, other compression, encryption. https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 */
import { readStream } from "./arrow-messages.ts";
import type { ArrowField } from "./arrow-schema.ts";
import { bytesAt, numberAt, structAt, structsAt, ThriftReader, type ThriftStruct } from "./thrift.ts";

/** How the values of a column are stored. */
export type FlatKind = "int32" | "int64" | "float" | "double" | "text";

export interface FlatColumn {
  readonly name: string;
  readonly kind: FlatKind;
  /** Whether values may be missing. */
  readonly isOptional: boolean;
}

/** The pages of a column in a row group. */
export interface ColumnChunk {
  readonly bytes: Uint8Array;
  readonly isCompressed: boolean; // by Snappy
}

export interface FlatMetadata {
  readonly columns: readonly FlatColumn[];
  readonly groups: readonly { readonly rows: number; readonly chunks: readonly ColumnChunk[] }[];
}

const END = 8; // bytes after the metadata: their length, and the magic
const [INT32, INT64, FLOAT, DOUBLE, BYTE_ARRAY] = [1, 2, 4, 5, 6];
const [REQUIRED, OPTIONAL] = [0, 1];
const [UTF8, SIGNED_INTEGERS, SMALL_UNSIGNED] = [0, [15, 16, 17, 18], [11, 12]]; // converted types
const [STRING_TYPE, INTEGER_TYPE] = [1, 10]; // logical types
const [UNCOMPRESSED, SNAPPY] = [0, 1];
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the footer of a file that ends with the magic. */
export function flatMetadata(file: string, bytes: Uint8Array): FlatMetadata | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - END;
  const length = view.getUint32(end, true);
  if (length > end) return undefined;
  const footer = new ThriftReader(bytes.subarray(end - length, end)).struct();
  const [root, ...leaves] = structsAt(footer, 2);
  if (!root || leaves.length === 0 || numberAt(root, 5) !== leaves.length) return undefined; // a leaf that has children is nested
  const columns = leaves.map(columnOf);
  if (!columns.every((column) => column !== undefined) || !agrees(file, footer, columns)) return undefined;
  const groups = structsAt(footer, 4).map((group) => {
    const chunks = structsAt(group, 1).map((chunk) => chunkOf(bytes, chunk));
    const rows = numberAt(group, 3) ?? -1;
    return rows >= 0 && chunks.length === columns.length && chunks.every((chunk) => chunk !== undefined)
      ? { rows, chunks }
      : undefined;
  });
  return groups.every((group) => group !== undefined) ? { columns, groups } : undefined;
}

/** The names of the columns by a footer with the bytes after it; undefined where columns are nested, or the footer is damaged. */
export function parquetColumns(bytes: Uint8Array): readonly string[] | undefined {
  try {
    const [root, ...leaves] = structsAt(new ThriftReader(bytes.subarray(0, bytes.length - END)).struct(), 2);
    if (!root || leaves.length === 0 || numberAt(root, 5) !== leaves.length) return undefined;
    return leaves.map((leaf) => decoder.decode(bytesAt(leaf, 4) ?? new Uint8Array(0)));
  } catch {
    return undefined; // reading the file says what is wrong
  }
}

function columnOf(leaf: ThriftStruct): FlatColumn | undefined {
  const kind = kindOf(leaf);
  const repetition = numberAt(leaf, 3);
  if (!kind || (repetition !== REQUIRED && repetition !== OPTIONAL) || (numberAt(leaf, 5) ?? 0) !== 0) return undefined;
  return { name: decoder.decode(bytesAt(leaf, 4) ?? new Uint8Array(0)), kind, isOptional: repetition === OPTIONAL };
}

function kindOf(leaf: ThriftStruct): FlatKind | undefined {
  const [type, converted, logical] = [numberAt(leaf, 1), numberAt(leaf, 6), structAt(leaf, 10)];
  if (type === BYTE_ARRAY) return converted === UTF8 || logical?.has(STRING_TYPE) ? "text" : undefined;
  if (type === FLOAT || type === DOUBLE) {
    if (converted !== undefined || logical) return undefined;
    return type === FLOAT ? "float" : "double";
  }
  if (type !== INT32 && type !== INT64) return undefined;
  if (logical && !logical.has(INTEGER_TYPE)) return undefined;
  const isSigned =
    converted === undefined ? !logical || structAt(logical, INTEGER_TYPE)?.get(2) === true : SIGNED_INTEGERS.includes(converted);
  if (!isSigned && !(converted !== undefined && SMALL_UNSIGNED.includes(converted))) return undefined;
  return type === INT32 ? "int32" : "int64";
}

/** Whether the types of Arrow, which many writers add, are those of the columns: a duration, for instance, is stored as a plain number. */
function agrees(file: string, footer: ThriftStruct, columns: readonly FlatColumn[]): boolean {
  const entry = structsAt(footer, 5).find((pair) => decoder.decode(bytesAt(pair, 1) ?? new Uint8Array(0)) === "ARROW:schema");
  const text = entry && bytesAt(entry, 2);
  if (!text) return true;
  const schema = Uint8Array.from(atob(decoder.decode(text)), (letter) => letter.charCodeAt(0));
  const { fields } = readStream(file, schema);
  return fields.length === columns.length && fields.every((field, c) => isOfKind(field, columns[c]!.kind));
}

function isOfKind({ type, dictionary }: ArrowField, kind: FlatKind): boolean {
  if (kind === "text") return type.kind === "text" || type.kind === "text-view";
  if (dictionary) return false;
  return kind === "float" || kind === "double" ? type.kind === "float" && type.bits !== 16 : type.kind === "int";
}

function chunkOf(bytes: Uint8Array, chunk: ThriftStruct): ColumnChunk | undefined {
  const about = structAt(chunk, 3);
  if (!about || bytesAt(chunk, 1)) return undefined; // in another file
  const [codec, size, first, dictionary] = [4, 7, 9, 11].map((field) => numberAt(about, field));
  if ((codec !== UNCOMPRESSED && codec !== SNAPPY) || size === undefined || first === undefined) return undefined;
  const start = dictionary !== undefined && dictionary > 0 ? Math.min(dictionary, first) : first;
  if (!(start >= 0 && size >= 0 && start + size <= bytes.length)) return undefined;
  return { bytes: bytes.subarray(start, start + size), isCompressed: codec === SNAPPY };
}
