/**
 * Kendall's rank correlation between scores and labels, tau-b: with C pairs in the same order, D in opposite orders,
 *
 *   tau-b = (C - D) / sqrt((pairs - pairs tied in scores) (pairs - pairs tied in labels))
 *
 * Kendall 1945, https://doi.org/10.1093/biomet/33.3.239; counted in n log n by merging (Knight 1966, https://doi.org/10.2307/2282833).
 * Scores that are all tied order nothing: 0. Labels that are all tied leave nothing to order: the metric is undefined.
 */
import { metricPart } from "./shared/metric-part.ts";

/** Kendall's rank correlation tau-b of scores and labels; `kendall` on the command line. */
export const kendall = metricPart(
  "kendall",
  "Kendall's rank correlation tau-b of scores and labels",
  {},
  () => ({
    description: "Kendall's tau-b",
    requires: "two different labels",
    tieRule: "pairs of tied scores count as tau-b defines",
    value({ order, ends }, labels) {
      const n = labels.length;
      const placed = Float32Array.from(order, (item) => labels[item]!);
      let sameScore = 0;
      let sameBoth = 0;
      for (let group = 0, from = 0; from < n; from = ends[group++]!) {
        const inside = placed.subarray(from, ends[group]!);
        if (inside.length === 1) continue;
        inside.sort().reverse(); // tied scores are then never counted as opposite
        sameScore += pairs(inside.length);
        sameBoth += equal(inside);
      }
      const opposite = inversions(placed); // leaves the labels sorted
      const sameLabel = equal(placed);
      if (sameLabel === pairs(n)) return Number.NaN;
      if (sameScore === pairs(n)) return 0;
      const same = pairs(n) - sameScore - sameLabel + sameBoth - opposite;
      const tau = (same - opposite) / Math.sqrt((pairs(n) - sameScore) * (pairs(n) - sameLabel));
      return Math.max(-1, Math.min(1, tau));
    },
  }),
  ["tau", "tau-b", "kendall-tau"],
);

const pairs = (n: number) => (n * (n - 1)) / 2;

/** Pairs of equal values in a sorted row. */
function equal(sorted: Float32Array): number {
  let count = 0;
  for (let i = 1, run = 0; i < sorted.length; i++) {
    run = sorted[i] === sorted[i - 1] ? run + 1 : 0;
    count += run;
  }
  return count;
}

/** Pairs whose later value is the greater, counted while merging the row into descending order. */
function inversions(values: Float32Array): number {
  const n = values.length;
  let count = 0;
  let from: Float32Array = values;
  let into: Float32Array = new Float32Array(n);
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const middle = Math.min(start + width, n);
      const end = Math.min(start + 2 * width, n);
      for (let left = start, right = middle, place = start; place < end; place++) {
        if (left < middle && (right === end || from[left]! >= from[right]!)) into[place] = from[left++]!;
        else {
          into[place] = from[right++]!;
          count += middle - left;
        }
      }
    }
    [from, into] = [into, from];
  }
  if (from !== values) values.set(from);
  return count;
}
