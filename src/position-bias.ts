/** Position bias from a log of clicks: the probability that a position is examined, relative to the first, by one of four estimates or the best of them. */
import { checkOptions, fraction, oneOf, someData } from "./arguments.ts";
import { cascade } from "./clicks/cascade.ts";
import { heldOutLikelihood, preferred, splitLog } from "./clicks/choose-method.ts";
import { type ClickLog, checkLog } from "./clicks/click-log.ts";
import { clickRates, designOf, entriesOf, rawFeatures } from "./clicks/document-features.ts";
import { type Exposures, exposuresOf } from "./clicks/exposures.ts";
import { type Harvested, harvest } from "./clicks/harvest.ts";
import { pairwiseBias } from "./clicks/pairwise-bias.ts";
import { regressionEm } from "./clicks/regression-em.ts";
import { InputError } from "./input-error.ts";
import { exp } from "./numeric/functions.ts";
import { normalQuantile } from "./numeric/normal.ts";
import type { Dataset } from "./types.ts";

/** How position bias is estimated. */
export type BiasMethod = "harvest" | "cascade" | "em" | "pairwise";

/** The methods, by name. */
export const biasMethods: readonly BiasMethod[] = ["harvest", "cascade", "em", "pairwise"];

/** Options of `positionBias`. */
export interface PositionBiasOptions {
  /**
   * harvest: documents that were shown at several positions. cascade: users who read from the top, the dependent click model. em: regression-based EM.
   * pairwise: as Unbiased LambdaMART. auto: the one that predicts held-out clicks best, of those for which the log and the features suffice. Default: "auto".
   */
  readonly method?: BiasMethod | "auto";
  /** Features of the documents, lists and items named as in the log; em and pairwise need them. */
  readonly features?: Dataset;
  /** Level of the intervals. Default: 0.95. */
  readonly level?: number;
}

/** How a method predicts clicks that it has not seen. */
export interface TriedMethod {
  /** The method. */
  readonly method: BiasMethod;
  /** Mean log-likelihood of the clicks of a held-out impression. */
  readonly logLikelihood: number;
}

/** The probability that a position is examined, relative to the first. */
export interface PositionBias {
  /** The method. */
  readonly method: BiasMethod;
  /** Names of the positions. */
  readonly positions: readonly string[];
  /** By position: the propensity, 1 for the first. */
  readonly propensities: Float64Array;
  /** Lower ends of intervals, clustered by query; harvest has them. */
  readonly low?: Float64Array;
  /** Upper ends of the intervals. */
  readonly high?: Float64Array;
  /** By position: how many documents were shown. */
  readonly shown: Float64Array;
  /** By position: how many were clicked. */
  readonly clicks: Float64Array;
  /** By position: how many of the clicks were on documents that were also shown elsewhere, of which harvest learns. */
  readonly compared?: Float64Array;
  /** By query of the log, then position: the influence of the query on log propensities, of which harvest makes standard errors. */
  readonly influence?: Float64Array;
  /** The methods that were compared, where the method was chosen. */
  readonly tried?: readonly TriedMethod[];
  /** Cascade: the probability that the next document is examined after one that was not clicked. */
  readonly proceed?: number;
  /** Cascade: the same after a click. */
  readonly afterClick?: number;
  /** Cascade, by entry of the log: the probability that it was examined, given the clicks above it. */
  readonly entries?: Float64Array;
}

/** Estimates position bias from a log. */
export function positionBias(log: ClickLog, options: PositionBiasOptions = {}): PositionBias {
  checkLog("positionBias", log);
  checkOptions("positionBias", options, { method: oneOf("auto", ...biasMethods), features: someData, level: fraction });
  const { features, level = 0.95, method = "auto" } = options;
  if (!log.clicked.includes(1)) throw new InputError("positionBias: the log has no clicks");
  if (method !== "auto") return estimate(log, exposuresOf(log), method, features, level);
  const chosen = choose(log, features);
  return { ...estimate(log, exposuresOf(log), chosen.method, features, level), ...(chosen.tried && { tried: chosen.tried }) };
}

/** The method that predicts held-out clicks best, of those that can be used on the log; without a comparison where one only can. */
function choose(log: ClickLog, features: Dataset | undefined): Pick<PositionBias, "method" | "tried"> {
  if (!harvest(exposuresOf(log), log.queries.length)) return { method: features ? "em" : "harvest" };
  const { fitted, heldOut } = splitLog(log);
  const seen = exposuresOf(fitted);
  const { shown, clicks } = totals(seen);
  if (heldOut.query.length < 2 || !harvest(seen, log.queries.length)) return { method: "harvest" };
  const isRegressed = features !== undefined && clicks[0]! > 0 && shown.every((count) => count > 0);
  const methods = isRegressed ? biasMethods : biasMethods.slice(0, 2);
  const likelihoods = methods.map((method) =>
    heldOutLikelihood(fitted, seen, estimate(fitted, seen, method, features, 0.95), heldOut),
  );
  const mean = (all: Float64Array) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const tried = methods.map((method, at) => ({ method, logLikelihood: mean(likelihoods[at]!) }));
  return { method: methods[preferred(likelihoods)]!, tried };
}

function estimate(
  log: ClickLog,
  counts: Exposures,
  method: BiasMethod,
  features: Dataset | undefined,
  level: number,
): PositionBias {
  const about = { positions: log.positions, ...totals(counts) };
  if (method === "em" || method === "pairwise") return regressed(log, counts, method, features, about);
  const found = harvest(counts, log.queries.length);
  if (!found)
    throw new InputError(
      `positionBias: no clicked document was shown at two positions, which ${method} needs; use em, with features of the documents`,
    );
  return method === "cascade" ? cascaded(log, counts, about) : { method, ...about, ...curveOf(log, found, level) };
}

type About = Pick<PositionBias, "positions" | "shown" | "clicks">;

function regressed(
  log: ClickLog,
  counts: Exposures,
  method: "em" | "pairwise",
  data: Dataset | undefined,
  about: About,
): PositionBias {
  if (!data) throw new InputError(`positionBias: the method ${method} needs features of the documents`);
  if (about.clicks[0] === 0)
    throw new InputError(`positionBias: there is no click at the first position, to which ${method} relates the others`);
  const entries = entriesOf("positionBias", log, counts, data);
  const design = designOf(clickRates(counts), rawFeatures(data.features), entries);
  const propensities = method === "em" ? regressionEm(counts, design) : pairwiseBias(log, counts, design);
  return { method, ...about, propensities };
}

function totals({ positions, position, shown, clicked }: Exposures): { shown: Float64Array; clicks: Float64Array } {
  const found = { shown: new Float64Array(positions), clicks: new Float64Array(positions) };
  for (let c = 0; c < position.length; c++) {
    found.shown[position[c]!]! += shown[c]!;
    found.clicks[position[c]!]! += clicked[c]!;
  }
  return found;
}

/** Propensities with intervals. */
function curveOf({ queries, positions }: ClickLog, { logs, clicks: compared, influence }: Harvested, level: number) {
  const z = normalQuantile((1 + level) / 2);
  const errors = logs.map((_, k) => {
    let square = 0;
    for (let q = 0; q < queries.length; q++) square += influence[q * positions.length + k]! ** 2;
    return Math.sqrt(square);
  });
  const end = (sign: number) => logs.map((one, k) => exp(one + sign * z * errors[k]!));
  return { propensities: logs.map(exp), low: end(-1), high: end(1), compared, influence };
}

function cascaded(log: ClickLog, counts: Exposures, about: About): PositionBias {
  const { examined, propensities: entries, proceed, afterClick } = cascade(log, counts);
  const [first] = examined as unknown as [number];
  return { method: "cascade", ...about, propensities: examined.map((one) => one / first), proceed, afterClick, entries };
}

/** Refuses a bias that does not belong to the log. */
export function checkBias(who: string, bias: unknown, { positions, position }: ClickLog): asserts bias is PositionBias {
  const value = bias as Partial<PositionBias> | null;
  if (typeof value !== "object" || value === null || !(value.propensities instanceof Float64Array))
    throw new InputError(`${who}: expected bias as positionBias gives it`);
  if (value.propensities.length !== positions.length)
    throw new InputError(`${who}: the log has ${positions.length} positions and the bias ${value.propensities.length}`);
  if (value.entries && value.entries.length !== position.length)
    throw new InputError(
      `${who}: a cascade is that of its own log, which has ${value.entries.length} entries, and this one ${position.length}`,
    );
}

/** The propensity of each entry of the log, at least 1 / clip. */
export function entryPropensities({ position }: ClickLog, { propensities, entries }: PositionBias, clip: number): Float64Array {
  const least = 1 / clip;
  return Float64Array.from(position, (k, e) => Math.max(entries ? entries[e]! : propensities[k]!, least));
}
