/** What is said of features that all items of a list share: alone they change no order. */
import { few, ignoring } from "./counted.ts";
import { sameInLists } from "./data/same-in-lists.ts";
import { widthOf } from "./data/table/encode.ts";
import type { InspectWarning } from "./inspect.ts";
import { columnName, columnsOf } from "./models/shared/columns.ts";
import type { Dataset, Learner } from "./types.ts";

/** The features by name, or their columns of the table where all features of one are among them. */
function namesOf(data: Dataset, found: readonly number[]): string[] {
  const columns = columnsOf(data);
  const { encoding } = data.names;
  if (!encoding) return found.map((c) => columnName(columns, c));
  const all = new Set(found);
  let at = 0;
  return encoding.flatMap((one) => {
    const own = Array.from({ length: widthOf(one) }, () => at++);
    return own.length > 0 && own.every((c) => all.has(c)) ? [one.name] : [];
  });
}

/** The features that differ between lists and not within them. */
const listFeatures = (data: Dataset) => namesOf(data, sameInLists(data));

export function sameInListsWarnings(data: Dataset): InspectWarning[] {
  const names = listFeatures(data);
  const [they, them] = names.length === 1 ? ["it changes", "it"] : ["they change", "them"];
  const text = `${few(names, "feature")} the same for all items of each list: alone, ${they} no order; trees and mlp can learn from ${them} together with other features, a weighted sum cannot`;
  return names.length > 0 ? [{ kind: "same in lists", names, text }] : [];
}

/** What is said before a training of features from which the learner cannot learn an order. */
export function uselessFeatures(learner: Learner, data: Dataset): string[] {
  const names = learner.additive && !data.shard ? listFeatures(data) : [];
  if (names.length === 0) return [];
  const [they, them] = names.length === 1 ? ["it changes", "it"] : ["they change", "them"];
  const option = data.names.features ? ` (--ignore ${ignoring(names)})` : "";
  return [
    `${few(names, "feature")} the same for all items of each list, so in a weighted sum (${learner.id}) ${they} no order; leave ${them} out${option}, or use trees or mlp`,
  ];
}
