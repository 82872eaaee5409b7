import { describe, expect, it } from "vitest";
import type { Dataset } from "../types.ts";
import { tierConfusion } from "./tier-confusion.ts";

const lists = (...all: readonly (readonly number[])[]): Dataset => ({
  starts: Uint32Array.from([0, ...all.map((_, q) => all.slice(0, q + 1).flat().length)]),
  labels: Float32Array.from(all.flat()),
  features: { kind: "dense", rows: all.flat().length, columns: 0, values: new Float32Array(0) },
  base: 1,
  names: {},
});

const matrix = (rows: readonly Float64Array[]) => rows.map((row) => [...row]);

describe("the confusion of tiers", () => {
  it("is a diagonal for a perfect order", () => {
    const { tiers, counts } = tierConfusion(Float64Array.of(3, 2, 2.5, 1), lists([2, 1, 1, 0]));
    expect(tiers.map(({ from }) => from)).toEqual([2, 1, 0]);
    expect(matrix(counts)).toEqual([[1, 0, 0], [0, 2, 0], [0, 0, 1]]); // biome-ignore format: a matrix
  });

  it("says which tier's place an item took", () => {
    // Places belong to the tiers 1, 0, 0; the item of tier 1 came second, on a place of tier 0.
    const { counts, places, groups } = tierConfusion(Float64Array.of(2, 3, 1), lists([1, 0, 0]));
    expect(matrix(counts)).toEqual([[0, 1], [1, 1]]); // biome-ignore format: a matrix
    expect(groups).toEqual([{ from: 1, to: 1 }, { from: 2, to: 3 }]); // biome-ignore format: a list
    expect(matrix(places)).toEqual([[0, 1], [1, 1]]); // biome-ignore format: a matrix
  });

  it("lets tied scores share their places", () => {
    const { counts } = tierConfusion(new Float64Array(4), lists([1, 0, 0, 0]));
    expect(matrix(counts)).toEqual([[0.25, 0.75], [0.75, 2.25]]); // biome-ignore format: a matrix
  });

  it("leaves out lists of one tier, and counts every item of the others", () => {
    const { leftOut, lists: result, counts } = tierConfusion(Float64Array.of(1, 2, 5, 4, 3), lists([1, 1], [0, 1, 1]));
    expect({ leftOut, told: result }).toEqual({ leftOut: 1, told: 1 });
    expect(matrix(counts)).toEqual([[1, 1], [1, 0]]); // biome-ignore format: a matrix
  });

  it("takes neighbouring labels together where there are many", () => {
    const labels = Array.from({ length: 30 }, (_, i) => i);
    const { tiers, counts } = tierConfusion(Float64Array.from(labels), lists(labels), 3);
    expect(tiers).toEqual([{ from: 20, to: 29 }, { from: 10, to: 19 }, { from: 0, to: 9 }]); // biome-ignore format: a list
    expect(matrix(counts)).toEqual([[10, 0, 0], [0, 10, 0], [0, 0, 10]]); // biome-ignore format: a matrix
  });
});
