/**
 * How well each method recovers p (Figures 1 and 3): utilities by AdaGrad at 0.1 in batches of 20 lists, stopped early on a quarter as many
 * lists held out, by the method's own cost. The paper says no more about early stopping; ours waits ten passes.
 */
import { type Dataset, fit, isUtilities, learner, type Metric, type Objective, objective, split } from "../../src/index.ts";
import { random } from "../internal.ts";
import { draw, meanSquaredError } from "./simulated.ts";

export const METHODS: readonly { readonly name: string; readonly objective: string; readonly oracle?: true }[] = [
  { name: "PL-TopK (oracle)", objective: "pl-partition", oracle: true },
  { name: "PL-Partition", objective: "pl-partition" },
  { name: "PL-LB", objective: "pl-lb" },
  { name: "AttRank", objective: "attrank" },
  { name: "RankNet", objective: "ranknet" },
  { name: "RankSVM", objective: "ranksvm" },
];

/** The mean squared error of one method on one data set of n lists to learn from. */
export function recover(method: (typeof METHODS)[number], items: number, n: number, seed: number): number {
  const { p, tiers, oracle } = draw(items, n + Math.ceil(n / 4), seed);
  const [train, valid] = split(method.oracle ? oracle : tiers, [0.8, 0.2], seed) as [Dataset, Dataset];
  const cost = objective(method.objective);
  const { model } = fit(train, {
    model: learner("utilities:optimizer=adagrad(rate=0.1,batch=20,epochs=500)"),
    objective: cost,
    valid,
    metrics: [asMetric(cost)],
    stopOn: asMetric(cost).spec,
    patience: 10,
    seed,
  });
  if (!isUtilities(model)) throw new Error("the simulation fits utilities");
  return meanSquaredError(model.fit.utilities, p);
}

/** The cost of a list as what early stopping watches. */
function asMetric(cost: Objective): Metric {
  let gradient = new Float64Array(0);
  return {
    id: cost.id,
    spec: `${cost.spec} held out`,
    variant: "mean cost of a list",
    better: "lower",
    measure(scores, labels) {
      if (gradient.length !== scores.length) gradient = new Float64Array(scores.length);
      return cost.evaluate(scores, labels, { gradient }, random(1));
    },
  };
}
