/** The columns of a table of battles that hold the two items and the result: by their usual names, or as options name them. */
import { InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import { isPairs } from "./pairs.ts";

/** Names of the columns of items and results, where they are not the usual ones. */
export interface ResultColumnOptions {
  /** Column of the first item. Default: model_a. */
  readonly first?: string;
  /** Column of the second item. Default: model_b. */
  readonly second?: string;
  /** Column of the winner; beside columns of a first and a second item, it says which of them won, or that it is a tie. Default: winner. */
  readonly winner?: string;
  /** Column of the loser, where that of the winner has the other item. Default: loser. */
  readonly loser?: string;
  /** Column that says whether a battle of a winner and a loser is a tie. Default: tie, where there is one. */
  readonly tie?: string;
  /** Column of how many such battles there were. Default: count, where there is one. */
  readonly count?: string;
}

/** All of them. */
export const RESULT_COLUMNS = ["first", "second", "winner", "loser", "tie", "count"] as const satisfies readonly (keyof ResultColumnOptions)[]; // biome-ignore format: one line

/** Columns by number; -1 where there is none. */
export interface ResultPlaces {
  readonly first: number;
  readonly second: number;
  /** Of a word for who won; -1 where the first item is the winner. */
  readonly winner: number;
  readonly tie: number;
  readonly count: number;
}

/** Refuses names of columns that belong to different forms of tables. */
export function checkResultColumns({ first, second, loser, tie }: ResultColumnOptions): void {
  const item = first !== undefined ? "first" : second !== undefined ? "second" : undefined;
  const other = loser !== undefined ? "loser" : tie !== undefined ? "tie" : undefined;
  if (item && other)
    throw new InputError(
      `--${item} is for tables whose column --winner says which of two items won, and --${other} for tables of a winner and a loser; leave one out`,
    );
}

/** Finds the columns among names in lower case; `fail` is told what is wrong. */
export function resultPlaces(
  names: readonly string[],
  options: ResultColumnOptions,
  fail: (text: string) => never,
): ResultPlaces {
  const { first, second, winner = "winner", loser } = options;
  const at = (name: string) => names.lastIndexOf(name.toLowerCase());
  const isArena = first !== undefined || second !== undefined || (loser === undefined && at("model_a") >= 0);
  const items = isArena ? [first ?? "model_a", second ?? "model_b", winner] : [winner, loser ?? "loser"];
  const isNamed = [first, second, options.winner, loser].some((name) => name !== undefined);
  if (!isNamed && !isPairs(names))
    fail(
      `expected the columns winner and loser, or model_a, model_b and winner, got ${quote(names.join(", "))}; name them with --first, --second and --winner, or with --winner and --loser`,
    );
  const given = [options.tie, options.count].filter((name) => name !== undefined);
  const lacking = [...items, ...given].find((name) => at(name) < 0);
  if (lacking !== undefined)
    fail(`there is no column ${quote(lacking)}${optionOf(lacking, options)}; ${suggest(lacking, names)}`);
  const all = [...items, ...given].map(at);
  const double = all.find((column, i) => all.indexOf(column) < i);
  if (double !== undefined) fail(`the column ${quote(names[double]!)} cannot be two things at once`);
  const [a, b, result = -1] = items.map(at);
  return {
    first: a!,
    second: b!,
    winner: result,
    tie: isArena ? -1 : at(options.tie ?? "tie"),
    count: at(options.count ?? "count"),
  };
}

/** The option that names a column, or that would name another. */
function optionOf(name: string, options: ResultColumnOptions): string {
  const usual = { model_a: "first", model_b: "second", winner: "winner", loser: "loser" } as Readonly<Record<string, string>>;
  const option = RESULT_COLUMNS.find((key) => options[key] === name);
  return option ? ` (--${option})` : `, which --${usual[name]} names otherwise`;
}

/** The names of the columns, if they are all there. */
export function resultColumns(columns: readonly string[], options: ResultColumnOptions): readonly string[] | undefined {
  const names = columns.map((name) => name.trim().toLowerCase());
  try {
    const { first, second, winner, tie, count } = resultPlaces(names, options, () => {
      throw new NoBattles();
    });
    return [first, second, winner, tie, count].flatMap((column) => columns[column] ?? []);
  } catch (error) {
    if (error instanceof NoBattles) return undefined;
    throw error;
  }
}

class NoBattles extends Error {}
