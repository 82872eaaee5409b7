/** How likely a fit to ballots makes ballots that it has not seen. */
import { areBallots, totalWeight } from "./data/voters.ts";
import { isUtilities } from "./models/index.ts";
import { random } from "./numeric/random.ts";
import type { Dataset, Model, Objective } from "./types.ts";

/** The total cost of lists at given scores, weighted as the data say; `auxiliary parameters` are the numbers that the objective learned. */
export function heldOutCost(data: Dataset, cost: Objective, scores: Float64Array, auxiliary: readonly number[]): number {
  const { starts, labels, listWeights } = data;
  let sum = 0;
  for (let q = 0; q + 1 < starts.length; q++) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const all = Float64Array.from([...scores.subarray(from, to), ...auxiliary]);
    const gradient = new Float64Array(all.length);
    const weight = listWeights ? listWeights[q]! : 1;
    sum += weight * cost.evaluate(all, labels.subarray(from, to), { gradient }, random(1, q));
  }
  return sum;
}

/**
 * The mean log-likelihood of a ballot under the model and what its objective learned besides, such as the weight of ties. Undefined where
 * there is none: for other data than ballots, other models than utilities, and objectives that are no likelihood.
 */
export function heldOutLikelihood(model: Model, cost: Objective, data: Dataset): number | undefined {
  const isLikelihood = cost.likelihood !== undefined && cost.cost === "exact";
  if (!isLikelihood || !areBallots(data) || !isUtilities(model) || data.itemWeights) return undefined;
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  const auxiliary = cost.auxiliary.map(({ name }) => model.fit.auxiliary[name]!);
  return -heldOutCost(data, cost, scores, auxiliary) / totalWeight(data);
}
