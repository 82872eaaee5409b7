import { describe, expect, it } from "vitest";
import { precision } from "./precision.ts";
import { recall } from "./recall.ts";

const list = [Float64Array.of(3, 2, 1), Float32Array.of(1, 0, 1)] as const;

describe("precision", () => {
  it("a list shorter than k is divided by k, or by its length where asked to", () => {
    expect(precision({ k: 5 }).measure(...list)).toBe(2 / 5);
    expect(precision({ k: 5, divisor: "min" }).measure(...list)).toBe(2 / 3);
  });
  it("a group of three across a cutoff of two counts two thirds of its relevant items", () => {
    expect(precision({ k: 2 }).measure(new Float64Array(3), Float32Array.of(1, 0, 1))).toBeCloseTo((2 * (2 / 3)) / 2, 15);
  });
  it("says what it divides by", () => {
    expect(precision({ k: 5, rel: 2 }).variant).toContain(
      "relevant is label 2 or more, relevant items among the first 5 divided by 5,",
    );
    expect(precision().variant).toContain("relevant items among all ranks divided by the length of the list,");
  });
});

describe("recall", () => {
  it("counts what was found of all relevant items, or of those that fit", () => {
    expect(recall({ k: 1 }).measure(...list)).toBe(1 / 2);
    expect(recall({ k: 1, divisor: "min" }).measure(...list)).toBe(1);
  });
  it("a relevant item that is not ranked is missed", () => {
    expect(recall().measure(Float64Array.of(3, 2, -Infinity), Float32Array.of(1, 0, 1))).toBe(1 / 2);
  });
});
