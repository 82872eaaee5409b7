/** Rows of a list with equal features, and items that are in a list more than once. */
import { counted } from "./counted.ts";
import { column } from "./data/column.ts";
import { repeatedRows } from "./data/repeated-rows.ts";
import type { InspectWarning } from "./inspect.ts";
import type { Dataset } from "./types.ts";

/** The group of equal rows that each row belongs to, by the number of its first row, and what is said of groups with different labels. */
export interface DuplicateRows {
  readonly groups: Uint32Array;
  /** How many rows have the list, features, label and item of an earlier one. */
  readonly repeated: number;
  readonly warnings: readonly InspectWarning[];
}

/** Finds them by splitting groups of rows feature by feature; rows of different lists are never in one group. */
export function duplicatesOf(data: Dataset): DuplicateRows {
  const { starts, labels, features, names } = data;
  const groups = new Uint32Array(labels.length);
  for (let list = 0; list + 1 < starts.length; list++) groups.fill(starts[list]!, starts[list]!, starts[list + 1]!);
  for (let c = 0; c < features.columns; c++) split(groups, starts, column(features, c));
  const tiers = new Map<number, Set<number>>();
  groups.forEach((group, row) => {
    const found = tiers.get(group) ?? new Set();
    tiers.set(group, found.add(labels[row]!));
  });
  const mixed = groups.filter((group) => tiers.get(group)!.size > 1).length;
  const text = `${mixed} of ${labels.length} rows have the features of another row of their list and another label; no model of these features can tell them apart`;
  const seen = new Set<string>();
  groups.forEach((group, row) => void seen.add(`${group} ${labels[row]} ${names.entries?.[row] ?? ""}`));
  const repeated = labels.length - seen.size;
  // Without names, two items may happen to have the same features.
  const exact = names.entries?.some((name) => name !== "") && repeated > 0 ? [{ kind: "duplicates" as const, names: [], text: `${repeated} of ${labels.length} rows repeat the features, label and item of another row of their list; each counts once more` }] : []; // biome-ignore format: one line
  return { groups, repeated, warnings: [...(mixed > 0 ? [{ kind: "duplicates" as const, names: [], text }] : []), ...exact] };
}

/** Lists that have an item more than once. */
export function repeatedItems(data: Dataset): InspectWarning[] {
  const { entries = [], lists = [] } = data.names;
  const found = new Set<string>();
  let [rows, differing, example] = [0, 0, ""];
  for (const { list, row, differs } of repeatedRows(data)) {
    const name = lists[list] ?? String(list + 1);
    if (rows++ === 0) example = `${entries[row]} in list ${name}`;
    if (differs) differing++;
    found.add(name);
  }
  if (rows === 0) return [];
  const same = differing === 0 ? "with the same label" : "with another label";
  const which = rows === 1 ? same : `${differing === 0 ? "all" : differing} ${same}`;
  const text = `${counted(rows, "row")} ${rows === 1 ? "repeats" : "repeat"} an item of ${rows === 1 ? "its" : "their"} list, ${which}, such as ${example}; keep one row of each item, or name the lists more exactly (--list user,day)`;
  return [{ kind: "repeated items", names: [...found], text }];
}

/** Puts rows of a group with different values into different groups. */
function split(groups: Uint32Array, starts: Uint32Array, values: Float64Array): void {
  for (let list = 0; list + 1 < starts.length; list++) {
    const firsts = new Map<number, Map<number, number>>();
    for (let row = starts[list]!; row < starts[list + 1]!; row++) {
      const inside = firsts.get(groups[row]!) ?? new Map<number, number>();
      firsts.set(groups[row]!, inside);
      const first = inside.get(values[row]!) ?? row;
      inside.set(values[row]!, first);
      groups[row] = first;
    }
  }
}
