/** Pairs of items that scores order as labels do or the other way round, counted in n log n by merging (Knight 1966, https://doi.org/10.2307/2282833). */

/** Numbers of pairs. */
export interface PairOrder {
  /** In the same order by scores and labels, and in opposite ones. */
  readonly same: number;
  readonly opposite: number;
  readonly tiedScores: number;
  readonly tiedLabels: number;
}

/** Counts the pairs of items whose labels are `placed` by score, the highest first; groups of tied scores end at `ends`. The labels are left sorted. */
export function pairOrder(placed: Float32Array, ends: ArrayLike<number>): PairOrder {
  const n = placed.length;
  let tiedScores = 0;
  let tiedBoth = 0;
  for (let group = 0, from = 0; from < n; from = ends[group++]!) {
    const inside = placed.subarray(from, ends[group]!);
    if (inside.length === 1) continue;
    inside.sort().reverse(); // tied scores are then never counted as opposite
    tiedScores += pairs(inside.length);
    tiedBoth += equal(inside);
  }
  const opposite = inversions(placed);
  const tiedLabels = equal(placed);
  return { same: pairs(n) - tiedScores - tiedLabels + tiedBoth - opposite, opposite, tiedScores, tiedLabels };
}

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
