/** Prefix sums under point updates, each in O(log n) time. Fenwick 1994. Two numbers per place. */
import { scratch } from "./scratch.ts";

export interface PrefixSums {
  /** Forgets all and makes places 1 to n. */
  clear(n: number): void;
  add(place: number, first: number, second: number): void;
  /** Sum of the first numbers at places 1 to `place`. */
  first(place: number): number;
  second(place: number): number;
  allSecond(): number;
}

export function prefixSums(): PrefixSums {
  const [firsts, seconds] = [scratch(), scratch()];
  let [a, b, n, total] = [firsts(0), seconds(0), 0, 0];
  const sum = (tree: Float64Array, place: number) => {
    let value = 0;
    for (let p = place; p > 0; p -= p & -p) value += tree[p]!;
    return value;
  };
  return {
    clear(size) {
      n = size;
      total = 0;
      a = firsts(n + 1).fill(0, 0, n + 1);
      b = seconds(n + 1).fill(0, 0, n + 1);
    },
    add(place, first, second) {
      total += second;
      for (let p = place; p <= n; p += p & -p) {
        a[p] = a[p]! + first;
        b[p] = b[p]! + second;
      }
    },
    first: (place) => sum(a, place),
    second: (place) => sum(b, place),
    allSecond: () => total,
  };
}
