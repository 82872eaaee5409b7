/** How fast is each kernel beside its plain twin, on one core? The best of several alternating runs, since machines are shared. */
import { heap } from "../src/numeric/heap.ts";
import * as plainProducts from "../src/numeric/plain/products.ts";
import * as plainRows from "../src/numeric/plain/rows.ts";
import * as plainVectors from "../src/numeric/plain/vectors.ts";
import { product, transposed, type Window, window } from "../src/numeric/products.ts";
import { random } from "../src/numeric/random.ts";
import * as rows from "../src/numeric/rows.ts";
import * as vectors from "../src/numeric/vectors.ts";

interface Case {
  readonly name: string;
  readonly unit: string;
  readonly amount: number; // units done by one call
  kernel(): void;
  twin(): void;
  readonly small?: number; // the share of the amount that a call of the twin does
}

const draw = random(1);

function filled<A extends Float64Array | Float32Array>(array: A, value: () => number): A {
  for (let i = 0; i < array.length; i++) array[i] = value();
  return array;
}

const N = 4096; // both vectors fit the first cache
const x = filled(heap.f64(N), () => (draw() - 0.5) * 60);
const positive = filled(heap.f64(N), () => draw() * 100);
const y = heap.f64(N);

const M = 1e6;
const onVectors = (name: string, kernel: () => void, twin: () => void): Case => ({
  name,
  unit: "M/s",
  amount: N / M,
  kernel,
  twin,
});

const FEATURES = 136;
const DOCUMENTS = 1200; // ten lists, beyond the second cache
const features = filled(heap.f32(FEATURES * DOCUMENTS), draw);
const weights = filled(heap.f64(FEATURES), draw);
const scores = filled(heap.f64(DOCUMENTS), draw);
const onRows = (name: string, kernel: () => void, twin: () => void): Case => ({
  ...{ name, kernel, twin, unit: "M/s" },
  amount: (FEATURES * DOCUMENTS) / M,
});

const [BATCH, HIDDEN, LABELS] = [128, 256, 31_000];
const hidden = window(filled(heap.f32(BATCH * HIDDEN), draw), BATCH, HIDDEN);
const output = window(filled(heap.f32(HIDDEN * LABELS), draw), HIDDEN, LABELS);
const logits = window(filled(heap.f32(BATCH * LABELS), draw), BATCH, LABELS);
const few = (m: Window, count: number): Window => ({ ...m, rows: count });
const onMatrices = (name: string, a: Window, b: Window, c: Window): Case => ({
  ...{ name, unit: "GFLOP/s", amount: (2 * BATCH * HIDDEN * LABELS) / 1e9 },
  kernel: () => product(a, b, c),
  // The twin is slow, so it does a few rows only.
  twin: () => plainProducts.product(few(a, 4), b, few(c, 4), "set"),
  small: 4 / c.rows,
});

const cases: Case[] = [
  onVectors(
    "exp",
    () => vectors.expAll(x, y),
    () => plainVectors.expAll(x, y),
  ),
  onVectors(
    "expm1",
    () => vectors.expm1All(x, y),
    () => plainVectors.expm1All(x, y),
  ),
  onVectors(
    "log",
    () => vectors.logAll(positive, y),
    () => plainVectors.logAll(positive, y),
  ),
  onVectors(
    "log1p",
    () => vectors.log1pAll(positive, y),
    () => plainVectors.log1pAll(positive, y),
  ),
  onVectors(
    "logSumExp",
    () => void vectors.logSumExp(x),
    () => void plainVectors.logSumExp(x),
  ),
  onVectors(
    "softmax",
    () => void vectors.softmax(x, y),
    () => void plainVectors.softmax(x, y),
  ),
  onVectors(
    "dot",
    () => void vectors.dot(x, positive),
    () => void plainVectors.dot(x, positive),
  ),
  onVectors(
    "axpy",
    () => vectors.axpy(1e-9, x, positive),
    () => plainVectors.axpy(1e-9, x, positive),
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
  onMatrices("product 128 x 256 by 256 x 31,000", hidden, output, logits),
  onMatrices("product for its input's gradient", logits, transposed(output), hidden),
  onMatrices("product for its weights' gradient", transposed(hidden), logits, output),
];

/** Seconds that one call takes, over many. */
function seconds(act: () => void, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) act();
  return (performance.now() - start) / 1000 / calls;
}

const callsFor = (act: () => void) => {
  act();
  return Math.max(1, Math.round(0.02 / seconds(act, 1)));
};

console.log(`${"kernel".padEnd(36)}${"compiled".padStart(10)}${"plain".padStart(10)}  ${"unit".padEnd(8)}${"ratio".padStart(7)}`);
for (const { name, unit, amount, kernel, twin, small = 1 } of cases) {
  let [ours, theirs] = [Infinity, Infinity];
  const [oursCalls, theirCalls] = [callsFor(kernel), callsFor(twin)];
  for (let run = 0; run < 15; run++) {
    ours = Math.min(ours, seconds(kernel, oursCalls));
    theirs = Math.min(theirs, seconds(twin, theirCalls) / small);
  }
  const show = (rate: number) => (rate < 100 ? rate.toFixed(1) : rate.toFixed(0)).padStart(10);
  const ratio = (theirs / ours).toFixed(1).padStart(7);
  console.log(`${name.padEnd(36)}${show(amount / ours)}${show(amount / theirs)}  ${unit.padEnd(8)}${ratio}`);
}
