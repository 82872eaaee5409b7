/** Long tables of opinions, a row for each list (voter, race, judge), item and label, as ballots or with labels turned round. */
import { counted, thousands } from "../counted.ts";
import { InputError, quote } from "../input-error.ts";
import { shortText } from "../numeric/float32.ts";
import type { Dataset } from "../types.ts";
import { type AbsentItems, Ballots } from "./ballots.ts";
import { LAST } from "./label-words.ts";
import { repeatedRows } from "./repeated-rows.ts";
import { selectEntries } from "./subset.ts";

/**
 * The data with labels that are higher for better items where lower ones were better: the worst label of the list minus the label, and one more where
 * some label is below all others (LAST), which becomes 0. A missing label (NaN) stays one. Notices say which labels 32-bit floats no longer tell apart.
 */
export function lowerIsBetter(data: Dataset): { readonly data: Dataset; readonly notices: readonly string[] } {
  const labels = data.labels.slice();
  let lists = 0;
  let example = "";
  for (let list = 0; list + 1 < data.starts.length; list++) {
    const own = labels.subarray(data.starts[list]!, data.starts[list + 1]!);
    const worst = own.reduce((most, label) => (Number.isNaN(label) || label === LAST ? most : Math.max(label, most)), -Infinity);
    const lowest = own.includes(LAST) ? 1 : 0;
    const before = new Map<number, number>(); // a label by what becomes of it
    let tied = "";
    own.forEach((label, i) => {
      const turned = label === LAST ? 0 : Math.fround(worst - label + lowest);
      const other = before.get(turned);
      if (other === undefined) before.set(turned, label);
      else if (!Object.is(other, label) && other !== label) tied ||= `${shortText(other)} and ${shortText(label)}`;
      own[i] = turned;
    });
    if (tied === "") continue;
    lists++;
    example ||= `${tied} of list ${listName(data, list)}, whose worst is ${shortText(worst)}`;
  }
  const notice = `${counted(lists, "list")} with labels that tie because 32-bit floats do not tell them apart when they are subtracted from the worst label, such as ${example}; leave out the worst, or give labels of fewer digits`;
  return { data: { ...data, labels }, notices: lists > 0 ? [notice] : [] };
}

/** What becomes of the labels of an item that a list has several times. */
export type Duplicates = "refuse" | "first" | "last" | "mean";

/**
 * The data as ballots, a list each; `name` begins errors, and `absentItems` says what lists say about items that they omit. With `keepLists`, for data
 * to be scored, equal ballots are not merged, so that each keeps the name of its list.
 */
export function asBallots(
  name: string,
  data: Dataset,
  {
    absentItems,
    duplicates = "refuse",
    keepLists,
  }: { absentItems: AbsentItems; duplicates?: Duplicates | undefined; keepLists: boolean },
): { readonly data: Dataset; readonly notices: readonly string[] } {
  const { names, starts, labels } = data;
  if (!names.entries) throw new InputError(`${name}: ballots need a column that names the items; choose it with --item NAME`);
  const ballots = new Ballots(keepLists);
  const items = names.entries.map((entry, row) => {
    if (entry === "") throw new InputError(`${name}: an item of list ${listOf(data, row)} has no name`);
    return ballots.item(entry);
  });
  let repeated = 0;
  for (let list = 0; list + 1 < starts.length; list++) {
    const found = new Map<number, number[]>(); // labels by item
    for (let row = starts[list]!; row < starts[list + 1]!; row++) {
      const own = found.get(items[row]!);
      if (own) own.push(labels[row]!);
      else found.set(items[row]!, [labels[row]!]);
    }
    const chosen = new Map<number, number[]>(); // items by label
    for (const [item, own] of found) {
      const grade = own.length === 1 ? own[0]! : oneLabel(own, duplicates);
      if (grade === undefined)
        throw new InputError(
          `${name}: list ${listName(data, list)} has the item ${ballots.names[item]} twice with different labels, and a ballot has an item once; if several people judged, name their column too (--list race,judge), or add --duplicates first, last or mean`,
        );
      repeated += own.length - 1;
      const tier = chosen.get(grade);
      if (tier) tier.push(item);
      else chosen.set(grade, [item]);
    }
    const tiers = [...chosen].sort(([one], [other]) => other - one).map(([, tier]) => tier);
    ballots.add(tiers, data.listWeights?.[list] ?? 1);
  }
  const { unlabelled } = data;
  const made = ballots.finish(absentItems, names.lists, unlabelled ? 1 : 2);
  if (made.starts.length < 2) throw new InputError(`${name}: no list compares two items`);
  const notice = `${name}: ${starts.length - 1} ballots of ${ballots.names.length} items, a list each`;
  const rows = repeated === 1 ? "1 row repeats" : `${repeated} rows repeat`;
  return { data: { ...made, ...(unlabelled && { unlabelled }) }, notices: repeated === 0 ? [notice] : [notice, `${name}: ${rows} an item of a list (${duplicates === "refuse" ? "with the same label" : `--duplicates ${duplicates}`}), left out${duplicates === "refuse" ? "; if several people judged, name their column too (--list race,judge)" : ""}`] }; // biome-ignore format: one line
}

/** The label of an item from several; undefined where they differ and that is refused. */
function oneLabel(labels: readonly number[], duplicates: Duplicates): number | undefined {
  const [first] = labels;
  if (labels.every((label) => Object.is(label, first))) return first;
  if (duplicates === "refuse") return undefined;
  if (duplicates === "mean") return labels.reduce((sum, label) => sum + label, 0) / labels.length;
  return duplicates === "first" ? first : labels.at(-1);
}

const listName = ({ names }: Dataset, list: number) => names.lists?.[list] ?? String(list + 1);

const listOf = (data: Dataset, row: number) => {
  const { starts } = data;
  const list = starts.findIndex((start, q) => start <= row && row < starts[q + 1]!);
  return listName(data, list);
};

/**
 * The data with each item once in a list: the first or last of its rows, or the first with the mean label. `refuse` keeps all rows and only counts
 * them, because rows of one item may differ in their features.
 */
export function withoutDuplicates(
  data: Dataset,
  duplicates: Duplicates,
): { readonly data: Dataset; readonly notices: readonly string[] } {
  const { names, starts, labels } = data;
  if (!names.entries) return { data, notices: [] };
  let repeated = 0;
  let example = "";
  for (const { list, row } of repeatedRows(data)) {
    repeated++;
    example ||= `${quote(names.entries[row]!)} in list ${quote(listName(data, list))}`;
  }
  if (repeated === 0) return { data, notices: [] };
  const count = repeated === 1 ? "1 row repeats an item of its list" : `${thousands(repeated)} rows repeat items of their lists`;
  if (duplicates === "refuse")
    return {
      data,
      notices: [`${count}, such as ${example}; all are kept (--duplicates first, last or mean takes one row of each)`],
    };
  const rows: number[] = [];
  const bounds = [0];
  const means = new Map<number, number>(); // labels by row
  for (let list = 0; list + 1 < starts.length; list++) {
    const byItem = new Map<string, number[]>();
    for (let row = starts[list]!; row < starts[list + 1]!; row++) {
      const key = names.entries[row] || `\0${row}`; // rows without a name are items of their own
      const known = byItem.get(key);
      if (known) known.push(row);
      else byItem.set(key, [row]);
    }
    for (const all of byItem.values()) {
      rows.push(duplicates === "last" ? all.at(-1)! : all[0]!);
      if (duplicates === "mean" && all.length > 1)
        means.set(all[0]!, all.reduce((sum, row) => sum + labels[row]!, 0) / all.length);
    }
    bounds.push(rows.length);
  }
  rows.sort((a, b) => a - b);
  const lists = Array.from({ length: starts.length - 1 }, (_, list) => list);
  const kept = selectEntries(data, lists, Uint32Array.from(bounds), Uint32Array.from(rows));
  rows.forEach((row, at) => {
    if (means.has(row)) kept.labels[at] = means.get(row)!;
  });
  const features = duplicates === "mean" ? ", with the features of the first" : "";
  return { data: kept, notices: [`${count}, such as ${example}, left out (--duplicates ${duplicates}${features})`] };
}
