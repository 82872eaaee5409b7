/** Alternating least squares for the factors W and H of leml (see index.ts): H exactly, W by conjugate gradients. */

import { cholesky, solve } from "../../numeric/cholesky.ts";
import { matmul, matrixView, rowSlice } from "../../numeric/matmul.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset, Run, Team, TopItems } from "../../types.ts";
import { allocTop, labelScores, type Network, topOf } from "../mlp/predict.ts";
import { conjugateGradients, type GradientScratch } from "../shared/conjugate-gradients.ts";
import { type Entries, entriesOf, type Transposed, transpose, withOnes } from "../shared/sparse.ts";
import {
  forBlocks,
  forValues,
  gramMatrix,
  innerProduct,
  multiplySparse,
  type TallMatrix,
  tallMatrix,
} from "../shared/tall-matrix.ts";

export interface FitOptions {
  readonly rank: number;
  readonly l2: number;
  readonly rounds: number;
  readonly steps: number;
}

/** The data, the factors, and scratch of the same shapes. */
interface Factorization extends GradientScratch {
  readonly team: Team;
  readonly rank: number;
  readonly l2: number;
  /** X with a last column of ones, and X'. */
  readonly x: Entries;
  readonly xTransposed: Transposed;
  /** Y and Y'. */
  readonly y: Entries;
  readonly yTransposed: Transposed;
  /** W: a row for each feature, and one for the ones. */
  readonly w: TallMatrix;
  /** H: a row for each label. */
  readonly h: TallMatrix;
  /** X W, or X times a direction. */
  readonly product: TallMatrix;
  /** Of the size of `product`. */
  readonly middle: TallMatrix;
  readonly rightSide: TallMatrix;
  /** H'H in float32. */
  readonly square: Float32Array;
}

/** What a checkpoint keeps. The factors of labels follow from those of features. */
type State = { readonly round: number; readonly w: Float32Array; readonly best: Network | undefined };

/** Alternates between labels and features. Every sum is one thread's, or is taken block by block. */
export function fitFactors(data: Dataset, run: Run, { rank, l2, rounds, steps }: FitOptions): Network {
  const { team, validation } = run;
  const state = begin(data, run, rank, l2);
  const network = networkOf(state);
  const shown = validation ?? data;
  let best: Network | undefined;
  let found: TopItems | undefined;
  const top = (places: number) => {
    found ??= allocTop(shown.starts.length - 1, places, team);
    return topOf(network, shown, team, found);
  };
  const scores = () => {
    const into = team.allocShared("f64", shown.labels.length);
    labelScores(network, shown, team, into);
    return into;
  };
  const restored = run.checkpoint?.restored as State | undefined;
  if (restored) {
    if (team.rank === 0) {
      state.w.values.set(restored.w);
      best = restored.best && copy(restored.best);
    }
    team.barrier();
  }
  for (let round = 1 + (restored?.round ?? 0); round <= rounds; round++) {
    solveLabels(state);
    const status = run.afterRound(round, { cost: meanCost(state), top, scores });
    if (status === "improved" && team.rank === 0 && validation) best = copy(network);
    if (status === "stop") break;
    if (round === rounds) break;
    solveFeatures(state, steps);
    run.checkpoint?.save((): State => ({ round, w: state.w.values, best }));
  }
  const result = best ?? copy(network);
  team.barrier();
  return result;
}

function begin(data: Dataset, { team, seed }: Run, rank: number, l2: number): Factorization {
  const [rows, columns, labels] = [data.features.rows, data.features.columns + 1, data.labelSpaceSize!];
  const x = withOnes(entriesOf(data.features), columns - 1);
  const y: Entries = { starts: data.starts, indices: data.items!, values: data.labels };
  const alloc = (count: number) => tallMatrix(team, count, rank);
  const state: Factorization = {
    ...{ team, rank, l2, x, xTransposed: transpose(x, columns), y, yTransposed: transpose(y, labels) },
    ...{ w: alloc(columns), h: alloc(labels), product: alloc(rows), rightSide: alloc(columns) },
    ...{ residual: alloc(columns), direction: alloc(columns), image: alloc(columns), middle: alloc(rows) },
    square: team.allocShared("f32", rank * rank),
  };
  team.parallelFor(1, () => {
    const draw = random(seed, 0x1e31);
    const { values } = state.w;
    for (let i = 0; i < values.length; i++) values[i] = (2 * draw() - 1) / Math.sqrt(rank);
  });
  return state;
}

/** The factors as they are, which change with every round, as a network. */
function networkOf({ w, h, rank }: Factorization): Network {
  const inputs = w.rows - 1;
  return {
    activation: "none",
    hidden: [{ inputs, outputs: rank, w: w.values.subarray(0, inputs * rank), b: w.values.subarray(inputs * rank) }],
    last: { inputs: rank, outputs: h.rows, w: h.values, b: new Float32Array(h.rows) },
  };
}

/** H = (A'A + l2)⁻¹ A'Y with A = X W. */
function solveLabels({ team, rank, l2, x, yTransposed, w, h, product }: Factorization): void {
  multiplySparse(team, x, w, product);
  const factor = gramMatrix(team, product);
  for (let i = 0; i < rank; i++) factor[i * rank + i] = factor[i * rank + i]! + l2;
  // Rounding can bring a pivot below the l2 that keeps it above zero.
  if (!cholesky(factor, rank, 1e-12 * l2)) factor.fill(Number.NaN); // so is the cost, which ends training with a message
  multiplySparse(team, yTransposed, product, h);
  forBlocks(team, h, (from, to) => {
    for (let label = from; label < to; label++) solve(factor, rank, h.values.subarray(label * rank, (label + 1) * rank));
  });
}

/** Conjugate gradients on X'X W H'H + l2 W = X'Y H, from where W is. */
function solveFeatures(state: Factorization, steps: number): void {
  const { team, xTransposed, y, w, h, middle, rightSide, square } = state;
  const sums = gramMatrix(team, h);
  team.parallelFor(1, () => square.set(sums));
  multiplySparse(team, y, h, middle);
  multiplySparse(team, xTransposed, middle, rightSide);
  conjugateGradients(team, (from, into) => applyOperator(state, from, into), w, rightSide, state, steps);
}

/** into = X'X from H'H + l2 from. */
function applyOperator(state: Factorization, from: TallMatrix, into: TallMatrix): void {
  const { team, rank: k, l2, x, xTransposed, product, middle, square } = state;
  multiplySparse(team, x, from, product);
  const [left, result] = [matrixView(product.values, product.rows, k), matrixView(middle.values, middle.rows, k)];
  forBlocks(team, product, (a, b) => {
    if (b > a) matmul(rowSlice(left, a, b), matrixView(square, k, k), rowSlice(result, a, b));
  });
  multiplySparse(team, xTransposed, middle, into);
  forValues(team, into, (i) => {
    into.values[i] = into.values[i]! + l2 * from.values[i]!;
  });
}

/** Per list. ‖Y - A Hᵀ‖² = ‖Y‖² - 2 Σ_{relevant} y a·h + Σ (A'A)(H'H), so that no label need be looked at twice. */
function meanCost({ team, rank: k, l2, y, w, h, product }: Factorization): number {
  const a = gramMatrix(team, product);
  const b = gramMatrix(team, h);
  let sum = 0;
  for (let i = 0; i < k * k; i++) sum += a[i]! * b[i]!;
  const { bounds, values } = product;
  const [fit, own] = team.sum(bounds.length - 1, 2, (block, into) => {
    for (let r = bounds[block]!; r < bounds[block + 1]!; r++)
      for (let e = y.starts[r]!; e < y.starts[r + 1]!; e++) {
        const [label, grade] = [y.indices[e]!, y.values[e]!];
        let score = 0;
        for (let i = 0; i < k; i++) score += values[r * k + i]! * h.values[label * k + i]!;
        into[0] = into[0]! + grade * score;
        into[1] = into[1]! + grade * grade;
      }
  });
  let trace = 0;
  for (let i = 0; i < k; i++) trace += b[i * k + i]!;
  const penalty = (l2 / 2) * (trace + innerProduct(team, w, w));
  return ((own! - 2 * fit! + sum) / 2 + penalty) / product.rows;
}

function copy({ activation, hidden, last }: Network): Network {
  const plain = ({ inputs, outputs, w, b }: Network["last"]) => ({
    inputs,
    outputs,
    w: Float32Array.from(w),
    b: Float32Array.from(b),
  });
  return { activation: activation!, hidden: hidden.map(plain), last: plain(last) };
}
