/** Mini-batch optimizers, which differ only in how a gradient becomes a step. A round is one epoch. */
import { shuffle } from "../../numeric/random.ts";
import { integer, real } from "../../part.ts";
import type { Optimizer } from "../../types.ts";

/** Turns gradients into steps. */
export interface Stepper {
  /** Moves params against the gradient. */
  move(params: Float64Array, gradient: Float64Array): void;
  /** Everything that it remembers from step to step, such as running means. */
  readonly memory: readonly Float64Array[];
}

type State = { readonly round: number; readonly count: number; readonly memory: readonly Float64Array[] };

interface StepOptions {
  readonly epochs: number;
  readonly batch: number;
}

export const stepFields = (rate: number) => ({
  rate: real(rate, "learning rate", { above: 0, max: 1000, aliases: ["learning-rate", "eta", "lr"] }),
  epochs: integer(30, "passes over the data"),
  batch: integer(16, "lists per step", { above: 0, aliases: ["batch-size"] }),
});

export function stochastic(
  id: string,
  spec: string,
  { epochs, batch }: StepOptions,
  begin: (size: number) => Stepper,
): Optimizer {
  return {
    id,
    spec,
    rounds: epochs,
    stochastic: true,
    minimize(problem, params, random, afterRound, checkpoint) {
      const gradient = new Float64Array(problem.size);
      const order = Uint32Array.from({ length: problem.lists }, (_, i) => i);
      const { move, memory } = begin(problem.size);
      const restored = checkpoint?.restored as State | undefined;
      restored?.memory.forEach((values, i) => void memory[i]!.set(values));
      for (let round = 1; round <= (restored?.round ?? 0); round++) shuffle(order, random); // each order follows from the one before
      let count = restored?.count ?? 0;
      for (let round = 1 + (restored?.round ?? 0); round <= epochs; round++) {
        shuffle(order, random);
        let cost = 0;
        for (let from = 0; from < order.length; from += batch) {
          const lists = order.subarray(from, Math.min(order.length, from + batch));
          cost += problem.evaluate(params, gradient, ++count, lists) * lists.length;
          move(params, gradient);
        }
        if (afterRound(round, cost / order.length) === "stop") return;
        if (round < epochs) checkpoint?.save((): State => ({ round, count, memory }));
      }
    },
  };
}
