import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../input-error.ts";
import type { Snapshot } from "../types.ts";
import { decodeCheckpoint, encodeCheckpoint, sharedCopy } from "./checkpoint.ts";

const arrays = [
  ...[Float64Array.of(1, Number.NaN, -0, 5e-324), Float32Array.of(0.1, -Infinity), Uint8Array.of(1, 255), Int8Array.of(-1)],
  ...[Uint16Array.of(65535), Int16Array.of(-3, 4), Uint32Array.of(2 ** 32 - 1), Int32Array.of(-7)],
  ...[BigUint64Array.of(2n ** 64n - 1n), BigInt64Array.of(-1n), new Float64Array(0)],
];
const state: Snapshot = {
  ...{ arrays, numbers: [0, -0, 0.1, 1 / 3, 5e-324, 1.7976931348623157e308, Number.NaN, Infinity, -Infinity] },
  ...{ text: "tiers ≻ \u0000\n", nothing: null, yes: true, nested: { best: undefined, list: [{ w: Float32Array.of(1.5) }] } },
};

describe("a checkpoint", () => {
  it("gives back what it was made of, to the last bit", () => {
    const found = decodeCheckpoint(encodeCheckpoint(state), "c");
    expect(found).toEqual({ ...state, nested: { list: [{ w: Float32Array.of(1.5) }] } }); // toEqual tells 0 from -0
    expect(Object.is((found.numbers as number[])[1], -0)).toBe(true);
  });

  it("the same for any numbers", () => {
    const values = fc.record({
      numbers: fc.array(fc.double()),
      floats: fc.float64Array(),
      bytes: fc.uint8Array(),
      text: fc.string(),
    });
    fc.assert(
      fc.property(values, (given) => {
        const found = decodeCheckpoint(encodeCheckpoint(given as unknown as Snapshot), "c") as unknown as typeof given;
        expect(found).toEqual(given);
        expect(found.numbers.every((number, i) => Object.is(number, given.numbers[i]))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("has the same bytes for the same state, and can be read from memory of any kind and place", () => {
    const bytes = encodeCheckpoint(state);
    expect(Buffer.from(encodeCheckpoint(state)).equals(Buffer.from(bytes))).toBe(true);
    const shifted = new Uint8Array(bytes.length + 3).subarray(3);
    shifted.set(bytes);
    expect(decodeCheckpoint(sharedCopy(shifted), "c")).toEqual(decodeCheckpoint(bytes, "c"));
  });

  it("is refused when any byte of it is changed, or its end is missing", () => {
    const whole = encodeCheckpoint({ round: 3, scores: Float64Array.of(1, 2, 3) });
    for (let at = 0; at < whole.length; at++) {
      const bytes = whole.slice();
      bytes[at]! ^= 1 << (at % 8);
      expect(() => decodeCheckpoint(bytes, "ck"), `byte ${at}`).toThrow(/^ck: the checkpoint is damaged: /);
    }
    for (const length of [0, 1, 40, 64, 128, whole.length - 64, whole.length - 1])
      expect(() => decodeCheckpoint(sharedCopy(whole.slice(0, length)), "ck")).toThrow(InputError);
  });
});
