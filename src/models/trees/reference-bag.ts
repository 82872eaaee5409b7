/** Averaged ensembles, to compare the real ones with. */
import type { Dataset, Objective } from "../../types.ts";
import { type BoostInputs, memberSeed } from "./boost.ts";
import type { TreesSettings } from "./options.ts";
import { type ReferenceBoostResult, referenceBoost } from "./reference-boost.ts";
import type { Tree } from "./tree.ts";

/**
 * Several boosts, averaged: each by itself from a seed of its own, trees taken round by round with their values over the number of
 * boosts, and the cost of each round at the scores of the trees so far and the mean of what was learned beside them.
 */
export function referenceBag(
  data: Dataset,
  objective: Objective,
  options: TreesSettings,
  given: BoostInputs,
  seed: number,
): ReferenceBoostResult {
  const { bag, rounds } = options;
  if (bag === 1) return referenceBoost(data, objective, options, given, seed);
  const single = { ...options, bag: 1 };
  const alone = Array.from({ length: bag }, (_, member) => {
    const each = (count: number) =>
      referenceBoost(data, objective, { ...single, rounds: count }, given, memberSeed(seed, member));
    return Array.from({ length: rounds + 1 }, (_, count) => each(count));
  });
  const trees: Tree[] = [...given.trees];
  let extras = objective.auxiliary.map(({ initial }) => initial);
  const costs = [alone[0]![0]!.costs[0]!];
  for (let round = 1; round <= rounds; round++) {
    for (const after of alone) {
      const from = after[round - 1]!.trees.length;
      for (const tree of after[round]!.trees.slice(from)) trees.push({ ...tree, value: tree.value.map((value) => value / bag) });
    }
    extras = extras.map((_, e) => alone.reduce((sum, after) => sum + after[round]!.extras[e]!, 0) / bag);
    const at = { auxiliary: extras, round };
    costs.push(referenceBoost(data, objective, { ...single, rounds: 0 }, { ...given, trees }, seed, at).costs[0]!);
  }
  return { trees, extras, costs };
}
