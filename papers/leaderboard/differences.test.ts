import { describe, expect, it } from "vitest";
import { ALL, differences } from "./differences.ts";

describe("differences of two systems", () => {
  it("are means over the lists of a data set, and of all lists together, without those where one is undefined", () => {
    const found = differences([
      { name: "small", a: [0.5, 0.75, Number.NaN], b: [0.25, 0.25, 1] },
      { name: "large", a: [0.5, 0.5, 0.5, 0.5], b: [0.5, 0.5, 0.5, 1] },
    ]);
    expect(found.map(({ name, lists, difference }) => [name, lists, difference])).toEqual([
      ["small", 2, 0.375],
      ["large", 4, -0.125],
      [ALL, 6, (0.25 + 0.5 - 0.5) / 6],
    ]);
  });

  it("have the p of all assignments of signs", () => {
    const one = (a: number[]) => differences([{ name: "x", a, b: a.map(() => 0) }])[0]!.p;
    expect(one([1, 1, 1, 1, 1, 1])).toBe(2 / 64); // only all of one sign are as far from 0
    expect(one([1, -1])).toBe(1);
  });

  it("of equal systems are no difference", () => {
    const [one, all] = differences([{ name: "x", a: [0.1, 0.2], b: [0.1, 0.2] }]);
    expect([one, all].map((found) => [found!.difference, found!.p])).toEqual([[0, 1], [0, 1]]); // biome-ignore format: pairs
  });
});
