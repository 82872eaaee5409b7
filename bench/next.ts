/**
 * How much sooner does a leaderboard settle with the pairs that `next` chooses? Mean and widest rank interval after rounds of 20 pairs:
 *
 *     npm run bench next [items] [runs] [rounds] [battles of each pair]
 */
import { simulateNext } from "./next-simulation.ts";

const [items = 25, runs = 8, rounds = 8, battles = 10] = process.argv.slice(2).map(Number);
for (const how of ["chosen", "random", "round robin"] as const) {
  const { mean, widest } = simulateNext(how, { items, runs, rounds, battles });
  const line = (values: readonly number[]) => values.map((value) => value.toFixed(2)).join("  ");
  console.log(`${how.padEnd(12)} mean    ${line(mean)}\n${"".padEnd(12)} widest  ${line(widest)}`);
}
