/** Changes of metrics by swaps, against metrics that are measured again after each, and the gradients of lambdarank made of them. */
import { describe, expect, it } from "vitest";
import { answer, farthest } from "../../test/answer.ts";
import { metric } from "../metrics/index.ts";
import { random } from "../numeric/random.ts";
import type { Random } from "../types.ts";
import { objective } from "./index.ts";
import { type SwapMetricName, swapMetric } from "./shared/swap-metrics.ts";

const below = (draw: Random, n: number) => Math.floor(draw() * n);

/** The metric of items in a given order. */
const measured = (text: string, order: readonly number[], labels: readonly number[]) => {
  const scores = new Float64Array(labels.length);
  order.forEach((item, place) => {
    scores[item] = -place;
  });
  return metric(text).measure(scores, Float32Array.from(labels));
};

const swapped = (order: readonly number[], p: number, q: number) =>
  order.map((item, place) => (place === p ? order[q]! : place === q ? order[p]! : item));

/** Lists with ties, with few or many relevant items, and grades up to 4, some of them not whole. */
function randomList(draw: Random, most = 9): number[] {
  const n = 1 + below(draw, most);
  const [grades, step] = [1 + below(draw, 5), draw() < 0.2 ? 0.5 : 1];
  return Array.from({ length: n }, () => (draw() < 0.4 ? 0 : step * below(draw, grades)));
}

const textOf = (name: SwapMetricName, k: number, rel: number, gmax: number) =>
  `${name}${k === Infinity ? "" : `@${k}`}${name === "mrr" || name === "map" ? `;rel=${rel}` : name === "err" ? `;gmax=${gmax}` : ""}`;

describe.each(["dcg", "ndcg", "mrr", "map", "err"] as const)("%s", (name) => {
  it("value and changes are those of the metric measured again, for every pair of 400 random lists", () => {
    const draw = random(17, name.length, name.charCodeAt(0));
    let pairs = 0;
    for (let round = 0; round < 400; round++) {
      const labels = randomList(draw);
      const n = labels.length;
      const [k, rel, gmax] = [draw() < 0.5 ? Infinity : 1 + below(draw, 10), 1 + below(draw, 3), 4 + below(draw, 2)];
      const order = Array.from({ length: n }, (_, i) => i).sort(() => draw() - 0.5);
      const one = swapMetric(name, name, { k, rel, gmax });
      const text = textOf(name, k, rel, gmax);
      const before = measured(text, order, labels);
      const value = one.rank(Uint32Array.from(order), Float32Array.from(labels));
      if (Number.isNaN(before)) {
        expect(value).toBeNaN();
        continue;
      }
      expect(value).toBeCloseTo(before, 12);
      for (let p = 0; p < n; p++) {
        one.begin(p);
        for (let q = p + 1; q < n; q++) {
          const wanted = Math.abs(measured(text, swapped(order, p, q), labels) - before);
          expect(Math.abs(one.change(q) - wanted), `${text} ${labels} ${order} ${p} ${q}`).toBeLessThan(1e-12);
          if (wanted > 0) pairs++;
        }
      }
    }
    expect(pairs).toBeGreaterThan(500);
  });
});

/** LambdaRank as its definition says, with the metric measured after every swap. Equal scores keep their order. */
function slowLambdas(
  text: string,
  scores: readonly number[],
  labels: readonly number[],
  weights: readonly number[],
  how: { truncation: number; norm: boolean; sigmoid: number },
) {
  // biome-ignore format: one line
  const n = scores.length;
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const before = measured(text, order, labels);
  const [gradient, hessian] = [new Float64Array(n), new Float64Array(n)];
  if (Number.isNaN(before)) return { cost: 0, gradient, hessian };
  let total = 0;
  for (let p = 0; p < Math.min(n, how.truncation); p++)
    for (let q = p + 1; q < n; q++) {
      const [a, b] = [order[p]!, order[q]!];
      if (labels[a] === labels[b]) continue;
      const [better, worse] = labels[a]! > labels[b]! ? [a, b] : [b, a];
      let delta = Math.abs(measured(text, swapped(order, p, q), labels) - before);
      if (how.norm && scores[order[0]!] !== scores[order[n - 1]!]) delta /= 0.01 + Math.abs(scores[a]! - scores[b]!);
      const chance = 1 / (1 + Math.exp(how.sigmoid * (scores[better]! - scores[worse]!)));
      total += how.sigmoid * delta * chance;
      gradient[better]! -= weights[better]! * how.sigmoid * delta * chance;
      gradient[worse]! += weights[better]! * how.sigmoid * delta * chance;
      for (const i of [a, b]) hessian[i]! += weights[better]! * how.sigmoid ** 2 * delta * chance * (1 - chance);
    }
  const scale = how.norm && total > 0 ? Math.log2(1 + 2 * total) / (2 * total) : 1;
  const mean = weights.reduce((sum, one) => sum + one, 0) / n;
  return { cost: mean * (1 - before), gradient: gradient.map((one) => one * scale), hessian: hessian.map((one) => one * scale) };
}

describe("lambdarank", () => {
  it.each(["ndcg@3", "ndcg@20", "mrr", "mrr@2", "map", "map@3", "err", "err@4"])(
    "metric=%s: gradients, hessians and cost of 200 random lists with tied scores are those of the definition",
    (text) => {
      const draw = random(23, text.length, text.charCodeAt(0));
      for (let round = 0; round < 200; round++) {
        const labels = randomList(draw);
        if (new Set(labels).size < 2) continue;
        const scores = labels.map(() => (draw() < 0.5 ? below(draw, 3) : 4 * draw() - 2));
        const weights = labels.map(() => Math.fround(draw() < 0.5 ? 1 : 0.5 + draw()));
        const how = { truncation: 1 + below(draw, 9), norm: draw() < 0.5, sigmoid: draw() < 0.5 ? 1 : 0.5 + draw() };
        const rel = 1 + below(draw, 2);
        const wanted = slowLambdas(
          `${text}${/^m/.test(text) ? `;rel=${rel}` : ""}`,
          ...([scores, labels, weights] as const),
          // Pairs below the cutoff have no change, so that truncation at the cutoff leaves none out.
          how,
        );
        const found = answer(
          objective(`lambdarank:metric=${text},truncation=${how.truncation},norm=${how.norm},sigmoid=${how.sigmoid},rel=${rel}`),
          ...([scores, labels] as const),
          { weights },
        );
        const close = (a: ArrayLike<number>, b: ArrayLike<number>) =>
          expect(farthest(a, b), `${labels} ${scores}`).toBeLessThan(1e-10);
        close([found.cost], [wanted.cost]);
        close(found.gradient, wanted.gradient);
        close(found.hessian, wanted.hessian);
      }
    },
  );

  it("metric=ndcg with a cutoff of at least the list and the truncation is the default to the last bit", () => {
    const draw = random(29);
    for (let round = 0; round < 50; round++) {
      const labels = randomList(draw, 12);
      const scores = labels.map(() => 4 * draw() - 2);
      const [cut, plain] = ["lambdarank:metric=ndcg@30", "lambdarank"].map((text) => answer(objective(text), scores, labels));
      expect(cut).toEqual(plain);
    }
  });

  it("keeps its name without options, and says what is wrong", () => {
    expect(objective("lambdarank:metric=ndcg").spec).toBe("lambdarank");
    expect(objective("lambdarank:metric=NDCG@10").spec).toBe("lambdarank:metric=ndcg@10");
    expect(() => objective("lambdarank:metric=ndgc")).toThrow(
      /option metric: expected ndcg, mrr, map or err, with a cutoff or without, such as ndcg@10, got "ndgc"/,
    );
    expect(() => objective("lambdarank:metric=ndcg@0")).toThrow(/expected ndcg, mrr, map or err/);
    expect(() => answer(objective("lambdarank:metric=err"), [1, 2], [5, 0])).toThrow(
      "lambdarank:metric=err: label 5 is above 4; set gmax= to the highest grade of the scale",
    );
  });
});
