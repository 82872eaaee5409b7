import { expect, it } from "vitest";
import { tierFinder } from "./tiers.ts";

it("finds the tier of a list of one item, also as its first", () => {
  const { order, starts, count } = tierFinder()(Float32Array.of(3));
  expect([Array.from(order), Array.from(starts.subarray(0, 2)), count]).toEqual([[0], [0, 1], 1]);
});

it("finds tiers in lists of growing and falling lengths", () => {
  const find = tierFinder();
  const back = tierFinder("backward");
  for (const labels of [[], [1], [1, 2], [2, 0, 2], [0, 0, 0, 1], [1], [3, 1, 2, 1, 3, 0], []]) {
    const values = [...new Set(labels)].sort((a, b) => b - a);
    const tiers = values.map((value) => labels.flatMap((label, i) => (label === value ? [i] : [])));
    for (const [finder, wanted] of [
      [find, tiers],
      [back, tiers.toReversed()],
    ] as const) {
      const { order, starts, count } = finder(Float32Array.from(labels));
      expect(order.length).toBe(labels.length);
      const found = Array.from({ length: count }, (_, t) => Array.from(order.subarray(starts[t], starts[t + 1])));
      expect(found.map((tier) => tier.sort((a, b) => a - b))).toEqual(wanted);
    }
  }
});
