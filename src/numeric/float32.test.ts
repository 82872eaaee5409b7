import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { above32, above64, below32, below64, floor32 } from "./float32.ts";

const MOST = (2 - 2 ** -23) * 2 ** 127;

describe("neighbours", () => {
  it("of 1 are one unit in the last place away", () => {
    expect([above32(1), below32(1)]).toEqual([1 + 2 ** -23, 1 - 2 ** -24]);
    expect([above64(1), below64(1)]).toEqual([1 + 2 ** -52, 1 - 2 ** -53]);
  });

  it("of 0, of the largest and of infinities", () => {
    expect([above32(0), above32(-0), below32(0)]).toEqual([2 ** -149, 2 ** -149, -(2 ** -149)]);
    expect([above32(MOST), below32(Infinity), below32(-MOST), above32(Infinity)]).toEqual([Infinity, MOST, -Infinity, Infinity]);
    expect([above64(0), below64(0), above64(-Number.MIN_VALUE)]).toEqual([5e-324, -5e-324, -0]);
    expect([above32(Number.NaN), floor32(Number.NaN), above64(Number.NaN)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  it("a float32 is at most a number exactly where it is at most its floor", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.nat(3), (value, steps) => {
        let x = Math.fround(value);
        for (let i = 0; i < steps; i++) x = i % 2 ? above32(x) : below32(below32(x));
        expect(x <= value).toBe(x <= floor32(value));
        expect(Math.fround(floor32(value))).toBe(floor32(value));
      }),
    );
  });
});
