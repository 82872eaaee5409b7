/** What every model keeps, under every objective: it learns, gives the same scores after being written and read, and repeats itself. */
import { describe, expect, it } from "vitest";
import { build } from "../data/build.ts";
import { average, ndcg } from "../metrics/index.ts";
import { random } from "../numeric/random.ts";
import { objective, objectives } from "../objectives/index.ts";
import { runSolo } from "../teams/solo.ts";
import type { Dataset, Learner, Model, Objective, SavedModel } from "../types.ts";
import { learner, revive } from "./index.ts";

/** Lists whose labels follow two of three features, with missing values here and there. */
function made(storage: "dense" | "sparse"): Dataset {
  const r = random(21);
  const rows = Array.from({ length: 240 }, (_, i) => {
    const x = [r(), r(), r()];
    const label = Math.min(3, Math.floor(2.2 * x[0]! + 2 * x[1]! + 0.4 * r()));
    return { label, list: Math.floor(i / 12), features: r() < 0.7 ? x : [x[0]!, x[1]!, Number.NaN] };
  });
  return build(rows, { absent: "missing", storage });
}

function learn(text: string, cost: Objective, data: Dataset): Model {
  const chosen: Learner = learner(text);
  return runSolo((team) => chosen.learn(data, cost, { seed: 3, team, afterRound: () => "improved" }));
}

function scoresOf(model: Model, data: Dataset): Float64Array {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

describe.each([
  "linear",
  "linear:scale=list",
  "linear:scale=row",
  "linear:scale=none,optimizer=adam(epochs=20)",
  "trees:rounds=20,min-items=5",
  "trees:rounds=20,min-items=5,within-list=z",
  "linear:l2=0.1,within-list=rank,within-list-raw=no",
  "mlp:hidden=8,epochs=40,rate=1e-2,batch=4",
])("%s", (text) => {
  const dense = made("dense");

  it.each(objectives.map(({ id }) => id))("learns under %s and is the same after write and read", (id) => {
    const cost = objective(id === "mcrank" ? "mcrank:grades=4" : id);
    const model = learn(text, cost, dense);
    const scores = scoresOf(model, dense);
    const chance = average(ndcg(), new Float64Array(scores.length), dense).mean;
    expect(average(ndcg(), scores, dense).mean).toBeGreaterThan(chance + 0.05);
    const saved = JSON.parse(JSON.stringify(model.save())) as SavedModel;
    expect(scoresOf(revive(saved, model.columns), dense)).toEqual(scores);
    expect(model.describe().title).not.toBe("");
  });

  it("the same data and seed give the same model", () => {
    const cost = objective("pl-partition");
    expect(learn(text, cost, dense).save()).toEqual(learn(text, cost, dense).save());
  });

  it("dense and sparse features give the same scores", () => {
    const cost = objective("pl-partition");
    const sparse = made("sparse");
    expect(sparse.features.kind).toBe("sparse");
    const [one, other] = [scoresOf(learn(text, cost, dense), dense), scoresOf(learn(text, cost, sparse), sparse)];
    one.forEach((value, i) => {
      expect(other[i]).toBeCloseTo(value, 5);
    });
  });
});
