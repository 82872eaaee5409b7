/** Clusters of voters: found where ballots come from two opinions, and not where they come from one. */
import { describe, expect, it } from "vitest";
import { ballots, dataset } from "./index.ts";
import { random } from "./numeric/random.ts";
import { voterClusters } from "./voter-clusters.ts";

const names = ["tea", "coffee", "water", "juice", "milk"];

/** Ballots in three tiers; the share `split` of the voters likes what the others dislike. */
function drawn(count: number, split: number, seed: number): string[][][] {
  const draw = random(seed, 3);
  return Array.from({ length: count }, () => {
    const sign = draw() < split ? -1 : 1;
    const scored = names.map((name, i) => ({ name, score: sign * 1.2 * i - Math.log(-Math.log(draw())) }));
    scored.sort((a, b) => b.score - a.score);
    const inOrder = scored.map(({ name }) => name);
    return [inOrder.slice(0, 1), inOrder.slice(1, 3), inOrder.slice(3)];
  });
}

describe("clusters of voters", () => {
  it("are two where a third of the voters likes what the others dislike", () => {
    const { clusters, items, tried } = voterClusters(ballots(drawn(150, 1 / 3, 1), { items: names }), {
      most: 3,
      parts: 3,
      starts: 2,
    });
    expect(clusters).toHaveLength(2);
    expect(items).toEqual(names);
    expect(clusters[0]!.share).toBeCloseTo(2 / 3, 0.9);
    expect(clusters[0]!.share + clusters[1]!.share).toBeCloseTo(1, 9);
    const order = (k: number) => names.toSorted((a, b) => utility(k, b) - utility(k, a));
    const utility = (k: number, name: string) => clusters[k]!.utilities[names.indexOf(name)]!;
    expect(order(0)).toEqual(["milk", "juice", "water", "coffee", "tea"]);
    expect(order(1)).toEqual(["tea", "coffee", "water", "juice", "milk"]);
    expect(tried.map((one) => one.clusters)).toEqual([1, 2, 3]);
    expect(tried[1]!.gain).toBeGreaterThan(2 * tried[1]!.error);
    expect(tried[1]!.gain).toBeCloseTo(tried[1]!.likelihood - tried[0]!.likelihood, 12);
    for (const { worths } of clusters) expect(worths.reduce((sum, worth) => sum + worth, 0)).toBeCloseTo(1, 12);
  });

  it("are one where all voters are alike, and its utilities are those of the ballots", () => {
    const { clusters, tried } = voterClusters(ballots(drawn(80, 0, 2)), { seed: 3, parts: 3, starts: 1 });
    expect(clusters).toHaveLength(1);
    expect(clusters[0]!.share).toBe(1);
    expect(tried).toHaveLength(2);
  });

  it("are the same for ballots that are counted and for ballots that are repeated", () => {
    const all = drawn(40, 0.5, 4);
    const options = { most: 2, parts: 2, starts: 2, rounds: 20, ghost: 1 };
    const counted = voterClusters(ballots(all, { items: names, weights: all.map(() => 3) }), options);
    const repeated = voterClusters(ballots([...all, ...all, ...all], { items: names }), options);
    expect(counted).toEqual(repeated);
  });

  it("want ballots and sensible options", () => {
    const some = ballots(drawn(6, 0, 5));
    const rows = dataset([{ q: 1, x: 1, y: 2 }, { q: 1, x: 2, y: 0 }], { list: "q", label: "y" }); // biome-ignore format: rows
    expect(() => voterClusters(rows)).toThrow("expected ballots over named items");
    expect(() => voterClusters(some, { parts: 9 })).toThrow("from 2 to 6 parts of the ballots, got 9");
    expect(() => voterClusters(some, { ghost: 0 })).toThrow("expected a number above 0");
    expect(() => voterClusters(some, { most: 0 })).toThrow("most");
    expect(() => voterClusters(undefined as never)).toThrow("voterClusters");
  });
});
