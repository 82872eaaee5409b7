import { describe, expect, it } from "vitest";
import { binColumn, sortFloats } from "./bins.ts";
import { Heap } from "./heap.ts";
import { clearEntries, gatherEntries, markOthers, packGradients, subtractEntries, sumContiguous, sumRows } from "./histogram.ts";
import { kernels } from "./kernels.ts";
import { type LambdaInput, lambdaGradients } from "./lambda.ts";
import { addToRows, copyColumn, countCodes, partitionRows } from "./partition.ts";
import * as plainBins from "./plain/bins.ts";
import * as plainHistogram from "./plain/histogram.ts";
import * as plainLambda from "./plain/lambda.ts";
import * as plainPartition from "./plain/partition.ts";
import * as plainSplit from "./plain/split.ts";
import { below, random } from "./random.ts";
import { bestSplit, type Split, type SplitTerms, unbundleHistogram } from "./split.ts";
import { tierSorter } from "./tiers.ts";

const heap = new Heap();
const draw = random(11);
const ROWS = 1000;
const bins = heap.u8(8 * ROWS);
for (let i = 0; i < bins.length; i++) bins[i] = below(draw, i % 8 === 0 ? 3 : 256);
const words = heap.i32(2 * ROWS);
for (let i = 0; i < ROWS; i++) {
  words[2 * i] = below(draw, 4_000_000);
  words[2 * i + 1] = below(draw, 4_000_000) - 2_000_000;
}
const rows = heap.u32(ROWS);
let count = 0;
for (let i = 0; i < ROWS; i++) if (draw() < 0.6) rows[count++] = i;

describe("the kernels are there", () => {
  it("so that the tests below compare two things", () => expect(kernels()).not.toBeNull());
});

describe("histograms", () => {
  it.each([0, 1, 3, 255, 256, 257, 600])("the kernel and its twin sum the same words over %i rows", (n) => {
    const [fast, slow] = [heap.i32(2 * 8 * 256), new Int32Array(2 * 8 * 256)];
    sumContiguous(bins, 0, words, 0, n, fast, 0);
    plainHistogram.sumContiguous(bins, 0, words, 0, n, slow, 0);
    sumRows(bins, 0, 8, rows, 0, words, 2, Math.min(n, count), fast, 0);
    plainHistogram.sumRows(bins, 0, 8, rows, 0, words, 2, Math.min(n, count), slow, 0);
    expect(Array.from(fast)).toEqual(Array.from(slow));
  });

  it.each([0, 5, 256, 1000])("rows with the usual bins are summed apart, and %i rows give the same", (n) => {
    const [defaults, many] = [heap.u8(8), heap.u8(8 * ROWS)];
    defaults.set([0, 7, 255, 3, 0, 0, 1, 9]);
    for (let i = 0; i < ROWS; i++) many.set(draw() < 0.7 ? defaults : bins.subarray(8 * i, 8 * i + 8), 8 * i);
    const [fast, slow] = [heap.i32(2 * 8 * 256), new Int32Array(2 * 8 * 256)];
    sumContiguous(many, 0, words, 0, n, fast, 0, defaults);
    plainHistogram.sumContiguous(many, 0, words, 0, n, slow, 0);
    const marks = heap.u8(3 + ROWS);
    marks.fill(0).fill(0b10, 3);
    markOthers(many, 0, ROWS, defaults, 5, marks, 3);
    const slowMarks = new Uint8Array(3 + ROWS).fill(0b10, 3);
    plainHistogram.markOthers(many, 0, ROWS, defaults, 5, slowMarks, 3);
    expect(Array.from(marks)).toEqual(Array.from(slowMarks));
    expect(new Set(marks.subarray(3))).toEqual(new Set([0b10, 0b100010]));
    sumRows(many, 0, 8, rows, 0, words, 2, Math.min(n, count), fast, 0, { bins: defaults, marks, first: 3, bit: 5 });
    plainHistogram.sumRows(many, 0, 8, rows, 0, words, 2, Math.min(n, count), slow, 0);
    expect(Array.from(fast)).toEqual(Array.from(slow));
    clearEntries(fast, 256, 3);
    slow.fill(0, 512, 518);
    expect(Array.from(fast)).toEqual(Array.from(slow));
  });

  it("a word of two halves never carries from one to the other", () => {
    const [one, into] = [heap.i32(2), heap.i32(2 * 8 * 256)];
    one.set([-1, -1]); // Hessian 2^32 - 1, gradient -1
    sumContiguous(heap.u8(8), 0, one, 0, 1, into, 0);
    expect([into[0]! >>> 0, into[1]]).toEqual([4294967295, -1]);
  });

  it.each([
    [1, true],
    [1, false],
    [3, true],
  ])("derivatives %i apart are packed alike, with curvatures: %s", (stride, hessians) => {
    const [gradient, hessian] = [heap.f64(ROWS * stride), heap.f64(ROWS * stride)];
    for (let i = 0; i < gradient.length; i++) {
      gradient[i] = draw() - 0.5;
      hessian[i] = draw() - 0.1;
    }
    hessian[7 * stride] = 4.2; // beyond 2^31 units
    const units = { gradient: 2 ** 31, hessian: 2 ** 29 };
    for (const [from, to] of [
      [0, ROWS],
      [3, 4],
      [5, 12],
      [9, 9],
    ] as const) {
      const [fast, slow] = [heap.i32(2 * ROWS), new Int32Array(2 * ROWS)];
      const given = [gradient, hessians ? hessian : undefined, stride - 1, stride, from, to, units] as const;
      expect(packGradients(...given, fast)).toBe(plainHistogram.packGradients(...given, slow));
      expect(Array.from(fast)).toEqual(Array.from(slow));
    }
  });

  it("picked and subtracted words agree too", () => {
    const [fast, slow] = [heap.i32(2 * ROWS), new Int32Array(2 * ROWS)];
    gatherEntries(words, rows, 3, count - 3, fast, 1);
    plainHistogram.gatherEntries(words, rows, 3, count - 3, slow, 1);
    expect(Array.from(fast)).toEqual(Array.from(slow));
    // The whole holds at least the part's Hessian, as a parent's histogram does.
    for (let i = 0; i < 200; i += 2) slow[i]! += slow[200 + i]!;
    fast.set(slow);
    subtractEntries(fast, 0, 100, 100);
    plainHistogram.subtractEntries(slow, 0, 100, 100);
    expect(Array.from(fast)).toEqual(Array.from(slow));
  });
});

describe("cuts", () => {
  const histogram = heap.i32(512);
  const counts = heap.i32(256);
  for (let b = 0; b < 256; b++) {
    if (b % 3 === 2) continue; // empty
    histogram[2 * b] = below(draw, 100_000);
    histogram[2 * b + 1] = below(draw, 200_000) - 100_000;
    counts[b] = below(draw, 9);
  }
  const sumOf = (bins: number, half: number) =>
    Array.from({ length: bins }, (_, b) => histogram[2 * b + half]!).reduce((a, b) => a + b, 0);

  it.each([
    [2, false, 0, 0],
    [40, false, 0, 3000.5],
    [40, true, 0, 10],
    [255, true, 40_000, 0],
    [255, false, 1000, 7],
  ])("of %i bins, missing values %s, l1 %d and l2 %d are the same in the kernel and its twin", (size, missing, l1, l2) => {
    const all = size + (missing ? 1 : 0);
    for (const tally of [undefined, counts]) {
      const rows = Array.from(counts.subarray(0, all)).reduce((a, b) => a + b, 0);
      const terms: SplitTerms = {
        ...{ bins: size, missing, gradient: sumOf(all, 1), hessian: sumOf(all, 0) },
        ...{ l1, l2, minHessian: 1, minScore: -1, minRows: Math.min(20, Math.floor(rows / 4)), rows },
      };
      const cut = (): Split => ({ score: 0, bin: 0, missingLeft: false, gradient: 0, hessian: 0 });
      const [fast, slow] = [cut(), cut()];
      expect(bestSplit(histogram, 0, terms, tally, fast)).toBe(plainSplit.bestSplit(histogram, 0, terms, tally, slow));
      expect(fast).toEqual(slow);
    }
  });

  it("of equal scores that of the first bin is taken, by the kernel and its twin", () => {
    for (let iteration = 0; iteration < 500; iteration++) {
      const [size, missing] = [2 + below(draw, 12), iteration % 3 === 0];
      const all = size + (missing ? 1 : 0);
      const small = heap.i32(2 * all);
      for (let b = 0; b < all; b++) if (draw() < 0.6) small.set([below(draw, 3), below(draw, 5) - 2], 2 * b);
      const total = (half: number) => Array.from({ length: all }, (_, b) => small[2 * b + half]!).reduce((a, b) => a + b, 0);
      const terms: SplitTerms = {
        ...{ bins: size, missing, gradient: total(1), hessian: total(0), l1: iteration % 4 === 0 ? 1 : 0, l2: 1 },
        ...{ minHessian: 1, minScore: 0, minRows: 1, rows: all },
      };
      const cut = (): Split => ({ score: 0, bin: -1, missingLeft: false, gradient: 0, hessian: 0 });
      const ones = heap.i32(all).fill(1);
      for (const tally of [undefined, ones]) {
        const [fast, slow] = [cut(), cut()];
        expect(bestSplit(small, 0, terms, tally, fast)).toBe(plainSplit.bestSplit(small, 0, terms, tally, slow));
        expect(fast).toEqual(slow);
      }
    }
  });

  it("joint codes fold into the bins of one feature", () => {
    const table = heap.u8(256);
    for (let code = 0; code < 256; code++) table[code] = Math.floor(code / 3) % 7;
    const [fast, slow] = [heap.i32(512), new Int32Array(512)];
    unbundleHistogram(histogram, 0, 210, table, 7, fast);
    plainSplit.unbundleHistogram(histogram, 0, 210, table, 7, slow);
    expect(Array.from(fast)).toEqual(Array.from(slow));
    expect(Array.from({ length: 7 }, (_, b) => fast[2 * b]!).reduce((a, b) => a + b, 0)).toBe(sumOf(210, 0));
  });
});

describe("rows", () => {
  const right = heap.u8(256).map((_, code) => (code % 5 < 2 ? 1 : 0));

  it("are cut in two in their old order by kernel and twin", () => {
    const table = heap.u8(256);
    table.set(right);
    const [fast, slow] = [heap.u32(count), rows.slice(0, count)];
    fast.set(slow);
    const left = partitionRows(bins, 2, 8, fast, 0, count, table, heap.u32(count));
    expect(plainPartition.partitionRows(bins, 2, 8, slow, 0, count, table, new Uint32Array(count))).toBe(left);
    expect(Array.from(fast)).toEqual(Array.from(slow));
    const kept = Array.from(rows.subarray(0, count)).filter((row) => right[bins[8 * row + 2]!] === 0);
    expect(Array.from(fast.subarray(0, left))).toEqual(kept);
  });

  it("are cut alike by a copy of their column", () => {
    const table = heap.u8(256);
    table.set(right);
    const [copy, plainCopy] = [heap.u8(ROWS + 3), new Uint8Array(ROWS + 3)];
    copyColumn(bins, 2, ROWS, copy, 3);
    plainPartition.copyColumn(bins, 2, ROWS, plainCopy, 3);
    expect(copy).toEqual(plainCopy);
    const [whole, column, slow] = [heap.u32(count), heap.u32(count), rows.slice(0, count)];
    for (const one of [whole, column]) one.set(slow);
    const left = partitionRows(bins, 2, 8, whole, 0, count, table, heap.u32(count));
    expect(partitionRows(copy, 3, 1, column, 0, count, table, heap.u32(count))).toBe(left);
    expect(plainPartition.partitionRows(plainCopy, 3, 1, slow, 0, count, table, new Uint32Array(count))).toBe(left);
    expect(column).toEqual(whole);
    expect(slow).toEqual(Uint32Array.from(whole));
  });

  it("are counted and lifted alike", () => {
    const [fast, slow] = [heap.i32(256), new Int32Array(256)];
    countCodes(bins, 1, rows, 5, count - 5, fast);
    plainPartition.countCodes(bins, 1, rows, 5, count - 5, slow);
    expect(Array.from(fast)).toEqual(Array.from(slow));
    const [high, low] = [heap.f64(3 * ROWS), new Float64Array(3 * ROWS)];
    addToRows(high, 2, 3, rows, 0, count, 0.1);
    plainPartition.addToRows(low, 2, 3, rows, 0, count, 0.1);
    expect(Array.from(high)).toEqual(Array.from(low));
  });
});

describe("bins", () => {
  const values = heap.f32(400);
  values.set(Float32Array.from(values, (_, i) => (i % 17 === 0 ? Number.NaN : i % 5 === 0 ? 0 : Math.fround(draw() * 20 - 10))));

  it.each([1, 2, 4, 128])("of %i times two edges hold the same values in the kernel and its twin", (half) => {
    const edges = heap.f32(2 * half).fill(Infinity);
    edges.set(Float32Array.from({ length: half }, () => draw() * 20 - 10).sort());
    const [fast, slow] = [heap.u8(8 * 200), new Uint8Array(8 * 200)];
    const absent = binColumn(values, 1, 2, 200, edges, half, 77, 1, fast, 3);
    expect(plainBins.binColumn(values, 1, 2, 200, edges, half, 77, 1, slow, 3)).toBe(absent);
    expect(Array.from(fast)).toEqual(Array.from(slow));
    for (let i = 0; i < 200; i++) {
      const x = values[1 + 2 * i]!;
      expect(fast[3 + 8 * i]).toBe(Number.isNaN(x) ? 77 : edges.filter((edge) => edge < x).length);
    }
  });

  it("sorting puts negative, zero, infinite and tiny values in order", () => {
    const given = [3, -1e-40, 1e-40, 0, -3.5, Infinity, -Infinity, 2, 2, -3.5, 1e38, -1e38];
    const sorted = heap.f32(given.length);
    sorted.set(given);
    sortFloats(sorted, given.length, heap.f32(given.length), heap.u32(6144));
    expect(Array.from(sorted)).toEqual(Array.from(Float32Array.from(given).sort()));
  });
});

describe("forces of pairs", () => {
  // Four tiers by turns: item i has grade i % 4.
  const byTurns = (n: number) => {
    const [order, starts] = [heap.u32(n), heap.u32(5)];
    order.set(Array.from({ length: n }, (_, i) => i).sort((a, b) => (b % 4) - (a % 4) || a - b));
    const grades = [...new Set(Array.from(order, (i) => i % 4))];
    starts.set([...grades.map((grade) => order.findIndex((i) => i % 4 === grade)), n]);
    return { order, starts, count: grades.length, gains: Float64Array.from(grades, (grade) => 2 ** grade - 1) };
  };

  it.each([1, 2, 3, 8, 9, 41, 200, 300])("of %i items have the same bits in the kernel and its twin", (n) => {
    for (const [norm, weighted, spread, truncation] of [
      [true, false, 12, 30],
      [false, true, 12, 7],
      [true, true, 12, 30],
      [true, false, 9000, 30], // exponentials that no float64 could hold together
      [true, false, 0, 30],
    ] as const) {
      const scores = heap.f64(n);
      for (let i = 0; i < n; i++) scores[i] = Math.round(draw() * spread) / 4;
      const lambdas = (): LambdaInput => ({
        ...byTurns(n),
        weights: weighted ? Float32Array.from(scores, (_, i) => 1 + (i % 3)) : undefined,
        discounts: Float64Array.from(scores, (_, p) => 1 / (p + 2)),
        ...{ truncation, sigmoid: 1.5, norm, scale: 0.25, dcg: 0 },
      });
      const [a, b, c, d] = [heap.f64(n), heap.f64(n), new Float64Array(n), new Float64Array(n)];
      const [fast, slow] = [lambdas(), lambdas()];
      expect(lambdaGradients(scores, fast, a, b)).toBe(plainLambda.lambdaGradients(scores, slow, c, d));
      expect([Array.from(a), Array.from(b), fast.dcg]).toEqual([Array.from(c), Array.from(d), slow.dcg]);
    }
  });

  it("of lists of all sorts have the same bits too", () => {
    const sort = tierSorter();
    for (let iteration = 0; iteration < 600; iteration++) {
      const n = 1 + below(draw, iteration % 20 === 0 ? 300 : 24);
      const scores = heap.f64(n);
      for (let i = 0; i < n; i++) scores[i] = draw() * (iteration % 3 === 0 ? 1 : 30);
      const grades = Float32Array.from(scores, () => below(draw, 1 + (iteration % 7)));
      const { order, starts, count } = sort(grades);
      const gains = Float64Array.from({ length: count }, (_, t) => 2 ** grades[order[starts[t]!]!]! - 1);
      const lambdas = (): LambdaInput => ({
        ...{ order, starts, count, gains, weights: iteration % 4 === 0 ? Float32Array.from(scores, () => draw()) : undefined },
        discounts: Float64Array.from(scores, (_, p) => 1 / (p + 2)),
        ...{ truncation: 1 + below(draw, 12), sigmoid: 1, norm: iteration % 2 === 0, scale: 1, dcg: 0 },
      });
      const [a, b, c, d] = [heap.f64(n), heap.f64(n), new Float64Array(n), new Float64Array(n)];
      const given = lambdas();
      expect(lambdaGradients(scores, { ...given }, a, b)).toBe(plainLambda.lambdaGradients(scores, { ...given }, c, d));
      expect([Array.from(a), Array.from(b)]).toEqual([Array.from(c), Array.from(d)]);
    }
  });

  it.each([3, 4, 5, 6])("are those of the definition, pair by pair, with %i places counted", (truncation) => {
    const n = truncation + 3;
    const scores = heap.f64(n);
    for (let i = 0; i < n; i++) scores[i] = 3 * draw();
    const { gains, ...tiers } = byTurns(n);
    const discounts = Float64Array.from(scores, (_, p) => 1 / Math.log2(p + 2));
    const lambdas = { ...tiers, gains, discounts, weights: undefined, truncation, sigmoid: 2, norm: false, scale: 0.5, dcg: 0 };
    const [gradient, hessian] = [heap.f64(n), heap.f64(n)];
    lambdaGradients(scores, lambdas, gradient, hessian);
    const rank = (i: number) => scores.filter((s) => s > scores[i]!).length;
    const [pull, curvature] = [new Float64Array(n), new Float64Array(n)];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        if (i % 4 <= j % 4 || Math.min(rank(i), rank(j)) >= truncation) continue;
        const delta = 0.5 * (2 ** (i % 4) - 2 ** (j % 4)) * Math.abs(discounts[rank(i)]! - discounts[rank(j)]!);
        const miss = 1 / (1 + Math.exp(2 * (scores[i]! - scores[j]!)));
        pull[i]! -= 2 * delta * miss;
        pull[j]! += 2 * delta * miss;
        for (const one of [i, j]) curvature[one]! += 4 * delta * miss * (1 - miss);
      }
    for (let i = 0; i < n; i++) {
      expect(gradient[i]).toBeCloseTo(pull[i]!, 12);
      expect(hessian[i]).toBeCloseTo(curvature[i]!, 12);
    }
  });

  it("of scores that are not numbers are none", () => {
    const scores = heap.f64(3);
    scores.set([1, Number.NaN, 2]);
    for (const lambdas of [lambdaGradients, plainLambda.lambdaGradients]) {
      const [gradient, hessian] = [heap.f64(3), heap.f64(3)];
      const given = { ...byTurns(3), weights: undefined, discounts: Float64Array.of(1, 0.6, 0.5), truncation: 30, sigmoid: 1 };
      expect(lambdas(scores, { ...given, norm: true, scale: 1, dcg: 0 }, gradient, hessian)).toBeNaN();
      expect([...gradient, ...hessian].every(Number.isNaN)).toBe(true);
    }
  });
});
