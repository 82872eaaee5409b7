/** Metrics of tiers, against probabilities added up over every order of a few items. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { metric, tierAccuracy, tierBoundaries, tierLikelihood } from "./index.ts";

const arrays = (scores: readonly number[], labels: readonly number[]) =>
  [Float64Array.from(scores), Float32Array.from(labels)] as const;

function* orders(items: readonly number[]): Generator<number[]> {
  if (items.length === 0) yield [];
  for (const first of items) for (const rest of orders(items.filter((one) => one !== first))) yield [first, ...rest];
}

/** The Plackett-Luce probability that the order of all items fulfils a condition. */
function probability(scores: readonly number[], holds: (order: readonly number[]) => boolean): number {
  let sum = 0;
  for (const order of orders(scores.map((_, i) => i))) {
    if (!holds(order)) continue;
    sum += order.reduce((chance, item, place) => {
      const left = order.slice(place).reduce((mass, other) => mass + Math.exp(scores[other]!), 0);
      return (chance * Math.exp(scores[item]!)) / left;
    }, 1);
  }
  return sum;
}

const list = fc.array(fc.record({ score: fc.double({ min: -3, max: 3, noNaN: true }), label: fc.constantFrom(-1, 0, 1, 2.5) }), {
  minLength: 2,
  maxLength: 6,
});

describe("tier-likelihood", () => {
  it("is the log of the probability that no label stands before a higher one", () => {
    fc.assert(
      fc.property(list, (items) => {
        const [scores, labels] = [items.map(({ score }) => score), items.map(({ label }) => label)];
        if (new Set(labels).size < 2) return;
        const falls = (order: readonly number[]) => order.every((item, p) => p === 0 || labels[item]! <= labels[order[p - 1]!]!);
        const value = tierLikelihood().measure(...arrays(scores, labels));
        expect(value).toBeCloseTo(Math.log(probability(scores, falls)), 10);
        expect(value).toBeLessThanOrEqual(0);
      }),
      { numRuns: 40 },
    );
  });
  it("of tied scores is that of guessing: 2! 3! / 5!", () => {
    expect(tierLikelihood().measure(...arrays([7, 7, 7, 7, 7], [1, 0, 0, 1, 0]))).toBeCloseTo(Math.log((2 * 6) / 120), 12);
  });
  it("divides scores by the temperature", () => {
    const cool = tierLikelihood({ temperature: 2 }).measure(...arrays([4, 2, 0], [2, 1, 0]));
    expect(cool).toBe(tierLikelihood().measure(...arrays([2, 1, 0], [2, 1, 0])));
    expect(metric("tier-likelihood;temperature=2").variant).toContain("scores / 2 as log-worths");
  });
});

describe("tier-boundaries", () => {
  it("is the mean over boundaries of the probability that all above come before all below", () => {
    fc.assert(
      fc.property(list, (items) => {
        const [scores, labels] = [items.map(({ score }) => score), items.map(({ label }) => label)];
        const lower = [...new Set(labels)].sort((a, b) => b - a).slice(0, -1);
        if (lower.length === 0) return;
        const kept = lower.map((least) => {
          const above = labels.filter((label) => label >= least).length;
          return probability(scores, (order) => order.slice(0, above).every((item) => labels[item]! >= least));
        });
        const mean = kept.reduce((sum, one) => sum + one, 0) / kept.length;
        expect(tierBoundaries().measure(...arrays(scores, labels))).toBeCloseTo(mean, 10);
      }),
      { numRuns: 40 },
    );
  });
  it("of tied scores is one over the ways to choose: 1/C(4,1) and 1/C(4,3)", () => {
    expect(tierBoundaries().measure(...arrays([0, 0, 0, 0], [2, 1, 1, 0]))).toBeCloseTo(1 / 4, 12);
  });
});

describe("tier-accuracy", () => {
  it("cuts the order into tiers of the true sizes", () => {
    // Places A, B, B, C hold labels B, A, B, C: the last two are right.
    expect(tierAccuracy().measure(...arrays([4, 3, 2, 1], [1, 2, 1, 0]))).toBe(2 / 4);
  });
  it("an item of the best tier among those of the next may find its place by chance", () => {
    // Places 1 and 2 are of A and B; tied items are B and C: right at best B on place 2, in expectation half of that.
    const tied = [3, 3, 1] as const;
    expect(tierAccuracy({ ties: "best" }).measure(...arrays(tied, [1, 0, 2]))).toBe(1 / 3);
    expect(tierAccuracy().measure(...arrays(tied, [1, 0, 2]))).toBe(0.5 / 3);
    expect(tierAccuracy({ ties: "worst" }).measure(...arrays(tied, [1, 0, 2]))).toBe(0);
  });
});

describe("metrics of scores", () => {
  it.each(["tier-likelihood", "tier-boundaries"])(
    "%s: undefined for a list of one tier, and order and ids do not matter",
    (text) => {
      expect(metric(text).measure(...arrays([1, 2], [1, 1]))).toBeNaN();
      expect(metric(text).measure(...arrays([], []))).toBeNaN();
      expect(metric(`${text};empty=0`).measure(...arrays([1], [1]))).toBe(0);
      const value = metric(text).measure(...arrays([0.5, -1, 2, 2], [1, 0, 2, 0]));
      expect(metric(text).measure(...arrays([2, 2, -1, 0.5], [0, 2, 0, 1]))).toBeCloseTo(value, 12);
      expect(metric(text).measure(...arrays([0.5 + 9, 8, 11, 11], [1, 0, 2, 0]))).toBeCloseTo(value, 12);
    },
  );
  it.each(["tier-likelihood", "tier-boundaries"])("%s: stays finite for scores of any size and 100,000 ties", (text) => {
    expect(metric(text).measure(...arrays([1e4, -1e4, 3e4], [1, 0, 2]))).toBeLessThanOrEqual(1);
    expect(metric(text).measure(...arrays([1e4, -1e4, 3e4], [0, 1, 0]))).toBeGreaterThan(-1e6);
    const many = Array.from({ length: 100_000 }, (_, i) => (i % 100 === 0 ? 1 + (i % 3) : 0));
    expect(Number.isFinite(metric(text).measure(new Float64Array(100_000), Float32Array.from(many)))).toBe(true);
  });
  it("an item without a score is a mistake", () => {
    expect(() => metric("tier-likelihood").measure(...arrays([1, -Infinity], [1, 0]))).toThrow(
      "tier-likelihood needs a score for every item, and an item of a list has -Infinity",
    );
  });
});
