/**
 * The files that a command reads and writes, checked before the work begins: an output can be written, is none of the inputs, and is
 * written once. Files are distinguished by what they are, not by their names, so links and other spellings are seen through.
 */
import { existsSync, fstatSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { checkFolder, checkWritable } from "../formats/check-paths.ts";
import { nameOf as cacheName } from "../formats/data/cache.ts";
import { labelFiles } from "../formats/data/formats.ts";
import { expandPaths } from "../formats/data/paths.ts";
import { SIDE_ENDINGS, sideFilePaths } from "../formats/data/side-files.ts";
import { InputError } from "../input-error.ts";
import { FileOption } from "./file-option.ts";

export { FileOption };

/** How a file is described when it clashes with another. */
interface Use {
  readonly path: string;
  readonly what: string; // the option that names it, or what else it is
}

interface Given {
  /** Files among the words of the command line that are no data, such as a model. */
  readonly others?: readonly string[];
  /** Groups of data files, each of which is read as one. */
  readonly data?: readonly (readonly string[])[];
}

/** Refuses outputs that cannot be written, that are an input, or that are another output. Comes after the settings of --config. */
export function checkFiles(command: Command, { others = [], data = [] }: Given): void {
  const options = command.opts<Record<string, unknown>>();
  const named = (role: FileOption["role"]) =>
    command.options
      .filter((option): option is FileOption => option instanceof FileOption && option.role === role)
      .flatMap((option) => {
        const value = options[option.attributeName()] as string | readonly string[] | undefined;
        return value === undefined ? [] : [{ what: option.long!, paths: typeof value === "string" ? [value] : value }];
      });
  const groups = [...data, ...named("reads data").map(({ paths }) => paths)].map(quietlyExpanded);
  const reads = [
    ...others,
    ...groups.flat().flatMap((path) => [path, ...sideFiles(path)]),
    ...named("reads").flatMap(({ paths }) => paths),
    ...(typeof options.split === "string" ? [options.split.replace(/:\d+$/, "")] : []),
  ];
  const writes = named("writes").flatMap(({ what, paths }) => paths.map((path) => ({ what, path })));
  for (const { path } of writes) checkWritable(path);
  const folder = options.cacheDir as string | undefined;
  if (folder !== undefined) checkFolder("--cache-dir", folder);
  const caching = options.cache === true || folder !== undefined;
  const caches = caching ? groups.map((group) => ({ what: "the cache", path: cacheName(group, folder) })) : [];
  checkDistinct(reads, [...writes, ...caches]);
}

/** The files that names stand for; reading them reports what is wrong with a name. */
function quietlyExpanded(paths: readonly string[]): readonly string[] {
  try {
    return expandPaths(paths);
  } catch {
    return paths;
  }
}

/** Refuses to write a file that is read, or to write one twice, under whatever names. */
export function checkDistinct(reads: readonly string[], writes: readonly Use[]): void {
  const inputs = new Map(
    reads.map((path) => [existing(path === "-" ? 0 : path), path]).filter(([which]) => which !== undefined) as [string, string][],
  );
  const outputs = new Map<string | undefined, Use>();
  for (const use of writes) {
    const which = identity(use.path);
    if (which === undefined) continue;
    const input = inputs.get(which);
    if (input !== undefined) throw new InputError(`${use.what} ${use.path}: ${clash(use.path, input)}`);
    const other = outputs.get(which);
    if (other && other.what !== use.what)
      throw new InputError(`${other.what} and ${use.what} are the same file, ${use.path}; name two`);
    outputs.set(which, use);
  }
  const standard = existing(1);
  const input = standard === undefined ? undefined : inputs.get(standard);
  if (input !== undefined) throw new InputError(`${input}: this file is read, and standard output leads into it; name another`);
}

const clash = (output: string, input: string) =>
  input === output
    ? "this file is read by the command and would be lost; name another"
    : `this is the file ${input === "-" ? "of standard input" : input}, which the command reads and which would be lost; name another`;

/** Files that are read with a data file where they are there. */
const sideFiles = (path: string): string[] => [
  ...SIDE_ENDINGS.flatMap((ending) => sideFilePaths(path, ending)),
  ...labelFiles(path),
];

/** What is the same for all names of a file; undefined for devices, pipes and folders, which hold nothing that a write would replace. */
function existing(path: string | number): string | undefined {
  try {
    const found = typeof path === "number" ? fstatSync(path, { bigint: true }) : statSync(path, { bigint: true });
    return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
  } catch {
    return undefined; // opening it reports the error
  }
}

/** The same for a file that may not be there yet. */
function identity(path: string, links = 0): string | undefined {
  if (existsSync(path)) return existing(path);
  try {
    if (links < 40 && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      return identity(resolve(dirname(path), readlinkSync(path)), links + 1); // it leads to where the file will be
    return join(realpathSync(dirname(resolve(path))), basename(path));
  } catch {
    return undefined; // no such folder
  }
}
