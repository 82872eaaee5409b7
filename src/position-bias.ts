/** Position bias from a log of clicks: the probability that a position is examined, relative to the first, by one of four estimates. */
import { checkOptions, fraction, oneOf, someData } from "./arguments.ts";
import { type ClickLog, checkLog } from "./clicks/click-log.ts";
import { designOf, entriesOf } from "./clicks/document-features.ts";
import { clicksAbove, type Exposures, exposuresOf } from "./clicks/exposures.ts";
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
   * harvest: documents that were shown at several positions. cascade: the same, with what was clicked above as context. em: regression-based EM.
   * pairwise: as Unbiased LambdaMART. Default: harvest where documents moved, else em.
   */
  readonly method?: BiasMethod;
  /** Features of the documents, lists and items named as in the log; em and pairwise need them. */
  readonly features?: Dataset;
  /** Level of the intervals. Default: 0.95. */
  readonly level?: number;
}

/** The probability that a position is examined, relative to the first. */
export interface PositionBias {
  /** The method. */
  readonly method: BiasMethod;
  /** Names of the positions. */
  readonly positions: readonly string[];
  /** By position: the propensity, 1 for the first. With cascade, the mean over impressions. */
  readonly propensities: Float64Array;
  /** Lower ends of intervals, clustered by query; harvest and cascade have them. */
  readonly low?: Float64Array;
  /** Upper ends of the intervals. */
  readonly high?: Float64Array;
  /** By position: how many documents were shown. */
  readonly shown: Float64Array;
  /** By position: how many were clicked. */
  readonly clicks: Float64Array;
  /** By position: how many of the clicks were on documents that were also shown elsewhere, of which harvest and cascade learn. */
  readonly compared?: Float64Array;
  /** Cascade: the propensity by position where nothing above was clicked. */
  readonly withoutClick?: Float64Array;
  /** Cascade: the factor by the number of positions since the last click above; 1 for none, which comes first. */
  readonly afterClick?: Float64Array;
  /** By query of the log, then position and context: the influence of the query on log propensities, of which standard errors are made. */
  readonly influence?: Float64Array;
}

/** Estimates position bias from a log. */
export function positionBias(log: ClickLog, options: PositionBiasOptions = {}): PositionBias {
  checkLog("positionBias", log);
  checkOptions("positionBias", options, { method: oneOf(...biasMethods), features: someData, level: fraction });
  const { features, level = 0.95 } = options;
  const counts = exposuresOf(log, options.method === "cascade" ? clicksAbove(log) : undefined);
  const { shown, clicks } = totals(counts);
  if (clicks.every((count) => count === 0)) throw new InputError("positionBias: the log has no clicks");
  const about = { positions: log.positions, shown, clicks };
  if (options.method === "em" || options.method === "pairwise") return regressed(log, counts, options.method, features, about);
  const found = harvest(counts, log.queries.length);
  if (found) return { method: options.method ?? "harvest", ...about, ...curveOf(log, counts, found, level) };
  if (options.method === undefined && features) return regressed(log, counts, "em", features, about);
  throw new InputError(
    `positionBias: no clicked document was shown at two positions, which ${options.method ?? "harvest"} needs; use em, with features of the documents`,
  );
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
  const design = designOf(counts, data, entriesOf("positionBias", log, counts, data));
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

/** The mean propensity of each position over the contexts in which it was shown, with intervals. */
function curveOf({ queries }: ClickLog, counts: Exposures, { logs, clicks: compared, influence }: Harvested, level: number) {
  const { positions, contexts, position, context, shown } = counts;
  const mass = new Float64Array(positions * contexts);
  for (let c = 0; c < position.length; c++)
    mass[position[c]! * contexts + context[c]!]! += shown[c]! * exp(logs[position[c]!]! + logs[positions + context[c]!]!);
  const { shown: all } = totals(counts);
  const sums = Float64Array.from({ length: positions }, (_, k) =>
    mass.subarray(k * contexts, (k + 1) * contexts).reduce((sum, one) => sum + one, 0),
  );
  const first = sums[0]! / all[0]!;
  const propensities = sums.map((sum, k) => sum / all[k]! / first);
  const z = normalQuantile((1 + level) / 2);
  const n = positions + contexts;
  const errors = propensities.map((_, k) => {
    let square = 0;
    for (let q = 0; q < queries.length; q++) {
      let moved = influence[q * n + k]!;
      for (let x = 1; x < contexts; x++) moved += (mass[k * contexts + x]! / sums[k]!) * influence[q * n + positions + x]!;
      square += moved * moved;
    }
    return Math.sqrt(square);
  });
  const end = (sign: number) => propensities.map((p, k) => p * exp(sign * z * errors[k]!));
  const cascade = contexts > 1 && {
    withoutClick: logs.slice(0, positions).map(exp),
    afterClick: logs.slice(positions).map(exp),
  };
  return { propensities, low: end(-1), high: end(1), compared, influence, ...cascade };
}

/** Refuses a bias that does not belong to the log. */
export function checkBias(who: string, bias: unknown, { positions }: ClickLog): asserts bias is PositionBias {
  const value = bias as Partial<PositionBias> | null;
  if (typeof value !== "object" || value === null || !(value.propensities instanceof Float64Array))
    throw new InputError(`${who}: expected bias as positionBias gives it`);
  if (value.propensities.length !== positions.length)
    throw new InputError(`${who}: the log has ${positions.length} positions and the bias ${value.propensities.length}`);
}

/** The propensity of each entry of the log, at least 1 / clip. */
export function entryPropensities(log: ClickLog, bias: PositionBias, clip: number): Float64Array {
  const { withoutClick, afterClick, propensities } = bias;
  const least = 1 / clip;
  if (!withoutClick || !afterClick) return Float64Array.from(log.position, (k) => Math.max(propensities[k]!, least));
  const above = clicksAbove(log);
  return Float64Array.from(log.position, (k, e) =>
    Math.max(withoutClick[k]! * afterClick[Math.min(above[e]!, afterClick.length - 1)]!, least),
  );
}
