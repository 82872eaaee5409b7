/** The public API that does not need Node and is also available in browsers: everything except files and threads. */
export { type Baseline, type BaselineOptions, type BestFeature, baselines, bestFeature } from "./baselines.ts";
export { type Blended, type BlendOptions, blend } from "./blend.ts";
export { type BootstrapOptions, type BootstrapResult, bootstrap } from "./bootstrap.ts";
export { type Calibration, type CalibrationOptions, type CalibrationResult, calibrate } from "./calibrate.ts";
export { type ChainDiagnostics, type ChainDiagnosticsOptions, chainDiagnostics } from "./chain-diagnostics.ts";
export { type CheckpointOptions, type CheckpointStore, TrainingInterrupted } from "./checkpoint.ts";
export { type ClickData, type ClickDataOptions, clickData } from "./click-data.ts";
export { type ClickLog, type ClickRow, clickLog } from "./clicks/click-log.ts";
export { type SimulateClicksOptions, type SimulatedClicks, simulateClicks } from "./clicks/simulate.ts";
export {
  type ChangedList,
  type ComparedMetric,
  type Comparison,
  type ComparisonOptions,
  compare,
  type SystemDifference,
  systemValues,
} from "./compare.ts";
export { type CompareTiesOptions, compareTies, TIE_TREATMENTS, type TieTreatment } from "./compare-ties.ts";
export {
  type Counterfactual,
  type CounterfactualEstimate,
  type CounterfactualOptions,
  counterfactualDcg,
} from "./counterfactual.ts";
export { type AlignedData, type AlignOptions, align, type UnknownFeatures } from "./data/align.ts";
export { type AbsentItems, alignItems, type Ballot, type BallotOptions, ballots } from "./data/ballots.ts";
export { type Battle, type Battles, type BattlesOptions, battles, NO_SLICE } from "./data/battles.ts";
export type { FeatureStorage } from "./data/blocks.ts";
export { type BuildRowsOptions, build, type Row } from "./data/build.ts";
export type { BuildOptions } from "./data/builder.ts";
export type { ArrowTable, DataColumns } from "./data/column-rows.ts";
export { concat } from "./data/concat.ts";
export { type Column, type DatasetOptions, dataset } from "./data/dataset.ts";
export { type DatasetFold, folds, foldsFromParts } from "./data/folds.ts";
export type { ItemOptions } from "./data/items.ts";
export { type JoinedScores, type JoinOptions, joinScores, type ListScores } from "./data/join-scores.ts";
export { type LabelSetOptions, labelSets } from "./data/label-sets.ts";
export type { DataPart } from "./data/parts.ts";
export {
  type AcyclicGraph,
  breakCycles,
  findCycles,
  type Preference,
  type PreferenceGraph,
  preferenceGraph,
  topologicalOrder,
} from "./data/preference-graph.ts";
export type { RowSink, RowsRead, RowWindow } from "./data/row-sink.ts";
export { split } from "./data/split.ts";
export { subset } from "./data/subset.ts";
export { type DataSummary, summary } from "./data/summary.ts";
export { type ClickOptions, tiersFromClicks } from "./data/tiers-from-clicks.ts";
export { type PairOptions, type PairTiers, tiersFromPairs } from "./data/tiers-from-pairs.ts";
export { type RatingOptions, type TierLabels, tiersFromRatings } from "./data/tiers-from-ratings.ts";
export { type Effect, type EffectOptions, type EffectPoint, type Effects, effects } from "./effects.ts";
export { type Evaluation, type EvaluationScores, evaluate, evaluateScores, evaluationScores, score } from "./evaluate.ts";
export { type ExplainedItem, explain, type FeatureContribution, whyAbove } from "./explain.ts";
export { type FitOptions, type Fitted, fit, type TrainingRound } from "./fit.ts";
export type { Scorer } from "./formats/data/columns.ts";
export type { DatasetReaderOptions } from "./formats/data/dataset-reader.ts";
export type { DataFormat } from "./formats/data/format.ts";
export { type DataFormatId, dataFormats } from "./formats/data/formats.ts";
export { type MemoryFile, type ParsedData, parseData } from "./formats/data/parse.ts";
export type { ReadOptions } from "./formats/data/read-options.ts";
export { checkModel, type ExportedModel, type ExportOptions, exportModel } from "./formats/models/export.ts";
export {
  type FeatureDefinition,
  type FeatureStore,
  type FeatureStoreOptions,
  featureStore,
  parseFeatureDefinitions,
} from "./formats/models/feature-store.ts";
export type { Exported, Imported, ModelFormat, WriteOptions } from "./formats/models/format.ts";
export { modelFormats } from "./formats/models/formats.ts";
export { type ImportedModel, type ImportOptions, importModel } from "./formats/models/import.ts";
export {
  type ModelFile,
  parseModel,
  type ReadModelOptions,
  type SearchedTrial,
  serializeModel,
  type Training,
  type TrainingSearch,
} from "./formats/models/native.ts";
export { type Parity, type ParityCheck, parityText, parseParity } from "./formats/models/parity.ts";
export type {
  Portable,
  PortableLayer,
  PortableLinear,
  PortableNetwork,
  PortableStandardization,
  PortableTrees,
} from "./formats/models/shared/portable.ts";
export { parseRun, type RunFile } from "./formats/runs/trec.ts";
export {
  type ParsedTrials,
  parseTrials,
  serializeTrial,
  serializeTrialsHeader,
  type Trial,
  type TrialContext,
} from "./formats/trials.ts";
export { parseValues, type SystemValues, serializeValues } from "./formats/values.ts";
export { parseHistory, serializeHistory } from "./history.ts";
export { InputError } from "./input-error.ts";
export { type Inspection, type InspectOptions, type InspectWarning, inspect } from "./inspect.ts";
export type { DriftedFeature } from "./inspect-drift.ts";
export {
  type CompareInterleavedOptions,
  compareInterleaved,
  type Interleaved,
  type InterleavedCompared,
  type InterleavedImpression,
  type InterleaveMethod,
  type InterleaveOptions,
  interleave,
} from "./interleave.ts";
export { type InterleavedModels, type InterleavingLog, type InterleavingText, parseInterleavingLog } from "./interleaving-log.ts";
export {
  type Leaderboard,
  type LeaderboardItem,
  type LeaderboardOptions,
  type LeaderboardParameter,
  leaderboard,
} from "./leaderboard.ts";
export {
  type LeaderboardChange,
  type LeaderboardChanges,
  type LeaderboardChangesOptions,
  leaderboardChanges,
} from "./leaderboard-changes.ts";
export { type CompareBattleModelsOptions, compareBattleModels, type ModelComparison } from "./leaderboard-compare.ts";
export type { Cycle } from "./leaderboard-cycles.ts";
export { type LeaderboardDrift, type LeaderboardDriftOptions, leaderboardDrift } from "./leaderboard-drift.ts";
export { LEADERBOARD_ERRORS, type LeaderboardErrors } from "./leaderboard-errors.ts";
export {
  type FeatureLeaderboard,
  type ItemFeatures,
  type LeaderboardFeaturesOptions,
  leaderboardWithFeatures,
} from "./leaderboard-features.ts";
export { type LeaderboardFit, type LeaderboardFitOptions, leaderboardFit, type PairResiduals } from "./leaderboard-fit.ts";
export {
  type FirstPlaceClusters,
  type FirstPlaceRemoval,
  type LeaderboardInfluence,
  type LeaderboardInfluenceOptions,
  leaderboardInfluence,
  type RemovedBattles,
} from "./leaderboard-influence.ts";
export { type Judge, type JudgedLeaderboard, leaderboardWithJudges } from "./leaderboard-judges.ts";
export {
  leaderboardOfRankings,
  type RankingLeaderboard,
  type RankingLeaderboardItem,
  type RankingLeaderboardOptions,
} from "./leaderboard-rankings.ts";
export type { LeaderboardRating } from "./leaderboard-ratings.ts";
export { leaderboardBySlice, type SlicedLeaderboard } from "./leaderboard-slices.ts";
export { type MetricChange, type MetricDifference, metricDifference } from "./metric-differences.ts";
export * from "./metrics/index.ts";
export {
  type BlendMember,
  type BlendModel,
  type ChancesOptions,
  type CoordinateAscentOptions,
  coordinateAscent,
  isBlend,
  isTrees,
  isUtilities,
  type LabelTreeOptions,
  type LemlOptions,
  type LinearOptions,
  labelTree,
  learner,
  leml,
  linear,
  type MlpOptions,
  mlp,
  models,
  type RankIntervals,
  type SleecOptions,
  sleec,
  type Transforms,
  type Tree,
  type TreesModel,
  type TreesOptions,
  trees,
  type Uncertainty,
  type UtilitiesFit,
  type UtilitiesModel,
  type UtilitiesOptions,
  type UtilityProbabilities,
  utilities,
  utilityProbabilities,
  type WithinListOptions,
} from "./models/index.ts";
export type { TreeSum } from "./models/trees/sum.ts";
export {
  type NextPair,
  type NextPairs,
  type NextPairsOptions,
  nextPairs,
  nextPairsOf,
  type UncertainUtilities,
} from "./next-pairs.ts";
export * from "./objectives/index.ts";
export {
  type CompareRatingsOptions,
  compareRatings,
  type RatingsComparison,
  type RatingsScore,
  type TimedBattle,
} from "./online-compare.ts";
export {
  continueRatings,
  type OnlineRatings,
  onlineRatings,
  type RatedBattle,
  type RatedItem,
  type RatingsState,
  type TieredContest,
} from "./online-ratings.ts";
export * from "./optimizers/index.ts";
export { type AnyPart, type Field, type Fields, field, type NonDefault, type NumberLimits, type Part, part } from "./part.ts";
export {
  type FeatureImportance,
  type PermutationImportance,
  type PermutationImportanceOptions,
  permutationImportance,
} from "./permutation-importance.ts";
export {
  type BiasMethod,
  biasMethods,
  type PositionBias,
  type PositionBiasOptions,
  positionBias,
  type TriedMethod,
} from "./position-bias.ts";
export {
  type Probabilities,
  type ProbabilitiesOptions,
  probabilities,
  type RankedItemProbabilities,
  type RankedProbabilities,
  type RankProbabilitiesOptions,
  rankProbabilities,
} from "./probabilities.ts";
export {
  type Ranked,
  type RankedItem,
  type RankedObject,
  type RankItemsOptions,
  type RankOptions,
  rank,
} from "./rank.ts";
export { type RankClientList, type RankClientOptions, type RankedRows, rankOverHttp } from "./rank-client.ts";
export * from "./ratings/index.ts";
export { type ScoreRowsOptions, scoreRows } from "./score-rows.ts";
export {
  type BootstrapMeanOptions,
  bootstrapDifference,
  bootstrapMean,
  type ChainConvergence,
  type CompareValuesOptions,
  chainConvergence,
  compareValues,
  holm,
  type Interval,
  type Randomization,
  type Reliability,
  type ReliabilityBin,
  randomizationTest,
  type ValuesCompared,
} from "./statistics/index.ts";
export { fitTemperature, type Temperature } from "./temperature.ts";
export { type TieExposure, tieExposure } from "./tie-exposure.ts";
export type * from "./types.ts";
export {
  type ClusterCount,
  type VoterCluster,
  type VoterClusters,
  type VoterClustersOptions,
  voterClusters,
} from "./voter-clusters.ts";
export { type FeatureChange, type ItemMove, type Place, whatIf } from "./what-if.ts";
