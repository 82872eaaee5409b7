/** Stochastic gradient descent: a step of fixed length along the gradient of each batch, with momentum if asked for. */
import { part, real } from "../part.ts";
import { stepFields, stochastic } from "./shared/stochastic.ts";

const fields = { ...stepFields(0.1), momentum: real(0, "fraction of the last step to add", { min: 0, below: 1 }) };

export const sgd = part("sgd", "plain steps along the gradient of each batch", fields, (options, spec) =>
  stochastic("sgd", spec, options, (size) => {
    const velocity = new Float64Array(size);
    return (params, gradient) => {
      for (let i = 0; i < size; i++) {
        velocity[i] = options.momentum * velocity[i]! - options.rate * gradient[i]!;
        params[i] = params[i]! + velocity[i]!;
      }
    };
  }),
);
