/**
 * Puts ballots into a dataset: each is a list of catalogue items in tiers, the best tier first. Equal ballots become one list whose weight
 * is their number. Items that a ballot leaves out are not in its list, or share a last tier of their own.
 */
import { Mistake, quote } from "../mistake.ts";
import type { Dataset } from "../types.ts";

export type AbsentItems = "silent" | "last";

export class Ballots {
  readonly names: string[] = [];
  weight = 0; // of all ballots
  incomplete = 0; // the weight of those that leave items out, as known at the end
  private readonly numbers = new Map<string, number>();
  private readonly merged = new Map<string, { tiers: readonly (readonly number[])[]; weight: number }>();

  /** The number of the item of that name, from 0, in the order in which names first come. */
  item(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.names.push(name);
      this.numbers.set(name, number);
    }
    return number;
  }

  /** Adds a ballot; gives an item that stands in it twice, or -1. Empty tiers do not count, nor does a ballot of one item. */
  add(tiers: readonly (readonly number[])[], weight = 1): number {
    if (!(weight > 0 && Number.isFinite(Math.fround(weight))))
      throw new Mistake(`a ballot: expected a weight above 0, got ${weight}`);
    const seen = new Set<number>();
    const kept: number[][] = [];
    for (const tier of tiers) {
      if (tier.length === 0) continue;
      for (const item of tier) {
        if (seen.has(item)) return item;
        seen.add(item);
      }
      kept.push(tier.length > 1 ? [...tier].sort((a, b) => a - b) : [...tier]);
    }
    this.weight += weight;
    const key = kept.map((tier) => tier.join(" ")).join(",");
    const same = this.merged.get(key);
    if (same) same.weight += weight;
    else this.merged.set(key, { tiers: kept, weight });
    return -1;
  }

  get distinct(): number {
    return this.merged.size;
  }

  /** The dataset, with one list for each distinct ballot. A ballot that compares nothing is left out unless absent items come last. */
  finish(absent: AbsentItems = "silent"): Dataset {
    const all = this.names.length;
    const lists: { tiers: readonly (readonly number[])[]; weight: number }[] = [];
    let entries = 0;
    this.incomplete = 0;
    for (const { tiers, weight } of this.merged.values()) {
      const size = tiers.reduce((sum, tier) => sum + tier.length, 0);
      if (size < all) this.incomplete += weight;
      const whole = absent === "last" && size < all ? [...tiers, this.others(tiers)] : tiers;
      const count = absent === "last" ? all : size;
      if (count < 2) continue;
      lists.push({ tiers: whole, weight });
      entries += count;
    }
    const starts = new Uint32Array(lists.length + 1);
    const labels = new Float32Array(entries);
    const items = new Uint32Array(entries);
    let at = 0;
    lists.forEach(({ tiers }, q) => {
      tiers.forEach((tier, t) => {
        for (const item of tier) {
          items[at] = item;
          labels[at++] = tiers.length - 1 - t;
        }
      });
      starts[q + 1] = at;
    });
    const weights = Float32Array.from(lists, ({ weight }) => weight);
    return {
      starts,
      labels,
      items,
      features: { kind: "dense", rows: entries, columns: 0, values: new Float32Array(0) },
      ...(weights.some((weight) => weight !== 1) && { listWeights: weights }),
      base: 1,
      names: { items: this.names },
    };
  }

  private others(tiers: readonly (readonly number[])[]): number[] {
    const present = new Set(tiers.flat());
    return this.names.map((_, item) => item).filter((item) => !present.has(item));
  }
}

/** A ballot as code gives it: tiers from the best to the worst, each one name or several. */
export type Ballot = readonly (string | readonly string[])[];

export interface BallotOptions {
  readonly absent?: AbsentItems;
  readonly weights?: readonly number[]; // one for each ballot
  readonly items?: readonly string[]; // the catalogue, where it holds more than the ballots do or wants another order
}

export function ballots(given: Iterable<Ballot>, { absent = "silent", weights, items = [] }: BallotOptions = {}): Dataset {
  const gathered = new Ballots();
  for (const name of items) gathered.item(name);
  let row = 0;
  for (const ballot of given) {
    const tiers = ballot.map((tier) => (typeof tier === "string" ? [tier] : tier).map((name) => gathered.item(name)));
    const twice = gathered.add(tiers, weights ? weights[row] : 1);
    row++;
    if (twice >= 0) throw new Mistake(`ballot ${row}: the item ${quote(gathered.names[twice]!)} stands in it twice`);
  }
  return gathered.finish(absent);
}

/** The same ballots with the items numbered as in another catalogue, by name. */
export function toCatalogue(data: Dataset, names: readonly string[]): Dataset {
  const have = data.names.items;
  if (!data.items || !have) throw new Mistake("expected ballots over named items, got data of another kind");
  if (have.length === names.length && have.every((name, i) => name === names[i])) return data;
  const known = new Map(names.map((name, i) => [name, i]));
  const target = have.map((name) => {
    const number = known.get(name);
    if (number === undefined) throw new Mistake(`the item ${quote(name)} is not in the catalogue of ${names.length} items`);
    return number;
  });
  return { ...data, items: data.items.map((item) => target[item]!), names: { ...data.names, items: names } };
}
