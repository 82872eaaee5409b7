/**
 * Preferences between items of one list as a graph with an edge from each winner to its loser: cycles, topological order, and removal of
 * cycles. A pair given several times is one edge with the sum of the weights.
 */
import { check, type Kind, wholeFrom } from "../arguments.ts";
import { describeValue, InputError } from "../input-error.ts";

/** One item is preferred to another; items are numbered from 0. */
export interface Preference {
  /** The preferred item. */
  readonly winner: number;
  /** The other item. */
  readonly loser: number;
  /** How much the preference counts, above 0; weights of equal pairs are added. Default: 1. */
  readonly weight?: number;
}

/** Preferences as a graph, as `preferenceGraph` returns it. */
export interface PreferenceGraph {
  /** The number of items. */
  readonly items: number;
  /** The distinct pairs, in order of first appearance. */
  readonly edges: readonly Required<Preference>[];
  /** The edges that leave item i are `edges[out[e]]` for e from `starts[i]` to `starts[i + 1]` - 1. */
  readonly starts: Uint32Array;
  /** Places in `edges`, grouped by winner. */
  readonly out: Uint32Array;
}

const someGraph: Kind = {
  wanted: "a graph, as preferenceGraph returns it",
  fits(value) {
    const { items, edges, starts, out } = (value ?? {}) as Partial<PreferenceGraph>;
    return Array.isArray(edges) && starts instanceof Uint32Array && out instanceof Uint32Array && starts.length === items! + 1;
  },
};

/** The graph of preferences between items numbered from 0 to `items` - 1. */
export function preferenceGraph(items: number, preferences: Iterable<Preference>): PreferenceGraph {
  check("preferenceGraph, the number of items", items, wholeFrom(0));
  if (typeof preferences !== "object" || preferences === null || !(Symbol.iterator in preferences))
    throw new InputError(`preferences: expected an array of pairs { winner, loser }, got ${describeValue(preferences)}`);
  const weights = new Map<number, number>();
  for (const pair of preferences) {
    if (typeof pair !== "object" || pair === null)
      throw new InputError(`preferences: expected pairs { winner, loser }, got ${describeValue(pair)}`);
    const { winner, loser, weight = 1 } = pair;
    for (const item of [winner, loser])
      if (!(Number.isInteger(item) && item >= 0 && item < items))
        throw new InputError(`preferences: expected items from 0 to ${items - 1}, got ${describeValue(item)}`);
    if (winner === loser) throw new InputError(`preferences: item ${winner} cannot be preferred to itself`);
    if (!(weight > 0 && weight < Infinity))
      throw new InputError(`preferences: expected a weight above 0, got ${describeValue(weight)}`);
    const key = winner * items + loser;
    weights.set(key, (weights.get(key) ?? 0) + weight);
  }
  const edges = Array.from(weights, ([key, weight]) => ({ winner: Math.floor(key / items), loser: key % items, weight }));
  return graphOf(items, edges);
}

function graphOf(items: number, edges: readonly Required<Preference>[]): PreferenceGraph {
  const starts = new Uint32Array(items + 1);
  for (const { winner } of edges) starts[winner + 1] = starts[winner + 1]! + 1;
  for (let i = 0; i < items; i++) starts[i + 1] = starts[i + 1]! + starts[i]!;
  const out = new Uint32Array(edges.length);
  const places = starts.slice();
  edges.forEach(({ winner }, e) => {
    out[places[winner]!] = e;
    places[winner] = places[winner]! + 1;
  });
  return { items, edges, starts, out };
}

/** Items from the best to the worst such that every edge points forward; fewer than all where there are cycles. Kahn 1962. */
export function topologicalOrder(graph: PreferenceGraph): Uint32Array {
  check("topologicalOrder", graph, someGraph);
  const { items, edges, starts, out } = graph;
  const waiting = new Uint32Array(items); // edges into an item that are still open
  for (const { loser } of edges) waiting[loser] = waiting[loser]! + 1;
  const order = new Uint32Array(items);
  let end = 0;
  for (let i = 0; i < items; i++) if (waiting[i] === 0) order[end++] = i;
  for (let at = 0; at < end; at++) {
    const i = order[at]!;
    for (let e = starts[i]!; e < starts[i + 1]!; e++) {
      const { loser } = edges[out[e]!]!;
      waiting[loser] = waiting[loser]! - 1;
      if (waiting[loser] === 0) order[end++] = loser;
    }
  }
  return order.subarray(0, end);
}

/** For each strongly connected component, a shortest cycle through its lowest-numbered item. */
export function findCycles(graph: PreferenceGraph): number[][] {
  check("findCycles", graph, someGraph);
  return stronglyConnected(graph).map((group) => cycleThrough(graph, group));
}

/** A graph without cycles. */
export interface AcyclicGraph {
  /** The graph. */
  readonly graph: PreferenceGraph;
  /** The edges that were dropped. */
  readonly dropped: readonly Required<Preference>[];
}

/**
 * Drops from each strongly connected component the edges that close a cycle with heavier ones, earlier ones among equals (Tideman's ranked
 * pairs).
 */
export function breakCycles(graph: PreferenceGraph): AcyclicGraph {
  check("breakCycles", graph, someGraph);
  const { items, edges } = graph;
  const group = new Int32Array(items).fill(-1);
  stronglyConnected(graph).forEach((members, g) => {
    for (const i of members) group[i] = g;
  });
  const inner = edges.filter(({ winner, loser }) => group[winner] !== -1 && group[winner] === group[loser]);
  const next = new Map<number, number[]>();
  const dropped = new Set<Required<Preference>>();
  for (const edge of inner.toSorted((a, b) => b.weight - a.weight)) {
    if (reaches(next, edge.loser, edge.winner)) dropped.add(edge);
    else next.set(edge.winner, [...(next.get(edge.winner) ?? []), edge.loser]);
  }
  if (dropped.size === 0) return { graph, dropped: [] };
  return {
    graph: graphOf(
      items,
      edges.filter((edge) => !dropped.has(edge)),
    ),
    dropped: edges.filter((edge) => dropped.has(edge)),
  };
}

function reaches(next: ReadonlyMap<number, readonly number[]>, from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const item of seen) {
    if (item === to) return true;
    for (const other of next.get(item) ?? []) seen.add(other);
  }
  return false;
}

/** Groups of two or more items each of which can be reached from every other (Tarjan's components), the lowest item first. */
function stronglyConnected({ items, edges, starts, out }: PreferenceGraph): number[][] {
  const groups: number[][] = [];
  const number = new Int32Array(items).fill(-1);
  const lowest = new Int32Array(items);
  const open = new Uint8Array(items);
  const stack: number[] = [];
  const next = starts.slice(0, items);
  let count = 0;
  for (let root = 0; root < items; root++) {
    if (number[root] !== -1) continue;
    const path = [root];
    while (path.length > 0) {
      const i = path.at(-1)!;
      if (number[i] === -1) {
        number[i] = lowest[i] = count++;
        stack.push(i);
        open[i] = 1;
      }
      if (next[i]! < starts[i + 1]!) {
        const { loser } = edges[out[next[i]!]!]!;
        next[i] = next[i]! + 1;
        if (number[loser] === -1) path.push(loser);
        else if (open[loser]) lowest[i] = Math.min(lowest[i]!, number[loser]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[i]!);
      if (lowest[i] !== number[i]) continue;
      const group = stack.splice(stack.lastIndexOf(i));
      for (const member of group) open[member] = 0;
      if (group.length > 1) groups.push(group.sort((a, b) => a - b));
    }
  }
  return groups.sort((a, b) => a[0]! - b[0]!);
}

/** The shortest way from the group's first item back to it. */
function cycleThrough({ edges, starts, out }: PreferenceGraph, group: readonly number[]): number[] {
  const first = group[0]!;
  const members = new Set(group);
  const from = new Map<number, number>();
  const queue = [first];
  for (const i of queue) {
    for (let e = starts[i]!; e < starts[i + 1]!; e++) {
      const { loser } = edges[out[e]!]!;
      if (loser === first) {
        const circle = [i];
        while (circle[0] !== first) circle.unshift(from.get(circle[0]!)!);
        return circle;
      }
      if (!members.has(loser) || from.has(loser)) continue;
      from.set(loser, i);
      queue.push(loser);
    }
  }
  return [...group];
}
