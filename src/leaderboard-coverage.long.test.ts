/**
 * Intervals of 95 % contain the truth between 92 and 98 times in 100, in seeded simulations. Shares of 400 intervals and more must be within these bounds;
 * of fewer, a share fails only where the error of the simulation does not explain it (bench/coverage/simulation.ts). `npm run bench coverage` runs
 * thousands, and docs/commands/leaderboard.md has what they gave.
 */
import { describe, expect, it } from "vitest";
import { covariateCases, rankCases, ratingCases, wrongCases } from "../bench/coverage/battles.ts";
import { driftCases, featureCases } from "../bench/coverage/hierarchies.ts";
import { rankingCases, worthCases, wrongRankingCase } from "../bench/coverage/rankings.ts";
import { BOUNDS, type CoverageCase, isAbove, isBelow, type Share, simulate } from "../bench/coverage/simulation.ts";

const runsOf = ({ name }: CoverageCase) =>
  /covariate.*bootstrap/.test(name)
    ? 2
    : /features/.test(name)
      ? 20
      : /drift/.test(name)
        ? 15
        : /pairs of a (strict|tied) ranking/.test(name)
          ? 150
          : 100;

const MANY = 400; // intervals
const isOutside = (found: Share) =>
  found.intervals >= MANY ? found.share < BOUNDS[0] || found.share > BOUNDS[1] : isBelow(found) || isAbove(found);

describe("intervals contain the truth between 92 and 98 times in 100", () => {
  const cases = [
    ...[...ratingCases(), ...covariateCases(), ...rankCases(), ...worthCases()],
    ...[...rankingCases(), ...featureCases(), ...driftCases()],
  ];
  it.each(cases.map((one) => [one.name, one] as const))(
    "%s",
    (_, one) => {
      const found = simulate(one, runsOf(one));
      for (const kind of one.atLeast ?? [])
        expect(found[kind]!.share, `${kind} ${JSON.stringify(found[kind])}`).toBeGreaterThanOrEqual(BOUNDS[0]);
      for (const kind of one.within) expect(isOutside(found[kind]!), `${kind} ${JSON.stringify(found[kind])}`).toBe(false);
    },
    300_000,
  );

  it("ranks of two pairs of equal items, ties as half wins, robust: a thousand runs", () => {
    const one = rankCases().find(({ name }) => name === "two pairs are equal, ranknet:ties=half, robust")!;
    const { ranks } = simulate(one, 1000);
    expect(ranks!.share).toBeGreaterThanOrEqual(BOUNDS[0]);
    expect(ranks!.share).toBeLessThanOrEqual(BOUNDS[1]);
  }, 300_000);
});

describe("errors that do not allow for what is wrong do not contain it: the simulations can tell", () => {
  it("too small where voters have tastes, and where pairs of a ranking are taken as independent", () => {
    for (const one of [wrongCases().tooSmall, wrongRankingCase()])
      expect(simulate(one, 100).ratings!.share, one.name).toBeLessThan(BOUNDS[0]);
  }, 300_000);

  it("too large where ties are half wins", () => {
    expect(simulate(wrongCases().tooLarge, 100).ratings!.share).toBeGreaterThan(BOUNDS[1]);
  }, 300_000);
});
