/** Battles split into parts for cross-validation: battle by battle, or cluster by cluster where there are clusters. */
import type { Battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { binomials } from "./numeric/binomial.ts";
import { below, random } from "./numeric/random.ts";

/** For each part, the counts of the rows that are in it. */
export function splitBattles(who: string, data: Battles, parts: number, seed: number): Float64Array[] {
  const { counts, clusters } = data;
  const generator = random(seed, 0x5b117);
  const found = Array.from({ length: parts }, () => new Float64Array(counts.length));
  if (clusters) {
    const order = [...new Set(clusters)];
    if (order.length < parts) throw new InputError(`${who}: ${order.length} clusters are too few for ${parts} parts`);
    for (let i = order.length - 1; i > 0; i--) {
      const j = below(generator, i + 1);
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    const part = new Map(order.map((cluster, at) => [cluster, at % parts]));
    clusters.forEach((cluster, r) => void (found[part.get(cluster)!]![r] = counts[r]!));
  } else {
    if (counts.some((count) => !Number.isInteger(count)))
      throw new InputError(`${who}: battles are split one by one, so counts must be whole numbers`);
    const binomial = binomials(generator);
    counts.forEach((count, r) => {
      let left = count;
      for (let p = 0; p < parts; p++) {
        const own = p + 1 === parts ? left : binomial(left, 1 / (parts - p));
        found[p]![r] = own;
        left -= own;
      }
    });
  }
  if (found.some((part) => part.every((count) => count === 0)))
    throw new InputError(`${who}: there are too few battles for ${parts} parts`);
  return found;
}
