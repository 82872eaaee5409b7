import { expect, it } from "vitest";
import { random } from "../../numeric/random.ts";
import { contextFinder } from "./contexts.ts";
import { crossEntropy } from "./cross-entropy.ts";

/** As contexts.ts hashes sets: the sum of a number for each item. */
function scramble(item: number): number {
  let bits = Math.imul(item + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca77);
  return bits ^ (bits >>> 13);
}

/** Two sets of two items below `items` whose hashes agree. */
function collision(items: number): [number, number, number, number] {
  const seen = new Map<number, [number, number]>();
  for (let a = 0; a < items; a++)
    for (let b = 0; b < a; b++) {
      const hash = (scramble(a) + scramble(b)) | 0;
      const other = seen.get(hash);
      if (other && !other.includes(a) && !other.includes(b)) return [a, b, ...other];
      seen.set(hash, [a, b]);
    }
  throw new Error("no two sets agree");
}

it("sets of items with the same hash are different contexts", () => {
  const items = 1500;
  const four = collision(items);
  const rest = Array.from({ length: items }, (_, i) => i).filter((i) => !four.includes(i));
  const order = Uint32Array.of(...four, ...rest);
  const drawn = new Map<string, number>(); // the sets of the first two, as they are drawn
  const draw = random(3);
  const orders = 60;
  const found = contextFinder(orders, 3)({ order, starts: Uint32Array.of(0, 4, items), count: 2 } as never, draw, () => {
    return 1;
  });
  for (let context = 0; context < found.count; context++) {
    if (found.sizes[context] !== 2) continue;
    const set = [...found.prefixes.subarray(3 * context, 3 * context + 2)].sort((a, b) => a - b).join();
    expect(drawn.has(set)).toBe(false);
    drawn.set(set, found.contextWeights[context]!);
  }
  expect(drawn.size).toBe(6); // of four items
  expect([...drawn.values()].reduce((sum, one) => sum + one, 0)).toBe(orders);
});

it("a target of nothing costs nothing and moves nothing", () => {
  const [gradient, hessian] = [new Float64Array(3).fill(7), new Float64Array(3).fill(7)];
  expect(crossEntropy(Float64Array.of(1, 2, 3), new Float64Array(3), 3, { gradient, hessian })).toBe(0);
  expect([[...gradient], [...hessian]]).toEqual([[0, 0, 0], [0, 0, 0]]); // biome-ignore format: one line
});
