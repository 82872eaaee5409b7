/** What an objective says of one list, for tests. */
import { random } from "../src/numeric/random.ts";
import type { Objective, Random } from "../src/types.ts";

export interface Answer {
  readonly cost: number;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

export function answer(
  objective: Objective,
  scores: readonly number[],
  labels: readonly number[],
  { draw = random(1), weights }: { draw?: Random; weights?: readonly number[] } = {},
): Answer {
  const gradient = new Float64Array(scores.length);
  const hessian = new Float64Array(scores.length);
  const cost = objective.evaluate(
    Float64Array.from(scores),
    Float32Array.from(labels),
    { gradient, hessian },
    draw,
    weights && Float32Array.from(weights),
  );
  return { cost, gradient, hessian };
}

/** Two lists of numbers agree entry by entry. */
export function farthest(ours: ArrayLike<number>, theirs: ArrayLike<number>): number {
  let most = ours.length === theirs.length ? 0 : Infinity;
  for (let i = 0; i < ours.length; i++) most = Math.max(most, Math.abs(ours[i]! - theirs[i]!));
  return most;
}

/** Every order of the given things. */
export function permutations<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((first, i) => permutations(things.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}

/** Every subset of the given things but the empty one. */
export function subsets<T>(things: readonly T[]): T[][] {
  return Array.from({ length: 2 ** things.length - 1 }, (_, bits) => things.filter((_thing, i) => ((bits + 1) >> i) & 1));
}
