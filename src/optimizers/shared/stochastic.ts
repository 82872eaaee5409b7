/** Optimizers that step after each batch of lists: they differ only in how a gradient becomes a step. A round is one pass over the data. */
import { shuffle } from "../../numeric/random.ts";
import { real, whole } from "../../part.ts";
import type { Optimizer } from "../../types.ts";

/** Moves params against the gradient; `count` is the number of the step, from 1. */
export type Step = (params: Float64Array, gradient: Float64Array, count: number) => void;

interface Pace {
  readonly epochs: number;
  readonly batch: number;
}

export const pace = (rate: number) => ({
  rate: real(rate, "length of a step", { above: 0, most: 1000, aliases: ["learning-rate", "eta", "lr"] }),
  epochs: whole(30, "passes over the data"),
  batch: whole(16, "lists per step", { above: 0, aliases: ["batch-size"] }),
});

export function stochastic(id: string, text: string, { epochs, batch }: Pace, begin: (size: number) => Step): Optimizer {
  return {
    id,
    text,
    rounds: epochs,
    streams: true,
    minimise(problem, params, random, proceed) {
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
        if (proceed(round, cost / order.length) === "stop") return;
      }
    },
  };
}
