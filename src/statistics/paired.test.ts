import { expect, it } from "vitest";
import { paired } from "./paired.ts";

it("lists without a value on either side are left out and counted", () => {
  const none = Number.NaN;
  const found = paired([1, none, 3, 4, none], [0.5, 2, none, 4, none]);
  expect([...found.lists]).toEqual([0, 3]);
  expect([[...found.a], [...found.b], [...found.differences]]).toEqual([[1, 4], [0.5, 4], [0.5, 0]]); // biome-ignore format: one line
  expect(found.leftOut).toBe(3);
  expect(paired([1, 2], [3, 4]).leftOut).toBe(0);
  expect(() => paired([1], [1, 2])).toThrow("expected as many values on both sides, got 1 and 2");
});
