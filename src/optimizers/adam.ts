/** Adam: steps by running means of the gradient and its square. Kingma and Ba 2015, https://arxiv.org/abs/1412.6980 */
import { type Fields, part, real } from "../part.ts";
import { stepFields, stochastic } from "./shared/stochastic.ts";

/** Options of `adam`. */
export interface AdamOptions {
  /** Learning rate. A number above 0 and of at most 1000. Default: 0.01. */
  readonly rate: number;
  /** Passes over the data. A whole number above 0. Default: 30. */
  readonly epochs: number;
  /** Lists per step. A whole number above 0. Default: 16. */
  readonly batch: number;
  /** Decay rate of the mean gradient. A number of at least 0 and below 1. Default: 0.9. */
  readonly beta1: number;
  /** Decay rate of the mean squared gradient. A number of at least 0 and below 1. Default: 0.999. */
  readonly beta2: number;
  /** Added to the denominator for numerical stability. A number above 0. Default: 1e-8. */
  readonly epsilon: number;
}

const fields: Fields<AdamOptions> = {
  ...stepFields(0.01),
  beta1: real(0.9, "decay rate of the mean gradient", { min: 0, below: 1 }),
  beta2: real(0.999, "decay rate of the mean squared gradient", { min: 0, below: 1 }),
  epsilon: real(1e-8, "added to the denominator for numerical stability", { above: 0 }),
};

/** Adaptive steps by running moments of the gradient; `adam` on the command line. */
export const adam = part("adam", "adaptive steps by running moments of the gradient", fields, (options, spec) => {
  const { rate, beta1, beta2, epsilon } = options;
  return stochastic("adam", spec, options, (size) => {
    const mean = new Float64Array(size);
    const square = new Float64Array(size);
    const powers = Float64Array.of(1, 1); // the betas to the number of steps
    return {
      memory: [mean, square, powers],
      move(params, gradient) {
        const beta1Power = (powers[0]! *= beta1);
        const beta2Power = (powers[1]! *= beta2);
        for (let i = 0; i < size; i++) {
          const g = gradient[i]!;
          const m = (mean[i] = beta1 * mean[i]! + (1 - beta1) * g);
          const v = (square[i] = beta2 * square[i]! + (1 - beta2) * g * g);
          params[i] = params[i]! - (rate * (m / (1 - beta1Power))) / (Math.sqrt(v / (1 - beta2Power)) + epsilon);
        }
      },
    };
  });
});
