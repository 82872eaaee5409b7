import { describe, expect, it } from "vitest";
import { labelSets } from "../../data/label-sets.ts";
import { subset } from "../../data/subset.ts";
import { evaluate } from "../../evaluate.ts";
import { fit } from "../../fit.ts";
import { parseData } from "../../formats/data/parse.ts";
import { precision } from "../../metrics/index.ts";
import { eigenSymmetric } from "../../numeric/eigen.ts";
import { below, random } from "../../numeric/random.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Dataset, Random } from "../../types.ts";
import { learner, revive, sleec } from "../index.ts";
import type { Entries } from "../shared/sparse.ts";
import { tallMatrix } from "../shared/tall-matrix.ts";
import { clusterRows } from "./clusters.ts";
import { embed } from "./embedding.ts";
import { neighborGraph, unitRows } from "./neighbors.ts";
import { regress } from "./regression.ts";

const team = soloTeam();

function entries(rows: readonly (readonly number[])[]): Entries {
  const there = rows.map((row) => row.flatMap((value, c) => (value === 0 ? [] : [[c, value] as const])));
  return {
    starts: Uint32Array.from([0, ...there.map((_, r) => there.slice(0, r + 1).flat().length)]),
    indices: Uint32Array.from(there.flat(), ([c]) => c),
    values: Float32Array.from(there.flat(), ([, value]) => value),
  };
}

const randomRows = (draw: Random, rows: number, columns: number, density: number) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => (draw() < density ? 1 + below(draw, 3) : 0)));

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((sum, value, i) => sum + value * b[i]!, 0);

const unit = (row: readonly number[]) => row.map((value) => value / (Math.sqrt(dot(row, row)) || 1));

it("the graph has the nearest rows by cosine, and is symmetric", () => {
  for (let seed = 0; seed < 20; seed++) {
    const draw = random(seed, 7);
    const [n, labels, count] = [1 + below(draw, 12), 1 + below(draw, 5), 1 + below(draw, 4)];
    const rows = randomRows(draw, n, labels, 0.5);
    const scratch = { near: new Uint32Array(n * count), cosines: new Float64Array(n * count) };
    const { starts, indices, values } = neighborGraph(team, unitRows(entries(rows)), labels, count, scratch);
    const cosine = (i: number, j: number) => dot(unit(rows[i]!), unit(rows[j]!));
    const near = rows.map((_, i) => {
      const order = Array.from(rows.keys()).sort((a, b) => Math.fround(cosine(i, b)) - Math.fround(cosine(i, a)) || a - b);
      return new Set(order.slice(0, count));
    });
    const found = rows.map((_, i) => Array.from(indices.subarray(starts[i]!, starts[i + 1]!)));
    found.forEach((own, i) => {
      own.forEach((j, e) => {
        expect(values[starts[i]! + e]).toBeCloseTo(cosine(i, j), 5);
        expect(found[j]).toContain(i);
      });
      // Rounding may order rows of equal cosine differently.
      const least = Math.min(...Array.from(near[i]!, (j) => cosine(i, j)));
      for (let j = 0; j < n; j++) if (cosine(i, j) > least + 1e-6) expect(own).toContain(j);
    });
  }
});

/** One step of singular value projection with all eigenvectors of a dense matrix. */
function denseStep(m: Float64Array, graph: Entries, n: number, k: number): Float64Array {
  const next = m.slice();
  for (let r = 0; r < n; r++)
    for (let e = graph.starts[r]!; e < graph.starts[r + 1]!; e++) {
      const at = r * n + graph.indices[e]!;
      next[at] = next[at]! + 0.5 * (graph.values[e]! - m[at]!);
    }
  const { values, vectors } = eigenSymmetric(next, n);
  return m.map((_, at) => {
    let sum = 0;
    for (let i = 0; i < Math.min(n, k); i++)
      sum += Math.max(0, values[i]!) * vectors[Math.floor(at / n) * n + i]! * vectors[(at % n) * n + i]!;
    return sum;
  });
}

it("embeddings are a fixed point of singular value projection with dense matrices", () => {
  for (let seed = 0; seed < 8; seed++) {
    const draw = random(seed, 8);
    const [n, labels, k] = [6 + below(draw, 15), 2 + below(draw, 6), 1 + below(draw, 6)];
    const rows = randomRows(draw, n, labels, 0.6);
    const count = Math.min(n, 5);
    const scratch = { near: new Uint32Array(n * count), cosines: new Float64Array(n * count) };
    const graph = neighborGraph(team, unitRows(entries(rows)), labels, count, scratch);
    const alloc = () => tallMatrix(team, n, k);
    const z = alloc();
    const cost = embed(team, graph, z, 300, () => random(seed), {
      ...{ u: alloc(), w: alloc(), image: alloc(), residual: new Float32Array(graph.indices.length) },
      ...{ turn: new Float32Array(k * k), products: new Float32Array(64 * k * k) },
    });
    const row = (i: number) => z.values.subarray(i * k, (i + 1) * k);
    const m = Float64Array.from({ length: n * n }, (_, at) => dot(row(Math.floor(at / n)), row(at % n)));
    const next = denseStep(m, graph, n, k);
    expect(Math.max(...m.map((value, at) => Math.abs(value - next[at]!)))).toBeLessThan(1e-2);
    let squares = 0;
    for (let r = 0; r < n; r++)
      for (let e = graph.starts[r]!; e < graph.starts[r + 1]!; e++)
        squares += (graph.values[e]! - m[r * n + graph.indices[e]!]!) ** 2;
    expect(cost).toBeCloseTo(squares, 4);
  }
});

/** Minimizes by tiny steps of proximal gradients. */
function slowRegression(x: readonly (readonly number[])[], z: readonly number[], l2: number): number[] {
  let v = x[0]!.map(() => 0);
  const lipschitz = l2 + x.flat().reduce((sum, value) => sum + value * value, 0);
  for (let step = 0; step < 5000; step++) {
    const errors = x.map((row, r) => dot(row, v) - z[r]!);
    v = v.map(
      (value, c) =>
        value -
        (dot(
          x.map((row) => row[c]!),
          errors,
        ) +
          l2 * value) /
          lipschitz,
    );
  }
  return v;
}

describe("the regression", () => {
  const scratchOf = (n: number, d: number, k: number) => {
    const [byRow, byColumn] = [() => tallMatrix(team, n, k), () => tallMatrix(team, d, k)];
    return {
      ...{ residual: byColumn(), direction: byColumn(), image: byColumn(), rightSide: byColumn() },
      ...{ product: byRow(), target: byRow(), dual: byRow() },
    };
  };

  it("is ridge regression without l1", () => {
    for (let seed = 0; seed < 5; seed++) {
      const draw = random(seed, 9);
      const x = randomRows(draw, 8, 3, 0.6);
      const [z, v] = [tallMatrix(team, 8, 2), tallMatrix(team, 3, 2)];
      z.values.forEach((_, i) => void (z.values[i] = 2 * draw() - 1));
      regress(team, entries(x), z, v, { l2: 0.5, l1: 0 }, scratchOf(8, 3, 2));
      for (const k of [0, 1]) {
        const own = slowRegression(
          x,
          Array.from({ length: 8 }, (_, r) => z.values[r * 2 + k]!),
          0.5,
        );
        for (const [c, value] of own.entries()) expect(v.values[c * 2 + k]).toBeCloseTo(value, 4);
      }
    }
  });

  it("has a smaller cost with l1 than any close coefficients", () => {
    for (let seed = 0; seed < 5; seed++) {
      const draw = random(seed, 10);
      const x = randomRows(draw, 12, 4, 0.6);
      const [z, v] = [tallMatrix(team, 12, 1), tallMatrix(team, 4, 1)];
      z.values.forEach((_, i) => void (z.values[i] = 2 * draw() - 1));
      const [l2, l1] = [0.3, 0.2];
      regress(team, entries(x), z, v, { l2, l1 }, scratchOf(12, 4, 1));
      const cost = (w: ArrayLike<number>) =>
        x.reduce((sum, row, r) => sum + (z.values[r]! - dot(row, w)) ** 2 / 2 + l1 * Math.abs(dot(row, w)), (l2 / 2) * dot(w, w));
      const reached = cost(v.values);
      for (let trial = 0; trial < 200; trial++) {
        const other = Array.from(v.values, (value) => value + 0.02 * (2 * draw() - 1));
        expect(reached).toBeLessThanOrEqual(cost(other) + 2e-3);
      }
    }
  });
});

it("clusters rows by direction, and has no empty cluster", () => {
  const rows = Array.from({ length: 40 }, (_, r) => (r % 2 === 0 ? [1 + (r % 3), 0, 0.1] : [0, 1 + (r % 5), 0]));
  const { count, assignment } = clusterRows(team, entries(rows), 3, 2, random(3), new Uint32Array(40));
  expect(count).toBe(2);
  for (const r of rows.keys()) expect(assignment[r] === assignment[0]).toBe(r % 2 === 0);
  const same = clusterRows(team, entries(rows.map(() => [1, 2, 3])), 3, 4, random(3), new Uint32Array(40));
  expect([same.count, new Set(same.assignment).size]).toEqual([1, 1]);
});

const LABELS = { labels: "tags", features: "words", space: ["t0", "t1", "t2", "t3", "t4", "t5"] } as const;

/** Documents of two topics, each with words and labels of its own. */
function topics(seed: number, documents: number): Dataset {
  const draw = random(seed, 11);
  return labelSets(
    Array.from({ length: documents }, () => {
      const topic = below(draw, 2);
      const word = () => `w${topic * 6 + below(draw, 6)}`;
      return {
        words: { [word()]: 1, [word()]: 1, [word()]: 1, [`w${12 + below(draw, 3)}`]: 1 },
        tags: [`t${topic * 3}`, `t${topic * 3 + 1 + below(draw, 2)}`],
      };
    }),
    LABELS,
  );
}

const options = { learners: 3, rank: 4, clusterSize: 40, neighbors: 5, voters: 7, steps: 10 };

it("finds the labels of a topic, from a file as from memory", () => {
  const data = topics(1, 120);
  const { model, history } = fit(data, { model: sleec(options) });
  expect(history.map(({ round }) => round)).toEqual([1, 2, 3]);
  const { items, scores } = model.top!(data, 1);
  const right = Array.from(items).filter((label, q) =>
    data.items!.subarray(data.starts[q]!, data.starts[q + 1]!).includes(label),
  );
  expect(right.length).toBeGreaterThan(110);
  const again = revive(JSON.parse(JSON.stringify(model.save())), model.columns);
  expect(again.top!(data, 1)).toEqual({ k: 1, items, scores });
  const all = new Float64Array(data.labels.length);
  again.score(data, all);
  expect(Array.from(all).every((score) => score >= 0 && score <= 1 + 1e-6)).toBe(true);
});

it.each([20, 100])("trains at rank %s on documents with label sets of fewer dimensions, whose similarities are met", (rank) => {
  const documents = labelSets(
    Array.from({ length: 40 }, (_, i) => ({
      tags: [`t${i % 4}`, `t${4 + (i % 3)}`],
      words: { [`w${i % 5}`]: 1, [`v${i % 7}`]: 2 },
    })),
    { labels: "tags", features: "words" },
  );
  const { history } = fit(documents, { model: sleec({ learners: 2, rank }) });
  for (const { cost } of history) expect(cost).toBeLessThan(1e-5);
});

it("the validation metric of the best round is that of the model", () => {
  const [data, valid] = [topics(4, 40), topics(5, 60)];
  const wanted = [precision({ k: 2 })];
  const { model, history, best } = fit(data, { model: sleec({ ...options, clusterSize: 10, rank: 2 }), valid, metrics: wanted, patience: 9 }); // biome-ignore format: one call
  const spec = wanted[0]!.spec;
  expect(evaluate(model, valid, wanted).metrics[spec]).toBe(history[best.round - 1]!.metrics[spec]);
});

it("scores a document by itself as it does among others", () => {
  const data = topics(2, 60);
  const { model } = fit(data, { model: sleec(options) });
  const { items, scores } = model.top!(data, 3);
  for (const q of [0, 17, 59]) {
    const found = model.top!(subset(data, [q]), 3);
    expect(Array.from(found.items)).toEqual(Array.from(items.subarray(q * 3, q * 3 + 3)));
    expect(Array.from(found.scores)).toEqual(Array.from(scores.subarray(q * 3, q * 3 + 3)));
  }
});

it("scores documents beyond those that it takes at once", () => {
  const data = topics(2, 60);
  const { model } = fit(data, { model: sleec(options) });
  const many = subset(
    data,
    Array.from({ length: 16_390 }, (_, q) => q % 60),
  );
  const { items, scores } = model.top!(many, 2);
  const few = model.top!(data, 2);
  for (const q of [0, 16_383, 16_384, 16_389]) {
    const at = 2 * (q % 60);
    expect(Array.from(items.subarray(2 * q, 2 * q + 2))).toEqual(Array.from(few.items.subarray(at, at + 2)));
    expect(Array.from(scores.subarray(2 * q, 2 * q + 2))).toEqual(Array.from(few.scores.subarray(at, at + 2)));
  }
});

it("refuses counts that memory cannot hold, documents without labels, and damaged files", () => {
  const { data } = parseData([{ name: "a.xc.txt", content: "2 2147483646 3\n0 0:1\n1 1:2\n" }]);
  expect(() => fit(data, { model: learner("sleec:rank=2") })).toThrow(
    "sleec: 2147483646 features, 2 documents and 3 labels at rank 2",
  );
  const bare = labelSets([{ tags: [], words: { a: 1 } }], { labels: "tags", features: "words", space: ["x"] });
  expect(() => fit(bare, { model: sleec() })).toThrow("no document has a relevant label");
  const { model } = fit(topics(3, 20), { model: sleec(options) });
  const saved = JSON.parse(JSON.stringify(model.save()));
  const { inner } = saved;
  for (const [key, value] of [
    ["assignment", inner.assignment.map(() => 99)],
    ["features-starts", inner["features-starts"].slice(1)],
    ["labels-indices", inner["labels-indices"].map(() => 6)],
    ["clusters", []],
    ["rank", [3]],
  ] as const)
    expect(() => revive({ ...saved, inner: { ...inner, [key]: value } }, model.columns)).toThrow("the model file is damaged");
});
