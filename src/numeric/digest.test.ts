import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { digest, digester } from "./digest.ts";
import { Heap } from "./heap.ts";

const heap = new Heap();
afterAll(() => heap.close());

describe("digest", () => {
  it("compiled and plain agree, for any number of bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
        const mark = heap.mark();
        const there = heap.u8(bytes.length);
        there.set(bytes);
        expect(digest(there)).toBe(digest(bytes));
        heap.release(mark);
      }),
    );
  });

  it("looks at the bytes of a view alone, wherever they lie", () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => i);
    expect(digest(bytes.subarray(1, 200))).toBe(digest(bytes.slice(1, 200)));
    expect(digest(new Float32Array(bytes.buffer, 4, 50))).toBe(digest(bytes.subarray(4, 204)));
  });

  it("any change of one byte, and any bytes added or cut off, change both halves", () => {
    const halves = (bytes: Uint8Array) => [digest(bytes).slice(0, 8), digest(bytes).slice(8)];
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, where, by) => {
          const changed = bytes.slice();
          changed[where % bytes.length]! ^= by;
          const [a, b] = halves(bytes);
          const [c, d] = halves(changed);
          expect(a === c || b === d).toBe(false);
          expect(digest(Uint8Array.of(...bytes, 0))).not.toBe(digest(bytes));
          expect(digest(bytes.subarray(1))).not.toBe(digest(bytes));
        },
      ),
    );
  });

  it("pieces of whole blocks give the digest of all", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 5 }), fc.nat(63), (blocks, last) => {
        const bytes = Uint8Array.from(
          { length: 64 * blocks.reduce((sum, one) => sum + one, 0) + last },
          (_, i) => (i * 37) & 255,
        );
        const pieces = digester();
        let from = 0;
        for (const count of blocks) pieces.add(bytes.subarray(from, (from += 64 * count)));
        pieces.add(bytes.subarray(from));
        expect(pieces.text()).toBe(digest(bytes));
      }),
    );
  });

  it("two words that change places change it", () => {
    const words = Uint32Array.from({ length: 64 }, (_, i) => i * i);
    const swapped = words.slice();
    [swapped[3], swapped[19]] = [swapped[19]!, swapped[3]!];
    expect(digest(swapped)).not.toBe(digest(words));
  });
});
