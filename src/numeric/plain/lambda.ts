/**
 * LambdaRank gradients of one list, in plain TypeScript: the fallback for wasm/lambda.ts. Items ranked within the truncation come first, the
 * rest follow by tier; sums run in two lanes, slots of even
 * and of odd number, as the kernel adds them.
 */
import { exp, log2 } from "../functions.ts";
import type { LambdaInput } from "../lambda.ts";
import { descending } from "../order.ts";

const WIDE = 600; // beyond this the last exponential would vanish beside the first

export function lambdaGradients(scores: Float64Array, input: LambdaInput, gradient: Float64Array, hessian: Float64Array): number {
  const { order, starts, count, gains, weights, discounts, sigmoid, norm, scale: fraction } = input;
  const n = scores.length;
  if (scores.some(Number.isNaN)) {
    gradient.fill(Number.NaN);
    hessian.fill(Number.NaN);
    return (input.dcg = Number.NaN);
  }
  const first = Math.min(n, input.truncation);
  const rest = (first + 1) & ~1;
  const places = descending(scores);
  const rank = new Uint32Array(n);
  const [tier, slot] = [new Uint32Array(n), new Int32Array(n + 3).fill(-1)]; // by item; the item in a slot, or none
  const bounds = [rest];
  for (let p = 0; p < n; p++) rank[places[p]!] = p;
  for (let t = 0, after = rest; t < count; t++) {
    for (let k = starts[t]!; k < starts[t + 1]!; k++) {
      const i = order[k]!;
      tier[i] = t;
      slot[rank[i]! < first ? rank[i]! : after++] = i;
    }
    bounds.push(after);
  }
  const [top, bottom] = [scores[places[0]!]!, scores[places[n - 1]!]!];
  const byDistance = norm && top !== bottom;
  const wide = !(sigmoid * (top - bottom) < WIDE);
  const power = (i: number, from: number) => exp(Math.max(sigmoid * (scores[i]! - from), -700));
  const e = wide ? undefined : scores.map((_, i) => power(i, top));
  gradient.fill(0);
  hessian.fill(0);
  const total = [0, 0];
  input.dcg = 0;

  /** The pairs of a with the items in some slots. */
  function addPairs(a: number, from: number, to: number): void {
    const [sum, gradients, hessians] = [
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    const ea = e ? e[a]! : 1;
    for (let k = from; k < to; k++) {
      const b = slot[k]!;
      if (b < 0 || tier[b] === tier[a]) continue;
      const eb = e ? e[b]! : power(b, scores[a]!);
      const lead = gains[tier[a]!]! - gains[tier[b]!]!;
      const distance = scores[a]! + 0.01 - scores[b]!;
      const t = 1 / (byDistance ? (ea + eb) * distance : ea + eb);
      const common = lead * (discounts[rank[a]!]! - discounts[rank[b]!]!) * t;
      let lambda = common * (lead > 0 ? eb : ea);
      let h = Math.abs(common * (ea * eb) * (byDistance ? t * distance : t));
      sum[k & 1]! += Math.abs(lambda);
      if (weights) {
        const weight = weights[lead > 0 ? a : b]!;
        lambda *= weight;
        h *= weight;
      }
      gradients[k & 1]! -= lambda;
      hessians[k & 1]! += h;
      gradient[b]! += lambda;
      hessian[b]! += h;
    }
    gradient[a]! += gradients[0]! + gradients[1]!;
    hessian[a]! += hessians[0]! + hessians[1]!;
    for (const lane of [0, 1]) ofItem[lane]! += sum[lane]!;
  }

  const ofItem = [0, 0]; // of one item
  for (let p = 0; p < first; p++) {
    const a = places[p]!;
    input.dcg += gains[tier[a]!]! * discounts[p]!;
    ofItem.fill(0);
    addPairs(a, p + 1, first);
    const [from, to] = [bounds[tier[a]!]!, bounds[tier[a]! + 1]!];
    const apart = from === to && (from & 1) === 1; // a line of the kernel holds one better and one worse
    addPairs(a, rest, apart ? from - 1 : from);
    if (apart) addPairs(a, from - 1, from + 1);
    addPairs(a, apart ? to + 1 : to, bounds[count]!);
    for (const lane of [0, 1]) total[lane]! += ofItem[lane]!;
  }
  const whole = sigmoid * fraction * (total[0]! + total[1]!);
  const scale = sigmoid * fraction * (norm && whole > 0 ? log2(1 + 2 * whole) / (2 * whole) : 1);
  for (let i = 0; i < n; i++) {
    gradient[i]! *= scale;
    hessian[i]! *= sigmoid * scale;
  }
  return whole;
}
