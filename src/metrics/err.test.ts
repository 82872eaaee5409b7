import { describe, expect, it } from "vitest";
import { random } from "../numeric/random.ts";
import { err } from "./err.ts";

const placed = (...labels: number[]) => [Float64Array.from(labels, (_, place) => -place), Float32Array.from(labels)] as const;
const tied = (labels: readonly number[]) => [new Float64Array(labels.length), Float32Array.from(labels)] as const;

describe("err", () => {
  it("agrees with gdeval", () => {
    expect(err({ k: 20 }).measure(...placed(0, 1, 2, 1, 0))).toBeCloseTo(0.10175, 5);
    expect(err({ k: 2 }).measure(...placed(0, 1, 2, 1, 0))).toBe(1 / 16 / 2);
  });
  it("a label above gmax is refused, and gmax is never taken from the data", () => {
    expect(() => err({ k: 10 }).measure(...placed(5))).toThrow(
      "err@10: label 5 is above 4; set gmax= to the highest grade of the scale",
    );
    expect(err({ gmax: 5 }).measure(...placed(5))).toBe(31 / 32);
    expect(err().measure(...placed(1))).toBe(1 / 16);
  });
  it("CatBoost's reading takes labels as chances", () => {
    expect(err({ stop: "label" }).measure(...placed(0.5, 1))).toBe(1 / 2 + 1 / 2 / 2);
    expect(() => err({ stop: "label" }).measure(...placed(2))).toThrow(/label 2 is above 1/);
  });
  it("two tied items: the mean of both orders", () => {
    const [a, b] = [1 / 16, 15 / 16];
    const first = a + ((1 - a) * b) / 2;
    const second = b + ((1 - b) * a) / 2;
    expect(err().measure(...tied([1, 4]))).toBeCloseTo((first + second) / 2, 15);
  });
  it("100,000 tied items of one label are a series: the sum of R x^(p-1) / p is -R log(R) / x", () => {
    const value = err().measure(...tied(new Array(100_000).fill(1)));
    expect(value).toBeCloseTo(((1 / 16) * Math.log(16)) / (15 / 16), 13);
  });
  it("chances too small to move the chance to pass still add up: the mean stop times the harmonic number", () => {
    const tiny = Math.fround(1e-20);
    const harmonic = Array.from({ length: 200 }, (_, i) => 1 / (i + 1)).reduce((sum, one) => sum + one, 0);
    const value = err().measure(...tied(new Array(200).fill(tiny)));
    expect(value / ((tiny * Math.LN2) / 16)).toBeCloseTo(harmonic, 12);
  });
  it("large groups agree with the mean product over subsets of every size", () => {
    const draw = random(5);
    for (const k of [Infinity, 120]) {
      const labels = Array.from({ length: 400 }, () => (draw() < 0.7 ? 0 : Math.fround(draw() * 0.3)));
      const head = [4, 0, 1].map((label, i) => ({ label, score: 5 - i }));
      const value = err({ k }).measure(
        Float64Array.from([...head.map(({ score }) => score), ...labels.map(() => 0)]),
        Float32Array.from([...head.map(({ label }) => label), ...labels]),
      );
      expect(value).toBeCloseTo(direct([4, 0, 1], labels, k), 13);
    }
  });
});

/** Settled labels, then tied ones: with a_r the mean product of 1 - R over subsets of r items, the place after r items stops a_r - a_{r+1}. */
function direct(head: readonly number[], labels: readonly number[], k: number): number {
  const chance = (label: number) => (2 ** label - 1) / 16;
  let still = 1;
  let value = 0;
  head.forEach((label, i) => {
    value += (still * chance(label)) / (i + 1);
    still *= 1 - chance(label);
  });
  const pass = [1, ...labels.map(() => 0), 0];
  labels.forEach((label, before) => {
    const m = before + 1;
    for (let r = m; r > 0; r--) pass[r] = ((m - r) * pass[r]! + r * (1 - chance(label)) * pass[r - 1]!) / m;
  });
  for (let r = 0; r < labels.length && head.length + r < k; r++)
    value += (still * (pass[r]! - pass[r + 1]!)) / (head.length + r + 1);
  return value;
}
