/** Sorts the items of a list into tiers by label, in plain TypeScript: the fallback for wasm/tiers.ts. */

const GRADES = 64;

/**
 * Fills order and starts from labels that are whole numbers below 64, and returns how many tiers there are, or -1 for other labels.
 * `places` is scratch of at least 64 numbers.
 */
export function sortGrades(
  labels: Float32Array,
  backward: boolean,
  order: Uint32Array,
  starts: Uint32Array,
  places: Uint32Array,
): number {
  const n = labels.length;
  places.fill(0, 0, GRADES);
  for (let i = 0; i < n; i++) {
    const label = labels[i]!;
    if (!(label >= 0 && label < GRADES && label === (label | 0))) return -1;
    places[label] = places[label]! + 1;
  }
  let count = 0;
  for (let g = 0, place = 0; g < GRADES; g++) {
    const grade = backward ? g : GRADES - 1 - g;
    const size = places[grade]!;
    if (size === 0) continue;
    places[grade] = starts[count++] = place;
    place += size;
  }
  starts[count] = n;
  for (let i = 0; i < n; i++) {
    const label = labels[i]!;
    order[places[label]!] = i;
    places[label] = places[label]! + 1;
  }
  return count;
}
