/** What settings of commands are written in: files of settings, criteria of early stopping, specs of optimizers; histories, battles and logs of clicks. */

import { parseRatings } from "../../src/cli/ratings.ts";
import { build } from "../../src/cli/run.ts";
import { applySettings, parseSettings } from "../../src/cli/settings.ts";
import { decodeCheckpoint, encodeCheckpoint, sharedCopy } from "../../src/formats/checkpoint.ts";
import { battleReader } from "../../src/formats/data/battles-parser.ts";
import { clickLogReader } from "../../src/formats/data/click-log-parser.ts";
import { parseItemFeatures } from "../../src/formats/data/read-item-features.ts";
import { parseHistory, serializeHistory } from "../../src/history.ts";
import { metricList } from "../../src/metrics/index.ts";
import { below, random } from "../../src/numeric/random.ts";
import { optimizer } from "../../src/optimizers/index.ts";
import { ratingSystem } from "../../src/ratings/index.ts";
import { parseStopOn } from "../../src/stop-on.ts";
import { contentOf } from "../content.ts";
import { answerOf, digestOf, Finding, seedOf, type Target } from "../target.ts";
import { fixed, target } from "./texts.ts";

/** Settings of train, as the command takes them: the options with their values, and what is left for models and objectives. */
async function settingsOf(text: string): Promise<() => string> {
  const train = (await build(["train"])).commands[0]!;
  return () => {
    const rest = applySettings(train, parseSettings(text, "file", train.options), () => {});
    return JSON.stringify([Object.entries(train.opts()), ...rest]);
  };
}

const config: Target = {
  id: "config",
  seeds: () =>
    [
      "# settings\nobjective = lambdarank\nnum_threads=2\nlearning_rate = 0.1 # slow\nvalid=a.txt,b.txt\n",
      '{"objective": "pl-partition", "rounds": 30, "metrics": ["ndcg@10", "map"], "quiet": true, "out": "model.json"}',
    ].map((text) => new TextEncoder().encode(text)),
  words: "= # \n { } [ ] null true objective metrics threads quiet out valid seed -- _ config".split(" "),
  async run(bytes) {
    const read = await settingsOf(new TextDecoder().decode(bytes));
    return answerOf(() => ({ digest: read(), shape: "" }));
  },
};

/** Battles are read alike whole and in pieces. */
const battles: Target = {
  id: "battles",
  seeds: () =>
    [
      'model_a,model_b,winner,judge,language,length\nred,blue,model_a,ann,en,0.5\nblue,green,tie,bob,de,-1\n"gr,een",red,model_b,ann,en,2\n',
      "winner;loser;tie;count\na;b;0;3\nb;c;1;2\n",
    ].map((text) => new TextEncoder().encode(text)),
  words: 'model_a model_b winner loser tie count tie(bothbad) judge language length , ; \t \n " 0 -1 nan'.split(" "),
  run(bytes) {
    const draw = random(seedOf(bytes));
    const options = {
      ...(draw() < 0.3 && { cluster: "judge" }),
      ...(draw() < 0.3 && { by: "language" }),
      ...(draw() < 0.3 && { weight: "length" }),
      ...(draw() < 0.3 && { covariates: ["length"] }),
    };
    const read = (cuts: readonly number[]) =>
      answerOf(() => {
        const reader = battleReader(options);
        const sink = reader.open("file");
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        ends.forEach((end, i) => {
          sink.push(bytes.slice(i === 0 ? 0 : ends[i - 1], end));
        });
        sink.end();
        return { digest: contentOf(reader.finish()), shape: "" };
      });
    const whole = read([]);
    const cuts = Array.from({ length: 1 + below(draw, 3) }, () => below(draw, bytes.length + 1));
    if (read(cuts).digest !== whole.digest) throw new Finding(`read otherwise in pieces that end at ${cuts.join(", ")}`);
    return whole;
  },
};

const rounds = [
  { round: 1, cost: 0.5, metrics: { "ndcg@10": 0.25 } },
  { round: 2, cost: 0.25, metrics: { "ndcg@10": 0.5 }, criterion: 0.5 },
];

/** A checkpoint is read as it was written, or refused: its digest notices every change. */
const checkpoint: Target = {
  id: "checkpoint",
  seeds: () => [
    encodeCheckpoint({ round: 3, cost: Number.NaN, scores: Float64Array.of(1, -0, 0.5), history: ["a", null, { best: -0 }] }),
    encodeCheckpoint({ trees: Uint8Array.of(1, 2, 3), places: BigInt64Array.of(-1n), rate: 0.1 }),
  ],
  words: [
    "tierwise checkpoint 1 ",
    "tierwise digest ",
    '{"$array":["f64",0,1]}',
    '{"$number":"NaN"}',
    "000000000128",
    "\n",
    "\0",
  ],
  run: (bytes) =>
    answerOf(() => {
      const again = encodeCheckpoint(decodeCheckpoint(sharedCopy(bytes), "file"));
      if (digestOf(again) !== digestOf(bytes)) throw new Finding("a checkpoint that differs from what is written is read");
      return { digest: digestOf(bytes), shape: "" };
    }),
};

const clicks: Target = {
  id: "clicks",
  seeds: () =>
    [
      "query,doc,position,clicked\na,x,1,0\na,y,2,1\nb,x,1,1\n",
      'qid\tdocid\trank\tclick\tsession\tdwell\n"a ""b"""\tx\t1\ttrue\t7\t30\na\ty\t2\tno\t7\t\n',
      '{"query":"a","documents":["x","y"],"clicked":["y"]}\n{"query":"a","doc":"y","position":1,"clicked":true,"impression":3}\n',
    ].map((text) => new TextEncoder().encode(text)),
  words: [
    ...'query doc position clicked impression dwell documents { } [ ] , ; \t " : 0 1 -1 1e9 true null \\ \r \uFEFF'.split(" "),
    "\n",
  ],
  run(bytes) {
    const read = (cut: number) =>
      answerOf(() => {
        const reader = clickLogReader({});
        const sink = reader.open("file");
        sink.push(bytes.slice(0, cut));
        sink.push(bytes.slice(cut));
        sink.end();
        return { digest: contentOf(reader.finish()), shape: "" };
      });
    const whole = read(bytes.length);
    const cut = seedOf(bytes) % (bytes.length + 1);
    if (read(cut).digest !== whole.digest) throw new Finding(`read otherwise in pieces that end at ${cut}`);
    return whole;
  },
};

const ratings: Target = target(
  "ratings",
  [
    '{"format":"tierwise-ratings","version":1,"system":"elo","items":[["lark",[1700],2,0,0],["wren",[1500],0,2,0]],"pending":[]}',
    '{"format":"tierwise-ratings","version":1,"system":"glicko2","items":[["a",[1500,200,0.06],1,0,1]],"pending":[[0,0,2]]}',
  ],
  '{ } [ ] null -1 1e999 "a" 0.5 elo glicko2 trueskill elo:k=16 items pending version',
  (text) => {
    const saved = JSON.stringify(parseRatings(text, "file").state());
    return fixed(saved, JSON.stringify(parseRatings(saved, "file").state()));
  },
);

const itemFeatures: Target = target(
  "item-features",
  ["item,size,open\nlark,3,1\nwren,-0.5,0\n", 'model\tsize\n"a ""b"""\t1e3\n\nc\t2\n', "\uFEFFname\na\nb\n"],
  ', \t " item model name nan inf 1e400 -0 \r\n',
  (text) => {
    const { names, items } = parseItemFeatures(text, "file");
    for (const [name, values] of items)
      if (values.length !== names.length || !values.every(Number.isFinite)) throw new Finding(`${name} has wrong features`);
    return JSON.stringify([names, [...items]]);
  },
);

const system = target(
  "spec-system",
  ["elo:k=16", "glicko2:tau=0.5", "trueskill:beta=4"],
  ": , = k tau beta start 0 1e9 -1",
  (text) => fixed(ratingSystem(text).spec, ratingSystem(ratingSystem(text).spec).spec),
);

export const settingsTargets: readonly Target[] = [
  ...[config, battles, checkpoint, clicks, ratings, itemFeatures, system],
  target(
    "stop-on",
    ["loss", "ndcg@10", "smooth(ndcg@10,5)", "smooth(loss, 3)"],
    "smooth ( ) , loss ndcg@10 map ; gain=lin 1 2 1e9",
    (text) => {
      const { spec } = parseStopOn("stopOn", text, metricList("ndcg@10,map"));
      return fixed(spec, parseStopOn("stopOn", spec, metricList("ndcg@10,map")).spec);
    },
  ),
  target(
    "spec-optimizer",
    ["adam:rate=0.1,epochs=3", "lbfgs", "sgd:rate=1,momentum=0.5", "newton"],
    ": , = ( ) auto rate epochs batch momentum beta1 beta2 0 1 1e9 -1",
    (text) => fixed(optimizer(text).spec, optimizer(optimizer(text).spec).spec),
  ),
  target(
    "history",
    [serializeHistory({ history: rounds, best: rounds[1]! })],
    "{ } [ ] null rounds metrics criterion cost NaN",
    (text) => {
      const found = serializeHistory({ history: parseHistory(text, "file"), best: rounds[1]! });
      return fixed(found, serializeHistory({ history: parseHistory(found, "file"), best: rounds[1]! }));
    },
  ),
];
