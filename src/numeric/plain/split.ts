/** The twins of wasm/split.ts. A packed word is two entries of an Int32Array: the curvature, then the gradient. */
import type { Cut, Terms } from "../split.ts";

export function bestCut(words: Int32Array, at: number, terms: Terms, counts: Int32Array | undefined, cut: Cut): boolean {
  const { bins, missing, gradient, curvature, l1, l2, least, floor, items, total } = terms;
  const awayLow = missing ? words[2 * (at + bins)]! >>> 0 : 0;
  const awayHigh = missing ? words[2 * (at + bins) + 1]! : 0;
  const away = awayLow !== 0 || awayHigh !== 0;
  const gone = counts && missing ? counts[bins]! : 0;
  let best = floor;
  let found = false;
  for (let pass = 0; pass < (away || gone > 0 ? 2 : 1); pass++) {
    let hl = pass === 1 ? awayLow : 0;
    let gl = pass === 1 ? awayHigh : 0;
    let count = pass === 1 ? gone : 0;
    const cuts = pass === 0 && away ? bins : bins - 1;
    for (let b = 0; b < cuts; b++) {
      const low = words[2 * (at + b)]! >>> 0;
      const high = words[2 * (at + b) + 1]!;
      const held = counts ? counts[b]! : 0;
      count += held;
      if (low === 0 && high === 0 && held === 0) continue; // rows that weigh nothing move no sum, but they count
      hl += low;
      gl += high;
      if (hl < least) continue;
      const hr = curvature - hl;
      if (hr < least) break;
      if (counts && (count < items || total - count < items)) continue;
      const left = l1 > 0 ? Math.max(Math.abs(gl) - l1, 0) : gl;
      const right = l1 > 0 ? Math.max(Math.abs(gradient - gl) - l1, 0) : gradient - gl;
      const [ll, rr, hl2, hr2] = [left * left, right * right, hl + l2, hr + l2];
      if (ll * hr2 + rr * hl2 > best * (hl2 * hr2)) {
        const score = ll / hl2 + rr / hr2;
        if (score <= best) continue;
        best = score;
        found = true;
        cut.score = score;
        cut.bin = b;
        cut.missingLeft = pass === 1;
        cut.gradient = gl;
        cut.curvature = hl;
      }
    }
  }
  return found;
}

export function foldCodes(words: Int32Array, at: number, codes: number, table: Uint8Array, bins: number, into: Int32Array): void {
  into.fill(0, 0, 2 * bins);
  for (let code = 0; code < codes; code++) {
    const bin = table[code]!;
    into[2 * bin]! += words[2 * (at + code)]!;
    into[2 * bin + 1]! += words[2 * (at + code) + 1]!;
  }
}
