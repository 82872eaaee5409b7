/** AdaGrad: each number's step shrinks with the squares of its own past gradients. Duchi, Hazan and Singer 2011. */
import { type Fields, part } from "../part.ts";
import { stepFields, stochastic } from "./shared/stochastic.ts";

/** Options of `adagrad`. */
export interface AdagradOptions {
  /** Learning rate. A number above 0 and of at most 1000. Default: 0.1. */
  readonly rate: number;
  /** Passes over the data. A whole number above 0. Default: 30. */
  readonly epochs: number;
  /** Lists per step. A whole number above 0. Default: 16. */
  readonly batch: number;
}

const fields: Fields<AdagradOptions> = stepFields(0.1);

/** Steps scaled by each parameter's past gradients; `adagrad` on the command line. */
export const adagrad = part("adagrad", "steps scaled by each parameter's past gradients", fields, (options, spec) =>
  stochastic("adagrad", spec, options, (size) => {
    const square = new Float64Array(size);
    return {
      memory: [square],
      move(params, gradient) {
        for (let i = 0; i < size; i++) {
          const g = gradient[i]!;
          const v = (square[i] = square[i]! + g * g);
          if (v > 0) params[i] = params[i]! - (options.rate * g) / (Math.sqrt(v) + 1e-10);
        }
      },
    };
  }),
);
