/** The twin of wasm/lambda.ts. Sums run in two lanes, places at even and at odd distance, as the kernel adds them. */
import { exp } from "../functions.ts";
import type { Forces } from "../lambda.ts";
import { descending } from "../order.ts";

export function lambdaForces(scores: Float64Array, forces: Forces, gradient: Float64Array, curvature: Float64Array): number {
  const { gains, weights, discounts, truncation, sigmoid, norm, share } = forces;
  const n = scores.length;
  const order = descending(scores);
  const spread = norm && scores[order[0]!] !== scores[order[n - 1]!];
  gradient.fill(0);
  curvature.fill(0);
  const total = [0, 0];
  forces.dcg = 0;
  for (let p = 0; p < Math.min(n, truncation); p++) {
    const a = order[p]!;
    forces.dcg += gains[a]! * discounts[p]!;
    const pushes = [0, 0];
    const bends = [0, 0];
    for (let r = p + 1; r < n; r++) {
      const lane = (r - p - 1) & 1;
      const b = order[r]!;
      const d = scores[a]! - scores[b]!;
      const e = exp(Math.max(-(sigmoid * d), -700));
      const lead = gains[a]! - gains[b]!;
      const up = lead > 0;
      const delta = Math.abs(lead) * (discounts[p]! - discounts[r]!) * (sigmoid * share);
      const t = 1 / (spread ? (1 + e) * (0.01 + d) : 1 + e);
      const common = delta * t;
      const force = common * (up ? e : 1);
      total[lane]! += force;
      const weight = weights ? weights[up ? a : b]! : 1;
      const bend = weight * (sigmoid * common * e * (spread ? t * (0.01 + d) : t));
      const push = weight * (up ? -force : force);
      pushes[lane]! += push;
      bends[lane]! += bend;
      gradient[b]! -= push;
      curvature[b]! += bend;
    }
    gradient[a]! += pushes[0]! + pushes[1]!;
    curvature[a]! += bends[0]! + bends[1]!;
  }
  return total[0]! + total[1]!;
}
