import { expect, it } from "vitest";
import type { Dataset, SparseMatrix } from "../types.ts";
import { digestOf } from "./digest.ts";

const data: Dataset = {
  ...{ starts: Uint32Array.of(0, 2, 3), labels: Float32Array.of(1, 0, 2), base: 1, names: {} },
  features: { kind: "dense", rows: 3, columns: 1, values: Float32Array.of(1, 2, 3) },
};

it("data with the same content have the same digest, wherever they lie", () => {
  const copy: Dataset = {
    ...data,
    starts: new Uint32Array([9, 0, 2, 3]).subarray(1),
    names: { lists: ["a", "b"], entries: ["x", "y", "z"] }, // training does not see them
  };
  expect(digestOf(copy)).toBe(digestOf(data));
});

it("a change of anything that training depends on changes it", () => {
  const sparse: SparseMatrix = {
    ...({ kind: "sparse", rows: 3, columns: 1, absent: 0 } as const),
    ...{ starts: Uint32Array.of(0, 1, 2, 3), indices: new Uint32Array(3), values: Float32Array.of(1, 2, 3) },
  };
  const others: Dataset[] = [
    { ...data, starts: Uint32Array.of(0, 1, 3) },
    { ...data, labels: Float32Array.of(1, 0, 1) },
    { ...data, features: { ...data.features, values: Float32Array.of(1, 2, -3) } as Dataset["features"] },
    { ...data, features: { ...data.features, absent: Number.NaN } as Dataset["features"] },
    { ...data, features: sparse },
    { ...data, features: { ...sparse, starts: Uint32Array.of(0, 2, 2, 3) } },
    { ...data, features: { ...sparse, absent: Number.NaN } },
    { ...data, items: Uint32Array.of(0, 1, 2) },
    { ...data, items: Uint32Array.of(0, 2, 1) },
    { ...data, labelSpaceSize: 4 },
    { ...data, labelFrequency: { lists: 2, counts: Uint32Array.of(1) } },
    { ...data, listWeights: Float32Array.of(1, 2) },
    { ...data, itemWeights: Float32Array.of(1, 2, 3) },
    { ...data, base: 0 },
    { ...data, names: { features: ["price"] } },
    { ...data, names: { items: ["price"] } },
  ];
  expect(new Set([data, ...others].map(digestOf)).size).toBe(1 + others.length);
});

it("offsets of sparse rows count by their values, not by their type", () => {
  const sparse = {
    kind: "sparse",
    rows: 1,
    columns: 2,
    absent: 0,
    indices: Uint32Array.of(1),
    values: Float32Array.of(5),
  } as const;
  const one = { ...data, features: { ...sparse, starts: Uint32Array.of(0, 1) } };
  expect(digestOf({ ...data, features: { ...sparse, starts: Float64Array.of(0, 1) } })).toBe(digestOf(one));
});
