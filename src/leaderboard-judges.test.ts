import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { leaderboard } from "./leaderboard.ts";
import { leaderboardWithJudges } from "./leaderboard-judges.ts";
import { below, random } from "./numeric/random.ts";
import { rankNet } from "./objectives/index.ts";

/** Battles of six items by judges of these reliabilities, under Davidson's model. */
function judged(alphas: readonly number[], each: number, seed: number): Battle[] {
  const r = random(seed, 0x1d9e);
  return alphas.flatMap((alpha, j) =>
    Array.from({ length: each }, (): Battle => {
      const i = below(r, 6);
      const k = (i + 1 + below(r, 5)) % 6;
      const margin = alpha * 0.5 * (k - i);
      const [up, down] = [Math.exp(margin / 2), Math.exp(-margin / 2)];
      const u = r() * (up + down + 0.6);
      return { first: `i${i}`, second: `i${k}`, winner: u < up ? "first" : u < up + down ? "second" : "tie", cluster: `j${j}` };
    }),
  );
}

const good = Array.from({ length: 12 }, () => 1);

describe("judges", () => {
  it("a hostile and a random judge are found, and the rest are believed", () => {
    const { judges, board, test, spread } = leaderboardWithJudges(battles(judged([-1, 0, ...good], 60, 3)));
    expect(judges[0]!.name).toBe("j0");
    expect(judges[0]!.high).toBeLessThan(0);
    expect(judges[0]!.p).toBeLessThan(0.001);
    expect(judges[1]!.name).toBe("j1");
    expect(Math.abs(judges[1]!.reliability)).toBeLessThan(0.4);
    expect(judges.slice(2).every(({ low }) => low > 0)).toBe(true);
    expect(judges[0]!.agreement).toBeLessThan(0.5);
    expect(test!.p).toBeLessThan(0.001);
    expect(spread.value).toBeGreaterThan(0.3);
    expect(board.items.map(({ name }) => name)).toEqual(["i0", "i1", "i2", "i3", "i4", "i5"]);
    expect(judges.reduce((sum, one) => sum + one.battles, 0)).toBe(14 * 60);
  });

  it("equal judges have the leaderboard without judges", () => {
    // Every judge sees the same battles, so nothing speaks for a difference.
    const same = judged([1], 80, 5);
    const data = battles([0, 1, 2, 3].flatMap((j) => same.map((battle) => ({ ...battle, cluster: `j${j}` }))));
    const { board, spread, test } = leaderboardWithJudges(data, { errors: "information" });
    const plain = leaderboard(data, { errors: "information" });
    expect(spread.value).toBeLessThan(1e-3);
    expect(test!.p).toBeGreaterThan(0.4);
    board.items.forEach(({ name, rating, error }, i) => {
      expect(name).toBe(plain.items[i]!.name);
      expect(rating).toBeCloseTo(plain.items[i]!.rating, 4);
      expect(error).toBeCloseTo(plain.items[i]!.error, 3);
    });
  });

  it("the sign of hostile judges does not depend on who comes first, nor on the order of rows", () => {
    const rows = judged([0.2, -0.8, 1.5, 1, 1.2, 0.9, 1.1], 50, 7);
    const [a, b] = [rows, [...rows].reverse()].map((some) => leaderboardWithJudges(battles(some)));
    for (const judge of a!.judges) {
      const same = b!.judges.find(({ name }) => name === judge.name)!;
      expect(same.reliability).toBeCloseTo(judge.reliability, 6);
      expect(same.z).toBeCloseTo(judge.z, 6);
    }
  });

  it("a prior, half ties or weights leave no likelihood ratio test, and say why", () => {
    const rows = judged([0.2, ...good.slice(0, 4)], 30, 9);
    expect(leaderboardWithJudges(battles(rows), { ghost: 0.5 }).untested).toMatch(/prior/);
    expect(leaderboardWithJudges(battles(rows), { objective: rankNet({ ties: "half" }) }).untested).toMatch(/no likelihood/);
    expect(leaderboardWithJudges(battles(rows.map((row) => ({ ...row, weight: 2 })))).untested).toMatch(/weights/);
  });

  it.each<[string, () => unknown]>([
    ["no clusters", () => leaderboardWithJudges(battles([{ first: "a", second: "b", winner: "tie" }]))],
    ["a bootstrap", () => leaderboardWithJudges(battles(judged([1], 20, 1)), { errors: "bootstrap" })],
    ["no battles", () => leaderboardWithJudges({} as never)],
    ["an unknown option", () => leaderboardWithJudges(battles(judged([1], 20, 1)), { judge: 1 } as never)],
  ])("refuses %s in one line", (_, call) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(/^[^\n]+$/);
  });
});
