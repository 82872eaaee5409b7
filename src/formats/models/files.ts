/** Reads and writes model files on disk. */
import { closeSync, openSync, readSync } from "node:fs";
import { check, checkOptions, someText } from "../../arguments.ts";
import { InputError } from "../../input-error.ts";
import { digester } from "../../numeric/digest.ts";
import { Heap } from "../../numeric/heap.ts";
import { statIfExists, writeDurably } from "../durable.ts";
import { bytesOfSmall } from "../small-files.ts";
import { binaryParts, ENOUGH, headLength, LINE, parseBinary, sealOf } from "./binary.ts";
import { sniff } from "./formats.ts";
import { importModel } from "./import.ts";
import { type ModelFile, parseModel, type ReadModelOptions, readModelKinds, serializeModel } from "./native.ts";

/** The model in a file of tierwise or of another tool (see `importModel`), or an error that names file and field. */
export function readModel(path: string, options: ReadModelOptions = {}): ModelFile {
  check("readModel, the path", path, someText);
  checkOptions("readModel", options, readModelKinds);
  if (path === "-") throw new InputError("-: a model is read from a file, not from standard input");
  const kind = statIfExists(path);
  if (!kind) throw new InputError(`${path}: there is no such model file`);
  if (kind.isDirectory()) throw new InputError(`${path}: expected a model file, got a directory`);
  return (kind.isFile() && largeModel(path, kind.size, options)) || smallModel(path, options);
}

/** A model file of any format that is not a binary model file of tierwise. */
function smallModel(path: string, options: ReadModelOptions): ModelFile {
  const bytes = bytesOf(path);
  if (sniff(bytes)) return importModel(bytes, { path });
  if (bytes.length > MOST_TEXT)
    throw new InputError(`${path}: the model file has more than 512 MB of text, which no model file has`);
  return parseModel(new TextDecoder().decode(bytes), path, options);
}

/** A model whose numbers lie in the file as they do in memory, or undefined when it is a text. */
function largeModel(path: string, size: number, options: ReadModelOptions): ModelFile | undefined {
  const file = opened(path);
  const read = (into: Uint8Array, at: number) => {
    for (let done = 0; done < into.length; ) {
      const count = readSync(file, into, done, Math.min(into.length - done, CHUNK), at + done);
      if (count === 0) throw new InputError(`${path}: the model file is truncated`);
      done += count;
    }
  };
  try {
    const first = new Uint8Array(Math.min(size, ENOUGH));
    read(first, 0);
    const length = headLength(first);
    if (length === undefined) return undefined;
    const body = checkSeal(path, size, read);
    const head = new Uint8Array(Math.min(length, body));
    read(head, 0);
    return parseBinary(new TextDecoder().decode(head), length, body, read, path, options);
  } finally {
    closeSync(file);
  }
}

const PIECE = 1 << 22; // bytes that are digested at once

/** Compares the digest at the end of a file, where there is one, with its content, and gives the bytes of that. */
function checkSeal(path: string, size: number, read: (into: Uint8Array, at: number) => void): number {
  const last = new Uint8Array(Math.min(size, LINE));
  read(last, size - last.length);
  const stored = sealOf(last);
  if (stored === undefined) return size;
  const body = size - LINE;
  const heap = new Heap();
  try {
    const piece = heap.u8(Math.min(PIECE, body));
    const sum = digester();
    for (let at = 0; at < body; at += piece.length) {
      const part = piece.subarray(0, Math.min(piece.length, body - at));
      read(part, at);
      sum.add(part);
    }
    if (sum.text() !== stored)
      throw new InputError(
        `${path}: the model file is damaged: its content does not match the digest at its end; copy or train it again`,
      );
  } finally {
    heap.close();
  }
  return body;
}

const CHUNK = 1 << 30; // one call of the system moves less than 2 GiB

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Writes a model file in one step: a reader sees the old one or the new one. */
export const writeModel = (path: string, file: ModelFile): void => writeDurably(path, binaryParts(file) ?? serializeModel(file));

const MOST = 2 ** 31 - 1; // bytes that are read at once
const MOST_TEXT = 2 ** 29 - 32; // letters of a text in JavaScript

/** The bytes of a file. */
export function bytesOf(path: string): Uint8Array {
  try {
    return bytesOfSmall(path, MOST);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): InputError {
  if (error instanceof InputError) return error;
  return new InputError(`${path}: the model file cannot be read (${(error as NodeJS.ErrnoException).code})`);
}
