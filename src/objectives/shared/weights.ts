/** Weights where one term of the cost concerns several items: it counts with the mean of theirs. */

/** Of the whole list. */
export function meanWeight(weights: Float32Array | undefined, n: number): number {
  if (!weights) return 1;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += weights[i]!;
  return sum / n;
}

/** Of the items at places from to to. */
export function tierWeight(weights: Float32Array | undefined, order: Uint32Array, from: number, to: number): number {
  if (!weights) return 1;
  let sum = 0;
  for (let p = from; p < to; p++) sum += weights[order[p]!]!;
  return sum / (to - from);
}
