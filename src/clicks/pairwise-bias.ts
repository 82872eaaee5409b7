/**
 * Pairwise debiasing: position biases and a ranker are estimated in turns, as Unbiased LambdaMART does (Hu, Wang, Peng and Li 2019,
 * https://doi.org/10.1145/3308558.3313447; XGBoost's lambdarank_unbiased). Over the pairs of a clicked document at position i and one at position j that was
 * not clicked, with cost L = log(1 + exp(s_j - s_i)) and ranker s,
 *
 *   t⁺_i = Σ L / t⁻_j over pairs with the click at i, divided by the same at the first position;
 *   t⁻_j = Σ L / t⁺_i over pairs without a click at j, likewise,
 *
 * and the ranker minimizes Σ L / (t⁺_i t⁻_j). t⁺ is the propensity of a position relative to the first, as far as relevance does not depend on position: it is what
 * other tools compute, and harvesting is more exact where documents move. The ranker here is linear and takes one step under a bound of the Hessian in each round.
 */
import { cholesky, solve } from "../numeric/cholesky.ts";
import { logistic, softplus } from "../numeric/functions.ts";
import type { ClickLog } from "./click-log.ts";
import type { Exposures } from "./exposures.ts";
import type { Design } from "./regression-em.ts";

const ROUNDS = 30;
const RIDGE = 1;
const LEAST = 1e-6; // bias

/** Equal pairs of many impressions, merged. */
interface Pairs {
  readonly clicked: Uint32Array; // document
  readonly other: Uint32Array; // document
  readonly at: Uint32Array; // position of the click
  readonly otherAt: Uint32Array;
  readonly counts: Float64Array;
}

/** Propensities by position (t⁺), relative to the first. */
export function pairwiseBias(log: ClickLog, counts: Exposures, { columns: n, values }: Design): Float64Array {
  const positions = log.positions.length;
  const pairs = pairsOf(log, counts);
  const bound = new Float64Array(n * n);
  const x = (p: number, j: number) => values[pairs.clicked[p]! * n + j]! - values[pairs.other[p]! * n + j]!;
  const difference = new Float64Array(n);
  for (let p = 0; p < pairs.counts.length; p++) {
    for (let j = 0; j < n; j++) difference[j] = x(p, j);
    for (let i = 0; i < n; i++) {
      const left = (pairs.counts[p]! * difference[i]!) / 4;
      if (left !== 0) for (let j = 0; j <= i; j++) bound[i * n + j]! += left * difference[j]!;
    }
  }
  for (let i = 0; i < n; i++) bound[i * n + i]! += RIDGE;
  cholesky(bound, n, 1e-9);
  const weights = new Float64Array(n);
  let [plus, minus] = [new Float64Array(positions).fill(1), new Float64Array(positions).fill(1)];
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map((weight) => -RIDGE * weight);
    const [nextPlus, nextMinus] = [new Float64Array(positions), new Float64Array(positions)];
    let [mass, total] = [0, 0];
    for (let p = 0; p < pairs.counts.length; p++) {
      let margin = 0;
      for (let j = 0; j < n; j++) margin += weights[j]! * (difference[j] = x(p, j));
      const [i, k, count] = [pairs.at[p]!, pairs.otherAt[p]!, pairs.counts[p]!];
      const cost = count * softplus(-margin);
      nextPlus[i]! += cost / minus[k]!;
      nextMinus[k]! += cost / plus[i]!;
      const weight = count / (plus[i]! * minus[k]!);
      mass += weight;
      total += count;
      const pull = weight * logistic(-margin);
      for (let j = 0; j < n; j++) gradient[j]! += pull * difference[j]!;
    }
    // The bound is of weights of 1; those here are larger by this factor on average.
    solve(bound, n, gradient);
    for (let j = 0; j < n; j++) weights[j]! += (gradient[j]! * total) / mass;
    [plus, minus] = [relative(nextPlus), relative(nextMinus)];
  }
  return plus;
}

const relative = (sums: Float64Array) => sums.map((sum) => Math.max(sum / sums[0]!, LEAST));

function pairsOf({ starts, query, position, clicked, positions }: ClickLog, { entryOf }: Exposures): Pairs {
  const places = new Map<string, number>();
  const columns: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  for (let i = 0; i < query.length; i++)
    for (let a = starts[i]!; a < starts[i + 1]!; a++) {
      if (clicked[a] !== 1) continue;
      for (let b = starts[i]!; b < starts[i + 1]!; b++) {
        if (clicked[b] === 1) continue;
        const key = `${entryOf[a]} ${entryOf[b]} ${position[a]! * positions.length + position[b]!}`;
        let place = places.get(key);
        if (place === undefined) {
          place = places.size;
          places.set(key, place);
          [entryOf[a]!, entryOf[b]!, position[a]!, position[b]!, 0].forEach((one, c) => {
            columns[c]!.push(one);
          });
        }
        columns[4][place]!++;
      }
    }
  const [c, o, at, otherAt] = columns.slice(0, 4).map((one) => Uint32Array.from(one)) as Uint32Array[];
  return { clicked: c!, other: o!, at: at!, otherAt: otherAt!, counts: Float64Array.from(columns[4]) };
}
