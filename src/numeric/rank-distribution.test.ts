import { describe, expect, it } from "vitest";
import { logistic, logSumExp } from "./functions.ts";
import { normals } from "./normal.ts";
import { random } from "./random.ts";
import { rankDistribution } from "./rank-distribution.ts";

/** The same by walking through all orders. */
function enumerated(scores: Float64Array): Float64Array {
  const n = scores.length;
  const found = new Float64Array(n * n);
  const go = (left: readonly number[], place: number, chance: number): void => {
    const mass = logSumExp(Float64Array.from(left, (i) => scores[i]!));
    for (const i of left) {
      const next = chance * Math.exp(scores[i]! - mass);
      found[i * n + place]! += next;
      go(
        left.filter((j) => j !== i),
        place + 1,
        next,
      );
    }
  };
  go(Array.from(scores.keys()), 0, 1);
  return found;
}

const draw = (n: number, scale: number) => {
  const normal = normals(random(n, scale));
  return Float64Array.from({ length: n }, () => scale * normal());
};

describe("the distribution of ranks", () => {
  it.each([
    ...[0, 0.3, 1, 3, 8].flatMap((scale) => [1, 2, 3, 5, 7, 8].map((n) => [n, scale] as const)), // biome-ignore format: pairs
  ])("of %d items with scores of size %d is that of all orders", (n, scale) => {
    const scores = draw(n, scale);
    const [ours, wanted] = [rankDistribution(scores), enumerated(scores)];
    ours.forEach((chance, at) => {
      expect(Math.abs(chance - wanted[at]!)).toBeLessThan(1e-13);
    });
  });

  it.each([
    ...[0, 1, 30].flatMap((scale) => [20, 60, 150].map((n) => [n, scale] as const)), // biome-ignore format: pairs
  ])(
    "of %d items with scores of size %d: ranks and items sum to 1, means are sums of pairs, finer steps change nothing",
    (n, scale) => {
      const scores = draw(n, scale);
      const ours = rankDistribution(scores);
      const finer = rankDistribution(scores, 1.7);
      for (let i = 0; i < n; i++) {
        let [ranks, items, mean, pairs, off] = [0, 0, 0, 1, 0];
        for (let j = 0; j < n; j++) {
          ranks += ours[i * n + j]!;
          items += ours[j * n + i]!;
          mean += (j + 1) * ours[i * n + j]!;
          if (j !== i) pairs += logistic(scores[j]! - scores[i]!);
          off = Math.max(off, Math.abs(ours[i * n + j]! - finer[i * n + j]!));
        }
        expect(Math.abs(ranks - 1)).toBeLessThan(1e-12);
        expect(Math.abs(items - 1)).toBeLessThan(1e-12);
        expect(Math.abs(mean / pairs - 1)).toBeLessThan(1e-12);
        expect(off).toBeLessThan(1e-13);
      }
    },
  );

  it("items far apart are in order, also where their rates underflow", () => {
    const found = rankDistribution(Float64Array.of(-2000, 0, -1000));
    [0, 0, 1, 1, 0, 0, 0, 1, 0].forEach((wanted, at) => {
      expect(found[at]).toBeCloseTo(wanted, 12);
    });
    expect(rankDistribution(new Float64Array(0)).length).toBe(0);
  });
});
