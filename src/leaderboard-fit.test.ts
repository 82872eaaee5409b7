import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { binomialAbove } from "./leaderboard-cycles.ts";
import { leaderboardFit } from "./leaderboard-fit.ts";
import { random } from "./numeric/random.ts";
import { rankNet, raoKupper } from "./objectives/index.ts";

const truth = [0.9, 0.3, -0.2, -1];

/** Battles of all pairs under Davidson's model, `each` by pair; nu 0 has no ties. */
function draw(seed: number, each: number, nu: number): Battle[] {
  const r = random(seed, 0xf0);
  const rows: Battle[] = [];
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < i; j++) {
      for (let k = 0; k < each; k++) {
        const [up, down] = [Math.exp((truth[i]! - truth[j]!) / 2), Math.exp((truth[j]! - truth[i]!) / 2)];
        const u = r() * (up + down + nu);
        rows.push({ first: `i${i}`, second: `i${j}`, winner: u < up ? "first" : u < up + down ? "second" : "tie" });
      }
    }
  }
  return rows;
}

describe("does the model hold?", () => {
  it("two items: a saturated model has no residuals and no test", () => {
    const data = battles([
      { first: "a", second: "b", winner: "first", count: 6 },
      { first: "a", second: "b", winner: "second", count: 3 },
      { first: "a", second: "b", winner: "tie", count: 4 },
    ]);
    const { pairs, test } = leaderboardFit(data);
    expect(pairs[0]!.expectedWins).toBeCloseTo(6, 6);
    expect(pairs[0]!.expectedLosses).toBeCloseTo(3, 6);
    expect(pairs[0]!.expectedTies).toBeCloseTo(4, 6);
    expect([pairs[0]!.score, pairs[0]!.tie, test.df]).toEqual([0, 0, 0]);
    expect(test.p).toBeNaN();
  });

  it("three items in a ring of 8 to 4: all utilities are equal, and every pair has the residual 2 / √(12 / 4 / 3)", () => {
    const data = battles(
      ["ab", "bc", "ca"].flatMap(([first, second]): Battle[] => [
        { first: first!, second: second!, winner: "first", count: 8 },
        { first: first!, second: second!, winner: "second", count: 4 },
      ]),
    );
    const { pairs, test } = leaderboardFit(data, { simulations: 0 });
    // A score of 12 battles has variance 3. Two utilities for three pairs leave a third of it.
    for (const { score } of pairs) expect(Math.abs(score)).toBeCloseTo(2 / Math.sqrt(3 / 3), 6);
    expect(test.statistic).toBeCloseTo((3 * 2 * 2 ** 2) / 6, 8);
    expect(test.df).toBe(1);
  });

  it.each([0, 0.7])("where it does, residuals have variance 1 and p-values are uniform: nu %d", (nu) => {
    let [score, tie, pairs, small, runs] = [0, 0, 0, 0, 0];
    for (let seed = 1; seed <= 150; seed++) {
      const found = leaderboardFit(battles(draw(seed, 60, nu)), { simulations: 0 });
      for (const one of found.pairs) {
        score += one.score ** 2;
        if (nu > 0) tie += one.tie ** 2;
        pairs++;
      }
      runs++;
      if (found.test.p < 0.2) small++;
    }
    const reach = 4 * Math.sqrt(2 / 150); // residuals of one sample depend on each other
    expect(Math.abs(score / pairs - 1)).toBeLessThan(reach);
    if (nu > 0) expect(Math.abs(tie / pairs - 1)).toBeLessThan(reach);
    expect(Math.abs(small / runs - 0.2)).toBeLessThan(4 * Math.sqrt(0.16 / 150));
  });

  it("simulated p-values are near those of the chi-square distribution where counts are large", () => {
    const data = battles(draw(5, 100, 0.7));
    const [exact, drawn] = [0, 200].map((simulations) => leaderboardFit(data, { simulations }).test);
    expect(drawn!.simulations).toBe(200);
    expect(Math.abs(exact!.p - drawn!.p)).toBeLessThan(0.12);
    expect(leaderboardFit(data, { simulations: 50, seed: 2 }).test).toEqual(
      leaderboardFit(data, { simulations: 50, seed: 2 }).test,
    );
    expect(leaderboardFit(battles(draw(5, 4, 0.7))).test.simulations).toBeGreaterThan(150); // small counts
  });

  it("battles are drawn where more than a fifth of the expected counts are below 5", () => {
    // All utilities are equal. Ten pairs have twenty counts: 10 of each pair, or 2 where battles are few.
    const simulations = (fewPairs: number) => {
      const pairs = ["ab", "ac", "ad", "ae", "bc", "bd", "be", "cd", "ce", "de"].map(([first, second]) => ({ first: first!, second: second! })); // biome-ignore format: a list
      const rows = pairs.flatMap((pair, at): Battle[] => {
        const count = at < fewPairs ? 2 : 10;
        return [{ ...pair, winner: "first", count }, { ...pair, winner: "second", count }]; // biome-ignore format: two rows
      });
      return leaderboardFit(battles(rows)).test.simulations;
    };
    expect(simulations(1)).toBe(0);
    expect(simulations(2)).toBe(0); // a fifth
    expect(simulations(3)).toBeGreaterThan(150);
  });

  it("a pair that does not follow the model comes first", () => {
    const rows = draw(7, 100, 0.7).map(
      (row): Battle => (row.first === "i3" && row.second === "i0" ? { ...row, winner: "first" } : row),
    );
    const { pairs, test } = leaderboardFit(battles(rows));
    expect([pairs[0]!.first, pairs[0]!.second].sort()).toEqual(["i0", "i3"]);
    expect(pairs[0]!.scoreP).toBeLessThan(1e-6);
    expect(test.p).toBeLessThan(1e-6);
  });

  it("with a prior and under Rao and Kupper's model", () => {
    const { pairs, objective } = leaderboardFit(battles(draw(2, 10, 0.7)), {
      ghost: 0.5,
      objective: raoKupper(),
      simulations: 20,
    });
    expect([pairs.length, objective]).toEqual([6, "rao-kupper"]);
  });
});

describe("cycles", () => {
  const ring = (wins: number, losses: number) =>
    ["ab", "bc", "ca", "ad", "db"].flatMap(([first, second]): Battle[] => [
      { first: first!, second: second!, winner: "first", count: wins },
      { first: first!, second: second!, winner: "second", count: losses },
    ]);
  it("a ring of clear majorities survives, one of unclear ones does not", () => {
    const sure = leaderboardFit(battles(ring(80, 20)));
    expect(sure.cycles.map(({ items }) => items.join(""))).toEqual(["abc"]);
    expect(sure.cycles[0]!.results).toEqual([[80, 20], [80, 20], [80, 20]]); // biome-ignore format: results
    // Triples with all pairs compared: abc and abd, in two directions each.
    expect(sure.cycles[0]!.p).toBeCloseTo(4 * binomialAbove(80, 20), 12);
    expect(sure.triples).toBe(2);
    const unsure = leaderboardFit(battles(ring(9, 6)));
    expect([unsure.cycles.length, unsure.cyclesSeen]).toEqual([0, 1]);
  });
  it("8 wins or more of 10 have the probability (45 + 10 + 1) / 1024", () => {
    expect(binomialAbove(8, 2)).toBeCloseTo(56 / 1024, 12);
    expect(binomialAbove(0, 10)).toBeCloseTo(1, 12);
    expect(binomialAbove(3, 7)).toBeCloseTo(1 - 56 / 1024, 12);
    expect(binomialAbove(5300, 4700)).toBeCloseTo(1.0409e-9, 11);
  });
});

it.each<[string, () => unknown, RegExp]>([
  ["no battles", () => leaderboardFit([] as never), /^leaderboardFit: expected battles/],
  [
    "ties under a model without",
    () => leaderboardFit(battles(draw(1, 9, 1)), { objective: rankNet() }),
    /gives ties no probability/,
  ],
  ["weights", () => leaderboardFit(battles([{ first: "a", second: "b", winner: "tie", weight: 2 }])), /weights have no expected/],
  [
    "covariates",
    () => leaderboardFit(battles([{ first: "a", second: "b", winner: "tie", covariates: [1] }], { covariates: ["x"] })),
    /without covariates/,
  ],
  ["half a simulation", () => leaderboardFit(battles(draw(1, 9, 1)), { simulations: 0.5 }), /option simulations: expected/],
])("%s is an error of one line", (_, call, message) => {
  expect(call).toThrow(message);
});
