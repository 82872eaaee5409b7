import { afterAll, describe, expect, it } from "vitest";
import { exp, expm1, log, log1p } from "./functions.ts";
import { heap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/vectors.ts";
import { random } from "./random.ts";
import * as vectors from "./vectors.ts";

const draw = random(4);
const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 100, 1003];
afterAll(() => heap.close());

/** A vector of the heap and an equal one outside it. */
function both(n: number, value: (i: number) => number): [Float64Array, Float64Array] {
  const inside = heap.f64(n);
  for (let i = 0; i < n; i++) inside[i] = value(i);
  return [inside, Float64Array.from(inside)];
}

/** Small and large, of both signs. */
const wide = (i: number) => (draw() - 0.5) * 10 ** ((i % 22) - 18);
const edges = [
  0, -0, 1, -1, 708, 708.1, 709.7, 709.79, 710, -708, -708.1, -745, -746, -39.9, -40, -40.1, 1e-300, -1e-300, 5e-324,
];
const odd = [...edges, 1e-310, Infinity, -Infinity, Number.NaN, Number.MAX_VALUE, -Number.MAX_VALUE, -1 + 2 ** -53, 2 ** -1022];

describe("loops over vectors: compiled and plain give the same bits", () => {
  it("and the compiled ones are there", () => expect(kernels()).not.toBeNull());

  it("dot, scale and axpy", () => {
    for (const n of lengths) {
      const [a, a2] = both(n, () => draw() - 0.5);
      const [b, b2] = both(n, () => draw() * 10);
      expect(vectors.dot(a, b)).toBe(plain.dot(a2, b2));
      vectors.axpy(-1.7, a, b);
      plain.axpy(-1.7, a2, b2);
      expect(b).toEqual(b2);
      vectors.scale(a, 1.1);
      plain.scale(a2, 1.1);
      expect(a).toEqual(a2);
    }
    expect(plain.dot(Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), Float64Array.of(1, 1, 1, 1, 1, 1, 1, 1, 10))).toBe(36 + 90);
  });

  for (const [f, ours, fallback] of [
    [exp, vectors.expAll, plain.expAll],
    [expm1, vectors.expm1All, plain.expm1All],
    [log, vectors.logAll, plain.logAll],
    [log1p, vectors.log1pAll, plain.log1pAll],
  ] as const)
    it(`${f.name} of every number, as one by one`, () => {
      // Odd numbers stand alone, in pairs and among ordinary ones, since a vector takes another way when one of its numbers is odd.
      for (const value of [
        wide,
        (i: number) => odd[i % odd.length]!,
        (i: number) => (i % 5 ? wide(i) : odd[(i / 5) % odd.length]!),
      ])
        for (const n of [...lengths, 5000]) {
          const [from, from2] = both(n, value);
          const [to, to2] = both(n, () => 7);
          ours(from, to);
          fallback(from2, to2);
          expect(to).toEqual(to2);
          expect(to2).toEqual(from2.map(f));
        }
    });

  it("logSumExp and softmax", () => {
    for (const value of [() => draw() * 50, wide, (i: number) => (i % 3 ? draw() * 2000 : -Infinity), () => -Infinity])
      for (const n of lengths) {
        const [from, from2] = both(n, value);
        const [to, to2] = both(n, () => 7);
        expect(vectors.logSumExp(from)).toBe(plain.logSumExp(from2));
        expect(vectors.softmax(from, to)).toBe(plain.softmax(from2, to2));
        expect(vectors.softmax(from, to)).toBe(vectors.logSumExp(from));
        expect(to).toEqual(to2);
      }
    const thirds = heap.f64(3).fill(1000);
    expect(vectors.softmax(thirds, thirds)).toBe(1000 + Math.log(3));
    expect([...thirds]).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });
});
