import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moveRows } from "./blocks.ts";

describe("rows that change places", () => {
  it("row r goes to place[r], for any permutation", () => {
    const permutations = fc
      .array(fc.double({ noNaN: true }), { maxLength: 40 })
      .map((keys) => Uint32Array.from(keys.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b)));
    fc.assert(
      fc.property(permutations, fc.integer({ min: 0, max: 3 }), (place, columns) => {
        const values = Float32Array.from({ length: place.length * columns }, (_, i) => i);
        const before = values.slice();
        moveRows(values, columns, place);
        for (let row = 0; row < place.length; row++)
          expect(values.subarray(place[row]! * columns, (place[row]! + 1) * columns)).toEqual(
            before.subarray(row * columns, (row + 1) * columns),
          );
      }),
    );
  });
});
