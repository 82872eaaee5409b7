/** Which objective finds the utilities of a Plackett-Luce model again from two-tier lists: Fig. 1 of Ma et al. 2021 in small. */
import { expect, it } from "vitest";
import { exp, log, logSumExp } from "../numeric/functions.ts";
import { random } from "../numeric/random.ts";
import { objective } from "./index.ts";

const ITEMS = 20;
const LISTS = 500;

/** Orders drawn from the model by Gumbel's trick, the first few of each above the rest. */
function lists(utilities: Float64Array, seed: number): Float32Array[] {
  const r = random(61, seed);
  return Array.from({ length: LISTS }, () => {
    const noisy = utilities.map((w) => w - log(-log(r() + 1e-300)));
    const order = [...noisy.keys()].sort((a, b) => noisy[b]! - noisy[a]!);
    const above = 1 + Math.floor(r() * 10);
    const labels = new Float32Array(ITEMS);
    for (const i of order.slice(0, above)) labels[i] = 1;
    return labels;
  });
}

/** Mean squared error of the softmax of utilities fitted by AdaGrad at rate 0.1, as in the paper. */
function miss(text: string, data: readonly Float32Array[], truth: Float64Array): number {
  const given = objective(text);
  const params = new Float64Array(ITEMS);
  const squares = new Float64Array(ITEMS);
  const gradient = new Float64Array(ITEMS);
  for (let iteration = 0; iteration < 100; iteration++) {
    const sum = new Float64Array(ITEMS);
    for (const labels of data) {
      given.evaluate(params, labels, { gradient }, random(1));
      for (let i = 0; i < ITEMS; i++) sum[i] = sum[i]! + gradient[i]! / LISTS;
    }
    for (let i = 0; i < ITEMS; i++) {
      squares[i] = squares[i]! + sum[i]! * sum[i]!;
      params[i] = params[i]! - (0.1 * sum[i]!) / (Math.sqrt(squares[i]!) + 1e-10);
    }
  }
  const [ours, theirs] = [logSumExp(params), logSumExp(truth)];
  return params.reduce((total, w, i) => total + (exp(w - ours) - exp(truth[i]! - theirs)) ** 2, 0) / ITEMS;
}

it("pl-partition recovers the utilities better than pl-lb, attrank, ranknet and ranksvm, on each of two seeds", () => {
  for (const seed of [1, 2]) {
    const r = random(62, seed);
    const truth = Float64Array.from({ length: ITEMS }, () => r() * log(ITEMS));
    const data = lists(truth, seed);
    const ours = miss("pl-partition", data, truth);
    for (const other of ["pl-lb", "attrank", "ranknet", "ranksvm"])
      expect(miss(other, data, truth), `${other}, seed ${seed}`).toBeGreaterThan(ours);
  }
}, 60_000);
