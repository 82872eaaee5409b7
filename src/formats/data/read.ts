/** Opens data files: the edge between the parsers, which only see bytes, and the file system. Gzip is known by its first bytes. */
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Mistake } from "../../mistake.ts";
import type { Dataset } from "../../types.ts";
import { labelFiles } from "./arff.ts";
import { type GatherOptions, gatherer, type Sides } from "./gather.ts";
import { type ReadOptions, readOptions } from "./index.ts";
import { besides, GROUP_ENDINGS, type SideFile, WEIGHT_ENDING } from "./side-files.ts";
import { keepRows } from "./split-rows.ts";

export type ReadDataOptions = Partial<ReadOptions> &
  Pick<GatherOptions, "labels" | "storage"> & {
    readonly progress?: (bytesRead: number, bytesTotal: number) => void;
  };

const CHUNK = 1 << 20;

/** One dataset from one or several files, in their order. `bytes` counts what was read from disk, side files left out. */
export async function readData(
  paths: readonly string[],
  options: ReadDataOptions = {},
): Promise<{ data: Dataset; notices: readonly string[]; bytes: number }> {
  const { labels, storage, progress, ...reading } = options;
  const complete = readOptions(reading);
  const gather = gatherer({ ...complete, ...(labels && { labels }), ...(storage && { storage }) });
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let bytes = 0;
  for (const path of paths) {
    const count = (more: number) => {
      bytes += more;
      progress?.(bytes, Math.max(total, bytes));
    };
    let parser: ReturnType<typeof gather.open> | undefined;
    for await (const chunk of bytesOf(path, count)) {
      parser ??= gather.open(path, chunk, (await found(labelFiles(path)))[0]);
      parser.push(chunk);
    }
    if (!parser) throw new Mistake(`${path}: the file is empty`);
    gather.close(await sidesOf(path));
  }
  const { data, notices } = gather.finish();
  if (complete.split === "") return { data, notices, bytes };
  const [, file = "", column = "1"] = /^(.*?)(?::(\d+))?$/.exec(complete.split) ?? [];
  const content = await readFile(file).catch((error) => refuse(file, error));
  const kept = keepRows(data, { name: file, bytes: content }, Number(column));
  return { data: kept.data, notices: [...notices, kept.notice], bytes };
}

/** The bytes of a file on disk; a mistake where there is none to read. */
export async function sizeOf(path: string): Promise<number> {
  if (path === "") throw new Mistake("expected the name of a data file, got an empty one");
  const found = await stat(path).catch((error) => refuse(path, error));
  if (found.isDirectory()) throw new Mistake(`${path}: expected a file, got a directory`);
  return found.size;
}

/** The content in chunks, unpacked where it is gzip. The first chunk is not empty. */
async function* bytesOf(path: string, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const source = createReadStream(path, { highWaterMark: CHUNK });
  try {
    let head: Uint8Array = new Uint8Array(0);
    const chunks = counted(source, count);
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) break;
      head = head.length === 0 ? value : Buffer.concat([head, value]);
      if (head.length >= 2) break; // a pipe may bring one byte at a time
    }
    if (head[0] === 0x1f && head[1] === 0x8b) {
      const gunzip = createGunzip({ chunkSize: CHUNK });
      pipeline(Readable.from(chain(head, chunks)), gunzip, () => {}); // errors come out of the loop below
      yield* gunzip;
      return;
    }
    if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
      throw new Mistake(`${path}: the text is UTF-16; save it as UTF-8`);
    if (head.length > 0) yield* chain(head, chunks);
  } catch (error) {
    refuse(path, error);
  } finally {
    source.destroy();
  }
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
  EACCES: "the file may not be read (permission denied)",
  EPERM: "the file may not be read (permission denied)",
  Z_BUF_ERROR: "the gzip data end too early; the file is cut off",
  Z_DATA_ERROR: "the gzip data are damaged",
};

/** What the system says about a file becomes a mistake in one line. Anything else goes on as it is. */
function refuse(path: string, error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (error instanceof Mistake || code === undefined) throw error;
  throw new Mistake(`${path}: ${REASONS[code] ?? `the file cannot be read (${code})`}`);
}

async function sidesOf(path: string): Promise<Sides> {
  const [first, second] = await found(GROUP_ENDINGS.flatMap((ending) => besides(path, ending)));
  if (first && second && Buffer.compare(first.bytes, second.bytes) !== 0)
    throw new Mistake(`${second.name}: not the same groups as in ${first.name}; remove one of the two`);
  const [weights] = await found(besides(path, WEIGHT_ENDING));
  return { ...(first && { groups: first }), ...(weights && { weights }) };
}

async function found(paths: readonly string[]): Promise<SideFile[]> {
  const files: SideFile[] = [];
  for (const path of paths) {
    const there = await stat(path).then((entry) => entry.isFile(), () => false); // biome-ignore format: both ways
    if (there) files.push({ name: path, bytes: await readFile(path).catch((error) => refuse(path, error)) });
  }
  return files;
}
