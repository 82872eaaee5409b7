/**
 * The laws of objectives: the gradient is the slope of the cost, the hessian the slope of the gradient, permuting items permutes the answer,
 * lists with nothing to learn cost nothing, large scores stay finite, weights scale the cost. Each is skipped only by what the objective
 * declares about itself.
 */
import { InputError } from "../input-error.ts";
import { random as seeded } from "../numeric/random.ts";
import type { Objective, Random } from "../types.ts";
import { close, finite, type Law, type List, showList, Violation } from "./laws.ts";

/** How strictly an objective is checked. */
export interface ObjectiveCheckOptions {
  /** Multiplies all allowed differences, for objectives that compute in single precision. Default: 1. */
  readonly tolerance?: number;
}

type ObjectiveLaw = Law<Objective, Required<ObjectiveCheckOptions>>;

const STEP = 1e-4; // of finite differences
const SLOPE = 2e-6; // what they may differ by, relative to 1 + |slope|
const SIZES = [
  { items: 2, grades: 2, weighted: false },
  { items: 5, grades: 3, weighted: false },
  { items: 9, grades: 4, weighted: true },
  { items: 12, grades: 12, weighted: true },
] as const;

interface DrawOptions {
  readonly items: number;
  readonly grades: number;
  readonly spread?: number;
  readonly weighted?: boolean;
}

function draw(objective: Objective, random: Random, { items, grades, spread = 2, weighted = false }: DrawOptions): List {
  const { outputs, auxiliary, reduction } = objective;
  const most = Math.min(grades, reduction?.values.length ?? grades);
  const labels = Float32Array.from({ length: items }, () => Math.floor(random() * most));
  const scores = Float64Array.from({ length: items * outputs + auxiliary.length }, (_, i) => {
    const parameter = auxiliary[i - items * outputs];
    return parameter ? parameter.initial + 0.1 * random() : spread * (2 * random() - 1);
  });
  return weighted ? { scores, labels, weights: Float32Array.from({ length: items }, () => 0.2 + random()) } : { scores, labels };
}

interface Answer {
  readonly cost: number;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

/** What the objective says of a list. Entries that it does not write stay NaN. */
function answer(objective: Objective, { scores, labels, weights }: List, seed = 5): Answer {
  const gradient = new Float64Array(scores.length).fill(Number.NaN);
  const hessian = new Float64Array(scores.length).fill(Number.NaN);
  const cost = objective.evaluate(scores, labels, { gradient, hessian }, seeded(seed), weights);
  return { cost, gradient, hessian };
}

const shifted = (list: List, i: number, by: number): List => {
  const scores = list.scores.slice();
  scores[i] = scores[i]! + by;
  return { ...list, scores };
};

/** The central difference of what the objective says when score i moves. */
const slopeOf = (objective: Objective, list: List, i: number, of: (answer: Answer) => number, step = STEP) =>
  (of(answer(objective, shifted(list, i, step))) - of(answer(objective, shifted(list, i, -step)))) / (2 * step);

/** What must be finite of an answer: a hessian of "none" need not be written. */
function allFinite({ hessian: declared }: Objective, { cost, gradient, hessian }: Answer, list: List): void {
  finite("the cost", [cost], list);
  finite("gradient", gradient, list);
  if (declared !== "none") finite("hessian", hessian, list);
}

const always = () => true;

/** All laws of objectives. */
export const objectiveLaws: readonly ObjectiveLaw[] = [
  {
    name: "evaluate changes neither scores nor labels nor weights",
    applies: always,
    check(objective, _, random) {
      const list = draw(objective, random, { items: 9, grades: 4, weighted: true });
      const before = showList(list);
      answer(objective, list);
      if (showList(list) !== before) throw new Violation(`${before} became ${showList(list)}`);
    },
  },
  {
    name: "the same list and seed give the same answer",
    applies: always,
    check(objective, _, random) {
      const list = draw(objective, random, { items: 9, grades: 4, weighted: true });
      const [once, again] = [answer(objective, list), answer(objective, list)];
      close("the cost of the second call", again.cost, once.cost, 0, list);
      once.gradient.forEach((value, i) => {
        close(`gradient[${i}] of the second call`, again.gradient[i]!, value, 0, list);
      });
    },
  },
  {
    name: "the gradient is the slope of the cost",
    applies: ({ gradient, cost }) => gradient !== "heuristic" && gradient !== "none" && cost !== "none",
    check(objective, { tolerance }, random) {
      for (const size of SIZES) {
        const list = draw(objective, random, size);
        const { gradient } = answer(objective, list);
        // A sampled cost is a function of the scores for a fixed seed.
        gradient.forEach((value, i) => {
          close(
            `gradient[${i}]`,
            value,
            slopeOf(objective, list, i, ({ cost }) => cost),
            2 * SLOPE * tolerance,
            list,
          );
        });
      }
    },
  },
  {
    name: "the hessian is the slope of the gradient",
    applies: ({ hessian }) => hessian === "exact",
    check(objective, { tolerance }, random) {
      for (const size of SIZES.slice(0, 3)) {
        const list = draw(objective, random, size);
        const { hessian } = answer(objective, list);
        for (let i = 0; i < size.items * objective.outputs; i++) {
          const slope = slopeOf(objective, list, i, ({ gradient }) => gradient[i]!);
          close(`hessian[${i}]`, hessian[i]!, slope, 2 * SLOPE * tolerance, list);
        }
      }
    },
  },
  {
    name: "the bound on the hessian is finite and not negative",
    applies: ({ hessian }) => hessian === "bound",
    check(objective, _, random) {
      for (let round = 0; round < 20; round++) {
        const list = draw(objective, random, { items: 8, grades: 4, spread: 5, weighted: round % 2 === 1 });
        answer(objective, list)
          .hessian.subarray(0, 8 * objective.outputs)
          .forEach((value, i) => {
            if (!(value >= 0 && value < Infinity)) throw new Violation(`hessian[${i}] is ${value} (${showList(list)})`);
          });
      }
    },
  },
  {
    name: "the slope of the gradient stays within the bound on the hessian",
    applies: ({ hessian, gradient }) => hessian === "bound" && gradient === "exact",
    check(objective, { tolerance }, random) {
      for (let round = 0; round < 10; round++) {
        const list = draw(objective, random, { items: 8, grades: 4, weighted: round % 2 === 1 });
        const { hessian } = answer(objective, list);
        for (let i = 0; i < 8 * objective.outputs; i++) {
          const slope = slopeOf(objective, list, i, ({ gradient }) => gradient[i]!, 1e-6);
          if (!(slope <= hessian[i]! * (1 + 1e-6 * tolerance) + 1e-6 * tolerance))
            throw new Violation(`the slope of gradient[${i}] is ${slope}, above the bound ${hessian[i]} (${showList(list)})`);
        }
      }
    },
  },
  {
    name: "cost and gradient are the same when the hessian is not wanted",
    applies: always,
    check(objective, _, random) {
      const list = draw(objective, random, { items: 9, grades: 4 });
      const whole = answer(objective, list);
      const gradient = new Float64Array(list.scores.length).fill(Number.NaN);
      const cost = objective.evaluate(list.scores, list.labels, { gradient }, seeded(5));
      close("the cost without the hessian", cost, whole.cost, 0, list);
      gradient.forEach((value, i) => {
        close(`gradient[${i}] without the hessian`, value, whole.gradient[i]!, 0, list);
      });
    },
  },
  {
    name: "permuting the items permutes the answer",
    applies: ({ gradient, cost }) => gradient !== "sampled" && cost !== "sampled",
    check(objective, { tolerance }, random) {
      const order = [4, 2, 6, 0, 1, 5, 3];
      const k = objective.outputs;
      // Where the given order breaks ties, only lists without ties can keep this.
      const labels = objective.ties === "order" ? Float32Array.of(3, 0, 6, 2, 5, 1, 4) : Float32Array.of(1, 0, 2, 2, 0, 1, 0);
      const list = { ...draw(objective, random, { items: 7, grades: 3, weighted: true }), labels };
      const from = (at: number) => (at < 7 * k ? order[Math.floor(at / k)]! * k + (at % k) : at);
      const permuted = {
        scores: list.scores.map((_, at) => list.scores[from(at)]!),
        labels: labels.map((_, at) => labels[order[at]!]!),
        weights: list.weights!.map((_, at) => list.weights![order[at]!]!),
      };
      const [one, other] = [answer(objective, list), answer(objective, permuted)];
      const near = 1e-11 * tolerance;
      close("the cost of the permuted list", other.cost, one.cost, near, permuted);
      for (let at = 0; at < 7 * k; at++) {
        close(`gradient[${at}] of the permuted list`, other.gradient[at]!, one.gradient[from(at)]!, near, permuted);
        if (objective.hessian !== "none")
          close(`hessian[${at}] of the permuted list`, other.hessian[at]!, one.hessian[from(at)]!, near, permuted);
      }
    },
  },
  {
    name: "lists of no item, of one, and of one tier cost nothing where a tie is no event, and give no NaN",
    applies: always,
    check(objective) {
      for (const tier of [[], [1], [0], [2, 2], [0, 0, 0, 0]]) {
        const labels = Float32Array.from(tier);
        const count = labels.length * objective.outputs + objective.auxiliary.length;
        const list = { scores: Float64Array.from({ length: count }, (_, i) => 0.3 * i + 0.1), labels };
        const found = answer(objective, list);
        allFinite(objective, found, list);
        if (objective.ties === "event") continue;
        close("the cost", found.cost, 0, 0, list);
        found.gradient.forEach((value, i) => {
          if (value !== 0) throw new Violation(`gradient[${i}] is ${value}, expected 0 (${showList(list)})`);
        });
        if (objective.hessian === "none") continue;
        found.hessian.forEach((value, i) => {
          if (value !== 0) throw new Violation(`hessian[${i}] is ${value}, expected 0 (${showList(list)})`);
        });
      }
    },
  },
  {
    name: "scores of size 10,000 stay finite",
    applies: always,
    check(objective, _, random) {
      for (const spread of [1000, 10_000])
        for (let round = 0; round < 10; round++) {
          const list = draw(objective, random, { items: 12, grades: 4, spread, weighted: round % 2 === 1 });
          allFinite(objective, answer(objective, list), list);
        }
    },
  },
  {
    name: "labels that are none of its grades are refused with an InputError",
    applies: ({ reduction }) => reduction !== undefined,
    check(objective, _, random) {
      for (const label of [-1, 0.5, objective.reduction!.values.length, Number.NaN]) {
        const list = { ...draw(objective, random, { items: 3, grades: 2 }), labels: Float32Array.of(0, 1, label) };
        if (!refuses(() => answer(objective, list))) throw new Violation(`label ${label} is accepted (${showList(list)})`);
      }
    },
  },
  {
    name: "real-valued, negative and many different labels give finite answers",
    applies: ({ reduction }) => reduction === undefined,
    check(objective, _, random) {
      const list = draw(objective, random, { items: 150, grades: 150 });
      for (const labels of [list.labels, list.labels.map((label) => label / 7 - 3)])
        allFinite(objective, answer(objective, { ...list, labels }), { ...list, labels });
    },
  },
  {
    name: "weights of one change nothing, and weights of two double cost and gradient",
    applies: always,
    check(objective, { tolerance }, random) {
      const list = draw(objective, random, { items: 9, grades: 4 });
      const [ones, twos] = [1, 2].map((value) => ({ ...list, weights: new Float32Array(9).fill(value) })) as [List, List];
      const plain = answer(objective, list);
      for (const [weighted, factor, near] of [[ones, 1, 0], [twos, 2, 1e-11 * tolerance]] as const) {
        const found = answer(objective, weighted);
        close(`the cost with weights of ${factor}`, found.cost, factor * plain.cost, near, weighted);
        found.gradient.forEach((value, i) => {
          close(`gradient[${i}] with weights of ${factor}`, value, factor * plain.gradient[i]!, near, weighted);
        });
      } // biome-ignore format: pairs
    },
  },
  {
    name: "the items of label 0 enter the cost as `negatives` declares",
    applies: ({ negatives }) => negatives !== undefined,
    check(objective, { tolerance }, random) {
      for (const grades of [1, 3]) negativesEnter(objective, grades, tolerance, random);
    },
  },
  {
    name: "where pairs are declared, the cost is their sum, and their derivatives are its slopes",
    applies: ({ pairs }) => pairs !== undefined,
    check(objective, { tolerance }, random) {
      for (const size of SIZES) sumsOverPairs(objective, draw(objective, random, size), tolerance);
    },
  },
  {
    name: "two halves of 20,000 sampled gradients have the same mean, within four standard errors",
    applies: ({ gradient }) => gradient === "sampled",
    check(objective, _, random) {
      const list = draw(objective, random, { items: 4, grades: 2 });
      const [one, other] = [0, 1].map((half) => momentsOf(objective, list, half)) as [Moments, Moments];
      one.mean.forEach((mean, i) => {
        const error = Math.sqrt(one.variance[i]! + other.variance[i]!);
        if (!(Math.abs(mean - other.mean[i]!) <= 4 * error + 1e-12))
          throw new Violation(
            `the means of gradient[${i}] are ${mean} and ${other.mean[i]}, standard error ${error} (${showList(list)})`,
          );
      });
    },
  },
];

/** Five items with labels above 0 and thirty of label 0: what the objective says of all must follow from what it says of the few. */
function negativesEnter(objective: Objective, grades: number, tolerance: number, random: Random): void {
  const { scores, weights } = draw(objective, random, { items: 5, grades: 2, weighted: true });
  const positives = Float32Array.from({ length: 5 }, () => 1 + Math.floor(random() * grades));
  const rest = Float64Array.from({ length: 30 }, () => 4 * random() - 2);
  const list = {
    scores: Float64Array.from([...scores, ...rest]),
    labels: Float32Array.from([...positives, ...new Float32Array(30)]),
    weights: Float32Array.from([...weights!, ...new Float32Array(30).fill(1)]),
  };
  const whole = answer(objective, list);
  if (objective.negatives === "log-sum-exp") {
    // One item stands for all, and its slope is divided among them in proportion to e^score.
    const level = Math.log(rest.reduce((mass, score) => mass + Math.exp(score), 0));
    const one = answer(objective, {
      scores: Float64Array.from([...scores, level]),
      labels: list.labels.slice(0, 6),
      weights: list.weights.slice(0, 6),
    });
    close("the cost", whole.cost, one.cost, 1e-6 * tolerance, list);
    whole.gradient.forEach((value, i) => {
      const wanted = i < 5 ? one.gradient[i]! : one.gradient[5]! * Math.exp(rest[i - 5]! - level);
      close(`gradient[${i}]`, value, wanted, 1e-5 * tolerance, list);
    });
    return;
  }
  // The pairs among the few, and each of them against each of the rest.
  const alone = answer(objective, { scores, labels: positives, weights: weights! });
  const price = (margin: number) => (objective.negatives === "hinge" ? Math.max(0, 1 - margin) : Math.log1p(Math.exp(-margin)));
  const pairs = scores.reduce(
    (sum, score, i) => sum + weights![i]! * rest.reduce((part, low) => part + price(score - low), 0),
    0,
  );
  close("the cost", whole.cost, alone.cost + pairs, 1e-9 * tolerance, list);
}

/** Cost, gradient and, by differences, the derivatives of the terms of each pair. */
function sumsOverPairs(objective: Objective, list: List, tolerance: number): void {
  const { scores, labels, weights } = list;
  const n = labels.length;
  const auxiliary = [...scores.subarray(n)];
  const termOf = (tie: boolean, margin: number, x: readonly number[]) => {
    const outcomes = objective.pairs!.at(x);
    const term = tie ? outcomes.tie?.(margin) : outcomes.win(margin);
    return term && { ...term };
  };
  let cost = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const tie = labels[i] === labels[j];
      if (tie ? j <= i : labels[i]! < labels[j]!) continue;
      const margin = scores[i]! - scores[j]!;
      const term = termOf(tie, margin, auxiliary);
      if (!term) continue;
      cost += term.cost * (!weights ? 1 : tie ? (weights[i]! + weights[j]!) / 2 : weights[i]!);
      const [up, down] = [termOf(tie, margin + STEP, auxiliary)!, termOf(tie, margin - STEP, auxiliary)!];
      const along = (name: keyof typeof term) => (up[name] - down[name]) / (2 * STEP);
      close("the slope of a pair", term.slope, along("cost"), SLOPE * tolerance, list);
      close("the curvature of a pair", term.curvature, along("slope"), SLOPE * tolerance, list);
      if (auxiliary.length === 0) continue;
      close("the mixed derivative of a pair", term.mixed, along("slopeX"), SLOPE * tolerance, list);
      const [more, less] = [STEP, -STEP].map((step) => termOf(tie, margin, [auxiliary[0]! + step])!);
      close("slopeX of a pair", term.slopeX, (more!.cost - less!.cost) / (2 * STEP), SLOPE * tolerance, list);
      close("curvatureX of a pair", term.curvatureX, (more!.slopeX - less!.slopeX) / (2 * STEP), SLOPE * tolerance, list);
    }
  }
  close("the cost", answer(objective, list).cost, cost, 1e-9 * tolerance, list);
}

interface Moments {
  readonly mean: Float64Array;
  readonly variance: Float64Array; // of the mean
}

/** Of 10,000 sampled gradients, with seeds that no other half has. */
function momentsOf(objective: Objective, list: List, half: number): Moments {
  const draws = 10_000;
  const sum = new Float64Array(list.scores.length);
  const squares = new Float64Array(list.scores.length);
  for (let seed = 0; seed < draws; seed++)
    answer(objective, list, 2 * seed + half).gradient.forEach((value, i) => {
      sum[i] = sum[i]! + value;
      squares[i] = squares[i]! + value * value;
    });
  return {
    mean: sum.map((value) => value / draws),
    variance: squares.map((value, i) => (value / draws - (sum[i]! / draws) ** 2) / draws),
  };
}

function refuses(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof InputError) return true;
    throw error;
  }
}
