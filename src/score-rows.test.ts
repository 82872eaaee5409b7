import { describe, expect, it } from "vitest";
import { score } from "./evaluate.ts";
import { fit } from "./fit.ts";
import { linear, trees } from "./models/index.ts";
import { random } from "./numeric/random.ts";
import { mcRank } from "./objectives/index.ts";
import { scoreRows } from "./score-rows.ts";
import type { Dataset, Model } from "./types.ts";

const draw = random(5);
const COLUMNS = 4;
const rows = Array.from({ length: 90 }, () => Array.from({ length: COLUMNS }, () => (draw() < 0.1 ? Number.NaN : draw())));
const data: Dataset = {
  starts: Uint32Array.of(0, 30, 60, 90),
  labels: Float32Array.from({ length: 90 }, () => Math.floor(3 * draw())),
  features: { kind: "dense", rows: 90, columns: COLUMNS, values: Float32Array.from(rows.flat()) },
  ...{ base: 1, names: {} },
};
const models: [string, Model][] = [
  ["trees", fit(data, { model: trees({ rounds: 5, leaves: 4, minItems: 2 }) }).model],
  ["trees of several outputs", fit(data, { model: trees({ rounds: 3, minItems: 2 }), objective: mcRank({ grades: 3 }) }).model],
  ["a linear model", fit(data, { model: linear() }).model],
];

describe.each(models)("rows under %s", (_, model) => {
  it("have the scores that they have in a data set", () => {
    expect(scoreRows(model, rows)).toEqual(score(model, data));
    expect(
      scoreRows(
        model,
        rows.map((row) => Float32Array.from(row)),
      ),
    ).toEqual(score(model, data));
    expect(scoreRows(model, rows.slice(7, 8))[0]).toBe(score(model, data)[7]);
    expect(scoreRows(model, [])).toEqual(new Float64Array());
  });

  it("are refused when they are not what the model was trained on", () => {
    const wrong = (given: unknown) => () => scoreRows(model, given as number[][]);
    expect(wrong([[1, 2, 3]])).toThrow(
      /^scoreRows: row 0 has 3 values, and the model has 4 features; NaN stands for a missing value$/,
    );
    expect(wrong([[1, 2, 3, 4], 7])).toThrow(/^scoreRows: row 1 is 7, and must be an array of numbers$/);
    expect(wrong([[undefined, undefined, undefined, undefined]])).toThrow(
      /^scoreRows: value \d of row 0 is undefined, and must be a number/,
    );
    expect(wrong("0.5 1 2 3")).toThrow(/^scoreRows: expected an array of rows, got string$/);
  });
});
