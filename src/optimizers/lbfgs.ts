/**
 * Limited-memory BFGS with a line search for the strong Wolfe conditions (Nocedal and Wright, Numerical Optimization, algorithms 7.4, 3.5
 * and 3.6). Stops when the cost improves by less than `tolerance` of itself, or the gradient is as good as zero.
 */
import { InputError } from "../input-error.ts";
import { type Fields, integer, part, real } from "../part.ts";
import type { Optimizer, Problem } from "../types.ts";

/** Options of `lbfgs`. */
export interface LbfgsOptions {
  /** Maximum number of rounds. A whole number above 0. Default: 100. */
  readonly iterations: number;
  /** Stop when the relative improvement of the cost is below this. A number of at least 0. Default: 0.00001. */
  readonly tolerance: number;
  /** Number of past steps to remember. A whole number above 0. Default: 10. */
  readonly memory: number;
}

const fields: Fields<LbfgsOptions> = {
  iterations: integer(100, "maximum number of rounds"),
  tolerance: real(1e-5, "stop when the relative improvement of the cost is below this", { min: 0 }),
  memory: integer(10, "number of past steps to remember"),
};

/** Limited-memory quasi-Newton's method over all the data; `lbfgs` on the command line. */
export const lbfgs = part(
  "lbfgs",
  "limited-memory quasi-Newton's method over all the data",
  fields,
  (options, spec): Optimizer => {
    const { iterations, tolerance, memory } = options;
    return {
      id: "lbfgs",
      spec,
      rounds: iterations,
      minimize(problem, params, _random, afterRound, checkpoint) {
        if (problem.gradient !== "exact")
          throw new InputError(
            `lbfgs needs an exact gradient, and this objective's is ${problem.gradient}; choose adam, adagrad or sgd`,
          );
        const n = problem.size;
        const search = lineSearch(problem);
        const restored = checkpoint?.restored as State | undefined;
        const history: Step[] = restored ? restored.history.map(copyStep) : [];
        const gradient = restored ? restored.gradient.slice() : new Float64Array(n);
        const direction = new Float64Array(n);
        let cost = restored ? restored.cost : problem.evaluate(params, gradient, 0);

        for (let round = 1 + (restored?.round ?? 0); round <= iterations; round++) {
          const size = norm(gradient);
          if (size < 1e-12) return;
          twoLoopRecursion(gradient, history, direction);
          let slope = dot(gradient, direction);
          if (!(slope < 0)) {
            // Rounding has spoilt the memory: fall back to the gradient itself.
            history.length = 0;
            for (let i = 0; i < n; i++) direction[i] = -gradient[i]!;
            slope = -size * size;
          }
          const first = history.length === 0 ? Math.min(1, 1 / size) : 1;
          const found = search(params, direction, cost, slope, first);
          if (!found) return;

          const step = Float64Array.from(direction, (value) => value * found.length);
          const gradientChange = Float64Array.from(found.gradient, (value, i) => value - gradient[i]!);
          const curvature = dot(step, gradientChange);
          if (curvature > 1e-300) {
            history.push({ step, gradientChange, curvature });
            if (history.length > memory) history.shift();
          }
          for (let i = 0; i < n; i++) params[i] = params[i]! + step[i]!;
          gradient.set(found.gradient);
          const improved = cost - found.cost;
          cost = found.cost;
          if (afterRound(round, cost) === "stop") return;
          if (improved <= tolerance * Math.max(Math.abs(cost), 1e-300)) return;
          if (round < iterations) checkpoint?.save((): State => ({ round, cost, gradient, history }));
        }
      },
    };
  },
);

type Step = {
  readonly step: Float64Array;
  readonly gradientChange: Float64Array;
  readonly curvature: number;
};

type State = {
  readonly round: number;
  readonly cost: number;
  readonly gradient: Float64Array;
  readonly history: readonly Step[];
};

const copyStep = ({ step, gradientChange, curvature }: Step): Step => ({
  step: step.slice(),
  gradientChange: gradientChange.slice(),
  curvature,
});

/** The two-loop recursion: minus the approximate inverse Hessian times the gradient. */
function twoLoopRecursion(gradient: Float64Array, history: readonly Step[], into: Float64Array) {
  const alphas = new Float64Array(history.length);
  for (let i = 0; i < into.length; i++) into[i] = -gradient[i]!;
  for (let h = history.length - 1; h >= 0; h--) {
    const { step, gradientChange, curvature } = history[h]!;
    alphas[h] = dot(step, into) / curvature;
    axpy(-alphas[h]!, gradientChange, into);
  }
  const last = history.at(-1);
  if (last) {
    const scale = last.curvature / dot(last.gradientChange, last.gradientChange);
    for (let i = 0; i < into.length; i++) into[i] = into[i]! * scale;
  }
  for (let h = 0; h < history.length; h++) {
    const { step, gradientChange, curvature } = history[h]!;
    axpy(alphas[h]! - dot(gradientChange, into) / curvature, step, into);
  }
}

interface Point {
  readonly length: number;
  readonly cost: number;
  readonly slope: number;
  readonly gradient: Float64Array;
}

const SUFFICIENT = 1e-4; // share of the promised decrease that must come
const FLAT = 0.9; // share of the first slope that may be left

function lineSearch(problem: Problem) {
  const place = new Float64Array(problem.size);

  return (params: Float64Array, direction: Float64Array, cost: number, slope: number, first: number): Point | undefined => {
    const at = (length: number): Point => {
      for (let i = 0; i < place.length; i++) place[i] = params[i]! + length * direction[i]!;
      const gradient = new Float64Array(problem.size);
      const value = problem.evaluate(place, gradient, 0);
      return { length, cost: value, slope: dot(gradient, direction), gradient };
    };
    const low = (point: Point) => point.cost <= cost + SUFFICIENT * point.length * slope;
    const flat = (point: Point) => Math.abs(point.slope) <= -FLAT * slope;

    // Narrows an interval whose `best` end is low and whose other end brackets a minimum.
    const zoom = (best: Point, other: Point): Point | undefined => {
      for (let iteration = 0; iteration < 30; iteration++) {
        const point = at(between(best, other));
        if (!low(point) || point.cost >= best.cost) other = point;
        else {
          if (flat(point)) return point;
          if (point.slope * (other.length - best.length) >= 0) other = best;
          best = point;
        }
        if (Math.abs(other.length - best.length) <= 1e-12 * Math.max(1, best.length)) break;
      }
      return best.length > 0 ? best : undefined;
    };

    let before: Point = { length: 0, cost, slope, gradient: new Float64Array(0) };
    let length = first;
    for (let iteration = 0; iteration < 30; iteration++) {
      const point = at(length);
      if (!(point.cost < Infinity)) {
        length = (before.length + length) / 2; // beyond what numbers hold: come back
        continue;
      }
      if (!low(point) || (iteration > 0 && point.cost >= before.cost)) return zoom(before, point);
      if (flat(point)) return point;
      if (point.slope >= 0) return zoom(point, before);
      before = point;
      length *= 2.5;
    }
    return before.length > 0 ? before : undefined;
  };
}

/** The minimum of the cubic through two points and their slopes, kept away from the ends. */
function between(a: Point, b: Point): number {
  const span = b.length - a.length;
  const d = a.slope + b.slope - (3 * (b.cost - a.cost)) / span;
  const square = d * d - a.slope * b.slope;
  const root = square > 0 ? Math.sign(span) * Math.sqrt(square) : Number.NaN;
  const fraction = 1 - (b.slope + root - d) / (b.slope - a.slope + 2 * root);
  return a.length + span * (fraction > 0.1 && fraction < 0.9 ? fraction : 0.5);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function axpy(scale: number, from: Float64Array, into: Float64Array) {
  for (let i = 0; i < into.length; i++) into[i] = into[i]! + scale * from[i]!;
}

const norm = (values: Float64Array) => Math.sqrt(dot(values, values));
