/**
 * Coverage of all intervals that leaderboards offer, in seeded simulations: the share of intervals of 95 % that contain the truth, with the
 * standard error of that share. Names what is outside 92 to 98 %. A thousand runs take some minutes:
 *
 *     npm run bench coverage [runs] [part of the name of cases]
 */
import { covariateCases, rankCases, ratingCases } from "./coverage/battles.ts";
import { driftCases, featureCases, judgeCases } from "./coverage/hierarchies.ts";
import { rankingCases, worthCases } from "./coverage/rankings.ts";
import { BOUNDS, type CoverageCase, simulate } from "./coverage/simulation.ts";

const [runs = "1000", part = ""] = process.argv.slice(2);
const cases: CoverageCase[] = [
  ...[...ratingCases(), ...covariateCases(), ...rankCases(), ...worthCases()],
  ...[...rankingCases(), ...featureCases(), ...judgeCases(), ...driftCases()],
].filter(({ name }) => name.includes(part));
for (const one of cases) {
  const before = process.cpuUsage().user;
  const found = simulate(one, Number(runs));
  const seconds = (process.cpuUsage().user - before) / 1e6;
  const shares = Object.entries(found).map(([kind, { share, error }]) => {
    const demanded = one.within.includes(kind as keyof typeof found);
    const outside = share < BOUNDS[0] || share > BOUNDS[1];
    return `${kind} ${share.toFixed(4)} ± ${error.toFixed(4)}${demanded ? (outside ? " OUTSIDE" : "") : " (-)"}`;
  });
  console.log(`${one.name.padEnd(60)} ${shares.join("  ")}  ${seconds.toFixed(1)} s`);
}
