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

/** The data as ballots, a list each; `name` begins errors, and `absentItems` says what lists say about items that they omit. */
export function asBallots(
  name: string,
  data: Dataset,
  absentItems: AbsentItems,
): { readonly data: Dataset; readonly notice: string } {
  const { names, starts, labels } = data;
  if (!names.entries) throw new InputError(`${name}: ballots need a column that names the items; choose it with --item NAME`);
  const ballots = new Ballots();
  const items = names.entries.map((entry, row) => {
    if (entry === "") throw new InputError(`${name}: an item of list ${listOf(data, row)} has no name`);
    return ballots.item(entry);
  });
  for (let list = 0; list + 1 < starts.length; list++) {
    const rows = Array.from({ length: starts[list + 1]! - starts[list]! }, (_, i) => starts[list]! + i);
    const grades = [...new Set(rows.map((row) => labels[row]!))].sort((a, b) => b - a);
    const tiers = grades.map((grade) => rows.filter((row) => labels[row] === grade).map((row) => items[row]!));
    const twice = ballots.add(tiers, data.listWeights?.[list] ?? 1);
    if (twice >= 0)
      throw new InputError(
        `${name}: list ${names.lists?.[list] ?? list + 1} has the item ${ballots.names[twice]} twice, and a ballot has an item once`,
      );
  }
  const made = ballots.finish(absentItems);
  if (made.starts.length < 2) throw new InputError(`${name}: no list compares two items`);
  return { data: made, notice: `${name}: ${starts.length - 1} ballots of ${ballots.names.length} items, a list each` };
}

const listOf = ({ starts, names }: Dataset, row: number) => {
  const list = starts.findIndex((start, q) => start <= row && row < starts[q + 1]!);
  return names.lists?.[list] ?? String(list + 1);
};
