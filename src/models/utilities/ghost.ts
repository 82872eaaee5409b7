/**
 * A prior by pseudo-data: every item wins and loses `times` pairs against a ghost item, which is in no ballot and in no result. So all items
 * are connected, and utilities are drawn together a little. As in Turner et al. 2020, Modelling rankings in R, section 2.4 (`npseudo`).
 */
import type { Dataset } from "../../types.ts";

/** The data with the pairs added; the ghost's number is `items`. */
export function withGhost(data: Dataset, items: number, times: number): Dataset {
  const { starts, labels, listWeights, itemWeights } = data;
  const lists = starts.length - 1;
  const entries = labels.length;
  const grown = <A extends Uint32Array | Float32Array>(from: A, into: A) => {
    into.set(from);
    return into;
  };
  const more = {
    starts: grown(starts, new Uint32Array(lists + 2 * items + 1)),
    labels: grown(labels, new Float32Array(entries + 4 * items)),
    items: grown(data.items!, new Uint32Array(entries + 4 * items)),
    listWeights: new Float32Array(lists + 2 * items).fill(times),
  };
  more.listWeights.set(listWeights ?? new Float32Array(lists).fill(1));
  for (let i = 0; i < items; i++) {
    const at = entries + 4 * i;
    more.items.set([i, items, items, i], at);
    more.labels.set([1, 0, 1, 0], at);
    more.starts[lists + 2 * i + 1] = at + 2;
    more.starts[lists + 2 * i + 2] = at + 4;
  }
  const { lists: _, entries: __, ...names } = data.names;
  return {
    ...data,
    ...more,
    ...(itemWeights && { itemWeights: grown(itemWeights, new Float32Array(entries + 4 * items).fill(1)) }),
    features: { kind: "dense", rows: entries + 4 * items, columns: 0, values: new Float32Array(0) },
    names,
  };
}
