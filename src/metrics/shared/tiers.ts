/**
 * Probabilities of tiers under Plackett-Luce with the scores as log-worths: log P(the first items before all others), by the integral of
 * numeric/tier-cost.ts. Scores mean something here, not only their order, so every item must have one; `temperature` divides them.
 */
import { InputError } from "../../input-error.ts";
import { descending } from "../../numeric/order.ts";
import { DOUBLE, tierCost, tierLists } from "../../numeric/tier-cost.ts";
import { real } from "../../part.ts";

export const temperature = real(1, "what scores are divided by before they are log-worths", { above: 0 });
export const temperatureText = (value: number) => (value === 1 ? "scores as log-worths" : `scores / ${value} as log-worths`);

/** Items from the best label to the worst, and where each tier begins; the last entry is the number of items. */
export function tiersOf(labels: Float32Array): { readonly order: Uint32Array; readonly starts: readonly number[] } {
  const order = descending(labels);
  const starts: number[] = [];
  for (let p = 0; p < order.length; p++) if (p === 0 || labels[order[p]!] !== labels[order[p - 1]!]) starts.push(p);
  return { order, starts: [...starts, order.length] };
}

/** Makes a function that gives log P of items in this order of tiers: tier t holds places starts[t] to starts[t + 1] of `order`. */
export function logLikelihood(
  spec: string,
  divisor: number,
): (scores: Float64Array, order: Uint32Array, starts: readonly number[]) => number {
  const listFor = tierLists();
  return (scores, order, starts) => {
    const list = listFor(order.length);
    list.count = starts.length - 1;
    for (let t = 0; t < list.count; t++) list.weights[t] = 1;
    for (let t = 0; t < starts.length; t++) list.starts[t] = starts[t]!;
    for (let p = 0; p < order.length; p++) {
      const score = scores[order[p]!]!;
      if (!Number.isFinite(score))
        throw new InputError(
          `${spec} needs a score for every item, and an item of a list has ${score}, like an item missing from a run`,
        );
      list.scores[p] = score / divisor;
    }
    return -tierCost(list, DOUBLE, false);
  };
}
