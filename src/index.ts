/** The public names. */
export { type Baseline, type BaselineOptions, baselines, bestFeature } from "./baselines.ts";
export { type BootstrapOptions, type Bootstrapped, bootstrap } from "./bootstrap.ts";
export { type ComparedMetric, type Comparison, type ComparisonOptions, compare, type Difference, measured } from "./compare.ts";
export { type CompareOptions, compareTies, TREATMENTS, type Treatment } from "./compare-ties.ts";
export { align } from "./data/align.ts";
export { type Ballot, type BallotOptions, ballots, toCatalogue } from "./data/ballots.ts";
export { concat } from "./data/concat.ts";
export { folds } from "./data/folds.ts";
export { split } from "./data/split.ts";
export { subset } from "./data/subset.ts";
export { type Summary, summary } from "./data/summary.ts";
export { type Bend as EffectBend, type Effect, type EffectOptions, type Effects, effects } from "./effects.ts";
export { type Evaluation, evaluate, evaluateScores, score } from "./evaluate.ts";
export { type FitOptions, type Fitted, fit, type Round } from "./fit.ts";
export { type DataFormat, dataFormats, type ReadOptions } from "./formats/data/index.ts";
export { readData } from "./formats/data/read.ts";
export { readModel, writeModel } from "./formats/models/files.ts";
export { type ModelFile, modelText, parseModel, type Training } from "./formats/models/native.ts";
export { type Measured, parseValues, valuesText } from "./formats/values.ts";
export { historyText, parseHistory } from "./history.ts";
export * from "./metrics/index.ts";
export { Mistake } from "./mistake.ts";
export {
  type Chances,
  chances,
  isUtilities,
  learner,
  linear,
  models,
  trees,
  type UtilitiesModel,
  utilities,
} from "./models/index.ts";
export * from "./objectives/index.ts";
export * from "./optimizers/index.ts";
export { type Part, part } from "./part.ts";
export { type Ranked, type RankedItem, rank } from "./rank.ts";
export {
  type BootstrapMeanOptions,
  bootstrapDifference,
  bootstrapMean,
  type CompareValuesOptions,
  compareValues,
  holm,
  type Interval,
  type Randomization,
  randomizationTest,
  type ValuesCompared,
} from "./statistics/index.ts";
export { type TrainOptions, train } from "./train.ts";
export type * from "./types.ts";
