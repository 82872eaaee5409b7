/**
 * Folds from files. A folder with Fold1, Fold2, ... each holding train, vali and test, as LETOR and MSLR come, is taken as it is; a folder
 * with numbered parts, such as S1.txt to S5.txt, is rotated as LETOR does (see data/folds.ts); other files are one data set, whose lists are
 * split at random by the seed.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { FoldData } from "../cv.ts";
import { concat } from "../data/concat.ts";
import { rotatedFolds } from "../data/folds.ts";
import { type DataPart, splitIntoParts, splitUnits, trainTestSplits } from "../data/parts.ts";
import { isDataFolder } from "../formats/data/paths.ts";
import { InputError } from "../input-error.ts";
import { columnsOf } from "../models/shared/columns.ts";
import type { Dataset } from "../types.ts";
import { type LoadOptions, load } from "./load.ts";
import { unload } from "./memory.ts";
import { ownShare, partSelector } from "./shard-parts.ts";

export interface Folds {
  readonly what: string; // in words
  readonly noun: "ballots" | "lists"; // what folds hold
  readonly data?: Dataset; // all of them, where they were read at once
  readonly count: number;
  readonly folds: AsyncIterable<FoldData>;
}

export interface FoldOptions {
  readonly parts: number; // that data are split into
  readonly seed: number;
  readonly valid: boolean; // false: what would validate is trained on as well
  readonly loading: LoadOptions;
  /** Is given the files, in groups that are read as one, before any is read. */
  readonly check?: (files: readonly (readonly string[])[]) => void;
}

export async function foldsFrom(paths: readonly string[], options: FoldOptions): Promise<Folds> {
  const folders = paths.filter(isDataFolder);
  if (folders.length === 0) return shuffledFolds(paths, options);
  const [folder] = folders;
  if (paths.length > 1) throw new InputError(`${folder}: a folder of folds must be the only path, got ${paths.length} paths`);
  const names = readdirSync(folder!);
  return letorFolders(folder!, names, options) ?? numberedParts(folder!, names, options) ?? rejectFolder(folder!);
}

function rejectFolder(folder: string): never {
  throw new InputError(
    `${folder}: expected folders Fold1, Fold2, ... with train.txt, vali.txt and test.txt, or files of at least three parts such as S1.txt to S5.txt`,
  );
}

async function shuffledFolds(paths: readonly string[], { parts, seed, valid, loading, check }: FoldOptions): Promise<Folds> {
  check?.([paths]);
  const data = await load(paths, loading);
  const { count, noun } = splitUnits(data);
  const least = valid ? 3 : 2;
  if (parts < least) throw new InputError(`--folds: expected at least ${least} parts, got ${parts}`);
  if (count < parts) throw new InputError(`--folds: ${count} ${noun} are too few for ${parts} parts`);
  return {
    what: `${count} ${noun} split into ${parts} parts by seed ${seed}`,
    noun,
    data,
    count: parts,
    folds: foldsOf(data, splitIntoParts(data, parts, seed), valid, loading),
  };
}

async function* foldsOf(
  data: Dataset,
  parts: readonly DataPart[],
  valid: boolean,
  { digest = false }: LoadOptions,
): AsyncGenerator<FoldData> {
  const select = partSelector(digest);
  // Copied out once for each fold, in the same order in all processes.
  if (valid)
    for (const fold of rotatedFolds(data, parts, select)) yield { train: fold.train, valid: fold.valid, test: fold.test };
  else for (const fold of trainTestSplits(data, parts, select)) yield { train: fold.train, test: fold.test };
}

/** Files of parts with one name and the numbers 1 to k. */
function numberedParts(folder: string, names: readonly string[], options: FoldOptions): Promise<Folds> | undefined {
  const found = new Map<string, Map<number, string>>();
  for (const name of names) {
    const form = /^(.*?)(\d+)\.(txt|dat|svm|svmlight|csv|tsv)(\.gz)?$/i.exec(name);
    if (!form) continue;
    const [, stem, number] = form;
    const parts = found.get(stem!) ?? new Map<number, string>();
    found.set(stem!, parts);
    if (parts.has(Number(number)))
      throw new InputError(`${folder}: part ${number} exists twice, as ${parts.get(Number(number))} and as ${name}`);
    parts.set(Number(number), name);
  }
  const whole = [...found.values()].filter(
    (parts) => parts.size >= 3 && [...parts.keys()].every((n) => n >= 1 && n <= parts.size),
  );
  if (whole.length === 0) return undefined;
  if (whole.length > 1)
    throw new InputError(`${folder}: there are several sets of parts, such as ${whole.map((one) => one.get(1)).join(" and ")}`);
  const [parts] = whole;
  return loadParts(
    Array.from({ length: parts!.size }, (_, i) => join(folder, parts!.get(i + 1)!)),
    options,
  );
}

async function loadParts(paths: readonly string[], { valid, loading, check }: FoldOptions): Promise<Folds> {
  check?.(paths.map((path) => [path]));
  const parts: Dataset[] = [];
  for (const path of paths) parts.push(await load([path], { ...loading, whole: true }));
  const ends = parts.map(({ starts }) => starts.length - 1);
  let from = 0;
  const lists = ends.map((count) => ({ lists: Uint32Array.from({ length: count }, () => from++) }));
  return {
    what: `${paths.length} parts, ${paths[0]} to ${paths.at(-1)}, rotated as in LETOR`,
    noun: "lists",
    count: paths.length,
    folds: foldsOf(ownShare(concat(parts), false), lists, valid, loading),
  };
}

const ROLES = { train: /^train\.\w+(\.gz)?$/i, valid: /^(vali|valid|validation)\.\w+(\.gz)?$/i, test: /^test\.\w+(\.gz)?$/i };

function letorFolders(folder: string, names: readonly string[], options: FoldOptions): Folds | undefined {
  const found = names
    .map((name) => ({ name, number: Number(/^fold[-_ ]?(\d+)$/i.exec(name)?.[1] ?? Number.NaN) }))
    .filter(({ number }) => !Number.isNaN(number))
    .sort((a, b) => a.number - b.number);
  if (found.length === 0) return undefined;
  const folds = found.map(({ name }) => {
    const inside = join(folder, name);
    const files = readdirSync(inside);
    const role = (what: keyof typeof ROLES) => {
      const fitting = files.filter((file) => ROLES[what].test(file));
      if (fitting.length !== 1)
        throw new InputError(
          `${inside}: expected one file of ${what} data, such as ${what === "valid" ? "vali" : what}.txt, got ${fitting.join(" and ") || "none"}`,
        );
      return join(inside, fitting[0]!);
    };
    return { train: role("train"), valid: role("valid"), test: role("test") };
  });
  const { valid, check } = options;
  check?.(folds.flatMap((one) => (valid ? [[one.train], [one.valid], [one.test]] : [[one.train, one.valid], [one.test]])));
  return {
    what: `folds ${found.map(({ name }) => name).join(", ")} of ${folder}`,
    noun: "lists",
    count: folds.length,
    folds: loadFolds(folds, options),
  };
}

/** One fold after another, so that only one is held at a time. */
async function* loadFolds(
  folds: readonly Readonly<Record<keyof typeof ROLES, string>>[],
  { valid, loading }: FoldOptions,
): AsyncGenerator<FoldData> {
  for (const files of folds) {
    const train = await load(valid ? [files.train] : [files.train, files.valid], loading);
    const like = { ...loading, columns: columnsOf(train) };
    const validation = valid ? { valid: await load([files.valid], like) } : {};
    yield { train, ...validation, test: await load([files.test], like) };
    unload();
  }
}
