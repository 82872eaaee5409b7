/** Ordered partitions against sums over all subsets and all ordered partitions. */
import { describe, expect, it } from "vitest";
import { answer, farthest, subsets } from "../../test/answer.ts";
import { random } from "../numeric/random.ts";
import { pmopFd } from "./pmop-fd.ts";
import { pmopGibbs } from "./pmop-gibbs.ts";
import { pmopMh } from "./pmop-mh.ts";

/** Every way to cut the items into ordered tiers, as labels: 13 for three items, 75 for four (Fubini's numbers). */
function partitions(items: readonly number[], n: number, label = n): number[][] {
  if (items.length === 0) return [Array(n).fill(0)];
  return subsets(items).flatMap((first) =>
    partitions(
      items.filter((i) => !first.includes(i)),
      n,
      label - 1,
    ).map((rest) => rest.map((l, i) => (first.includes(i) ? label : l))),
  );
}

/** Tiers as lists of items, the best first. */
function tiersOf(labels: readonly number[]): number[][] {
  const grades = [...new Set(labels)].sort((a, b) => b - a);
  return grades.map((grade) => labels.flatMap((label, i) => (label === grade ? [i] : [])));
}

describe("pmop-fd", () => {
  it.each(["forward", "backward"] as const)(
    "the chances of all ordered partitions of given sizes sum to one: %s",
    (direction) => {
      const scores = [0.4, -1.1, 0.9, 0.2];
      const all = partitions([0, 1, 2, 3], 4);
      expect(all.length).toBe(75);
      const sums = new Map<string, number>(); // by sizes
      for (const labels of all) {
        const sizes = tiersOf(labels)
          .map((tier) => tier.length)
          .join();
        sums.set(sizes, (sums.get(sizes) ?? 0) + Math.exp(-answer(pmopFd({ direction }), scores, labels).cost));
      }
      expect(sums.size).toBe(8);
      for (const sum of sums.values()) expect(sum).toBeCloseTo(1, 12);
    },
  );

  it("three items, the first two tied on top: mean potential of the tier over that of all subsets", () => {
    // e^w = 1, 2, 5. Each item is in two of the three pairs, so the chance is (1 + 2) / (2 * 8); within the tier the pull is shared as 1 : 2.
    const { cost, gradient } = answer(pmopFd(), [0, Math.log(2), Math.log(5)], [1, 1, 0]);
    expect(cost).toBeCloseTo(Math.log(16 / 3), 13);
    expect(farthest(gradient, [1 / 8 - 1 / 3, 2 / 8 - 2 / 3, 5 / 8])).toBeLessThan(1e-14);
  });
});

/** The gradient that the chains estimate, by all subsets at every stage, for the potential exp(mean score) over `ways` of the size. */
function enumerated(scores: readonly number[], labels: readonly number[], ways: (n: number, m: number) => number): number[] {
  const gradient = scores.map(() => 0);
  let left = scores.map((_, i) => i);
  const tiers = tiersOf(labels);
  for (const tier of tiers.slice(0, -1)) {
    const all = subsets(left);
    const potentials = all.map(
      (set) => Math.exp(set.reduce((sum, i) => sum + scores[i]!, 0) / set.length) / ways(left.length, set.length),
    );
    const total = potentials.reduce((a, b) => a + b);
    all.forEach((set, s) => {
      for (const i of set) gradient[i] = gradient[i]! + potentials[s]! / total / set.length;
    });
    for (const i of tier) gradient[i] = gradient[i]! - 1 / tier.length;
    left = left.filter((i) => !tier.includes(i));
  }
  return gradient;
}

const choose = (n: number, m: number): number => (m === 0 ? 1 : (choose(n - 1, m - 1) * n) / m);

describe.each([
  ["pmop-gibbs", (steps: number) => pmopGibbs({ steps }), () => 1],
  ["pmop-mh", (steps: number) => pmopMh({ steps }), () => 1],
  [
    "pmop-mh as printed, which divides by the number of sets of a size",
    (steps: number) => pmopMh({ steps, accept: "paper" }),
    choose,
  ],
] as const)("%s", (_, make, ways) => {
  it("long chains give the gradient over all subsets within four standard errors", () => {
    for (const [scores, labels] of [
      [
        [1.5, -0.5, 0.3, 0],
        [1, 0, 1, 0],
      ],
      [
        [0.2, 2, -1, 1, 0.4, -0.6, 0.9, -2],
        [2, 1, 0, 1, 1, 0, 0, 0],
      ],
    ] as const) {
      const wanted = enumerated(scores, labels, ways);
      const given = make(2000);
      const runs = 40;
      const sum = new Float64Array(scores.length);
      const squares = new Float64Array(scores.length);
      for (let run = 0; run < runs; run++) {
        const { gradient } = answer(given, scores, labels, { draw: random(51, run) });
        gradient.forEach((value, i) => {
          sum[i] = sum[i]! + value / runs;
          squares[i] = squares[i]! + (value * value) / runs;
        });
      }
      wanted.forEach((value, i) => {
        const error = Math.sqrt((squares[i]! - sum[i]! ** 2) / (runs - 1));
        expect(Math.abs(sum[i]! - value), `item ${i}`).toBeLessThan(4 * error);
      });
    }
  }, 30_000);

  it("for fixed states the gradient is the slope of what is returned", () => {
    const scores = [0.5, -0.2, 1.1, 0.3];
    const labels = [1, 0, 1, 0];
    const at = (i: number, by: number) => answer(make(2), scores.with(i, scores[i]! + by), labels, { draw: random(7) });
    for (let i = 0; i < 4; i++) expect((at(i, 1e-7).cost - at(i, -1e-7).cost) / 2e-7).toBeCloseTo(at(i, 0).gradient[i]!, 6);
  });
});
