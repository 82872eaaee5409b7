/** Adds battles round by round, of pairs that are chosen, random, or taken in turn, and measures the rank intervals after each round. */
import { type Battle, battles } from "../src/data/battles.ts";
import { leaderboard } from "../src/leaderboard.ts";
import { nextPairs } from "../src/next-pairs.ts";
import { normals } from "../src/numeric/normal.ts";
import { below, random } from "../src/numeric/random.ts";

export interface NextSimulation {
  readonly items: number;
  /** Leaderboards, whose figures are averaged. */
  readonly runs: number;
  readonly rounds: number;
  /** Battles of each of the 20 pairs of a round. */
  readonly battles: number;
}

export type Strategy = "chosen" | "random" | "round robin";

const PAIRS = 20;
const START = 3; // battles of every pair

/** The mean and the widest rank interval after each round. */
export function simulateNext(how: Strategy, { items: n, runs, rounds, battles: each }: NextSimulation) {
  const [mean, widest] = [new Array<number>(rounds).fill(0), new Array<number>(rounds).fill(0)];
  for (let run = 1; run <= runs; run++) {
    const r = random(run, 5);
    const normal = normals(r);
    const truth = Array.from({ length: n }, () => 1.1 * normal());
    const all: [number, number][] = [];
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) all.push([i, j]);
    for (let k = all.length - 1; k > 0; k--) {
      const l = below(r, k + 1);
      [all[k], all[l]] = [all[l]!, all[k]!];
    }
    const rows: Battle[] = [];
    const fight = (i: number, j: number, times: number) => {
      for (let k = 0; k < times; k++)
        rows.push({
          ...{ first: `${i}`, second: `${j}`, winner: r() < 1 / (1 + Math.exp(truth[j]! - truth[i]!)) ? "first" : "second" },
        });
    };
    for (const [i, j] of all) fight(i, j, START);
    let turn = 0;
    for (let round = 0; round < rounds; round++) {
      if (how === "chosen")
        for (const { first, second } of nextPairs(battles(rows), { pairs: PAIRS, battles: each }).pairs)
          fight(Number(first), Number(second), each);
      else
        for (let q = 0; q < PAIRS; q++) {
          const [i, j] = how === "random" ? all[below(r, all.length)]! : all[turn++ % all.length]!;
          fight(i, j, each);
        }
      const widths = leaderboard(battles(rows), { ghost: 0.5 }).items.map(({ rankLow, rankHigh }) => rankHigh - rankLow + 1);
      mean[round]! += widths.reduce((sum, width) => sum + width, 0) / n / runs;
      widest[round]! += Math.max(...widths) / runs;
    }
  }
  return { mean, widest };
}
