import { describe, expect, it } from "vitest";
import { effects } from "./effects.ts";
import { ndcg } from "./metrics/index.ts";
import { revive } from "./models/index.ts";
import type { Dataset, Model } from "./types.ts";

const metric = ndcg({ k: 10 });
/** score = 2 a - b, and c does not count. */
const model = revive({ id: "linear", weights: [2, -1, 0, 0.5], extras: {} }, { count: 3, base: 1 });
const { explain: _, ...silent } = model;

function lists(rows: readonly (readonly number[])[], size: number, labels: readonly number[]): Dataset {
  return {
    starts: Uint32Array.from({ length: rows.length / size + 1 }, (_, q) => q * size),
    labels: Float32Array.from(labels),
    features: { kind: "dense", rows: rows.length, columns: 3, values: Float32Array.from(rows.flat()) },
    base: 1,
    names: {},
  };
}

describe("effects", () => {
  it("are what features add against the mean of the list", () => {
    const result = effects(model, lists([[0, 0, 1], [1, 1, 0]], 2, [0, 1]), { metric })!; // biome-ignore format: rows
    expect(result).toMatchObject({ how: "contributions", rows: 2 });
    expect([...result.sizes]).toEqual([1, 0.5, 0]);
    expect(result.effects.map(({ feature }) => feature)).toEqual([0, 1]); // a feature without effect is none
    expect(result.effects[0]!.curve.map(({ value, mean }) => [value, mean])).toEqual([[0, -1], [1, 1]]); // biome-ignore format: points
    expect(result.effects[1]!.points).toEqual(expect.arrayContaining([[0, 0.5], [1, -0.5]])); // biome-ignore format: points
  });

  it("of a missing value stand apart from the curve", () => {
    const other: Model = { ...model, explain: () => ({ expected: 0, scores: Float64Array.of(3, 1), contributions: [Float64Array.of(3, 0, 0), Float64Array.of(1, 0, 0)] }) }; // biome-ignore format: one line
    const [first] = effects(other, lists([[Number.NaN, 0, 0], [5, 0, 0]], 2, [1, 0]), { metric })!.effects; // biome-ignore format: rows
    expect(first!.missing!.mean).toBe(1);
    expect(first!.curve.map(({ value, mean }) => [value, mean])).toEqual([[5, -1]]);
  });

  it("show as many single items as asked for, each once", () => {
    const rows = Array.from({ length: 12 }, (_, i) => [i, 0, 0]);
    const result = effects(model, lists(rows, 2, rows.map(([a]) => a! % 2)), { metric, points: 5 })!; // biome-ignore format: one call
    const values = result.effects[0]!.points.map(([value]) => value);
    expect(values).toHaveLength(5);
    expect(new Set(values).size).toBe(5);
  });

  it("use permutation importance for models that cannot be explained", () => {
    const rows = Array.from({ length: 60 }, (_, i) => [(i * 7) % 10, (i * 3) % 5, i % 4]);
    const labels = rows.map(([a, b]) => (2 * a! - b! > 8 ? 2 : 2 * a! - b! > 3 ? 1 : 0));
    const result = effects(silent, lists(rows, 6, labels), { metric })!;
    expect(result.how).toBe("permutation");
    expect(result.sizes[0]).toBeGreaterThan(0.02);
    expect(result.sizes[2]).toBe(0); // the model does not look at c
    const { curve } = result.effects.find(({ feature }) => feature === 0)!;
    for (let i = 1; i < curve.length; i++)
      expect(curve[i]!.mean - curve[0]!.mean).toBeCloseTo(2 * (curve[i]!.value - curve[0]!.value), 9); // the weight is the slope
  });

  it("there are none where items have no features", () => {
    const bare = {
      ...lists([], 1, [0, 1]),
      starts: Uint32Array.of(0, 2),
      features: { kind: "dense" as const, rows: 2, columns: 0, values: new Float32Array(0) },
    };
    expect(effects(model, bare, { metric })).toBeUndefined();
    expect(effects(model, { ...lists([[0, 0, 1]], 1, [1]), labelSpaceSize: 5 }, { metric })).toBeUndefined();
  });
});
