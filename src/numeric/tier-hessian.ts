/**
 * All second derivatives of one stage of the Plackett-Luce likelihood of tiers, log P of tier-stage.ts, by the margins d of its items:
 *
 *   ∂² log P / ∂d_i ∂d_j = Cov(h_i, h_j) + [i = j] E[h_i (1 - z_i - h_i)],   z_i = e^(s + d_i),   h(z) = z / (e^z - 1)
 *
 * where s has the density exp φ(s), φ(s) = s - e^s + Σ log(1 - exp(-z_i)). The trapezoid rule, with errors near 1e-8, or 1e-4 where less will do. Nodes are octaves apart in
 * each of a few chains, so that q = 1 - exp(-z) follows by q ← q + q (1 - q) as in tier-stage.ts. A large tier has far more items than nodes: its
 * matrix is then given by its factors, F Fᵀ + diagonal, with a column of F for each node.
 */
import { exp, expm1, log } from "./functions.ts";
import { highestFrequency } from "./plain/quadrature-step.ts";
import { reserve, type StageScratch, stageScratch } from "./plain/stage-scratch.ts";
import { leftEnd, peak } from "./plain/tier-peak.ts";

/** For tiers of up to as many items as its arrays are long. */
export interface TierHessianScratch {
  readonly stage: StageScratch;
  readonly h: Float64Array;
  readonly q: Float64Array;
  readonly second: Float64Array;
  readonly mean: Float64Array;
  /** Columns of factors that the last tier took. */
  columns: number;
}

export const tierHessianScratch = (size: number): TierHessianScratch => ({
  ...{ stage: stageScratch(), h: new Float64Array(size), q: new Float64Array(size) },
  ...{ second: new Float64Array(size), mean: new Float64Array(size), columns: 0 },
});

const FAR = 60; // a margin beyond is as good as infinite
/** Of the nodes, as in QuadratureRule: second derivatives have errors some hundred times that of log P. */
const NATS = 23;
/** For the steps of Newton's method, which need few digits, with about half the nodes. */
export const ROUGH = 12;

/** Writes the n × n matrix, row after row, into `into`, and the sum of each row into `sums`. Gives Σ E[h]. */
export function tierHessian(
  scratch: TierHessianScratch,
  d: Float64Array,
  n: number,
  into: Float64Array,
  sums: Float64Array,
  nats = NATS,
): number {
  const { h, second, mean } = scratch;
  into.fill(0, 0, n * n);
  const total = visitNodes(scratch, d, n, nats, 1, (weight) => {
    for (let i = 0; i < n; i++) {
      const factor = weight * h[i]!;
      for (let j = 0, at = i * n; j <= i; j++, at++) into[at] = into[at]! + factor * h[j]!;
    }
  });
  const slope = finishMeans(scratch, n, total);
  sums.fill(0, 0, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = into[i * n + j]! / total - mean[i]! * mean[j]! + (i === j ? second[i]! : 0);
      into[i * n + j] = into[j * n + i] = value;
      sums[i] = sums[i]! + value;
      if (j < i) sums[j] = sums[j]! + value;
    }
  }
  return slope;
}

/** Tiers of more items have their matrix in factors, of as many nodes at most: (1 + FACTORS) × n numbers. */
export const FACTORS = 40;

/** How many numbers the matrix of a tier of n items takes. */
export const tierHessianSize = (n: number) => (n > FACTORS ? (1 + FACTORS) * n : n * n);

/**
 * The same in factors: writes the diagonal into the first n numbers of `into`, and then FACTORS columns of F, of which those that are not needed are 0.
 */
export function factoredTierHessian(
  scratch: TierHessianScratch,
  d: Float64Array,
  n: number,
  into: Float64Array,
  sums: Float64Array,
  nats = NATS,
): number {
  const { h, second, mean } = scratch;
  const roots = new Float64Array(FACTORS);
  let [columns, total] = [FACTORS + 1, 0];
  // A tier far above the rest has a long tail of nodes, at which nothing changes fast.
  for (let coarser = 1; columns > FACTORS; coarser *= 2) {
    columns = 0;
    total = visitNodes(scratch, d, n, nats, coarser, (weight) => {
      const column = columns++;
      if (column >= FACTORS) return;
      roots[column] = Math.sqrt(weight);
      for (let i = 0, at = (1 + column) * n; i < n; i++, at++) into[at] = h[i]!;
    });
  }
  const slope = finishMeans(scratch, n, total);
  into.set(second.subarray(0, n), 0);
  sums.set(second.subarray(0, n), 0);
  into.fill(0, (1 + columns) * n, (1 + FACTORS) * n);
  scratch.columns = columns;
  for (let column = 0, from = n; column < columns; column++, from += n) {
    const root = roots[column]! / Math.sqrt(total);
    let sum = 0;
    for (let i = 0, at = from; i < n; i++, at++) sum += into[at] = root * (into[at]! - mean[i]!);
    for (let i = 0, at = from; i < n; i++, at++) sums[i] = sums[i]! + sum * into[at]!;
  }
  return slope;
}

/** Divides the sums of h and of its second derivatives by the total weight. Gives Σ E[h]. */
function finishMeans({ mean, second }: TierHessianScratch, n: number, total: number): number {
  let slope = 0;
  for (let i = 0; i < n; i++) {
    slope += mean[i] = mean[i]! / total;
    second[i] = second[i]! / total;
  }
  return slope;
}

/** Visits all nodes with their weight, h in place, and sums h and its second derivatives. Gives the sum of the weights. */
function visitNodes(
  scratch: TierHessianScratch,
  margins: Float64Array,
  n: number,
  nats: number,
  coarser: number,
  visit: (weight: number) => void,
): number {
  const { stage, h, q, second, mean } = scratch;
  reserve(stage, n);
  second.fill(0, 0, n);
  mean.fill(0, 0, n);
  const { a } = stage;
  let mass = 0;
  for (let i = 0; i < n; i++) mass += a[i] = exp(Math.max(-FAR, Math.min(FAR, margins[i]!)));
  const mode = peak(stage, n, 0, mass);
  const top = (stage.top = stage.peakValue);
  const start = leftEnd(stage, mode, n, 0, nats);
  const frequency = highestFrequency(stage.width, stage.leftSlope, nats) / coarser;
  const chains = Math.ceil((frequency * Math.LN2) / (2 * Math.PI));
  let total = 0;
  for (let chain = 0; chain < chains; chain++) {
    let s = start + (chain * Math.LN2) / chains;
    let scale = exp(s);
    for (let i = 0; i < n; i++) q[i] = -expm1(-a[i]! * scale);
    for (; ; s += Math.LN2, scale *= 2) {
      let logs = 0;
      let product = 1;
      for (let i = 0; i < n; i++) {
        product *= q[i]!;
        if (product > 1e-200) continue;
        logs += log(product);
        product = 1;
      }
      const value = s - scale + logs + log(product) - top;
      if (s > mode && !(value >= -nats)) break;
      const weight = exp(value);
      total += weight;
      for (let i = 0; i < n; i++) {
        const qi = q[i]!;
        const z = a[i]! * scale;
        const left = 1 - qi;
        const hi = (z * left) / qi;
        h[i] = hi;
        mean[i] = mean[i]! + weight * hi;
        second[i] = second[i]! + weight * hi * (1 - z - hi);
        q[i] = qi + qi * left;
      }
      visit(weight);
    }
  }
  return total;
}
