/** Reads battles from files. */
import { check, checkOptions, someFunction, someName, someText, someTexts, wholeFrom, yesOrNo } from "../../arguments.ts";
import type { Battles } from "../../data/battles.ts";
import type { ResultColumnOptions } from "./battle-columns.ts";
import { type BattleColumnOptions, type BattleReader, battleReader } from "./battles-parser.ts";
import { checkInput, sizeOf } from "./file-bytes.ts";
import { expandPaths } from "./paths.ts";
import { readTableOrText } from "./table-or-text.ts";

const resultColumnKinds = {
  ...{ first: someName, second: someName, winner: someName, loser: someName, tie: someName, count: someName },
};

/** How battles are read. */
export interface ReadBattlesOptions extends BattleColumnOptions {
  /** Called while files are read. */
  readonly progress?: (bytesRead: number, bytesTotal: number) => void;
  /** Called at the end if rows of an item against itself, or without a winner, were left out, with their number and the first of them. */
  readonly notice?: (text: string) => void;
}

/**
 * Battles from one or several tables: `model_a,model_b,winner` or `winner,loser`, with perhaps `count` and columns that options name. Names may be patterns,
 * folders, "-" and queries, as of `readData`. Rows of an item against itself, or with an empty `winner` beside `model_a` and `model_b`, are left out; `notice` is
 * told of them.
 */
export async function readBattles(paths: readonly string[], options: ReadBattlesOptions = {}): Promise<Battles> {
  check("readBattles", paths, { wanted: "an array of paths", fits: Array.isArray });
  for (const path of paths) check("readBattles, a path", path, someText);
  checkOptions("readBattles", options, {
    ...{
      ...resultColumnKinds,
      skipLines: wholeFrom(0),
      cluster: someText,
      by: someText,
      emptySlices: yesOrNo,
      weight: someText,
      covariates: someTexts,
      progress: someFunction,
      notice: someFunction,
    },
  });
  const reader = battleReader(options);
  await readInto(reader, paths, options);
  return reader.finish();
}

async function readInto(reader: BattleReader, names: readonly string[], { progress, notice }: EachBattleOptions): Promise<void> {
  const paths = expandPaths(names);
  checkInput(paths);
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let read = 0;
  for (const path of paths) {
    const count = (more: number) => progress?.((read += more), Math.max(total, read));
    await readTableOrText(path, count, { ...reader.open(path), table: reader.table });
  }
  const leftOut = reader.notice();
  if (leftOut !== "") notice?.(leftOut);
}

/** A battle as a file has it, in its order. */
export interface OrderedBattle {
  /** Name of the first item. */
  readonly first: string;
  /** Name of the second item. */
  readonly second: string;
  /** Who won. */
  readonly winner: "first" | "second" | "tie";
  /** How many such battles the row stands for. */
  readonly count: number;
  /** The value of the column of periods, if one is named. */
  readonly period?: string;
}

/** How battles are read one by one. */
export interface EachBattleOptions extends ResultColumnOptions {
  /** Lines above the header of tables of text that are not read, such as a title. A whole number of at least 0. Default: 0. */
  readonly skipLines?: number;
  /** Column of the rating period, such as the day. Default: none. */
  readonly period?: string;
  /** Called while files are read. */
  readonly progress?: (bytesRead: number, bytesTotal: number) => void;
  /** Called at the end if rows of an item against itself, or without a winner, were left out, with their number and the first of them. */
  readonly notice?: (text: string) => void;
}

const WINNERS = ["first", "second", "tie"] as const;

/** Calls `visit` with each battle of the tables in their order, without keeping them. Rows are left out as by `readBattles`. */
export async function eachBattle(
  paths: readonly string[],
  visit: (battle: OrderedBattle) => void,
  options: EachBattleOptions = {},
): Promise<void> {
  check("eachBattle", paths, { wanted: "an array of paths", fits: Array.isArray });
  for (const path of paths) check("eachBattle, a path", path, someText);
  check("eachBattle, visit", visit, someFunction);
  checkOptions("eachBattle", options, {
    ...resultColumnKinds,
    skipLines: wholeFrom(0),
    period: someText,
    progress: someFunction,
    notice: someFunction,
  });
  const { period, progress: _, notice: __, ...columns } = options;
  const reader = battleReader(
    { ...columns, ...(period !== undefined && { by: period }) },
    ({ first, second, outcome, count, slice }, items, slices) =>
      visit({
        ...{ first: items[first]!, second: items[second]!, winner: WINNERS[outcome]!, count },
        ...(period !== undefined && { period: slices[slice]! }),
      }),
  );
  await readInto(reader, paths, options);
}
