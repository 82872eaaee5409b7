/** The public names that need nothing of Node, so that a browser has them too: all but files and threads. */
export { type Baseline, type BaselineOptions, baselines, bestFeature } from "./baselines.ts";
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
export { align } from "./data/align.ts";
export { type Ballot, type BallotOptions, ballots, toCatalogue } from "./data/ballots.ts";
export { type BuildOptions, build, type Row } from "./data/build.ts";
export { concat } from "./data/concat.ts";
export { folds, foldsOf } from "./data/folds.ts";
export { type Joined, joinScores, type ListScores } from "./data/join-scores.ts";
export { split } from "./data/split.ts";
export { subset } from "./data/subset.ts";
export { type Summary, summary } from "./data/summary.ts";
export { type Bend as EffectBend, type Effect, type EffectOptions, type Effects, effects } from "./effects.ts";
export { type Evaluation, evaluate, evaluateScores, judged, score } from "./evaluate.ts";
export { type FitOptions, type Fitted, fit, type Round } from "./fit.ts";
export { type DataFormat, dataFormats, type ReadOptions } from "./formats/data/index.ts";
export { type MemoryFile, parseData } from "./formats/data/parse.ts";
export { checkModel, type ExportedModel, type ExportOptions, exportModel } from "./formats/models/export.ts";
export {
  type FeatureDefinition,
  type FeatureStore,
  type FeatureStoreOptions,
  featureStore,
  parseFeatureDefinitions,
} from "./formats/models/feature-store.ts";
export type { ModelFormat, WriteOptions } from "./formats/models/format.ts";
export { modelFormats } from "./formats/models/formats.ts";
export { type ImportedModel, type ImportOptions, importModel } from "./formats/models/import.ts";
export { type ModelFile, modelText, parseModel, type Training } from "./formats/models/native.ts";
export { type Parity, type ParityCheck, parityText, parseParity } from "./formats/models/parity.ts";
export { parseRun, type RunFile } from "./formats/runs/trec.ts";
export { headText, parseTrials, type Trial, trialText } from "./formats/trials.ts";
export { type Measured, parseValues, valuesText } from "./formats/values.ts";
export { historyText, parseHistory } from "./history.ts";
export { type Change, type Difference, metricDifference } from "./metric-differences.ts";
export * from "./metrics/index.ts";
export { Mistake } from "./mistake.ts";
export {
  type Chances,
  chances,
  coordinateAscent,
  isUtilities,
  learner,
  leml,
  linear,
  mlp,
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
export { scoreRows } from "./score-rows.ts";
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
export { type TieExposure, tieExposure } from "./tie-exposure.ts";
export type * from "./types.ts";
