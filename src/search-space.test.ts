import { describe, expect, it } from "vitest";
import { random } from "./numeric/random.ts";
import { dimension, dimensionText, drawFrom, gridOf, isCountable } from "./search-space.ts";

describe("a dimension", () => {
  it("is values with commas between them, of which those in parentheses belong to a value", () => {
    expect(dimension("leaves", "100, 200,100", true)).toEqual({ name: "leaves", values: ["100", "200"] });
    expect(dimension("optimizer", "adam(rate=0.1,batch=2),lbfgs", false)).toMatchObject({
      values: ["adam(rate=0.1,batch=2)", "lbfgs"],
    });
  });

  it("is a range, on a log scale from a factor of ten on unless it says otherwise", () => {
    const scale = (text: string) => (dimension("x", text, false) as { scale: string }).scale;
    expect(["0.01..0.1", "0.01..0.09", "0..1", "1..100:linear", "1..2:log", "1e-3..1/4"].map(scale)).toEqual([
      ...["log", "linear", "linear", "linear", "log", "log"],
    ]);
    expect(dimension("x", "-1..2.5/3", false)).toEqual({
      name: "x",
      low: -1,
      high: 2.5,
      scale: "linear",
      whole: false,
      steps: 3,
    });
  });

  it("tells itself in words, and whether it can be gone through", () => {
    const all = ["1..9", "1..9/3:log", "a,b"].map((text) => dimension("x", text, false));
    expect(all.map(dimensionText)).toEqual(["x: 1 to 9, linear scale", "x: 1 to 9 in 3 steps, log scale", "x: a, b"]);
    expect(all.map(isCountable)).toEqual([false, true, true]);
  });

  it.each<[string, boolean, RegExp]>([
    ["3..1", false, /x: a range goes from low to high, got "3\.\.1"/],
    ["0..1:log", false, /x: a log scale begins above 0/],
    ["1..2/1", false, /x: expected at least 2 steps in a range, got 1/],
    ["1.5..3", true, /x: expected whole numbers as the ends of the range, got "1\.5\.\.3"/],
    ["1..2:lgo", false, /x: expected a range such as 0\.01\.\.0\.1, /],
    ["", false, /x: expected values with commas between them, or a range, got ""/],
  ])("refuses %j", (text, whole, message) => expect(() => dimension("x", text, whole)).toThrow(message));
});

describe("a search", () => {
  it("by grid goes through all combinations, the last dimension first", () => {
    const grid = gridOf([dimension("a", "1..100/3:log", true), dimension("b", "x,y", false)]);
    expect(grid.map(({ a, b }) => `${a}${b}`)).toEqual(["1x", "1y", "10x", "10y", "100x", "100y"]);
    expect(gridOf([dimension("a", "1..3/5", true)]).map(({ a }) => a)).toEqual(["1", "2", "3"]); // 1.5 and 2.5 are 2 and 3
    expect(gridOf([dimension("a", "0..1/5", false)]).map(({ a }) => a)).toEqual(["0", "0.25", "0.5", "0.75", "1"]);
    expect(() => gridOf([dimension("a", "0..1", false)])).toThrow(/a: a grid needs to know how many values .* as in 0\.\.1\/5/);
  });

  it("by chance draws evenly on the scale, with four figures, inside of the ends", () => {
    const dimensions = [dimension("rate", "0.001..1", false), dimension("leaves", "2..5", true), dimension("kind", "p,q", false)];
    const draws = Array.from({ length: 3000 }, (_, t) => drawFrom(dimensions, random(8, t)));
    const fraction = (holds: (rate: number) => boolean) => draws.filter(({ rate }) => holds(Number(rate))).length / 3000;
    expect(fraction((rate) => rate < 0.01)).toBeCloseTo(1 / 3, 1);
    expect(fraction((rate) => rate >= 0.1)).toBeCloseTo(1 / 3, 1);
    expect(fraction((rate) => rate < 0.001 || rate > 1)).toBe(0);
    for (const { rate, leaves, kind } of draws) {
      expect(String(Number(Number(rate).toPrecision(4)))).toBe(rate);
      expect(["2", "3", "4", "5"]).toContain(leaves);
      expect(["p", "q"]).toContain(kind);
    }
  });
});
