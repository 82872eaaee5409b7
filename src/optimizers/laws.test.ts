/** Every optimizer finds the minimum of three known functions, stops when told to, and repeats itself. */
import { describe, expect, it } from "vitest";
import { exp, log1p } from "../numeric/functions.ts";
import { random } from "../numeric/random.ts";
import type { Problem } from "../types.ts";
import { optimizer } from "./index.ts";

type Slope = (x: Float64Array, into: Float64Array) => number;

const problem = (size: number, evaluate: Slope): Problem => ({
  size,
  gradient: "exact",
  lists: 1,
  evaluate: (x, into) => evaluate(x, into),
});

/** Σ i (x_i - i)², an ellipse with its minimum at (1, 2, 3, 4). */
const ellipse = problem(4, (x, into) =>
  x.reduce((sum, value, i) => {
    into[i] = 2 * (i + 1) * (value - i - 1);
    return sum + (i + 1) * (value - i - 1) ** 2;
  }, 0),
);

/** Three coin tosses, two of them heads: -2 log p - log (1 - p) with p logistic in x, least at x = log 2. */
const coin = problem(1, ([x], into) => {
  const p = 1 / (1 + exp(-x!));
  into[0] = 3 * p - 2;
  return 2 * log1p(exp(-x!)) + log1p(exp(x!));
});

/** Rosenbrock's valley, (1 - x)² + 10 (y - x²)², least at (1, 1). */
const valley = problem(2, ([x, y], into) => {
  into[0] = -2 * (1 - x!) - 40 * x! * (y! - x! * x!);
  into[1] = 20 * (y! - x! * x!);
  return (1 - x!) ** 2 + 10 * (y! - x! * x!) ** 2;
});

const known: readonly [string, Problem, number[]][] = [
  ["an ellipse", ellipse, [1, 2, 3, 4]],
  ["a coin", coin, [Math.LN2]],
  ["a valley", valley, [1, 1]],
];

describe.each([
  "auto",
  "lbfgs:tolerance=0",
  "newton",
  "adam:rate=0.05,epochs=6000",
  "adagrad:rate=0.5,epochs=20000",
  "sgd:rate=0.02,momentum=0.5,epochs=8000",
])("%s", (text) => {
  const chosen = optimizer(text);
  it.each(known)("finds the minimum of %s", (_, given, wanted) => {
    const params = new Float64Array(given.size);
    chosen.minimize(given, params, random(1), () => "continue");
    const near = text === "auto" ? 0.05 : 1e-3; // auto stops at the paper's loose tolerance
    params.forEach((value, i) => {
      expect(Math.abs(value - wanted[i]!)).toBeLessThan(near);
    });
  });
  it("stops when told to, and the same start gives the same numbers", () => {
    const runs = [0, 1].map(() => {
      const params = new Float64Array(2);
      const rounds: number[] = [];
      chosen.minimize(valley, params, random(1), (round) => {
        rounds.push(round);
        return round === 3 ? "stop" : "continue";
      });
      return { params, rounds };
    });
    expect(runs[0]!.rounds).toEqual([1, 2, 3]);
    expect(runs[1]).toEqual(runs[0]);
  });
});

it("lbfgs refuses a sampled gradient and names the way out", () => {
  expect(() =>
    optimizer("lbfgs").minimize({ ...coin, gradient: "sampled" }, new Float64Array(1), random(1), () => "continue"),
  ).toThrow(/needs an exact gradient.*adam/);
});
