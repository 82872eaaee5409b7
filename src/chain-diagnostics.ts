/**
 * Do the Markov chains behind a sampled gradient (`pmop-gibbs`, `pmop-mh`) mix? At the scores of a model, several chains from random starts are run
 * at stages of random lists, and the logarithm of the potential is followed: R-hat compares the chains, and the effective sample size says how
 * many independent draws a step of the chain is worth.
 */
import { checkOptions, type Kinds, required, seedNumber, someObjective, wholeFrom } from "./arguments.ts";
import { aligned } from "./evaluate.ts";
import { InputError } from "./input-error.ts";
import { random, shuffle } from "./numeric/random.ts";
import { quantile } from "./statistics/bootstrap.ts";
import { chainConvergence } from "./statistics/chains.ts";
import type { Dataset, Model, Objective } from "./types.ts";

/** Which chains are run. */
export interface ChainDiagnosticsOptions {
  /** An objective that samples, `pmopGibbs()` or `pmopMh()`. */
  readonly objective: Objective;
  /** Number of chains at each stage. Default: 4. */
  readonly chains?: number;
  /** Steps of each chain. Default: 1000. */
  readonly steps?: number;
  /** The most stages, one of each of so many random lists. Default: 50. */
  readonly stages?: number;
  /** Random seed. Default: 1. */
  readonly seed?: number;
}

/** How well the chains mix, over stages. */
export interface ChainDiagnostics {
  /** Number of stages at which chains were run. */
  readonly stages: number;
  /** Number of chains at each. */
  readonly chains: number;
  /** Steps of each chain. */
  readonly steps: number;
  /** Split R-hat: the median over stages, and the largest. */
  readonly rHat: {
    /** The median. */
    readonly median: number;
    /** The largest. */
    readonly max: number;
  };
  /** Independent draws that one step is worth: the median over stages, and the least. */
  readonly effectivePerStep: {
    /** The median. */
    readonly median: number;
    /** The least. */
    readonly min: number;
  };
  /** Steps that training takes at each stage. */
  readonly trainingSteps: number;
}

const kinds: Kinds<ChainDiagnosticsOptions> = {
  objective: required(someObjective),
  ...{ chains: wholeFrom(2), steps: wholeFrom(4), stages: wholeFrom(1), seed: seedNumber },
};

/** Runs the chains of a sampling objective at the scores of a model. */
export function chainDiagnostics(model: Model, data: Dataset, options: ChainDiagnosticsOptions): ChainDiagnostics {
  const fitted = aligned("chainDiagnostics", model, data, {});
  checkOptions("chainDiagnostics", options, kinds);
  const { objective, chains = 4, steps = 1000, stages = 50, seed = 1 } = options;
  const { chains: subset, spec } = objective;
  if (!subset)
    throw new InputError(`chainDiagnostics: expected an objective with Markov chains, pmop-gibbs or pmop-mh, got ${spec}`);
  if (data.labelSpaceSize !== undefined)
    throw new InputError("chainDiagnostics: expected lists of judged items or ballots, got multi-label data");
  const scores = new Float64Array(fitted.labels.length);
  model.score(fitted, scores);

  const { starts, labels } = fitted;
  const lists = shuffle(Uint32Array.from({ length: starts.length - 1 }, (_, q) => q), random(seed)); // biome-ignore format: one step
  const found: { rHat: number; effective: number }[] = [];
  for (const q of lists) {
    if (found.length === stages) break;
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const own = labels.subarray(from, to);
    const draw = random(seed, q);
    const count = subset.stages(own);
    if (count < 1) continue;
    const stage = Math.floor(draw() * count);
    const traces = Array.from({ length: chains }, () => {
      const trace = new Float64Array(steps);
      subset.trace(scores.subarray(from, to), own, stage, draw, trace);
      return trace;
    });
    const { rHat, effectiveSize } = chainConvergence(traces);
    found.push({ rHat, effective: effectiveSize / (chains * steps) });
  }
  return { ...summary(found), chains, steps, trainingSteps: subset.steps };
}

/** Stages whose draws never change (all subsets have one potential) are NaN and do not count. */
function summary(found: readonly { rHat: number; effective: number }[]) {
  const defined = found.filter(({ rHat }) => !Number.isNaN(rHat));
  const rHats = defined.map(({ rHat }) => rHat);
  const effective = defined.map((one) => one.effective);
  const none = defined.length === 0;
  const median = (values: readonly number[]) => (none ? Number.NaN : quantile(Float64Array.from(values).sort(), 0.5));
  return {
    stages: defined.length,
    rHat: { median: median(rHats), max: none ? Number.NaN : Math.max(...rHats) },
    effectivePerStep: { median: median(effective), min: none ? Number.NaN : Math.min(...effective) },
  };
}
