import { describe, expect, it } from "vitest";
import { subset } from "../data/subset.ts";
import { InputError } from "../input-error.ts";
import { fitTemperature } from "../temperature.ts";
import type { Dataset } from "../types.ts";
import { average, measureList } from "./mean.ts";
import { ndcg } from "./ndcg.ts";

/** Three lists: one in perfect order, one without a relevant item, one with its relevant item second. */
const data: Dataset = {
  starts: Uint32Array.of(0, 2, 3, 5),
  labels: Float32Array.of(1, 0, 0, 0, 1),
  features: { kind: "dense", rows: 5, columns: 0, values: new Float32Array(0) },
  base: 1,
  names: {},
};
const scores = Float64Array.of(2, 1, 5, 2, 1);
const second = 1 / Math.log2(3);

describe("average", () => {
  it("leaves out lists for which the metric is undefined, and counts them", () => {
    const { values, ...rest } = average(ndcg(), scores, data);
    expect(rest).toEqual({ mean: (1 + second) / 2, lists: 3, skipped: 1, weighted: false });
    expect([...values]).toEqual([1, Number.NaN, second]);
  });
  it("takes them as 0 or 1 where asked to", () => {
    expect(average(ndcg({ empty: "0" }), scores, data).mean).toBeCloseTo((1 + 0 + second) / 3, 15);
    expect(average(ndcg({ empty: "1" }), scores, data)).toMatchObject({ mean: (1 + 1 + second) / 3, skipped: 0 });
  });
  it("weighs lists, those that stand for 1 included, so that no mean passes 1", () => {
    const listWeights = Float32Array.of(0.5, 0.25, 0.25);
    const weighted = average(ndcg({ empty: "1" }), scores, { ...data, listWeights });
    expect(weighted.mean).toBeCloseTo(0.5 + 0.25 + 0.25 * second, 15);
    expect(weighted.weighted).toBe(true);
    const perfect = average(ndcg({ empty: "1" }), Float64Array.of(2, 1, 5, 1, 2), { ...data, listWeights });
    expect(perfect.mean).toBe(1);
    expect(average(ndcg(), scores, { ...data, listWeights }).mean).toBeCloseTo((0.5 + 0.25 * second) / 0.75, 15);
  });
  it("is NaN where no list can tell", () => {
    const none = { ...data, labels: new Float32Array(5) };
    expect(average(ndcg(), scores, none)).toMatchObject({ mean: Number.NaN, lists: 3, skipped: 3 });
    const features = { ...data.features, rows: 0 };
    const empty = { ...data, starts: Uint32Array.of(0), labels: new Float32Array(0), features };
    expect(average(ndcg(), new Float64Array(0), empty).lists).toBe(0);
  });
  it("breaks ties by the ids of the documents", () => {
    const tied = new Float64Array(5);
    const named = (...entries: string[]) => ({ ...data, names: { entries } });
    const metric = ndcg({ ties: "docno" });
    expect([...average(metric, tied, named("b", "a", "x", "d", "c")).values]).toEqual([1, Number.NaN, second]);
    expect([...average(metric, tied, named("a", "b", "x", "c", "d")).values]).toEqual([second, Number.NaN, 1]);
    expect(() => average(metric, tied, data)).toThrow("ties=docno needs document ids");
  });
  it("refuses scores of other data", () => {
    expect(() => average(ndcg(), new Float64Array(4), data)).toThrow(
      "expected a score for each of the 5 items of the data, got 4",
    );
  });
});

describe("the number of a list", () => {
  it.each<[string, (list: number) => unknown]>([
    ["measureList", (list) => measureList(ndcg(), scores, data, list)],
    ["subset", (list) => subset(data, [list])],
    ["fitTemperature", (list) => fitTemperature(scores, data, [list] as never)],
  ])("is from 0 to the last: %s refuses others in words", (_, call) => {
    for (const list of [0, 1, 2]) expect(() => call(list)).not.toThrow();
    for (const list of [-1, 3, 0.5, 2.5, 2 ** 32, Number.NaN, Infinity]) {
      expect(() => call(list)).toThrow(InputError);
      expect(() => call(list)).toThrow(/list/);
    }
  });
});
