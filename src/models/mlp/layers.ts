/** The parameters of a network in shared memory: weights and biases of each layer, with their Adam state. */
import { random } from "../../numeric/random.ts";
import type { ParallelOps } from "../../teams/solo.ts";
import type { Team } from "../../types.ts";

/** Numbers that Adam moves, with its running means of their gradients and squared gradients. */
export interface AdamParams {
  readonly w: Float32Array;
  readonly m: Float32Array;
  readonly v: Float32Array;
}

/** y = x W + b. Weights of a hidden layer lie input after input, those of a layer of labels label after label. */
export interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: AdamParams;
  readonly biases: AdamParams;
}

/** Numbers in shared memory with their Adam state. */
export const adamParams = (team: ParallelOps, n: number): AdamParams => ({
  w: team.allocShared("f32", n),
  m: team.allocShared("f32", n),
  v: team.allocShared("f32", n),
});

const ROWS = 4096; // drawn by one visit

/** A layer of zeros. */
export const newLayer = (team: ParallelOps, inputs: number, outputs: number, biases = outputs): Layer => ({
  ...{ inputs, outputs },
  weights: adamParams(team, inputs * outputs),
  biases: adamParams(team, biases),
});

/**
 * Draws weights and biases evenly from -1/√inputs to 1/√inputs, as PyTorch's linear layers do, each row of numbers from a stream of its
 * own, and forgets what Adam knew.
 */
export function initialize(
  team: ParallelOps,
  { inputs, outputs, weights, biases }: Layer,
  width: number,
  seed: number,
  which: number,
): void {
  const bound = 1 / Math.sqrt(Math.max(1, inputs));
  const rows = (inputs * outputs) / width;
  team.parallelFor(Math.ceil(rows / ROWS), (block) => {
    for (let row = block * ROWS; row < Math.min(rows, (block + 1) * ROWS); row++) {
      const draw = random(seed, 0x1a7e, which, row);
      const to = (row + 1) * width;
      for (let i = row * width; i < to; i++) weights.w[i] = bound * (2 * draw() - 1);
      weights.m.fill(0, row * width, to);
      weights.v.fill(0, row * width, to);
    }
  });
  team.parallelFor(1, () => {
    const draw = random(seed, 0x1a7e, which, rows);
    for (let i = 0; i < outputs; i++) biases.w[i] = bound * (2 * draw() - 1);
    biases.m.fill(0);
    biases.v.fill(0);
  });
}

const CHECKED = 65_536; // weights by one visit

/** Whether all weights and biases are finite. A unit whose weights are not may pass 0 on, so the cost alone does not show it. */
export const finiteLayers = (team: Pick<Team, "sum">, layers: readonly Layer[]): boolean =>
  layers.every(({ outputs, weights, biases }) =>
    [weights.w, biases.w.subarray(0, outputs)].every((all) => {
      const [zero] = team.sum(Math.ceil(all.length / CHECKED), 1, (block, into) => {
        const part = all.subarray(block * CHECKED, (block + 1) * CHECKED);
        let sum = 0;
        for (let i = 0; i < part.length; i++) sum += 0 * part[i]!; // NaN for infinities, too
        into[0] = sum;
      });
      return zero === 0;
    }),
  );
