/**
 * What chooses the best round of a training and stops it early: a metric of the validation data, their loss under the objective, or the mean
 * of either over the last rounds.
 *
 *   loss                the mean cost of the validation lists under the objective of the training, without regularization
 *   ndcg@10             a metric
 *   smooth(ndcg@10,5)   the mean of rounds r - 4 to r; rounds before the fifth have none, and are kept only if no later one comes
 *
 * A metric of few lists is noisy, and a lucky round looks best; a likelihood of the same lists is much less so.
 */
import { InputError, quote } from "./input-error.ts";
import { metric } from "./metrics/index.ts";
import { models } from "./models/index.ts";
import { Heap } from "./numeric/heap.ts";
import { random } from "./numeric/random.ts";
import { isBuiltBy } from "./part.ts";
import { firstList, summedBlocks } from "./teams/blocks.ts";
import type { Dataset, Learner, Metric, Objective, RoundOutputs, Team } from "./types.ts";

/**
 * What decides where nothing is said. "first-metric": the first metric. "likelihood": the loss under objectives that are likelihoods with an
 * exact cost, where it can be computed, and the first metric under all others and for learners of one's own, which may not report what a loss
 * needs.
 */
export type DefaultStopOn = "first-metric" | "likelihood";

/** The default of all that trains. */
export const DEFAULT_STOP_ON: DefaultStopOn = "likelihood";

/** The default in words, for help texts. */
export const DEFAULT_STOP_ON_TEXT: string = {
  "first-metric": "the first metric",
  likelihood: "loss under likelihoods, else the first metric",
}[DEFAULT_STOP_ON];

/** What a text such as "smooth(ndcg@10,5)" says. */
export interface StopOn {
  /** In canonical form, as model files hold it. */
  readonly spec: string;
  /** Absent: the loss. */
  readonly metric?: Metric;
  /** Number of rounds that the mean is over. */
  readonly window: number;
}

const SMOOTH = /^smooth\s*\((.*),\s*([^,()]*)\)$/s;

/** Reads a text; `metrics` are found by their spec before others. `who` begins errors. */
export function parseStopOn(who: string, text: string, metrics: readonly Metric[]): StopOn {
  const [, inner, count] = SMOOTH.exec(text.trim()) ?? [];
  const plain = (inner ?? text).trim();
  const window = inner === undefined ? 1 : Number(count!.trim() || Number.NaN);
  if (plain === "" || /^smooth\b/.test(plain))
    throw new InputError(`${who}: expected loss, a metric, or a mean over rounds such as smooth(ndcg@10,5), got ${quote(text)}`);
  if (inner !== undefined && !(Number.isSafeInteger(window) && window >= 2))
    throw new InputError(`${who}: expected a whole number of at least 2 rounds to smooth over, got ${quote(count!.trim())}`);
  const found = plain === "loss" ? undefined : (metrics.find(({ spec }) => spec === plain) ?? named(who, plain));
  return stopOn(found, window);
}

function named(who: string, text: string): Metric {
  try {
    return metric(text);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${who}: expected loss or a metric; ${error.message}`) : error;
  }
}

function stopOn(found: Metric | undefined, window: number): StopOn {
  const plain = found?.spec ?? "loss";
  return { spec: window === 1 ? plain : `smooth(${plain},${window})`, window, ...(found && { metric: found }) };
}

/** A training, as far as it says what decides. */
export interface StopOnOptions {
  readonly stopOn?: string | undefined;
  readonly metrics: readonly Metric[];
  readonly model: Learner;
  readonly objective: Objective;
  readonly valid?: Dataset | undefined;
}

/** What decides in a training, given or by default; undefined where nothing does, so that the last round is kept. `who` begins errors. */
export function stopOnFor(who: string, { stopOn: text, metrics, model, objective, valid }: StopOnOptions): StopOn | undefined {
  const given = text === undefined ? undefined : parseStopOn(who, text, metrics);
  if (!valid || model.converges?.(objective)) return undefined;
  const against = noLoss(model, objective, valid);
  if (given && !given.metric && against) throw new InputError(`${who}: ${against}; name a metric instead`);
  if (given) return given;
  if (DEFAULT_STOP_ON === "likelihood" && objective.likelihood && !against && isBuiltBy(models, model))
    return stopOn(undefined, 1);
  if (metrics.length === 0) throw new InputError("validation data are given, but no metric to evaluate on them");
  return stopOn(metrics[0], 1);
}

/** Why there is no loss, or undefined. */
function noLoss(model: Learner, objective: Objective, valid: Dataset): string | undefined {
  if (model.cost) return `the model ${model.id} has a cost of its own (${model.cost}) and no loss of validation data`;
  if (valid.labelSpaceSize !== undefined) return "the loss of validation data is not computed for multi-label data";
  if (objective.cost === "none") return `the objective ${objective.spec} cannot compute its cost`;
  return undefined;
}

/** Which round was kept, in words: "143 (the best of 200 by held-out loss)". */
export function roundsText(best: number | undefined, rounds: number, spec: string | undefined): string {
  const by = spec === undefined ? "" : ` by ${stopOnText(spec)}`;
  return best === rounds ? `${rounds}` : `${best} (the best of ${rounds}${by})`;
}

/** In words: "held-out loss", "ndcg@10", "ndcg@10, mean of 5 rounds". */
export function stopOnText(spec: string): string {
  const [, inner, count] = SMOOTH.exec(spec) ?? [];
  const plain = inner ?? spec;
  return `${plain === "loss" ? "held-out loss" : plain}${inner === undefined ? "" : `, mean of ${count} rounds`}`;
}

/** Whether a value is better than the best before it. What is not a number is never better, and anything is better than it. */
export function improvesOn({ metric: by }: StopOn, now: number, before: number): boolean {
  return (by?.better === "higher" ? now > before : now < before) || Number.isNaN(before);
}

/** The mean of the last `window` values; NaN until there are as many. */
export function smoother({ window }: StopOn): { add(value: number): number; restart(): void; values(): readonly number[] } {
  const last: number[] = [];
  return {
    add(value) {
      last.push(value);
      if (last.length > window) last.shift();
      return last.length < window ? Number.NaN : last.reduce((sum, one) => sum + one, 0) / window;
    },
    restart() {
      last.length = 0;
    },
    values: () => last,
  };
}

const DRAWS = 0x10e5; // keeps random numbers of the loss apart from those of the training

/**
 * Computes the loss of the validation data: the mean over lists, weighted as in training. A list draws the same random numbers in every
 * round, so that rounds are comparable. NaN if no list says anything.
 */
export function lossEvaluator(team: Team, data: Dataset, objective: Objective, seed: number) {
  const { starts, labels, listWeights, itemWeights } = data;
  const { outputs, auxiliary } = objective;
  const blocks = summedBlocks(data, team.processes);
  const { bounds } = blocks;
  const firstOfAll = firstList(data);
  const heap = new Heap();
  let longest = 0;
  for (let q = 0; q + 1 < starts.length; q++) longest = Math.max(longest, starts[q + 1]! - starts[q]!);
  const size = longest * outputs + auxiliary.length;
  const [gradients, spare] = [heap.f64(size), heap.f64(size)];

  const loss = ({ scores, auxiliary: learned }: RoundOutputs): number => {
    const sums = team.sum(blocks, 3, (block, into) => {
      for (let q = bounds[block]!; q < bounds[block + 1]!; q++) {
        const [from, to] = [starts[q]!, starts[q + 1]!];
        const n = (to - from) * outputs;
        const weight = listWeights ? listWeights[q]! : 1;
        let own = scores.subarray(from * outputs, to * outputs);
        if (auxiliary.length > 0) {
          spare.set(own);
          spare.set(learned, n);
          own = spare.subarray(0, n + auxiliary.length);
        }
        const gradient = gradients.subarray(0, own.length);
        const cost = objective.evaluate(
          own,
          labels.subarray(from, to),
          { gradient },
          random(seed, DRAWS, firstOfAll + q),
          itemWeights?.subarray(from, to),
        );
        into[0]! += weight * cost;
        into[1]! += weight;
        if (into[2] === 0 && gradient.some((one) => one !== 0)) into[2] = weight;
      }
    });
    return sums[2]! > 0 || sums[0]! !== 0 ? sums[0]! / sums[1]! : Number.NaN;
  };
  return { loss, close: () => heap.close() };
}
