/**
 * Where a feature's values are cut into bins: bin b holds the values above edge b - 1 and up to edge b, the last one all the rest.
 *
 * A feature with few different values has a bin for each. Otherwise bins hold about equal numbers of rows, except that a value with more
 * rows than that stands alone, as does zero, which in ranking data mostly means "absent" (after Ke et al., LightGBM, NIPS 2017). Edges lie
 * midway between neighboring values, so that unseen values fall where they are nearer.
 */
/** Edges for values in ascending order, none of them NaN; one fewer than the bins, of which there are `most` with `fewest` rows or more. */
export function findEdges(sorted: Float32Array, most: number, fewest: number): Float32Array {
  const { values, counts } = distinct(sorted);
  const single = new Uint8Array(values.length);
  let rest = sorted.length;
  let free = most;
  if (values.length > most) {
    const fraction = sorted.length / most;
    for (let v = 0; v < values.length; v++)
      if (counts[v]! >= fraction || (values[v] === 0 && counts[v]! >= fewest)) {
        single[v] = 1;
        rest -= counts[v]!;
        free--;
      }
  }
  const edges: number[] = [];
  let fraction = values.length > most ? rest / Math.max(1, free) : fewest;
  for (let v = 0, held = 0; v < values.length - 1 && edges.length < most - 1; v++) {
    held += counts[v]!;
    if (!single[v] && values.length > most) rest -= counts[v]!;
    if (!(single[v] || held >= fraction || (single[v + 1] && held >= Math.max(1, fraction / 2)))) continue;
    edges.push(between(values[v]!, values[v + 1]!));
    held = 0;
    if (single[v] || values.length <= most) continue;
    free--;
    fraction = rest / Math.max(1, free);
  }
  return Float32Array.from(edges);
}

/** A float32 that is at least the lower value and below the upper. */
function between(lower: number, upper: number): number {
  const middle = Math.fround(lower + (upper - lower) / 2);
  return middle < upper && middle >= lower ? middle : lower;
}

function distinct(sorted: Float32Array): { values: Float32Array; counts: Uint32Array } {
  const values = new Float32Array(sorted.length);
  const counts = new Uint32Array(sorted.length);
  let n = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (n === 0 || sorted[i] !== values[n - 1]) values[n++] = sorted[i]!;
    counts[n - 1]!++;
  }
  return { values: values.subarray(0, n), counts: counts.subarray(0, n) };
}

/** The most frequent values, ascending: the categories that get a bin each. Others count as missing. */
export function findCategories(sorted: Float32Array, most: number): Float32Array {
  const { values, counts } = distinct(sorted);
  const places = Array.from(values.keys()).sort((a, b) => counts[b]! - counts[a]! || a - b);
  return Float32Array.from(
    places.slice(0, most).sort((a, b) => a - b),
    (v) => values[v]!,
  );
}
