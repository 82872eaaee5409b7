/**
 * Multi-label lists as short ordinary lists, for metrics: the top labels of a model with their scores, and the relevant labels that are not
 * among them, which are not retrieved (score -Infinity). Metrics with a cutoff of at most k have the same values as on the whole label
 * space.
 */
import type { Dataset, LabelFrequency, TopItems } from "../types.ts";
import { requireLabelSpace } from "./multilabel-builder.ts";

export function topLists(
  data: Dataset,
  { k, items: best, scores: given }: TopItems,
  labelFrequency?: LabelFrequency,
): { data: Dataset; scores: Float64Array } {
  const { count, items } = requireLabelSpace(data, "topLists");
  const lists = data.starts.length - 1;
  const most = data.labels.length + lists * k;
  const starts = new Uint32Array(lists + 1);
  const [labels, found, scores] = [new Float32Array(most), new Uint32Array(most), new Float64Array(most)];
  const place = new Int32Array(count).fill(-1); // in the list at hand
  let at = 0;
  for (let q = 0; q < lists; q++) {
    for (let p = q * k; p < (q + 1) * k; p++) {
      place[best[p]!] = at;
      found[at] = best[p]!;
      scores[at++] = given[p]!;
    }
    for (let i = data.starts[q]!; i < data.starts[q + 1]!; i++) {
      const there = place[items[i]!]!;
      labels[there >= 0 ? there : at] = data.labels[i]!;
      if (there >= 0) continue;
      found[at] = items[i]!;
      scores[at++] = -Infinity;
    }
    for (let p = q * k; p < (q + 1) * k; p++) place[best[p]!] = -1;
    starts[q + 1] = at;
  }
  const { labelSpaceSize: _, itemWeights: __, ...rest } = data;
  const { features: ___, ...names } = data.names; // the lists have no features any more
  return {
    data: {
      ...rest,
      names,
      starts,
      labels: labels.slice(0, at),
      items: found.slice(0, at),
      features: { kind: "dense", rows: at, columns: 0, values: new Float32Array(0) },
      ...(labelFrequency && { labelFrequency }),
    },
    scores: scores.slice(0, at),
  };
}

/** In how many lists each item was judged above 0. */
export function labelFrequency(data: Dataset): LabelFrequency {
  const { count, items } = requireLabelSpace(data, "labelFrequency");
  const counts = new Uint32Array(count);
  for (let i = 0; i < items.length; i++) counts[items[i]!] = counts[items[i]!]! + 1;
  return { lists: data.starts.length - 1, counts };
}
