/**
 * Training data from a log of clicks and the features of documents: clicked above skipped above unseen, with position bias taken out.
 *
 * By query: a list for each query. A document that was clicked C times and examined E = Σ propensity times, in expectation, has the relevance
 *
 *   r = (C + m) / (E + 1),
 *
 * its clicks over expected examinations, with one examination added at the relevance m of documents with such features (relevance-regression.ts): each feature as it is,
 * as a z-score within the list, and whether it is missing. Relevance depends on the other documents of the query, and features are often comparable within a query only. Labels are
 * log₂(1 + 15 (r - s) / (t - s)), rounded to steps of a half, t the relevance that one in 200 documents exceeds and s the one that one in five does not reach, since
 * useless documents are clicked too: from 0 to 4, with gains 2^label - 1 linear in r. Rounding ties documents that differ by chance. Documents that were not shown have the relevance m, are a last tier below the others, or are left out.
 *
 * By impression: a list for each impression with a click; clicked 2, skipped 1, not shown 0 or left out. A clicked document has the weight 1 / propensity, at most
 * `clip` (Joachims, Swaminathan and Schnabel 2017, https://doi.org/10.1145/3018661.3018699): objectives weigh each preference by the item that it prefers.
 */
import { checkData, checkOptions, numberFrom, oneOf } from "./arguments.ts";
import { type ClickLog, checkLog } from "./clicks/click-log.ts";
import { designOf, type EntryFeatures, entriesOf, NOT_FOUND } from "./clicks/document-features.ts";
import { type Exposures, exposuresOf } from "./clicks/exposures.ts";
import { relevanceRegression } from "./clicks/relevance-regression.ts";
import { selectEntries } from "./data/subset.ts";
import { InputError } from "./input-error.ts";
import { listFeatures, writeListFeatures } from "./models/shared/list-features.ts";
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
  /**
   * Documents of the data that were not shown: by their features (by query only), the last tier, or left out. Default: "predicted" by query, "leave-out" by
   * impression.
   */
  readonly unseen?: "predicted" | "last" | "leave-out";
  /** By query: labels are multiples of it, from 0 to 4. Default: 0.5. */
  readonly labelStep?: number;
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

/** Labels by query are multiples of this, unless an option says otherwise. */
export const LABEL_STEP = 0.5;

/** Training data from clicks on the documents of `data`, whose lists and items have the names of the log. Its labels are not used. */
export function clickData(log: ClickLog, data: Dataset, options: ClickDataOptions = {}): ClickData {
  checkLog("clickData", log);
  checkData("clickData", data);
  checkOptions("clickData", options, {
    bias: { wanted: "what positionBias gives", fits: (value) => typeof value === "object" && value !== null },
    ...{ by: oneOf("query", "impression"), clip: numberFrom(1), unseen: oneOf("predicted", "last", "leave-out") },
    labelStep: {
      wanted: "a number above 0 and at most 4",
      fits: (value) => typeof value === "number" && value > 0 && value <= 4,
    },
  });
  const { bias, by = "query", clip = CLIP, labelStep = LABEL_STEP } = options;
  const { unseen = by === "query" ? "predicted" : "leave-out" } = options;
  if (by === "impression" && (unseen === "predicted" || options.labelStep !== undefined))
    throw new InputError(`clickData: ${unseen === "predicted" ? 'unseen "predicted"' : "labelStep"} is for lists by query`);
  if (bias) checkBias("clickData, option bias", bias, log);
  const counts = exposuresOf(log);
  const entries = entriesOf("clickData", log, counts, data);
  const propensities = bias ? entryPropensities(log, bias, clip) : new Float64Array(log.position.length).fill(1);
  const found =
    by === "query"
      ? byQuery(log, counts, propensities, data, entries, unseen, labelStep)
      : byImpression(log, counts, propensities, data, entries);
  const kept = select(data, found.lists, unseen === "last");
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

const TOP = 15; // 2^4 - 1: the highest relevance is four labels above relevance 0

function byQuery(
  log: ClickLog,
  counts: Exposures,
  propensities: Float64Array,
  data: Dataset,
  entries: Int32Array,
  unseen: "predicted" | "last" | "leave-out",
  step: number,
) {
  const { clicks, examined } = rowCounts(log, counts, propensities, data, entries);
  const lists = listsOf(data);
  const inLog = new Uint8Array(data.starts.length);
  for (const entry of entries) if (entry !== NOT_FOUND) inLog[lists[entry]!] = 1;
  const rows = Int32Array.from(lists.keys()).filter((row) => inLog[lists[row]!] === 1);
  const pick = (all: Float64Array) => Float64Array.from(rows, (row) => all[row]!);
  const rates = Float64Array.from(rows, (row) => (examined[row]! > 0 ? clicks[row]! / examined[row]! : 0));
  const predicted = relevanceRegression(designOf(rates, comparedFeatures(data, lists), rows), pick(clicks), pick(examined));
  const relevance = Float64Array.from(rows, (row, at) => (clicks[row]! + predicted[at]!) / (examined[row]! + 1));
  const [top, bottom] = ends(relevance, pick(examined));
  const found = new Map<number, Map<number, number>>();
  rows.forEach((row, at) => {
    if (examined[row] === 0 && unseen !== "predicted") return;
    const grade = log2(1 + TOP * Math.min(1, Math.max(0, (relevance[at]! - bottom) / (top - bottom))));
    const labels = found.get(lists[row]!) ?? new Map<number, number>();
    labels.set(row, Math.round(grade / step) * step + (unseen === "last" ? 1 : 0));
    found.set(lists[row]!, labels);
  });
  return { lists: [...found].map(([list, labels]): List => ({ list, labels })), leftOut: 0 };
}

/**
 * The features of an entry, the same as z-scores within its list, and for each 1 where it is missing. Only the list of the last entry is kept, so entries should be
 * read in their order.
 */
export function comparedFeatures(data: Dataset, lists: Uint32Array): EntryFeatures {
  const { columns } = data.features;
  const width = 2 * columns;
  const compared = listFeatures("z", columns, true, new Set());
  let last = -1;
  let values = new Float32Array(0);
  const read = (entry: number, into: Float64Array) => {
    const list = lists[entry]!;
    const first = data.starts[list]!;
    if (list !== last) {
      values = new Float32Array((data.starts[list + 1]! - first) * width);
      writeListFeatures(data, compared, list, list + 1, values, first);
      last = list;
    }
    const own = values.subarray((entry - first) * width, (entry - first + 1) * width);
    into.set(own);
    for (let c = 0; c < columns; c++) into[width + c] = Number.isFinite(own[c]!) ? 0 : 1;
  };
  return { columns: width + columns, read };
}

/** By row of the data: clicks and expected examinations. */
function rowCounts(log: ClickLog, counts: Exposures, propensities: Float64Array, data: Dataset, entries: Int32Array) {
  const byDocument = relevanceCounts(log, counts, propensities);
  const [clicks, examined] = [new Float64Array(data.labels.length), new Float64Array(data.labels.length)];
  entries.forEach((entry, d) => {
    if (entry === NOT_FOUND) return;
    clicks[entry]! += byDocument.clicks[d]!;
    examined[entry]! += byDocument.examined[d]!;
  });
  return { clicks, examined };
}

const EXCEEDED = 1 / 200; // the share of documents above the highest relevance that labels tell apart
const NOT_REACHED = 1 / 5; // the share below the lowest

/** The relevance that few documents exceed, at most 1, and the one that some do not reach; a document that was examined less than once counts in part. */
function ends(relevance: Float64Array, examined: Float64Array): [top: number, bottom: number] {
  const weights = examined.map((one) => Math.min(one, 1));
  const order = Array.from(relevance.keys()).sort((a, b) => relevance[b]! - relevance[a]! || a - b);
  const all = weights.reduce((sum, one) => sum + one, 0);
  const exceededBy = (share: number) => {
    let sum = 0;
    for (const d of order) if ((sum += weights[d]!) > share * all) return Math.min(1, relevance[d]!);
    return 0;
  };
  const [top, bottom] = [exceededBy(EXCEEDED), exceededBy(1 - NOT_REACHED)];
  return bottom < top ? [top, bottom] : [top || 1, 0];
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

function select(data: Dataset, lists: readonly List[], whole: boolean): Dataset {
  const rows: number[] = [];
  const [labels, weights]: [number[], number[]] = [[], []];
  const starts = [0];
  const kept: number[] = [];
  for (const one of lists) {
    const own = whole ? span(data.starts[one.list]!, data.starts[one.list + 1]!) : [...one.labels.keys()].sort((a, b) => a - b);
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
