/**
 * Comparisons of two items as counts: how often the first won, the second won, and the two tied. A list of more than two items is all its
 * pairs. Equal comparisons are merged before anything is fitted, so a fit takes as long as there are different pairs, however many ballots.
 */
import type { Dataset } from "../../types.ts";

/** Merged comparisons; row r compares items first[r] and second[r]. */
export interface Contests {
  /** In the item set. */
  readonly items: number;
  /** The first item of each row. */
  readonly first: Uint32Array;
  /** The second item of each row. */
  readonly second: Uint32Array;
  /** Weight of the rows that the first item won. */
  readonly wins: Float64Array;
  /** Weight of the rows that the second item won. */
  readonly losses: Float64Array;
  /** Weight of the ties. */
  readonly ties: Float64Array;
  /** Features of each contest, row after row: the margin is θ_first - θ_second + Σ x β. */
  readonly covariates?: Float64Array;
  /** Number of covariates. */
  readonly covariateCount?: number;
}

/** Numbers pairs of items in the order in which they first come: a hash table with linear probing. */
export class PairIndex {
  count = 0;
  first: Uint32Array = new Uint32Array(1024);
  second: Uint32Array = new Uint32Array(1024);
  private slots = new Int32Array(4096).fill(-1);

  /** The number of the pair, from 0; a new one if it has not come before. */
  of(first: number, second: number): number {
    const mask = this.slots.length - 1;
    let slot = hash(first, second) & mask;
    for (let row = this.slots[slot]!; row >= 0; row = this.slots[slot]!) {
      if (this.first[row] === first && this.second[row] === second) return row;
      slot = (slot + 1) & mask;
    }
    const row = this.count++;
    if (row === this.first.length) {
      this.first = grown(this.first);
      this.second = grown(this.second);
    }
    this.first[row] = first;
    this.second[row] = second;
    this.slots[slot] = row;
    if (this.count * 2 > this.slots.length) this.rehash();
    return row;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 4).fill(-1);
    const mask = this.slots.length - 1;
    for (let row = 0; row < this.count; row++) {
      let slot = hash(this.first[row]!, this.second[row]!) & mask;
      while (this.slots[slot]! >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = row;
    }
  }
}

function hash(a: number, b: number): number {
  const once = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

function grown<A extends Uint32Array | Float64Array>(from: A): A {
  const into = (from instanceof Uint32Array ? new Uint32Array(from.length * 2) : new Float64Array(from.length * 2)) as A;
  into.set(from);
  return into;
}

/** Pairs of items in all lists, counted with repetition: the steps that merging takes, and a bound on the rows that it leaves. */
export function pairsIn({ starts }: Dataset): number {
  let sum = 0;
  for (let q = 0; q + 1 < starts.length; q++) {
    const n = starts[q + 1]! - starts[q]!;
    sum += (n * (n - 1)) / 2;
  }
  return sum;
}

/**
 * The pairs of all lists, merged. A pair counts with the weight of its list times that of its better item (the mean of both for a tie), as in
 * the objectives of pairs. Ties are left out unless they are wanted.
 */
export function contestsOf({ starts, labels, items, listWeights, itemWeights }: Dataset, count: number, ties: boolean): Contests {
  const index = new PairIndex();
  let weights = new Float64Array(3 * 1024); // by row: wins, losses, ties
  for (let q = 0; q + 1 < starts.length; q++) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const listWeight = listWeights ? listWeights[q]! : 1;
    for (let p = from; p < to; p++) {
      for (let r = p + 1; r < to; r++) {
        const lead = labels[p]! - labels[r]!;
        if (lead === 0 && !ties) continue;
        const [i, j] = [items![p]!, items![r]!];
        const row = i < j ? index.of(i, j) : index.of(j, i);
        if (3 * row === weights.length) weights = grown(weights);
        const kind = lead === 0 ? 2 : lead > 0 === i < j ? 0 : 1;
        const own = !itemWeights ? 1 : lead === 0 ? (itemWeights[p]! + itemWeights[r]!) / 2 : itemWeights[lead > 0 ? p : r]!;
        weights[3 * row + kind] = weights[3 * row + kind]! + listWeight * own;
      }
    }
  }
  const of = (kind: number) => Float64Array.from({ length: index.count }, (_, row) => weights[3 * row + kind]!);
  return {
    items: count,
    first: index.first.slice(0, index.count),
    second: index.second.slice(0, index.count),
    ...{ wins: of(0), losses: of(1), ties: of(2) },
  };
}
