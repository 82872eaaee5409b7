/**
 * The synthetic data of Ma et al. 2021, section 4.1: utilities q_i uniform on (0, log N), p = softmax(q), n full rankings from Plackett-Luce,
 * each cut at random into M = 4 tiers with at most 500 items in the top three. The oracle sees the order within the top three tiers.
 */
import type { Dataset } from "../../src/index.ts";
import { below, descending, exp, log, random } from "../internal.ts";

export interface Drawn {
  readonly p: Float64Array; // the truth
  readonly tiers: Dataset;
  readonly oracle: Dataset;
}

export const TIERS = 4;
export const TOP = 500;

export function draw(items: number, n: number, seed: number): Drawn {
  const r = random(seed, items, n);
  const q = Float64Array.from({ length: items }, () => r() * log(items));
  const masses = q.map(exp);
  const sum = masses.reduce((all, mass) => all + mass, 0);
  const [order, tiers, oracle] = [new Uint32Array(n * items), new Float32Array(n * items), new Float32Array(n * items)];
  for (let list = 0; list < n; list++) {
    const from = list * items;
    order.set(descending(q.map((value) => value - log(-log(r())))), from); // Gumbel noise: the order is Plackett-Luce
    const cuts = cutsOf(items, r);
    const top = cuts[TIERS - 2]!;
    for (let place = 0; place < top; place++) {
      tiers[from + place] = TIERS - 1 - cuts.filter((cut) => cut <= place).length;
      oracle[from + place] = top - place;
    }
  }
  const shared = {
    starts: Uint32Array.from({ length: n + 1 }, (_, list) => list * items),
    items: order,
    features: { kind: "dense", rows: n * items, columns: 0, values: new Float32Array(0) },
    base: 1,
    names: { items: Array.from({ length: items }, (_, i) => String(i)) },
  } as const;
  return { p: masses.map((mass) => mass / sum), tiers: { ...shared, labels: tiers }, oracle: { ...shared, labels: oracle } };
}

/** Three different places to cut, ascending. */
function cutsOf(items: number, r: () => number): number[] {
  const most = Math.min(TOP, items - 1);
  const cuts = new Set<number>();
  while (cuts.size < TIERS - 1) cuts.add(1 + below(r, most));
  return [...cuts].sort((a, b) => a - b);
}

export function meanSquaredError(utilities: Float64Array, p: Float64Array): number {
  const top = utilities.reduce((most, value) => Math.max(most, value), -Infinity);
  const masses = utilities.map((value) => exp(value - top));
  const sum = masses.reduce((all, mass) => all + mass, 0);
  return p.reduce((error, wanted, i) => error + (masses[i]! / sum - wanted) ** 2, 0) / p.length;
}
