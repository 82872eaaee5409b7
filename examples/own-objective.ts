/** Trains under an objective of one's own, in all threads, and measures with a metric of one's own. Both are in own-objective-module.ts. */
import { fileURLToPath } from "node:url";
import { evaluate, linear, loadMetric, metricList, readData, train } from "tierwise";
import { checkMetric, checkObjective } from "tierwise/testing";
import { metric, objective } from "./own-objective-module.ts";

// The laws that the library's own keep: is the gradient the slope of the cost? Is the ideal order best? The first violation is an error.
checkObjective(objective({ margin: 2 }));
checkMetric(metric, { range: [0, 1] });

const folder = fileURLToPath(new URL("../../examples/search/", import.meta.url));
const { data } = await readData([`${folder}train.txt.gz`]);
const { data: test } = await readData([`${folder}test.txt.gz`]);

// Functions cannot be sent to threads; a module can be imported by each of them.
const module = new URL("./own-objective-module.js", import.meta.url);
const models = [1, 2].map((threads) =>
  train(data, { model: linear({ l2: 5 }), objective: { module, options: { margin: 2 } }, threads }),
);
const [one, two] = await Promise.all(models);
console.log(`rounds: ${one!.rounds}, equal for 1 and 2 threads: ${same(one!.model, two!.model)}`);

const metrics = [await loadMetric({ module }), ...metricList("ndcg@10")];
for (const [name, value] of Object.entries(evaluate(one!.model, test, metrics).metrics)) console.log(name, value.toFixed(4));

function same(a: { save(): object }, b: { save(): object }): boolean {
  return JSON.stringify(a.save()) === JSON.stringify(b.save());
}

// Prints:
// rounds: 41, equal for 1 and 2 threads: true
// pair-accuracy 0.6825
// ndcg@10 0.7084
