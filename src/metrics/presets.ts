/**
 * Presets: how other tools define metrics of the same name, one declaration per tool: `ndcg@10:lightgbm` is what LightGBM would print.
 *
 * A preset is a set of defaults for the options of a metric: what the tool does in all its metrics, then what it does in one. An option
 * that is given counts more (`ndcg@10:catboost;gain=exp`), and so does a cutoff: without one, a tool that has its own takes that. Metrics
 * that a tool does not have are not declared, and asking for one is a mistake. test/metric-presets.json holds values of the tools
 * themselves, which a test compares with ours.
 */
import type { Field } from "../part.ts";

type Defaults = Readonly<Record<string, string | number>>;

export interface Tool {
  /** As its makers write it. */
  readonly name: string;
  /** Of every metric. */
  readonly all: Defaults;
  /** By the id of the metric. */
  readonly metrics: Readonly<Record<string, Defaults>>;
}

/** The least label above 0.5: labels are kept in single precision. */
const ABOVE_HALF = 0.5 + 2 ** -24;

const boosted = { ties: "order", empty: "1" };
const top32 = { k: 32 }; // pairs of XGBoost's default objective

export const tools: Readonly<Record<string, Tool>> = {
  lightgbm: { name: "LightGBM", all: boosted, metrics: { ndcg: {}, map: { rel: ABOVE_HALF } } },
  xgboost: { name: "XGBoost", all: boosted, metrics: { ndcg: top32, map: top32, precision: { divisor: "min", empty: "0" } } },
  "xgboost-": { name: "XGBoost with a minus", all: { ...boosted, empty: "0" }, metrics: { ndcg: top32, map: top32 } },
  catboost: {
    name: "CatBoost",
    all: { ties: "worst", empty: "0" },
    metrics: {
      ndcg: { gain: "lin", empty: "1" },
      dcg: { gain: "lin" },
      map: { rel: ABOVE_HALF },
      mrr: { rel: ABOVE_HALF },
      precision: { rel: ABOVE_HALF, divisor: "min" },
      recall: { rel: ABOVE_HALF, empty: "1" },
      err: { stop: "label" },
    },
  },
  ranklib: {
    name: "RankLib",
    all: { ties: "order", empty: "0", k: 10 },
    metrics: { ndcg: {}, dcg: {}, map: { k: Infinity }, mrr: { k: Infinity }, err: {}, precision: { divisor: "min" } },
  },
  sklearn: {
    name: "scikit-learn",
    all: { ties: "expected", empty: "0" },
    metrics: { ndcg: { gain: "lin" }, dcg: { gain: "lin" } },
  },
  trec: {
    name: "trec_eval",
    all: { ties: "docno", empty: "0" },
    metrics: { ndcg: { gain: "lin" }, map: { divisor: "all" }, mrr: {}, precision: {}, recall: {} },
  },
  letor: {
    name: "the LETOR 3 and 4 scripts",
    all: { ties: "order", empty: "0" },
    metrics: { ndcg: { discount: "letor", short: "0" }, map: {}, precision: {} },
  },
  tfr: {
    name: "TensorFlow Ranking",
    all: { ties: "expected", empty: "0" },
    metrics: { ndcg: {}, dcg: {}, map: { divisor: "all" }, mrr: {}, precision: { divisor: "min" }, recall: {} },
  },
  ydf: {
    name: "YDF",
    all: { ties: "best", empty: "0", k: 5 },
    metrics: { ndcg: { ties: "expected" }, map: { rel: ABOVE_HALF, divisor: "found" }, mrr: { rel: ABOVE_HALF } },
  },
  allrank: { name: "allRank", all: boosted, metrics: { ndcg: {}, mrr: { first: "best" } } },
  ranx: {
    name: "ranx",
    all: { ties: "order", empty: "0" },
    metrics: { ndcg: { gain: "lin" }, map: { divisor: "all" }, mrr: {}, precision: {}, recall: {} },
  },
};

export const OURS = "tierwise";

/** The defaults that a tool has for a metric. */
export function presetDefaults(metric: string, tool: string): Defaults {
  return { ...tools[tool]?.all, ...tools[tool]?.metrics[metric] };
}

/** The option `as` of a metric, where any tool has that metric. */
export function presetField(metric: string): { readonly as?: Field<string> } {
  const known = [OURS, ...Object.keys(tools).filter((tool) => tools[tool]!.metrics[metric])];
  if (known.length === 1) return {};
  return {
    as: {
      about: `preset of another tool, also without a key (${metric}:${known[1]}): ${known.join(", ")}`,
      kind: `one of ${known.join(", ")}`,
      default: OURS,
      aliases: [],
      read: (value) => known.find((tool) => tool === String(value).toLowerCase()),
      write: String,
      preset: (tool) => presetDefaults(metric, tool),
    },
  };
}
