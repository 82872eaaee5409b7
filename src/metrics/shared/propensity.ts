/**
 * Gains of items by how seldom they are relevant: what a relevant item is worth is q = 1 / propensity,
 *
 *   q_l = 1 + C (N_l + B)^-A,   C = (ln N - 1) (B + 1)^A
 *
 * N training lists, item l relevant in N_l of them. A 0.55 and B 1.5 by default; the Extreme Classification Repository takes 0.5 and 0.4
 * for WikiLSHTC-325K and Wikipedia-500K, and 0.6 and 2.6 for Amazon-670K and Amazon-3M. Jain, Prabhu and Varma 2016,
 * https://doi.org/10.1145/2939672.2939756
 */
import { InputError } from "../../input-error.ts";
import { exp, log } from "../../numeric/functions.ts";
import { real } from "../../part.ts";
import type { LabelFrequency } from "../../types.ts";

export const propensityFields = {
  a: real(0.55, "A of the propensities", { min: 0 }),
  b: real(1.5, "B of the propensities", { min: 0 }),
};

export interface PropensityOptions {
  readonly a: number;
  readonly b: number;
}

export const propensityText = ({ a, b }: PropensityOptions) => `propensities of the training labels with A ${a} and B ${b}`;

/** q for each relevant item, 0 for the others. */
export function inversePropensities(
  spec: string,
  labels: Float32Array,
  least: number,
  frequency: LabelFrequency | undefined,
  { a, b }: PropensityOptions,
): Float64Array {
  if (!frequency)
    throw new InputError(
      `${spec} needs to know how often items are relevant in the training data, which only multi-label models (mlp, leml, sleec, label-tree) store`,
    );
  const scale = (log(frequency.lists) - 1) * exp(a * log(b + 1));
  return Float64Array.from(labels, (label, i) => (label >= least ? 1 + scale * exp(-a * log(frequency.counts[i]! + b)) : 0));
}
