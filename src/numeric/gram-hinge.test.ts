import { expect, it } from "vitest";
import type { Random } from "../types.ts";
import { addGramRow, gramRows, solveGram } from "./gram-hinge.ts";
import { withHeap } from "./heap.ts";
import { solveHinge } from "./hinge.ts";
import * as plain from "./plain/gram-hinge.ts";
import { below, random } from "./random.ts";

type Make = { u32(n: number): Uint32Array; f32(n: number): Float32Array; f64(n: number): Float64Array; i8(n: number): Int8Array };

const ordinary: Make = {
  u32: (n) => new Uint32Array(n),
  f32: (n) => new Float32Array(n),
  f64: (n) => new Float64Array(n),
  i8: (n) => new Int8Array(n),
};

/** Random rows, some of them empty, with what the functions need. */
function problem(draw: Random, make: Make) {
  const [count, width] = [1 + below(draw, 40), 1 + below(draw, 12)];
  const dense = Array.from({ length: count }, () =>
    Array.from({ length: width }, () => (draw() < 0.5 ? Math.fround(2 * draw() - 1) : 0)),
  );
  const entries = dense.map((row) => row.flatMap((value, f) => (value === 0 ? [] : [{ f, value }])));
  const size = entries.flat().length;
  const rows = { count, begin: make.u32(count), end: make.u32(count), indices: make.u32(size), values: make.f32(size) };
  const postings = { first: make.u32(width + 1), next: make.u32(width + 1), others: make.u32(size), factors: make.f32(size) };
  const state = { signs: make.i8(count), alpha: make.f64(count), order: make.u32(count), margins: make.f32(count) };
  postings.first.fill(0);
  let at = 0;
  entries.forEach((row, i) => {
    rows.begin[i] = at;
    for (const { f, value } of row) {
      rows.indices[at] = f;
      rows.values[at++] = value;
      postings.first[f + 1] = postings.first[f + 1]! + 1;
    }
    rows.end[i] = at;
    state.signs[i] = draw() < 0.4 ? 1 : -1;
  });
  for (let f = 0; f < width; f++) postings.first[f + 1] = postings.first[f + 1]! + postings.first[f]!;
  postings.next.set(postings.first);
  state.alpha.fill(0);
  state.margins.fill(0);
  return { dense, rows, postings, state, gram: make.f32(count * count) };
}

it("products of all pairs of rows, plus 1", () => {
  for (let seed = 0; seed < 30; seed++) {
    const { dense, rows, postings, gram } = problem(random(seed, 41), ordinary);
    gramRows(rows, postings, gram);
    dense.forEach((a, i) => {
      dense.forEach((b, j) => {
        expect(gram[i * rows.count + j]).toBeCloseTo(1 + a.reduce((sum, value, f) => sum + value * b[f]!, 0), 5);
      });
    });
  }
});

it("finds the dual variables that the solver over rows finds, with margins that agree with them", () => {
  for (let seed = 0; seed < 20; seed++) {
    const { dense, rows, postings, state, gram } = problem(random(seed, 42), ordinary);
    const { count } = rows;
    const settings = { cost: [0.3, 1, 4][seed % 3]!, tolerance: 1e-4, passes: 20_000 };
    gramRows(rows, postings, gram);
    expect(solveGram(count, gram, state, settings, seed)).toBeLessThan(20_000);
    const width = dense[0]!.length;
    const other = {
      ...{ signs: state.signs, alpha: new Float64Array(count), order: new Uint32Array(count), bias: width },
      squares: Float64Array.from(dense, (row) => row.reduce((sum, value) => sum + value * value, 1)),
      w: new Float64Array(width + 1),
    };
    solveHinge(rows, other, { ...settings, tolerance: 1e-9 }, seed);
    other.alpha.forEach((value, i) => {
      expect(state.alpha[i]).toBeCloseTo(value, 2);
    });
    state.margins.forEach((margin, i) => {
      const sum = dense.reduce((total, _, j) => total + state.alpha[j]! * state.signs[j]! * gram[i * count + j]!, 0);
      expect(margin).toBeCloseTo(sum, 3);
    });
  }
});

it("has the same bits as the plain fallback", () => {
  for (let seed = 0; seed < 200; seed++)
    withHeap((heap) => {
      const [ours, other] = [problem(random(seed, 43), heap), problem(random(seed, 43), ordinary)];
      const draw = random(seed, 44);
      const settings = { cost: 0.1 + 3 * draw(), tolerance: 0.2 * draw(), passes: 1 + below(draw, 40) };
      const { count } = ours.rows;
      gramRows(ours.rows, ours.postings, ours.gram);
      plain.gramRows(other.rows, other.postings, other.gram);
      expect(Array.from(ours.gram)).toEqual(Array.from(other.gram));
      const passes = solveGram(count, ours.gram, ours.state, settings, seed);
      expect(passes).toBe(plain.solveGram(count, other.gram, other.state, settings, 0.1 * settings.tolerance, seed));
      const [row, factor] = [below(draw, count), Math.fround(draw())];
      addGramRow(ours.gram, row, count, factor, ours.state.margins);
      plain.addGramRow(other.gram, row, count, factor, other.state.margins);
      expect(Array.from(ours.state.alpha)).toEqual(Array.from(other.state.alpha));
      expect(Array.from(ours.state.margins)).toEqual(Array.from(other.state.margins));
    });
});
