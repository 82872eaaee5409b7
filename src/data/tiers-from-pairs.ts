/**
 * Tiers from preferences between pairs, so that likelihoods of tiers learn from them (generalized rank-breaking: Khetan and Oh 2018; Ma et
 * al. 2021, section 3.3). Which tiers are meant can be read in two ways, and both are here:
 *
 *   implied  Khetan and Oh's maximal ordered partition: the most tiers such that every item of a tier is known, directly or through others,
 *            to stand above every item of the tiers below. It is unique and says nothing that the pairs do not imply, but gives up the
 *            pairs within a tier; few pairs over many items leave one tier only.
 *   layers   each item stands as high as it can: its tier is the longest chain of items above it. Every pair is kept, and M is the longest
 *            chain, the least number of tiers that can do so; but items that were never compared may end up in different tiers.
 *
 * (The largest M that merely contradicts no pair is a tier per item, which would invent an order.) Items in no pair at all are left out.
 */
import { check, checkOptions, oneOf, someFunction, wholeFrom } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import {
  breakCycles,
  findCycles,
  type Preference,
  type PreferenceGraph,
  preferenceGraph,
  topologicalOrder,
} from "./preference-graph.ts";

/** Tiers of the items that pairs name. */
export interface PairTiers {
  /** The items that some pair names, ascending. */
  readonly entries: Uint32Array;
  /** The label of each of these: 0 for the last tier. */
  readonly labels: Float32Array;
  /** The preferences that were dropped to break cycles. */
  readonly dropped: readonly Required<Preference>[];
}

/** Options of `tiersFromPairs`. */
export interface PairOptions {
  /**
   * `"layers"`: each item is as high as the pairs allow, and every pair is kept. `"implied"`: only what the pairs imply, the most tiers such
   * that every item of a tier is known to be above every item of the tiers below. Default: "layers".
   */
  readonly by?: "layers" | "implied";
  /** Cycles are an error (`"refuse"`), or are broken by dropping the pairs of least weight (`"break"`). Default: "refuse". */
  readonly cycles?: "refuse" | "break";
  /** The name of an item in messages. Default: its number. */
  readonly name?: (item: number) => string;
}

/**
 * Tiers from preferences between pairs of items, which are numbered from 0 to `items` - 1 (generalized rank breaking).
 *
 * ```ts
 * tiersFromPairs(3, [{ winner: 0, loser: 1 }, { winner: 0, loser: 2 }]).labels; // 1 0 0
 * ```
 */
export function tiersFromPairs(items: number, preferences: Iterable<Preference>, options: PairOptions = {}): PairTiers {
  check("tiersFromPairs, the number of items", items, wholeFrom(0));
  checkOptions("tiersFromPairs", options, {
    by: oneOf("layers", "implied"),
    cycles: oneOf("refuse", "break"),
    name: someFunction,
  });
  const { by = "layers", cycles = "refuse", name = (item) => `item ${item}` } = options;
  const given = preferenceGraph(items, preferences);
  if (cycles === "refuse") rejectCycles(given, name);
  const { graph, dropped } = cycles === "break" ? breakCycles(given) : { graph: given, dropped: [] };

  const named = new Uint8Array(items);
  for (const { winner, loser } of given.edges) named[winner] = named[loser] = 1;
  const order = topologicalOrder(graph).filter((i) => named[i] === 1);
  const tier = by === "layers" ? layers(graph, order) : implied(graph, order);
  const entries = order.slice().sort();
  let last = 0;
  for (const i of entries) last = Math.max(last, tier[i]!);
  return { entries, labels: Float32Array.from(entries, (i) => last - tier[i]!), dropped };
}

function rejectCycles(graph: PreferenceGraph, name: (item: number) => string) {
  const found = findCycles(graph);
  if (found.length === 0) return;
  const shown = found[0]!.length > 8 ? [...found[0]!.slice(0, 7).map(name), `${found[0]!.length - 7} more`] : found[0]!.map(name);
  const others = found.length === 1 ? "" : ` (and ${found.length - 1} more such cycle${found.length === 2 ? "" : "s"})`;
  const circle = [...shown, name(found[0]![0]!)].join(" over ");
  throw new InputError(
    `the preferences contain a cycle: ${circle}${others}; drop one of them, or set cycles to "break" to drop the weakest`,
  );
}

/** The longest chain above each item. */
function layers({ edges, starts, out, items }: PreferenceGraph, order: Uint32Array): Uint32Array {
  const tier = new Uint32Array(items);
  for (const i of order) {
    for (let e = starts[i]!; e < starts[i + 1]!; e++) {
      const { loser } = edges[out[e]!]!;
      tier[loser] = Math.max(tier[loser]!, tier[i]! + 1);
    }
  }
  return tier;
}

/**
 * Along any order that agrees with the graph, a cut before place p separates two tiers when each item with no edge within the upper part has
 * an edge to each item that none of the lower part leads to: all else is then implied. These are counted for all cuts at once, in linear time.
 */
function implied({ edges, items }: PreferenceGraph, order: Uint32Array): Uint32Array {
  const n = order.length;
  const place = new Uint32Array(items);
  order.forEach((i, p) => {
    place[i] = p;
  });
  const nearest = new Uint32Array(n).fill(n); // the first place that the item at p has an edge to
  const latest = new Int32Array(n).fill(-1); // the last place with an edge to it
  for (const { winner, loser } of edges) {
    const [from, to] = [place[winner]!, place[loser]!];
    nearest[from] = Math.min(nearest[from]!, to);
    latest[to] = Math.max(latest[to]!, from);
  }
  // At cut p the item at q is an end of the upper part for q < p <= nearest[q], and a beginning of the lower part for latest[q] < p <= q.
  const [ends, beginnings, links] = [new Float64Array(n + 2), new Float64Array(n + 2), new Float64Array(n + 2)];
  const during = (counts: Float64Array, after: number, until: number) => {
    if (until <= after) return;
    counts[after + 1] = counts[after + 1]! + 1;
    counts[until + 1] = counts[until + 1]! - 1;
  };
  for (let q = 0; q < n; q++) {
    during(ends, q, nearest[q]!);
    during(beginnings, latest[q]!, q);
  }
  for (const { winner, loser } of edges) during(links, latest[place[loser]!]!, nearest[place[winner]!]!);

  const tier = new Uint32Array(items);
  let [up, down, both, now] = [0, 0, 0, 0];
  for (let p = 0; p < n; p++) {
    up += ends[p]!;
    down += beginnings[p]!;
    both += links[p]!;
    if (p > 0 && both === up * down) now++;
    tier[order[p]!] = now;
  }
  return tier;
}
