import { afterAll, describe, expect, it } from "vitest";
import { heap } from "./heap.ts";
import * as network from "./network.ts";
import * as plain from "./plain/network.ts";
import { random } from "./random.ts";

const draw = random(21);
afterAll(() => heap.close());

const { fround } = Math;
const floats = (n: number, spread = 1) => heap.f32(n).map(() => spread * (draw() - 0.5)) as Float32Array;
/** The same numbers inside and outside the heap. */
function twice(n: number, spread = 1, least = -Infinity): [Float32Array, Float32Array] {
  const inside = heap.f32(n);
  for (let i = 0; i < n; i++) inside[i] = Math.max(least, spread * (draw() - 0.5));
  return [inside, Float32Array.from(inside)];
}
function wholes(...values: number[]): [Uint32Array, Uint32Array] {
  const inside = heap.u32(values.length);
  inside.set(values);
  return [inside, Uint32Array.from(values)];
}
const how = {
  ...{ beta1: fround(0.9), oneMinusBeta1: fround(0.1), beta2: fround(0.999), oneMinusBeta2: fround(0.001) },
  ...{ step: fround(0.003), epsilon: fround(1e-8), l2: fround(0.01) },
};

describe("loops of networks", () => {
  it("e^x in float32 is right to a few units in the last place, 0 far down, and 0 of -Infinity", () => {
    for (let x = -86.9; x < 88; x += 0.0371) {
      const wanted = Math.exp(fround(x));
      expect(Math.abs(plain.exp32(fround(x)) - wanted) / wanted).toBeLessThan(2.5e-7);
    }
    expect(plain.exp32(-88)).toBe(0);
    expect(plain.exp32(-Infinity)).toBe(0);
    expect(plain.exp32(0)).toBe(1);
  });

  it.each([1, 4, 7, 256])("sparse rows and steps of Adam: compiled and plain give the same bits, rows of %d", (n) => {
    const [w, w2] = twice(20 * n);
    const [m, m2] = twice(20 * n, 0.1);
    const [v, v2] = twice(20 * n, 0.1, 0);
    const [d, d2] = twice(6 * n);
    const [out, out2] = twice(n);
    const [indices, indices2] = wholes(3, 1, 17, 4, 9);
    const [values, values2] = twice(5);
    network.gatherRows(indices, values, 0, 5, w, out);
    plain.gatherRows(indices2, values2, 0, 5, w2, out2);
    expect([...out]).toEqual([...out2]);

    const [rows, rows2] = wholes(2, 11, 19);
    const [starts, starts2] = wholes(0, 2, 3, 5);
    const [lines, lines2] = wholes(0, 5, 1, 3, 4);
    network.adamRows({ count: 3, rows, starts, lines, values }, d, n, w, m, v, how);
    plain.adamRows(3, rows2, starts2, lines2, values2, d2, w2, m2, v2, new Float32Array(n), how);
    network.adamStep(w, m, v, 4 * n, d, n, how);
    plain.adamStep(w2, m2, v2, 4 * n, d2, n, how);
    network.adamCatchUp(w, m, v, 7 * n, n, fround(0.4), fround(1e-9), fround(0.81), fround(0.998));
    plain.adamCatchUp(w2, m2, v2, 7 * n, n, fround(0.4), fround(1e-9), fround(0.81), fround(0.998));
    for (const [ours, theirs] of [[w, w2], [m, m2], [v, v2]] as const) expect([...ours]).toEqual([...theirs]); // biome-ignore format: pairs
  });

  it("mass, scale and sum of rows: the same bits, and what fills a row up counts for nothing", () => {
    const [z, z2] = twice(5 * 12, 20);
    for (const one of [z, z2]) one.fill(-Infinity, 10, 12).fill(-Infinity, 12, 24);
    const [tops, masses] = [heap.f64(5), heap.f64(5)];
    const [tops2, masses2] = [new Float64Array(5), new Float64Array(5)];
    const first = Array.from(z.subarray(0, 10));
    network.expSumRows(z, 5, 12, tops, masses);
    plain.expSumRows(z2, 5, 12, tops2, masses2);
    expect([...z, ...tops, ...masses]).toEqual([...z2, ...tops2, ...masses2]);
    expect(tops[0]).toBe(Math.max(...first));
    expect(masses[0]! / first.reduce((sum, x) => sum + Math.exp(x - tops[0]!), 0)).toBeCloseTo(1, 6);
    expect([...z.subarray(10, 24), masses[1]]).toEqual(new Array(15).fill(0));

    const [factors, factors2] = twice(5);
    const [sums, sums2] = twice(12);
    network.scaleRows(z, 5, 12, factors);
    plain.scaleRows(z2, 5, 12, factors2);
    network.columnSums(z, 1, 4, 11, 12, sums);
    plain.columnSums(z2, 1, 4, 11, 12, sums2);
    expect([...z, ...sums]).toEqual([...z2, ...sums2]);
  });

  it.each([
    [
      "logistic",
      4,
      network.logisticPairs,
      plain.logisticPairs,
      (x: number) => Math.log1p(Math.exp(x)),
      (x: number) => 1 / (1 + Math.exp(-x)),
    ],
    [
      "logistic, far apart",
      250,
      network.logisticPairs,
      plain.logisticPairs,
      (x: number) => (x > 30 ? x : Math.log1p(Math.exp(x))),
      (x: number) => 1 / (1 + Math.exp(-x)),
    ],
    ["hinge", 4, network.hingePairs, plain.hingePairs, (x: number) => Math.max(0, 1 + x), (x: number) => (x > -1 ? 1 : 0)],
  ] as const)("%s pairs: the sum over all pairs, and the same bits", (_, spread, ours, fallback, cost, slope) => {
    // biome-ignore format: one case a line
    const [n, count] = [520, 7];
    const [z, z2] = twice(n, spread);
    for (const one of [z, z2]) one.fill(-Infinity, 517);
    const worse = Array.from(z.subarray(0, 517));
    const [better, better2] = twice(count, spread);
    const [weights, weights2] = [floats(count), new Float32Array(count)];
    weights.forEach((value, i) => {
      weights2[i] = value;
    });
    const w = heap.f32(count);
    w.set(weights2);
    const [costs, gradients, costs2, gradients2] = [
      heap.f64(count),
      heap.f64(count),
      new Float64Array(count),
      new Float64Array(count),
    ];
    ours(z, better, w, count, costs, gradients);
    fallback(z2, better2, weights2, count, costs2, gradients2);
    expect([...z, ...gradients]).toEqual([...z2, ...gradients2]);
    for (let i = 0; i < count; i++) {
      expect(costs[i]! / costs2[i]!).toBeCloseTo(1, 12);
      const wanted = worse.reduce((sum, x) => sum + cost(x - better2[i]!), 0);
      expect(costs[i]! / wanted).toBeCloseTo(1, 5);
      expect(gradients[i]! / worse.reduce((sum, x) => sum + slope(x - better2[i]!), 0)).toBeCloseTo(1, 5);
    }
    worse.forEach((x, j) => {
      const wanted = Array.from(better2).reduce((sum, b, i) => sum + weights2[i]! * slope(x - b), 0);
      expect(Math.abs(z[j]! - wanted)).toBeLessThan(2e-6);
    });
  });
});
