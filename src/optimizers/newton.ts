/**
 * Newton's method with truncated conjugate gradients, preconditioned by the diagonal, and a line search that halves the step (Nocedal and
 * Wright, Numerical Optimization, algorithm 7.1). Second derivatives come from the problem, or else from differences of its gradient.
 * Stops when no entry of the gradient is above `tolerance`, or when rounding lets neither the cost nor the gradient become smaller.
 */
import { InputError } from "../input-error.ts";
import { type Fields, integer, part, real } from "../part.ts";
import type { Hessian, Optimizer } from "../types.ts";
import { finiteDifferenceHessian, maxAbs } from "./shared/finite-differences.ts";

/** Options of `newton`. */
export interface NewtonOptions {
  /** Maximum number of rounds. A whole number above 0. Default: 200. */
  readonly iterations: number;
  /** Stop when no entry of the gradient of the mean cost is above this. A number of at least 0. Default: 1e-13. */
  readonly tolerance: number;
}

const fields: Fields<NewtonOptions> = {
  iterations: integer(200, "maximum number of rounds"),
  tolerance: real(1e-13, "stop when no entry of the gradient of the mean cost is above this", { min: 0 }),
};

type State = { readonly round: number; readonly cost: number; readonly gradient: Float64Array };

const CERTAIN = 1e-7; // below this gradient, the next one decides about a step: differences of costs are mostly rounding
const ROUNDING = 1e-12; // so they are where a step promises no more than this share of the cost

/** Newton's method over all the data; `newton` on the command line. */
export const newton = part(
  "newton",
  "Newton's method over all the data",
  fields,
  ({ iterations, tolerance }, spec): Optimizer => ({
    id: "newton",
    spec,
    minimize(problem, params, _random, afterRound, checkpoint) {
      if (problem.gradient !== "exact")
        throw new InputError(
          `newton needs an exact gradient, and this objective's is ${problem.gradient}; choose adam, adagrad or sgd`,
        );
      const n = problem.size;
      const place = new Float64Array(n);
      const next = new Float64Array(n);
      const direction = new Float64Array(n);
      const restored = checkpoint?.restored as State | undefined;
      let gradient = restored ? restored.gradient.slice() : new Float64Array(n);
      let cost = restored ? restored.cost : problem.evaluate(params, gradient, 0);

      for (let round = 1 + (restored?.round ?? 0); round <= iterations; round++) {
        const size = maxAbs(gradient);
        if (size <= tolerance) return;
        conjugateGradients(
          problem.hessian ? problem.hessian(params) : finiteDifferenceHessian(problem, params),
          gradient,
          Math.min(0.1, Math.sqrt(size)),
          direction,
        );
        const slope = dot(gradient, direction);
        // A step that would carry a number far beyond the range of exp is shortened.
        let length = Math.min(1, 20 / maxAbs(direction));
        const rounding = size < CERTAIN || -slope < ROUNDING * Math.abs(cost);
        let found = false;
        for (let iteration = 0; iteration < 50 && !found; iteration++, length /= 2) {
          for (let i = 0; i < n; i++) place[i] = params[i]! + length * direction[i]!;
          const value = problem.evaluate(place, next, 0);
          found = value <= cost + 1e-4 * length * slope || (rounding && iteration === 0 && maxAbs(next) < 0.5 * size);
          if (found) cost = value;
          if (!found && rounding && (size < CERTAIN || iteration === 3)) return;
        }
        if (!found) return;
        params.set(place);
        gradient = next.slice();
        if (afterRound(round, cost) === "stop") return;
        if (round < iterations) checkpoint?.save((): State => ({ round, cost, gradient }));
      }
    },
  }),
);

/** Approximately minus the inverse of the second derivatives times the gradient; the negative gradient where the curvature is negative. */
function conjugateGradients({ diagonal, times }: Hessian, gradient: Float64Array, accuracy: number, into: Float64Array): void {
  const n = gradient.length;
  const scale = Float64Array.from(diagonal, (value) => (value > 1e-300 ? 1 / value : 1));
  const residual = gradient.map((value) => -value);
  const scaled = residual.map((value, i) => value * scale[i]!);
  const direction = scaled.slice();
  const product = new Float64Array(n);
  into.fill(0);
  let size = dot(residual, scaled);
  const enough = size * accuracy * accuracy;
  for (let iteration = 0; iteration < 2 * n + 10; iteration++) {
    times(direction, product);
    const curvature = dot(direction, product);
    if (!(curvature > 0)) {
      if (iteration === 0) into.set(direction);
      return;
    }
    const step = size / curvature;
    for (let i = 0; i < n; i++) {
      into[i] = into[i]! + step * direction[i]!;
      residual[i] = residual[i]! - step * product[i]!;
      scaled[i] = residual[i]! * scale[i]!;
    }
    const now = dot(residual, scaled);
    if (!(now > enough)) return;
    for (let i = 0; i < n; i++) direction[i] = scaled[i]! + (now / size) * direction[i]!;
    size = now;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
