/** Sorts positions by value. Ties keep their order. */

/** Positions from the highest value to the lowest. */
export function descending(values: Float32Array | Float64Array): Uint32Array {
  const n = values.length;
  const places = new Uint32Array(n);
  for (let i = 0; i < n; i++) places[i] = i;
  if (n <= 40) {
    // Insertion is faster than the engine's sort with a comparator on short lists.
    for (let i = 1; i < n; i++) {
      const held = places[i]!;
      const value = values[held]!;
      let j = i - 1;
      for (; j >= 0 && values[places[j]!]! < value; j--) places[j + 1] = places[j]!;
      places[j + 1] = held;
    }
    return places;
  }
  return places.sort((a, b) => values[b]! - values[a]! || a - b);
}
