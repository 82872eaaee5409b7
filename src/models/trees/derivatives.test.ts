import { expect, it } from "vitest";
import { build } from "../../data/build.ts";
import { fit } from "../../fit.ts";
import { random } from "../../numeric/random.ts";
import { plPartition } from "../../objectives/index.ts";
import { scoreRows } from "../../score-rows.ts";
import type { Objective } from "../../types.ts";
import { trees } from "./index.ts";

/** Lists of eight items with a feature and a grade. */
function drawn(rows: number) {
  const draw = random(rows);
  return build(
    Array.from({ length: rows }, (_, i) => {
      const x = draw();
      return { list: i >> 3, label: Math.floor(3 * (0.7 * x + 0.3 * draw())), features: [x] };
    }),
  );
}

/** Fits one tree, and says what the objective was told; `exact` keeps it from saving time. */
function fitted(rows: number, exact = false) {
  const told = new Set<boolean | undefined>();
  const plain = plPartition();
  const objective: Objective = {
    ...plain,
    evaluate(scores, labels, into, ...rest) {
      told.add(into.rounded);
      return plain.evaluate(scores, labels, { ...into, rounded: !exact && into.rounded === true }, ...rest);
    },
  };
  const { model, best } = fit(drawn(rows), { model: trees({ rounds: 2, leaves: 4 }), objective });
  return { told: [...told], scores: scoreRows(model, [[0.1], [0.5], [0.9]]), cost: best.cost };
}

it("objectives are told from 65,536 rows on that derivatives are rounded, which changes little", () => {
  expect(fitted(65_528).told).toEqual([false]);
  const [some, all] = [fitted(65_536), fitted(65_536, true)];
  expect(some.told).toEqual([true]);
  for (let i = 0; i < 3; i++) expect(some.scores[i]).toBeCloseTo(all.scores[i]!, 6);
  expect(some.cost / all.cost).toBeCloseTo(1, 6);
});
