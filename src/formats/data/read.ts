/** Opens data files: the edge between the parsers, which only see bytes, and the file system. Gzip is known by its first bytes. */
import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Mistake } from "../../mistake.ts";
import { cores } from "../../teams/threads.ts";
import type { Dataset } from "../../types.ts";
import type { Parser } from "./findings.ts";
import { type Gatherer, type GatherOptions, gatherer, type Sides } from "./gather.ts";
import { type ReadOptions, readOptions } from "./index.ts";
import { besides, GROUP_ENDINGS, type SideFile, WEIGHT_ENDING } from "./side-files.ts";
import { readTogether, type TeamOptions } from "./together.ts";
import type { Intake } from "./whole-lines.ts";

export type ReadDataOptions = Partial<ReadOptions> &
  Pick<GatherOptions, "labels" | "storage" | "heap"> & {
    readonly threads?: number; // at most; default: one for each core
    readonly progress?: (bytesRead: number, bytesTotal: number) => void;
  };

const CHUNK = 1 << 20;

/** One dataset from one or several files, in their order. `bytes` counts what was read from disk, side files left out. */
export async function readData(
  paths: readonly string[],
  options: ReadDataOptions = {},
): Promise<{ data: Dataset; notices: readonly string[]; bytes: number }> {
  const { labels, storage, heap, threads = cores(), progress, ...reading } = options;
  const asked = readOptions(reading);
  const gather = gatherer({ ...asked, ...(labels && { labels }), ...(storage && { storage }), ...(heap && { heap }) });
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let bytes = 0;
  const count = (more: number) => {
    bytes += more;
    progress?.(bytes, Math.max(total, bytes));
  };
  try {
    for (const [i, path] of paths.entries()) {
      const team = { threads, absent: asked.absent, indexBase: asked.indexBase, labels: labels ?? "required" } as const;
      await readFileInto(gather, path, { size: sizes[i]!, left: total - bytes, count, team });
      gather.close(await sidesOf(path));
    }
    return { ...gather.finish(), bytes };
  } finally {
    gather.drop();
  }
}

interface Reading {
  readonly size: number; // of the file
  readonly left: number; // bytes of this file and those after it
  readonly count: (bytes: number) => void;
  readonly team: TeamOptions;
}

async function readFileInto(gather: Gatherer, path: string, { size, left, count, team }: Reading): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    let head: Uint8Array = new Uint8Array(0);
    for await (const chunk of chunksOf(file, count)) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (head.length >= 2) break; // a pipe may bring one byte at a time
    }
    if (head[0] === 0x1f && head[1] === 0x8b) {
      const gunzip = createGunzip({ chunkSize: CHUNK });
      pipeline(Readable.from(chain(head, chunksOf(file, count))), gunzip, () => {}); // errors come out of the loop below
      let parser: Parser | undefined;
      for await (const chunk of gunzip as AsyncIterable<Uint8Array>) (parser ??= gather.open(path, chunk)).push(chunk);
      if (!parser) throw new Mistake(`${path}: the file is empty`);
      return;
    }
    if (head.length === 0) throw new Mistake(`${path}: the file is empty`);
    if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
      throw new Mistake(`${path}: the text is UTF-16; save it as UTF-8`);
    const parser = gather.open(path, head, left);
    parser.push(head);
    const { room, filled } = parser;
    if (!room || !filled) for await (const chunk of chunksOf(file, count)) parser.push(chunk);
    else if (!(await readTogether(gather, parser as Intake, path, size, team, count)))
      for (;;) {
        const { bytesRead } = await file.read(room(), 0, room().length, null);
        if (bytesRead === 0) break;
        count(bytesRead);
        filled(bytesRead);
      }
  } catch (error) {
    refuse(path, error);
  } finally {
    await file?.close();
  }
}

/** The content from where the file is now, in chunks that are not empty. */
async function* chunksOf(file: FileHandle, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK), 0, CHUNK, null);
    if (bytesRead === 0) return;
    count(bytesRead);
    yield buffer.subarray(0, bytesRead);
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error) => refuse(path, error));
  if (found.isDirectory()) throw new Mistake(`${path}: expected a file, got a directory`);
  return found.size;
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
