/**
 * What each feature adds to a score: Shapley values of the game in which a set of features is worth the score expected when the values of
 * the others are unknown, where an unknown value goes left or right as the training rows did. They sum to the score minus the expected
 * score. Lundberg, Erion, Lee 2018, https://arxiv.org/abs/1802.03888, their Algorithm 2: it walks every path of the tree once and keeps,
 * for each number of known features, the weight of all sets of that size.
 */
import { goesLeft, type Tree } from "./tree.ts";

/** Features along a path, with the share of rows that pass when each is unknown (zero) and known (one), and the weights of sets by size. */
interface Path {
  readonly feature: Int32Array;
  readonly zero: Float64Array;
  readonly one: Float64Array;
  readonly weight: Float64Array;
}

const newPath = (length: number): Path => ({
  feature: new Int32Array(length),
  zero: new Float64Array(length),
  one: new Float64Array(length),
  weight: new Float64Array(length),
});

/** The score expected of a tree when nothing is known. */
export function expected(tree: Tree, node = 0): number {
  if (tree.feature[node]! < 0) return tree.value[node]!;
  const [left, right] = [tree.left[node]!, tree.right[node]!];
  const fraction = fractionOf(tree, node, left);
  return fraction * expected(tree, left) + (1 - fraction) * expected(tree, right);
}

/** The fraction of a node's rows that went to a child; a half if there were none. */
const fractionOf = ({ items }: Tree, node: number, child: number) => (items[node]! > 0 ? items[child]! / items[node]! : 0.5);

/** Adds the values of one tree for the row that begins at values[at] to `into`, by feature. */
export function addShap(tree: Tree, values: Float32Array, at: number, into: Float64Array): void {
  walk(tree, 0, newPath(0), 0, -1, 1, 1, values, at, into);
}

function walk(
  tree: Tree,
  node: number,
  before: Path,
  depth: number, // length of the path before
  feature: number,
  zero: number,
  one: number,
  values: Float32Array,
  at: number,
  into: Float64Array,
): void {
  if (zero === 0 && one === 0) return; // no training row came here, and this row does not
  const path = newPath(depth + 1);
  for (const key of ["feature", "zero", "one", "weight"] as const) path[key].set(before[key].subarray(0, depth));
  extend(path, depth, zero, one, feature);
  let length = depth + 1;
  if (tree.feature[node]! < 0) {
    for (let i = 1; i < length; i++)
      into[path.feature[i]!]! += unwoundSum(path, length, i) * (path.one[i]! - path.zero[i]!) * tree.value[node]!;
    return;
  }
  const tested = tree.feature[node]!;
  const left = goesLeft(tree, node, values[at + tested]!);
  const [hot, cold] = left ? [tree.left[node]!, tree.right[node]!] : [tree.right[node]!, tree.left[node]!];
  let [innerZero, innerOne] = [1, 1];
  // A feature that was asked before is taken out of the path, and put back with both answers in one.
  for (let i = 1; i < length; i++)
    if (path.feature[i] === tested) {
      [innerZero, innerOne] = [path.zero[i]!, path.one[i]!];
      unwind(path, length--, i);
      break;
    }
  const fraction = fractionOf(tree, node, left ? hot : cold);
  const hotShare = left ? fraction : 1 - fraction;
  walk(tree, hot, path, length, tested, innerZero * hotShare, innerOne, values, at, into);
  walk(tree, cold, path, length, tested, innerZero * (1 - hotShare), 0, values, at, into);
}

function extend({ feature, zero, one, weight }: Path, depth: number, z: number, o: number, f: number): void {
  feature[depth] = f;
  zero[depth] = z;
  one[depth] = o;
  weight[depth] = depth === 0 ? 1 : 0;
  for (let i = depth - 1; i >= 0; i--) {
    weight[i + 1]! += (o * weight[i]! * (i + 1)) / (depth + 1);
    weight[i] = (z * weight[i]! * (depth - i)) / (depth + 1);
  }
}

function unwind({ feature, zero, one, weight }: Path, length: number, index: number): void {
  const [z, o] = [zero[index]!, one[index]!];
  const depth = length - 1;
  let next = weight[depth]!;
  for (let i = depth - 1; i >= 0; i--)
    if (o !== 0) {
      const held = weight[i]!;
      weight[i] = (next * length) / ((i + 1) * o);
      next = held - (weight[i]! * z * (depth - i)) / length;
    } else weight[i] = (weight[i]! * length) / (z * (depth - i));
  for (let i = index; i < depth; i++) {
    feature[i] = feature[i + 1]!;
    zero[i] = zero[i + 1]!;
    one[i] = one[i + 1]!;
  }
}

/** The sum of weights that unwinding one feature would leave. */
function unwoundSum({ zero, one, weight }: Path, length: number, index: number): number {
  const [z, o] = [zero[index]!, one[index]!];
  const depth = length - 1;
  let next = weight[depth]!;
  let sum = 0;
  for (let i = depth - 1; i >= 0; i--)
    if (o !== 0) {
      const part = (next * length) / ((i + 1) * o);
      sum += part;
      next = weight[i]! - (part * z * (depth - i)) / length;
    } else sum += (weight[i]! * length) / (z * (depth - i));
  return sum;
}
