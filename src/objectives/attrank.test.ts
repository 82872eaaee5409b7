import { expect, it } from "vitest";
import { random } from "../numeric/random.ts";
import { attRank } from "./attrank.ts";
import { plLb } from "./pl-lb.ts";

it("with two tiers, attrank has the gradient of pl-lb over the number of items above", () => {
  const draw = random(4);
  for (const above of [1, 3, 7]) {
    const scores = Float64Array.from({ length: 12 }, () => 4 * draw() - 2);
    const labels = Float32Array.from({ length: 12 }, (_, i) => (i < above ? 1 : 0));
    const [one, other] = [new Float64Array(12), new Float64Array(12)];
    attRank().evaluate(scores, labels, { gradient: one }, draw);
    plLb().evaluate(scores, labels, { gradient: other }, draw);
    one.forEach((value, i) => {
      expect(value).toBeCloseTo(other[i]! / above, 12);
    });
  }
});
