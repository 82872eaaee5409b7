/**
 * Builds a dataset from ballots: each ballot is a list of items in tiers, the best tier first. Equal ballots become one list weighted by
 * their count. Items that a ballot omits are not in its list, or share a last tier.
 */
import { check, checkData, checkOptions, oneOf, someNumbers, someTexts } from "../arguments.ts";
import { describeValue, InputError, quote } from "../input-error.ts";
import type { Dataset } from "../types.ts";

/** Items that a ballot omits: no information ("silent"), or tied in the last tier ("last"). */
export type AbsentItems = "silent" | "last";

const SEED = 17; // of the hash of a ballot

export class Ballots {
  readonly names: string[] = [];
  /** Of all ballots. */
  weight = 0;
  distinct = 0;
  /** The weight of those that leave items out, as known at the end. */
  incomplete = 0;
  private readonly numbers = new Map<string, number>();
  private readonly weights: number[] = [];
  /** Different ballot b owns entries starts[b] to starts[b + 1]. */
  private readonly starts: number[] = [0];
  private items = new Uint32Array(1024);
  /** The tier of an entry, the best being 0. */
  private tiers = new Uint32Array(1024);
  /** The ballot, counted from 1, in which an item was last met. */
  private seen = new Uint32Array(64);
  private calls = 0;
  /** Of the ballot that is being added: the end of its entries, its hash, and the number of its next tier. */
  private entered = 0;
  private hash = SEED;
  private tier = 0;
  /** Hash table with linear probing: ballots, -1 where a slot is free, and the hash of each ballot. */
  private slots = new Int32Array(1024).fill(-1);
  private hashes = new Int32Array(512);
  /** Ballots of two items by these: the better plus 1 (0 where the place is free), twice the worse plus whether they tie, the ballot, unused. */
  private pairs = new Int32Array(4 * 1024);
  private pairCount = 0;
  private readonly apart: boolean;

  /** `apart`: equal ballots are not merged, because they have names. */
  constructor(apart = false) {
    this.apart = apart;
  }

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

  /** Adds a ballot; gives an item that occurs twice, or -1. Empty tiers do not count. */
  add(tiers: readonly (readonly number[])[], weight = 1): number {
    checkWeight(weight);
    this.begin();
    for (const tier of tiers) {
      const twice = this.addTier(tier, 0, tier.length);
      if (twice >= 0) return twice;
    }
    this.end(weight);
    return -1;
  }

  /** Begins a ballot that is given tier by tier, the best first, and added by `end`; without `end` it is forgotten. */
  begin(): void {
    this.calls++;
    this.entered = this.starts[this.distinct]!;
    this.hash = SEED;
    this.tier = 0;
  }

  /** The items from `from` to `to` are the next tier; gives one that occurs twice in the ballot, or -1. */
  addTier(items: ArrayLike<number>, from: number, to: number): number {
    if (to === from) return -1;
    const first = this.entered;
    while (first + to - from > this.items.length) {
      this.items = longer(this.items, this.items.length);
      this.tiers = longer(this.tiers, this.tiers.length);
    }
    for (let i = from; i < to; i++) {
      const item = items[i]!;
      if (item >= this.seen.length) this.seen = longer(this.seen, item);
      if (this.seen[item] === this.calls) return item;
      this.seen[item] = this.calls;
      this.items[this.entered++] = item;
    }
    if (to - from > 1) this.items.subarray(first, this.entered).sort();
    this.tiers.fill(this.tier, first, this.entered);
    let { hash } = this;
    for (let at = first; at < this.entered; at++) hash = mixed(hash, this.items[at]!, this.tier);
    this.hash = hash;
    this.tier++;
    return -1;
  }

  /** Adds the ballot that was begun. */
  end(weight: number): void {
    checkWeight(weight);
    this.merge(this.hash, this.starts[this.distinct]!, this.entered, weight);
  }

  /** Adds a ballot of two different items, the better first unless they tie; the same as `add`, and several times as fast. */
  addPair(better: number, worse: number, tie: boolean, weight: number): void {
    checkWeight(weight);
    const turned = tie && better > worse; // the items of a tier ascend
    const [one, other] = turned ? [worse, better] : [better, worse];
    const place = this.pairPlace(one + 1, 2 * other + (tie ? 1 : 0));
    if (this.pairs[place] !== 0) {
      const ballot = this.pairs[place + 2]!;
      this.weight += weight;
      this.weights[ballot] = this.weights[ballot]! + weight;
      return;
    }
    const from = this.starts[this.distinct]!;
    if (from + 2 > this.items.length) {
      this.items = longer(this.items, from + 1);
      this.tiers = longer(this.tiers, from + 1);
    }
    const last = tie ? 0 : 1;
    this.items[from] = one;
    this.items[from + 1] = other;
    this.tiers[from] = 0;
    this.tiers[from + 1] = last;
    const ballot = this.merge(mixed(mixed(SEED, one, 0), other, last), from, from + 2, weight);
    this.pairs.set([one + 1, 2 * other + (tie ? 1 : 0), ballot], place);
    if (++this.pairCount * 8 > this.pairs.length) this.rehashPairs();
  }

  /** Where a pair is or belongs in the table of pairs. */
  private pairPlace(first: number, second: number): number {
    const mask = this.pairs.length - 1;
    let place = (spread(Math.imul(first, 0x9e3779b1) ^ second) << 2) & mask;
    while (this.pairs[place] !== 0 && (this.pairs[place] !== first || this.pairs[place + 1] !== second))
      place = (place + 4) & mask;
    return place;
  }

  private rehashPairs(): void {
    const before = this.pairs;
    this.pairs = new Int32Array(4 * before.length);
    for (let at = 0; at < before.length; at += 4)
      if (before[at] !== 0) this.pairs.set(before.subarray(at, at + 4), this.pairPlace(before[at]!, before[at + 1]!));
  }

  /** Adds the weight of the entries from to to to the equal ballot that came before, or keeps them as a new one. Returns its number. */
  private merge(hash: number, from: number, to: number, weight: number): number {
    this.weight += weight;
    const same = this.apart ? -1 : this.find(hash, from, to);
    if (same >= 0) {
      this.weights[same] = this.weights[same]! + weight;
      return same;
    }
    if (!this.apart) {
      if (this.distinct === this.hashes.length) this.rehash();
      this.note(hash, this.distinct);
    }
    this.weights.push(weight);
    this.starts.push(to);
    return this.distinct++;
  }

  /** The ballot that is equal to the entries from to to, or -1. */
  private find(hash: number, from: number, to: number): number {
    const mask = this.slots.length - 1;
    let slot = spread(hash) & mask;
    for (let same = this.slots[slot]!; same >= 0; same = this.slots[slot]!) {
      if (this.hashes[same] === hash && this.equal(same, from, to)) return same;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  private note(hash: number, ballot: number): void {
    const mask = this.slots.length - 1;
    let slot = spread(hash) & mask;
    while (this.slots[slot]! >= 0) slot = (slot + 1) & mask;
    this.slots[slot] = ballot;
    this.hashes[ballot] = hash;
  }

  private rehash(): void {
    const before = this.hashes;
    this.hashes = new Int32Array(2 * before.length);
    this.slots = new Int32Array(2 * this.slots.length).fill(-1);
    for (let ballot = 0; ballot < before.length; ballot++) this.note(before[ballot]!, ballot);
  }

  private equal(ballot: number, from: number, to: number): boolean {
    const start = this.starts[ballot]!;
    if (this.starts[ballot + 1]! - start !== to - from) return false;
    for (let i = 0; i < to - from; i++)
      if (this.items[start + i] !== this.items[from + i] || this.tiers[start + i] !== this.tiers[from + i]) return false;
    return true;
  }

  /**
   * The dataset, with one list for each different ballot. A ballot of fewer items than `least` is left out: by default, one that compares nothing.
   * `lists` names the ballots in the order in which they were added, where no two were merged.
   */
  finish(absent: AbsentItems = "silent", lists: readonly string[] = [], least = 2): Dataset {
    const all = this.names.length;
    const size = (b: number) => this.starts[b + 1]! - this.starts[b]!;
    const length = (b: number) => (absent === "last" ? all : size(b));
    const kept = Array.from({ length: this.distinct }, (_, b) => b).filter((b) => length(b) >= least);
    const starts = new Uint32Array(kept.length + 1);
    kept.forEach((b, q) => {
      starts[q + 1] = starts[q]! + length(b);
    });
    const entries = starts[kept.length]!;
    const [labels, items] = [new Float32Array(entries), new Uint32Array(entries)];
    this.incomplete = 0;
    for (let b = 0; b < this.distinct; b++) if (size(b) < all) this.incomplete += this.weights[b]!;
    kept.forEach((b, q) => {
      const from = this.starts[b]!;
      const last = this.tiers[from + size(b) - 1]! + (length(b) > size(b) ? 1 : 0);
      for (let i = 0; i < size(b); i++) {
        items[starts[q]! + i] = this.items[from + i]!;
        labels[starts[q]! + i] = last - this.tiers[from + i]!;
      }
      // The rest of the item set keeps the label 0.
      if (length(b) > size(b)) items.set(this.others(b), starts[q]! + size(b));
    });
    const weights = Float32Array.from(kept, (b) => this.weights[b]!);
    if (weights.includes(Number.POSITIVE_INFINITY))
      throw new InputError("the counts of equal ballots add up to more than a 32-bit float holds");
    return {
      starts,
      labels,
      items,
      features: { kind: "dense", rows: entries, columns: 0, values: new Float32Array(0) },
      ...(weights.some((weight) => weight !== 1) && { listWeights: weights }),
      base: 1,
      names: { items: this.names, ...(lists.length === this.distinct && { lists: kept.map((b) => lists[b]!) }) },
    };
  }

  private others(ballot: number): number[] {
    const present = new Set(this.items.subarray(this.starts[ballot]!, this.starts[ballot + 1]!));
    return this.names.map((_, item) => item).filter((item) => !present.has(item));
  }
}

/** The hash with an item and its tier mixed in. */
function mixed(hash: number, item: number, tier: number): number {
  const once = Math.imul(hash ^ item, 0x01000193) ^ (hash >>> 15);
  return Math.imul(once ^ tier, 0x85ebca6b);
}

/** Spreads the bits of a hash, so that the low ones depend on all (the finalizer of MurmurHash3). */
function spread(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

function checkWeight(weight: number): void {
  if (!(weight > 0 && Number.isFinite(Math.fround(weight))))
    throw new InputError(`a ballot: expected a weight above 0, got ${weight}`);
}

/** The same numbers in an array that holds place `at`, and as much again. */
function longer(from: Uint32Array, at: number): Uint32Array<ArrayBuffer> {
  const into = new Uint32Array(2 * Math.max(from.length, at + 1));
  into.set(from);
  return into;
}

/** A ballot as code gives it: tiers from the best to the worst, each one name or several. */
export type Ballot = readonly (string | readonly string[])[];

/** What ballots leave unsaid. */
export interface BallotOptions {
  /** Items that a ballot omits: no information ("silent"), or tied in the last tier ("last"). Default: "silent". */
  readonly absent?: AbsentItems;
  /** Weight of each ballot, such as the number of voters. Default: 1 each. */
  readonly weights?: readonly number[];
  /** The item set, where it holds more than the ballots do or wants another order. */
  readonly items?: readonly string[];
}

/** A dataset from ballots, each a list of tiers, the best first; a tier of one item may be its name alone. */
export function ballots(given: Iterable<Ballot>, options: BallotOptions = {}): Dataset {
  checkOptions("ballots", options, {
    absent: oneOf("silent", "last"),
    weights: someNumbers,
    items: someTexts,
  });
  const { absent = "silent", weights, items = [] } = options;
  if (typeof given !== "object" || given === null || !(Symbol.iterator in given))
    throw new InputError(`ballots: expected an array of ballots, such as [["a", ["b", "c"]]], got ${describeValue(given)}`);
  const builder = new Ballots();
  for (const name of items) builder.item(name);
  let row = 0;
  for (const ballot of given) {
    checkBallot(ballot, row + 1);
    if (weights && row >= weights.length)
      throw new InputError(`ballots: expected a weight for each ballot, got ${weights.length}`);
    const tiers = ballot.map((tier) => (typeof tier === "string" ? [tier] : tier).map((name) => builder.item(name)));
    const twice = builder.add(tiers, weights ? weights[row] : 1);
    row++;
    if (twice >= 0) throw new InputError(`ballot ${row}: the item ${quote(builder.names[twice]!)} occurs twice`);
  }
  if (weights && weights.length !== row)
    throw new InputError(`ballots: expected a weight for each of ${row} ballots, got ${weights.length}`);
  return builder.finish(absent);
}

function checkBallot(ballot: unknown, row: number): void {
  const wanted = `ballot ${row}: expected an array of tiers, each a name or an array of names`;
  if (!Array.isArray(ballot)) throw new InputError(`${wanted}, got ${describeValue(ballot)}`);
  for (const tier of ballot)
    for (const name of Array.isArray(tier) ? tier : [tier])
      if (typeof name !== "string" || name === "") throw new InputError(`${wanted}, got ${describeValue(name)} among them`);
}

/** The same ballots with the items numbered as in another item set, by name. */
export function alignItems(data: Dataset, names: readonly string[]): Dataset {
  checkData("alignItems", data);
  check("alignItems, the names", names, someTexts);
  const have = data.names.items;
  if (!data.items || !have) throw new InputError("expected ballots with named items");
  if (have.length === names.length && have.every((name, i) => name === names[i])) return data;
  const known = new Map(names.map((name, i) => [name, i]));
  const target = have.map((name) => {
    const number = known.get(name);
    if (number === undefined) throw new InputError(`the item ${quote(name)} is not among the ${names.length} items`);
    return number;
  });
  return { ...data, items: data.items.map((item) => target[item]!), names: { ...data.names, items: names } };
}
