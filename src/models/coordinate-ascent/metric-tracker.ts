/**
 * Tracks the mean of a metric while the weight of one feature changes. Lists in which that feature does not vary keep their order. Each
 * other list keeps the order of its items from one evaluation to the next, which has to be mended only a little, and the labels that stand
 * at the places that count. Where no scores tie there, the metric sees nothing but these labels in their order: as long as they stay the
 * same, so does the metric, and what a list was measured at is remembered under a number that spells them out. A metric of the scores themselves, such as
 * tier-boundaries, is measured each time.
 */

import { InputError } from "../../input-error.ts";
import { measureList } from "../../metrics/index.ts";
import { descending } from "../../numeric/order.ts";
import type { Dataset, Metric } from "../../types.ts";

/** The mean metric, larger is better: a metric whose lower values are better counts negative. */
export interface MetricTracker {
  /** Of scores where all lists may have changed. */
  all(scores: Float64Array): number;
  /** Begins to move a feature from the scores that `all` saw last: returns the mean metric after each move. */
  along(column: Float32Array, scores: Float64Array): (change: number) => number;
}

const REMEMBERED = 4096; // orders of a list
const LONG = 200; // items: beyond, sorting again is faster than updating the order

export function metricTracker(data: Dataset, metric: Metric): MetricTracker {
  const { starts, labels } = data;
  const lists = informativeLists(data, metric);
  if (lists.length === 0)
    throw new InputError(
      `coordinate-ascent: the metric ${metric.spec} is the same for every order of these lists; it needs lists with different labels`,
    );
  const depth = metric.depth ?? Infinity;
  const order = Uint32Array.from({ length: labels.length }, (_, row) => row);
  const labelAt = new Float32Array(labels.length).fill(Number.NaN); // the label at each place
  const values = new Float64Array(lists.length); // as the list was measured last
  const baseline = new Float64Array(lists.length); // at the scores from which features move
  const moved = new Float64Array(labels.length);
  const ideal = lists.reduce((sum, { weight, ideal }) => sum + weight * ideal, 0);
  const keyOf = labelKey(labels);
  const sign = metric.better === "higher" ? 1 : -1;

  /** Puts the items of a list in the order of their scores, equal ones as they came. */
  function repairOrder(scores: Float64Array, from: number, to: number): void {
    if (to - from > LONG) {
      let sorted = true;
      for (let p = from + 1; p < to && sorted; p++) sorted = scores[order[p]!]! <= scores[order[p - 1]!]!;
      if (!sorted) resort(scores, from, to);
      return;
    }
    for (let p = from + 1; p < to; p++) {
      const held = order[p]!;
      const score = scores[held]!;
      let j = p - 1;
      for (; j >= from && scores[order[j]!]! < score; j--) order[j + 1] = order[j]!;
      order[j + 1] = held;
    }
  }

  function resort(scores: Float64Array, from: number, to: number): void {
    const places = descending(scores.subarray(from, to));
    for (let p = from; p < to; p++) order[p] = from + places[p - from]!;
  }

  /** How the places that count look: "same" as before, "new", or with scores that are "tied"; remembers how they look now. */
  function look(scores: Float64Array, from: number, to: number): "same" | "new" | "tied" {
    const end = Math.min(to, from + depth);
    let [unchanged, ties] = [true, false];
    for (let p = from; p < end; p++) {
      const label = labels[order[p]!]!;
      const tied = p + 1 < to && scores[order[p]!] === scores[order[p + 1]!];
      if (tied) ties = true;
      if (tied || label !== labelAt[p]) unchanged = false;
      labelAt[p] = tied ? Number.NaN : label; // a place of a tie never looks as it did
    }
    return ties ? "tied" : unchanged ? "same" : "new";
  }

  function measured(l: number, scores: Float64Array): number {
    const { q, known } = lists[l]!;
    const [from, to] = [starts[q]!, starts[q + 1]!];
    if (!metric.ofOrder) return (values[l] = measureList(metric, scores, data, q).value);
    repairOrder(scores, from, to);
    const looks = look(scores, from, to);
    if (looks === "same") return values[l]!;
    const fresh = () => measureList(metric, scores, data, q).value;
    const key = looks === "new" ? keyOf(order, from, Math.min(to, from + depth)) : undefined;
    const before = key === undefined ? undefined : known.get(key);
    values[l] = before ?? fresh();
    if (key === undefined || before !== undefined) return values[l]!;
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, values[l]!);
    return values[l]!;
  }

  return {
    all(scores) {
      let sum = 0;
      for (let l = 0; l < lists.length; l++) {
        baseline[l] = measured(l, scores);
        sum += lists[l]!.weight * baseline[l]!;
      }
      return (sign * sum) / ideal;
    },
    along(column, scores) {
      let unchanged = 0;
      const moving: number[] = [];
      for (let l = 0; l < lists.length; l++) {
        const { q, weight } = lists[l]!;
        if (varies(column, starts[q]!, starts[q + 1]!)) moving.push(l);
        else unchanged += weight * baseline[l]!;
      }
      return (change) => {
        let sum = unchanged;
        for (const l of moving) {
          const { q, weight } = lists[l]!;
          const to = starts[q + 1]!;
          for (let row = starts[q]!; row < to; row++) moved[row] = scores[row]! + change * column[row]!;
          sum += weight * measured(l, moved);
        }
        return (sign * sum) / ideal;
      };
    },
  };
}

/** Labels in their order as one whole number, or nothing where that would be too large to be exact. */
function labelKey(labels: Float32Array): (order: Uint32Array, from: number, end: number) => number | undefined {
  const grades = [...new Set(labels)];
  const digit = Float64Array.from(labels, (label) => grades.indexOf(label));
  const most = Math.floor(53 / Math.log2(Math.max(2, grades.length)));
  return (order, from, end) => {
    if (end - from > most) return undefined;
    let number = 0;
    for (let p = from; p < end; p++) number = number * grades.length + digit[order[p]!]!;
    return number;
  };
}

function varies(column: Float32Array, from: number, to: number): boolean {
  for (let row = from + 1; row < to; row++) if (column[row] !== column[from]) return true;
  return false;
}

interface InformativeList {
  readonly q: number;
  readonly weight: number;
  readonly ideal: number;
  readonly known: Map<number, number>; // metric by the labels at the places that count
}

/** The lists whose metric depends on their order, with their weights. */
function informativeLists(data: Dataset, metric: Metric): InformativeList[] {
  const { starts, labels, listWeights } = data;
  const flat = new Float64Array(labels.length);
  const found: InformativeList[] = [];
  for (let q = 0; q + 1 < starts.length; q++) {
    const mine = labels.subarray(starts[q]!, starts[q + 1]!);
    const weight = listWeights?.[q] ?? 1;
    if (weight === 0 || mine.every((label) => label === mine[0])) continue;
    const { value, ideal } = measureList(metric, flat, data, q);
    if (!Number.isNaN(value)) found.push({ q, weight, ideal, known: new Map() });
  }
  return found;
}
