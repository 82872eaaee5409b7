/**
 * What cosine and c-cosine share: cost = (1 - u·s / ‖s‖) / 2 with u the gains over some norm of them, the list weighted by the mean of its items.
 *
 * With ŝ = s / ‖s‖ and c = u·ŝ, the gradient is -(u_i - c ŝ_i) / (2 ‖s‖) and the second derivative (2 u_i ŝ_i + c - 3 c ŝ_i²) / (2 ‖s‖²), which is
 * at most ‖u‖ / ‖s‖²: that bound is what is given, since the second derivative itself may be negative. Where all scores are 0 there is no angle;
 * the gradient is taken as if ‖s‖ were 1, so that boosting can start there.
 */
import type { Objective } from "../../types.ts";
import { declare } from "./declare.ts";
import { type Gains, gainFinder } from "./gains.ts";
import { meanWeight } from "./weights.ts";

export function angle(spec: string, norm: (gains: Gains, length: number) => number): Objective {
  const find = gainFinder();
  return declare(
    spec,
    { gradient: "exact", hessian: "bound", ties: "value" },
    (scores, labels, { gradient, hessian }, _, weights) => {
      const n = labels.length;
      const gains = find(labels);
      let [product, squares, square] = [0, 0, 0];
      for (let i = 0; i < n; i++) {
        product += gains.of[i]! * scores[i]!;
        squares += gains.of[i]! * gains.of[i]!;
        square += scores[i]! * scores[i]!;
      }
      const size = norm(gains, Math.sqrt(squares));
      const weight = size > 0 ? meanWeight(weights, n) : 0;
      const length = Math.sqrt(square) || 1;
      const cosine = weight === 0 ? 0 : product / (size * length);
      for (let i = 0; i < n; i++) {
        const aim = weight === 0 ? 0 : gains.of[i]! / size;
        gradient[i] = (-weight * (aim - (cosine * scores[i]!) / length)) / (2 * length);
        if (hessian) hessian[i] = weight === 0 ? 0 : (weight * Math.sqrt(squares)) / (size * length * length);
      }
      return (weight * (1 - cosine)) / 2;
    },
  );
}
