import { afterAll, describe, expect, it } from "vitest";
import { heap } from "./heap.ts";
import * as plain from "./plain/rows.ts";
import { random } from "./random.ts";
import { rowsTimesVector, vectorTimesRows } from "./rows.ts";

const draw = random(6);
afterAll(() => heap.close());

function filled<A extends Float64Array | Float32Array>(array: A): A {
  for (let i = 0; i < array.length; i++) array[i] = draw() - 0.5;
  return array;
}

describe("rows against vectors", () => {
  it("by hand", () => {
    const rows = Float32Array.of(1, 2, 3, 4, 5, 6);
    const into = new Float64Array(2);
    rowsTimesVector(rows, Float64Array.of(1, 10, 100), into);
    expect([...into]).toEqual([321, 654]);
    const sums = Float64Array.of(1, 1, 1);
    vectorTimesRows(Float64Array.of(1, 10), rows, sums);
    expect([...sums]).toEqual([42, 53, 64]);
  });

  it("compiled and plain give the same bits", () => {
    for (const columns of [0, 1, 2, 7, 8, 9, 46, 136, 137])
      for (const count of [0, 1, 3, 4, 5, 13]) {
        const rows = filled(heap.f32(count * columns));
        const [vector, into] = [filled(heap.f64(columns)), heap.f64(count)];
        const theirs = new Float64Array(count);
        rowsTimesVector(rows, vector, into);
        plain.rowsTimesVector(Float32Array.from(rows), Float64Array.from(vector), theirs);
        expect(into).toEqual(theirs);
        const sums = filled(heap.f64(columns));
        const ours = Float64Array.from(sums);
        vectorTimesRows(into, rows, sums);
        plain.vectorTimesRows(theirs, Float32Array.from(rows), ours);
        expect(sums).toEqual(ours);
      }
  });

  it("sums over parts of the rows, one after the other, give the bits of the whole", () => {
    const [rows, vector] = [filled(heap.f32(101 * 30)), filled(heap.f64(101))];
    const [whole, parts] = [heap.f64(30), heap.f64(30)];
    vectorTimesRows(vector, rows, whole);
    for (const [from, to] of [
      [0, 3],
      [3, 50],
      [50, 101],
    ] as const)
      vectorTimesRows(vector.subarray(from, to), rows.subarray(from * 30, to * 30), parts);
    expect(parts).toEqual(whole);
  });
});
