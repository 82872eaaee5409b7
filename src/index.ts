/** The public API. */
export { type AutoOptions, type AutoProgress, type AutoTrained, type AutoTrial, autoTrain } from "./auto.ts";
export * from "./browser.ts";
export { type CrossValidation, type CvFold, type CvOptions, cv, type FoldData } from "./cv.ts";
export { type CheckpointDirectory, checkpointDirectory } from "./formats/checkpoint-directory.ts";
export type { ResultColumnOptions } from "./formats/data/battle-columns.ts";
export type { BattleColumnOptions } from "./formats/data/battles-parser.ts";
export { type ReadClicksOptions, readClicks } from "./formats/data/click-log-files.ts";
export type { ClickLogOptions } from "./formats/data/click-log-parser.ts";
export { type ReadData, type ReadDataOptions, readData } from "./formats/data/read.ts";
export {
  type EachBattleOptions,
  eachBattle,
  type OrderedBattle,
  type ReadBattlesOptions,
  readBattles,
} from "./formats/data/read-battles.ts";
export { type ReadBinnedOptions, readBinned } from "./formats/data/read-binned.ts";
export { type ItemFeatureTable, readItemFeatures } from "./formats/data/read-item-features.ts";
export type { ColumnSummary } from "./formats/data/table-list.ts";
export { readModel, writeModel } from "./formats/models/files.ts";
export { loadMetric, loadObjective, loadTransform, type ModuleSource } from "./modules.ts";
export type { SearchChoices, SearchDimension, SearchRange, SearchSettings } from "./search-space.ts";
export { type TrainOptions, train } from "./train.ts";
export {
  type Candidate,
  type Candidates,
  type CandidatesOptions,
  candidatesOf,
  type TuneFold,
  type TuneOptions,
  type TuneProgress,
  type TuneResult,
  tune,
} from "./tune.ts";
