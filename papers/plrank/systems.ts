/**
 * The systems of Xia, Zhai, Wang, Table 1: boosted trees of 30 leaves at rate 0.1, and two linear ones. The paper grows 1,000 trees (McRank
 * 2,500); its data are a hundred times larger, so ours stop when 50 trees have not raised the validation NDCG@10, and are at most 1,000.
 */
import { boostedTrees, type System } from "../systems.ts";
import type { Recipe } from "../trial.ts";

export const METRICS = ["ndcg@1", "ndcg@3", "ndcg@10", "err"];

const judged = { watch: "ndcg@10", metrics: METRICS.join(",") } as const;

const boosted = (objective: string): Recipe => ({
  model: boostedTrees("rounds=1000,leaves=30,learning-rate=0.1"),
  ...{ objective, patience: 50, ...judged },
});

const trees = (name: string, objective: string, weight = 1): System => ({ name, weight, recipe: () => boosted(objective) });

export const treeSystems: readonly System[] = [
  ...[1, 3, 6, 9, 15].map((orders) => trees(`PLRank(obj=${orders})`, `plrank:permutations=${orders}`, 1 + orders / 3)),
  trees("LambdaMART", "lambdarank"),
  { name: "McRank", weight: 2, recipe: ({ set }) => boosted(`mcrank:grades=${set.grades}`) },
  trees("MART-1", "mart-1", 0.8),
  trees("MART-2", "mart-2", 0.8),
  trees("c-MART-1", "c-mart", 0.8),
  trees("CosMART", "cosine", 0.8),
  trees("c-CosMART", "c-cosine", 0.8),
  trees("KLMART", "kl", 0.8),
  trees("c-KLMART", "c-kl", 0.8),
];

/** What the paper could not have: the tiers themselves instead of random orders that agree with them. */
export const tierSystems: readonly System[] = [
  trees("pl-partition trees", "pl-partition"),
  trees("pl-partition:top=10 trees", "pl-partition:top=10"),
];

export const coordinateAscent: System = {
  name: "CA",
  weight: 3,
  recipe: () => ({ model: "coordinate-ascent", objective: "pl-partition", ...judged }),
};

/** The paper's l-ListMLE: L-BFGS on the ten best places, 100 iterations, with its penalty of half the squared weights on the whole sum. */
export const linearListMle: System = {
  name: "l-ListMLE",
  weight: 0.3,
  recipe: () => ({
    model: "linear:l2=0.002,optimizer=lbfgs(iterations=100)",
    objective: "pl-topk:k=10",
    metrics: METRICS.join(","),
  }),
};

export const linearSystems: readonly System[] = [coordinateAscent, linearListMle];
