import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TopK } from "./top.ts";

describe("the k best", () => {
  it("are those that sorting finds, equal scores by item number", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 60 }),
        fc.nat(70),
        fc.nat(59),
        (values, wanted, cut) => {
          const k = Math.min(values.length, wanted + 1);
          const top = new TopK(k);
          const scores = Float32Array.from(values);
          const middle = Math.min(cut, values.length);
          // In two pieces, the second first.
          top.offer(scores, middle, values.length, middle);
          top.offer(scores, 0, middle, 0);
          const [items, found] = [new Uint32Array(k), new Float64Array(k)];
          top.drain(items, found, 0);
          const order = values.map((_, i) => i).sort((a, b) => values[b]! - values[a]! || a - b);
          expect([...items]).toEqual(order.slice(0, k));
          expect([...found]).toEqual(order.slice(0, k).map((i) => values[i]));
        },
      ),
    );
  });
});
