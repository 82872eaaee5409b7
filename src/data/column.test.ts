import { describe, expect, it } from "vitest";
import { column } from "./column.ts";

describe("a column", () => {
  it("of dense rows is every n-th value", () => {
    const values = Float32Array.of(1, 2, 3, 4, Number.NaN, 6);
    expect([...column({ kind: "dense", rows: 2, columns: 3, values }, 1)]).toEqual([2, Number.NaN]);
  });

  it("of sparse rows has what is absent where nothing is stored", () => {
    const sparse = {
      kind: "sparse" as const,
      ...{ rows: 3, columns: 9, absent: 0 },
      starts: Uint32Array.of(0, 2, 2, 5),
      indices: Uint32Array.of(1, 4, 0, 4, 8),
      values: Float32Array.of(10, 20, 30, 40, 50),
    };
    expect([...column(sparse, 4)]).toEqual([20, 0, 40]);
    expect([...column(sparse, 8)]).toEqual([0, 0, 50]);
    expect([...column({ ...sparse, absent: Number.NaN }, 0)]).toEqual([Number.NaN, Number.NaN, 30]);
  });
});
