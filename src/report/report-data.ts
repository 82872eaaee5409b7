/** The data of a report: the model, the evaluation data, and the other systems evaluated on them. */
import { baselines, frequencyTop } from "../baselines.ts";
import type { AlignOptions } from "../data/align.ts";
import { topLists } from "../data/top-lists.ts";
import { type Evaluation, evaluate, evaluateScores } from "../evaluate.ts";
import type { TrainingRound } from "../fit.ts";
import type { ModelFile } from "../formats/models/native.ts";
import { columnName } from "../models/shared/columns.ts";
import { random } from "../numeric/random.ts";
import type { PositionBias } from "../position-bias.ts";
import { bootstrapMean, type Interval } from "../statistics/index.ts";
import type { Dataset, Metric, Model } from "../types.ts";
import { placesOf } from "../validation-metrics.ts";

/** Data with the name that the caller gives them, such as the files they came from. */
export interface NamedData {
  /** Name of the data. */
  readonly name: string;
  /** The data. */
  readonly data: Dataset;
}

/** Another model on the same lists, whose data are fitted to its own columns. */
export interface OtherModel extends NamedData {
  /** The model. */
  readonly model: Model;
}

/** What a report is about. */
export interface ReportOptions extends AlignOptions {
  /** Name of the model, such as that of its file. */
  readonly name: string;
  /** The model file. */
  readonly file: ModelFile;
  /** Evaluation data; without it the report only describes the model. */
  readonly judged?: NamedData;
  /** What the evaluation data were in training; the report warns if the result is optimistic. Default: unknown. */
  readonly role?: "test" | "validation" | "training";
  /** Training data, for learning curves and for choosing the best single feature as a baseline. Default: none. */
  readonly train?: NamedData;
  /** Rounds of the training, for learning curves. Default: none. */
  readonly history?: readonly TrainingRound[];
  /** Other models to compare with. Default: none. */
  readonly against?: readonly OtherModel[];
  /** Position bias of a log of clicks, as `positionBias` gives it, which is drawn. Default: none. */
  readonly bias?: PositionBias;
  /** Metrics to report. Plots show the first. */
  readonly metrics: readonly Metric[];
  /** Commands that reproduce the model. Default: none. */
  readonly commands?: readonly string[];
  /** Version of the program to print. */
  readonly version?: string;
  /** Seed of the resampling. Default: 1. */
  readonly seed?: number;
}

/** Who is judged: the model itself, other models, and what any model should beat. */
export interface System {
  readonly name: string;
  readonly about: string;
  readonly role: "model" | "rival" | "baseline";
  readonly result: Evaluation;
}

export interface ReportData extends ReportOptions {
  readonly judged: NamedData;
  /** The model first. */
  readonly systems: readonly System[];
  readonly main: Metric;
}

export function evaluateSystems(options: ReportOptions & { readonly judged: NamedData }): ReportData {
  const { name, file, judged, train, against = [], metrics } = options;
  const { data } = judged;
  const { model } = file;
  const others: System[] = against.map((other) => ({
    name: other.name,
    about: "another model",
    role: "rival",
    result: evaluate(
      other.model,
      other.data,
      metrics,
      options.unknownFeatures ? { unknownFeatures: options.unknownFeatures } : {},
    ),
  }));
  return {
    ...options,
    main: metrics[0]!,
    systems: [
      { name, about: "this model", role: "model", result: evaluate(model, data, metrics) },
      ...others,
      ...(data.labelSpaceSize === undefined
        ? featureBaselines(model, data, metrics, train?.data)
        : frequencyBaseline(model, data, metrics)),
    ],
  };
}

function featureBaselines(model: Model, data: Dataset, metrics: readonly Metric[], train: Dataset | undefined): System[] {
  const nameOf = (c: number) => columnName(model.columns, c);
  return baselines(data, { metric: metrics[0]!, nameOf, ...(train ? { train } : {}) }).map(({ name, about, scores }) => ({
    ...{ name, about, role: "baseline" as const },
    result: evaluateScores(scores, data, metrics),
  }));
}

function frequencyBaseline({ labelSpace }: Model, data: Dataset, metrics: readonly Metric[]): System[] {
  if (!labelSpace) return [];
  const top = frequencyTop(data, labelSpace.frequency, placesOf(metrics, labelSpace.count));
  const found = topLists(data, top, labelSpace.frequency);
  const about = "the same items for every list";
  return [
    { name: "most frequent in training", about, role: "baseline", result: evaluateScores(found.scores, found.data, metrics) },
  ];
}

/** The values of lists, or of voters where equal ballots are one list, and their weights if any. */
export function units({ judged: { data } }: ReportData, values: Float64Array): { values: Float64Array; weights?: Float32Array } {
  const { items, labelSpaceSize, listWeights: weights } = data;
  if (!weights) return { values };
  const voters = weights.reduce((sum, weight) => sum + weight, 0);
  if (!items || labelSpaceSize !== undefined || voters > 1e5 || weights.some((weight) => !Number.isInteger(weight)))
    return { values, weights };
  return { values: Float64Array.from(Array.from(values, (value, q) => new Array<number>(weights[q]!).fill(value)).flat()) };
}

/** The mean of a metric with its interval over lists; none for a ratio of means, which lists do not add up to. */
export function meanOf(found: ReportData, { result }: System, metric: Metric): Interval {
  const { seed = 1 } = found;
  const { values, mean, skipped, lists } = result.details[metric.spec]!;
  if (metric.ideal)
    return { mean, low: Number.NaN, high: Number.NaN, error: Number.NaN, lists: lists - skipped, leftOut: skipped };
  const { values: each, weights } = units(found, values);
  const interval = bootstrapMean(each, { random: random(seed), ...(weights && { weights }) });
  return { ...interval, mean };
}
