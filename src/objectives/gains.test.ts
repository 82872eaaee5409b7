/** Objectives over gains and grades, by hand and against other tools' tests. */
import { describe, expect, it } from "vitest";
import { answer, farthest } from "../../test/answer.ts";
import { approxNdcg } from "./approx-ndcg.ts";
import { cCosine } from "./c-cosine.ts";
import { cKl } from "./c-kl.ts";
import { cosine } from "./cosine.ts";
import { kl } from "./kl.ts";
import { mcRank } from "./mcrank.ts";

const second = 1 / Math.log2(3);

describe("cosine", () => {
  it("no cost along the gains, all of it against them, half across", () => {
    expect(answer(cosine(), [6, 2, 0], [2, 1, 0]).cost).toBeCloseTo(0, 14);
    expect(answer(cosine(), [-3, -1, 0], [2, 1, 0]).cost).toBeCloseTo(1, 14);
    expect(answer(cosine(), [1, -3, 5], [2, 1, 0]).cost).toBeCloseTo((1 - 0 / 1) / 2, 14); // gains (3, 1, 0)
  });

  it("c-cosine has ideal DCG where cosine has the length of the gains", () => {
    const [scores, labels] = [
      [1, 2, 3],
      [2, 0, 1],
    ];
    const product = (3 * 1 + 1 * 3) / Math.sqrt(14);
    expect(answer(cosine(), scores, labels).cost).toBeCloseTo((1 - product / Math.sqrt(10)) / 2, 14);
    expect(answer(cCosine(), scores, labels).cost).toBeCloseTo((1 - product / (3 + second)) / 2, 14);
  });

  it("where all scores are 0 it points along the gains", () => {
    expect(farthest(answer(cosine(), [0, 0], [0, 1]).gradient, [0, -0.5])).toBe(0);
  });
});

describe("kl", () => {
  it("nothing is left where the softmax is the gains' share", () => {
    const { cost, gradient } = answer(kl(), [Math.log(3), Math.log(1)], [2, 1]);
    expect(cost).toBeCloseTo(0, 14);
    expect(farthest(gradient, [0, 0])).toBeLessThan(1e-15);
  });

  it("gains 3 and 1 against equal scores: Σ p log(2 p)", () => {
    expect(answer(kl(), [0, 0], [2, 1]).cost).toBeCloseTo(0.75 * Math.log(1.5) + 0.25 * Math.log(0.5), 14);
  });

  it("c-kl is kl times the sum of the gains over ideal DCG", () => {
    const [scores, labels] = [
      [0.3, -1, 0.8],
      [2, 0, 1],
    ];
    const factor = 4 / (3 + second);
    const [plain, consistent] = [answer(kl(), scores, labels), answer(cKl(), scores, labels)];
    expect(consistent.cost).toBeCloseTo(factor * plain.cost, 14);
    expect(
      farthest(
        consistent.gradient,
        plain.gradient.map((value) => factor * value),
      ),
    ).toBeLessThan(1e-14);
  });
});

describe("approx-ndcg", () => {
  it("the values in the tests of TF-Ranking, at temperature 0.1", () => {
    const ln = Math.log;
    const first = (1 / (3 / ln(2) + 1 / ln(3))) * (3 / ln(4) + 1 / ln(3));
    const other = (1 / (7 / ln(2) + 1 / ln(3))) * (7 / ln(2) + 1 / ln(4));
    expect(answer(approxNdcg(), [1.4, -2.8, -0.4], [0, 2, 1]).cost).toBeCloseTo(1 - first, 5);
    expect(answer(approxNdcg(), [0, 1.8, 10.2], [1, 0, 3]).cost).toBeCloseTo(1 - other, 5);
  });

  it("equal scores: both items stand at place 1.5", () => {
    expect(answer(approxNdcg(), [0, 0], [1, 0]).cost).toBeCloseTo(1 - 1 / Math.log2(2.5), 13);
  });
});

describe("mcrank", () => {
  it("two grades, two items", () => {
    // Item 0 has grade 1 with chance 3/4, item 1 has grade 0 with chance 1/2.
    const { cost, gradient } = answer(mcRank({ grades: 2 }), [0, Math.log(3), 5, 5], [1, 0]);
    expect(cost).toBeCloseTo(Math.log(4 / 3) + Math.log(2), 14);
    expect(farthest(gradient, [1 / 4, -1 / 4, -1 / 2, 1 / 2])).toBeLessThan(1e-15);
  });

  it("folds into the expected grade", () => {
    expect(mcRank().reduction).toEqual({ kind: "expected", values: [0, 1, 2, 3, 4] });
    expect(mcRank().outputs).toBe(5);
  });

  it("a label beyond the grades is refused with the way out", () => {
    const wanted = "mcrank: expected whole labels from 0 to 2, got 7; set grades to one more than the highest";
    expect(() => answer(mcRank({ grades: 3 }), Array(6).fill(0), [7, 1])).toThrow(wanted);
  });
});
