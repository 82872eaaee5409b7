/**
 * The model file: versioned JSON that holds the model with its transforms, the features it knows, how it was trained and the metrics it
 * reached. The same training gives the same bytes. Reading checks everything that is used.
 */
import { randomBytes } from "node:crypto";
import { accessSync, constants, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Mistake, quote } from "../../mistake.ts";
import { revive } from "../../models/index.ts";
import type { Columns, Model, SavedModel } from "../../types.ts";

export const VERSION = 1;

/** How a model came to be; everything but `objective` and `model` may be absent in files written by other programs. */
export interface Training {
  readonly objective: string;
  readonly model: string;
  readonly seed?: number;
  readonly rounds?: number; // run
  readonly best?: number; // the round kept
  readonly cost?: number;
  readonly data?: Readonly<Record<string, unknown>>; // lists, items, label counts, and how files were read
  readonly reading?: Readonly<Record<string, unknown>>; // reader options, which later commands take as defaults
}

export interface ModelFile {
  readonly model: Model;
  readonly training: Training;
  readonly metrics: Readonly<Record<string, number>>; // of the validation data
}

export function modelText({ model, training, metrics }: ModelFile): string {
  const { count, base, names } = model.columns;
  const head = {
    format: "tierwise model",
    version: VERSION,
    training,
    metrics,
    columns: names ? { count, base, names } : { count, base },
  };
  return `${JSON.stringify({ ...head, model: model.save() }, null, 1)}\n`;
}

export function parseModel(text: string, path: string): ModelFile {
  let saved: Record<string, unknown>;
  try {
    saved = JSON.parse(text);
  } catch {
    throw new Mistake(`${path}: expected a model file, which is JSON, and this is not (cut off, perhaps)`);
  }
  if (typeof saved !== "object" || saved === null || saved.format !== "tierwise model")
    throw new Mistake(`${path}: expected a model file of tierwise, and this is none`);
  if (typeof saved.version !== "number" || saved.version > VERSION)
    throw new Mistake(
      `${path}: written as version ${quote(String(saved.version))} by a later tierwise; this one reads up to ${VERSION}, so update it`,
    );
  try {
    const columns = columnsFrom(saved.columns);
    const training = saved.training as Training;
    if (typeof training?.objective !== "string" || typeof training.model !== "string")
      throw new Mistake("the model file is damaged: training is incomplete");
    const body = saved.model as SavedModel;
    if (typeof body?.id !== "string") throw new Mistake("the model file is damaged: it holds no model");
    return { model: revive(body, columns), training, metrics: (saved.metrics ?? {}) as Record<string, number> };
  } catch (error) {
    throw error instanceof Mistake ? new Mistake(`${path}: ${error.message}`) : error;
  }
}

function columnsFrom(value: unknown): Columns {
  const { count, base, names } = (value ?? {}) as Partial<Columns>;
  const named =
    names === undefined || (Array.isArray(names) && names.length === count && names.every((name) => typeof name === "string"));
  if (!Number.isSafeInteger(count) || (base !== 0 && base !== 1) || !named)
    throw new Mistake("the model file is damaged: columns are incomplete");
  return names ? { count: count!, base, names } : { count: count!, base };
}

export function readModel(path: string): ModelFile {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind) throw new Mistake(`${path}: there is no such model file`);
  if (kind.isDirectory()) throw new Mistake(`${path}: expected a model file, and this is a directory`);
  return parseModel(readFileSync(path, "utf8"), path);
}

/** Writes to a file beside the target and then takes its name, so that a reader sees the old file or the new one, never a part. */
export function writeAtomically(path: string, text: string | Uint8Array): void {
  const beside = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new Mistake(`${path}: cannot be written (${(error as Error).message})`);
  }
}

export const writeModel = (path: string, file: ModelFile): void => writeAtomically(path, modelText(file));

/** Refuses, before the work is done, an output that could not be written after it. */
export function checkWritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Mistake(`${path}: expected a file to write to, and this is a directory`);
  const folder = dirname(resolve(path));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Mistake(`${path}: cannot be written, there is no folder ${folder}`);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Mistake(`${path}: cannot be written (${(error as Error).message})`);
  }
}
