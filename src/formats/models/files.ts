/** Model files on disk: the edge between their text and the file system. */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Mistake } from "../../mistake.ts";
import { binaryParts, ENOUGH, headLength, parseBinary } from "./binary.ts";
import { sniff } from "./formats.ts";
import { importModel } from "./import.ts";
import { type ModelFile, modelText, parseModel } from "./native.ts";

/** The model in a file of tierwise or of another tool (see importModel), or an error that names file and field. */
export function readModel(path: string): ModelFile {
  const kind = look(path);
  if (!kind) throw new Mistake(`${path}: there is no such model file`);
  if (kind.isDirectory()) throw new Mistake(`${path}: expected a model file, and this is a directory`);
  return (kind.isFile() && largeModel(path, kind.size)) || smallModel(path);
}

/** A model file of any format that is no large one. */
function smallModel(path: string): ModelFile {
  const bytes = bytesOf(path);
  return sniff(bytes) ? importModel(bytes, { path }) : parseModel(new TextDecoder().decode(bytes), path);
}

/** A model whose numbers lie in the file as they do in memory, or undefined when it is a text. */
function largeModel(path: string, size: number): ModelFile | undefined {
  const file = opened(path);
  const read = (into: Uint8Array, at: number) => {
    for (let done = 0; done < into.length; ) {
      const count = readSync(file, into, done, Math.min(into.length - done, CHUNK), at + done);
      if (count === 0) throw new Mistake(`${path}: the model file is cut off`);
      done += count;
    }
  };
  try {
    const first = new Uint8Array(Math.min(size, ENOUGH));
    read(first, 0);
    const length = headLength(first);
    if (length === undefined) return undefined;
    const head = new Uint8Array(Math.min(length, size));
    read(head, 0);
    return parseBinary(new TextDecoder().decode(head), length, size, read, path);
  } finally {
    closeSync(file);
  }
}

const CHUNK = 1 << 30; // one call of the system moves less than 2 GiB

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw new Mistake(`${path}: the model file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Writes to a file beside the target and then takes its name, so that a reader sees the old file or the new one, never a part. */
export function writeAtomically(path: string, content: string | Uint8Array | readonly Uint8Array[]): void {
  const kind = look(path);
  const target = kind?.isFile() ? realpathSync(path) : path; // a link stays, and what it leads to is replaced
  const beside = join(dirname(target), `.tierwise-${randomBytes(4).toString("hex")}.part`);
  try {
    // A pipe or a device such as /dev/null has no content to protect, and must not be replaced by a file.
    if (kind && !kind.isFile()) write(path, content);
    else {
      write(beside, content, kind ? { mode: kind.mode } : {});
      renameSync(beside, target);
    }
  } catch (error) {
    rmSync(beside, { force: true });
    throw unwritable(path, error);
  }
}

function write(path: string, content: string | Uint8Array | readonly Uint8Array[], options: { mode?: number } = {}): void {
  if (typeof content === "string" || content instanceof Uint8Array) {
    writeFileSync(path, content, options);
    return;
  }
  const file = openSync(path, "w", options.mode);
  try {
    for (const piece of content)
      for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done, Math.min(piece.length - done, CHUNK));
  } finally {
    closeSync(file);
  }
}

/** Writes a model file in one step: a reader sees the old one or the new one. */
export const writeModel = (path: string, file: ModelFile): void => writeAtomically(path, binaryParts(file) ?? modelText(file));

/** Refuses, before the work is done, an output that could not be written after it. */
export function checkWritable(path: string): void {
  if (path === "") throw new Mistake("expected the name of a file to write to, got an empty one");
  const kind = look(path);
  if (kind?.isDirectory() || path.endsWith("/"))
    throw new Mistake(`${path}: expected a file to write to, and this is a directory`);
  if (kind) checkAccess(path, path);
  if (kind && !kind.isFile()) return;
  const folder = dirname(kind ? realpathSync(path) : resolve(path));
  const around = look(folder);
  if (!around) throw new Mistake(`${path}: cannot be written, there is no folder ${folder}`);
  if (!around.isDirectory()) throw new Mistake(`${path}: cannot be written, ${folder} is no folder`);
  checkAccess(folder, path);
}

function checkAccess(place: string, path: string): void {
  try {
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** What a path leads to; undefined where it leads nowhere. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Mistake(`${path}: cannot be opened (${code})`);
  }
}

/** The bytes of a file. */
export function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Mistake(`${path}: the model file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

const unwritable = (path: string, error: unknown) =>
  new Mistake(`${path}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
