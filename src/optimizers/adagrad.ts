/** AdaGrad: each number's step shrinks with the squares of its own past gradients. Duchi, Hazan and Singer 2011. */
import { part } from "../part.ts";
import { stepFields, stochastic } from "./shared/stochastic.ts";

export const adagrad = part("adagrad", "steps scaled by each parameter's past gradients", stepFields(0.1), (options, spec) =>
  stochastic("adagrad", spec, options, (size) => {
    const square = new Float64Array(size);
    return (params, gradient) => {
      for (let i = 0; i < size; i++) {
        const g = gradient[i]!;
        const v = (square[i] = square[i]! + g * g);
        if (v > 0) params[i] = params[i]! - (options.rate * g) / (Math.sqrt(v) + 1e-10);
      }
    };
  }),
);
