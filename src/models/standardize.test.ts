import { describe, expect, it } from "vitest";
import { build } from "../data/build.ts";
import { plPartition } from "../objectives/index.ts";
import { runSolo } from "../teams/solo.ts";
import type { Dataset, Model } from "../types.ts";
import { learner } from "./index.ts";

const rows = [
  [3, 4],
  [0.3, 0.4],
  [0, 0],
  [5, Number.NaN],
  [1, -1],
];
const data = (storage: "dense" | "sparse") =>
  build(
    rows.map((features, i) => ({ label: i % 3, list: i < 3 ? 1 : 2, features })),
    { absent: "zero", storage },
  );

const learn = (text: string, from: Dataset): Model =>
  runSolo((team) => learner(text).learn(from, plPartition(), { seed: 1, team, afterRound: () => "improved" }));

describe("features scaled by row", () => {
  it.each(["dense", "sparse"] as const)(
    "%s rows of one direction score the same, and the score is linear in rows of length 1",
    (storage) => {
      const model = learn("linear:scale=row", data(storage));
      const scores = new Float64Array(rows.length);
      model.score(data(storage), scores);
      expect(scores[0]).toBeCloseTo(scores[1]!, 6);

      // The row of zeros gives the constant, (1, 0) and (0.6, 0.8) give the weights, and these the score of (1, -1) / √2.
      const constant = scores[2]!;
      const first = scores[3]! - constant;
      const second = (scores[0]! - constant - 0.6 * first) / 0.8;
      expect(scores[4]! - constant).toBeCloseTo((first - second) / Math.SQRT2, 6);
    },
  );
});
