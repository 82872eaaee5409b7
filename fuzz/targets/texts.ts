/** Specs of models, objectives and metrics, and the small files that the command line reads. What is read must mean the same when it is written and read again. */
import { parseFeatureDefinitions } from "../../src/formats/models/feature-store.ts";
import { type Parity, parityText, parseParity } from "../../src/formats/models/parity.ts";
import { parseRun } from "../../src/formats/runs/trec.ts";
import { parseTrials, serializeTrial } from "../../src/formats/trials.ts";
import { parseValues, serializeValues } from "../../src/formats/values.ts";
import { metricList } from "../../src/metrics/index.ts";
import { learner } from "../../src/models/index.ts";
import { objective } from "../../src/objectives/index.ts";
import { dimension, dimensionText } from "../../src/search-space.ts";
import { answerOf, digestOf, Finding, type Target } from "../target.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A target that reads text; `read` gives what must be the same with and without kernels. */
export function target(
  id: string,
  seeds: readonly string[],
  words: string,
  read: (text: string, bytes: Uint8Array) => string,
): Target {
  return {
    ...{ id, seeds: () => seeds.map(encode), words: words.split(" ") },
    run: (bytes) => answerOf(() => ({ digest: digestOf(read(decode(bytes), bytes)), shape: "" })),
  };
}

/** A spec is its own spec. */
export function fixed(spec: string, again: string): string {
  if (spec !== again) throw new Finding(`the spec ${spec} is read as ${again}`);
  return spec;
}

const specWords =
  ": , = ( ) / ; @ - . 0 1 1e9 auto none all rounds leaves l2 learning-rate rate monotone categorical interaction-constraints feature-weights bag within-list optimizer sgd adam lbfgs hidden gain lin exp k";
const context = { data: "d", seed: 1 };
const values = { name: "a", lists: ["1", "2"], values: { "ndcg@10": Float64Array.of(0.5, 1) } };
const parity: Parity = {
  ...{ format: "tierwise parity", version: 1, target: "lightgbm", precision: "float64", tolerance: 0 },
  ...{ count: 3, columns: [0, 2], features: ["a", "b", "c"], rows: [[1, null], [0.5, 2]], scores: [0.5, -1] }, // biome-ignore format: one object
};

export const textTargets: readonly Target[] = [
  target(
    "spec-model",
    [
      "trees:rounds=300,leaves=31",
      "linear:optimizer=adam(rate=0.1),l2=1",
      "mlp:hidden=8/4,rate=0.1/0.01",
      "trees:monotone=(1-,2+),bag=3",
      "trees:interaction-constraints=(1,2)(2,3),feature-weights=(1=0.5)",
    ],
    specWords,
    (text) => fixed(learner(text).spec, learner(learner(text).spec).spec),
  ),
  target(
    "spec-objective",
    ["pl-partition", "lambdarank:metric=ndcg@10", "plrank:compress=0.5", "listmle", "davidson", "yetirank"],
    specWords,
    (text) => fixed(objective(text).spec, objective(objective(text).spec).spec),
  ),
  target("spec-metrics", ["ndcg@10,map,mrr", "ndcg@10;gain=lin,err@5", "precision@3;ties=worst"], specWords, (text) =>
    metricList(text)
      .map(({ spec }) => fixed(spec, metricList(spec).map((one) => one.spec).join(","))) // biome-ignore format: one chain
      .join(","),
  ),
  target(
    "search-range",
    ["0.01..0.1", "1..10/5", "0.001..1:log", "3,5,9", "a,b(c,d)"],
    ".. / : log linear , 1e-300 1e308",
    (text) => dimensionText(dimension("x", text, text.length % 2 === 0)),
  ),
  target("trec-run", ["1 Q0 d1 1 3.5 a\n1 Q0 d2 2 3 a\n2 Q0 d1 1 1 a\n"], "Q0 1 -1 nan inf 1e400 \t \n", (_, bytes) =>
    JSON.stringify(parseRun("file", bytes)),
  ),
  target(
    "trials",
    [
      `{"format":"tierwise trials","version":1,"data":"d","seed":1}\n${serializeTrial({
        ...{
          settings: { l2: "1" },
          model: "linear:l2=1",
          objective: "pl-partition",
          metrics: { "ndcg@10": 0.5 },
          rounds: [3, 4],
        },
      })}`,
    ],
    "{ } [ ] null \n version settings",
    (_, bytes) => {
      const { trials, whole } = parseTrials(bytes, "file", context);
      return trials.map(serializeTrial).join("") + whole;
    },
  ),
  target("values", [serializeValues(values)], "{ } [ ] null values lists", (text) => {
    const found = serializeValues(parseValues(text, "file"));
    return fixed(found, serializeValues(parseValues(found, "file")));
  }),
  target(
    "feature-definitions",
    ['[{"name":"a","field":"price"},{"name":"b","query":{"match":{"title":"{{keywords}}"}}}]'],
    "{ } [ ] null name field query {{x}}",
    (text) => JSON.stringify(parseFeatureDefinitions(text, "file")),
  ),
  target("parity", [parityText(parity)], "{ } [ ] null rows scores digest", (text) => {
    const found = parityText(parseParity(text, "file"));
    return fixed(found, parityText(parseParity(found, "file")));
  }),
];
