/**
 * The twin of wasm/lambda.ts. Items of the first places come first, the rest follow by tiers; sums run in two lanes, seats of even and of odd
 * number, as the kernel adds them.
 */
import { exp, log2 } from "../functions.ts";
import type { Forces } from "../lambda.ts";
import { descending } from "../order.ts";

const WIDE = 600; // beyond this the last exponential would vanish beside the first

export function lambdaForces(scores: Float64Array, forces: Forces, gradient: Float64Array, hessian: Float64Array): number {
  const { order, starts, count, gains, weights, discounts, sigmoid, norm, share } = forces;
  const n = scores.length;
  if (scores.some(Number.isNaN)) {
    gradient.fill(Number.NaN);
    hessian.fill(Number.NaN);
    return (forces.dcg = Number.NaN);
  }
  const first = Math.min(n, forces.truncation);
  const rest = (first + 1) & ~1;
  const places = descending(scores);
  const rank = new Uint32Array(n);
  const [tier, seat] = [new Uint32Array(n), new Int32Array(n + 3).fill(-1)]; // by item; the item in a seat, or none
  const bounds = [rest];
  for (let p = 0; p < n; p++) rank[places[p]!] = p;
  for (let t = 0, after = rest; t < count; t++) {
    for (let k = starts[t]!; k < starts[t + 1]!; k++) {
      const i = order[k]!;
      tier[i] = t;
      seat[rank[i]! < first ? rank[i]! : after++] = i;
    }
    bounds.push(after);
  }
  const [top, bottom] = [scores[places[0]!]!, scores[places[n - 1]!]!];
  const spread = norm && top !== bottom;
  const wide = !(sigmoid * (top - bottom) < WIDE);
  const power = (i: number, from: number) => exp(Math.max(sigmoid * (scores[i]! - from), -700));
  const e = wide ? undefined : scores.map((_, i) => power(i, top));
  gradient.fill(0);
  hessian.fill(0);
  const total = [0, 0];
  forces.dcg = 0;

  /** The pairs of a with the items in some seats. */
  function meet(a: number, from: number, to: number): void {
    const [sum, pushes, bends] = [
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    const ea = e ? e[a]! : 1;
    for (let k = from; k < to; k++) {
      const b = seat[k]!;
      if (b < 0 || tier[b] === tier[a]) continue;
      const eb = e ? e[b]! : power(b, scores[a]!);
      const lead = gains[tier[a]!]! - gains[tier[b]!]!;
      const far = scores[a]! + 0.01 - scores[b]!;
      const t = 1 / (spread ? (ea + eb) * far : ea + eb);
      const common = lead * (discounts[rank[a]!]! - discounts[rank[b]!]!) * t;
      let force = common * (lead > 0 ? eb : ea);
      let turn = Math.abs(common * (ea * eb) * (spread ? t * far : t));
      sum[k & 1]! += Math.abs(force);
      if (weights) {
        const weight = weights[lead > 0 ? a : b]!;
        force *= weight;
        turn *= weight;
      }
      pushes[k & 1]! -= force;
      bends[k & 1]! += turn;
      gradient[b]! += force;
      hessian[b]! += turn;
    }
    gradient[a]! += pushes[0]! + pushes[1]!;
    hessian[a]! += bends[0]! + bends[1]!;
    for (const lane of [0, 1]) passed[lane]! += sum[lane]!;
  }

  const passed = [0, 0]; // of one item
  for (let p = 0; p < first; p++) {
    const a = places[p]!;
    forces.dcg += gains[tier[a]!]! * discounts[p]!;
    passed.fill(0);
    meet(a, p + 1, first);
    const [from, to] = [bounds[tier[a]!]!, bounds[tier[a]! + 1]!];
    const apart = from === to && (from & 1) === 1; // a line of the kernel holds one better and one worse
    meet(a, rest, apart ? from - 1 : from);
    if (apart) meet(a, from - 1, from + 1);
    meet(a, apart ? to + 1 : to, bounds[count]!);
    for (const lane of [0, 1]) total[lane]! += passed[lane]!;
  }
  const whole = sigmoid * share * (total[0]! + total[1]!);
  const scale = sigmoid * share * (norm && whole > 0 ? log2(1 + 2 * whole) / (2 * whole) : 1);
  for (let i = 0; i < n; i++) {
    gradient[i]! *= scale;
    hessian[i]! *= sigmoid * scale;
  }
  return whole;
}
