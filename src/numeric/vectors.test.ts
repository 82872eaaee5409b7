import { describe, expect, it } from "vitest";
import { heap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/vectors.ts";
import { random } from "./random.ts";
import * as vectors from "./vectors.ts";

const draw = random(4);
const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 100, 1003];

/** A vector of the heap and an equal one outside it. */
function both(n: number, value: () => number): [Float64Array, Float64Array] {
  const inside = heap.f64(n);
  for (let i = 0; i < n; i++) inside[i] = value();
  return [inside, Float64Array.from(inside)];
}

describe("loops over vectors: compiled and plain give the same bits", () => {
  it("and the compiled ones are there", () => expect(kernels()).not.toBeNull());

  it("dot", () => {
    for (const n of lengths) {
      const [a, a2] = both(n, () => draw() - 0.5);
      const [b, b2] = both(n, () => draw() * 10);
      expect(vectors.dot(a, b)).toBe(plain.dot(a2, b2));
    }
    expect(plain.dot(Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), Float64Array.of(1, 1, 1, 1, 1, 1, 1, 1, 10))).toBe(36 + 90);
  });
});
