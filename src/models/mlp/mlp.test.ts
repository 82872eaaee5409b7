import { describe, expect, it } from "vitest";
import { fit } from "../../fit.ts";
import { random } from "../../numeric/random.ts";
import { objective } from "../../objectives/index.ts";
import { runSolo } from "../../teams/solo.ts";
import type { Dataset, Objective } from "../../types.ts";
import { mlp } from "./index.ts";
import { session, type TrainingOptions } from "./train.ts";

const options: TrainingOptions = {
  ...{ hidden: [12, 8], rate: [1e-3], batch: 16, epochs: 1, dropout: 0, l2: 0 },
  ...{ beta1: 0.9, beta2: 0.999, epsilon: 1e-8, sparse: "exact", negatives: 0 },
};

/** Lists over a label space of 45 labels, of which about four are relevant, with grades up to `grades`; some lists have none. */
function labelled(kind: "dense" | "sparse", grades = 1, lists = 16): Dataset {
  const draw = random(5);
  const [columns, labelSpaceSize] = [20, 45];
  const dense = new Float32Array(lists * columns);
  for (let i = 0; i < dense.length; i++) if (draw() < 0.3) dense[i] = draw() * 2 - 0.5;
  const [items, labels, starts]: [number[], number[], number[]] = [[], [], [0]];
  for (let q = 0; q < lists; q++) {
    for (let item = 0; item < labelSpaceSize && q !== 3; item++)
      if (draw() < 0.1) {
        items.push(item);
        labels.push(1 + Math.floor(draw() * grades));
      }
    starts.push(items.length);
  }
  const indices = Array.from(dense.keys()).filter((i) => dense[i] !== 0);
  const ends = Uint32Array.from({ length: lists + 1 }, (_, r) => indices.filter((i) => i < r * columns).length);
  return {
    starts: Uint32Array.from(starts),
    labels: Float32Array.from(labels),
    items: Uint32Array.from(items),
    labelSpaceSize,
    features:
      kind === "dense"
        ? { kind, rows: lists, columns, values: dense }
        : {
            ...{ kind, rows: lists, columns, absent: 0, starts: ends },
            indices: Uint32Array.from(indices, (i) => i % columns),
            values: Float32Array.from(indices, (i) => dense[i]!),
          },
    base: 0,
    names: {},
  };
}

/** Ordinary lists of 5 items each. */
function listed(): Dataset {
  const draw = random(6);
  const rows = 40;
  return {
    starts: Uint32Array.from({ length: 9 }, (_, q) => 5 * q),
    labels: Float32Array.from({ length: rows }, () => Math.floor(3 * draw())),
    features: { kind: "dense", rows, columns: 6, values: Float32Array.from({ length: rows * 6 }, () => 2 * draw() - 1) },
    base: 1,
    names: {},
  };
}

/** The cost of a network in float64, by the plain definition: every score of every list goes through the objective. */
function costOf(
  layers: readonly (readonly [w: Float64Array, b: Float64Array])[],
  data: Dataset,
  cost: Objective,
  auxiliary: number[],
): number {
  const { features, starts, labelSpaceSize } = data;
  const dense = new Float64Array(features.rows * features.columns);
  if (features.kind === "dense") dense.set(features.values);
  else
    for (let r = 0; r < features.rows; r++)
      for (let e = features.starts[r]!; e < features.starts[r + 1]!; e++)
        dense[r * features.columns + features.indices[e]!] = features.values[e]!;
  let x = dense;
  layers.forEach(([w, b], l) => {
    const [inputs, outputs] = [x.length / features.rows, b.length];
    const labelsFirst = l === layers.length - 1 && labelSpaceSize !== undefined;
    const y = new Float64Array(features.rows * outputs);
    for (let r = 0; r < features.rows; r++)
      for (let o = 0; o < outputs; o++) {
        let sum = b[o]!;
        for (let i = 0; i < inputs; i++) sum += x[r * inputs + i]! * w[labelsFirst ? o * inputs + i : i * outputs + o]!;
        y[r * outputs + o] = l < layers.length - 1 ? Math.max(0, sum) : sum;
      }
    x = y;
  });
  let total = 0;
  for (let q = 0; q + 1 < starts.length; q++) {
    const n = labelSpaceSize ?? (starts[q + 1]! - starts[q]!) * cost.outputs;
    const from = labelSpaceSize === undefined ? starts[q]! * cost.outputs : q * n;
    const labels = labelSpaceSize === undefined ? data.labels.slice(starts[q]!, starts[q + 1]!) : new Float32Array(n);
    if (labelSpaceSize !== undefined) for (let i = starts[q]!; i < starts[q + 1]!; i++) labels[data.items![i]!] = data.labels[i]!;
    const scores = Float64Array.from([...x.slice(from, from + n), ...auxiliary]);
    total += cost.evaluate(scores, labels, { gradient: new Float64Array(scores.length) }, random(1));
  }
  return total / (starts.length - 1);
}

const catalogueCosts = ["pl-partition", "pl-lb", "attrank", "softmax", "unique-softmax", "ranknet", "ranksvm", "mart-1"];

describe.each([
  ...catalogueCosts.map((id) => [id, "labels, sparse", labelled("sparse")] as const),
  ["pl-partition", "labels with grades, dense", labelled("dense", 3)] as const,
  ["ranknet", "labels with grades, dense", labelled("dense", 3)] as const,
  ["pl-partition", "ordinary lists", listed()] as const,
  ["davidson", "ordinary lists", listed()] as const,
])("the gradient of the whole network under %s, %s", (id, _, data) => {
  it("is the slope of the cost, weight by weight", () => {
    const cost = objective(id);
    runSolo((team) => {
      const one = session(data, cost, { team, seed: 3 }, options);
      one.restart(1e-3);
      const layers = [...one.layers, one.last];
      const before = layers.map(
        ({ weights, biases, outputs }) =>
          [Float64Array.from(weights.w), Float64Array.from(biases.w.subarray(0, outputs))] as const,
      );
      const auxiliary = cost.auxiliary.map(({ initial }) => initial);
      const got = one.step(Uint32Array.from({ length: data.starts.length - 1 }, (_, q) => q));
      expect(got / costOf(before, data, cost, auxiliary)).toBeCloseTo(1, 5);
      const draw = random(9);
      let largest = 0;
      layers.forEach(({ weights, biases }, l) => {
        for (const [which, { m }] of [weights, biases].entries())
          for (let iteration = 0; iteration < 25; iteration++) {
            const numbers = before[l]![which]!;
            const at = Math.floor(draw() * numbers.length);
            const kept = numbers[at]!;
            const step = 1e-5;
            const [up, down] = [kept + step, kept - step].map((value) => {
              numbers[at] = value;
              return costOf(before, data, cost, auxiliary);
            });
            numbers[at] = kept;
            const slope = (up! - down!) / (2 * step);
            // After the first step the mean gradient is a tenth of the gradient.
            const ours = m[at]! / Math.fround(1 - options.beta1);
            largest = Math.max(largest, Math.abs(slope));
            expect(Math.abs(ours - slope), `layer ${l}, ${which === 0 ? "weight" : "bias"} ${at}`).toBeLessThan(
              2e-4 * (1 + Math.abs(slope)),
            );
          }
      });
      expect(largest).toBeGreaterThan(0.01); // so that nothing passes by being zero
      one.close();
    });
  });
});

describe("weights of absent features", () => {
  /** The weights after some steps on batches of four lists. */
  const trained = (data: Dataset, more: Partial<TrainingOptions>) =>
    runSolo((team) => {
      const one = session(data, objective("pl-partition"), { team, seed: 3 }, { ...options, ...more, batch: 4 });
      one.restart(1e-2);
      const order = random(2);
      for (let step = 0; step < 60; step++) {
        const lists = new Set<number>();
        while (lists.size < 4) lists.add(Math.floor(16 * order()));
        one.step(Uint32Array.from(lists));
      }
      one.catchUp();
      const weights = Float32Array.from(one.layers[0]!.weights.w);
      one.close();
      return weights;
    });

  it("move as if every step had moved them: as with dense input", () => {
    const [sparse, dense] = [trained(labelled("sparse"), {}), trained(labelled("dense"), {})];
    sparse.forEach((value, i) => {
      expect(Math.abs(value - dense[i]!)).toBeLessThan(2e-4);
    });
  });

  it("the same with l2, where every weight has a gradient in every step", () => {
    const [sparse, dense] = [trained(labelled("sparse"), { l2: 0.1 }), trained(labelled("dense"), { l2: 0.1 })];
    sparse.forEach((value, i) => {
      expect(Math.abs(value - dense[i]!)).toBeLessThan(2e-4);
    });
  });

  it("lazy ones do not, which shows", () => {
    const [lazy, dense] = [trained(labelled("sparse"), { sparse: "lazy" }), trained(labelled("dense"), {})];
    expect(Math.max(...lazy.map((value, i) => Math.abs(value - dense[i]!)))).toBeGreaterThan(1e-2);
  });
});

it("dropout leaves out about its share, and draws again in each step", () => {
  const data = labelled("dense");
  const costs = runSolo((team) => {
    const one = session(data, objective("pl-lb"), { team, seed: 3 }, { ...options, dropout: 0.5, batch: 16 });
    one.restart(1e-9); // too slow to learn: what changes is what is left out
    const all = Uint32Array.from({ length: 16 }, (_, q) => q);
    const found = [one.step(all), one.step(all), one.step(all)];
    one.close();
    return found;
  });
  expect(new Set(costs).size).toBe(3);
});

it("more negatives than half of the labels are all labels, in a batch of one list too", () => {
  const data = labelled("sparse", 2);
  const first = (negatives: number) =>
    runSolo((team) => {
      const one = session(
        data,
        objective("pl-partition"),
        { team, seed: 3 },
        { ...options, hidden: [8], batch: 1, negatives },
        1000,
      );
      one.restart(1e-3);
      const numbers = [one.step(Uint32Array.of(0)), ...one.last.biases.m.subarray(0, 45)];
      one.close();
      return numbers;
    });
  const all = first(0);
  first(23).forEach((value, i) => void expect(value).toBeCloseTo(all[i]!, 5)); // of 45
});

describe.each(["pl-partition", "pl-lb", "ranknet", "ranksvm"])("sampled negatives under %s", (id) => {
  it("cost and gradient have the mean of the full ones, within four standard errors", () => {
    const data = labelled("sparse", 2);
    const all = Uint32Array.from({ length: 16 }, (_, q) => q);
    /** The cost and the gradients of the last layer and of the first, of the first step after a restart. */
    const first = (negatives: number, draws: number) =>
      Array.from({ length: draws }, (_, draw) =>
        runSolo((team) => {
          const one = session(data, objective(id), { team, seed: 3 }, { ...options, hidden: [8], negatives }, 1000 + draw);
          one.restart(1e-3);
          const cost = one.step(all);
          const numbers = [cost, ...one.last.weights.m, ...one.last.biases.m.subarray(0, 45), ...one.layers[0]!.weights.m];
          one.close();
          return numbers;
        }),
      );
    const [full] = first(0, 1);
    const draws = first(5, 300);
    let worst = 0;
    full!.forEach((value, i) => {
      const mean = draws.reduce((sum, one) => sum + one[i]!, 0) / draws.length;
      const variance = draws.reduce((sum, one) => sum + (one[i]! - mean) ** 2, 0) / (draws.length - 1);
      const error = Math.sqrt(variance / draws.length);
      worst = Math.max(worst, error / (Math.abs(value) + 1e-9));
      expect(Math.abs(mean - value), `number ${i}`).toBeLessThan(4 * error + 1e-6);
    });
    expect(worst).toBeGreaterThan(0.01); // it is a sample
  });
});

it.each([1, 2, 100])("an objective that must see all labels refuses %i negatives, and l2 goes with none", (negatives) => {
  const data = labelled("sparse", 2);
  const learn = (id: string, more: object) => () =>
    fit(data, { model: mlp({ hidden: [3], epochs: 1, negatives, ...more }), objective: objective(id) });
  expect(learn("listmle", {})).toThrow(/listmle must see all labels, so negatives cannot be sampled/);
  expect(learn("pl-partition", { l2: 0.1 })).toThrow(/l2 updates all labels at each step and cannot be combined with negatives/);
  expect(learn("pl-partition", {})).not.toThrow();
});
