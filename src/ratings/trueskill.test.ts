import { expect, it } from "vitest";
import { below, random } from "../numeric/random.ts";
import { trueSkill } from "./trueskill.ts";

it("a contest and its mirror image, the last first and skills negated, change skills alike", () => {
  for (let seed = 0; seed < 40; seed++) {
    const draw = random(seed, 5);
    const n = 3 + below(draw, 5);
    const items = Array.from({ length: n }, () => Float64Array.of(10 * draw() - 5, 0.5 + 8 * draw()));
    const places = items.map(() => below(draw, n));
    const mirror = items.map(([mean, error]) => Float64Array.of(-mean!, error!)).reverse();
    const { contest } = trueSkill({ mu: 0 });
    contest!(items, places);
    contest!(mirror, places.map((place) => -place).reverse());
    mirror.reverse();
    for (const [i, [mean, error]] of items.entries()) {
      expect(mirror[i]![0]! + mean!).toBeCloseTo(0, 9);
      expect(mirror[i]![1]).toBeCloseTo(error!, 9);
    }
  }
});
