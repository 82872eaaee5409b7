/**
 * The contexts of several orders of one list. Place j of an order is chosen from what the first j items left: that remaining set is the context,
 * and it is the same wherever the same set of items was taken, in whatever order. Each context is kept once, with the weight of all the choices
 * made from it. Xia, Zhai, Wang, Plackett-Luce Model for Learning-to-Rank Task, section 3.2.2 and Table 3.
 *
 * Sets are compared by a hash that does not depend on the order (the sum of a scrambled number per item) and then item by item.
 */
import { shuffle } from "../../numeric/random.ts";
import type { Tiers } from "../../numeric/tiers.ts";
import type { Random } from "../../types.ts";

export interface Contexts {
  /** Context c took prefixes[c * places] and so on, sizes[c] items. */
  readonly prefixes: Uint32Array;
  readonly sizes: Uint32Array;
  /** Weight of the choices made from context c. */
  readonly contextWeights: Float64Array;
  /** Choices of one order: those from two or more items, at most k. */
  places: number;
  count: number;
}

/** Calls `chosen` for each choice of each order, and finds the contexts they were made from. */
export type FindContexts = (tiers: Tiers, random: Random, chosen: (item: number) => number) => Contexts;

export function contextFinder(permutations: number, k: number): FindContexts {
  let found: Contexts = {
    prefixes: new Uint32Array(0),
    sizes: new Uint32Array(0),
    contextWeights: new Float64Array(0),
    places: 0,
    count: 0,
  };
  let marks = new Uint32Array(0);
  let stamp = 0;
  const byHash = new Map<number, number[]>();

  return ({ order, starts, count: tiers }, random, chosen) => {
    const n = order.length;
    const places = Math.max(0, Math.min(k, n - 1));
    const most = permutations * places;
    if (found.sizes.length < most)
      found = {
        prefixes: new Uint32Array(most * places),
        sizes: new Uint32Array(most),
        contextWeights: new Float64Array(most),
        places,
        count: 0,
      };
    if (marks.length < n) marks = new Uint32Array(2 * n);
    found.places = places;
    found.count = 0;
    byHash.clear();

    const same = (context: number, at: number) => {
      if (found.sizes[context] !== at) return false;
      for (let j = 0; j < at; j++) if (marks[found.prefixes[context * places + j]!] !== stamp) return false;
      return true;
    };

    for (let draw = 0; draw < permutations; draw++) {
      for (let t = 0; t < tiers && starts[t]! < places; t++) shuffle(order.subarray(starts[t]!, starts[t + 1]!), random);
      if (++stamp === 0x100000000) {
        marks.fill(0);
        stamp = 1;
      }
      for (let p = 0, hash = 0; p < places; p++) {
        const bucket = byHash.get(hash);
        let context = bucket?.find((one) => same(one, p)) ?? -1;
        if (context < 0) {
          context = found.count++;
          found.sizes[context] = p;
          found.contextWeights[context] = 0;
          for (let j = 0; j < p; j++) found.prefixes[context * places + j] = order[j]!;
          if (bucket) bucket.push(context);
          else byHash.set(hash, [context]);
        }
        const item = order[p]!;
        found.contextWeights[context] = found.contextWeights[context]! + chosen(item);
        marks[item] = stamp;
        hash = (hash + scramble(item)) | 0;
      }
    }
    return found;
  };
}

/** Spreads an item's number over 32 bits, so that sums over different sets seldom agree. */
function scramble(item: number): number {
  let bits = Math.imul(item + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca77);
  return bits ^ (bits >>> 13);
}
