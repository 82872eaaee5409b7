/** Where one of its arrays lies outside the memory of the kernels, a function leaves all of the work to its plain twin. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { binColumn, sortFloats } from "./bins.ts";
import { addGramRow, gramRows, solveGram } from "./gram-hinge.ts";
import { solveHinge } from "./hinge.ts";
import { clearEntries, gatherEntries, markOthers, packGradients, subtractEntries, sumContiguous, sumRows } from "./histogram.ts";
import { readIndexValues, scatterRows } from "./index-values.ts";
import { lambdaGradients } from "./lambda.ts";
import {
  adamCatchUp,
  adamRows,
  adamStep,
  columnSums,
  expSumRows,
  gatherRows,
  hingePairs,
  logisticPairs,
  scaleRows,
} from "./network.ts";
import { addToRows, copyColumn, countCodes, partitionRows } from "./partition.ts";
import { rowsTimesVector, vectorTimesRows } from "./rows.ts";
import { bestSplit, unbundleHistogram } from "./split.ts";

type Functions = Readonly<Record<string, unknown>>;

const mocks = vi.hoisted(() => {
  const inside = new Set<unknown>();
  const served: string[] = [];
  const serve = (who: string) => () => void served.push(who);
  const kernels = new Proxy({}, { get: () => serve("kernel") });
  return {
    ...{ inside, served },
    twins: async (original: () => Promise<Functions>) =>
      Object.fromEntries(
        Object.entries(await original()).map(([name, value]) => [name, typeof value === "function" ? serve("plain") : value]),
      ),
    heap: async (original: () => Promise<Functions>) => ({
      ...(await original()),
      isInHeap: (array: unknown) => inside.has(array),
    }),
    kernels: async (original: () => Promise<Functions>) => ({
      ...(await original()),
      kernels: () => kernels,
      kernelsFor: (...arrays: readonly unknown[]) => (arrays.every((one) => inside.has(one)) ? kernels : null),
      kernelScratch: () => ({ address: 0, f64: new Float64Array(100), f32: new Float32Array(100), i32: new Int32Array(100) }),
    }),
  };
});
vi.mock("./heap.ts", mocks.heap);
vi.mock("./kernels.ts", mocks.kernels);
vi.mock("./plain/bins.ts", mocks.twins);
vi.mock("./plain/gram-hinge.ts", mocks.twins);
vi.mock("./plain/hinge.ts", mocks.twins);
vi.mock("./plain/histogram.ts", mocks.twins);
vi.mock("./plain/index-values.ts", mocks.twins);
vi.mock("./plain/lambda.ts", mocks.twins);
vi.mock("./plain/network.ts", mocks.twins);
vi.mock("./plain/partition.ts", mocks.twins);
vi.mock("./plain/rows.ts", mocks.twins);
vi.mock("./plain/split.ts", mocks.twins);

const u8 = () => new Uint8Array(64);
const u32 = () => new Uint32Array(64);
const i32 = () => new Int32Array(64);
const f32 = () => new Float32Array(64);
const f64 = () => new Float64Array(64);
const sparse = () => ({ count: 2, begin: u32(), end: u32(), indices: u32(), values: f32() });
const hinge = { cost: 1, tolerance: 0.1, passes: 3 };
const adam = { beta1: 0.9, oneMinusBeta1: 0.1, beta2: 0.99, oneMinusBeta2: 0.01, step: 0.1, epsilon: 1e-8, l2: 0 };
const terms = { bins: 2, missing: false, gradient: 1, hessian: 1, l1: 0, l2: 0, minHessian: 0, minScore: 0, minRows: 0, rows: 2 };
const best = { score: 0, bin: 0, missingLeft: false, gradient: 0, hessian: 0 };
const listShape = { count: 1, gains: [1], discounts: [1], truncation: 1, sigmoid: 1, norm: false, scale: 1, dcg: 0 };
const lambdas = () => ({ ...listShape, order: u32(), starts: u32() });

/** A function and arguments that it may have. */
type Case = readonly [name: string, act: (...given: never[]) => unknown, given: () => readonly unknown[]];
const cases: readonly Case[] = [
  ["binColumn", binColumn, () => [f32(), 0, 1, 2, f32(), 1, 0, 1, u8(), 0]],
  ["sortFloats", sortFloats, () => [f32(), 2, f32(), u32()]],
  ["gramRows", gramRows, () => [sparse(), { first: u32(), next: u32(), others: u32(), factors: f32() }, f32()]],
  ["addGramRow", addGramRow, () => [f32(), 0, 2, 1, f32()]],
  ["solveGram", solveGram, () => [2, f32(), { signs: f32(), alpha: f64(), order: u32(), margins: f32() }, hinge, 1]],
  [
    "solveHinge",
    solveHinge,
    () => [sparse(), { signs: f32(), alpha: f64(), squares: f64(), order: u32(), w: f64(), bias: 0 }, hinge, 1],
  ],
  ["sumContiguous", sumContiguous, () => [u8(), 0, i32(), 0, 2, i32(), 0]],
  ["sumContiguous, default bins", sumContiguous, () => [u8(), 0, i32(), 0, 2, i32(), 0, u8()]],
  ["sumRows", sumRows, () => [u8(), 0, 8, u32(), 0, i32(), 0, 2, i32(), 0]],
  [
    "sumRows, default rows",
    sumRows,
    () => [u8(), 0, 8, u32(), 0, i32(), 0, 2, i32(), 0, { bins: u8(), marks: u8(), first: 0, bit: 1 }],
  ],
  ["markOthers", markOthers, () => [u8(), 0, 2, u8(), 0, u8(), 0]],
  ["gatherEntries", gatherEntries, () => [i32(), u32(), 0, 2, i32(), 0]],
  ["subtractEntries", subtractEntries, () => [i32(), 0, 2, 2]],
  ["packGradients", packGradients, () => [f64(), f64(), 0, 1, 0, 2, { gradient: 1, hessian: 1 }, i32()]],
  ["packGradients, no Hessian", packGradients, () => [f64(), undefined, 0, 1, 0, 2, { gradient: 1, hessian: 1 }, i32()]],
  ["readIndexValues", readIndexValues, () => [u8(), u32(), u32(), f32(), 3, 0]],
  ["scatterRows", scatterRows, () => [u32(), f32(), u32(), f32(), 2, 0, 0]],
  ["lambdaGradients", lambdaGradients, () => [f64().subarray(0, 1), lambdas(), f64(), f64()]],
  ["gatherRows", gatherRows, () => [u32(), f32(), 0, 2, f32(), f32()]],
  ["adamStep", adamStep, () => [f32(), f32(), f32(), 0, f32(), 2, adam]],
  ["adamCatchUp", adamCatchUp, () => [f32(), f32(), f32(), 0, 2, 0.1, 1e-8, 0.9, 0.99]],
  [
    "adamRows",
    adamRows,
    () => [{ count: 1, rows: u32(), starts: u32(), lines: u32(), values: f32() }, f32(), 2, f32(), f32(), f32(), adam],
  ],
  ["expSumRows", expSumRows, () => [f32(), 1, 2, f64(), f64()]],
  ["scaleRows", scaleRows, () => [f32(), 1, 2, f32()]],
  ["columnSums", columnSums, () => [f32(), 0, 1, 2, 2, f32()]],
  ["logisticPairs", logisticPairs, () => [f32(), u32(), f32(), 1, f64(), f32()]],
  ["hingePairs", hingePairs, () => [f32(), u32(), f32(), 1, f64(), f32()]],
  ["partitionRows", partitionRows, () => [u8(), 0, 1, u32(), 0, 2, u8(), u32()]],
  ["copyColumn", copyColumn, () => [u8(), 0, 2, u8(), 0]],
  ["countCodes", countCodes, () => [u8(), 0, u32(), 0, 2, i32()]],
  ["addToRows", addToRows, () => [f64(), 0, 1, u32(), 0, 2, 1]],
  ["rowsTimesVector", rowsTimesVector, () => [f32(), f64(), f64()]],
  ["vectorTimesRows", vectorTimesRows, () => [f64(), f32(), f64()]],
  ["bestSplit", bestSplit, () => [i32(), 0, terms, undefined, best]],
  ["bestSplit, counts", bestSplit, () => [i32(), 0, terms, i32(), best]],
  ["unbundleHistogram", unbundleHistogram, () => [i32(), 0, 2, u8(), 2, i32()]],
];

const arraysIn = (values: readonly unknown[]): unknown[] =>
  values.flatMap((one) => {
    if (ArrayBuffer.isView(one)) return [one];
    return typeof one === "object" && one !== null && !Array.isArray(one) ? arraysIn(Object.values(one)) : [];
  });

describe("arrays in and outside the memory of the kernels:", () => {
  const { inside, served } = mocks;
  const whoServes = (act: (...given: never[]) => unknown, given: readonly unknown[]) => {
    served.length = 0;
    act(...(given as never[]));
    return served;
  };
  beforeEach(() => inside.clear());

  it.each(cases)("%s", (_, act, make) => {
    const given = make();
    const arrays = arraysIn(given);
    for (const array of arrays) inside.add(array);
    expect(whoServes(act, given)).toEqual(["kernel"]);
    for (const [at, array] of arrays.entries()) {
      inside.delete(array);
      expect(whoServes(act, given), `array ${at} outside`).toEqual(["plain"]);
      inside.add(array);
    }
  });

  it("clearEntries, which needs no twin", () => {
    const entries = i32().fill(1);
    expect(whoServes(clearEntries, [entries, 1, 2])).toEqual([]);
    expect(Array.from(entries.subarray(0, 7))).toEqual([1, 1, 0, 0, 0, 0, 1]);
    inside.add(entries);
    expect(whoServes(clearEntries, [entries, 1, 2])).toEqual(["kernel"]);
  });
});
