/** An objective and a metric of one's own, in a module by themselves, so that worker threads can import them too. */
import { field, type Metric, type Objective, part } from "tierwise";

const margin = field.real(1, "by how much the better item of a pair should lead", { above: 0 });

/** (margin - (s_i - s_j))² for every pair in which item i is better and leads by less. As a part it has checked options and a spec. */
export const objective = part("squared-hinge", "squared hinge of each pair", { margin }, (options, spec): Objective => ({
  id: "squared-hinge",
  spec, // "squared-hinge:margin=2", which model files record
  outputs: 1,
  cost: "exact",
  gradient: "exact",
  hessian: "exact",
  ties: "silent", // equal labels make no pair
  auxiliary: [],
  evaluate(scores, labels, { gradient, hessian }, _random, weights) {
    gradient.fill(0);
    hessian?.fill(0);
    let cost = 0;
    for (let i = 0; i < labels.length; i++)
      for (let j = 0; j < labels.length; j++) {
        const lack = options.margin - (scores[i]! - scores[j]!);
        if (labels[i]! <= labels[j]! || lack <= 0) continue;
        const weight = weights?.[i] ?? 1; // of the better item
        cost += weight * lack * lack;
        gradient[i] = gradient[i]! - 2 * weight * lack;
        gradient[j] = gradient[j]! + 2 * weight * lack;
        if (hessian) for (const item of [i, j]) hessian[item] = hessian[item]! + 2 * weight;
      }
    return cost;
  },
})); // biome-ignore format: options on one line

/** The fraction of pairs of different labels in the right order, tied scores counting half. A finished object has no options. */
export const metric: Metric = {
  id: "pair-accuracy",
  spec: "pair-accuracy",
  variant: "pairs of different labels in the right order, tied scores half, lists without such pairs left out",
  better: "higher",
  measure(scores, labels) {
    let [right, pairs] = [0, 0];
    for (let i = 0; i < labels.length; i++)
      for (let j = 0; j < labels.length; j++)
        if (labels[i]! > labels[j]!) {
          pairs++;
          right += scores[i]! > scores[j]! ? 1 : scores[i] === scores[j] ? 0.5 : 0;
        }
    return right / pairs; // NaN without pairs
  },
};
