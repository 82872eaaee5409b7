/** The public names. */
export { type BootstrapOptions, type Bootstrapped, bootstrap } from "./bootstrap.ts";
export { type Calibrated, type Calibration, type CalibrationOptions, calibrate } from "./calibrate.ts";
export {
  type ComparedMetric,
  type Comparison,
  type ComparisonOptions,
  compare,
  measured,
  type SystemDifference,
} from "./compare.ts";
export { type CompareOptions, compareTies, TREATMENTS, type Treatment } from "./compare-ties.ts";
export { type CrossValidation, type CvFold, type CvOptions, cv, type FoldData } from "./cv.ts";
export { align } from "./data/align.ts";
export { type Ballot, type BallotOptions, ballots, toCatalogue } from "./data/ballots.ts";
export { concat } from "./data/concat.ts";
export { folds, foldsOf } from "./data/folds.ts";
export { split } from "./data/split.ts";
export { subset } from "./data/subset.ts";
export { type Summary, summary } from "./data/summary.ts";
export { type Evaluation, evaluate, evaluateScores, score } from "./evaluate.ts";
export { type FitOptions, type Fitted, fit, type Round } from "./fit.ts";
export { type DataFormat, dataFormats, type ReadOptions } from "./formats/data/index.ts";
export { readData } from "./formats/data/read.ts";
export { readModel, writeModel } from "./formats/models/files.ts";
export { type ModelFile, modelText, parseModel, type Training } from "./formats/models/native.ts";
export { type Measured, parseValues, valuesText } from "./formats/values.ts";
export * from "./metrics/index.ts";
export { Mistake } from "./mistake.ts";
export {
  type Chances,
  chances,
  coordinateAscent,
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
export {
  type LikelyItem,
  type LikelyRanked,
  type Probabilities,
  type ProbabilitiesOptions,
  probabilities,
  rankProbabilities,
} from "./probabilities.ts";
export { type Ranked, type RankedItem, rank } from "./rank.ts";
export {
  type Bin,
  type BootstrapMeanOptions,
  bootstrapDifference,
  bootstrapMean,
  type CompareValuesOptions,
  compareValues,
  holm,
  type Interval,
  type Randomization,
  type Reliability,
  randomizationTest,
  type ValuesCompared,
} from "./statistics/index.ts";
export { fitTemperature, type Temperature } from "./temperature.ts";
export { type TrainOptions, train } from "./train.ts";
export type * from "./types.ts";
