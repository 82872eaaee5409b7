/** Finds the tiers of a list, in memory that is not shared with other callers. */
import { type Tiers, tierSorter } from "../../numeric/tiers.ts";

const VIEWS = 1024;

/** Makes a function that finds tiers in memory of its own, overwritten by its next call; backward, the worst tier comes first. */
export function tierFinder(direction: "forward" | "backward" = "forward"): (labels: Float32Array) => Tiers {
  const sort = tierSorter(direction);
  const found: Tiers = { order: new Uint32Array(0), starts: new Uint32Array(0), count: 0 };
  const views: (Uint32Array | undefined)[] = []; // of the scratch, by length
  let scratch = found.order;

  return (labels) => {
    const n = labels.length;
    if (scratch.length < n) {
      scratch = new Uint32Array(2 * n);
      found.starts = new Uint32Array(2 * n + 1);
      views.length = 0;
    }
    const { order, starts, count } = sort(labels);
    // Making a view costs more than sorting a short list, so those are kept.
    if (n < VIEWS) found.order = views[n] ??= scratch.subarray(0, n);
    else found.order = scratch.subarray(0, n);
    for (let i = 0; i < n; i++) found.order[i] = order[i]!;
    for (let t = 0; t <= count; t++) found.starts[t] = starts[t]!;
    found.count = count;
    return found;
  };
}
