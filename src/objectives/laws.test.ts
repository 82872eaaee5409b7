/** What every objective keeps, at its defaults and at the variants named below. Each law is skipped only by what the objective declares. */
import { describe, expect, it } from "vitest";
import { InputError } from "../input-error.ts";
import { random } from "../numeric/random.ts";
import type { Objective, Random } from "../types.ts";
import { objective, objectives } from "./index.ts";

const variants = [
  "pl-partition:top=3",
  "pl-partition:precision=single",
  "pl-partition:direction=backward",
  "pl-topk:k=2",
  "pl-topk:k=4,direction=backward",
  "listmle:direction=backward",
  "listmle:ties=random",
  "plrank:permutations=1,k=3",
  "lambdarank:norm=false,truncation=2",
  "softmax:target=exp",
  "xendcg:terms=1",
  "pmop-fd:direction=backward",
  "pmop-gibbs:direction=backward,steps=1",
  "pmop-mh:accept=paper",
  "approx-ndcg:temperature=2",
  "mcrank:grades=12",
];
const every = [...objectives.map(({ id }) => id), ...variants];

interface List {
  readonly scores: Float64Array;
  readonly labels: Float32Array;
  readonly weights?: Float32Array;
}

function draw(given: Objective, n: number, grades: number, r: Random, spread = 2, weighted = false): List {
  const most = Math.min(grades, given.reduction?.values.length ?? grades);
  const labels = Float32Array.from({ length: n }, () => Math.floor(r() * most));
  const scores = Float64Array.from({ length: n * given.outputs + given.auxiliary.length }, (_, i) => {
    const extra = given.auxiliary[i - n * given.outputs];
    return extra ? extra.initial + 0.1 * r() : spread * (2 * r() - 1);
  });
  return weighted ? { scores, labels, weights: Float32Array.from({ length: n }, () => 0.2 + r()) } : { scores, labels };
}

function answer(given: Objective, { scores, labels, weights }: List, seed = 5) {
  const gradient = new Float64Array(scores.length).fill(Number.NaN);
  const hessian = new Float64Array(scores.length).fill(Number.NaN);
  const cost = given.evaluate(scores, labels, { gradient, hessian }, random(seed), weights);
  return { cost, gradient, hessian };
}

const moved = (list: List, i: number, by: number): List => ({ ...list, scores: list.scores.with(i, list.scores[i]! + by) });

describe.each(every)("%s", (text) => {
  const given = objective(text);
  const step = 1e-4;

  it("is known by its own text", () => {
    expect(objective(given.spec).spec).toBe(given.spec);
  });

  it.skipIf(given.gradient === "heuristic" || given.gradient === "none" || given.cost === "none")(
    "the gradient is the slope of the cost",
    () => {
      const r = random(11);
      for (const [n, grades, weighted] of [
        [2, 2, false],
        [5, 3, false],
        [9, 4, true],
        [12, 12, true],
      ] as const) {
        const list = draw(given, n, grades, r, 2, weighted);
        const { gradient } = answer(given, list);
        // A sampled cost is a function of the scores for a fixed seed.
        for (let i = 0; i < gradient.length; i++) {
          const slope = (answer(given, moved(list, i, step)).cost - answer(given, moved(list, i, -step)).cost) / (2 * step);
          expect(Math.abs(gradient[i]! - slope), `score ${i} of ${n}`).toBeLessThan(
            2e-6 * (1 + Math.abs(slope)) * (text.includes("single") ? 50 : 1),
          );
        }
      }
    },
  );

  it.skipIf(given.hessian !== "exact")("the curvature is the slope of the gradient", () => {
    const r = random(12);
    for (const [n, grades, weighted] of [
      [2, 2, false],
      [6, 3, false],
      [9, 4, true],
    ] as const) {
      const list = draw(given, n, grades, r, 2, weighted);
      const { hessian } = answer(given, list);
      for (let i = 0; i < n * given.outputs; i++) {
        const slope =
          (answer(given, moved(list, i, step)).gradient[i]! - answer(given, moved(list, i, -step)).gradient[i]!) / (2 * step);
        expect(Math.abs(hessian[i]! - slope), `score ${i} of ${n}`).toBeLessThan(
          2e-6 * (1 + Math.abs(slope)) * (text.includes("single") ? 50 : 1),
        );
      }
    }
  });

  it.skipIf(given.hessian !== "bound")("the bound on the curvature is not negative and finite", () => {
    const r = random(13);
    for (let iteration = 0; iteration < 20; iteration++) {
      const list = draw(given, 8, 4, r, 5, iteration % 2 === 1);
      for (const value of answer(given, list).hessian.subarray(0, 8 * given.outputs)) expect(value).toBeGreaterThanOrEqual(0);
    }
  });

  it.skipIf(given.hessian !== "bound" || given.gradient !== "exact")("the slope of the gradient stays within its bound", () => {
    const r = random(20);
    for (let iteration = 0; iteration < 10; iteration++) {
      const list = draw(given, 8, 4, r, 2, iteration % 2 === 1);
      const { hessian } = answer(given, list);
      for (let i = 0; i < 8 * given.outputs; i++) {
        const slope =
          (answer(given, moved(list, i, 1e-6)).gradient[i]! - answer(given, moved(list, i, -1e-6)).gradient[i]!) / 2e-6;
        expect(slope, `score ${i}`).toBeLessThanOrEqual(hessian[i]! * (1 + 1e-6) + 1e-6);
      }
    }
  });

  it("gives the same cost and gradient when curvature is not wanted", () => {
    const list = draw(given, 9, 4, random(14));
    const whole = answer(given, list);
    const gradient = new Float64Array(list.scores.length).fill(Number.NaN);
    expect(given.evaluate(list.scores, list.labels, { gradient }, random(5))).toBe(whole.cost);
    expect(gradient).toEqual(whole.gradient);
  });

  it.skipIf(given.gradient === "sampled" || given.cost === "sampled")("permuting the items permutes the answer", () => {
    const n = 7;
    const r = random(15);
    // Where the given order breaks ties, only lists without ties can keep this.
    const labels = given.ties === "order" ? Float32Array.of(3, 0, 6, 2, 5, 1, 4) : Float32Array.of(1, 0, 2, 2, 0, 1, 0);
    const list = { ...draw(given, n, 3, r, 2, true), labels };
    const order = [4, 2, 6, 0, 1, 5, 3];
    const k = given.outputs;
    const turned = {
      scores: list.scores.map((value, at) => (at < n * k ? list.scores[order[Math.floor(at / k)]! * k + (at % k)]! : value)),
      labels: list.labels.map((_, at) => list.labels[order[at]!]!),
      weights: list.weights!.map((_, at) => list.weights![order[at]!]!),
    };
    const [one, other] = [answer(given, list), answer(given, turned)];
    expect(other.cost).toBeCloseTo(one.cost, 11);
    for (let at = 0; at < n * k; at++) {
      const from = order[Math.floor(at / k)]! * k + (at % k);
      expect(other.gradient[at]).toBeCloseTo(one.gradient[from]!, 11);
      expect(other.hessian[at]).toBeCloseTo(one.hessian[from]!, 11);
    }
  });

  it("lists of no item, of one, and of one tier give no NaN, and nothing to learn where a tie is no event", () => {
    for (const labels of [[], [1], [0], [2, 2], [0, 0, 0, 0]]) {
      const scores = Float64Array.from(
        { length: labels.length * given.outputs + given.auxiliary.length },
        (_, i) => 0.3 * i + 0.1,
      );
      const { cost, gradient, hessian } = answer(given, { scores, labels: Float32Array.from(labels) });
      for (const value of [cost, ...gradient, ...hessian]) {
        if (given.ties === "event") expect(Number.isFinite(value)).toBe(true);
        else expect(value === 0).toBe(true);
      }
    }
  });

  it("scores of size 10,000 stay finite", () => {
    const r = random(16);
    for (const spread of [1000, 10_000]) {
      for (let iteration = 0; iteration < 10; iteration++) {
        const { cost, gradient, hessian } = answer(given, draw(given, 12, 4, r, spread, iteration % 2 === 1));
        for (const value of [cost, ...gradient, ...hessian]) expect(Number.isFinite(value)).toBe(true);
      }
    }
  });

  it.skipIf(!given.reduction)("labels that are none of its grades are refused", () => {
    for (const label of [-1, 0.5, given.reduction!.values.length, Number.NaN]) {
      const list = { ...draw(given, 3, 2, random(17)), labels: Float32Array.of(0, 1, label) };
      expect(() => answer(given, list)).toThrow(InputError);
    }
  });

  it.skipIf(given.reduction)("real-valued, negative and many different labels are fine", () => {
    const r = random(17);
    const list = draw(given, 150, 150, r);
    for (const labels of [list.labels, list.labels.map((label) => label / 7 - 3)]) {
      const { cost, gradient, hessian } = answer(given, { ...list, labels });
      for (const value of [cost, ...gradient, ...hessian]) expect(Number.isFinite(value)).toBe(true);
    }
  });

  it("weights of one change nothing, and weights of two double everything", () => {
    const list = draw(given, 9, 4, random(18));
    const [none, ones, twos] = [undefined, 1, 2].map((value) =>
      answer(given, value === undefined ? list : { ...list, weights: new Float32Array(9).fill(value) }),
    );
    expect(ones).toEqual(none);
    expect(twos!.cost).toBeCloseTo(2 * none!.cost, 11);
    none!.gradient.forEach((value, i) => {
      expect(twos!.gradient[i]).toBeCloseTo(2 * value, 11);
    });
  });

  it.skipIf(!given.negatives)("enters the items of label 0 as it says", () => {
    const r = random(20);
    for (const grades of [1, 3]) {
      const few = {
        ...draw(given, 5, 2, r, 2, true),
        labels: Float32Array.from({ length: 5 }, () => 1 + Math.floor(r() * grades)),
      };
      const rest = Float64Array.from({ length: 30 }, () => 4 * r() - 2);
      const labels = Float32Array.from([...few.labels, ...new Float32Array(30)]);
      const weights = Float32Array.from([...few.weights!, ...new Float32Array(30).fill(1)]);
      const whole = answer(given, { scores: Float64Array.from([...few.scores, ...rest]), labels, weights });
      if (given.negatives === "log-sum-exp") {
        // One item stands for all, and its slope is shared out by their masses.
        const level = Math.log(rest.reduce((mass, score) => mass + Math.exp(score), 0));
        const one = answer(given, {
          scores: Float64Array.from([...few.scores, level]),
          labels: labels.slice(0, 6),
          weights: weights.slice(0, 6),
        });
        expect(one.cost).toBeCloseTo(whole.cost, 6);
        whole.gradient.forEach((value, i) => {
          const wanted = i < 5 ? one.gradient[i]! : one.gradient[5]! * Math.exp(rest[i - 5]! - level);
          expect(wanted).toBeCloseTo(value, 5);
        });
      } else {
        // The pairs among the few, and each of them against each of the rest.
        const alone = answer(given, few);
        const price = (margin: number) => (given.negatives === "hinge" ? Math.max(0, 1 - margin) : Math.log1p(Math.exp(-margin)));
        const pairs = few.scores.reduce(
          (sum, score, i) => sum + few.weights![i]! * rest.reduce((part, low) => part + price(score - low), 0),
          0,
        );
        expect(whole.cost).toBeCloseTo(alone.cost + pairs, 9);
      }
    }
  });

  it.skipIf(given.gradient !== "sampled")(
    "the sampled gradient has a mean that repeats: two halves of 20,000 draws agree within four standard errors",
    () => {
      const list = draw(given, 4, 2, random(19));
      const n = list.scores.length;
      const draws = 10_000;
      const halves = [0, 1].map((half) => {
        const sum = new Float64Array(n);
        const squares = new Float64Array(n);
        for (let seed = 0; seed < draws; seed++) {
          const { gradient } = answer(given, list, 2 * seed + half);
          gradient.forEach((value, i) => {
            sum[i] = sum[i]! + value;
            squares[i] = squares[i]! + value * value;
          });
        }
        return {
          mean: sum.map((value) => value / draws),
          error: squares.map((value, i) => (value / draws - (sum[i]! / draws) ** 2) / draws),
        };
      });
      for (let i = 0; i < n; i++) {
        const error = Math.sqrt(halves[0]!.error[i]! + halves[1]!.error[i]!);
        expect(Math.abs(halves[0]!.mean[i]! - halves[1]!.mean[i]!)).toBeLessThanOrEqual(4 * error + 1e-12);
      }
    },
  );
});
