/** One score per item from several outputs. */
import { exp } from "../../numeric/functions.ts";
import type { OutputReduction } from "../../types.ts";

/** The mean of the fold's values under the softmax of each item's outputs; without a fold the outputs are the scores. */
export function reduceOutputs(outputs: Float64Array, reduction: OutputReduction | undefined, into: Float64Array): void {
  if (!reduction) {
    into.set(outputs);
    return;
  }
  const k = reduction.values.length;
  for (let i = 0; i < into.length; i++) {
    let top = -Infinity;
    for (let o = 0; o < k; o++) top = Math.max(top, outputs[i * k + o]!);
    let mass = 0;
    let sum = 0;
    for (let o = 0; o < k; o++) {
      const fraction = exp(outputs[i * k + o]! - top);
      mass += fraction;
      sum += fraction * reduction.values[o]!;
    }
    into[i] = sum / mass;
  }
}
