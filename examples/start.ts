/** What `npm start` shows: rankers trained on the bundled search example, beside simple baselines, and a model file and a report to go on with. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { figure, tableText } from "../src/cli/output.ts";
import {
  baselines,
  evaluate,
  evaluateScores,
  type Fitted,
  type Learner,
  lambdaRank,
  linear,
  listMle,
  metricList,
  type Objective,
  plPartition,
  rank,
  rankNet,
  readData,
  train,
  trees,
  writeModel,
} from "../src/index.ts";
import { report } from "../src/report/report.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const out = "tierwise-start";
const metrics = metricList("ndcg@1,ndcg@3,ndcg@5,ndcg@10,err");
const print = (text = "") => void process.stdout.write(`${text}\n`);
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };

print(`Tierwise ${version}: learning to rank from tiers\n`);
const read = async (name: string) => {
  const { data, notices } = await readData([`${root}examples/search/${name}`]);
  print(notices[0]!.replaceAll(`${root}examples/search/`, ""));
  return data;
};
const learn = await read("train.txt.gz");
const test = await read("test.txt.gz");
print();

const rows: (string | number)[][] = [];
const add = (name: string, values: Readonly<Record<string, number>>) =>
  rows.push([name, ...metrics.map(({ spec }) => values[spec]!)]);

for (const { name, scores } of baselines(test, { metric: metrics[3]!, train: learn }).reverse())
  add(name, evaluateScores(scores, test, metrics).metrics);

const sum = linear({ l2: 5 }); // strong, because 201 lists are few for 300 features
const small = trees({ rounds: 100, leaves: 8, learningRate: 0.05 }); // for the same reason
const kept: (Fitted & { learner: Learner; objective: Objective })[] = [];
for (const [learner, objective] of [
  [sum, rankNet()],
  [sum, listMle()],
  [sum, plPartition()],
  [small, lambdaRank()],
  [small, plPartition()],
] as const) {
  const fitted = await learned(learner, objective);
  add(`${learner.id}, ${objective.spec}`, evaluate(fitted.model, test, metrics).metrics);
  kept.push({ ...fitted, learner, objective });
}

print(`\n${tableText({ head: ["on test.txt.gz", ...metrics.map(({ spec }) => spec)], rows })}`);
print(`${metrics[0]!.spec.replace(/@.*/, "")}: ${metrics[3]!.variant}\n`);

mkdirSync(out, { recursive: true });
const { learner, objective, ...fitted } = kept.pop()!;
const { model, history } = fitted;
writeModel(`${out}/model.json`, fitted);
const page = await report({
  ...{ name: "model.json", file: fitted, history, version },
  judged: { name: "test.txt.gz", data: test },
  train: { name: "train.txt.gz", data: learn },
  against: kept.map((one) => ({ name: `${one.learner.id}, ${one.objective.spec}`, model: one.model, data: test })),
  metrics: [metrics[3]!, ...metrics.filter((_, i) => i !== 3)],
  commands: [
    `tierwise train examples/search/train.txt.gz --model ${learner.spec} --objective ${objective.spec} --out ${out}/model.json`,
    `tierwise report ${out}/model.json examples/search/test.txt.gz --train examples/search/train.txt.gz --out ${out}/report.html`,
  ],
});
writeFileSync(`${out}/report.html`, page);
const [first] = rank(model, test, 3);
print(`The last model is in ${out}/model.json. It puts the items of the first test list in this order:`);
for (const { rank, id, score, label } of first!.items) print(`  ${rank}. item ${id}, score ${figure(score)}, judged ${label}`);
print(`
A page about it, with plots, is in ${out}/report.html: open it in a browser.

What to try next:
  npx tierwise evaluate ${out}/model.json examples/search/test.txt.gz
  npx tierwise explain ${out}/model.json examples/search/test.txt.gz
  npx tierwise train examples/search/train.txt.gz --model trees --objective lambdarank --out mine.json
  npx tierwise list`);

async function learned(learner: Learner, objective: Objective): Promise<Fitted> {
  const name = `${learner.id}, ${objective.spec}`;
  const fitted = await train(learn, {
    model: learner,
    objective,
    seed: 1,
    onRound: ({ round, cost }) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K  ${name}: round ${round}, cost ${figure(cost)}`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
  print(`trained ${name}: ${fitted.best.round} rounds, cost ${figure(fitted.best.cost)}`);
  return fitted;
}
