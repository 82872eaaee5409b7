/** The likelihoods of tiers against sums over all orders, and against each other. */
import { describe, expect, it } from "vitest";
import { answer, farthest, permutations } from "../../test/answer.ts";
import { random } from "../numeric/random.ts";
import { attRank } from "./attrank.ts";
import { plLb } from "./pl-lb.ts";
import { plPartition } from "./pl-partition.ts";
import { listMle, plTopK } from "./pl-topk.ts";
import { uniqueSoftmax } from "./unique-softmax.ts";

const draw = random(31);
const spread = (n: number) => Array.from({ length: n }, () => 4 * draw() - 2);

/** Chance of one order: each place is taken in proportion to e^w among what is left. */
function chance(scores: readonly number[], order: readonly number[]): number {
  let [product, left] = [1, order.reduce((sum, i) => sum + Math.exp(scores[i]!), 0)];
  for (const i of order) {
    product *= Math.exp(scores[i]!) / left;
    left -= Math.exp(scores[i]!);
  }
  return product;
}

/** Chance that the labels never rise along an order. */
const chanceOf = (scores: readonly number[], labels: readonly number[]) =>
  permutations(labels.map((_, i) => i))
    .filter((order) => order.every((i, p) => p === 0 || labels[order[p - 1]!]! >= labels[i]!))
    .reduce((sum, order) => sum + chance(scores, order), 0);

describe("pl-partition", () => {
  it("is the sum over all orders that agree with the tiers, up to seven items", () => {
    for (const labels of [
      [1, 0],
      [1, 1, 0],
      [2, 1, 1, 0, 0],
      [0, 2, 1, 1, 2, 0],
      [1, 1, 1, 1, 1, 1, 0],
      [3, 2, 2, 2, 0, 0, 1],
    ]) {
      const scores = spread(labels.length);
      expect(answer(plPartition(), scores, labels).cost).toBeCloseTo(-Math.log(chanceOf(scores, labels)), 9);
    }
  });

  it("backward, it is the chance that elimination with e^-w, the worst first, gives the tiers", () => {
    const labels = [2, 1, 1, 0, 0, 1];
    const scores = spread(6);
    const mirrored = chanceOf(
      scores.map((s) => -s),
      labels.map((l) => -l),
    );
    const { cost } = answer(plPartition({ direction: "backward" }), scores, labels);
    expect(cost).toBeCloseTo(-Math.log(mirrored), 9);
    expect(cost).not.toBeCloseTo(answer(plPartition(), scores, labels).cost, 3);
  });

  it("of two items, forward and backward are one", () => {
    const [one, other] = (["forward", "backward"] as const).map((direction) =>
      answer(plPartition({ direction }), [0.3, 1.7], [1, 0]),
    );
    expect(one!.cost).toBeCloseTo(other!.cost, 14);
    expect(farthest(one!.gradient, other!.gradient)).toBeLessThan(1e-14);
  });
});

describe("backward orders", () => {
  it("listmle: the worst is taken first with e^-w, then the next worst", () => {
    // Weights e^-w of 1, 2, 4: the worst, item 2, has 4/7; then item 1 has 2/3.
    const scores = [0, -Math.log(2), -Math.log(4)];
    const { cost } = answer(listMle({ direction: "backward" }), scores, [2, 1, 0]);
    expect(cost).toBeCloseTo(-Math.log((4 / 7) * (2 / 3)), 13);
    expect(answer(plTopK({ k: 1, direction: "backward" }), scores, [2, 1, 0]).cost).toBeCloseTo(-Math.log(4 / 7), 13);
  });
});

describe("pl-lb", () => {
  it("n! Π e^w / Σ e^w, by hand", () => {
    // e^w = 1, 2, 3, 4: two above, 2! (3 · 4) / 10².
    const scores = [0, Math.log(2), Math.log(3), Math.log(4)];
    const { cost, gradient, hessian } = answer(plLb(), scores, [0, 0, 1, 1]);
    expect(cost).toBeCloseTo(-Math.log(2 * 0.3 * 0.4), 13);
    expect(farthest(gradient, [2 * 0.1, 2 * 0.2, 2 * 0.3 - 1, 2 * 0.4 - 1])).toBeLessThan(1e-14);
    expect(
      farthest(
        hessian,
        [0.1, 0.2, 0.3, 0.4].map((p) => 2 * p * (1 - p)),
      ),
    ).toBeLessThan(1e-14);
  });

  it("is never below pl-partition, and equal to it where tiers hold one item", () => {
    for (let iteration = 0; iteration < 50; iteration++) {
      const labels = Array.from({ length: 8 }, () => Math.floor(4 * draw()));
      const scores = spread(8);
      expect(answer(plLb(), scores, labels).cost).toBeGreaterThan(answer(plPartition(), scores, labels).cost - 1e-12);
    }
    const scores = spread(6);
    const labels = [5, 3, 4, 0, 1, 2];
    expect(answer(plLb(), scores, labels).cost).toBeCloseTo(answer(listMle(), scores, labels).cost, 12);
  });

  it("log n! of a large tier is Stirling's: 40 items above one of equal score", () => {
    let factorial = 0;
    for (let i = 2; i <= 40; i++) factorial += Math.log(i);
    const labels = [...Array(40).fill(1), 0];
    expect(answer(plLb(), Array(41).fill(0), labels).cost).toBeCloseTo(40 * Math.log(41) - factorial, 10);
  });
});

describe("attrank", () => {
  it("labels 0 and 1: its gradient times the number of items above is that of pl-lb", () => {
    const labels = [1, 0, 1, 1, 0, 0];
    const scores = spread(6);
    const [ours, theirs] = [answer(attRank(), scores, labels), answer(plLb(), scores, labels)];
    expect(
      farthest(
        ours.gradient.map((value) => 3 * value),
        theirs.gradient,
      ),
    ).toBeLessThan(1e-13);
    expect(
      farthest(
        ours.hessian.map((value) => 3 * value),
        theirs.hessian,
      ),
    ).toBeLessThan(1e-13);
  });

  it("attention is e^label among labels above 0", () => {
    // Labels 2, 1, 0 with equal scores: attention e/(1 + e), 1/(1 + e), 0 against 1/3 each.
    const { cost, gradient } = answer(attRank(), [0, 0, 0], [2, 1, 0]);
    const a = Math.E / (1 + Math.E);
    expect(cost).toBeCloseTo(Math.log(3), 14);
    expect(farthest(gradient, [1 / 3 - a, 1 / 3 - (1 - a), 1 / 3])).toBeLessThan(1e-15);
  });
});

describe("unique-softmax", () => {
  it("the values in the tests of TF-Ranking", () => {
    expect(answer(uniqueSoftmax(), [1, 3, 2], [0, 0, 1]).cost).toBeCloseTo(1.407606, 6);
    expect(answer(uniqueSoftmax(), [1, 2, 3], [0, 0, 2]).cost).toBeCloseTo(1.222818, 5);
    const log = (scores: number[], at: number) =>
      Math.log(Math.exp(scores[at]!) / scores.reduce((sum, s) => sum + Math.exp(s), 0));
    const { cost } = answer(uniqueSoftmax(), [1, 2, 3], [0, 1, 2]);
    expect(cost).toBeCloseTo(-(log([1, 2], 1) + 3 * log([1, 2, 3], 2)), 13);
  });
});
