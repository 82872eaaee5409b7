import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { leaderboard } from "./leaderboard.ts";
import { nextPairs, nextPairsOf } from "./next-pairs.ts";
import { inverse } from "./numeric/cholesky.ts";
import { below, random } from "./numeric/random.ts";

function drawn(seed: number, count: number, n = 6): Battle[] {
  const r = random(seed, 0x4e);
  const fights: Battle[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) fights.push({ first: `i${i}`, second: `i${j}`, winner: i % 2 ? "first" : "second" });
  for (let b = 0; b < count; b++) {
    const i = below(r, n);
    const j = (i + 1 + below(r, n - 1)) % n;
    fights.push({ first: `i${i}`, second: `i${j}`, winner: r() < 1 / (1 + Math.exp(0.4 * (i - j))) ? "first" : "second" });
  }
  return fights;
}

describe("pairs to compare next", () => {
  it("errors after a pair are those of the inverse of the information with it", () => {
    // Precision of three items with a common shift penalized; two comparisons of 0 and 2 at margin 0.6 add 2 p (1 - p) each.
    const precision = [3, -1, -1, -1, 4, -2, -1, -2, 4];
    const covariance = inverse(Float64Array.from(precision), 3)!;
    const names = ["a", "b", "c"];
    const utilities = [0.3, 0.1, -0.3];
    const { pairs } = nextPairsOf({ names, utilities, covariance }, { pairs: 3, battles: 2 });
    let now = Float64Array.from(precision);
    for (const { first, second, error, errorAfter } of pairs) {
      const [i, j] = [names.indexOf(first), names.indexOf(second)];
      const errorOf = (matrix: Float64Array) => {
        const c = inverse(matrix.slice(), 3)!;
        return Math.sqrt(c[i * 3 + i]! + c[j * 3 + j]! - 2 * c[i * 3 + j]!);
      };
      const p = 1 / (1 + Math.exp(utilities[j]! - utilities[i]!));
      const next = now.slice();
      for (const [a, b, sign] of [
        [i, i, 1],
        [j, j, 1],
        [i, j, -1],
        [j, i, -1],
      ] as const)
        next[a * 3 + b]! += sign * 2 * p * (1 - p);
      expect(error).toBeCloseTo(errorOf(now), 10);
      expect(errorAfter).toBeCloseTo(errorOf(next), 10);
      now = next;
    }
    expect(new Set(pairs.map(({ first, second }) => [first, second].sort().join())).size).toBe(3);
  });

  it("the best of all pairs by trying each is the first, where pairs count alike", () => {
    // The goal of the module computed again for every pair: of two groups that are far apart, only pairs within a group matter.
    const n = 4;
    const covariance = Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 0.1 : 0));
    const { pairs } = nextPairsOf(
      { names: ["a", "b", "c", "d"], utilities: [5, 4.2, -4.2, -5], covariance, information: () => 1 },
      { pairs: 2 },
    );
    expect(pairs.map(({ first, second }) => first + second).sort()).toEqual(["ab", "cd"]);
  });

  it("new items come first, each once, then others", () => {
    const { pairs } = nextPairs(battles(drawn(2, 60)), { pairs: 8, newItems: ["x", "y", "z"] });
    const names = pairs.slice(0, 3).flatMap(({ first, second }) => [first, second]);
    for (const name of ["x", "y", "z"]) expect(names).toContain(name);
    expect(pairs).toHaveLength(8);
  });

  it("widths are those of the leaderboard, and of the best with `top`", () => {
    const data = battles(drawn(3, 150));
    const { widest, mean, widestItems } = nextPairs(data);
    const widths = leaderboard(data, { ghost: 0.5 }).items.map(({ rankLow, rankHigh }) => rankHigh - rankLow + 1);
    expect(widest).toBe(Math.max(...widths));
    expect(mean).toBeCloseTo(widths.reduce((sum, width) => sum + width, 0) / widths.length, 12);
    expect(widestItems).toHaveLength(widths.filter((width) => width === widest).length);
    expect(nextPairs(data, { top: 2 }).widest).toBe(Math.max(...widths.slice(0, 2)));
  });

  it.each<[string, () => unknown]>([
    ["no battles", () => nextPairs({} as never)],
    ["a new item that has battles", () => nextPairs(battles(drawn(1, 10)), { newItems: ["i0"] })],
    ["a new item twice", () => nextPairs(battles(drawn(1, 10)), { newItems: ["x", "x"] })],
    ["no pairs", () => nextPairs(battles(drawn(1, 10)), { pairs: 0 })],
    [
      "a covariance of another size",
      () => nextPairsOf({ names: ["a", "b"], utilities: [0, 0], covariance: new Float64Array(3) }),
    ],
    ["NaN", () => nextPairsOf({ names: ["a", "b"], utilities: [0, Number.NaN], covariance: new Float64Array(4) })],
  ])("refuses %s in one line", (_, call) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(/^[^\n]+$/);
  });
});
