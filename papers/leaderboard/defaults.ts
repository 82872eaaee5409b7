/** Trees as users get them without options, which other tools are compared with, and what both have in common. */
import type { System } from "../systems.ts";

export const METRIC = "ndcg@10";
export const METRICS = ["ndcg@1", METRIC, "err", "map"];
export const DEFAULTS = "trees (defaults)";

/** As for the other tools in bench/score-files.py: at most 1,000 rounds, which is the default here too, and the same patience. */
const PATIENCE = 50;

const system = (name: string, objective: string): System => ({
  name,
  weight: 2,
  recipe: () => ({
    ...{ model: "trees", objective, watch: METRIC, stop: "default", patience: PATIENCE },
    metrics: METRICS.join(","),
  }),
});

export const defaultTrees: readonly System[] = [system(DEFAULTS, "pl-partition"), system(`${DEFAULTS} × yetirank`, "yetirank")];

export const OTHERS = `${DEFAULTS} have no options, under pl-partition, the default objective, or yetirank. CatBoost, LightGBM and XGBoost have the defaults of their version; their scores of the test lists are in papers/scores and were made by bench/score-files.py from the same folds. All of these: one thread, at most 1,000 rounds, patience ${PATIENCE}; the best round is chosen by validation NDCG@10, and under pl-partition by held-out loss, its default.`;
