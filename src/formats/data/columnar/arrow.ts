/**
 * Arrow IPC: the file format (Feather version 2 is one) and the stream format, read without a package.
 * https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
 */
import type { SourceTable } from "../../../data/table/source-table.ts";
import { InputError } from "../../../input-error.ts";
import { arrowTable } from "./arrow-columns.ts";
import { readFile, readStream } from "./arrow-messages.ts";
import { tableFormat } from "./table-format.ts";

const MAGIC = "ARROW1";

/** A file begins with its magic; a stream with the mark of a message, the length of its header, and a table of offsets. */
const isArrow = (head: Uint8Array) =>
  startsWith(head, MAGIC) ||
  (head.length > 8 && head.subarray(0, 4).every((byte) => byte === 255) && head[7] === 0 && head[4]! + head[5]! > 0);

export const startsWith = (head: Uint8Array, magic: string) => [...magic].every((letter, i) => head[i] === letter.charCodeAt(0));

export const arrow = tableFormat({
  id: "arrow",
  about: "Arrow IPC files and streams, Feather version 2",
  extensions: [".arrow", ".arrows", ".feather", ".ipc"],
  isMagic: isArrow,
  table: (file, bytes) => readArrow(file, bytes),
});

/** The table of the bytes of a file or stream. */
export function readArrow(file: string, bytes: Uint8Array): SourceTable {
  // A stream that ends early reads as a shorter one; of a file, the end says where everything is.
  if (startsWith(bytes, MAGIC) && !startsWith(bytes.subarray(Math.max(0, bytes.length - MAGIC.length)), MAGIC))
    throw new InputError(`${file}: the Arrow file ends unexpectedly; it is truncated`);
  return arrowTable(file, startsWith(bytes, MAGIC) ? readFile(file, bytes) : readStream(file, bytes));
}

/** What a package says about bytes that it cannot read. */
export const firstLine = (error: unknown): string =>
  (String((error as Error)?.message ?? error).split("\n")[0] ?? "").slice(0, 200);
