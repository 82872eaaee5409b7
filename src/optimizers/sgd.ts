/** Stochastic gradient descent: a step of fixed length along the gradient of each batch, with momentum if enabled. */
import { type Fields, part, real } from "../part.ts";
import { stepFields, stochastic } from "./shared/stochastic.ts";

/** Options of `sgd`. */
export interface SgdOptions {
  /** Learning rate. A number above 0 and of at most 1000. Default: 0.1. */
  readonly rate: number;
  /** Passes over the data. A whole number above 0. Default: 30. */
  readonly epochs: number;
  /** Lists per step. A whole number above 0. Default: 16. */
  readonly batch: number;
  /** Fraction of the last step to add. A number of at least 0 and below 1. Default: 0. */
  readonly momentum: number;
}

const fields: Fields<SgdOptions> = {
  ...stepFields(0.1),
  momentum: real(0, "fraction of the last step to add", { min: 0, below: 1 }),
};

/** Plain steps along the gradient of each batch; `sgd` on the command line. */
export const sgd = part("sgd", "plain steps along the gradient of each batch", fields, (options, spec) =>
  stochastic("sgd", spec, options, (size) => {
    const velocity = new Float64Array(size);
    return {
      memory: [velocity],
      move(params, gradient) {
        for (let i = 0; i < size; i++) {
          velocity[i] = options.momentum * velocity[i]! - options.rate * gradient[i]!;
          params[i] = params[i]! + velocity[i]!;
        }
      },
    };
  }),
);
