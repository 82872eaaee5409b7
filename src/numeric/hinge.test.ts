import { expect, it } from "vitest";
import type { Random } from "../types.ts";
import { withHeap } from "./heap.ts";
import { type HingeState, rowProduct, type SparseRows, solveHinge } from "./hinge.ts";
import * as plain from "./plain/hinge.ts";
import { below, random } from "./random.ts";

interface Problem {
  readonly rows: SparseRows;
  readonly state: HingeState;
  readonly dense: readonly (readonly number[])[];
}

type Make = { u32(n: number): Uint32Array; f32(n: number): Float32Array; f64(n: number): Float64Array; i8(n: number): Int8Array };

const ordinary: Make = {
  u32: (n) => new Uint32Array(n),
  f32: (n) => new Float32Array(n),
  f64: (n) => new Float64Array(n),
  i8: (n) => new Int8Array(n),
};

/** Random rows of random lengths, some of them empty, in arrays of `make`. */
function problem(draw: Random, make: Make): Problem {
  const [count, width] = [1 + below(draw, 30), 1 + below(draw, 12)];
  const dense = Array.from({ length: count }, () =>
    Array.from({ length: width }, () => (draw() < 0.5 ? Math.fround(2 * draw() - 1) : 0)),
  );
  const entries = dense.map((row) => row.flatMap((value, f) => (value === 0 ? [] : [{ f, value }])));
  const size = entries.flat().length;
  const rows = {
    ...{ count, begin: make.u32(count), end: make.u32(count), indices: make.u32(size), values: make.f32(size) },
  };
  const state = {
    ...{ signs: make.i8(count), alpha: make.f64(count), squares: make.f64(count), order: make.u32(count) },
    ...{ w: make.f64(width + 1), bias: width },
  };
  let at = 0;
  entries.forEach((row, i) => {
    rows.begin[i] = at;
    state.squares[i] = 1;
    for (const { f, value } of row) {
      rows.indices[at] = f;
      rows.values[at++] = value;
      state.squares[i] = state.squares[i]! + value * value;
    }
    rows.end[i] = at;
    state.signs[i] = draw() < 0.4 ? 1 : -1;
  });
  state.alpha.fill(0);
  state.w.fill(0);
  return { rows, state, dense };
}

const primal = ({ dense, state: { signs } }: Problem, w: ArrayLike<number>, cost: number) => {
  const z = dense.map((row) => row.reduce((sum, value, f) => sum + value * w[f]!, w[row.length]!));
  const losses = z.map((value, i) => Math.max(0, 1 - signs[i]! * value) ** 2);
  const squares = Array.from(w).reduce((sum, value) => sum + value * value, 0);
  return squares / 2 + cost * losses.reduce((sum, loss) => sum + loss, 0);
};

/** Minimizes by gradient descent with a step below the inverse of the largest curvature. */
function slowMinimum(one: Problem, cost: number): number[] {
  const { dense, state } = one;
  let w = Array.from(state.w, () => 0);
  const curvature = 1 + 2 * cost * state.squares.reduce((sum, square) => sum + square, 0);
  for (let step = 0; step < 20_000; step++) {
    const slopes = w.slice();
    dense.forEach((row, i) => {
      const x = [...row, 1];
      const miss = 1 - state.signs[i]! * x.reduce((sum, value, f) => sum + value * w[f]!, 0);
      if (miss > 0) x.forEach((value, f) => void (slopes[f] = slopes[f]! - 2 * cost * miss * state.signs[i]! * value));
    });
    w = w.map((value, f) => value - slopes[f]! / curvature);
  }
  return w;
}

it("finds the minimum that gradient descent finds", () => {
  for (let seed = 0; seed < 6; seed++) {
    const draw = random(seed, 21);
    const one = problem(draw, ordinary);
    const cost = [0.3, 1, 4][seed % 3]!;
    solveHinge(one.rows, one.state, { cost, tolerance: 1e-9, passes: 5000 }, seed);
    const slow = slowMinimum(one, cost);
    for (const [f, value] of slow.entries()) expect(one.state.w[f]).toBeCloseTo(value, 4);
    expect(primal(one, one.state.w, cost)).toBeLessThanOrEqual(primal(one, slow, cost) + 1e-9);
  }
});

it("keeps w = Σ alpha y x, ends within the tolerance, and after as many passes as are allowed at most", () => {
  for (let seed = 0; seed < 100; seed++) {
    const draw = random(seed, 22);
    const { rows, state, dense } = problem(draw, ordinary);
    const [cost, tolerance, most] = [0.1 + 3 * draw(), 0.01 + 0.3 * draw(), 1 + below(draw, 400)];
    const passes = solveHinge(rows, state, { cost, tolerance, passes: most }, seed);
    expect(passes).toBeLessThanOrEqual(most);
    state.w.forEach((value, f) => {
      const sum = dense.reduce(
        (total, row, i) => total + state.alpha[i]! * state.signs[i]! * (f === row.length ? 1 : row[f]!),
        0,
      );
      expect(value).toBeCloseTo(sum, 9);
    });
    expect(state.alpha.every((value) => value >= 0)).toBe(true);
    if (passes === most) continue;
    // Violations were at most the tolerance when each row was visited; rows visited later have moved w since.
    const slopes = dense.map(
      (_, i) => state.signs[i]! * rowProduct(rows, i, state.w, state.bias) - 1 + (state.alpha[i]! * 0.5) / cost,
    );
    const violations = slopes.map((slope, i) => (state.alpha[i] === 0 ? Math.min(0, slope) : slope));
    expect(Math.max(...violations) - Math.min(...violations)).toBeLessThan(tolerance * (2 + rows.count));
  }
});

it("has the same bits as the plain fallback", () => {
  for (let seed = 0; seed < 200; seed++)
    withHeap((heap) => {
      const [ours, other] = [problem(random(seed, 23), heap), problem(random(seed, 23), ordinary)];
      const draw = random(seed, 24);
      const settings = { cost: 0.1 + 3 * draw(), tolerance: 0.2 * draw(), passes: 1 + below(draw, 40) };
      const passes = solveHinge(ours.rows, ours.state, settings, seed);
      expect(passes).toBe(plain.solveHinge(other.rows, other.state, settings, seed));
      expect(Array.from(ours.state.w)).toEqual(Array.from(other.state.w));
      expect(Array.from(ours.state.alpha)).toEqual(Array.from(other.state.alpha));
    });
});
