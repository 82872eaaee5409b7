/**
 * Balanced 2-means of labels: a label is the direction of the sum of its documents, and labels are divided between two centroids by the
 * difference of their cosines, so many to the left and the others to the right (Prabhu et al. 2018, Parabel, section 3.1). Directions of
 * labels are never stored: the product of a centroid and a label is the sum of its products with the documents, over the label's length.
 */

import { below } from "../../numeric/random.ts";
import type { Random } from "../../types.ts";
import type { NodeRows } from "./node-rows.ts";

const MOST_ROUNDS = 20;
const LEAST_GAIN = 1e-4; // of the mean cosine of labels with their centroids, which lets another round follow

/** Divides labels, in place: `left` of them come first. Both parts are in ascending order. `lengths`: of the sum of a label's documents. */
export function bisect(node: NodeRows, labels: Uint32Array, left: number, lengths: Float64Array, draw: Random): void {
  const n = labels.length;
  node.gather(labels);
  const { starts, documents } = node.rows;
  const shares = new Float64Array(2 * node.count); // of each document in the two sums
  const products = new Float64Array(2 * node.count); // of each document with the two centroids
  const centroids = new Float64Array(2 * node.width);
  const cosines = new Float64Array(2 * n);
  const keys = new Float64Array(n);
  const order = Uint32Array.from(labels.keys());
  const give = (l: number, side: number) => {
    const label = labels[l]!;
    const share = lengths[label]! > 0 ? 1 / lengths[label]! : 0;
    for (let e = starts[label]!; e < starts[label + 1]!; e++) {
      const at = 2 * node.place[documents[e]!]! + side;
      shares[at] = shares[at]! + share;
    }
  };
  const first = below(draw, n);
  const second = (first + 1 + below(draw, n - 1)) % n;
  give(first, 0);
  give(second, 1);
  let before = -Infinity;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    sumRows(node, shares, centroids);
    toLengthOne(centroids);
    multiplyRows(node, centroids, products);
    for (let l = 0; l < n; l++) {
      const label = labels[l]!;
      let [a, b] = [0, 0];
      for (let e = starts[label]!; e < starts[label + 1]!; e++) {
        const at = 2 * node.place[documents[e]!]!;
        a += products[at]!;
        b += products[at + 1]!;
      }
      const share = lengths[label]! > 0 ? 1 / lengths[label]! : 0;
      cosines[2 * l] = a * share;
      cosines[2 * l + 1] = b * share;
      keys[l] = (a - b) * share;
    }
    select(order, keys, left);
    let now = 0;
    for (let i = 0; i < n; i++) now += cosines[2 * order[i]! + (i < left ? 0 : 1)]!;
    now /= n;
    if (now - before < LEAST_GAIN) break;
    before = now;
    shares.fill(0);
    for (let i = 0; i < n; i++) give(order[i]!, i < left ? 0 : 1);
  }
  const divided = Uint32Array.from(order, (l) => labels[l]!);
  labels.set(divided);
  labels.subarray(0, left).sort();
  labels.subarray(left).sort();
}

/** into = Σ share of each document × its row, for both sides at once. */
function sumRows(node: NodeRows, shares: Float64Array, into: Float64Array): void {
  const { count, begin, end, indices, values } = node.sparse;
  into.fill(0);
  for (let i = 0; i < count; i++) {
    const [a, b] = [shares[2 * i]!, shares[2 * i + 1]!];
    if (a === 0 && b === 0) continue;
    for (let e = begin[i]!; e < end[i]!; e++) {
      const at = 2 * indices[e]!;
      into[at] = into[at]! + a * values[e]!;
      into[at + 1] = into[at + 1]! + b * values[e]!;
    }
  }
}

/** Products of each row with both centroids. */
function multiplyRows(node: NodeRows, centroids: Float64Array, into: Float64Array): void {
  const { count, begin, end, indices, values } = node.sparse;
  for (let i = 0; i < count; i++) {
    let [a, b] = [0, 0];
    for (let e = begin[i]!; e < end[i]!; e++) {
      const at = 2 * indices[e]!;
      a += values[e]! * centroids[at]!;
      b += values[e]! * centroids[at + 1]!;
    }
    into[2 * i] = a;
    into[2 * i + 1] = b;
  }
}

function toLengthOne(centroids: Float64Array): void {
  let [a, b] = [0, 0];
  for (let at = 0; at < centroids.length; at += 2) {
    a += centroids[at]! * centroids[at]!;
    b += centroids[at + 1]! * centroids[at + 1]!;
  }
  const [left, right] = [a > 0 ? 1 / Math.sqrt(a) : 0, b > 0 ? 1 / Math.sqrt(b) : 0];
  for (let at = 0; at < centroids.length; at += 2) {
    centroids[at] = centroids[at]! * left;
    centroids[at + 1] = centroids[at + 1]! * right;
  }
}

/** Moves the `left` entries with the largest keys to the front, of equal keys those with lower numbers (Hoare's selection). */
export function select(order: Uint32Array, keys: Float64Array, left: number): void {
  const before = (a: number, b: number) => keys[a]! > keys[b]! || (keys[a]! === keys[b]! && a < b);
  let [low, high] = [0, order.length - 1];
  while (low < high) {
    const pivot = middleOf(order[low]!, order[(low + high) >> 1]!, order[high]!, before);
    let [i, j] = [low, high];
    while (i <= j) {
      while (before(order[i]!, pivot)) i++;
      while (before(pivot, order[j]!)) j--;
      if (i > j) break;
      const held = order[i]!;
      order[i++] = order[j]!;
      order[j--] = held;
    }
    if (left <= j + 1) high = j;
    else if (left > i) low = i;
    else return;
  }
}

function middleOf(a: number, b: number, c: number, before: (a: number, b: number) => boolean): number {
  if (before(a, b)) return before(b, c) ? b : before(a, c) ? c : a;
  return before(a, c) ? a : before(b, c) ? c : b;
}
