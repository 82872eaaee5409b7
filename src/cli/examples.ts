/** Examples of the help texts, by command. A test runs every one of them, in a folder that holds the bundled example data. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  inspect: ["tierwise inspect train.txt.gz", "tierwise inspect train.txt.gz --test test.txt.gz --json"],
  train: [
    "tierwise train train.txt.gz --valid test.txt.gz --out model.json",
    "tierwise train train.txt.gz --objective ranknet --model linear:l2=0.01 --out ranknet.json",
    "tierwise train train.txt.gz --valid test.txt.gz --metrics 'ndcg@5,err' optimizer=adam --json",
    "tierwise train train.txt.gz --model auto --budget 5s --out best.json",
  ],
  evaluate: [
    "tierwise evaluate model.json test.txt.gz",
    "tierwise evaluate model.json test.txt.gz --metrics 'ndcg@10;gain=lin,map' --json",
    "tierwise evaluate model.json test.txt.gz --metrics ndcg@10:lightgbm,ndcg@10:catboost --explain --ties",
    "tierwise rank model.json test.txt.gz > run.txt && tierwise evaluate run.txt test.txt.gz",
  ],
  rank: [
    "tierwise rank model.json test.txt.gz --top 3",
    "tierwise rank model.json test.txt.gz --format jsonl",
    "tierwise rank model.json test.txt.gz --top 3 --probabilities --within 1,5",
  ],
  report: [
    "tierwise report model.json test.txt.gz --train train.txt.gz --against ranknet.json --out report.html",
    "tierwise report model.json --out model.html",
  ],
  show: ["tierwise show model.json", "tierwise show model.json --json"],
  explain: ["tierwise explain model.json test.txt.gz", "tierwise explain model.json test.txt.gz --query 2 --json"],
  importance: [
    "tierwise importance model.json test.txt.gz --top 10 --repeats 2",
    "tierwise importance model.json test.txt.gz --metric err --query 2 --repeats 2 --json",
  ],
  "what-if": [
    "tierwise what-if model.json test.txt.gz --set 69=0 --item 19 --query 2",
    "tierwise what-if model.json test.txt.gz --set '43*1.1' --set 91=missing --top 3 --json",
  ],
  leaderboard: [
    "tierwise leaderboard battles.csv",
    "tierwise leaderboard battles.csv --objective ranknet:ties=half --scale elo --anchor lark=1100 --errors robust",
    "tierwise leaderboard battles.csv --cluster judge --by language --min-battles 20",
    "tierwise leaderboard battles.csv --covariates longer --errors bootstrap --resamples 50 --json",
    "tierwise leaderboard battles.csv --since battles-before.csv",
    "tierwise leaderboard battles.csv --judge judge --influence",
  ],
  clicks: [
    "tierwise clicks clicks.csv.gz",
    "tierwise clicks clicks.csv.gz --bias cascade --json",
    "tierwise clicks clicks.csv.gz --features train.txt.gz --out debiased.txt",
  ],
  ratings: [
    "tierwise ratings battles.csv --system elo:k=16",
    "tierwise ratings battles.csv --system glicko2:period=100 --out ratings.json",
    "tierwise ratings battles.csv --compare --json",
  ],
  next: ["tierwise next battles.csv --pairs 10", "tierwise next battles.csv --new owl,jay --battles 5 --csv"],
  blend: [
    "tierwise blend model.json ranknet.json --valid test.txt.gz --out blend.json",
    "tierwise blend model.json ranknet.json --valid test.txt.gz --weights 2,1 --json",
  ],
  convert: [
    "tierwise train train.txt.gz --model trees:rounds=5 --out trees.json && tierwise convert trees.json trees.txt",
    "tierwise train train.txt.gz --model trees:rounds=5 --out trees.json && tierwise convert trees.json trees.onnx && tierwise convert --check trees.onnx",
  ],
  compare: [
    "tierwise compare model.json ranknet.json test.txt.gz",
    "tierwise compare model.json ranknet.json test.txt.gz --metrics 'ndcg@10,err' --baseline ranknet.json --json",
  ],
  cv: [
    "tierwise cv train.txt.gz --folds 3 --values linear.values",
    "tierwise cv train.txt.gz --folds 3 --model trees:leaves=8,rounds=20 --objective lambdarank --metrics 'ndcg@10,err' --json",
  ],
  tune: [
    "tierwise tune train.txt.gz l2=0.1..10/3 scale=all,list --trials-file trials.jsonl",
    "tierwise tune train.txt.gz --model trees:rounds=20 leaves=4..32 learning-rate=0.05..0.3 objective=lambdarank,ranknet --trials 4 --json",
  ],
  list: ["tierwise list objectives", "tierwise list ndcg"],
};
