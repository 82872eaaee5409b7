/**
 * A stage of two items of the likelihood of tiers (tier-stage.ts), in closed form: with a = e^d_1, b = e^d_2, u = 1 + a, v = 1 + b and
 * S = u + v - 1, both orders of the two add up to P = a b (1 + S) / (u v S), and its derivatives can be written without a difference of
 * like numbers.
 */
import { exp, log, log1p } from "../functions.ts";
import type { Stage } from "./stage-scratch.ts";

export function pairStage(
  into: Stage,
  d: Float64Array,
  from: number,
  first: Float64Array,
  second: Float64Array | undefined,
): Stage {
  const [x, y] = [exp(d[from]!), exp(d[from + 1]!)];
  const [u, v] = [1 + x, 1 + y];
  const sum = u + y;
  const product = sum * (sum + 1);
  const whole = u * v * sum;
  const hit = (x * y * (sum + 1)) / whole;
  into.log = hit < 0.5 ? log(hit) : log1p(-(u * x + v * y + u * v) / whole);
  const [k, l] = [v * (2 * u + y), u * (2 * v + x)];
  first[from] = k / (u * product);
  first[from + 1] = l / (v * product);
  into.slope = first[from]! + first[from + 1]!;
  const curvature0 = pairCurvature(x, y, u, v, k, product);
  const curvature1 = pairCurvature(y, x, v, u, l, product);
  if (second) {
    second[from] = curvature0;
    second[from + 1] = curvature1;
  }
  into.curvature = curvature0 + curvature1 + (2 * x * y * (2 * sum + 1)) / (product * product);
  return into;
}

/** The second derivative by one of the two, e^d of which is x. */
function pairCurvature(x: number, y: number, u: number, v: number, k: number, product: number): number {
  const uu = u * u;
  const sum = 2 * uu * (x + u) + (2 * u + y) * k + y * uu + 2 * x * y * u;
  return (-x * v * sum) / (uu * (product * product));
}
