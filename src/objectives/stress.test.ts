/** Long lists, large tiers and extreme scores give no NaN and no infinity. */
import { describe, expect, it } from "vitest";
import { random } from "../numeric/random.ts";
import { objective } from "./index.ts";

const tiers = [
  "pl-partition",
  "pl-partition:precision=single",
  "pl-partition:direction=backward",
  "pl-lb",
  "pmop-fd",
  "attrank",
  "unique-softmax",
];
const linear = ["listmle", "pl-topk", "plrank", "softmax", "rank-regress", "ranksvm", "kl", "c-kl", "xendcg", "mart-1", "cosine"];

function check(text: string, n: number, sizes: readonly number[], spread: number, seed: number) {
  const r = random(71, seed);
  const labels = new Float32Array(n);
  let from = 0;
  sizes.forEach((size, tier) => {
    labels.fill(sizes.length - tier, from, from + size);
    from += size;
  });
  const scores = Float64Array.from({ length: n }, () => spread * (2 * r() - 1));
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n);
  const cost = objective(text).evaluate(scores, labels, { gradient, hessian }, random(1));
  expect(Number.isFinite(cost), `cost ${cost}`).toBe(true);
  let zero = 0; // stays 0 unless a value is not finite
  for (let i = 0; i < n; i++) zero += 0 * gradient[i]! + 0 * hessian[i]!;
  expect(zero).toBe(0);
}

it.each(tiers)(
  "%s: a million items, three upper tiers, utilities within ±1,000",
  (text) => {
    check(text, 1_000_000, [50, 150, 300], 1000, 1);
  },
  60_000,
);

it.each(linear)(
  "%s: 100,000 items, three upper tiers, scores within ±1,000",
  (text) => {
    check(text, 100_000, [50, 150, 300], 1000, 2);
  },
  60_000,
);

describe.each(tiers)("%s", (text) => {
  it("a tier of 20,000 items above one item, and above 20,000", () => {
    for (const spread of [1000, 30, 0.01]) for (const below of [1, 20_000]) check(text, 20_000 + below, [20_000], spread, below);
  }, 60_000);

  it("all mass in the first tier, or in the last", () => {
    for (const [above, below] of [
      [1000, -1000],
      [-1000, 1000],
      [700, 699],
    ]) {
      const scores = Float64Array.from({ length: 400 }, (_, i) => (i < 200 ? above! : below!) + i / 1000);
      const labels = Float32Array.from({ length: 400 }, (_, i) => (i < 200 ? 1 : 0));
      const gradient = new Float64Array(400);
      const cost = objective(text).evaluate(scores, labels, { gradient }, random(1));
      expect(Number.isFinite(cost)).toBe(true);
      expect(gradient.every(Number.isFinite)).toBe(true);
      expect(Math.abs(gradient.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-9); // only differences of scores matter
    }
  });
});
