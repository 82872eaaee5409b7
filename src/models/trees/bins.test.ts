import { describe, expect, it } from "vitest";
import { packGradients } from "../../numeric/histogram.ts";
import { random } from "../../numeric/random.ts";
import { soloTeam } from "../../teams/solo.ts";
import { findFeatures } from "./binned-dataset.ts";
import { findCategories, findEdges } from "./bins.ts";
import { makeLayout } from "./layout.ts";
import { unitsFor } from "./quantize.ts";
import { binOf } from "./row-binner.ts";

const edges = (values: readonly number[], most: number, fewest = 1) =>
  Array.from(findEdges(Float32Array.from(values), most, fewest));

describe("bins", () => {
  it("few values have one each, with edges midway", () => expect(edges([1, 1, 2, 4, 8], 10)).toEqual([1.5, 3, 6]));

  it("of fewer rows than wanted are joined with the next", () => expect(edges([1, 2, 2, 3, 4, 5], 10, 3)).toEqual([2.5]));

  it("hold about equal numbers of rows where values are many", () => {
    const values = Array.from({ length: 1000 }, (_, i) => i + 1);
    expect(edges(values, 4)).toEqual([250.5, 500.5, 750.5]);
  });

  it("a value with more rows than a bin's share stands alone, and so does zero", () => {
    const values = [
      ...Array.from({ length: 100 }, (_, i) => -1 - i / 100),
      0,
      0,
      0,
      ...Array.from({ length: 100 }, (_, i) => 1 + i / 100),
      ...new Array(200).fill(3),
    ].sort((a, b) => a - b);
    const found = edges(values, 8);
    expect(found.length).toBeLessThanOrEqual(7);
    expect(found).toContain(-0.5);
    expect(found).toContain(0.5);
    expect(found.filter((edge) => edge > 1.99 && edge < 3).length).toBe(1);
  });

  it("between neighbouring float32 values the edge is the lower one", () => {
    const next = 1 + 2 ** -23;
    expect(edges([1, next], 4)).toEqual([1]);
  });

  it("one value or none has no edge", () => {
    expect(edges([5, 5, 5], 4)).toEqual([]);
    expect(edges([], 4)).toEqual([]);
  });

  it("of categories go to the most frequent", () =>
    expect(Array.from(findCategories(Float32Array.from([1, 2, 2, 3, 3, 3, 9]), 2))).toEqual([2, 3]));
});

describe("features that are found", () => {
  it("have their most frequent bin marked, a bit for each of up to 2048 rows at equal distances", () => {
    for (const rows of [1, 31, 32, 33, 100, 2048, 5000]) {
      const values = Float32Array.from({ length: 2 * rows }, (_, i) =>
        i % 2 === 0 ? Math.floor(i / 2) % 3 : i % 5 === 0 ? 7 : 1,
      );
      const options = { most: 8, fewest: 1, categorical: new Set<number>() };
      const { features, defaultBins } = findFeatures(soloTeam(), { kind: "dense", rows, columns: 2, values }, options);
      const looked = Math.min(rows, 2048);
      expect(defaultBins.rows).toBe(looked);
      for (const f of [0, 1]) {
        const bins = Array.from({ length: looked }, (_, i) =>
          binOf(values[2 * Math.floor((i * rows) / looked) + f]!, features[f]!),
        );
        const countOf = (bin: number) => bins.filter((one) => one === bin).length;
        expect(countOf(defaultBins.bins[f]!)).toBe(Math.max(...bins.map(countOf)));
        const words = defaultBins.marks.subarray(f * defaultBins.wordsPerFeature, (f + 1) * defaultBins.wordsPerFeature);
        const marked = bins.map((_, i) => ((words[i >> 5] ?? 0) >>> (i & 31)) & 1);
        expect(marked).toEqual(bins.map((bin) => (bin === defaultBins.bins[f] ? 1 : 0)));
      }
    }
  });
});

describe("layout", () => {
  it("small features share a column as long as their joint codes fit a byte", () => {
    const { columns, groups, slots } = makeLayout([256, 16, 16, 1, 2]);
    expect([columns, groups]).toEqual([3, 1]);
    expect(slots).toEqual([
      { column: 0, step: 1, codes: 256 },
      { column: 1, step: 1, codes: 256 },
      { column: 1, step: 16, codes: 256 },
      undefined,
      { column: 2, step: 1, codes: 2 },
    ]);
  });
});

describe("columns that are silent together", () => {
  it("come into one group, whose usual codes are told", () => {
    // 20 features of 200 bins in 64 rows: the odd ones have bin 5 in the first 48 rows, the even ones are as good as never alike.
    const marks = new Uint32Array(40);
    for (let f = 1; f < 20; f += 2) marks.set([0xffffffff, 0xffff], 2 * f);
    const defaultBins = { bins: new Int32Array(20).fill(5), marks, wordsPerFeature: 2, rows: 64 };
    const { groups, slots, defaultBins: codes } = makeLayout(new Array(20).fill(200), defaultBins);
    expect(groups).toBe(3);
    // The group that is quick to sum lies between the slow ones.
    expect(codes).toEqual([undefined, new Uint8Array(8).fill(5), undefined]);
    const together = [1, 3, 5, 7, 9, 11, 13, 15];
    expect(together.map((f) => slots[f]!.column)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(new Set(slots.map((slot) => slot!.column)).size).toBe(20);
  });
  it("are spread evenly over lines of eight groups, halves and pairs of them", () => {
    // 104 features make 13 groups, of which the last 5 are silent together.
    const marks = new Uint32Array(208);
    for (let f = 64; f < 104; f++) marks.set([0xffffffff, 0xffff], 2 * f);
    const { defaultBins } = makeLayout(new Array(104).fill(200), {
      bins: new Int32Array(104),
      marks,
      wordsPerFeature: 2,
      rows: 64,
    });
    const slow = defaultBins.map((codes) => Number(codes === undefined));
    expect(slow).toEqual([1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    const among = (from: number, to: number) => slow.slice(from, to).reduce((a, b) => a + b, 0);
    expect([among(0, 4), among(4, 8), among(8, 12)]).toEqual([3, 2, 2]);
  });

  it("need the same bin in two of five rows, whichever these are", () => {
    const draw = random(3);
    for (let trial = 0; trial < 100; trial++) {
      const rows = Array.from({ length: 32 }, () => draw() < 0.4);
      const alike = rows.filter(Boolean).length;
      const word = rows.reduce((bits, is, row) => (is ? bits | (1 << row) : bits), 0);
      const marks = new Uint32Array(8).fill(word);
      const { defaultBins } = makeLayout(new Array(8).fill(200), {
        bins: new Int32Array(8),
        marks,
        wordsPerFeature: 1,
        rows: 32,
      });
      expect(defaultBins[0] !== undefined, `${alike} of 32`).toBe(alike >= 0.4 * 32);
    }
  });
});

describe("units", () => {
  it("are powers of two under which no sum overflows its half", () => {
    for (const [gradients, hessians, rows] of [
      [1e-9, 3e-12, 1000],
      [5e6, 7e8, 100_000],
      [0, 0, 10],
    ] as const) {
      const { gradient, hessian } = unitsFor(gradients, hessians, rows);
      expect(Number.isInteger(Math.log2(gradient)) && Number.isInteger(Math.log2(hessian))).toBe(true);
      expect(gradients * gradient + rows / 2).toBeLessThan(2 ** 31);
      expect(hessians * hessian + rows / 2).toBeLessThan(2 ** 32);
      if (gradients > 0) expect(2 * gradients * gradient).toBeGreaterThan(2 ** 30);
    }
  });

  it("pack gradients with their sign and curvatures up to the last bit", () => {
    const words = new Int32Array(6);
    const most = packGradients(
      Float64Array.from([-1.5, 2.4, 0]),
      Float64Array.from([4294967290, 1, -3]),
      ...([0, 1, 0, 3, { gradient: 2, hessian: 1 }, words] as const),
    );
    expect([most, words[0]! >>> 0, words[1], words[2], words[3], words[4]]).toEqual([4294967290, 4294967290, -3, 1, 5, 0]);
  });
});

describe("the bin of a value", () => {
  it("is how many edges are below it; of a category, its place; and one more than there are for what is missing or unknown", () => {
    const numbers = { edges: Float32Array.of(-1, 0, 2), bins: 4, categorical: false };
    expect([-3, -1, -0.5, 0, 1, 2, 7, Number.NaN].map((value) => binOf(value, numbers))).toEqual([0, 0, 1, 1, 2, 2, 3, 4]);
    const categories = { edges: Float32Array.of(0, 3, 1), bins: 3, categorical: true };
    expect([0, 3, 1, 2, Number.NaN].map((value) => binOf(value, categories))).toEqual([0, 1, 2, 3, 3]);
  });
});
