/** What the likelihoods make of a world: held-out likelihood and recovery of the true order, for each of them. */
import { fit, isUtilities, learner, objective } from "../../src/index.ts";
import { codeDigest } from "../code-digest.ts";
import { random } from "../internal.ts";
import type { Cell } from "../paper.ts";
import { isPairs, nameOf, type Simulated, simulate, type World } from "./simulate.ts";

/** The likelihoods of tiers given their sizes, each right in one world. */
export const OF_TIERS: Readonly<Record<string, World>> = {
  "pl-partition": "pl-partition",
  "pmop-fd": "pmop-fd",
  "pmop-exact:sizes=given": "pmop-mean",
  "pmop-exact:potential=sum,sizes=given": "cox",
};

/** The likelihoods of wins and ties of pairs. */
export const OF_PAIRS: Readonly<Record<string, World>> = { davidson: "davidson", "rao-kupper": "rao-kupper" };

export const likelihoodsOf = (world: World): readonly string[] => Object.keys(isPairs(world) ? OF_PAIRS : OF_TIERS);

/** A weak prior, so that a fit exists for few ballots too. */
const MODEL = "utilities:ghost=0.5,errors=no";

/** By likelihood; a type, so that it counts as JSON. */
export type Outcome = { readonly [objective: string]: { readonly likelihood: number; readonly tau: number } };

export function worldCell(world: World, count: number, seed: number): Cell<Outcome> {
  return {
    settings: { kind: "world", world, ballots: count, seed, model: MODEL, likelihoods: likelihoodsOf(world) },
    get code() {
      return codeDigest(["papers/worlds/fits", "papers/worlds/simulate", "src/fit", "src/data/ballots"], {
        ...{ model: [MODEL], objective: likelihoodsOf(world) },
      });
    },
    title: `${count} ballots of the world of ${world}, seed ${seed}`,
    weight: count + 2000,
    run: async () => {
      const data = simulate(world, count, seed);
      return Object.fromEntries(likelihoodsOf(world).map((spec) => [spec, judge(data, spec)]));
    },
  };
}

/** Fits utilities under one objective. */
export function judge({ utilities, train, test }: Simulated, spec: string): { likelihood: number; tau: number } {
  const cost = objective(spec);
  const { model } = fit(train, { model: learner(MODEL), objective: cost });
  if (!isUtilities(model)) throw new Error("a world is fitted with utilities");
  const auxiliary = cost.auxiliary.map(({ name }) => model.fit.auxiliary[name]!);
  const scores = new Float64Array(test.labels.length);
  model.score(test, scores);
  let [sum, weight] = [0, 0];
  for (let q = 0; q + 1 < test.starts.length; q++) {
    const [from, to] = [test.starts[q]!, test.starts[q + 1]!];
    const all = Float64Array.from([...scores.subarray(from, to), ...auxiliary]);
    const times = test.listWeights?.[q] ?? 1;
    sum -= times * cost.evaluate(all, test.labels.subarray(from, to), { gradient: new Float64Array(all.length) }, random(1));
    weight += times;
  }
  const places = new Map(model.fit.names.map((name, i) => [name, i]));
  const fitted = Float64Array.from(utilities, (_, item) => model.fit.utilities[places.get(nameOf(item)) ?? -1] ?? Number.NaN);
  return { likelihood: sum / weight, tau: kendall(utilities, fitted) };
}

/** The share of pairs in the same order minus that of pairs in another; pairs of items that no ballot has do not count. */
export function kendall(a: Float64Array, b: Float64Array): number {
  let [sum, pairs] = [0, 0];
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < i; j++) {
      const sign = Math.sign((a[i]! - a[j]!) * (b[i]! - b[j]!));
      if (Number.isNaN(sign)) continue;
      sum += sign;
      pairs++;
    }
  return sum / pairs;
}
