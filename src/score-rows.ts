/** Function that scores plain rows of numbers, without a data set around them: what a server does with each request. */
import { check, someModel } from "./arguments.ts";
import { InputError } from "./input-error.ts";
import { checkRow, refuseValue } from "./numeric/quickscorer-rows.ts";
import type { Model } from "./types.ts";

/**
 * The scores of rows under a model, in the order of the rows. A row has a number for each feature that the model was trained on, in that
 * order, and NaN where a value is missing. Trees score in tables that are made at the first call and kept with the model.
 *
 * ```ts
 * const scores = scoreRows(model, [[0.5, 12, NaN], [0.1, 3, 1]]);
 * ```
 */
export function scoreRows(model: Model, rows: readonly ArrayLike<number>[]): Float64Array {
  check("scoreRows", model, someModel);
  if (!Array.isArray(rows)) throw new InputError(`scoreRows: expected an array of rows, got ${typeof rows}`);
  const { count, base, names } = model.columns;
  const scores = new Float64Array(rows.length);
  if (model.scoreRows) {
    model.scoreRows(rows, scores);
    return scores;
  }
  const values = new Float32Array(rows.length * count);
  rows.forEach((row: ArrayLike<number>, r) => {
    checkRow(row, r, count, "scoreRows");
    for (let c = 0; c < count; c++) {
      const value = row[c]!;
      if (typeof value !== "number") refuseValue(value, c, r, "scoreRows");
      values[r * count + c] = value;
    }
  });
  model.score(
    {
      ...{ starts: Uint32Array.of(0, rows.length), labels: new Float32Array(rows.length), base },
      features: { kind: "dense", rows: rows.length, columns: count, values },
      names: names ? { features: names } : {},
    },
    scores,
  );
  return scores;
}
