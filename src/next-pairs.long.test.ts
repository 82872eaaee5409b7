/** With chosen pairs, rank intervals shrink faster than with random pairs or a round robin, in a simulation with seeds. */
import { describe, expect, it } from "vitest";
import { simulateNext } from "../bench/next-simulation.ts";

describe("chosen pairs", () => {
  it("narrow the mean and the widest rank interval faster than random pairs and a round robin", () => {
    const options = { items: 20, runs: 6, rounds: 6, battles: 10 };
    const [chosen, drawn, robin] = (["chosen", "random", "round robin"] as const).map((how) => simulateNext(how, options));
    for (const other of [drawn!, robin!]) {
      expect(chosen!.mean.at(-1)!).toBeLessThan(0.95 * other.mean.at(-1)!);
      expect(chosen!.widest.at(-1)!).toBeLessThan(0.95 * other.widest.at(-1)!);
    }
  }, 600_000);
});
