import { describe, expect, it } from "vitest";
import { battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { leaderboard } from "./leaderboard.ts";
import { below, random } from "./numeric/random.ts";
import { compareRatings, type TimedBattle } from "./online-compare.ts";
import { elo, glicko2 } from "./ratings/index.ts";

const r = random(4, 0xc0);
const timed = Array.from({ length: 200 }, (): TimedBattle => {
  const i = below(r, 4);
  const j = (i + 1 + below(r, 3)) % 4;
  const u = r();
  return {
    first: `i${i}`,
    second: `i${j}`,
    winner: u < 0.15 ? "tie" : u < 0.15 + 0.85 / (1 + Math.exp(i - j)) ? "first" : "second",
  };
});

describe("ratings compared by prediction of the next battle", () => {
  it("elo is scored as by hand", () => {
    const { scores, battles: counted, first } = compareRatings(timed, { systems: [elo({ k: 20 })], slices: 4 });
    const ratings = new Map<string, number>();
    let [loss, brier, right, decided] = [0, 0, 0, 0];
    timed.forEach(({ first: a, second: b, winner }, t) => {
      const [ra, rb] = [ratings.get(a) ?? 1500, ratings.get(b) ?? 1500];
      const e = 1 / (1 + 10 ** ((rb - ra) / 400));
      const y = winner === "first" ? 1 : winner === "tie" ? 0.5 : 0;
      if (t >= 50) {
        loss -= (y * Math.log(e) + (1 - y) * Math.log(1 - e)) / 150;
        brier += (y - e) ** 2 / 150;
        if (y !== 0.5) decided++;
        if (y !== 0.5) right += e === 0.5 ? 0.5 : e > 0.5 === (y === 1) ? 1 : 0;
      }
      ratings.set(a, ra + 20 * (y - e));
      ratings.set(b, rb - 20 * (y - e));
    });
    expect([counted, first]).toEqual([150, 50]);
    expect(scores[1]!.logLoss).toBeCloseTo(loss, 10);
    expect(scores[1]!.brier).toBeCloseTo(brier, 10);
    expect(scores[1]!.accuracy).toBeCloseTo(right / decided, 10);
    expect(scores[1]!.difference).toBeCloseTo(loss - scores[0]!.logLoss, 10);
    expect(scores[1]!.low!).toBeLessThan(scores[1]!.difference!);
    expect(scores[1]!.difference! - scores[1]!.low!).toBeCloseTo(scores[1]!.high! - scores[1]!.difference!, 12);
  });

  it("the batch fit of two slices is the leaderboard of the first half", () => {
    const board = leaderboard(battles(timed.slice(0, 100)), { ghost: 0.5 });
    const nu = Math.exp(board.auxiliary[0]!.value);
    const utility = new Map(board.items.map(({ name }, i) => [name, board.utilities[i]!]));
    let loss = 0;
    for (const { first, second, winner } of timed.slice(100)) {
      const d = utility.get(first)! - utility.get(second)!;
      const [up, down] = [Math.exp(d / 2), Math.exp(-d / 2)];
      const e = (up + nu / 2) / (up + down + nu);
      const y = winner === "first" ? 1 : winner === "tie" ? 0.5 : 0;
      loss -= (y * Math.log(e) + (1 - y) * Math.log(1 - e)) / 100;
    }
    expect(compareRatings(timed, { systems: [], slices: 2 }).scores[0]!.logLoss).toBeCloseTo(loss, 8);
  });

  it("rating periods of glicko2 end where the period changes", () => {
    const days = timed.map((battle, t) => ({ ...battle, period: `day ${Math.floor(t / 10)}` }));
    const [by, count] = [days, timed].map((some, k) =>
      compareRatings(some, { systems: [glicko2({ period: k === 0 ? 1000 : 10 })] }),
    );
    expect(by!.scores[1]!.logLoss).toBe(count!.scores[1]!.logLoss);
  });

  it.each<[string, () => unknown]>([
    ["no battles", () => compareRatings({} as never)],
    ["too few battles", () => compareRatings(timed.slice(0, 5))],
    ["one slice", () => compareRatings(timed, { slices: 1 })],
    ["no system", () => compareRatings(timed, { systems: [{}] as never })],
  ])("refuses %s in one line", (_, call) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(/^[^\n]+$/);
  });
});
