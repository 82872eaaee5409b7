/**
 * Blends models: one model whose score is a weighted sum of theirs. Weights are those under which the tiers of the validation lists are most
 * likely, that is, which minimize the mean pl-partition cost of the sum,
 *
 *   f(w) = 1/N Σ_lists cost(Σ_m w_m z_m) + RIDGE/2 |w|²   over w ≥ 0,
 *
 * with z_m the scores of model m over their deviation within lists. The cost is convex in the scores (the chance that one set of Gumbel
 * variables lies above another is log-concave in their locations), so there is one minimum. It is found by projected Newton steps with a Hessian
 * from differences of the gradient. The ridge shares the weight between models that say the same and bounds it where nothing is ranked wrongly.
 */
import { check, checkData, checkOptions, isNumbers, type Kinds, someMetrics, someModel } from "./arguments.ts";
import { type AlignOptions, align, alignKinds } from "./data/align.ts";
import { evaluateScores, score } from "./evaluate.ts";
import type { ModelFile, Training } from "./formats/models/native.ts";
import { describeValue, InputError } from "./input-error.ts";
import { type BlendMember, type BlendModel, blendModel, unionColumns } from "./models/blend.ts";
import { isUtilities } from "./models/index.ts";
import { cholesky, solve } from "./numeric/cholesky.ts";
import { random } from "./numeric/random.ts";
import { plPartition } from "./objectives/index.ts";
import { deviationWithinLists } from "./temperature.ts";
import { dataFacts } from "./training-record.ts";
import type { Dataset, Metric, Model } from "./types.ts";

/** How models are blended. */
export interface BlendOptions extends AlignOptions {
  /**
   * The weights of the scaled scores: those that make the tiers of the data most likely ("fit"), the same for all ("equal"), or an array of
   * numbers, 0 or above. Default: "fit".
   */
  readonly weights?: "fit" | "equal" | ArrayLike<number>;
  /** Metrics of the blend on these data, for the model file. Default: none. */
  readonly metrics?: readonly Metric[];
}

/** A blend and how it came to be. With `model`, `training` and `metrics` it is a model file: `writeModel(path, blended)`. */
export interface Blended extends ModelFile {
  /** The blend. */
  readonly model: BlendModel;
  /** How it was made, as model files record it. */
  readonly training: Training;
  /** Metrics of the data, by spec. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Weight of each model. */
  readonly weights: Float64Array;
  /** Mean cost of a list under the tier likelihood, of the blend. */
  readonly cost: number;
  /** The same of each model alone, its scores scaled to their best. */
  readonly costs: Float64Array;
}

const RIDGE = 1e-4;

const kinds: Kinds<BlendOptions> = {
  ...alignKinds,
  weights: {
    wanted: '"fit", "equal" or an array of numbers',
    fits: (value) => value === "fit" || value === "equal" || isNumbers(value),
  },
  metrics: someMetrics,
};

/**
 * Blends models, or what `train` and `readModel` give, by their scores on validation data, which no model should have been trained on. Data
 * are fitted to the columns of all models together (see `align`).
 *
 * ```ts
 * const { model, weights } = blend([trees, linear], validation);
 * ```
 */
export function blend(
  models: readonly (Model | Pick<ModelFile, "model" | "training">)[],
  data: Dataset,
  options: BlendOptions = {},
): Blended {
  const given = membersOf(models);
  checkData("blend", data);
  checkOptions("blend", options, kinds);
  const { weights: wanted = "fit", metrics = [], ...how } = options;
  const columns = unionColumns(given.map(({ model }) => model));
  const all = align(data, columns, how).data;
  const scores = given.map(({ model }) => score(model, all, { unknownFeatures: "ignore" }));
  const lists = Uint32Array.from({ length: all.starts.length - 1 }, (_, q) => q);
  const scales = scores.map((own) => deviationWithinLists(own, all, lists)).map((scale) => (scale === 0 ? 1 : scale));
  scales.forEach((scale, m) => {
    if (!Number.isFinite(scale))
      throw new InputError(`blend: the scores of model ${m + 1} (${given[m]!.name}) on these data are not finite numbers`);
  });
  const z = scores.map((own, m) => own.map((one) => one / scales[m]!));
  const costAt = tierCost(all);
  const weights = wanted === "fit" ? fitWeights(z, costAt) : givenWeights(wanted, given.length);
  if (!weights.some((weight) => weight > 0))
    throw new InputError(
      "blend: none of the models ranks these lists better than chance, so all weights are 0; give other data, or weights",
    );
  const members: BlendMember[] = given.map((one, m) => ({ ...one, weight: weights[m]!, scale: scales[m]! }));
  const model = blendModel(members, columns);
  const { cost } = costAt(z, weights);
  if (!Number.isFinite(cost))
    throw new InputError("blend: the weights are so large that the blended scores are not finite; give smaller ones");
  const training: Training = { model: "blend", objective: tiers.spec, cost, data: dataFacts(all) };
  return {
    ...{ model, training, weights, cost },
    costs: Float64Array.from(z, (own) => costAt([own], fitWeights([own], costAt)).cost),
    metrics: metrics.length > 0 ? evaluateScores(score(model, all), all, metrics).metrics : {},
  };
}

type Given = Pick<BlendMember, "name" | "model">;

function membersOf(models: readonly (Model | Pick<ModelFile, "model" | "training">)[]): Given[] {
  if (!Array.isArray(models)) throw new InputError(`blend: expected an array of models, got ${describeValue(models)}`);
  if (models.length < 2) throw new InputError(`blend: expected two models or more, got ${models.length}`);
  return models.map((one: unknown, m): Given => {
    const file = typeof one === "object" && one !== null && "model" in one ? (one as Partial<ModelFile>) : undefined;
    const model = (file ? file.model : one) as Model;
    check(`blend, model ${m + 1}`, model, someModel);
    if (model.labelSpace || isUtilities(model))
      throw new InputError(
        `blend, model ${m + 1}: a model of kind ${model.id} scores items by themselves and not by features, and cannot be blended`,
      );
    const name = file?.training?.model;
    return { name: typeof name === "string" ? name : model.id, model };
  });
}

function givenWeights(weights: "equal" | ArrayLike<number>, count: number): Float64Array {
  if (typeof weights === "string") return new Float64Array(count).fill(1 / count);
  const all = Array.from(weights);
  if (all.length !== count)
    throw new InputError(`blend, option weights: expected a weight for each of the ${count} models, got ${all.length}`);
  const odd = all.findIndex((weight) => !(Number.isFinite(weight) && weight >= 0));
  if (odd >= 0) throw new InputError(`blend, option weights: expected numbers of at least 0, got ${describeValue(all[odd])}`);
  if (!all.some((weight) => weight > 0)) throw new InputError("blend, option weights: all are 0; give one of them more");
  return Float64Array.from(all);
}

type Cost = (z: readonly Float64Array[], weights: Float64Array) => { readonly cost: number; readonly gradient: Float64Array };

const tiers = plPartition();
const quiet = random(0); // the cost is exact and draws nothing

/** The mean cost of a list under a weighted sum of scores, and its gradient by weight. */
export function tierCost({ starts, labels, listWeights }: Dataset): Cost {
  return (z, weights) => {
    const slopes = new Float64Array(z.length);
    let [cost, total] = [0, 0];
    for (let q = 0; q + 1 < starts.length; q++) {
      const [from, to] = [starts[q]!, starts[q + 1]!];
      const sum = new Float64Array(to - from);
      z.forEach((own, m) => {
        for (let i = 0; i < sum.length; i++) sum[i]! += weights[m]! * own[from + i]!;
      });
      const gradient = new Float64Array(sum.length);
      const weight = listWeights?.[q] ?? 1;
      cost += weight * tiers.evaluate(sum, labels.subarray(from, to), { gradient }, quiet);
      total += weight;
      z.forEach((own, m) => {
        let slope = 0;
        for (let i = 0; i < sum.length; i++) slope += gradient[i]! * own[from + i]!;
        slopes[m]! += weight * slope;
      });
    }
    const over = Math.max(total, Number.MIN_VALUE);
    return { cost: cost / over, gradient: slopes.map((slope) => slope / over) };
  };
}

const ROUNDS = 100;
const CONVERGED = 1e-9; // of the gradient, per list
const DIFFERENCE = 1e-5; // of weights, for the Hessian

/** The non-negative weights with the least cost. */
export function fitWeights(z: readonly Float64Array[], costAt: Cost): Float64Array {
  const at = (w: Float64Array): Point => {
    const { cost, gradient } = costAt(z, w);
    const square = w.reduce((sum, one) => sum + one * one, 0);
    return { value: cost + (RIDGE / 2) * square, slope: gradient.map((one, m) => one + RIDGE * w[m]!) };
  };
  let w: Float64Array = new Float64Array(z.length).fill(1 / z.length);
  let now = at(w);
  for (let round = 0; round < ROUNDS; round++) {
    const free = Array.from(w.keys()).filter((m) => w[m]! > 0 || now.slope[m]! < 0);
    if (free.every((m) => Math.abs(now.slope[m]!) < CONVERGED)) break;
    const newton = newtonStep(w, now.slope, free, (moved) => at(moved).slope);
    const next = descend(w, now, newton, at) ?? descend(w, now, now.slope.map((one) => -one), at); // biome-ignore format: two ways down
    if (!next) break; // the cost falls no more within rounding
    [w, now] = [next.w, next.now];
  }
  return w;
}

/** The Newton step of the free weights; the others stay. */
function newtonStep(
  w: Float64Array,
  slope: Float64Array,
  free: readonly number[],
  slopeAt: (w: Float64Array) => Float64Array,
): Float64Array {
  const n = free.length;
  const hessian = new Float64Array(n * n);
  free.forEach((m, j) => {
    const moved = w.slice();
    moved[m]! += DIFFERENCE;
    const there = slopeAt(moved);
    free.forEach((k, i) => {
      const second = (there[k]! - slope[k]!) / DIFFERENCE / 2;
      hessian[i * n + j]! += second; // both halves of the symmetric matrix
      hessian[j * n + i]! += second;
    });
  });
  const step = new Float64Array(w.length);
  if (!cholesky(hessian, n)) return step;
  const x = Float64Array.from(free, (m) => -slope[m]!);
  solve(hessian, n, x);
  free.forEach((m, i) => {
    step[m] = x[i]!;
  });
  return step;
}

interface Point {
  readonly value: number;
  readonly slope: Float64Array;
}

/** The longest of ever shorter steps in a direction, cut off at 0, that lowers the cost enough; undefined if none does. */
function descend(
  w: Float64Array,
  { value, slope }: Point,
  direction: Float64Array,
  at: (w: Float64Array) => Point,
): { w: Float64Array; now: Point } | undefined {
  for (let length = 1; length > 1e-9; length /= 2) {
    const moved = w.map((one, m) => Math.max(0, one + length * direction[m]!));
    const expected = moved.reduce((sum, one, m) => sum + slope[m]! * (one - w[m]!), 0);
    if (!(expected < 0)) return undefined;
    const there = at(moved);
    if (there.value <= value + 1e-4 * expected) return { w: moved, now: there };
  }
  return undefined;
}
