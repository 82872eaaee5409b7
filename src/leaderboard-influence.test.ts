/** Against exhaustive search: every set of battles, and of clusters, is removed in turn and the rest fitted. */
import { describe, expect, it } from "vitest";
import { type Battle, type Battles, battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { fitBattles } from "./leaderboard-errors.ts";
import { leaderboardInfluence } from "./leaderboard-influence.ts";
import { descending } from "./numeric/order.ts";
import { below, random } from "./numeric/random.ts";
import { davidson, rankNet } from "./objectives/index.ts";
import type { Objective } from "./types.ts";

function drawn(seed: number, ties: boolean): Battles {
  const r = random(seed, 0x1f);
  const rows: Battle[] = [];
  for (const [i, j] of [
    [0, 1],
    [1, 2],
    [0, 2],
  ] as const)
    for (const winner of ["first", "second", ...(ties ? ["tie"] : [])] as ("first" | "second" | "tie")[])
      rows.push({ first: `i${i}`, second: `i${j}`, winner, count: 1 + below(r, 3), cluster: `c${below(r, 4)}` });
  return battles(rows);
}

/** The first item of the battles with these counts, if one is alone in front; undefined where there is no estimate. */
function leader(data: Battles, counts: Float64Array, objective: Objective, ghost: number): string | undefined {
  try {
    const { params } = fitBattles(data, objective, ghost, counts);
    const [best, next] = descending(params.slice(0, data.items.length));
    return params[best!]! > params[next!]! + 1e-7 ? data.items[best!]! : "nobody";
  } catch {
    return undefined;
  }
}

/** The smallest number of battles whose removal puts another item alone in front. */
function exhaustive(data: Battles, objective: Objective, ghost: number, most: number): number {
  const before = leader(data, data.counts, objective, ghost);
  const tryAll = (counts: Float64Array, from: number, left: number): boolean => {
    if (left === 0) {
      const now = leader(data, counts, objective, ghost);
      return now !== undefined && now !== "nobody" && now !== before;
    }
    for (let r = from; r < counts.length; r++) {
      if (counts[r]! <= 0) continue;
      counts[r]!--;
      const found = tryAll(counts, r, left - 1);
      counts[r]!++;
      if (found) return true;
    }
    return false;
  };
  for (let k = 1; k <= most; k++) if (tryAll(data.counts.slice(), 0, k)) return k;
  return Infinity;
}

const cases = Number(process.env.TIERWISE_CASES ?? 10);

describe("the fewest battles that change the first place", () => {
  it("are those of an exhaustive search, or at most one more", () => {
    let [equal, compared] = [0, 0];
    for (let seed = 1; seed <= cases; seed++) {
      const ties = seed % 2 === 0;
      const objective = ties ? davidson() : rankNet();
      const ghost = seed % 3 === 0 ? 0.5 : 0;
      const data = drawn(seed, ties);
      if (leader(data, data.counts, objective, ghost) === "nobody") continue;
      const { fewest, first } = leaderboardInfluence(data, { objective, ghost, largest: 1 });
      expect(first).toBe(leader(data, data.counts, objective, ghost));
      const truth = exhaustive(data, objective, ghost, Math.min(3, (fewest?.battles ?? 4) - 1));
      if (!fewest) expect(truth).toBe(Infinity);
      if (!fewest) continue;
      compared++;
      if (truth === Infinity)
        equal++; // fewer are not enough
      else expect(fewest.battles - truth).toBeLessThanOrEqual(1);
      // What it names does change the first place.
      const counts = data.counts.slice();
      for (const one of fewest.removed) {
        const r = [...counts.keys()].find(
          (row) =>
            data.items[data.first[row]!] === one.first &&
            data.items[data.second[row]!] === one.second &&
            ["first", "second", "tie"][data.outcome[row]!] === one.winner,
        )!;
        expect(counts[r]).toBe(one.of);
        counts[r]! -= one.count;
      }
      expect(leader(data, counts, objective, ghost)).toBe(fewest.newFirst);
      expect(fewest.newFirst).not.toBe(first);
    }
    expect(compared).toBeGreaterThan(cases / 2);
    expect(equal / compared).toBeGreaterThan(0.85);
  });

  it("clusters that change the first place alone are all of them, by trying each", () => {
    for (let seed = 1; seed <= cases; seed++) {
      const data = drawn(seed, false);
      const ghost = 0.5;
      const before = leader(data, data.counts, rankNet(), ghost);
      if (before === "nobody") continue;
      const { clusters } = leaderboardInfluence(data, { objective: rankNet(), ghost, largest: 1 });
      const expected = data.clusterNames!.filter((_, c) => {
        const now = leader(
          data,
          data.counts.map((count, r) => (data.clusters![r] === c ? 0 : count)),
          rankNet(),
          ghost,
        );
        return now !== "nobody" && now !== before;
      });
      expect(clusters!.single.map(({ clusters: [name] }) => name).sort()).toEqual(expected.sort());
      if (expected.length > 0) expect(clusters!.fewest?.clusters.length).toBe(1);
    }
  });

  it("without refining, the set is verified too, and no smaller", () => {
    for (let seed = 1; seed <= cases; seed++) {
      const data = drawn(seed, true);
      const options = { objective: davidson(), ghost: 0.5, largest: 1 };
      if (leader(data, data.counts, davidson(), 0.5) === "nobody") continue;
      const [fine, rough] = [leaderboardInfluence(data, options), leaderboardInfluence(data, { ...options, refine: false })];
      if (!rough.fewest) continue;
      expect(fine.fewest!.battles).toBeLessThanOrEqual(rough.fewest.battles);
      expect(rough.fewest.newFirst).not.toBe(rough.first);
    }
  });

  it.each<[string, () => unknown]>([
    ["no battles", () => leaderboardInfluence({} as never)],
    [
      "counts that are not whole",
      () => leaderboardInfluence({ ...drawn(1, true), counts: drawn(1, true).counts.map((c) => c / 2) }),
    ],
    ["no contender", () => leaderboardInfluence(drawn(1, true), { contenders: 0 })],
    ["an unknown option", () => leaderboardInfluence(drawn(1, true), { level: 0.5 } as never)],
  ])("refuses %s in one line", (_, call) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(/^[^\n]+$/);
  });
});
