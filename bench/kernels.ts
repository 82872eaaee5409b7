/**
 * How fast is each kernel beside its plain fallback, on one core? Machines are shared, so work is timed in pieces of a few milliseconds,
 * which often run undisturbed, and each piece counts with the best of many alternating runs.
 */
import { Builder } from "../src/data/builder.ts";
import { svmlightRows } from "../src/formats/data/svmlight.ts";
import { Heap, heap } from "../src/numeric/heap.ts";
import { sumContiguous, sumRows } from "../src/numeric/histogram.ts";
import * as pairs from "../src/numeric/index-values.ts";
import { SLACK } from "../src/numeric/index-values.ts";
import { columnSlice, type MatrixView, matmul, matrixView, rowSlice, transposed } from "../src/numeric/matmul.ts";
import * as plainHistogram from "../src/numeric/plain/histogram.ts";
import * as plainPairs from "../src/numeric/plain/index-values.ts";
import * as plainProducts from "../src/numeric/plain/matmul.ts";
import * as plainRows from "../src/numeric/plain/rows.ts";
import * as plainTiers from "../src/numeric/plain/tier-cost.ts";
import { random } from "../src/numeric/random.ts";
import * as rows from "../src/numeric/rows.ts";
import { DOUBLE, type TierList, tierCost } from "../src/numeric/tier-cost.ts";
import { mslr, svmlight as svmlightText } from "./mslr.ts";

interface Case {
  readonly name: string;
  readonly unit: string;
  readonly amount: number; // units done by one call, or by all pieces
  readonly kernel: Act | readonly Act[];
  readonly twin: Act;
  readonly small?: number; // the share of the amount that a call of the counterpart does
}

type Act = () => void;

const draw = random(1);

function filled<A extends Float64Array | Float32Array>(array: A, value: () => number): A {
  for (let i = 0; i < array.length; i++) array[i] = value();
  return array;
}

const M = 1e6;

const FEATURES = 136;
const DOCUMENTS = 1200; // ten lists, beyond the second cache
const features = filled(heap.f32(FEATURES * DOCUMENTS), draw);
const weights = filled(heap.f64(FEATURES), draw);
const scores = filled(heap.f64(DOCUMENTS), draw);
const onRows = (name: string, kernel: () => void, fallback: () => void): Case => ({
  ...{ name, kernel, twin: fallback, unit: "M/s" },
  amount: (FEATURES * DOCUMENTS) / M,
});

const [BATCH, HIDDEN, LABELS] = [128, 256, 31_000];
const hidden = matrixView(filled(heap.f32(BATCH * HIDDEN), draw), BATCH, HIDDEN);
const output = matrixView(filled(heap.f32(HIDDEN * LABELS), draw), HIDDEN, LABELS);
const logits = matrixView(filled(heap.f32(BATCH * LABELS), draw), BATCH, LABELS);
const SLAB = 1000;
const slabs = Array.from({ length: LABELS / SLAB }, (_, i) => [i * SLAB, (i + 1) * SLAB] as const);

/** The counterpart is slow, so it does four rows of the first piece only. */
const onMatrices = (name: string, pieces: readonly (readonly [MatrixView, MatrixView, MatrixView, "set" | "add"])[]): Case => {
  const [a, b, c, how] = pieces[0]!;
  return {
    ...{ name, unit: "GFLOP/s", amount: (2 * BATCH * HIDDEN * LABELS) / 1e9 },
    kernel: pieces.map(
      ([a, b, c, how]) =>
        () =>
          matmul(a, b, c, how),
    ),
    twin: () => plainProducts.matmul(rowSlice(a, 0, 4), b, rowSlice(c, 0, 4), how),
    small: 4 / c.rows / pieces.length,
  };
};

// Lists of 120 items in five skewed grades, as search engines have them.
const ITEMS = 120;
const lists = Array.from({ length: 50 }, (): TierList => {
  const grades = Array.from({ length: ITEMS }, () => {
    const place = draw();
    return [0.52, 0.76, 0.92, 0.975, 1].findIndex((fraction) => place < fraction);
  });
  const sizes = [4, 3, 2, 1, 0].map((grade) => grades.filter((one) => one === grade).length).filter((size) => size > 0);
  const starts = heap.u32(sizes.length + 1);
  for (const [t, size] of sizes.entries()) starts[t + 1] = starts[t]! + size;
  return {
    ...{ n: ITEMS, count: sizes.length, starts, weights: heap.f64(sizes.length).fill(1) },
    ...{ scores: filled(heap.f64(ITEMS), () => 3 * draw()), gradient: heap.f64(ITEMS), hessian: heap.f64(ITEMS) },
  };
});
const onLists = (cost: typeof tierCost) => () => {
  for (const list of lists) cost(list, DOUBLE, true);
};

// Text in the shape of MSLR-WEB, more than 100 MB, parsed with all its checks to rows of a matrix; and the pairs of its beginning alone.
const made = mslr(95_000, 1);
const text = Buffer.concat(
  Array.from({ length: made.starts.length - 1 }, (_, list) => Buffer.from(svmlightText(made, list, list + 1))),
);
const placed = heap.u8(text.length + SLACK);
placed.set(text);
const ordinary = new Uint8Array(text.length + SLACK);
ordinary.set(text);
const cutsOfText = [0];
while (cutsOfText.at(-1)! < text.length)
  cutsOfText.push(text.indexOf(10, Math.min(text.length - 1, cutsOfText.at(-1)! + 2 * M)) + 1);
const parse = (bytes: Uint8Array, piece: number, parts: { scratch?: Heap; heap?: Heap }) => {
  const builder = new Builder(parts);
  builder.cells.expected = () => 3000;
  svmlightRows("made up", builder, {}).rows(bytes, cutsOfText[piece]!, cutsOfText[piece + 1]!);
  builder.finish();
};
const onPairs = (
  read: typeof pairs.readIndexValues,
  make: { u32(n: number): Uint32Array; f32(n: number): Float32Array },
  bytes: Uint8Array,
) => {
  const [state, numbers, values] = [make.u32(2), make.u32(1 << 10), make.f32(1 << 10)];
  return () => {
    for (let at = 0; at < cutsOfText[1]!; at = state[0]! + 1) {
      for (at++; bytes[at] !== 32; ) at++; // after the label
      for (at++; bytes[at] !== 32; ) at++; // after the qid
      state[0] = at;
      state[1] = 0;
      read(bytes, state, numbers, values, 1 << 10, 0);
    }
  };
};
const onText: Case[] = [
  {
    ...{ name: "readPairs", unit: "MB/s", amount: cutsOfText[1]! / M },
    kernel: onPairs(pairs.readIndexValues, heap, placed),
    twin: onPairs(plainPairs.readIndexValues, { u32: (n) => new Uint32Array(n), f32: (n) => new Float32Array(n) }, ordinary),
  },
  {
    ...{ name: `svmlight, ${Math.round(text.length / M)} MB of text`, unit: "MB/s", amount: text.length / M },
    kernel: cutsOfText.slice(1).map((_, piece) => () => {
      const [scratch, matrix] = [new Heap(), new Heap()];
      parse(placed, piece, { scratch, heap: matrix });
      for (const one of [scratch, matrix]) one.close();
    }),
    twin: () => parse(ordinary, 0, {}),
    small: cutsOfText[1]! / text.length,
  },
];

const ROWS = 20_000;
const coded = heap.u8(8 * ROWS);
for (let i = 0; i < coded.length; i++) coded[i] = Math.floor(draw() * 255);
const words = heap.i32(2 * ROWS);
for (let i = 0; i < words.length; i++) words[i] = Math.floor(draw() * 100_000);
const everyThird = heap.u32(Math.floor(ROWS / 3));
for (let i = 0; i < everyThird.length; i++) everyThird[i] = 3 * i;
const sums = heap.i32(2 * 8 * 256);
const onHistogram = (name: string, rows: number, kernel: () => void, fallback: () => void): Case => ({
  ...{ name, kernel, twin: fallback, unit: "M/s", amount: (8 * rows) / M },
});

const cases: Case[] = [
  onHistogram(
    "histogram updates, rows in a run",
    ROWS,
    () => sumContiguous(coded, 0, words, 0, ROWS, sums.fill(0), 0),
    () => plainHistogram.sumContiguous(coded, 0, words, 0, ROWS, sums.fill(0), 0),
  ),
  onHistogram(
    "histogram updates, every third row",
    everyThird.length,
    () => sumRows(coded, 0, 8, everyThird, 0, words, 0, everyThird.length, sums.fill(0), 0),
    () => plainHistogram.sumRows(coded, 0, 8, everyThird, 0, words, 0, everyThird.length, sums.fill(0), 0),
  ),
  onRows(
    "rowsTimesVector 1200 x 136",
    () => rows.rowsTimesVector(features, weights, scores),
    () => plainRows.rowsTimesVector(features, weights, scores),
  ),
  onRows(
    "vectorTimesRows 1200 x 136",
    () => rows.vectorTimesRows(scores, features, weights.fill(0)),
    () => plainRows.vectorTimesRows(scores, features, weights.fill(0)),
  ),
  {
    name: "tierCost, 120 items in five grades",
    unit: "lists/ms",
    amount: lists.length / 1000,
    kernel: onLists(tierCost),
    twin: onLists(plainTiers.tierCost),
  },
  ...onText,
  onMatrices(
    "product 128 x 256 by 256 x 31,000",
    slabs.map(([from, to]) => [hidden, columnSlice(output, from, to), columnSlice(logits, from, to), "set"]),
  ),
  onMatrices(
    "product for its input's gradient",
    slabs.map(([from, to]) => [columnSlice(logits, from, to), transposed(columnSlice(output, from, to)), hidden, "add"]),
  ),
  onMatrices(
    "product for its weights' gradient",
    slabs.map(([from, to]) => [transposed(hidden), columnSlice(logits, from, to), columnSlice(output, from, to), "set"]),
  ),
];

/** Seconds that one call takes, over many. */
function seconds(act: Act, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) act();
  return (performance.now() - start) / 1000 / calls;
}

const WARM = 400; // milliseconds of processor time after which an engine has compiled what it will

/** How often to call for two milliseconds. Called first until it is compiled: an engine interprets plain code at a tenth of its speed. */
const callsFor = (act: Act) => {
  const used = () => process.cpuUsage().user / 1000;
  const start = used();
  let best = seconds(act, 1);
  for (let call = 0; call < 10_000 && used() - start < WARM; call++) best = Math.min(best, seconds(act, 1));
  return Math.max(1, Math.round(0.002 / best));
};

console.log(`${"kernel".padEnd(36)}${"compiled".padStart(10)}${"plain".padStart(10)}  ${"unit".padEnd(8)}${"ratio".padStart(7)}`);
for (const { name, unit, amount, kernel, twin: fallback, small = 1 } of cases) {
  const pieces = (typeof kernel === "function" ? [kernel] : kernel).map((act) => ({ act, calls: callsFor(act), best: Infinity }));
  const calls = callsFor(fallback);
  let theirs = Infinity;
  for (let run = 0; run < (calls === 1 ? 8 : 40); run++) {
    theirs = Math.min(theirs, seconds(fallback, calls) / small);
    for (const one of pieces) one.best = Math.min(one.best, seconds(one.act, one.calls));
  }
  const ours = pieces.reduce((sum, { best }) => sum + best, 0);
  const show = (rate: number) => (rate < 100 ? rate.toFixed(1) : rate.toFixed(0)).padStart(10);
  const ratio = (theirs / ours).toFixed(1).padStart(7);
  console.log(`${name.padEnd(36)}${show(amount / ours)}${show(amount / theirs)}  ${unit.padEnd(8)}${ratio}`);
}
