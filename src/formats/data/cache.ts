/**
 * A cache of parsed data, next to the first data file or in a cache folder, so the next load only copies bytes.
 *
 * The file, little-endian: "tierwise", the version and the length of the head as 32-bit numbers, a digest of the head; the head, JSON with
 * the state of all sources, the options of reading, and the kind, place and digest of each array; the arrays, from multiples of 64 bytes
 * on. It is valid as long as size and modification time of all data files and side files, the reading options and the version are
 * unchanged. A damaged or outdated cache is reported in one line, ignored and rewritten.
 */
import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { inHeap } from "../../data/blocks.ts";
import { digest } from "../../numeric/digest.ts";
import type { Heap, NumericArray } from "../../numeric/heap.ts";
import type { Dataset } from "../../types.ts";
import { makeFolder, writeDurablyAsync, writeProblem } from "../durable.ts";
import { labelFiles } from "./formats.ts";
import { bytesOf, deserialize, newArray, type SerializedKind, serialize } from "./serialize.ts";
import { SIDE_ENDINGS, sideFilePaths } from "./side-files.ts";

export interface ReadResult {
  readonly data: Dataset;
  readonly notices: readonly string[];
  readonly bytes: number;
}

export interface CacheOptions {
  /** Undefined: beside the first data file. */
  readonly folder: string | undefined;
  /** Of reading: plain data. */
  readonly options: unknown;
  /** For the larger arrays. */
  readonly heap: Heap | undefined;
}

const MAGIC = "tierwise";
const VERSION = 1;
const PRELUDE = 32; // bytes
const LARGE = 1 << 16; // bytes: smaller arrays stay outside the heap
const PIECE = 1 << 26; // bytes that are read or written at once

interface Entry {
  readonly kind: SerializedKind;
  readonly length: number;
  readonly offset: number; // bytes after the first array's place
  readonly digest: string;
}

interface Head {
  readonly sources: Readonly<Record<string, string>>;
  readonly options: unknown;
  readonly result: unknown;
  readonly arrays: readonly Entry[];
  readonly end: number; // of the last array
}

/** Why a cache does not serve, in words that end "the cache NAME ...". */
class UnusableCache extends Error {}

/** The data as `read` reads them, from the cache where it serves; else from the files, and then the cache is written. */
export async function readThroughCache(
  paths: readonly string[],
  { folder, options, heap }: CacheOptions,
  read: () => Promise<ReadResult>,
): Promise<ReadResult> {
  const before = await sourcesOf(paths);
  if (!before) return withNotice(await read(), "no cache was written, because not all data are files on disk");
  const name = nameOf(paths, folder);
  const mark = heap?.mark();
  let problem = "";
  try {
    const found = await load(name, before, options, heap);
    if (found) return withNotice(found, `read from the cache ${name}`);
  } catch (error) {
    if (!(error instanceof UnusableCache)) throw error;
    if (heap && mark) heap.release(mark);
    problem = error.message;
  }
  const result = await read();
  const after = await sourcesOf(paths);
  if (JSON.stringify(after) !== JSON.stringify(before))
    return withNotice(result, "no cache was written, because the files are changing");
  const failure = await write(name, { sources: before, options }, result, folder);
  if (failure) return withNotice(result, `the cache ${name} ${problem && `${problem} and `}could not be written (${failure})`);
  return withNotice(result, problem ? `the cache ${name} ${problem} and was rewritten` : `the cache ${name} was written`);
}

const withNotice = (result: ReadResult, notice: string): ReadResult => ({ ...result, notices: [...result.notices, notice] });

/** Size and time of change of every file that counts, "none" for side files that are not there; undefined where a source is no file. */
async function sourcesOf(paths: readonly string[]): Promise<Record<string, string> | undefined> {
  const state = async (path: string) => {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    return found?.isFile() ? `${found.size} bytes, ${found.mtimeNs} ns` : undefined;
  };
  const sources: Record<string, string> = {};
  for (const path of paths) {
    const found = path === "/dev/stdin" ? undefined : await state(path);
    if (!found) return undefined;
    sources[path] = found;
    for (const ending of SIDE_ENDINGS)
      for (const side of sideFilePaths(path, ending)) sources[side] = (await state(side)) ?? "none";
    for (const side of labelFiles(path)) sources[side] = (await state(side)) ?? "none";
  }
  return sources;
}

/** In a cache folder, and for several files, the name contains a digest of the paths. */
export function nameOf(paths: readonly string[], folder: string | undefined): string {
  const [first] = paths as [string];
  const which = digest(new TextEncoder().encode(paths.map((path) => resolve(path)).join("\n"))).slice(0, 8);
  const suffix = folder !== undefined || paths.length > 1 ? `.${which}` : "";
  return join(folder ?? dirname(first), `${basename(first)}${suffix}.tierwise-cache`);
}

async function load(
  name: string,
  sources: Readonly<Record<string, string>>,
  options: unknown,
  heap: Heap | undefined,
): Promise<ReadResult | undefined> {
  let file: FileHandle;
  try {
    file = await open(name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UnusableCache(`could not be read (${code})`);
  }
  try {
    const { size } = await file.stat();
    const { head, first } = await headOf(file, size);
    const changed = Object.keys({ ...sources, ...head.sources }).find((path) => sources[path] !== head.sources[path]);
    if (changed !== undefined) throw new UnusableCache(`was out of date (${changed} has changed)`);
    if (JSON.stringify(head.options) !== JSON.stringify(options))
      throw new UnusableCache("was written with other reading options");
    const arrays: NumericArray[] = [];
    for (const entry of head.arrays) arrays.push(await arrayOf(file, entry, first, heap));
    return withKey(deserialize(head.result, arrays) as ReadResult, "catalogue", "labelSpaceSize");
  } catch (error) {
    if (error instanceof UnusableCache) throw error;
    throw new UnusableCache(`could not be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`);
  } finally {
    await file.close();
  }
}

async function headOf(file: FileHandle, size: number): Promise<{ head: Head; first: number }> {
  if (size < PRELUDE) throw new UnusableCache("was damaged");
  const prelude = new Uint8Array(PRELUDE);
  await readInto(file, prelude, 0);
  const [version, length] = new Uint32Array(prelude.buffer, 8, 2);
  const text = (from: number, to: number) => new TextDecoder().decode(prelude.subarray(from, to));
  if (text(0, 8) !== MAGIC) throw new UnusableCache("was damaged");
  if (version !== VERSION) throw new UnusableCache("has another version");
  if (PRELUDE + length! > size) throw new UnusableCache("was damaged");
  const bytes = new Uint8Array(length!);
  await readInto(file, bytes, PRELUDE);
  if (digest(bytes) !== text(16, 32)) throw new UnusableCache("was damaged");
  const head = JSON.parse(new TextDecoder().decode(bytes)) as Head;
  const first = aligned(PRELUDE + bytes.length);
  if (size !== Math.max(PRELUDE + bytes.length, first + head.end)) throw new UnusableCache("was damaged");
  return { head, first };
}

async function arrayOf(file: FileHandle, { kind, length, offset, digest: suffix }: Entry, first: number, heap: Heap | undefined) {
  const bytes = bytesOf(kind, length);
  const array = (bytes >= LARGE ? inHeap(heap, (from) => from.make(kind, length)) : undefined) ?? newArray(kind, length);
  await readInto(file, new Uint8Array(array.buffer, array.byteOffset, bytes), first + offset);
  if (digest(array) !== suffix) throw new UnusableCache("was damaged");
  return array;
}

async function readInto(file: FileHandle, into: Uint8Array, from: number): Promise<void> {
  for (let at = 0; at < into.length; ) {
    const { bytesRead } = await file.read(into, at, Math.min(PIECE, into.length - at), from + at);
    if (bytesRead === 0) throw new UnusableCache("was damaged");
    at += bytesRead;
  }
}

/** Cache files keep the key that this field had when the format was defined. */
function withKey(result: ReadResult, from: string, to: string): ReadResult {
  const data = Object.fromEntries(Object.entries(result.data).map(([key, value]) => [key === from ? to : key, value]));
  return { ...result, data: data as unknown as Dataset };
}

const aligned = (offset: number) => Math.ceil(offset / 64) * 64;

/** Gives the reason when it could not be written. */
async function write(
  name: string,
  head: Pick<Head, "sources" | "options">,
  result: ReadResult,
  folder: string | undefined,
): Promise<string | undefined> {
  const { plain, arrays } = serialize(withKey(result, "labelSpaceSize", "catalogue"));
  let end = 0;
  const entries = arrays.map(({ kind, array }) => {
    const entry = { kind, length: array.length, offset: aligned(end), digest: digest(array) };
    end = entry.offset + array.byteLength;
    return entry;
  });
  const text = new TextEncoder().encode(JSON.stringify({ ...head, result: plain, arrays: entries, end } satisfies Head));
  const first = aligned(PRELUDE + text.length);
  const prelude = new Uint8Array(PRELUDE);
  prelude.set(new TextEncoder().encode(MAGIC));
  new Uint32Array(prelude.buffer, 8, 2).set([VERSION, text.length]);
  prelude.set(new TextEncoder().encode(digest(text)), 16);

  function* pieces(): Generator<Uint8Array> {
    yield prelude;
    yield text;
    let at = PRELUDE + text.length;
    for (const [i, { array }] of arrays.entries()) {
      const from = first + entries[i]!.offset;
      yield new Uint8Array(from - at);
      yield new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      at = from + array.byteLength;
    }
  }
  try {
    if (folder !== undefined) makeFolder(folder);
    await writeDurablyAsync(name, pieces());
    return undefined;
  } catch (error) {
    return writeProblem((error as Error).cause);
  }
}
