/**
 * Values for every option of every command: valid ones, with a command on small data in which they have an effect, and wrong ones. The list is long
 * because the program has that many options; `every-option.test.ts` fails for one that is missing here.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, root, rows, runBy, succeed, svmlight } from "./cli.ts";

export interface Case {
  /** The option and its value. */
  readonly words: readonly string[];
  /** The command without it, if not the usual one. It may fail: then the option must be what makes it succeed. */
  readonly base?: readonly string[];
  /** Why the result is the same without the option. */
  readonly same?: string;
  /** Why the option has no use here: what the command answers. */
  readonly refused?: RegExp;
}

/** A table of made-up lists; `head` renames its columns, and `more` adds cells to each row. */
function table(lists: number, head = "qid,docid,label,a,b,c", more: (label: number, i: number) => string = () => ""): string {
  const lines = rows(lists).map(
    ({ list, id, label, features }, i) => `${list},${id},${label},${features.join(",")}${more(label, i)}`,
  );
  return `${head}\n${lines.join("\n")}\n`;
}

/** A log of clicks on the documents of the table; `head` names its columns, `more` adds cells to each row, and rows of a visit need not be adjacent. */
function clickTable(head: string, more: (i: number) => string = () => "", byPosition = false): string {
  const all = rows(8);
  const lines = Array.from({ length: 300 }, (_, visit) => {
    const own = all.filter(({ list }) => list === all[(visit * 7) % all.length]!.list);
    return own.slice(0, 4).map((_, k) => {
      const { list, id, label } = own[(k + visit) % own.length]!;
      const clicked = ((visit * 13 + k * 5) % 17) / 17 < (0.2 + 0.3 * label) / (k + 1) ? 1 : 0;
      return `${list},${id},${k + 1},${clicked},${visit}${more(visit + k)}`;
    });
  }).flat();
  if (byPosition) lines.sort((a, b) => Number(a.split(",")[2]) - Number(b.split(",")[2]));
  return `${head}\n${lines.join("\n")}\n`;
}

/** Some features left out, where svmlight means 0. */
const sparse = svmlight(8).replace(/ 2:\S+(?=.*# d\d*[357]$)/gm, "");
const zeroBased = rows(8)
  .map(({ list, label, features: [a, b, c] }) => `${label} qid:${list} 0:1 1:${a} 2:${b} 3:${c}\n`)
  .join("");
const ballots = "9: a > b > c\n5: b > a = c\n7: c > a > b\n4: a > c\n3: b > c\n2: c = a > b\n";
const labelSets = `8 4 3\n${["0,1 0:1 2:0.5", "1 1:1", "2 3:1 0:0.3", "0 0:0.9", "0,2 3:0.7 2:1", "1 1:0.4 2:1", "2 3:0.2", "0 0:0.6 1:0.1"].join("\n")}\n`;
const pairs = `voter,winner,loser\n${["u,a,b", "u,b,c", "v,c,a", "v,a,b", "w,b,a", "w,b,c", "x,a,c"].join("\n")}\n`;
const battles = (name: string) => readFileSync(join(root, "examples/arena", name), "utf8");
const transform = `
  const scaled = (factor, data) => ({
    ...data,
    features: { ...data.features, values: data.features.values.map((value, at) => (at % 3 === 0 ? factor * value ** 3 : value)) },
  });
  export const transform = { id: "cube", spec: "cube", keepsColumns: true, fit: () => 2, apply: scaled };
`;

export const cwd = folder({
  "train.txt": svmlight(12),
  "test.txt": svmlight(8),
  "noise.txt": svmlight(12).replace(/^\d(?=.*# d(\d+)$)/gm, (_, id) => String((7 * id) % 3)), // labels that nothing can predict
  "table.csv": table(8),
  "half-1.csv": table(8),
  "half-2.csv": table(8),
  "quality.csv": table(8, "qid,docid,quality,a,b,c"),
  "person.csv": table(8, "person,docid,label,a,b,c"),
  "weighted.csv": table(8, "qid,docid,label,a,b,c,w", (_, i) => `,${1 + (Math.floor(i / 6) % 3)}`),
  "product.csv": table(8, "qid,product,label,a,b,c"),
  "noted.csv": table(8, "qid,docid,label,a,b,c,note", (label) => (label > 0 ? ",good" : ",bad")),
  "gappy.csv": table(8).replace(/,[\d.-]+\n/g, (cell, at) => (at % 3 === 0 ? ",-999\n" : cell)),
  "tiered.csv": table(8, "qid,docid,tier,a,b,c"),
  "worded.csv": table(8).replace(/,([012])(?=,[^,]*,[^,]*,[^,]*$)/gm, (_, label) => `,${"BAS"[label]}`),
  "colons.csv": table(8).replaceAll(",", ":"),
  "timed.csv": table(8).replace(/,[\d.-]+\n/g, (_, at) => `,${at % 9}:${10 + (at % 50)}\n`),
  "dotted.csv": table(8).replace(/,[\d.-]+\n/g, (_, at) => `,${1 + (at % 9)}.${100 + (at % 800)}\n`),
  "titled.csv": `A report,,,,,\n,,,,,\n${table(8)}`,
  "titled-arena.csv": `Season 2\n\n${battles("battles.csv")}`,
  "sides.csv": battles("battles.csv").replace("model_a,model_b,winner", "left,model_b,winner"),
  "others.csv": battles("battles.csv").replace("model_a,model_b,winner", "model_a,right,winner"),
  "results.csv": battles("battles.csv").replace("model_a,model_b,winner", "model_a,model_b,result"),
  "losers.csv": "winner,beaten\na,b\nb,c\nc,a\na,b\n",
  "tied.csv": "winner,loser,drawn,times\na,b,no,2\nb,c,no,1\nc,a,yes,3\na,b,no,1\n",
  "titled-log.csv": `Clicks\n${clickTable("query,doc,position,clicked,session")}`,
  "bare.csv": table(8).replace(/^.*\n/, ""),
  "products.csv": `docid,size\n${rows(8).map(({ id }, i) => `${id},${(i * 7) % 5}`).filter((line, i, all) => all.findIndex((one) => one.split(",")[0] === line.split(",")[0]) === i).join("\n")}\n`, // biome-ignore format: one line
  "people.csv": `qid,age\n${[...new Set(rows(8).map(({ list }) => list))].map((list, i) => `${list},${20 + i}`).join("\n")}\n`,
  "extra.csv": table(8, "qid,docid,label,a,b,c,d", (label) => `,${label}`),
  "clicks.csv": table(8).replace(/,2,(?=.*\n)/g, ",1,"),
  "placed.csv": table(8),
  "placed.csv.position": rows(8)
    .map((_, i) => `${1 + (i % 6)}\n`)
    .join(""),
  "sparse.txt": sparse,
  "wide.txt": svmlight(8).replace(/ #/g, " 4:1 #"),
  "zero.txt": zeroBased,
  "ballots.orders": ballots,
  "ballots.csv": ballots, // by its name a table
  "table.orders": table(8), // by its name ballots
  "many.txt": svmlight(30),
  "third.run": runBy(0, 30),
  "fourth.run": runBy(1, 30),
  "labels.xc.txt": labelSets,
  "rows.txt": "1\n2\n3\n5\n6\n8\n",
  "battles.pairs": pairs,
  "arena.csv": battles("battles.csv"),
  "weights.csv": battles("battles.csv")
    .split("\n")
    .map((line, i) => (line === "" ? "" : i === 0 ? `${line},w` : `${line},${1 + (i % 3)}`))
    .join("\n"),
  "earlier.csv": battles("battles-before.csv"),
  "ratings.json": JSON.stringify({
    ...{ format: "tierwise-ratings", version: 1, system: "elo", pending: [] },
    items: [["lark", [1700], 2, 0, 0]],
  }),
  "items.csv": battles("items.csv"),
  "races.csv": readFileSync(join(root, "examples/races/races.csv"), "utf8"),
  "first.run": runBy(0, 8),
  "second.run": runBy(1, 8),
  "short.run": runBy(1, 7),
  "settings.conf": "quiet = yes\n",
  "cube.mjs": transform,
  "moved.mjs": transform.replace('"cube", spec: "cube", keepsColumns: true', '"moved", spec: "moved"'),
  "twice.txt": "first\nfirst\nthird\n",
  "names.txt": "first\nsecond\nthird\n",
  "token.txt": "a-secret-token\n",
  "impressions.jsonl": Array.from(
    { length: 40 },
    (_, i) =>
      `{"impression":"${i}","a":"x","b":"y","items":["p","q"],"credit":[${i % 3 ? "1,0" : "0,1"}]}\n{"click":"p","impression":"${i}"}\n`,
  ).join(""),
  "log.csv": clickTable("query,doc,position,clicked,session"),
  "scattered.csv": clickTable("query,doc,position,clicked,visit", undefined, true),
  "renamed.csv": clickTable("term,sku,slot,hit,visit"),
  "dwell.csv": clickTable("query,doc,position,clicked,session,dwell,seconds", (i) => `,${i % 40},${(7 * i) % 60}`),
  "noted-candidates.csv": table(8, "qid,docid,label,a,b,c,note", () => ",good"),
  "definitions.json": JSON.stringify(["f1", "f2", "f3"].map((name) => ({ name, field: name }))),
});
mkdirSync(join(cwd, "caches"));
for (const part of [1, 2]) {
  mkdirSync(join(cwd, `folds/Fold${part}`), { recursive: true });
  for (const name of ["train", "vali"]) writeFileSync(join(cwd, `folds/Fold${part}/${name}.txt`), svmlight(5));
  writeFileSync(join(cwd, `folds/Fold${part}/test.txt`), svmlight(4).replace(/ #/g, " 4:1 #"));
}
mkdirSync(join(cwd, "sets"));
mkdirSync(join(cwd, "sets/ohsumed"));
for (const part of [1, 2, 3, 4, 5]) writeFileSync(join(cwd, `sets/ohsumed/T${part}.txt`), svmlight(2 + part));

const few = ["--threads", "1"];

/** The columns of battles, for a command that reads them. */
const resultColumns = (verb: string): Readonly<Record<string, Case>> => ({
  "--first": { words: ["--first", "left"], base: [verb, "sides.csv"] },
  "--second": { words: ["--second", "right"], base: [verb, "others.csv"] },
  "--winner": { words: ["--winner", "result"], base: [verb, "results.csv"] },
  "--loser": { words: ["--loser", "beaten"], base: [verb, "losers.csv"] },
  "--tie": { words: ["--tie", "drawn"], base: [verb, "tied.csv"] },
  "--count": { words: ["--count", "times"], base: [verb, "tied.csv"] },
});
const grow = ["--model", "trees:rounds=3,min-items=1,leaves=4"];
const quickPaper = ["papers", "letor", "--quick", "--data", "sets", "--out", "pages", ...few];

/** The command without the option. */
export const usual: Readonly<Record<string, readonly string[]>> = {
  train: ["train", "train.txt", ...few],
  evaluate: ["evaluate", "linear.json", "test.txt"],
  rank: ["rank", "linear.json", "test.txt"],
  report: ["report", "linear.json", "test.txt", "-m", "ndcg@3"],
  show: ["show", "linear.json"],
  explain: ["explain", "linear.json", "test.txt"],
  importance: ["importance", "linear.json", "test.txt", "--metric", "ndcg@3"],
  "what-if": ["what-if", "linear.json", "test.txt", "--set", "1=0.5"],
  convert: ["convert", "trees.json", "out.txt"],
  blend: ["blend", "linear.json", "trees.json", "--valid", "test.txt"],
  compare: ["compare", "linear.json", "trees.json", "test.txt", "--resamples", "50"],
  cv: ["cv", "train.txt", "--folds", "3", ...few],
  tune: ["tune", "train.txt", "l2=0.1,10", ...few],
  leaderboard: ["leaderboard", "arena.csv"],
  ratings: ["ratings", "arena.csv"],
  next: ["next", "arena.csv"],
  serve: ["serve", "linear.json", "--port", "0"],
  interleave: ["interleave", "impressions.jsonl"],
  clicks: ["clicks", "log.csv"],
  "compare-ties": ["compare-ties", "ballots.orders"],
  inspect: ["inspect", "table.csv"],
  papers: quickPaper,
  list: ["list", "metrics"],
};

const byClicks = ["evaluate", "table.json", "table.csv", "--clicks", "log.csv"];
const clicked = ["train", "table.csv", "--clicks", "log.csv", "--out", "model.json"];
const made = ["clicks", "log.csv", "--features", "table.csv", "--out", "made.csv"];
const named = (without: string) => {
  const all = { query: "term", document: "sku", position: "slot", clicked: "hit", impression: "visit" };
  return ["clicks", "renamed.csv", ...Object.entries(all).flatMap(([key, name]) => (key === without ? [] : [`--${key}`, name]))];
};
const races = ["races.csv", "--rankings"];
const probabilities = [...usual.rank!, "--probabilities", "--json"];
const sampled = [...probabilities, "--exact", "2", "--draws", "100"];
const runs = ["compare", "first.run", "second.run", "test.txt", "--resamples", "50"];
const many = ["compare", "third.run", "fourth.run", "many.txt", "--resamples", "50", "--json"];
const validated = [...usual.train!, "--valid", "test.txt"];
const slow = [...usual.train!, "--valid", "noise.txt", "--model", "trees:rounds=8,min-items=1,leaves=8,learning-rate=0.9"];
const noisyFolds = [
  "cv",
  "noise.txt",
  "--folds",
  "3",
  ...few,
  "--model",
  "trees:rounds=8,min-items=1,leaves=8,learning-rate=0.9",
];
const toSolr = ["convert", "trees.json", "out.txt", "--to", "solr", "--missing", "zero"];
const search = ["tune", "train.txt", "l2=0.1..10", ...few];
const auto = ["train", "train.txt", "--model", "auto", "--patience", "1", ...few];

const oneProcess = "one process is the default, and more never change a result";

/** The options of checkpoints, of a command that trains. */
function checkpointing(verb: string): Readonly<Record<string, Case>> {
  const base = [...usual[verb]!, "--checkpoint", "ck"];
  const same = "a training that is not interrupted gives the same with checkpoints";
  const refused = /tierwise: --resume: there is no checkpoint in ck; leave --resume out to begin from the start\n$/;
  return {
    "--checkpoint": { words: ["--checkpoint", "ck"], same },
    "--checkpoint-every": { words: ["--checkpoint-every", "1"], base, same },
    "--resume": { words: ["--resume"], base, refused },
  };
}

/** The options of each command that are its own. */
export const own: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  train: {
    "--valid": { words: ["--valid", "test.txt"] },
    "--stop-on": { words: ["--stop-on", "ndcg@10"], base: slow },
    "--hold-out": { words: ["--hold-out", "0.3"] },
    "--clicks": { words: ["--clicks", "log.csv"], base: ["train", "table.csv", "--out", "model.json"] },
    "--bias": { words: ["--bias", "pairwise"], base: clicked },
    "--clip": { words: ["--clip", "1.5"], base: clicked },
    "--init": { words: ["--init", "trees.json"], base: [...usual.train!, ...grow, "--out", "more.json"] },
    "--model": { words: grow },
    "--objective": { words: ["--objective", "pl-topk:k=2"] },
    "--optimizer": { words: ["--optimizer", "adam(rate=0.1,epochs=2)"] },
    "--metrics": { words: ["--metrics", "map,err"], base: validated },
    "--patience": { words: ["--patience", "1"], base: slow },
    "--out": { words: ["--out", "model.json"] },
    "--report": { words: ["--report", "report.html"] },
    "--history": { words: ["--history", "history.json"] },
    "--seed": { words: ["--seed", "7"], base: [...usual.train!, "--hold-out", "0.4"] },
    "--threads": { words: ["--threads", "2"], base: ["train", "train.txt", "--json"] },
    "--processes": { words: ["--processes", "1"], same: oneProcess },
    "--transform": { words: ["--transform", "./cube.mjs"] },
    "--two-round": { words: ["--two-round"], base: [...usual.train!, ...grow], same: "only how the data are read" },
    "--budget": { words: ["--budget", "0.001s"], base: [...auto, "--trials", "2"] },
    "--trials": { words: ["--trials", "1"], base: auto },
    "--folds": { words: ["--folds", "3"], base: [...auto, "--trials", "1"] },
    "--trials-file": { words: ["--trials-file", "auto.jsonl"], base: [...auto, "--trials", "1"] },
    ...checkpointing("train"),
  },
  evaluate: {
    "--metrics": { words: ["-m", "map,mrr"] },
    "--per-list": { words: ["-q"] },
    "--processes": { words: ["--processes", "1"], same: oneProcess },
    "--complete": { words: ["-c"], base: ["evaluate", "short.run", "test.txt"] },
    "--level": { words: ["-l", "2"], base: [...usual.evaluate!, "-m", "map"] },
    "--ties": { words: ["--ties"] },
    "--explain": { words: ["--explain"], base: [...usual.evaluate!, "-m", "ndcg@3,ndcg@3:catboost"] },
    "--calibration": { words: ["--calibration"] },
    "--clicks": { words: ["--clicks", "log.csv"], base: ["evaluate", "table.json", "table.csv"] },
    "--bias": { words: ["--bias", "cascade"], base: byClicks },
    "--clip": { words: ["--clip", "1.5"], base: byClicks },
    "--transform": { words: ["--transform", "./cube.mjs"], base: ["evaluate", "cube.json", "test.txt"] },
  },
  rank: {
    "--processes": { words: ["--processes", "1"], same: oneProcess },
    "--top": { words: ["--top", "2"] },
    "--format": { words: ["--format", "jsonl"] },
    "--out": { words: ["--out", "ranked.csv"] },
    "--tag": { words: ["--tag", "mine"] },
    "--probabilities": { words: ["--probabilities"] },
    "--within": { words: ["--within", "1,4"], base: probabilities },
    "--temperature": { words: ["--temperature", "2"], base: probabilities },
    "--pairs": { words: ["--pairs"], base: probabilities },
    "--exact": { words: ["--exact", "3"], base: probabilities },
    "--draws": { words: ["--draws", "120"], base: [...probabilities, "--exact", "2"] },
    "--seed": { words: ["--seed", "7"], base: sampled },
    "--transform": { words: ["--transform", "./cube.mjs"], base: ["rank", "cube.json", "test.txt"] },
  },
  report: {
    "--out": { words: ["--out", "page.html"] },
    "--train": { words: ["--train", "train.txt"] },
    "--against": { words: ["--against", "trees.json"] },
    "--history": { words: ["--history", "history.json"] },
    "--clicks": { words: ["--clicks", "log.csv"] },
    "--bias": { words: ["--bias", "cascade"], base: [...usual.report!, "--clicks", "log.csv"] },
    "--metrics": { words: ["--metrics", "map"], base: ["report", "linear.json", "test.txt"] },
    "--seed": { words: ["--seed", "7"] },
    "--transform": { words: ["--transform", "./cube.mjs"], base: ["report", "cube.json", "-m", "ndcg@3"] },
  },
  show: {
    "--all": { words: ["--all"], base: ["show", "wide.json"] },
    "--csv": { words: ["--csv"] },
    "--markdown": { words: ["--markdown"] },
    "--plot": { words: ["--plot", "worths.svg"], base: ["show", "worths.json"] },
    "--tree": { words: ["--tree", "1"], base: ["show", "trees.json"] },
    "--quiet": { words: ["--quiet"], base: ["show", "worths.json", "--plot", "worths.svg"] },
    "--transform": { words: ["--transform", "./cube.mjs"], base: ["show", "cube.json"] },
  },
  explain: {
    "--query": { words: ["--query", "q3"] },
    "--above": { words: ["--above", "d2"] },
    "--below": { words: ["--below", "d6"] },
    "--top": { words: ["--top", "2"] },
    "--transform": { words: ["--transform", "./cube.mjs"], base: ["explain", "cube.json", "test.txt"] },
  },
  importance: {
    "--metric": { words: ["-m", "map"], base: ["importance", "linear.json", "test.txt"] },
    "--repeats": { words: ["--repeats", "2"] },
    "--shuffle": { words: ["--shuffle", "data"] },
    "--query": { words: ["--query", "q3"] },
    "--per-list": { words: ["-q"] },
    "--top": { words: ["--top", "2"] },
    "--seed": { words: ["--seed", "7"] },
    "--transform": { words: ["--transform", "./cube.mjs"], base: ["importance", "cube.json", "test.txt"] },
  },
  "what-if": {
    "--set": { words: ["--set", "2*3"] },
    "--query": { words: ["--query", "q3"] },
    "--item": { words: ["--item", "d2"] },
    "--top": { words: ["--top", "2"] },
    "--transform": { words: ["--transform", "./cube.mjs"], base: ["what-if", "cube.json", "test.txt", "--set", "1=0.5"] },
  },
  convert: {
    "--from": { words: ["--from", "tierwise"], same: "the content of the file tells its format too" },
    "--to": { words: ["--to", "xgboost"], base: ["convert", "trees.json", "out.json"] },
    "--features": { words: ["--features", "names.txt"] },
    "--index-base": { words: ["--index-base", "0"], base: ["convert", "written.txt", "again.json"] },
    "--missing": { words: ["--missing", "zero"], base: ["convert", "gaps.json", "out.txt", "--to", "solr"] },
    "--name": { words: ["--name", "mine"], base: toSolr },
    "--definitions": { words: ["--definitions", "definitions.json"], base: toSolr },
    "--quiet": { words: ["--quiet"], base: toSolr },
    "--check": { words: ["--check", "written.txt"], base: ["convert"] },
  },
  blend: {
    "--valid": { words: ["--valid", "test.txt"], base: ["blend", "linear.json", "trees.json"] },
    "--weights": { words: ["--weights", "2,1"] },
    "--metrics": { words: ["-m", "map,err"] },
    "--out": { words: ["--out", "blend.json"] },
    "--transform": {
      words: ["--transform", "./cube.mjs"],
      base: ["blend", "cube.json", "linear.json", "--valid", "test.txt"],
    },
  },
  compare: {
    "--data": { words: ["--data", "test.txt"], base: ["compare", "first.run", "second.run", "--resamples", "50"] },
    "--metrics": { words: ["-m", "map,err"] },
    "--complete": { words: ["-c"], base: ["compare", "first.run", "short.run", "test.txt", "--resamples", "50"] },
    "--baseline": { words: ["--baseline", "trees.json"] },
    "--changed": { words: ["--changed", "1"] },
    "--level": { words: ["--level", "0.8"] },
    "--rounds": { words: ["--rounds", "60"], base: many },
    "--resamples": { words: ["--resamples", "60"], base: runs.slice(0, 4) },
    "--seed": { words: ["--seed", "7"], base: runs },
    "--transform": {
      words: ["--transform", "./cube.mjs"],
      base: ["compare", "cube.json", "linear.json", "test.txt", "--resamples", "50"],
    },
  },
  cv: {
    "--processes": { words: ["--processes", "1"], same: oneProcess },
    "--folds": { words: ["--folds", "4"], base: ["cv", "train.txt", ...few] },
    "--no-valid": { words: ["--no-valid"] },
    "--model": { words: grow },
    "--objective": { words: ["--objective", "pl-topk:k=2"] },
    "--optimizer": { words: ["--optimizer", "adam(rate=0.1,epochs=2)"] },
    "--metrics": { words: ["-m", "map"] },
    "--patience": {
      words: ["--patience", "1"],
      base: noisyFolds,
    },
    "--stop-on": {
      words: ["--stop-on", "ndcg@10"],
      base: noisyFolds,
    },
    "--values": { words: ["--values", "all.values"] },
    "--seed": { words: ["--seed", "7"] },
    "--threads": { words: ["--threads", "2"], base: ["cv", "train.txt", "--folds", "3"], same: "threads never change a result" },
    "--transform": { words: ["--transform", "./cube.mjs"] },
    ...checkpointing("cv"),
  },
  tune: {
    "--processes": { words: ["--processes", "1"], same: oneProcess },
    "--valid": { words: ["--valid", "test.txt"] },
    "--hold-out": { words: ["--hold-out", "0.5"] },
    "--folds": { words: ["--folds", "2"] },
    "--model": { words: ["--model", "linear:scale=none"] },
    "--objective": { words: ["--objective", "ranknet"] },
    "--search": { words: ["--search", "random"], base: [...usual.tune!, "--trials", "1"] },
    "--trials": { words: ["--trials", "2"], base: search },
    "--stop-on": { words: ["--stop-on", "smooth(ndcg@10,3)"] },
    "--trials-file": { words: ["--trials-file", "trials.jsonl"] },
    "--top": { words: ["--top", "1"] },
    "--metrics": { words: ["-m", "map"] },
    "--patience": {
      words: ["--patience", "1"],
      base: ["tune", "train.txt", "--model", "trees:rounds=8,min-items=1,learning-rate=0.9", "leaves=4,8", ...few],
    },
    "--seed": { words: ["--seed", "7"] },
    "--threads": { words: ["--threads", "2"], base: ["tune", "train.txt", "l2=0.1,10"], same: "threads never change a result" },
    "--transform": { words: ["--transform", "./cube.mjs"] },
    ...checkpointing("tune"),
  },
  inspect: { "--test": { words: ["--test", "table.csv"] } },
  leaderboard: {
    ...resultColumns("leaderboard"),
    "--sql": { words: ["--sql", "select * from 'arena.csv'"] },
    "--objective": { words: ["--objective", "ranknet:ties=half"] },
    "--scale": { words: ["--scale", "elo"] },
    "--anchor": { words: ["--anchor", "lark=3"] },
    "--errors": { words: ["--errors", "robust"] },
    "--cluster": { words: ["--cluster", "judge"] },
    "--judge": { words: ["--judge", "judge"] },
    "--influence": { words: ["--influence"] },
    "--by": { words: ["--by", "language"] },
    "--weight": { words: ["--weight", "w"], base: ["leaderboard", "weights.csv"] },
    "--covariates": { words: ["--covariates", "longer"] },
    "--min-battles": { words: ["--min-battles", "300"], base: ["leaderboard", "arena.csv", "earlier.csv"] },
    "--ghost": { words: ["--ghost", "2"] },
    "--error-ridge": { words: ["--error-ridge", "0.01"] },
    "--resamples": { words: ["--resamples", "30"], base: ["leaderboard", "arena.csv", "--errors", "bootstrap"] },
    "--level": { words: ["--level", "0.5"] },
    "--since": { words: ["--since", "earlier.csv"] },
    "--seed": { words: ["--seed", "7"], base: ["leaderboard", "arena.csv", "--errors", "bootstrap", "--resamples", "30"] },
    "--item-features": { words: ["--item-features", "items.csv"] },
    "--shrinkage": { words: ["--shrinkage", "0.2"], base: ["leaderboard", "arena.csv", "--item-features", "items.csv"] },
    "--rankings": { words: ["--rankings"], base: ["leaderboard", "ballots.orders"] },
    "--qid": { words: ["--qid", "race"], base: ["leaderboard", ...races, "--id", "horse", "--place", "place"] },
    "--id": { words: ["--id", "horse"], base: ["leaderboard", ...races, "--qid", "race", "--place", "place"] },
    "--label": { words: ["--label", "weight"], base: ["leaderboard", ...races, "--qid", "race", "--id", "horse"] },
    "--place": { words: ["--place", "place"], base: ["leaderboard", ...races, "--qid", "race", "--id", "horse"] },
    "--label-order": {
      words: ["--label-order", "9,8,7,6,5,4,3,2,1"],
      base: ["leaderboard", ...races, "--qid", "race", "--id", "horse", "--place", "place"],
    },
    "--label-last": {
      words: ["--label-last", "1"],
      base: ["leaderboard", ...races, "--qid", "race", "--id", "horse", "--place", "place"],
    },
    "--time-columns": {
      words: ["--time-columns", "place:minutes"],
      base: ["leaderboard", ...races, "--qid", "race", "--id", "horse", "--place", "place"],
    },
    "--missing-values": {
      words: ["--missing-values", "1"],
      base: ["leaderboard", ...races, "--qid", "race", "--id", "horse", "--place", "place"],
    },
    "--skip-lines": { words: ["--skip-lines", "2"], base: ["leaderboard", "titled-arena.csv"] },
    "--fit": { words: ["--fit"] },
    "--simulations": { words: ["--simulations", "20"], base: ["leaderboard", "arena.csv", "--fit"] },
    "--compare": { words: ["--compare"] },
    "--parts": { words: ["--parts", "3"], base: ["leaderboard", "arena.csv", "--compare"] },
    "--time": { words: ["--time", "month"] },
    "--periods": { words: ["--periods", "2"], base: ["leaderboard", "arena.csv", "--time", "month", "--step", "0.1"] },
    "--step": { words: ["--step", "0.3"], base: ["leaderboard", "arena.csv", "--time", "month"] },
    "--report": { words: ["--report", "board.html"] },
    "--markdown": { words: ["--markdown"] },
    "--all": { words: ["--all"], same: "there are fewer than twenty items" },
    "--csv": { words: ["--csv"] },
  },
  ratings: {
    ...resultColumns("ratings"),
    "--sql": { words: ["--sql", "select * from 'arena.csv'"] },
    "--system": { words: ["--system", "trueskill"] },
    "--period": { words: ["--period", "language"], base: ["ratings", "arena.csv", "--system", "glicko2"] },
    "--from": { words: ["--from", "ratings.json"] },
    "--out": { words: ["--out", "rated.json"] },
    "--compare": { words: ["--compare"] },
    "--skip-lines": { words: ["--skip-lines", "2"], base: ["ratings", "titled-arena.csv"] },
    "--slices": { words: ["--slices", "3"], base: ["ratings", "arena.csv", "--compare"] },
    "--all": { words: ["--all"], same: "there are fewer than twenty items" },
    "--csv": { words: ["--csv"] },
  },
  serve: {
    "--host": { words: ["--host", "::1"] },
    "--port": { words: ["--port", "0"], base: ["serve", "linear.json"] },
    "--threads": { words: ["--threads", "1"] },
    "--token": { words: ["--token", "12345678"] },
    "--token-file": { words: ["--token-file", "token.txt"] },
    "--cors": { words: ["--cors", "https://example.com"] },
    "--max-body": { words: ["--max-body", "1m"] },
    "--max-rows": { words: ["--max-rows", "10"] },
    "--max-detailed": { words: ["--max-detailed", "10"] },
    "--timeout": { words: ["--timeout", "1"] },
    "--queue": { words: ["--queue", "1"] },
    "--reload": { words: ["--reload", "0"] },
    "--grace": { words: ["--grace", "0"] },
    "--transform": { words: ["--transform", "./moved.mjs"] },
    "--shadow": { words: ["--shadow", "trees.json"] },
    "--split": { words: ["--split", "0.5"], base: ["serve", "linear.json", "--shadow", "trees.json"] },
    "--interleave": { words: ["--interleave", "probabilistic"], base: ["serve", "linear.json", "--shadow", "trees.json"] },
    "--impressions": {
      words: ["--impressions", "shown.jsonl"],
      base: ["serve", "linear.json", "--shadow", "trees.json", "--interleave", "team-draft"],
    },
  },
  interleave: {
    "--level": { words: ["--level", "0.2"] },
    "--seed": { words: ["--seed", "7"] },
  },
  clicks: {
    "--bias": { words: ["--bias", "em"], base: ["clicks", "log.csv", "--features", "table.csv"] },
    "--features": { words: ["--features", "table.csv"], base: ["clicks", "log.csv", "--bias", "em"] },
    "--ignore": {
      words: ["--ignore", "note"],
      base: ["clicks", "log.csv", "--bias", "em", "--features", "noted-candidates.csv"],
    },
    "--out": { words: ["--out", "made.csv"], base: ["clicks", "log.csv", "--features", "table.csv"] },
    "--by": { words: ["--by", "impression"], base: made },
    "--unseen": { words: ["--unseen", "last"], base: [...made, "--by", "impression"] },
    "--label-step": { words: ["--label-step", "2"], base: made },
    "--clip": { words: ["--clip", "1.5"], base: [...made, "--by", "impression"] },
    "--query": { words: ["--query", "term"], base: named("query") },
    "--document": { words: ["--document", "sku"], base: named("document") },
    "--position": { words: ["--position", "slot"], base: named("position") },
    "--clicked": { words: ["--clicked", "hit"], base: named("clicked") },
    "--impression": { words: ["--impression", "visit"], base: ["clicks", "scattered.csv"] },
    "--dwell": { words: ["--dwell", "seconds"], base: ["clicks", "dwell.csv", "--min-dwell", "10"] },
    "--skip-lines": { words: ["--skip-lines", "1"], base: ["clicks", "titled-log.csv"] },
    "--min-dwell": { words: ["--min-dwell", "10"], base: ["clicks", "dwell.csv"] },
    "--level": { words: ["--level", "0.5"] },
    "--csv": { words: ["--csv"] },
  },
  next: {
    ...resultColumns("next"),
    "--sql": { words: ["--sql", "select * from 'arena.csv'"] },
    "--pairs": { words: ["--pairs", "3"] },
    "--battles": { words: ["--battles", "50"] },
    "--top": { words: ["--top", "2"] },
    "--new": { words: ["--new", "owl"] },
    "--skip-lines": { words: ["--skip-lines", "2"], base: ["next", "titled-arena.csv"] },
    "--objective": { words: ["--objective", "ranknet:ties=half"] },
    "--ghost": { words: ["--ghost", "20"] },
    "--min-battles": { words: ["--min-battles", "300"], base: ["next", "arena.csv", "earlier.csv"] },
    "--level": { words: ["--level", "0.2"] },
    "--seed": { words: ["--seed", "7"], base: ["next", "arena.csv", "--json"] },
    "--csv": { words: ["--csv"] },
  },
  "compare-ties": {
    "--objectives": { words: ["--objectives", "pl-partition,davidson"] },
    "--parts": { words: ["--parts", "3"] },
    "--ghost": { words: ["--ghost", "0.25"] },
    "--seed": { words: ["--seed", "7"] },
  },
  papers: {
    "--data": { words: ["--data", "sets"], base: ["papers", "letor", "--quick", "--out", "pages", ...few] },
    // Without its own files, the page of other tools has none.
    "--scores": {
      words: ["--scores", "sets"],
      base: ["papers", "leaderboard", "--only", "tools", "--quick", "--out", "pages", ...few],
    },
    "--out": { words: ["--out", "others"], base: ["papers", "letor", "--quick", "--data", "sets", ...few] },
    "--only": { words: ["--only", "table-1"], base: ["papers", "plrank", "--quick", "--out", "pages", ...few] },
    "--quick": { words: ["--quick"], base: ["papers", "letor", "--data", "sets", "--out", "pages", ...few] },
    "--fresh": { words: ["--fresh"], base: ["papers", "letor", "--quick", "--data", "sets", "--out", "done", ...few] },
    "--threads": { words: ["--threads", "2"], base: quickPaper.slice(0, -2), same: "threads never change a result" },
  },
  list: {},
};

/** Data that need an option of the readers, and a model to score them with. `words` are for training on them. */
interface Reading extends Case {
  readonly file: string;
  readonly model: string;
  readonly training?: readonly string[];
  /** Further words of the base. */
  readonly with?: readonly string[];
}

export const reading: Readonly<Record<string, Reading>> = {
  "--data-format": { words: ["--data-format", "orders"], file: "ballots.csv", model: "worths.json" },
  "--label": { words: ["--label", "quality"], file: "quality.csv", model: "table.json" },
  "--qid": { words: ["--qid", "person"], file: "person.csv", model: "table.json" },
  "--weight": { words: ["--weight", "w"], file: "weighted.csv", model: "table.json" },
  "--id": { words: ["--id", "product"], file: "product.csv", model: "table.json" },
  "--ignore": { words: ["--ignore", "note"], file: "noted.csv", model: "table.json" },
  "--absent": { words: ["--absent", "missing"], file: "sparse.txt", model: "linear.json" },
  "--index-base": {
    words: ["--index-base", "0"],
    file: "zero.txt",
    model: "linear.json",
    with: ["--unknown-features", "ignore"],
  },
  "--absent-items": { words: ["--absent-items", "last"], file: "ballots.orders", model: "worths.json" },
  "--split": {
    words: ["--split", "rows.txt"],
    file: "labels.xc.txt",
    model: "labels.json",
    training: ["--model", "leml:rank=2,rounds=2"],
  },
  "--tiers": { words: ["--tiers", "clicks"], file: "clicks.csv", model: "table.json" },
  "--sql": { words: ["--sql", "select * from 'table.csv'"], file: "", model: "table.json" },
  "--categories": { words: ["--categories", "c"], file: "table.csv", model: "table.json" },
  "--max-categories": { words: ["--max-categories", "1"], file: "noted.csv", model: "table.json" },
  "--date-columns": { words: ["--date-columns", "c"], file: "table.csv", model: "table.json" },
  "--time-columns": { words: ["--time-columns", "c:minutes"], file: "timed.csv", model: "table.json" },
  "--missing-values": { words: ["--missing-values", "-999"], file: "gappy.csv", model: "table.json" },
  "--separator": { words: ["--separator", ":"], file: "colons.csv", model: "table.json" },
  "--skip-lines": { words: ["--skip-lines", "2"], file: "titled.csv", model: "table.json" },
  "--decimal": { words: ["--decimal", ","], file: "dotted.csv", model: "table.json" },
  "--no-header": {
    words: ["--no-header"],
    file: "bare.csv",
    model: "bare.json",
    with: ["--label", "2", "--qid", "0", "--id", "1"],
  },
  "--lower-is-better": { words: ["--lower-is-better"], file: "table.csv", model: "table.json" },
  "--higher-is-better": {
    words: ["--higher-is-better"],
    file: "tiered.csv",
    model: "table.json",
    with: ["--label", "tier"],
  },
  "--label-order": {
    words: ["--label-order", "B,A,S"],
    file: "worded.csv",
    model: "table.json",
  },
  "--label-last": { words: ["--label-last", "2"], file: "table.csv", model: "table.json" },
  "--label-missing": { words: ["--label-missing", "2"], file: "table.csv", model: "table.json" },
  "--join-lists": { words: ["--join-lists"], file: "half-?.csv", model: "table.json" },
  "--items": { words: ["--items", "products.csv"], file: "table.csv", model: "table.json" },
  "--lists": { words: ["--lists", "people.csv"], file: "table.csv", model: "table.json" },
  "--positions": { words: ["--positions", "ignore"], file: "placed.csv", model: "table.json" },
  "--cache": { words: ["--cache"], file: "table.csv", model: "table.json" },
  "--cache-dir": { words: ["--cache-dir", "caches"], file: "table.csv", model: "table.json" },
  "--unknown-features": { words: ["--unknown-features", "ignore"], file: "wide.txt", model: "linear.json" },
};

/** The same for every command that has them. */
export const common: Readonly<Record<string, Case>> = {
  "--json": { words: ["--json"] },
  "--quiet": { words: ["--quiet"] },
  "--config": { words: ["--config", "settings.conf"] },
  "--memory": { words: ["--memory", "8g"], same: "a budget never changes a result" },
};

/** A command on other data than usual. */
function on(verb: string, reading: Reading): readonly string[] {
  return commandOn(verb, reading).filter((word) => word !== ""); // a query needs no file
}

function commandOn(verb: string, { file, model, training = [], with: more = [] }: Reading): readonly string[] {
  switch (verb) {
    case "train":
      return ["train", file, ...training, "--out", "new.json", ...few, ...more];
    case "cv":
      return ["cv", file, "--folds", "3", ...training, ...few, ...more];
    case "tune":
      return ["tune", file, "l2=0.1,10", ...training, ...few, ...more];
    case "compare":
      return ["compare", model, `other-${model}`, file, "--resamples", "50", ...more];
    case "blend":
      return ["blend", model, `other-${model}`, "--valid", file, ...more];
    case "compare-ties":
    case "inspect":
      return [verb, file, ...more];
    case "what-if":
      return ["what-if", model, file, "--set", { "linear.json": "1=0.5", "bare.json": "3=0.5" }[model] ?? "a=0.5", ...more];
    default:
      return [verb, model, file, ...more];
  }
}

/** Where a reader's option works otherwise than in `reading`, or not at all. */
const tiesOn = (words: readonly string[]): Case => ({ words, same: "ballots have no such thing" });
const otherFormat = /a split selects rows of xml-repository and arff files, and this is another format/;
const scoring = ["evaluate", "rank", "report", "explain", "importance", "what-if", "blend", "compare"];

/** Options of tables where a model says already what they would say. */
const decided: Readonly<Record<string, Case>> = Object.fromEntries(
  scoring.flatMap((verb): [string, Case][] => {
    const scored = on(verb, reading["--categories"]!);
    const known = { base: scored, same: "the model says what its columns are" };
    return [
      ...["--categories", "--date-columns", "--time-columns", "--max-categories"].map((option): [string, Case] => [
        `${verb} ${option}`,
        { words: reading[option]!.words, ...known },
      ]),
      ...["--items", "--lists"].map((option): [string, Case] => [
        `${verb} ${option}`,
        { words: reading[option]!.words, base: scored }, // a notice names the columns that the model does not know
      ]),
      [`${verb} --no-header`, { words: ["--no-header"], base: on(verb, { ...reading["--no-header"]!, with: [] }), same: "the model remembers it" }], // biome-ignore format: one line
    ];
  }),
);

export const special: Readonly<Record<string, Case>> = {
  ...decided,
  ...Object.fromEntries(
    ["train", "cv", "tune", "inspect", ...scoring].flatMap((verb) => [
      [`${verb} --ballots`, { words: ["--ballots", "auto"], same: "that is the default" }],
      [`${verb} --duplicates`, { words: ["--duplicates", "refuse"], same: "that is the default" }],
    ]),
  ),
  "compare --categories": { words: ["--categories", "c"], base: on("compare", reading["--categories"]!), refused: /needs the feature "c"/ }, // biome-ignore format: one line
  "compare --date-columns": { words: ["--date-columns", "c"], base: on("compare", reading["--date-columns"]!) },
  "compare --time-columns": { words: ["--time-columns", "c"], base: on("compare", reading["--date-columns"]!) },
  "blend --label-order": { words: ["--label-order", "B,A,S"], base: on("blend", reading["--label-order"]!), refused: /better than chance/ }, // biome-ignore format: one line
  "blend --label-last": { words: ["--label-last", "2"], base: on("blend", reading["--label-last"]!), refused: /better than chance/ }, // biome-ignore format: one line
  "blend --lower-is-better": { words: ["--lower-is-better"], base: on("blend", reading["--lower-is-better"]!), refused: /better than chance/ }, // biome-ignore format: one line
  "rank --higher-is-better": { words: ["--higher-is-better"], base: on("rank", reading["--higher-is-better"]!), same: "ranking needs no labels" }, // biome-ignore format: one line
  "rank --lower-is-better": { words: ["--lower-is-better"], base: on("rank", reading["--lower-is-better"]!), same: "ranking needs no labels" }, // biome-ignore format: one line
  "what-if --higher-is-better": { words: ["--higher-is-better"], base: on("what-if", reading["--higher-is-better"]!), same: "scores need no labels" }, // biome-ignore format: one line
  "what-if --lower-is-better": { words: ["--lower-is-better"], base: on("what-if", reading["--lower-is-better"]!), same: "scores need no labels" }, // biome-ignore format: one line
  "explain --higher-is-better": { words: ["--higher-is-better"], base: on("explain", reading["--higher-is-better"]!), same: "explaining needs no labels" }, // biome-ignore format: one line
  "explain --lower-is-better": { words: ["--lower-is-better"], base: on("explain", reading["--lower-is-better"]!), same: "explaining needs no labels" }, // biome-ignore format: one line
  "compare-ties --ballots": { words: ["--ballots", "always"], base: ["compare-ties", "table.csv", "--parts", "2"] },
  "compare-ties --duplicates": tiesOn(["--duplicates", "last"]),
  "compare-ties --categories": tiesOn(["--categories", "c"]),
  "compare-ties --max-categories": tiesOn(["--max-categories", "1"]),
  "compare-ties --date-columns": tiesOn(["--date-columns", "c"]),
  "compare-ties --time-columns": tiesOn(["--time-columns", "c"]),
  "compare-ties --missing-values": tiesOn(["--missing-values", "-999"]),
  "compare-ties --separator": tiesOn(["--separator", ":"]),
  "compare-ties --skip-lines": { words: ["--skip-lines", "2"], refused: /--skip-lines is for lines above .* and this is orders/ },
  "compare-ties --decimal": tiesOn(["--decimal", ","]),
  "compare-ties --no-header": tiesOn(["--no-header"]),
  "compare-ties --lower-is-better": tiesOn(["--lower-is-better"]),
  "compare-ties --higher-is-better": tiesOn(["--higher-is-better"]),
  "compare-ties --label-order": tiesOn(["--label-order", "b,a"]),
  "compare-ties --label-last": tiesOn(["--label-last", "b"]),
  "compare-ties --label-missing": tiesOn(["--label-missing", "b"]),
  "compare-ties --join-lists": tiesOn(["--join-lists"]),
  "compare-ties --items": {
    words: ["--items", "products.csv"],
    refused: /--items adds features to the rows of a table, and this is orders/,
  },
  "compare-ties --lists": {
    words: ["--lists", "people.csv"],
    refused: /--lists adds features to the rows of a table, and this is orders/,
  },
  "inspect --unknown-features": {
    words: ["--unknown-features", "ignore"],
    base: ["inspect", "train.txt", "--test", "wide.txt"],
  },
  "inspect --cache": { words: ["--cache"], base: ["inspect", "table.csv"], same: "columns are described from the files" },
  "inspect --cache-dir": { words: ["--cache-dir", "caches"], base: ["inspect", "table.csv"], same: "columns are described from the files" }, // biome-ignore format: one line
  "train --unknown-features": {
    words: ["--unknown-features", "ignore"],
    base: ["train", "train.txt", "--valid", "wide.txt", ...few],
  },
  "cv --unknown-features": { words: ["--unknown-features", "ignore"], base: ["cv", "folds", ...few] },
  "tune --unknown-features": {
    words: ["--unknown-features", "ignore"],
    base: ["tune", "train.txt", "l2=0.1,10", "--valid", "wide.txt", ...few],
  },
  "rank --tiers": { ...reading["--tiers"]!, base: on("rank", reading["--tiers"]!), same: "all rows are ranked, judged or not" },
  "rank --positions": { words: ["--positions", "ignore"], same: "only clicks that are learned from have a bias" },
  "explain --positions": { words: ["--positions", "ignore"], same: "only clicks that are learned from have a bias" },
  "compare-ties --positions": { words: ["--positions", "ignore"], same: "ballots have no such thing" },
  "explain --tiers": { ...reading["--tiers"]!, base: on("explain", reading["--tiers"]!), same: "all rows are explained" },
  "explain --data-format": { words: ["--data-format", "csv"], base: ["explain", "table.json", "table.orders"] },
  "explain --absent-items": { words: ["--absent-items", "last"], same: "models of ballots cannot be explained" },
  "explain --split": { words: ["--split", "rows.txt"], refused: otherFormat },
  "importance --data-format": { words: ["--data-format", "csv"], base: ["importance", "table.json", "table.orders"] },
  "importance --absent-items": { words: ["--absent-items", "last"], same: "ballots have no features" },
  "importance --split": { words: ["--split", "rows.txt"], refused: otherFormat },
  "what-if --positions": { words: ["--positions", "ignore"], same: "only clicks that are learned from have a bias" },
  "what-if --tiers": { ...reading["--tiers"]!, base: on("what-if", reading["--tiers"]!), same: "all rows are ranked" },
  "what-if --data-format": { words: ["--data-format", "csv"], base: ["what-if", "table.json", "table.orders", "--set", "a=1"] },
  "what-if --absent-items": { words: ["--absent-items", "last"], same: "ballots have no features" },
  "what-if --split": { words: ["--split", "rows.txt"], refused: otherFormat },
  "blend --data-format": {
    words: ["--data-format", "csv"],
    base: ["blend", "table.json", "other-table.json", "--valid", "table.orders"],
  },
  "blend --absent-items": { words: ["--absent-items", "last"], same: "models of ballots cannot be blended" },
  "blend --split": { words: ["--split", "rows.txt"], refused: otherFormat },
  "compare-ties --sql": { words: ["--sql", "select * from 'table.csv'"], base: ["compare-ties"], refused: /ballots/ },
  "compare-ties --label": tiesOn(["--label", "quality"]),
  "compare-ties --qid": tiesOn(["--qid", "person"]),
  "compare-ties --weight": tiesOn(["--weight", "w"]),
  "compare-ties --id": tiesOn(["--id", "product"]),
  "compare-ties --ignore": tiesOn(["--ignore", "note"]),
  "compare-ties --absent": tiesOn(["--absent", "missing"]),
  "compare-ties --index-base": tiesOn(["--index-base", "0"]),
  "compare-ties --split": { words: ["--split", "rows.txt"], refused: otherFormat },
  "compare-ties --unknown-features": tiesOn(["--unknown-features", "ignore"]),
  "compare-ties --tiers": { words: ["--tiers", "pairs:cycles=break"], base: ["compare-ties", "battles.pairs", "--parts", "2"] },
  "compare-ties --cache": { words: ["--cache"] },
  "compare-ties --cache-dir": { words: ["--cache-dir", "caches"] },
};

writeFileSync(
  join(cwd, "wide.txt"),
  rows(6)
    .map(
      ({ list, label, features: [a, b, c] }) =>
        `${label} qid:${list} ${Array.from({ length: 25 }, (_, i) => `${i + 1}:${(a! * i + b! * (i % 3) + c! * (i % 7)).toFixed(3)}`).join(" ")}\n`,
    )
    .join(""),
);

/** Commands that run until they are stopped; test/serve.test.ts and test/serve-command.test.ts try their options. */
export const running: readonly string[] = ["serve"];

/** The value of an option of a command; undefined where none is listed. */
export function caseOf(verb: string, option: string): Case | undefined {
  const shared = common[option];
  const read = reading[option];
  return own[verb]?.[option] ?? special[`${verb} ${option}`] ?? shared ?? (read && { ...read, base: on(verb, read) });
}

/** Trains the models that the commands need. */
export async function prepare(): Promise<void> {
  const train = (name: string, ...words: string[]) => succeed(["train", ...words, "--out", name, "--quiet"], { cwd });
  await train("linear.json", "train.txt", "--history", "history.json");
  await train("other-linear.json", "train.txt", "--model", "linear:l2=10");
  await train("trees.json", "train.txt", ...grow);
  await train("gaps.json", "sparse.txt", ...grow, "--absent", "missing");
  await train("table.json", "table.csv");
  await train("other-table.json", "table.csv", "--model", "linear:l2=10");
  await train("bare.json", "bare.csv", "--no-header", "--label", "2", "--qid", "0", "--id", "1");
  await train("other-bare.json", "bare.csv", "--no-header", "--label", "2", "--qid", "0", "--id", "1", "--model", "linear:l2=10");
  await train("worths.json", "ballots.orders");
  await train("other-worths.json", "ballots.orders", "--model", "utilities:l2=10");
  await train("labels.json", "labels.xc.txt", ...reading["--split"]!.training!);
  await train("other-labels.json", "labels.xc.txt", "--model", "leml:rank=1,rounds=2");
  await train("cube.json", "train.txt", "--transform", "./cube.mjs");
  await train("moved.json", "train.txt", "--transform", "./moved.mjs");
  await train("wide.json", "wide.txt");
  await succeed(["convert", "trees.json", "written.txt"], { cwd });
  await succeed(["papers", "letor", "--quick", "--data", "sets", "--out", "done", ...few, "--quiet"], { cwd });
}

const text = ["no such value", ""];
const whole = ["x", "-1", "1.5", "1e3", "9007199254740993", ""];
const counts = [...whole, "0"];
const fractions = ["x", "-0.5", "0", "1", "Infinity", ""];
const reads = ["none.txt", "sets", ""];
const writes = ["none/there.json", "sets", ""];
const column = ["no such column"];
const modules = ["./none.mjs", "cube", "./names.txt", ""];

/** Wrong values of an option, under its name, or under that of one command. */
export const wrong: Readonly<Record<string, readonly string[]>> = {
  "--valid": reads,
  "--hold-out": [...fractions, "0%", "100%", "%"],
  "--init": [...reads, "train.txt", "linear.json"],
  "--model": [...text, "linear:l2=-1", "linear:l3=1", "./none.mjs"],
  "--objective": [...text, "pl-topk:k=0", "pl-topk:l=1", "./none.mjs"],
  "--objectives": [...text, "pl-partition,nothing"],
  "--optimizer": [...text, "adam(rate=-1)"],
  "--metrics": [...text, "ndcg@0", "./none.mjs"],
  "--patience": whole,
  "--stop-on": [...text, "los", "smooth(ndcg@10)", "smooth(ndcg@10,0)"],
  "--out": writes,
  "papers --out": ["train.txt", ""],
  "--report": writes,
  "--history": writes,
  "report --history": [...reads, "train.txt"],
  "--seed": whole,
  "--threads": counts,
  "--processes": counts,
  "--memory": ["x", "-1", "0", "10m", "2x", ""],
  "--transform": modules,
  "--config": reads,
  "--data-format": [...text, "CSV"],
  "--label": column,
  "--qid": column,
  "--place": [...column, "jockey"],
  "--weight": column,
  "--id": column,
  "--ignore": column,
  "--categories": column,
  "--date-columns": column,
  "--time-columns": column,
  "--missing-values": [], // any word may stand for a missing value
  "--label-order": ["good,bad,good"],
  ...{ "--label-last": [], "--label-missing": [] }, // any word may be one
  "--max-categories": ["0", "-1", "1.5", "many"],
  "--separator": ["", "ab", "x"],
  "--skip-lines": ["x", "-1", "1.5", ""],
  "--decimal": ["", ";", "point"],
  "--ballots": ["", "sometimes"],
  "--duplicates": ["", "sometimes"],
  "--items": ["none.csv"],
  "--lists": ["none.csv"],
  "--test": ["none.csv"],
  "--absent": text,
  "--index-base": [...text, "2", "-1"],
  "--absent-items": text,
  "--sql": ["", "selec 1", "select * from 'none.parquet'", "create table t (a int)", "select 1 as a"],
  "--split": ["none.txt", "names.txt", "rows.txt:2", "rows.txt:0"],
  "--tiers": ["no such value", "clicks:unseen=x", "ratings:cuts=2/1", "ratings:cutz=1"],
  "--positions": text,
  "--cache-dir": ["train.txt", ""],
  "--unknown-features": text,
  "--level": ["x", ""],
  "compare --level": fractions,
  "--top": counts,
  "--format": text,
  "--tag": ["two words", ""],
  "--within": ["x", "0", "1,,2", "1.5", ""],
  "--temperature": ["x", "0", "-1", "Infinity", ""],
  "--exact": ["x", "-1", "1.5", ""],
  "--draws": [...counts, "99"],
  "--train": reads,
  "--against": [...reads, "train.txt"],
  "--plot": writes,
  "--tree": [...whole, "3"],
  "--query": text,
  "--metric": [...text, "ndcg@0", "map,err", "./none.mjs"],
  "--repeats": counts,
  "--shuffle": text,
  "--set": ["x", "", "1", "=3", "nothing=3", "1=x", "1*", "1/0", "1=1e99"],
  "--item": text,
  "--above": text,
  "--below": text,
  "--from": [...text, "xgboost"],
  "--to": [...text, "catboost-json"],
  "--features": [...reads, "twice.txt"],
  "--missing": text,
  "--name": [""],
  "--definitions": [...reads, "names.txt"],
  "--check": ["none.txt", "train.txt", ""],
  "--data": reads,
  "papers --data": ["none", "train.txt", ""],
  "--scores": ["none", "train.txt", ""],
  "--baseline": [...text, "test.txt"],
  "--changed": whole,
  "--rounds": counts,
  "--resamples": counts,
  "--folds": [...counts, "1", "1000"],
  "--values": writes,
  "--weights": [...text, "1", "1,2,3", "1,", "1,x", "2,-1", "0,0", "Infinity,1"],
  "--search": text,
  "--trials": counts,
  "--budget": [...text, "10", "0s", "-1m", "1d", "m", "1e3s", "10 m 5 s"],
  "--trials-file": [...writes, "train.txt"],
  "--checkpoint": ["", "train.txt", "train.txt/ck"],
  "--checkpoint-every": [...text, "0", "-1", "1.5", "0s", "5d", "1e3"],
  "--parts": [...counts, "1", "1000"],
  "--ghost": ["x", "0", "-1", "Infinity", ""],
  "leaderboard --objective": [...text, "pl-partition", "ranknet:ties=x"],
  "leaderboard --ghost": ["x", "-1", "Infinity", ""],
  "leaderboard --level": fractions,
  "leaderboard --resamples": [...counts, "19"],
  ...Object.fromEntries(
    ["--first", "--second", "--winner", "--loser", "--tie", "--count"].map((option) => [option, [...column, ""]]),
  ),
  "--judge": column,
  "--system": [...text, "elo:k=0", "elo:period=3"],
  "--period": column,
  "ratings --from": [...reads, "train.txt"],
  "--slices": [...counts, "1", "1000"],
  "--pairs": counts,
  "--battles": counts,
  "--new": ["", "lark", "owl,", "owl,owl"],
  "next --objective": [...text, "pl-partition"],
  "next --ghost": ["x", "-1", "Infinity", ""],
  "next --level": fractions,
  "--item-features": ["", "nowhere.csv", "arena.csv"],
  "--shrinkage": ["x", "0", "-1", "Infinity", ""],
  "--simulations": ["x", "-1", "1.5", ""],
  "--time": ["", "language", "nowhere"],
  "--periods": [...counts, "1"],
  "--step": ["x", "0", "-1", "Infinity", ""],
  "--scale": text,
  "--anchor": ["x", "=3", "lark=", "nobody=3", ""],
  "--errors": [...text, "clustered"],
  "--cluster": column,
  "--by": column,
  "--covariates": [...column, "longer,", "judge"],
  "--min-battles": [...whole, "100000"],
  "--error-ridge": ["x", "-1", "Infinity", ""],
  "--since": [...reads, "train.txt"],
  "serve --host": ["", "no such host", "256.256.256.256"],
  "serve --port": ["x", "-1", "65536", "1.5", ""],
  "serve --token": ["", "short", "two words in it"],
  "serve --token-file": reads,
  "serve --cors": ["", "x", "*", "https://a.example/path"],
  "serve --max-body": ["x", "-1", "0", "1023", ""],
  "serve --max-rows": counts,
  "serve --max-detailed": counts,
  "serve --timeout": ["x", "-1", "0", ""],
  "serve --queue": counts,
  "serve --reload": ["x", "-1", ""],
  "serve --grace": ["x", "-1", ""],
  "serve --shadow": [...reads, "none=trees.json", "train.txt"],
  "serve --split": ["x", "-1", "1.5", ""],
  "serve --interleave": text,
  "serve --impressions": ["nowhere/x", ""],
  "interleave --level": fractions,
  "clicks --level": fractions,
  "--bias": text,
  "--clicks": reads,
  "clicks --features": reads,
  "clicks --by": text,
  "--unseen": text,
  "--label-step": ["x", "0", "5", "-1", ""],
  "--clip": ["x", "0.5", "-1", "Infinity", ""],
  "clicks --query": [...column, ""],
  "--document": [...column, ""],
  "--position": [...column, ""],
  "--clicked": [...column, ""],
  "--impression": [...column, ""],
  "--dwell": [...column, ""],
  "--min-dwell": ["x", "-1", "Infinity", ""],
  "--only": ["", "table-9", "table-1,"],
};

/** Options that are not looked at by a command on its data, whatever their value. */
export const unread: Readonly<Record<string, string>> = Object.fromEntries([
  ["clicks --ignore", "need no label"],
  ...["label", "weight", "ignore"].flatMap((name) =>
    ["rank", "explain", "what-if"].map((verb) => [`${verb} --${name}`, "need no label"]),
  ),
  ...["categories", "date-columns", "time-columns"].flatMap((name) =>
    scoring.map((verb) => [`${verb} --${name}`, "the model says what its columns are"]),
  ),
  ...["label", "qid", "weight", "id", "ignore", "categories", "date-columns", "time-columns"].map((name) => [
    `compare-ties --${name}`,
    "ballots have no columns",
  ]),
] as [string, string][]);
