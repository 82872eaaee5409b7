/** The exact partition function against sums over all subsets, and against long chains. */
import { describe, expect, it } from "vitest";
import { answer, farthest, subsets } from "../../test/answer.ts";
import { InputError } from "../input-error.ts";
import { random } from "../numeric/random.ts";
import { type PmopExactOptions, pmopExact } from "./pmop-exact.ts";
import { pmopFd } from "./pmop-fd.ts";
import { pmopGibbs } from "./pmop-gibbs.ts";

const POTENTIALS = ["mean", "sum"] as const;
const SIZES = ["modeled", "given"] as const;
const every = POTENTIALS.flatMap((potential) => SIZES.map((sizes) => [potential, sizes] as const));

/** The cost by its definition: at each stage but the last, log of the sum of all potentials minus that of the tier. */
function enumerated(
  scores: readonly number[],
  labels: readonly number[],
  { potential, sizes }: Partial<PmopExactOptions>,
): number {
  const n = labels.length;
  const offset = potential === "sum" && sizes === "modeled" ? scores[n]! : 0;
  const logPotential = (set: readonly number[]) => {
    const sum = set.reduce((total, i) => total + scores[i]! + offset, 0);
    return potential === "mean" ? sum / set.length : sum;
  };
  const grades = [...new Set(labels)].sort((a, b) => b - a);
  let left = labels.map((_, i) => i);
  let cost = 0;
  for (const grade of grades.slice(0, -1)) {
    const tier = left.filter((i) => labels[i] === grade);
    const sets = subsets(left).filter((set) => sizes === "modeled" || set.length === tier.length);
    const logs = sets.map(logPotential);
    const peak = Math.max(...logs);
    cost += peak + Math.log(logs.reduce((total, value) => total + Math.exp(value - peak), 0)) - logPotential(tier);
    left = left.filter((i) => labels[i] !== grade);
  }
  return cost;
}

describe.each(every)("potential=%s, sizes=%s", (potential, sizes) => {
  const options = { potential, sizes };
  const objective = pmopExact(options);

  it("is the sum over all subsets, for lists of 2 to 9 items and scores near and far", () => {
    const draw = random(41);
    for (let trial = 0; trial < 120; trial++) {
      const n = 2 + Math.floor(8 * draw());
      const reach = [0.1, 2, 30][trial % 3]!;
      const scores = Array.from({ length: n + objective.auxiliary.length }, () => reach * (2 * draw() - 1));
      const labels = Array.from({ length: n }, () => Math.floor(3 * draw()));
      const wanted = enumerated(scores, labels, options);
      const { cost } = answer(objective, scores, labels);
      expect(Math.abs(cost - wanted), `${scores} | ${labels}`).toBeLessThan(1e-12 * (1 + Math.abs(wanted) + reach * n));
    }
  });

  it("scores 2,000 apart leave no probability to other subsets than the observed one", () => {
    const scores = [4000, 2000, 0, ...objective.auxiliary.map(() => -3000)];
    const { cost, gradient } = answer(objective, scores, [2, 1, 0]);
    if (potential === "mean" || sizes === "given") expect(cost).toBeCloseTo(0, 9);
    expect([...gradient].every(Number.isFinite)).toBe(true);
  });
});

it("long chains of Gibbs sampling have its gradient", () => {
  const scores = [1.5, -0.5, 0.3, 0, 0.8];
  const labels = [2, 0, 1, 0, 1];
  const { gradient } = answer(pmopExact(), scores, labels);
  const runs = 30;
  const sums = new Float64Array(5);
  for (let run = 0; run < runs; run++)
    answer(pmopGibbs({ steps: 3000 }), scores, labels, { draw: random(3, run) }).gradient.forEach((value, i) => {
      sums[i] = sums[i]! + value / runs;
    });
  expect(farthest(sums, gradient)).toBeLessThan(0.01);
});

it("a choice of one of two items is a logistic regression of the margin under given sizes", () => {
  for (const potential of POTENTIALS) {
    const { cost, gradient, hessian } = answer(pmopExact({ potential, sizes: "given" }), [0.7, -0.4], [1, 0]);
    const lost = 1 / (1 + Math.exp(1.1));
    expect(cost).toBeCloseTo(Math.log(1 + Math.exp(-1.1)), 14);
    expect(farthest(gradient, [-lost, lost])).toBeLessThan(1e-14);
    expect(farthest(hessian, [lost * (1 - lost), lost * (1 - lost)])).toBeLessThan(1e-14);
  }
});

it("tiers of one item have the same likelihood under given sizes as under full decomposition", () => {
  const [scores, labels] = [
    [0.3, -1, 2, 0.1],
    [2, 1, 3, 0],
  ];
  const wanted = answer(pmopFd(), scores, labels).cost; // biome-ignore format: two lists
  for (const potential of POTENTIALS)
    expect(answer(pmopExact({ potential, sizes: "given" }), scores, labels).cost).toBeCloseTo(wanted, 12);
});

it("lists too long for all subsets are refused with a way out", () => {
  const labels = Array.from({ length: 2001 }, (_, i) => (i < 2 ? 1 : 0));
  const scores = labels.map(() => 0);
  expect(() => answer(pmopExact(), scores, labels)).toThrow(InputError);
  expect(() => answer(pmopExact(), scores, labels)).toThrow("use pmop-exact:sizes=given, pmop-gibbs or pl-partition");
  expect(Math.abs(answer(pmopExact({ sizes: "given" }), scores, labels).cost - Math.log((2001 * 2000) / 2))).toBeLessThan(1e-9);
  const half = Array.from({ length: 20_000 }, (_, i) => i % 2);
  const zeros = half.map(() => 0);
  expect(() => answer(pmopExact({ sizes: "given" }), zeros, half)).toThrow("use pmop-fd or pl-partition");
});
