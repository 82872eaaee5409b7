import { describe, expect, it } from "vitest";
import { column, eachColumn } from "./column.ts";

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

  it("is the same one at a time and all in order, dense and sparse, from any column to any other", () => {
    const [rows, columns] = [7, 37];
    const value = (row: number, c: number) => ((row * 31 + c * 17) % 5 === 0 ? row * columns + c : 0);
    const cells = Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns));
    const dense = { kind: "dense" as const, rows, columns, values: Float32Array.from(cells) };
    const stored = [...cells.keys()].filter((i) => cells[i] !== 0);
    const sparse = {
      kind: "sparse" as const,
      ...{ rows, columns, absent: 0 },
      starts: Uint32Array.from({ length: rows + 1 }, (_, row) => stored.filter((i) => i < row * columns).length),
      indices: Uint32Array.from(stored, (i) => i % columns),
      values: Float32Array.from(stored, (i) => cells[i]!),
    };
    for (const matrix of [dense, sparse])
      for (const [from, to] of [
        [0, columns],
        [5, 5],
        [3, 20],
        [16, 33],
      ] as const) {
        // biome-ignore format: one line
        const visited: number[] = [];
        eachColumn(matrix, (values, c) => {
          visited.push(c);
          expect([...values]).toEqual([...column(matrix, c)]);
        }, from, to); // biome-ignore format: arguments side by side
        expect(visited).toEqual(Array.from({ length: to - from }, (_, i) => from + i));
      }
  });
});
