/** Long tables of opinions, a row for each list (voter, race, judge), item and label, as ballots or with labels turned round. */
import { InputError } from "../input-error.ts";
import type { Dataset } from "../types.ts";
import { type AbsentItems, Ballots } from "./ballots.ts";

/** The data with labels that are higher for better items where lower ones were better: the worst label of the list minus the label. A missing label (NaN) stays one. */
export function lowerIsBetter(data: Dataset): Dataset {
  const labels = data.labels.slice();
  for (let list = 0; list + 1 < data.starts.length; list++) {
    const own = labels.subarray(data.starts[list]!, data.starts[list + 1]!);
    const worst = own.reduce((most, label) => (Number.isNaN(label) ? most : Math.max(label, most)), -Infinity);
    own.forEach((label, i) => {
      own[i] = worst - label;
    });
  }
  return { ...data, labels };
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
          `${name}: list ${names.lists?.[list] ?? list + 1} has the item ${ballots.names[item]} twice with different labels, and a ballot has an item once; add --duplicates first, last or mean`,
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
  return { data: { ...made, ...(unlabelled && { unlabelled }) }, notices: repeated === 0 ? [notice] : [notice, `${name}: ${rows} an item of a list (${duplicates === "refuse" ? "with the same label" : `--duplicates ${duplicates}`}), left out`] }; // biome-ignore format: one line
}

/** The label of an item from several; undefined where they differ and that is refused. */
function oneLabel(labels: readonly number[], duplicates: Duplicates): number | undefined {
  const [first] = labels;
  if (labels.every((label) => Object.is(label, first))) return first;
  if (duplicates === "refuse") return undefined;
  if (duplicates === "mean") return labels.reduce((sum, label) => sum + label, 0) / labels.length;
  return duplicates === "first" ? first : labels.at(-1);
}

const listOf = ({ starts, names }: Dataset, row: number) => {
  const list = starts.findIndex((start, q) => start <= row && row < starts[q + 1]!);
  return names.lists?.[list] ?? String(list + 1);
};
