/** Mini-batch optimizers, which differ only in how a gradient becomes a step. A round is one epoch. */
import { shuffle } from "../../numeric/random.ts";
import { integer, real } from "../../part.ts";
import type { Optimizer } from "../../types.ts";

/** Moves params against the gradient; `count` is the number of the step, from 1. */
export type Step = (params: Float64Array, gradient: Float64Array, count: number) => void;

interface StepOptions {
  readonly epochs: number;
  readonly batch: number;
}

export const stepFields = (rate: number) => ({
  rate: real(rate, "learning rate", { above: 0, max: 1000, aliases: ["learning-rate", "eta", "lr"] }),
  epochs: integer(30, "passes over the data"),
  batch: integer(16, "lists per step", { above: 0, aliases: ["batch-size"] }),
});

export function stochastic(id: string, spec: string, { epochs, batch }: StepOptions, begin: (size: number) => Step): Optimizer {
  return {
    id,
    spec,
    rounds: epochs,
    stochastic: true,
    minimize(problem, params, random, afterRound) {
      const gradient = new Float64Array(problem.size);
      const order = Uint32Array.from({ length: problem.lists }, (_, i) => i);
      const step = begin(problem.size);
      let count = 0;
      for (let round = 1; round <= epochs; round++) {
        shuffle(order, random);
        let cost = 0;
        for (let from = 0; from < order.length; from += batch) {
          const lists = order.subarray(from, Math.min(order.length, from + batch));
          cost += problem.evaluate(params, gradient, ++count, lists) * lists.length;
          step(params, gradient, count);
        }
        if (afterRound(round, cost / order.length) === "stop") return;
      }
    },
  };
}
