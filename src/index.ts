/** The public names. */
export { type BootstrapOptions, type Bootstrapped, bootstrap } from "./bootstrap.ts";
export { type CompareOptions, compareTies, TREATMENTS, type Treatment } from "./compare-ties.ts";
export { align } from "./data/align.ts";
export { type Ballot, type BallotOptions, ballots, toCatalogue } from "./data/ballots.ts";
export { concat } from "./data/concat.ts";
export { folds } from "./data/folds.ts";
export { type Joined, joinScores, type ListScores } from "./data/join-scores.ts";
export { split } from "./data/split.ts";
export { subset } from "./data/subset.ts";
export { type Summary, summary } from "./data/summary.ts";
export { type Evaluation, evaluate, evaluateScores, judged, score } from "./evaluate.ts";
export { type FitOptions, type Fitted, fit, type Round } from "./fit.ts";
export { type DataFormat, dataFormats, type ReadOptions } from "./formats/data/index.ts";
export { readData } from "./formats/data/read.ts";
export { readModel, writeModel } from "./formats/models/files.ts";
export { type ModelFile, modelText, parseModel, type Training } from "./formats/models/native.ts";
export { parseRun, type RunFile } from "./formats/runs/trec.ts";
export { type Change, type Difference, metricDifference } from "./metric-differences.ts";
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
export { type TieExposure, tieExposure } from "./tie-exposure.ts";
export { type TrainOptions, train } from "./train.ts";
export type * from "./types.ts";
