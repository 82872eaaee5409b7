/**
 * The bytes of data files and of standard input. Gzip, and zstd where Node knows it, are detected by their first bytes and unpacked; UTF-16 and UTF-32 with a
 * byte order mark become UTF-8.
 */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, Readable, type Transform } from "node:stream";
import zlib, { constants, createGunzip, gunzipSync } from "node:zlib";
import { InputError } from "../../input-error.ts";
import { memoryBudget, memoryRemedy, sizeText, usedMemory } from "../../memory-budget.ts";
import { isQuery } from "./columnar/query-path.ts";
import { utf8Chunks, utf8Of, wideEncodingOf } from "./unicode.ts";

const CHUNK = 1 << 20;

/** Standard input, which cannot always be opened by its path. */
export const isInput = (path: string) => path === "-" || path === "/dev/stdin";

/** What was looked at of standard input before it is read, and whether it was read: it comes only once. */
const input: { head: Uint8Array; taken: boolean } = { head: new Uint8Array(0), taken: false };
const ONCE = "standard input can be read only once, and is named twice; write it to a file first";

/** Refuses paths that name standard input more than once. */
export function checkInput(paths: readonly string[]): void {
  if (paths.filter(isInput).length > 1) throw new InputError(ONCE);
}

/**
 * All bytes of a file, unpacked where it is gzip, if `like` accepts the first of them. Otherwise nothing, also for a missing
 * file: reading it as another kind reports the error.
 */
export async function readBytes(path: string, like: (head: Uint8Array) => boolean): Promise<Uint8Array | undefined> {
  const there = isInput(path) || (await stat(path).then((entry) => !entry.isDirectory(), () => false)); // biome-ignore format: both ways
  if (!there) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(path, () => {})) {
    if (chunks.length === 0 && !like(chunk)) return undefined;
    chunks.push(chunk);
  }
  return chunks.length > 0 ? Buffer.concat(chunks) : undefined;
}

const LONGEST = 1 << 28; // bytes of a text that is held as one piece

/** Refuses a text of more bytes than can be held as one piece. */
export function checkText(path: string, length: number): void {
  if (length > LONGEST)
    throw new InputError(
      `${path}: the text is larger than ${sizeText(LONGEST)}, which no file of this kind is; use a part of it`,
    );
}

/** A file as one text, unpacked where it is gzip; larger ones than 256 MB are refused. */
export async function textOf(path: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  for await (const chunk of bytesOf(path, () => {})) {
    checkText(path, (length += chunk.length));
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The last bytes of a file on disk, or all where it has fewer. */
export async function lastBytes(path: string, count: number): Promise<Uint8Array> {
  const file = await open(path).catch((error) => rethrow(path, error));
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(Math.min(size, count));
    await file.read(bytes, 0, bytes.length, size - bytes.length).catch((error) => rethrow(path, error));
    return bytes;
  } finally {
    await file.close();
  }
}

/** The number of bytes of a file on disk; an error if it cannot be read. */
export async function sizeOf(path: string): Promise<number> {
  if (path === "") throw new InputError("expected the name of a data file, got an empty one");
  if (isInput(path) || isQuery(path)) return 0; // unknown
  const found = await stat(path).catch((error) => rethrow(path, error));
  if (found.isDirectory()) throw new InputError(`${path}: expected a file, got a directory`);
  return found.size;
}

const ENOUGH = 1 << 16; // bytes from which a format is found

/** The first bytes of standard input, unpacked where it is gzip. They are kept for reading it. */
export async function lookIntoInput(): Promise<Uint8Array> {
  const { stdin } = process;
  if (input.taken) throw new InputError(ONCE);
  while (input.head.length < ENOUGH && !stdin.readableEnded && !stdin.destroyed) {
    const chunk: Uint8Array | null = stdin.read();
    if (chunk) input.head = Buffer.concat([input.head, chunk]);
    else
      await new Promise<void>((resolve, reject) => {
        const done = (error?: Error) => {
          for (const event of ["readable", "end", "close", "error"]) stdin.off(event, done);
          if (error instanceof Error) reject(error);
          else resolve();
        };
        for (const event of ["readable", "end", "close", "error"]) stdin.on(event, done);
      }).catch((error) => rethrow("-", error));
  }
  if (packingOf(input.head)?.name !== "gzip") {
    const encoding = wideEncodingOf(input.head);
    return encoding ? utf8Of(input.head, encoding) : input.head;
  }
  try {
    return gunzipSync(input.head, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array(0); // reading it reports the error
  }
}

/** All of standard input. */
async function* wholeInput(): AsyncGenerator<Uint8Array> {
  if (input.taken) throw new InputError(ONCE);
  input.taken = true;
  if (input.head.length > 0) yield input.head;
  if (!process.stdin.readableEnded) yield* process.stdin;
}

/** Refuses to read on when the process uses more memory than its budget. `read` bytes of the file were read, and `text` came out of them. */
export function checkReading(path: string, text: number, read = text): void {
  const used = usedMemory();
  if (used <= memoryBudget()) return;
  const from = read < text ? ` (unpacked from ${sizeText(read)})` : "";
  throw new InputError(
    `${path}: out of memory: ${sizeText(used)} are in use after ${sizeText(text)} of the file${from}, and the budget is ${sizeText(memoryBudget())}; use less data, or ${memoryRemedy()}`,
  );
}

/** The content in chunks, unpacked where it is packed. The first chunk is not empty. `most` are the bytes that are read from the disk at once. */
export async function* bytesOf(
  path: string,
  count: (bytes: number) => void,
  kind = { packed: false }, // set when the bytes are not those of the file
  most = CHUNK,
): AsyncGenerator<Uint8Array> {
  let [read, text] = [0, 0];
  const counting = (bytes: number) => {
    read += bytes;
    count(bytes);
  };
  for await (const chunk of unpacked(path, counting, kind, most)) {
    text += chunk.length;
    checkReading(path, text, kind.packed ? read : text);
    yield chunk;
  }
}

async function* unpacked(
  path: string,
  count: (bytes: number) => void,
  kind: { packed: boolean },
  most: number,
): AsyncGenerator<Uint8Array> {
  const file = isInput(path) ? undefined : createReadStream(path, { highWaterMark: Math.min(CHUNK, most) });
  const source = file ?? wholeInput();
  try {
    let head: Uint8Array = new Uint8Array(0);
    const chunks = counted(source, count);
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) break;
      head = head.length === 0 ? value : Buffer.concat([head, value]);
      if (head.length >= LONGEST_MAGIC) break; // a pipe may bring one byte at a time
    }
    const all = chain(head, chunks);
    const packing = packingOf(head);
    kind.packed = packing !== undefined || wideEncodingOf(head) !== undefined;
    if (packing) yield* inUtf8(unpack(path, packing, all));
    else if (head.length > 0) yield* inUtf8(all);
  } catch (error) {
    rethrow(path, error);
  } finally {
    (file ?? process.stdin).destroy();
  }
}

/** How a file is packed, by its first bytes. */
interface Packing {
  readonly name: string;
  /** The command that unpacks a file to its standard output. */
  readonly command: string;
  readonly magic: readonly number[];
  /** The stream that unpacks it, where this version of Node has one. */
  readonly stream?: (() => Transform) | undefined;
}

const zstd = zlib as { readonly createZstdDecompress?: () => Transform }; // since Node 22.15

const PACKINGS: readonly Packing[] = [
  { name: "gzip", command: "gzip -dc", magic: [0x1f, 0x8b], stream: () => createGunzip({ chunkSize: CHUNK }) },
  { name: "zstd", command: "zstd -dc", magic: [0x28, 0xb5, 0x2f, 0xfd], stream: zstd.createZstdDecompress },
  { name: "bzip2", command: "bzip2 -dc", magic: [0x42, 0x5a, 0x68] },
  { name: "xz", command: "xz -dc", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
];
const LONGEST_MAGIC = 5;

const packingOf = (head: Uint8Array) => PACKINGS.find(({ magic }) => magic.every((byte, i) => head[i] === byte));

async function* unpack(
  path: string,
  { name, command, stream }: Packing,
  packed: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!stream) {
    const pipe = isInput(path) ? `${command} | tierwise ... -` : `${command} ${path} | tierwise ... -`;
    throw new InputError(`${path}: this is ${name}, which Node ${process.versions.node} cannot unpack; unpack it first: ${pipe}`);
  }
  const unpacker = stream();
  pipeline(Readable.from(packed), unpacker, () => {}); // errors come out of the loop below
  yield* unpacker;
}

/** The text in UTF-8, whatever the byte order mark says. */
async function* inUtf8(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { value: head, done } = await chunks.next();
  if (done) return;
  const encoding = wideEncodingOf(head);
  if (encoding) yield* utf8Chunks(chain(head, chunks), encoding);
  else yield* chain(head, chunks);
}

async function* counted(source: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    count(chunk.length);
    yield chunk;
  }
}

async function* chain(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "expected a file, got a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  Z_BUF_ERROR: "the gzip data end unexpectedly; the file is truncated",
  ERR_FS_FILE_TOO_LARGE: "the file is larger than 2 GB, which no file of this kind is",
  Z_DATA_ERROR: "the gzip data are damaged",
  ZSTD_error_prefix_unknown: "the zstd data are damaged",
  ZSTD_error_corruption_detected: "the zstd data are damaged",
  ZSTD_error_checksum_wrong: "the zstd data are damaged",
};

/** System errors about a file become a one-line InputError. Other errors are rethrown. */
export function rethrow(path: string, error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (error instanceof InputError || code === undefined) throw error;
  throw new InputError(`${path}: ${REASONS[code] ?? `the file cannot be read (${code})`}`);
}
