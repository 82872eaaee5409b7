/** Cross-validation against training and judging by hand. Training starts threads, which run what was built. */
import { describe, expect, it } from "vitest";
import type { CvFold } from "../src/cv.ts";
import { random } from "../src/numeric/random.ts";
import type { Dataset } from "../src/types.ts";
import "./cli.ts"; // refuses what is older than the sources

const { cv, evaluate, fit, folds, foldsFromParts, linear, metricList, plPartition } = (await import(
  new URL("../dist/src/index.js", import.meta.url).href
)) as typeof import("../src/index.ts");

function simulated(lists: number): Dataset {
  const draw = random(4);
  const values = Float32Array.from({ length: lists * 5 * 2 }, draw);
  return {
    starts: Uint32Array.from({ length: lists + 1 }, (_, q) => 5 * q),
    labels: Float32Array.from({ length: lists * 5 }, (_, i) => (values[2 * i]! + 0.5 * draw() > 0.7 ? 1 : 0)),
    features: { kind: "dense", rows: lists * 5, columns: 2, values },
    base: 1,
    names: { lists: Array.from({ length: lists }, (_, q) => `q${q}`) },
  };
}

describe("cross-validation", () => {
  const data = simulated(40);
  const options = { model: linear(), objective: plPartition(), metrics: metricList("map,ndcg@3"), seed: 1 };

  it("is training and judging by hand, fold after fold", async () => {
    const result: CvFold[] = [];
    const found = await cv(folds(data, 4, 7), { ...options, onFold: (one) => void result.push(one) });
    expect(result).toEqual(found.folds);
    for (const [i, { train, valid, test }] of folds(data, 4, 7).entries()) {
      const { model, best, rounds } = fit(train, { ...options, valid });
      expect(found.folds[i]).toEqual({
        ...{ fold: i + 1, lists: { train: 20, valid: 10, test: 10 }, rounds, best: best.round, valid: best.metrics },
        test: evaluate(model, test, options.metrics).metrics,
      });
    }
    const maps = found.folds.map(({ test }) => test.map!);
    const mean = (maps[0]! + maps[1]! + maps[2]! + maps[3]!) / 4;
    const variance = maps.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 3;
    expect(found.metrics.map!.mean).toBeCloseTo(mean, 14);
    expect(found.metrics.map!.error).toBeCloseTo(Math.sqrt(variance / 4), 14);
  });

  it("judges every list once, and keeps its values", async () => {
    const { measured, folds: all } = await cv(folds(data, 4, 7), options);
    expect([...measured.lists].sort()).toEqual([...data.names.lists!].sort());
    expect(measured.name).toBe("linear under pl-partition");
    const first = measured.values.map!.slice(0, 10).filter((value) => !Number.isNaN(value));
    expect(first.reduce((sum, value) => sum + value, 0) / first.length).toBeCloseTo(all[0]!.test.map!, 12);
  });

  it("without validation data nothing is stopped early", async () => {
    const [a, b] = [0, 1].map((half) => Uint32Array.from({ length: 20 }, (_, i) => 2 * i + half)) as [Uint32Array, Uint32Array];
    const { train, test } = foldsFromParts(data, [a, b, a])[0]!; // trains on a, tests on a
    const { folds: all } = await cv(
      [
        { train, test },
        { train: test, test: train },
      ],
      { ...options, patience: 1 },
    );
    for (const { best, rounds, valid, lists } of all) {
      expect(best).toBe(rounds);
      expect([valid, lists.valid]).toEqual([{}, 0]);
    }
  });

  it("refuses one fold, and no metric", async () => {
    await expect(cv(folds(data, 4, 7).slice(1, 2), options)).rejects.toThrow(/at least 2 folds, got 1/);
    await expect(cv(folds(data, 4, 7), { ...options, metrics: [] })).rejects.toThrow(/at least one metric/);
  });
});
