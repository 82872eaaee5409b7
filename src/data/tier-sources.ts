/** What tiers can be made from when data are read, as named by the reading option `tiers`: labels of rows, or pairs of one voter. */
import { InputError, quote } from "../input-error.ts";
import { choice, flag, numberList, part } from "../part.ts";
import type { Dataset } from "../types.ts";
import type { Preference } from "./preference-graph.ts";
import { selectEntries } from "./subset.ts";
import { tiersFromClicks } from "./tiers-from-clicks.ts";
import { type PairTiers, tiersFromPairs } from "./tiers-from-pairs.ts";
import { type TierLabels, tiersFromRatings } from "./tiers-from-ratings.ts";

interface Named {
  readonly id: string;
  /** The name with its non-default options. */
  readonly spec: string;
}

/** Tiers from the labels of a list, in the order of its rows. */
export interface LabelTiers extends Named {
  readonly from: "labels";
  /** Rows without a label, which have the label NaN. */
  readonly missing: "error" | "leave-out";
  /** Which rows are left out, in words. */
  readonly leftOut: string;
  tiers(labels: Float32Array): TierLabels;
}

/** Tiers from the pairs of one voter. */
export interface VoterTiers extends Named {
  readonly from: "pairs";
  tiers(items: number, preferences: Iterable<Preference>, name: (item: number) => string): PairTiers;
}

export type TierSource = LabelTiers | VoterTiers;

const clicks = part(
  "clicks",
  "labels are clicks, rows in the order shown: clicked items above those skipped before the last click",
  {
    unseen: choice(
      ["leave-out", "between", "below"],
      "items below the last click: left out, between clicked and skipped, or the same as skipped",
    ),
  },
  ({ unseen }, spec): TierSource => ({
    id: "clicks",
    spec,
    from: "labels",
    missing: "error",
    leftOut: "below the last click",
    tiers: (labels) => tiersFromClicks(labels, { unseen }),
  }),
);

const cutList = numberList([], "thresholds: a rating becomes the number of cuts that it reaches", "a number", Number.isFinite);

const ratings = part(
  "ratings",
  "labels are ratings: equal ratings form a tier, rows without one are left out",
  {
    cuts: {
      ...cutList,
      kind: 'ascending numbers with "/" between them',
      read(value) {
        const cuts = cutList.read(value);
        return cuts?.every((cut, i) => i === 0 || cut > cuts[i - 1]!) ? cuts : undefined;
      },
    },
    dense: flag(false, "number the tiers of a list from 0 without gaps"),
  },
  ({ cuts, dense }, spec): TierSource => {
    // Labels are read as 32-bit floats: a rating of 0.7 reaches a cut at 0.7 only if both are rounded.
    const rounded = [...new Set(cuts.map(Math.fround))];
    return {
      id: "ratings",
      spec,
      from: "labels",
      missing: "leave-out",
      leftOut: "without a rating",
      tiers: (labels) => tiersFromRatings(labels, { ...(cuts.length > 0 && { cuts: rounded }), dense }),
    };
  },
);

const pairs = part(
  "pairs",
  "the pairs of each voter become one ballot; the table has a column voter, judge, user or annotator",
  {
    by: choice(["layers", "implied"], "each item as high as the pairs allow, or only what the pairs imply"),
    cycles: choice(["refuse", "break"], "preferences in a circle: an error, or broken by dropping the pairs of least weight"),
  },
  ({ by, cycles }, spec): TierSource => ({
    id: "pairs",
    spec,
    from: "pairs",
    tiers: (items, preferences, name) => tiersFromPairs(items, preferences, { by, cycles, name }),
  }),
);

/** Everything that tiers can be made from when data are read. */
export const tierSources = [clicks, ratings, pairs] as const;

/** The data with tiers as labels. Rows without a tier are left out, and lists without rows; both are counted. */
export function withTiers(
  data: Dataset,
  source: Pick<LabelTiers, "id" | "tiers">,
): { data: Dataset; rows: number; lists: number } {
  const { starts, labels } = data;
  const lists: number[] = [];
  const bounds = [0];
  const rows = new Uint32Array(labels.length);
  const found = new Float32Array(labels.length);
  let kept = 0;
  for (let q = 0; q < starts.length - 1; q++) {
    const { entries, labels: tiers } = tiersOf(data, q, source);
    if (entries.length === 0) continue;
    found.set(tiers, kept);
    for (const entry of entries) rows[kept++] = starts[q]! + entry;
    lists.push(q);
    bounds.push(kept);
  }
  const complete = kept === labels.length && lists.length === starts.length - 1;
  const selected = complete ? data : selectEntries(data, lists, Uint32Array.from(bounds), rows.subarray(0, kept));
  return {
    data: { ...selected, labels: found.slice(0, kept) },
    rows: labels.length - kept,
    lists: starts.length - 1 - lists.length,
  };
}

function tiersOf({ starts, labels, names }: Dataset, q: number, source: Pick<LabelTiers, "id" | "tiers">): TierLabels {
  try {
    return source.tiers(labels.subarray(starts[q]!, starts[q + 1]!));
  } catch (error) {
    throw error instanceof InputError
      ? new InputError(`list ${quote(names.lists?.[q] ?? String(q + 1))}, tiers from ${source.id}: ${error.message}`)
      : error;
  }
}
