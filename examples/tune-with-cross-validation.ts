/** Chooses settings by cross-validation over lists, then trains with the best of them. */
import { fileURLToPath } from "node:url";
import { cv, evaluate, folds, learner, metricList, objective, readData, train, tune } from "tierwise";

const folder = fileURLToPath(new URL("../../examples/search/", import.meta.url));
const { data } = await readData([`${folder}train.txt.gz`]);
const metrics = metricList("ndcg@10");
const parts = folds(data, 3, 1);

// Each setting is trained on every fold and judged on its validation lists. A search can also draw at random from ranges.
const { trials } = await tune(parts, {
  model: "linear",
  objective: "pl-partition",
  space: { l2: "1,10,100", objective: "pl-partition,lambdarank" },
  metrics,
});
for (const trial of trials) console.log(`${trial.model} under ${trial.objective}: ${trial.metrics["ndcg@10"]?.toFixed(4)}`);

// How good the winner is, on lists that neither training nor the choice has seen in that fold.
const best = { model: learner(trials[0]!.model), objective: objective(trials[0]!.objective) };
const { metrics: reached } = await cv(parts, { ...best, metrics });
console.log(`cross-validated NDCG@10 ${reached["ndcg@10"]!.mean.toFixed(3)} ± ${reached["ndcg@10"]!.error.toFixed(3)}`);

const { model } = await train(data, best);
const { data: test } = await readData([`${folder}test.txt.gz`]);
console.log(`test NDCG@10 ${evaluate(model, test, metrics).metrics["ndcg@10"]!.toFixed(3)}`);

// Prints:
// linear:l2=100 under lambdarank: 0.7599
// linear:l2=10 under lambdarank: 0.7562
// linear:l2=1 under lambdarank: 0.7531
// linear:l2=100 under pl-partition: 0.7336
// linear:l2=10 under pl-partition: 0.7314
// linear:l2=1 under pl-partition: 0.7281
// cross-validated NDCG@10 0.744 ± 0.008
// test NDCG@10 0.711
