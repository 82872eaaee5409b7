import { describe, expect, it } from "vitest";
import { average, ndcg } from "./metrics/index.ts";
import { revive } from "./models/index.ts";
import { permutationImportance } from "./permutation-importance.ts";
import type { Dataset } from "./types.ts";

const metric = ndcg({ k: 10 });
/** score = 2 a - b, and c does not count. */
const model = revive({ id: "linear", weights: [2, -1, 0, 0.5], extras: {} }, { count: 3, base: 1 });

function lists(rows: readonly (readonly number[])[], size: number, labels: readonly number[]): Dataset {
  return {
    starts: Uint32Array.from({ length: rows.length / size + 1 }, (_, q) => q * size),
    labels: Float32Array.from(labels),
    features: { kind: "dense", rows: rows.length, columns: 3, values: Float32Array.from(rows.flat()) },
    base: 1,
    names: {},
  };
}

const rows = Array.from({ length: 60 }, (_, i) => [(i * 7) % 10, (i * 3) % 5, i % 4]);
const data = lists(
  rows,
  6,
  rows.map(([a, b]) => (2 * a! - b! > 8 ? 2 : 2 * a! - b! > 3 ? 1 : 0)),
);

/** All orders of two items, each as likely as the other: the expected loss of a list of two is half of what a swap loses. */
describe("permutation importance", () => {
  it("tends to the mean over all orders of a list", () => {
    const two = lists([[1, 0, 0], [0, 0, 0]], 2, [1, 0]); // biome-ignore format: rows
    const swapped = 1 - 1 / Math.log2(3); // the relevant item in second place instead of first
    const { value, features } = permutationImportance(model, two, { metric, repeats: 4000 });
    expect(value).toBe(1);
    expect(Math.abs(features[0]!.mean - swapped / 2)).toBeLessThan((4 * swapped) / 2 / Math.sqrt(4000));
    expect(features[0]!.error).toBeNaN(); // of one list
    expect(features.slice(1).map(({ mean }) => mean)).toEqual([0, 0]);
  });

  it("is the mean of the losses of lists, with their standard error", () => {
    const { features, value } = permutationImportance(model, data, { metric, repeats: 3 });
    expect(value).toBe(
      average(
        metric,
        Float64Array.from(rows, ([a, b]) => 2 * a! - b!),
        data,
      ).mean,
    );
    for (const { mean, error, lists: values } of features) {
      const average = values.reduce((sum, one) => sum + one, 0) / 10;
      expect(mean).toBeCloseTo(average, 12);
      expect(error).toBeCloseTo(Math.sqrt(values.reduce((sum, one) => sum + (one - average) ** 2, 0) / 9 / 10), 12);
    }
    expect(features[0]!.mean).toBeGreaterThan(features[1]!.mean);
    expect(features[2]!.mean).toBe(0); // the model does not look at c
  });

  it("within lists leaves a feature of the whole list alone, over the data not", () => {
    const ofList = lists(
      rows.map(([, b, c], i) => [Math.floor(i / 6), b!, c!]),
      6,
      rows.map(([, b]) => 4 - b!),
    );
    const loss = (shuffle: "list" | "data") => permutationImportance(model, ofList, { metric, shuffle }).features[0]!.mean;
    expect(loss("list")).toBe(0);
    expect(loss("data")).toBeGreaterThan(0.01);
  });

  it("of sparse data is that of the same dense ones, and changes neither", () => {
    const values = data.features.values.slice();
    const starts = new Float64Array(61);
    const kept = rows.map((row) => row.flatMap((value, c) => (value === 0 ? [] : [[c, value] as const])));
    kept.forEach((row, i) => {
      starts[i + 1] = starts[i]! + row.length;
    });
    const sparse: Dataset = {
      ...data,
      features: {
        ...{ kind: "sparse", rows: 60, columns: 3, absent: 0, starts },
        indices: Uint32Array.from(kept.flat(), ([c]) => c),
        values: Float32Array.from(kept.flat(), ([, value]) => value),
      },
    };
    expect(permutationImportance(model, sparse, { metric })).toEqual(permutationImportance(model, data, { metric }));
    expect(data.features.values).toEqual(values);
  });

  it("gains where lower is better are losses", () => {
    const lower = { ...metric, better: "lower" as const };
    const [a, b] = [metric, lower].map((one) => permutationImportance(model, data, { metric: one }).features[0]!.mean);
    expect(a).toBe(-b!);
  });

  it("refuses wrong arguments", () => {
    const options = (more: object) => ({ metric, ...more }) as never;
    expect(() => permutationImportance(model, data, {} as never)).toThrow("permutationImportance");
    expect(() => permutationImportance(model, data, options({ repeats: 0 }))).toThrow("repeats");
    expect(() => permutationImportance(model, data, options({ shuffle: "all" }))).toThrow("shuffle");
    const bare = { ...data, features: { kind: "dense" as const, rows: 60, columns: 0, values: new Float32Array(0) } };
    const featureless = { ...model, columns: { count: 0, base: 1 as const } };
    expect(() => permutationImportance(featureless, bare, { metric })).toThrow("no features of their own");
  });
});
