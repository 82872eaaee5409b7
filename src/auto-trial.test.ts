import { describe, expect, it } from "vitest";
import { autoFolds } from "./auto-folds.ts";
import { makeTrial, recallTrial } from "./auto-trial.ts";
import { build } from "./data/build.ts";
import { metric } from "./metrics/index.ts";
import { learner } from "./models/index.ts";
import { objective } from "./objectives/index.ts";

const data = build(
  Array.from({ length: 24 }, (_, i) => ({ list: Math.floor(i / 4), label: i % 4, features: [i % 4, (i * 7) % 5] })),
);
const conditions = { data, folds: autoFolds("test", data, 2, 1), metrics: [metric("ndcg@3")], threads: 1, blocking: true };
const setting = (spec: string) => ({ model: learner("linear:l2=1"), objective: objective(spec), cost: 1 });

/** A clock that moves by three seconds each time it is read. */
const clock = () => {
  let now = 100;
  return () => (now += 3);
};

describe("a trial", () => {
  it("has the scores of lists by the models that were trained without them, and the time that it took", async () => {
    const tried = await makeTrial(setting("pl-partition"), conditions, 1, clock(), () => {});
    expect(tried.trial.seconds).toBe(3);
    expect(tried.models?.length).toBe(2);
    expect(tried.means["ndcg@3"]!.mean).toBe(1); // the first feature is the label
    expect(recallTrial(setting("pl-partition"), tried.trial, 1, conditions).scores).toEqual(tried.scores);
  });

  it("of an objective that does not suit the data has failed, and took its time too", async () => {
    const { trial, worth } = await makeTrial(setting("mcrank:grades=2"), conditions, 1, clock(), () => {});
    expect(trial).toMatchObject({
      seconds: 3,
      failed: expect.stringContaining("mcrank: expected whole labels from 0 to 1"),
      metrics: {},
    });
    expect(worth).toBeUndefined();
  });
});
