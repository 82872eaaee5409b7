/** Metrics of validation data during training are computed from what a learner reports of a round; those of its model, from the model itself. */
import { describe, expect, it } from "vitest";
import { build } from "./data/build.ts";
import { labelSets } from "./data/label-sets.ts";
import { evaluate } from "./evaluate.ts";
import { fit } from "./fit.ts";
import { err, meanAveragePrecision, ndcg, precision } from "./metrics/index.ts";
import { learner } from "./models/index.ts";
import { below, random } from "./numeric/random.ts";
import type { Dataset } from "./types.ts";

/** Lists of 6 items, of which the first feature tells most. */
function rated(seed: number, lists: number): Dataset {
  const draw = random(seed);
  const rows = Array.from({ length: 6 * lists }, (_, i) => {
    const features = [draw(), draw(), draw()];
    return { list: Math.floor(i / 6), label: Math.floor(3 * (0.7 * features[0]! + 0.3 * draw())), features };
  });
  return build(rows);
}

/** Documents of two topics, with two of eight labels each. */
function tagged(seed: number, documents: number): Dataset {
  const draw = random(seed);
  const made = Array.from({ length: documents }, () => {
    const topic = below(draw, 2);
    const word = () => `w${5 * topic + below(draw, 5)}`;
    return { tags: [`t${4 * topic}`, `t${4 * topic + 1 + below(draw, 3)}`], words: { [word()]: 1, [word()]: 2, [word()]: 1 } };
  });
  const names = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
  const words = [...made, { tags: ["t0", "t1"], words: Object.fromEntries(names("w", 10).map((name) => [name, 1])) }];
  return labelSets(words, { labels: "tags", features: "words", space: names("t", 8) });
}

const rows = [rated(1, 15), rated(2, 9)] as const;
const documents = [tagged(3, 40), tagged(4, 23)] as const;
const metrics = [precision({ k: 1 }), ndcg({ k: 3 }), meanAveragePrecision(), err()];

describe("validation metrics of the best round are those of the model", () => {
  it.each([
    "linear:l2=1",
    "linear:scale=list",
    "linear:l2=1,within-list=rank",
    "linear:interactions=0.5",
    "trees:rounds=4,min-items=2,leaves=4",
    "mlp:hidden=4,epochs=4,batch=3",
    "coordinate-ascent",
  ])("lists of items, %s", (text) => check(text, ...rows));

  // Few and many documents beside 8 labels, for arrays of as many places as documents have.
  it.each([
    "mlp:hidden=5,epochs=4,batch=4,rate=0.01",
    "mlp:hidden=5,epochs=4,batch=4,rate=0.01,negatives=3",
    "leml:rank=3,rounds=3",
    "sleec:learners=2,rank=2,cluster-size=20,neighbors=3,voters=5,steps=5",
    "label-tree:trees=3,leaf-labels=2",
  ])("documents with labels, %s", (text) => {
    const [train, valid] = documents;
    check(text, train, valid);
    check(text, train, tagged(5, 4));
  });
});

function check(text: string, train: Dataset, valid: Dataset): void {
  for (const some of [metrics, metrics.slice(0, 1)]) {
    const { model, history, best } = fit(train, { model: learner(text), valid, metrics: some });
    expect(history[best.round - 1]!.metrics).toEqual(best.metrics);
    expect(evaluate(model, valid, some).metrics).toEqual(best.metrics);
  }
}
