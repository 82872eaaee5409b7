import { describe, expect, it } from "vitest";
import { type Dataset, fit, learner, metricList, objective } from "../src/index.ts";
import { findSet, searchFolds } from "./data-sets.ts";
import { foldDigest, PARTS } from "./fold-digest.ts";
import { loadFold, type Parts, runTrial } from "./trial.ts";

const found = findSet(searchFolds, "")!;
const lists = ({ starts }: Dataset) => starts.length - 1;
const all: Parts[] = [];
for (const fold of searchFolds.folds.keys()) all.push(await loadFold(found, fold));

describe("pooled data", () => {
  it("are split by list: every list tests once, validates once and trains three times", () => {
    for (const part of ["valid", "test"] as const) {
      expect(all.map((fold) => lists(fold[part])).sort()).toEqual([50, 50, 50, 50, 51]);
      expect(all.reduce((sum, fold) => sum + fold[part].labels.length, 0)).toBe(3005 + 768);
    }
    for (const fold of all) {
      expect(PARTS.reduce((sum, part) => sum + lists(fold[part]), 0)).toBe(201 + 50);
      expect(new Set(PARTS.map((part) => fold[part].features.columns)).size).toBe(1);
    }
  });

  it("validate on the part that tests in the fold before", () => {
    for (const [f, fold] of all.entries()) expect(all[(f + 4) % 5]!.test.labels).toEqual(fold.valid.labels);
  });

  it("are the same at every reading", async () => {
    const [first, again] = [all[1]!, await loadFold({ ...found, digest: "read again" }, 1)];
    expect(foldDigest(again)).toBe(foldDigest(first));
    expect(foldDigest(all[2]!)).not.toBe(foldDigest(first));
  });
});

describe("a trial", () => {
  const recipe = {
    ...{ model: "trees:rounds=40,learning-rate=0.3", objective: "pl-partition", watch: "ndcg@10", patience: 50 },
    metrics: "ndcg@10",
  };
  const fitted = (stopOn?: string) =>
    fit(all[0]!.train, {
      ...{ model: learner(recipe.model), objective: objective("pl-partition"), seed: 1, valid: all[0]!.valid },
      ...{ metrics: metricList("ndcg@10"), patience: 50, ...(stopOn && { stopOn }) },
    }).best.round;

  it("keeps the round with the best watched metric, or leaves the choice to the library", async () => {
    const [watched, chosen] = [fitted("ndcg@10"), fitted()];
    expect(watched).not.toBe(chosen);
    expect((await runTrial(all[0]!, recipe, 1, 1)).best).toBe(watched);
    expect((await runTrial(all[0]!, { ...recipe, stop: "default" }, 1, 1)).best).toBe(chosen);
  });
});
