/** The leaderboard of a poll from its fitted utilities. */
import type { IncrementalUtilities } from "../../models/utilities/incremental.ts";
import { worthsOf } from "../../models/utilities/model.ts";
import { probabilityAbove } from "../../models/utilities/uncertainty.ts";
import { descending } from "../../numeric/order.ts";
import type { PollResults, ResultItem } from "./types.ts";

/** The prior of every fit of a poll: half a win and half a loss of each item against a ghost item, so that few ballots give finite utilities. */
export const GHOST = 0.5;

/** `placed` counts, for item after item, how often it was put into each tier. */
export function resultsOf(fit: IncrementalUtilities, placed: Float64Array): PollResults {
  const { utilities, uncertainty } = fit.estimate();
  const { errors, ranks, first, expected, covariance } = uncertainty;
  const worths = worthsOf(utilities);
  const order = [...descending(utilities)];
  const width = placed.length / fit.items;
  const items = order.map((item): ResultItem => {
    const tiers = [...placed.subarray(item * width, (item + 1) * width)];
    return {
      ...{ item, utility: utilities[item]!, error: errors[item]!, worth: worths[item]! },
      ...{ rankLow: ranks.low[item]!, rankHigh: ranks.high[item]!, best: first[item]!, expectedRank: expected[item]! },
      ...{ ranked: tiers.reduce((sum, count) => sum + count, 0), tiers },
    };
  });
  const above = order.flatMap((item, place) =>
    order.slice(place + 1).map((other) => rounded(probabilityAbove(utilities, covariance!, item, other))),
  );
  return { ballots: fit.ballots, items, above };
}

/** Four digits after the point: there are as many as pairs of items. */
const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
