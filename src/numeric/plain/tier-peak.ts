/** Where the integrand of a stage of the likelihood of tiers (tier-stage.ts) has its peak, and where its nodes begin. */
import { exp, expm1, log } from "../functions.ts";
import { SMALL, type StageScratch } from "./stage-scratch.ts";

/**
 * Roughly where φ is greatest: e^s = 1 + Σ h(z_i), by Newton's method on log(1 + Σ h) - s, with h from a short series. It begins where that
 * would be if all items had the mean e^d and h were 1 / (1 + z / 2): at the root of a quadratic.
 */
export function peak(scratch: StageScratch, m: number, low: number, mass: number): number {
  const { a } = scratch;
  const linearTerm = 1 + low;
  const half = m > 0 ? mass / m / 2 : 0;
  const linear = 1 - linearTerm * half;
  const root = Math.sqrt(linear * linear + 4 * half * (linearTerm + m));
  let scale = linear < 0 ? (root - linear) / (2 * half) : (2 * (linearTerm + m)) / (linear + root);
  let s = log(scale);
  for (let iteration = 0; iteration < 12; iteration++) {
    if (iteration > 0) scale = exp(s);
    let [evenH, oddH, evenCurvature, oddCurvature, logs, even, odd] = [0, 0, 0, 0, 0, 1, 1];
    for (let i = 0; i < m; i++) {
      const z = a[i]! * scale;
      const h = shortH(z);
      if ((i & 1) === 0) {
        evenH += h;
        evenCurvature += h * (1 - z - h);
        even *= z / (z + h); // 1 - e^-z
      } else {
        oddH += h;
        oddCurvature += h * (1 - z - h);
        odd *= z / (z + h);
      }
      if ((i & 7) === 7 && (even < SMALL || odd < SMALL)) {
        logs += log(even) + log(odd);
        even = odd = 1;
      }
    }
    scratch.peakValue = linearTerm * s - scale + (logs + (log(even) + log(odd)));
    const sum = linearTerm + (evenH + oddH);
    const curvature = Math.min(0, evenCurvature + oddCurvature);
    const move = (log(sum) - s) / (1 - curvature / sum);
    s += move;
    scratch.width = 1 / Math.sqrt(sum - curvature);
    if (Math.abs(move) < 0.2 * scratch.width) break;
  }
  return s;
}

/** z / (e^z - 1) within a few percent: enough to find the peak and its width, which only place the nodes. */
const shortH = (z: number) => 1 / (1 + z * (1 / 2 + z * (1 / 6 + z * (1 / 24 + z * (1 / 120 + z * (1 / 720))))));

/** φ(s), less the d of the items far below. Leaves φ'(s) in the scratch. */
export function height(scratch: StageScratch, s: number, m: number, low: number): number {
  const { a } = scratch;
  const scale = exp(s);
  let [logs, even, odd, evenH, oddH] = [0, 1, 1, 0, 0];
  for (let i = 0; i < m; i++) {
    const z = a[i]! * scale;
    const q = -expm1(-z);
    const h = (z * (1 - q)) / q;
    if ((i & 1) === 0) {
      even *= q;
      evenH += h;
    } else {
      odd *= q;
      oddH += h;
    }
    if ((i & 7) === 7 && (even < SMALL || odd < SMALL)) {
      logs += log(even) + log(odd);
      even = odd = 1;
    }
  }
  scratch.leftSlope = 1 - scale + low + (evenH + oddH);
  return s - scale + low * s + (logs + (log(even) + log(odd)));
}

/**
 * A point left of which φ is below `target`, from sums over the items alone: log(1 - e^-z) is at most log z - z/2 + z²/24, and hardly less
 * where z is small. NaN where it is not. Leaves φ' near it in the scratch.
 */
export function leftBound(scratch: StageScratch, count: number, target: number): number {
  const { logs, mass, squares, width } = scratch;
  let s = (target - logs) / count;
  let quadratic = 0;
  for (let iteration = 0; iteration < 8; iteration++) {
    const scale = exp(s);
    const fall = scale * (1 + mass / 2);
    quadratic = (scale * scale * squares) / 24;
    scratch.leftSlope = count - fall + 2 * quadratic;
    const move = (target - (count * s + logs - fall + quadratic)) / scratch.leftSlope;
    s += move;
    if (move * move < 0.4 * width) break; // the next would be shorter than this
  }
  return quadratic <= 0.5 ? s : Number.NaN;
}

/**
 * The same from the items: where φ has fallen by `nats` from its peak, or a little more. φ is concave, so it falls at least as fast as its
 * tangents. Leaves φ' there in the scratch.
 */
export function leftEnd(scratch: StageScratch, mode: number, m: number, low: number, nats: number): number {
  const { a, width, top } = scratch;
  let left = Math.max(nats - 2, 1); // how far φ has still to fall
  let s = mode - Math.min(2, 2 * width);
  for (let iteration = 0; iteration < 3; iteration++) {
    const scale = exp(s);
    let [even, odd] = [0, 0];
    for (let i = 0; i < m; i++) {
      const h = shortH(a[i]! * scale);
      if ((i & 1) === 0) even += h;
      else odd += h;
    }
    const slope = Math.max(1 - scale + low + (even + odd), 0.5);
    const move = iteration === 0 ? Math.min(2, 2 * width, left / slope) : left / slope / (3 - iteration);
    s -= move;
    left -= move * slope;
  }
  // Where φ falls like -e^(-cs), they lead too far. Newton's method comes back and stays on the left.
  for (let iteration = 0; iteration < 20; iteration++) {
    const fall = top - height(scratch, s, m, low);
    if (fall >= nats && fall <= 1.15 * nats) break;
    s += (fall - 1.05 * nats) / scratch.leftSlope;
  }
  return s;
}
