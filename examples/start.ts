/** What `npm start` shows: rankers trained on the bundled search example, beside simple baselines, and a model file to go on with. */
import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { figure, tableText } from "../src/cli/output.ts";
import {
  average,
  type Dataset,
  evaluate,
  evaluateScores,
  type Learner,
  lambdaRank,
  linear,
  listMle,
  type Model,
  metricList,
  ndcg,
  type Objective,
  plPartition,
  rank,
  rankNet,
  readData,
  train,
  trees,
  writeModel,
} from "../src/index.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const out = "tierwise-start";
const metrics = metricList("ndcg@1,ndcg@3,ndcg@5,ndcg@10,err");
const say = (text = "") => void process.stdout.write(`${text}\n`);
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };

say(`Tierwise ${version}: learning to rank from tiers\n`);
const read = async (name: string) => {
  const { data, notices } = await readData([`${root}examples/search/${name}`]);
  say(notices[0]!.replaceAll(`${root}examples/search/`, ""));
  return data;
};
const learn = await read("train.txt.gz");
const test = await read("test.txt.gz");
say();

const rows: (string | number)[][] = [];
const add = (name: string, values: Readonly<Record<string, number>>) =>
  rows.push([name, ...metrics.map(({ text }) => values[text]!)]);

add("random order", evaluateScores(new Float64Array(test.labels.length), test, metrics).metrics);
const best = bestFeature(learn);
add(`best single feature (${best.column + 1})`, evaluateScores(column(test, best.column, best.sign), test, metrics).metrics);

const sum = linear({ l2: 5 }); // strong, because 201 lists are few for 300 features
const small = trees({ rounds: 100, leaves: 8, learningRate: 0.05 }); // for the same reason
let kept: { model: Model; learner: Learner; objective: Objective } | undefined;
for (const [learner, objective] of [
  [sum, rankNet()],
  [sum, listMle()],
  [sum, plPartition()],
  [small, lambdaRank()],
  [small, plPartition()],
] as const) {
  const model = await learned(learner, objective);
  add(`${learner.id}, ${objective.text}`, evaluate(model, test, metrics).metrics);
  kept = { model, learner, objective };
}

say(`\n${tableText({ head: ["on test.txt.gz", ...metrics.map(({ text }) => text)], rows })}`);
say(`${metrics[0]!.text.replace(/@.*/, "")}: ${metrics[3]!.variant}\n`);

mkdirSync(out, { recursive: true });
const { model, learner, objective } = kept!;
writeModel(`${out}/model.json`, { model, training: { model: learner.text, objective: objective.text, seed: 1 }, metrics: {} });
const [first] = rank(model, test, 3);
say(`The last model is in ${out}/model.json. It puts the items of the first test list in this order:`);
for (const { rank, id, score, label } of first!.items) say(`  ${rank}. item ${id}, score ${figure(score)}, judged ${label}`);
say(`
What to try next:
  npx tierwise evaluate ${out}/model.json examples/search/test.txt.gz
  npx tierwise explain ${out}/model.json examples/search/test.txt.gz
  npx tierwise train examples/search/train.txt.gz --model trees --objective lambdarank --out mine.json
  npx tierwise list`);

async function learned(learner: Learner, objective: Objective): Promise<Model> {
  const name = `${learner.id}, ${objective.text}`;
  const { model, best } = await train(learn, {
    model: learner,
    objective,
    seed: 1,
    onRound: ({ round, cost }) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K  ${name}: round ${round}, cost ${figure(cost)}`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
  say(`trained ${name}: ${best.round} rounds, cost ${figure(best.cost)}`);
  return model;
}

/** The scores of ranking by one feature, upwards or downwards. */
function column({ features }: Dataset, wanted: number, sign: number): Float64Array {
  const scores = new Float64Array(features.rows);
  if (features.kind === "dense")
    for (let row = 0; row < features.rows; row++) scores[row] = sign * features.values[row * features.columns + wanted]!;
  else
    for (let row = 0; row < features.rows; row++)
      for (let at = features.starts[row]!; at < features.starts[row + 1]!; at++)
        if (features.indices[at] === wanted) scores[row] = sign * features.values[at]!;
  return scores;
}

function bestFeature(data: Dataset): { column: number; sign: number } {
  const measure = ndcg({ k: 10 });
  let found = { column: 0, sign: 1, mean: -1 };
  for (let c = 0; c < data.features.columns; c++) {
    for (const sign of [1, -1]) {
      const { mean } = average(measure, column(data, c, sign), data);
      if (mean > found.mean) found = { column: c, sign, mean };
    }
  }
  return found;
}
