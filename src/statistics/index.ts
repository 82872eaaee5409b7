/** Tests and intervals over lists. */
export {
  type BootstrapMeanOptions,
  bootstrapDifference,
  bootstrapMean,
  type Interval,
  LEVEL,
  quantile,
  RESAMPLES,
} from "./bootstrap.ts";
export { type ChainConvergence, chainConvergence } from "./chains.ts";
export { type CompareValuesOptions, compareValues, type ValuesCompared } from "./compare-values.ts";
export { holm } from "./holm.ts";
export { type Paired, paired, winsTiesLosses } from "./paired.ts";
export { type Randomization, ROUNDS, randomizationTest } from "./randomization.ts";
export { Predictions, type Reliability, type ReliabilityBin } from "./reliability.ts";
