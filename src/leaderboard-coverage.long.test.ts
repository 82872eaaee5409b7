/**
 * Intervals of 95 % contain the truth between 92 and 98 times in 100, in seeded simulations. Few runs here, so that a share fails only where the error of
 * the simulation does not explain it (bench/coverage/simulation.ts); `npm run bench coverage` runs thousands, and docs/commands/leaderboard.md has what they
 * gave.
 */
import { describe, expect, it } from "vitest";
import { covariateCases, rankCases, ratingCases, wrongCases } from "../bench/coverage/battles.ts";
import { driftCases, featureCases } from "../bench/coverage/hierarchies.ts";
import { rankingCases, worthCases, wrongRankingCase } from "../bench/coverage/rankings.ts";
import { BOUNDS, type CoverageCase, isAbove, isBelow, simulate } from "../bench/coverage/simulation.ts";

const runsOf = ({ name, within }: CoverageCase) =>
  /covariate.*bootstrap/.test(name)
    ? 2
    : /bootstrap/.test(name)
      ? 10
      : /features|drift/.test(name)
        ? 8
        : within.includes("ranks")
          ? 60
          : 40;

describe("intervals contain the truth between 92 and 98 times in 100", () => {
  const cases = [
    ...[...ratingCases(), ...covariateCases(), ...rankCases(), ...worthCases()],
    ...[...rankingCases(), ...featureCases(), ...driftCases()],
  ];
  it.each(cases.map((one) => [one.name, one] as const))(
    "%s",
    (_, one) => {
      const found = simulate(one, runsOf(one));
      for (const kind of [...one.within, ...(one.atLeast ?? [])])
        expect(isBelow(found[kind]!), `${kind} ${JSON.stringify(found[kind])}`).toBe(false);
      for (const kind of one.within) expect(isAbove(found[kind]!), `${kind} ${JSON.stringify(found[kind])}`).toBe(false);
    },
    300_000,
  );
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
