/**
 * Training data from a log of clicks and the features of documents: clicked above skipped above unseen, with position bias taken out.
 *
 * By query: a list for each query. A document that was clicked C times and examined E = Σ propensity times, in expectation, has the relevance
 *
 *   r = (C + r₀) / (E + 1), r₀ = ΣC / ΣE over all documents,
 *
 * its clicks over expected examinations, with one examination at the mean rate added. Documents are in tiers 1 + round(log₂(1 + 15 r)), from 1 to 5, whose gains
 * 2^label are about linear in r; those never shown are in tier 0, or left out.
 *
 * By impression: a list for each impression with a click; clicked 2, skipped 1, not shown 0 or left out. A clicked document has the weight 1 / propensity, at most
 * `clip` (Joachims, Swaminathan and Schnabel 2017, https://doi.org/10.1145/3018661.3018699): objectives weigh each preference by the item that it prefers.
 */
import { checkData, checkOptions, numberFrom, oneOf } from "./arguments.ts";
import { type ClickLog, checkLog } from "./clicks/click-log.ts";
import { entriesOf, NOT_FOUND } from "./clicks/document-features.ts";
import { type Exposures, exposuresOf } from "./clicks/exposures.ts";
import { selectEntries } from "./data/subset.ts";
import { InputError } from "./input-error.ts";
import { log2 } from "./numeric/functions.ts";
import { checkBias, entryPropensities, type PositionBias } from "./position-bias.ts";
import type { Dataset } from "./types.ts";

/** Options of `clickData`. */
export interface ClickDataOptions {
  /** Position bias, as `positionBias` gives it. Default: none, every position counts alike. */
  readonly bias?: PositionBias;
  /** A list for each query, with tiers by relevance; or for each impression, with inverse propensities as weights. Default: "query". */
  readonly by?: "query" | "impression";
  /** The largest inverse propensity. Default: 20. */
  readonly clip?: number;
  /** Documents of the data that were not shown: the last tier, or left out. Default: "last" by query, "leave-out" by impression. */
  readonly unseen?: "last" | "leave-out";
}

/** Training data from a log. */
export interface ClickData {
  /** The lists. */
  readonly data: Dataset;
  /** Documents of the log that are not in the data. */
  readonly unknown: number;
  /** Impressions that say nothing: without a click (by impression), or without two documents of the data. */
  readonly leftOut: number;
}

/** The largest inverse propensity, unless an option says otherwise. */
export const CLIP = 20;

/** Training data from clicks on the documents of `data`, whose lists and items have the names of the log. Its labels are not used. */
export function clickData(log: ClickLog, data: Dataset, options: ClickDataOptions = {}): ClickData {
  checkLog("clickData", log);
  checkData("clickData", data);
  checkOptions("clickData", options, {
    bias: { wanted: "what positionBias gives", fits: (value) => typeof value === "object" && value !== null },
    ...{ by: oneOf("query", "impression"), clip: numberFrom(1), unseen: oneOf("last", "leave-out") },
  });
  const { bias, by = "query", clip = CLIP } = options;
  const { unseen = by === "query" ? "last" : "leave-out" } = options;
  if (bias) checkBias("clickData, option bias", bias, log);
  const counts = exposuresOf(log);
  const entries = entriesOf("clickData", log, counts, data);
  const propensities = bias ? entryPropensities(log, bias, clip) : new Float64Array(log.position.length).fill(1);
  const found =
    by === "query" ? byQuery(log, counts, propensities, data, entries) : byImpression(log, counts, propensities, data, entries);
  const kept = select(data, found.lists, unseen);
  if (kept.starts.length === 1)
    throw new InputError("clickData: no impression has a click and two documents that are in the data");
  return { data: kept, unknown: entries.reduce((sum, entry) => sum + (entry === NOT_FOUND ? 1 : 0), 0), leftOut: found.leftOut };
}

/** A list of the result: a list of the data, with labels and weights of some of its entries. */
interface List {
  readonly list: number;
  readonly labels: ReadonlyMap<number, number>;
  readonly weights?: ReadonlyMap<number, number>;
}

/** By entry of the data, its list. */
function listsOf({ starts, labels }: Dataset): Uint32Array {
  const found = new Uint32Array(labels.length);
  for (let q = 0; q < starts.length - 1; q++) found.fill(q, starts[q]!, starts[q + 1]!);
  return found;
}

/** Clicks and expected examinations of each document. */
export function relevanceCounts(
  log: ClickLog,
  { entryOf, query }: Exposures,
  propensities: Float64Array,
): { clicks: Float64Array; examined: Float64Array } {
  const [clicks, examined] = [new Float64Array(query.length), new Float64Array(query.length)];
  for (let e = 0; e < entryOf.length; e++) {
    clicks[entryOf[e]!]! += log.clicked[e]!;
    examined[entryOf[e]!]! += propensities[e]!;
  }
  return { clicks, examined };
}

const TOP = 15; // 2^4 - 1: relevance 1 is four tiers above relevance 0

function byQuery(log: ClickLog, counts: Exposures, propensities: Float64Array, data: Dataset, entries: Int32Array) {
  const { clicks, examined } = relevanceCounts(log, counts, propensities);
  const sum = (all: Float64Array) => all.reduce((total, one) => total + one, 0);
  const mean = sum(clicks) / sum(examined);
  const lists = listsOf(data);
  const found = new Map<number, Map<number, number>>();
  for (let d = 0; d < entries.length; d++) {
    if (entries[d] === NOT_FOUND) continue;
    const relevance = Math.min(1, (clicks[d]! + mean) / (examined[d]! + 1));
    const q = lists[entries[d]!]!;
    const labels = found.get(q) ?? new Map<number, number>();
    labels.set(entries[d]!, 1 + Math.round(log2(1 + TOP * relevance)));
    found.set(q, labels);
  }
  const useful = [...found].sort(([a], [b]) => a - b).map(([list, labels]): List => ({ list, labels }));
  return { lists: useful, leftOut: 0 };
}

function byImpression(log: ClickLog, { entryOf }: Exposures, propensities: Float64Array, data: Dataset, entries: Int32Array) {
  const listOf = listsOf(data);
  const lists: List[] = [];
  let leftOut = 0;
  for (let i = 0; i < log.query.length; i++) {
    const [labels, weights] = [new Map<number, number>(), new Map<number, number>()];
    let clicked = false;
    for (let e = log.starts[i]!; e < log.starts[i + 1]!; e++) {
      const entry = entries[entryOf[e]!]!;
      if (entry === NOT_FOUND) continue;
      labels.set(entry, log.clicked[e] ? 2 : 1);
      if (log.clicked[e]) weights.set(entry, 1 / propensities[e]!);
      clicked ||= log.clicked[e] === 1;
    }
    if (clicked && labels.size > 1) lists.push({ list: listOf[labels.keys().next().value!]!, labels, weights });
    else leftOut++;
  }
  return { lists, leftOut };
}

function select(data: Dataset, lists: readonly List[], unseen: "last" | "leave-out"): Dataset {
  const rows: number[] = [];
  const [labels, weights]: [number[], number[]] = [[], []];
  const starts = [0];
  const kept: number[] = [];
  for (const one of lists) {
    const own =
      unseen === "last" ? span(data.starts[one.list]!, data.starts[one.list + 1]!) : [...one.labels.keys()].sort((a, b) => a - b);
    if (own.length < 2) continue;
    for (const row of own) {
      rows.push(row);
      labels.push(one.labels.get(row) ?? 0);
      weights.push(one.weights?.get(row) ?? 1);
    }
    starts.push(rows.length);
    kept.push(one.list);
  }
  const { itemWeights: _, ...rest } = data;
  const selected = selectEntries(rest, kept, Uint32Array.from(starts), Uint32Array.from(rows));
  const weighted = lists.some((one) => one.weights);
  return { ...selected, labels: Float32Array.from(labels), ...(weighted && { itemWeights: Float32Array.from(weights) }) };
}

const span = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
