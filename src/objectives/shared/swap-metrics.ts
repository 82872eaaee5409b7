/**
 * How much a metric changes when two items of a ranking are swapped, for all pairs of a list in constant time each. Places p < q are counted
 * from 0, a and b are the items there, and whatever stands at place k or below does not count:
 *
 *   dcg    (gain_b - gain_a) (D_p - D_q),   gain = 2^l - 1,   D_p = 1 / log2(p + 2); ndcg: divided by the DCG of the best order
 *   mrr    the first relevant place moves: up to p, or from p to the next relevant place or q, whichever comes first
 *   map    with C_p relevant items at places up to p, and R of them in all: if a is relevant, (C_q / (q + 1) - C_p / (p + 1) - Σ 1 / (i + 1))
 *          / min(R, k), the sum over relevant places i between the two; if b is relevant, ((C_p + 1) / (p + 1) + Σ - C_q / (q + 1)) / min(R, k)
 *   err    (R_b - R_a) Π_{i < p} (1 - R_i) (1 / (p + 1) - Σ_{p < i < q} R_i / (i + 1) Π_{p < j < i} (1 - R_j) - Π_{p < j < q} (1 - R_j) / (q + 1)),
 *          R = (2^l - 1) / 2^gmax
 *
 * The metrics are those of src/metrics with their default options; relevant is a label of at least `rel`.
 */
import { InputError } from "../../input-error.ts";
import { exp2 } from "../../numeric/functions.ts";
import type { Field } from "../../part.ts";
import { discountsTo, gain, gainFinder } from "./gains.ts";
import { scratch } from "./scratch.ts";

/** The metrics whose changes are known. */
export type SwapMetricName = "dcg" | "ndcg" | "mrr" | "map" | "err";

export interface SwapMetricOptions {
  /** Number of ranks that count. */
  readonly k: number;
  /** Least label that is relevant, for mrr and map. */
  readonly rel: number;
  /** The highest grade, for err. */
  readonly gmax: number;
}

/** A metric of one list after another. */
export interface SwapMetric {
  /** Takes a ranking, the best place first; the value of the metric, or NaN where it is undefined. */
  rank(places: Uint32Array, labels: Float32Array): number;
  /** Begins with the item at place p. */
  begin(p: number): void;
  /** How much the metric changes when that item and the one at place q are swapped, without sign; q is p + 1, p + 2 and so on in turn. */
  change(q: number): number;
}

/** Builds a metric; `who` begins errors. */
export function swapMetric(who: string, name: SwapMetricName, options: SwapMetricOptions): SwapMetric {
  if (name === "mrr") return reciprocalRank(options);
  if (name === "map") return averagePrecision(options);
  return name === "err" ? expectedReciprocalRank(who, options) : cumulatedGain(name, options);
}

function cumulatedGain(name: "dcg" | "ndcg", { k }: SwapMetricOptions): SwapMetric {
  const find = gainFinder(k);
  const gains = scratch(); // by place
  let discounts = discountsTo(0);
  let [place, scale] = [0, 1];
  const discount = (p: number) => (p < k ? discounts[p]! : 0);
  return {
    rank(places, labels) {
      const { of, ideal } = find(labels);
      const byPlace = gains(places.length);
      discounts = discountsTo(places.length);
      let dcg = 0;
      for (let p = 0; p < places.length; p++) {
        byPlace[p] = of[places[p]!]!;
        dcg += byPlace[p]! * discount(p);
      }
      scale = name === "dcg" ? 1 : 1 / ideal;
      return ideal > 0 ? dcg * scale : Number.NaN;
    },
    begin(p) {
      place = p;
    },
    change(q) {
      const byPlace = gains(0);
      return Math.abs(byPlace[place]! - byPlace[q]!) * (discount(place) - discount(q)) * scale;
    },
  };
}

/** Marks the relevant places of a ranking with 1, and counts them. */
function markRelevant(places: Uint32Array, labels: Float32Array, rel: number, into: Float64Array): number {
  let count = 0;
  for (let p = 0; p < places.length; p++) count += into[p] = labels[places[p]!]! >= rel ? 1 : 0;
  return count;
}

function reciprocalRank({ k, rel }: SwapMetricOptions): SwapMetric {
  const marks = scratch();
  let [place, first, second] = [0, 0, 0]; // the two first relevant places, or Infinity
  const value = (p: number) => (p < k ? 1 / (p + 1) : 0);
  return {
    rank(places, labels) {
      const relevant = marks(places.length);
      if (markRelevant(places, labels, rel, relevant) === 0) return Number.NaN;
      first = 0;
      while (relevant[first] === 0) first++;
      second = first + 1;
      while (second < places.length && relevant[second] === 0) second++;
      if (second === places.length) second = Infinity;
      return value(first);
    },
    begin(p) {
      place = p;
    },
    change(q) {
      const relevant = marks(0);
      if (relevant[place] === relevant[q]) return 0;
      const after = relevant[place] === 0 ? Math.min(first, place) : place === first ? Math.min(second, q) : first;
      return Math.abs(value(after) - value(first));
    },
  };
}

function averagePrecision({ k, rel }: SwapMetricOptions): SwapMetric {
  const [marks, counts, sums] = [scratch(), scratch(), scratch()];
  let [place, scale] = [0, 1];
  return {
    rank(places, labels) {
      const n = places.length;
      const [relevant, count, sum] = [marks(n), counts(n), sums(n)];
      const all = markRelevant(places, labels, rel, relevant);
      if (all === 0) return Number.NaN;
      let [seen, inverse, value] = [0, 0, 0];
      for (let p = 0; p < n; p++) {
        seen += relevant[p]!;
        if (relevant[p] === 1 && p < k) {
          inverse += 1 / (p + 1);
          value += seen / (p + 1);
        }
        count[p] = seen;
        sum[p] = inverse; // of relevant places up to p
      }
      scale = 1 / Math.min(all, k);
      return value * scale;
    },
    begin(p) {
      place = p;
    },
    change(q) {
      const [relevant, count, sum] = [marks(0), counts(0), sums(0)];
      if (relevant[place] === relevant[q]) return 0;
      const between = sum[q - 1]! - sum[place]!;
      const at = (p: number, seen: number) => (p < k ? seen / (p + 1) : 0);
      const raised = relevant[q] === 1 ? 1 : 0;
      const upper = at(place, count[place]! + raised);
      return Math.abs(upper + between - at(q, count[q]!)) * scale;
    },
  };
}

function expectedReciprocalRank(who: string, { k, gmax }: SwapMetricOptions): SwapMetric {
  const [stopChances, reaches] = [scratch(), scratch()];
  const unit = exp2(-gmax);
  let [place, still, inside, next] = [0, 1, 0, 0]; // of the places between: the chance to pass them, what they give, the place after them
  return {
    rank(places, labels) {
      const [chance, reach] = [stopChances(places.length), reaches(places.length)];
      let [value, coming] = [0, 1];
      let some = false;
      for (let p = 0; p < places.length; p++) {
        const label = labels[places[p]!]!;
        if (label > gmax)
          throw new InputError(`${who}: label ${label} is above ${gmax}; set gmax= to the highest grade of the scale`);
        chance[p] = gain(label) * unit;
        reach[p] = coming;
        if (chance[p]! > 0) some = true;
        if (p < k) value += (coming * chance[p]!) / (p + 1);
        coming *= 1 - chance[p]!;
      }
      return some ? value : Number.NaN;
    },
    begin(p) {
      place = p;
      [still, inside, next] = [1, 0, p + 1];
    },
    change(q) {
      const [chance, reach] = [stopChances(0), reaches(0)];
      for (; next < q; next++) {
        if (next < k) inside += (still * chance[next]!) / (next + 1);
        still *= 1 - chance[next]!;
      }
      const upper = place < k ? 1 / (place + 1) : 0;
      const lower = q < k ? still / (q + 1) : 0;
      return Math.abs(chance[q]! - chance[place]!) * reach[place]! * Math.max(0, upper - inside - lower);
    },
  };
}

/** A metric with or without a cutoff, as an option: "ndcg", "map@10". */
export interface CutMetric {
  readonly name: SwapMetricName;
  readonly k: number;
}

const CUT = /^(ndcg|mrr|map|err)(?:@([1-9]\d{0,8}))?$/i;

/** What the text of the option says. */
export function cutMetric(text: string): CutMetric {
  const [, name, k] = CUT.exec(text.trim())!;
  return { name: name!.toLowerCase() as SwapMetricName, k: k === undefined ? Infinity : Number(k) };
}

/** An option that names a metric. */
export function cutMetricField(defaultValue: string, about: string, aliases: readonly string[] = []): Field<string> {
  return {
    ...{ about, default: defaultValue, aliases },
    kind: "ndcg, mrr, map or err, with a cutoff or without, such as ndcg@10",
    read: (value) => (typeof value === "string" && CUT.test(value.trim()) ? value.trim().toLowerCase() : undefined),
    write: (value) => value,
  };
}
