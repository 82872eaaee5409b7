/** Reorders labels, weights and names so that the rows of each list are contiguous. */

/** Where each row goes when lists begin at `starts`; rows of a list keep their order. */
export function places(listOf: Uint32Array, starts: Uint32Array): Uint32Array {
  const next = starts.slice();
  return listOf.map((list) => next[list]!++);
}

/** The values by place: a copy, in the same order where there are no places. */
export function moved(values: Float32Array, place: Uint32Array | undefined): Float32Array {
  if (!place) return values.slice();
  const into = new Float32Array(values.length);
  for (let row = 0; row < place.length; row++) into[place[row]!] = values[row]!;
  return into;
}

/** The texts by place. */
export function movedTexts(values: readonly string[], place: Uint32Array): string[] {
  const into = new Array<string>(values.length);
  for (let row = 0; row < place.length; row++) into[place[row]!] = values[row]!;
  return into;
}

/** The weights, and 1 for the rows or lists after them. */
export function padded(weights: Float32Array, size: number): Float32Array {
  if (weights.length === size) return weights;
  const into = new Float32Array(size).fill(1);
  into.set(weights);
  return into;
}

/** The weight of each list if no list has rows of different weights. */
export function listWeightsOf(weights: Float32Array, starts: Uint32Array): Float32Array | undefined {
  const found = new Float32Array(starts.length - 1);
  for (let list = 0; list < found.length; list++) {
    found[list] = weights[starts[list]!]!;
    for (let i = starts[list]! + 1; i < starts[list + 1]!; i++) if (weights[i] !== found[list]) return undefined;
  }
  return found;
}
