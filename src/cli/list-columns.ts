/** The columns that name a list where several do (`--list race,judge`): results have them by their own names again, so that they can be merged with other tables. */
import { joinedKey, splitKey } from "../formats/data/columns.ts";
import type { ReadOptions } from "../formats/data/read-options.ts";

/** Columns with the parts of the names of lists. */
export interface ListColumns {
  readonly names: readonly string[];
  /** What a list is called in each. */
  of(list: string): readonly string[];
}

/** The columns of lists that were read so; undefined where one column names them, or `taken` has a column of the same name. */
export function listColumns(
  { qid = "" }: Partial<ReadOptions>,
  lists: readonly string[] = [],
  taken: readonly string[] = [],
): ListColumns | undefined {
  const names = qid.split(",").map((name) => name.trim());
  const parts = new Map(lists.map((list) => [list, splitKey(list)]));
  const isJoined = ([list, own]: [string, readonly string[]]) => own.length === names.length && joinedKey(own) === list;
  if (names.length === 1 || lists.length === 0 || names.some((name) => taken.includes(name))) return undefined;
  return [...parts].every(isJoined) ? { names, of: (list) => parts.get(list)! } : undefined;
}

/** The parts of the name of a list by column, as members of an object. */
export const listMembers = (columns: ListColumns, list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(columns.of(list).map((part, c) => [columns.names[c]!, part]));
