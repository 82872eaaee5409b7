/**
 * Counterfactual evaluation: the DCG that a ranker would have had on the queries of a log, from the clicks on what another ranker showed.
 *
 *   DCG@k of a query = Σ r_d / log₂(1 + rank_d) over the first k documents d, r_d the probability of a click on d when it is examined.
 *
 * Inverse propensity: r_d = C_d / E_d, the clicks on d over its expected examinations Σ propensity, over all impressions of the query. That is weighting by the inverse
 * of the mean exposure under the ranker that wrote the log (Oosterhuis and de Rijke 2020, https://doi.org/10.1145/3397271.3401102); documents never shown count 0.
 *
 * Doubly robust: r_d = m_d + (C_d - E_d m_d) / max(E_d, 1), m_d a model of the relevance (Oosterhuis 2023, https://doi.org/10.1145/3569453): documents that
 * were shown little lean on the model, those never shown have its value. Unless given, m_d is the rate ΣC / ΣE of documents that the ranker puts at the same rank
 * in other queries.
 *
 * The mean is over impressions. Its interval is clustered by query, and knows the error of propensities that were harvested from the same log.
 */
import { checkData, checkOptions, checkScores, fraction, numberFrom, someNumbers, wholeFrom } from "./arguments.ts";
import { relevanceCounts } from "./click-data.ts";
import { type ClickLog, checkLog } from "./clicks/click-log.ts";
import { entriesOf, NOT_FOUND } from "./clicks/document-features.ts";
import { type Exposures, exposuresOf } from "./clicks/exposures.ts";
import { InputError } from "./input-error.ts";
import { log2 } from "./numeric/functions.ts";
import { normalQuantile } from "./numeric/normal.ts";
import { checkBias, entryPropensities, type PositionBias } from "./position-bias.ts";
import type { Dataset } from "./types.ts";

/** Options of `counterfactualDcg`. */
export interface CounterfactualOptions {
  /** Position bias, as `positionBias` gives it. */
  readonly bias: PositionBias;
  /** Ranks that count. Default: 10. */
  readonly k?: number;
  /** The largest inverse propensity. Default: 100. */
  readonly clip?: number;
  /** Level of the intervals. Default: 0.95. */
  readonly level?: number;
  /** By item of the data: the probability of a click when it is examined, for the doubly robust estimate. Default: by rank. */
  readonly relevance?: ArrayLike<number>;
}

/** The largest inverse propensity, unless an option says otherwise. */
export const COUNTERFACTUAL_CLIP = 100;

/** An estimate with its interval. */
export interface CounterfactualEstimate {
  /** The mean over impressions. */
  readonly mean: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Standard error, clustered by query. */
  readonly error: number;
}

/** A ranker's DCG by clicks on other rankings. */
export interface Counterfactual {
  /** Ranks that count. */
  readonly k: number;
  /** Level of the intervals. */
  readonly level: number;
  /** Queries of the log that are in the data. */
  readonly queries: number;
  /** Their impressions. */
  readonly impressions: number;
  /** Share of the ranker's first k documents that the log never shows. */
  readonly unseen: number;
  /** Inverse propensity estimate. */
  readonly ips: CounterfactualEstimate;
  /** Doubly robust estimate. */
  readonly doublyRobust: CounterfactualEstimate;
  /** What was shown, by inverse propensity. */
  readonly logged: CounterfactualEstimate;
  /** The doubly robust estimate less that of what was shown. */
  readonly difference: CounterfactualEstimate;
}

/** Estimates the DCG of the ranking by `scores`, a score for each item of the data, from a log of clicks on other rankings. */
export function counterfactualDcg(
  log: ClickLog,
  data: Dataset,
  scores: Float64Array,
  options: CounterfactualOptions,
): Counterfactual {
  const who = "counterfactualDcg";
  checkLog(who, log);
  checkData(who, data);
  checkScores(`${who}, the scores`, scores, data);
  checkOptions(who, options, {
    bias: { wanted: "what positionBias gives", fits: (value) => typeof value === "object" && value !== null, required: true },
    ...{ k: wholeFrom(1), clip: numberFrom(1), level: fraction, relevance: someNumbers },
  });
  const { bias, k = 10, clip = COUNTERFACTUAL_CLIP, level = 0.95, relevance } = options;
  checkBias(`${who}, option bias`, bias, log);
  if (relevance && relevance.length !== scores.length)
    throw new InputError(
      `${who}, option relevance: expected ${scores.length} numbers, one for each item, got ${relevance.length}`,
    );
  const counts = exposuresOf(log);
  const entries = entriesOf(who, log, counts, data);
  const problem = problemOf(log, data, scores, counts, entries, entryPropensities(log, bias, clip), k);
  const model: Model = relevance ? (_, entry) => relevance[entry]! : modelByRank(problem, k);
  return estimates(problem, model, bias, { k, level });
}

/** What is summed over queries. */
interface Problem {
  readonly log: ClickLog;
  readonly counts: Exposures;
  readonly clicks: Float64Array; // by document of the log
  readonly examined: Float64Array;
  /** By cell of `counts`: the share of the document's examinations there. */
  readonly shares: Float64Array;
  readonly impressions: Float64Array; // by query
  /** By query: the ranker's first k items, as entries of the data, with their document of the log or -1. */
  readonly ranked: readonly (readonly { readonly entry: number; readonly document: number }[])[];
  /** By document: the sum of discounts at which it was shown. */
  readonly loggedDiscounts: Float64Array;
}

const discount = (rank: number) => 1 / log2(rank + 2); // from 0

function problemOf(
  log: ClickLog,
  data: Dataset,
  scores: Float64Array,
  counts: Exposures,
  entries: Int32Array,
  propensities: Float64Array,
  k: number,
): Problem {
  const { clicks, examined } = relevanceCounts(log, counts, propensities);
  const shares = new Float64Array(counts.position.length);
  const loggedDiscounts = new Float64Array(counts.query.length);
  for (let e = 0; e < log.position.length; e++) {
    const d = counts.entryOf[e]!;
    let c = counts.starts[d]!;
    while (counts.position[c] !== log.position[e]) c++;
    shares[c]! += propensities[e]! / examined[d]!;
    if (log.position[e]! < k) loggedDiscounts[d]! += discount(log.position[e]!);
  }
  const impressions = new Float64Array(log.queries.length);
  for (const q of log.query) impressions[q]!++;
  const documentOf = new Map<number, number>();
  const listOf = new Map<number, number>(); // query of the log to list of the data
  const lists = Float64Array.from(data.labels.keys(), () => 0);
  for (let q = 0; q < data.starts.length - 1; q++) lists.fill(q, data.starts[q]!, data.starts[q + 1]!);
  entries.forEach((entry, d) => {
    if (entry === NOT_FOUND) return;
    documentOf.set(entry, d);
    listOf.set(counts.query[d]!, lists[entry]!);
  });
  const ranked = Array.from(log.queries, (_, q) => {
    const list = listOf.get(q);
    if (list === undefined) return [];
    const [from, to] = [data.starts[list]!, data.starts[list + 1]!];
    const order = Array.from({ length: to - from }, (_, i) => from + i).sort((a, b) => scores[b]! - scores[a]! || a - b);
    return order.slice(0, k).map((entry) => ({ entry, document: documentOf.get(entry) ?? NOT_FOUND }));
  });
  return { log, counts, clicks, examined, shares, impressions, ranked, loggedDiscounts };
}

/** The rate of clicks of documents at the same rank in other queries. */
function modelByRank({ clicks, examined, ranked }: Problem, k: number): (rank: number, entry: number, query: number) => number {
  const [hits, looks] = [new Float64Array(k), new Float64Array(k)];
  const own = new Map<number, [number, number][]>();
  ranked.forEach((list, q) => {
    const here: [number, number][] = list.map(({ document }) =>
      document === NOT_FOUND ? [0, 0] : [clicks[document]!, examined[document]!],
    );
    here.forEach(([c, e], rank) => {
      hits[rank]! += c;
      looks[rank]! += e;
    });
    own.set(q, here);
  });
  const sum = (all: Float64Array) => all.reduce((total, one) => total + one, 0);
  const mean = sum(clicks) / sum(examined);
  return (rank, _, query) => {
    const [c, e] = own.get(query)![rank]!;
    return (hits[rank]! - c + mean) / (looks[rank]! - e + 1);
  };
}

type Model = (rank: number, entry: number, query: number) => number;

/** A mean over impressions as sums over queries: the value, and its derivatives by log propensities. */
interface Sums {
  readonly values: Float64Array; // by query
  readonly slopes: Float64Array; // by position
}

function estimates(
  problem: Problem,
  model: Model,
  bias: PositionBias,
  { k, level }: { k: number; level: number },
): Counterfactual {
  const { ranked, impressions, counts, clicks, examined, loggedDiscounts, log } = problem;
  const used = Array.from(ranked.keys()).filter((q) => ranked[q]!.length > 0);
  const total = used.reduce((sum, q) => sum + impressions[q]!, 0);
  const blank = (): Sums => ({ values: new Float64Array(log.queries.length), slopes: new Float64Array(counts.positions) });
  const [ips, robust, logged] = [blank(), blank(), blank()];
  let [unseen, places] = [0, 0];
  const add = ({ values, slopes }: Sums, q: number, d: number, value: number, perExamined: number, weight: number) => {
    values[q]! += value * weight;
    if (d === NOT_FOUND) return;
    for (let c = counts.starts[d]!; c < counts.starts[d + 1]!; c++) {
      slopes[counts.position[c]!]! += (impressions[q]! / total) * weight * perExamined * examined[d]! * problem.shares[c]!;
    }
  };
  for (const q of used)
    ranked[q]!.forEach(({ entry, document: d }, rank) => {
      const weight = discount(rank);
      const m = model(rank, entry, q);
      places++;
      if (d === NOT_FOUND) {
        unseen++;
        add(robust, q, d, m, 0, weight);
        return;
      }
      const [c, e] = [clicks[d]!, examined[d]!];
      add(ips, q, d, c / e, -c / (e * e), weight);
      if (e >= 1) add(robust, q, d, c / e, -c / (e * e), weight);
      else add(robust, q, d, m + (c - e * m), -m, weight);
    });
  const inData = new Set(used);
  for (let d = 0; d < counts.query.length; d++) {
    const q = counts.query[d]!;
    if (inData.has(q))
      add(logged, q, d, clicks[d]! / examined[d]!, -clicks[d]! / examined[d]! ** 2, loggedDiscounts[d]! / impressions[q]!);
  }
  const difference: Sums = {
    values: robust.values.map((one, q) => one - logged.values[q]!),
    slopes: robust.slopes.map((one, x) => one - logged.slopes[x]!),
  };
  const interval = (sums: Sums) => intervalOf(sums, used, impressions, total, bias, level);
  return {
    ...{ k, level, queries: used.length, impressions: total, unseen: unseen / places },
    ...{ ips: interval(ips), doublyRobust: interval(robust), logged: interval(logged), difference: interval(difference) },
  };
}

function intervalOf(
  { values, slopes }: Sums,
  used: readonly number[],
  impressions: Float64Array,
  total: number,
  { influence }: PositionBias,
  level: number,
): CounterfactualEstimate {
  const mean = used.reduce((sum, q) => sum + (impressions[q]! / total) * values[q]!, 0);
  const inData = new Set(used);
  let square = 0;
  for (let q = 0; q < impressions.length; q++) {
    let moved = inData.has(q) ? (impressions[q]! / total) * (values[q]! - mean) : 0;
    if (influence) for (let x = 0; x < slopes.length; x++) moved += slopes[x]! * influence[q * slopes.length + x]!;
    square += moved * moved;
  }
  const n = used.length;
  const error = Math.sqrt((square * n) / Math.max(1, n - 1));
  const z = normalQuantile((1 + level) / 2);
  return { mean, low: mean - z * error, high: mean + z * error, error };
}
