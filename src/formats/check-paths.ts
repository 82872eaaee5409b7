/** What paths lead to, and whether files and folders can be written, before any work is done. */
import { accessSync, constants, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "../input-error.ts";
import { statIfExists, unwritable } from "./durable.ts";

/** Refuses, before the work is done, an output that could not be written after it. */
export function checkWritable(path: string): void {
  if (path === "") throw new InputError("expected the name of a file to write to, got an empty one");
  const kind = statIfExists(path);
  if (kind?.isDirectory() || path.endsWith("/")) throw new InputError(`${path}: expected a file to write to, got a directory`);
  if (kind) checkAccess(path, path);
  if (kind && !kind.isFile()) return;
  const folder = dirname(kind ? realpathSync(path) : resolve(path));
  const around = statIfExists(folder);
  if (!around) throw new InputError(`${path}: cannot be written: no such folder: ${folder}`);
  if (!around.isDirectory()) throw new InputError(`${path}: cannot be written, ${folder} is not a folder`);
  checkAccess(folder, path);
}

/** Refuses, before the work is done, a folder that could not be made or written into. `what` names the option. */
export function checkFolder(what: string, path: string): void {
  if (path === "") throw new InputError(`${what}: expected the name of a folder, got an empty one`);
  let there = resolve(path);
  for (; !statIfExists(there); there = dirname(there));
  if (!statIfExists(there)!.isDirectory()) throw new InputError(`${what} ${path}: expected a folder, and ${there} is a file`);
  checkAccess(there, path);
}

function checkAccess(place: string, path: string): void {
  try {
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Whether a path leads to a folder. */
export const isFolder = (path: string): boolean => statIfExists(path)?.isDirectory() ?? false;

/** Whether a path leads to an ordinary file. */
export const isFile = (path: string): boolean => statIfExists(path)?.isFile() ?? false;
