import { expect, it } from "vitest";
import { heap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import { sortGrades } from "./plain/tiers.ts";
import { below, random } from "./random.ts";
import { tierSorter } from "./tiers.ts";

const result = (labels: readonly number[], direction?: "forward" | "backward") => {
  const { order, starts, count } = tierSorter(direction)(Float32Array.from(labels));
  return Array.from({ length: count }, (_, t) => [...order.subarray(starts[t]!, starts[t + 1]!)]);
};

it("tiers are sets of equal labels, the best first, each in its given order", () => {
  expect(result([1, 0, 3, 1, 3])).toEqual([[2, 4], [0, 3], [1]]);
  expect(result([1, 0, 3, 1, 3], "backward")).toEqual([[1], [0, 3], [2, 4]]);
});

it("labels may be any numbers", () => {
  expect(result([0.5, -2, 100, 0.5, 64])).toEqual([[2], [4], [0, 3], [1]]);
  expect(result([0.5, -2, 100, 0.5, 64], "backward")).toEqual([[1], [0, 3], [4], [2]]);
  expect(result([-0, 0, 63])).toEqual([[2], [0, 1]]);
});

it("the kernel and its twin count alike, and refuse the same labels", () => {
  const wasm = kernels()!;
  const draw = random(5);
  for (let iteration = 0; iteration < 300; iteration++) {
    const n = 1 + below(draw, 200);
    const labels = heap.f32(n);
    for (let i = 0; i < n; i++) labels[i] = below(draw, 1 + (iteration % 64));
    if (iteration % 5 === 0) labels[below(draw, n)] = [-1, 64, 0.5, Number.NaN, Infinity, -Infinity, 1e30][iteration % 7]!;
    for (const back of [false, true]) {
      const [order, starts] = [heap.u32(n), heap.u32(65)];
      const [slowOrder, slowStarts] = [new Uint32Array(n), new Uint32Array(65)];
      const count = wasm.sortGrades(labels.byteOffset, n, back ? 1 : 0, order.byteOffset, starts.byteOffset);
      expect(sortGrades(labels, back, slowOrder, slowStarts, new Uint32Array(64))).toBe(count);
      expect(count < 0).toBe(iteration % 5 === 0);
      if (count < 0) continue;
      expect(order).toEqual(slowOrder);
      expect(starts.slice(0, count + 1)).toEqual(slowStarts.slice(0, count + 1));
    }
  }
});
