/**
 * Every file that is written goes through this module. Content is written to a temporary file beside its target, flushed to the disk and
 * renamed, and then the folder is flushed: a reader, and a machine that loses power, has the old content or the new, never a mixture, and
 * what was reported as written stays written. Temporary files have random names and are created exclusively, so that processes that write the
 * same file do not disturb each other: the last rename wins. When a write fails, the old file stays and the temporary file is removed.
 */
import {
  appendFileSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "../input-error.ts";
import { temporaryFor } from "./temporary.ts";

/** Text, bytes, or bytes in pieces that are written one after another. */
export type Content = string | Uint8Array | Iterable<Uint8Array>;

const MOST = 1 << 30; // bytes for one call of the system, which moves less than 2 GiB
const PIECE = 1 << 26; // bytes that an asynchronous write hands over at a time

/** Replaces a file, or creates it. A link stays, and the file that it leads to is replaced; a pipe or a device is written to. */
export function writeDurably(path: string, content: Content): void {
  const { kind, target } = targetOf(path);
  attempt(path, () => {
    if (kind && !kind.isFile()) return writeInto(path, content);
    const beside = temporaryFor(target);
    try {
      const file = openSync(beside.path, "wx");
      try {
        if (kind) keepMode(file, kind);
        for (const piece of piecesOf(content)) writeAll(file, piece);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(beside.path, target);
      syncFolder(dirname(target));
    } finally {
      discard(beside);
    }
  });
}

/** The same without blocking the thread, for content that is large. */
export async function writeDurablyAsync(path: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const { kind, target } = targetOf(path);
  const beside = temporaryFor(target);
  try {
    const file = await open(beside.path, "wx");
    try {
      if (kind) keepMode(file.fd, kind);
      for (const piece of pieces)
        for (let done = 0; done < piece.length; )
          done += (await file.write(piece, done, Math.min(PIECE, piece.length - done))).bytesWritten;
      await file.sync();
    } finally {
      await file.close();
    }
    renameSync(beside.path, target);
    syncFolder(dirname(target));
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    discard(beside);
  }
}

/** Removes what a failure left; otherwise the file has its name. */
function discard({ path, gone }: ReturnType<typeof temporaryFor>): void {
  try {
    rmSync(path, { force: true });
  } catch {} // its folder is gone
  gone();
}

/**
 * Appends a text to a file: all of it, or nothing where that fails, as on a full disk. One call of the system writes it, so that lines of
 * processes that append to the same file do not mix.
 */
export function appendDurably(path: string, text: string): void {
  const before = statIfExists(path);
  attempt(path, () => {
    if (before && !before.isFile()) return appendFileSync(path, text); // devices and pipes cannot be flushed
    const file = openSync(path, "a");
    try {
      const bytes = Buffer.from(text);
      let done = 0;
      try {
        while (done < bytes.length) done += writeSync(file, bytes, done);
        fsyncSync(file);
      } catch (error) {
        const { size } = fstatSync(file);
        if (size === (before?.size ?? 0) + done) ftruncateSync(file, before?.size ?? 0); // unless another process appended meanwhile
        if (!before && fstatSync(file).size === 0) rmSync(path, { force: true });
        throw error;
      }
    } finally {
      closeSync(file);
    }
    if (!before) syncFolder(dirname(resolve(path)));
  });
}

/** A file that is open for appending. */
export interface AppendFile {
  /** Appends a text without blocking the thread. It reaches the disk when the system writes it. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a log, or creates it. Each text is one write at the end of the file, so that lines of several processes do not mix. */
export async function openAppend(path: string): Promise<AppendFile> {
  try {
    const file = await open(path, "a");
    return {
      append: (text) => file.appendFile(text).catch((error: unknown) => Promise.reject(unwritable(path, error))),
      close: () => file.close(),
    };
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Creates a folder and those around it, where they do not exist. */
export function makeFolder(path: string): void {
  attempt(path, () => {
    const first = mkdirSync(path, { recursive: true });
    if (first === undefined) return;
    for (let at = resolve(path); at.length >= resolve(first).length; at = dirname(at)) syncFolder(dirname(at));
  });
}

/** What prevents a write, in words for a message. */
export function writeProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return message;
  return REASONS[code] === undefined ? code : `${code}, ${REASONS[code]}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is larger than the system allows",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "the folder does not exist",
  ENOTDIR: "the folder does not exist",
};

/** The error for a file that cannot be written. */
export const unwritable = (path: string, error: unknown): InputError =>
  error instanceof InputError ? error : new InputError(`${path}: cannot be written (${writeProblem(error)})`, { cause: error });

/** What a path leads to; undefined where it leads nowhere, a path through a file included. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new InputError(`${path}: cannot be opened (${code})`);
  }
}

function targetOf(path: string): { kind: Stats | undefined; target: string } {
  const kind = statIfExists(path);
  return { kind, target: kind?.isFile() ? realpathSync(path) : resolve(path) };
}

function attempt(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A pipe or a device such as /dev/null has no content to protect, and must not be replaced by a file. */
function writeInto(path: string, content: Content): void {
  const file = openSync(path, "w");
  try {
    for (const piece of piecesOf(content)) writeFileSync(file, piece); // waits where a pipe is full
  } finally {
    closeSync(file);
  }
}

function piecesOf(content: Content): Iterable<Uint8Array> {
  if (typeof content === "string") return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

function writeAll(file: number, piece: Uint8Array): void {
  for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done, Math.min(piece.length - done, MOST));
}

/** A file that is replaced keeps its permissions, where the file system has them. */
function keepMode(file: number, { mode }: Stats): void {
  try {
    fchmodSync(file, mode & 0o777);
  } catch {}
}

/** Systems that cannot flush a folder, or not this one, make a rename durable on their own or not at all. */
const UNFLUSHABLE: readonly unknown[] = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EACCES", "EBADF"];

function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  let file: number | undefined;
  try {
    file = openSync(folder, "r");
    fsyncSync(file);
  } catch (error) {
    if (!UNFLUSHABLE.includes((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
