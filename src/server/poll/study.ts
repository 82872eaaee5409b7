/** What takes longer than a leaderboard: which treatment of ties fits, and whether opinion splits. */
import { compareTies } from "../../compare-ties.ts";
import { Ballots } from "../../data/ballots.ts";
import { descending } from "../../numeric/order.ts";
import { voterClusters } from "../../voter-clusters.ts";
import { GHOST } from "./results.ts";
import { STUDIED } from "./studied.ts";
import type { BallotTiers, ResultStudy } from "./types.ts";

/** The treatments of ties that are compared: tiers as unknown orders, ties as results of their own twice, and ties broken at random. */
export const COMPARED = ["pl-partition", "davidson", "rao-kupper", "listmle:ties=random"] as const;

/** Undefined where too few ballots compare items. */
export function studyOf(
  sample: readonly (readonly [tiers: BallotTiers, count: number])[],
  items: number,
): ResultStudy | undefined {
  const builder = new Ballots();
  for (let i = 0; i < items; i++) builder.item(String(i));
  for (const [tiers, count] of sample) builder.add(tiers, count);
  const data = builder.finish();
  const ballots = data.listWeights ? data.listWeights.reduce((sum, weight) => sum + weight, 0) : data.starts.length - 1;
  if (ballots < STUDIED) return undefined;
  const ties = compareTies(data, { objectives: COMPARED, ghost: GHOST, parts: 4 })
    .map(({ objective, tiers, pairs }) => ({ objective, tiers, pairs }))
    .sort((a, b) => a.pairs - b.pairs);
  const { clusters, tried } = voterClusters(data, { most: 3, parts: 4, starts: 2, rounds: 40, ghost: GHOST });
  return {
    ...{ ballots, ties },
    clusters: clusters.map(({ share, utilities, worths }) => ({
      share,
      items: Array.from(descending(utilities), (item) => ({ item, worth: worths[item]! })),
    })),
    ...{ gain: tried[1]!.gain, error: tried[1]!.error },
  };
}
