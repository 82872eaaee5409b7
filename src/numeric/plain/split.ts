/**
 * Finds the best split of a histogram, in plain TypeScript: the fallbacks for wasm/split.ts, with the signatures of ../split.ts. A packed entry is two entries of an Int32Array: the Hessian, then the
 * gradient.
 */
import type { Split, SplitTerms } from "../split.ts";

export function bestSplit(
  entries: Int32Array,
  at: number,
  terms: SplitTerms,
  counts: Int32Array | undefined,
  split: Split,
): boolean {
  const { bins, missing, gradient, hessian, l1, l2, minHessian, minScore, minRows, rows } = terms;
  const missingHessian = missing ? entries[2 * (at + bins)]! >>> 0 : 0;
  const missingGradient = missing ? entries[2 * (at + bins) + 1]! : 0;
  const anyMissing = missingHessian !== 0 || missingGradient !== 0;
  const gone = counts && missing ? counts[bins]! : 0;
  let best = minScore;
  let found = false;
  for (let pass = 0; pass < (anyMissing || gone > 0 ? 2 : 1); pass++) {
    let hl = pass === 1 ? missingHessian : 0;
    let gl = pass === 1 ? missingGradient : 0;
    let count = pass === 1 ? gone : 0;
    const last = pass === 0 && anyMissing ? bins : bins - 1;
    for (let b = 0; b < last; b++) {
      const low = entries[2 * (at + b)]! >>> 0;
      const high = entries[2 * (at + b) + 1]!;
      const held = counts ? counts[b]! : 0;
      count += held;
      if (low === 0 && high === 0 && held === 0) continue; // rows that weigh nothing move no sum, but they count
      hl += low;
      gl += high;
      if (hl < minHessian) continue;
      const hr = hessian - hl;
      if (hr < minHessian) break;
      if (counts && (count < minRows || rows - count < minRows)) continue;
      const left = l1 > 0 ? Math.max(Math.abs(gl) - l1, 0) : gl;
      const right = l1 > 0 ? Math.max(Math.abs(gradient - gl) - l1, 0) : gradient - gl;
      const score = (left * left) / (hl + l2) + (right * right) / (hr + l2);
      if (score <= best) continue;
      best = score;
      found = true;
      split.score = score;
      split.bin = b;
      split.missingLeft = pass === 1;
      split.gradient = gl;
      split.hessian = hl;
    }
  }
  return found;
}

export function unbundleHistogram(
  entries: Int32Array,
  at: number,
  codes: number,
  table: Uint8Array,
  bins: number,
  into: Int32Array,
): void {
  into.fill(0, 0, 2 * bins);
  for (let code = 0; code < codes; code++) {
    const bin = table[code]!;
    into[2 * bin]! += entries[2 * (at + code)]!;
    into[2 * bin + 1]! += entries[2 * (at + code) + 1]!;
  }
}
