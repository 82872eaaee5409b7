/** Function that scores plain rows of numbers, without a data set around them: what a server does with each request. */
import { check, checkOptions, isNumbers, type Kinds, someModel } from "./arguments.ts";
import { InputError } from "./input-error.ts";
import { checkRow, refuseValue } from "./numeric/quickscorer-rows.ts";
import type { Model } from "./types.ts";

/** Which rows are ranked together. */
export interface ScoreRowsOptions {
  /**
   * Offsets of the lists: list q owns rows starts[q] to starts[q + 1]. Needed by models that compare the items of a list, such as those with
   * `withinList`; [0, rows.length] for one list. Default: none.
   */
  readonly starts?: ArrayLike<number>;
}

const kinds: Kinds<ScoreRowsOptions> = {
  starts: { wanted: "offsets of lists, as an array of numbers", fits: isNumbers },
};

/**
 * The scores of rows under a model, in the order of the rows. A row has a number for each feature that the model was trained on, in that
 * order, and NaN where a value is missing. Trees score in tables that are made at the first call and kept with the model.
 *
 * ```ts
 * const scores = scoreRows(model, [[0.5, 12, NaN], [0.1, 3, 1]]);
 * ```
 */
export function scoreRows(model: Model, rows: readonly ArrayLike<number>[], options: ScoreRowsOptions = {}): Float64Array {
  check("scoreRows", model, someModel);
  if (!Array.isArray(rows)) throw new InputError(`scoreRows: expected an array of rows, got ${typeof rows}`);
  checkOptions("scoreRows", options, kinds);
  const starts = startsOf(model, rows.length, options.starts);
  const { count, base, names, encoding } = model.columns;
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
      ...{ starts, labels: new Float32Array(rows.length), base },
      features: { kind: "dense", rows: rows.length, columns: count, values },
      names: { ...(names && { features: names }), ...(encoding && { encoding }) },
    },
    scores,
  );
  return scores;
}

/** The offsets of the lists; rows of models that look at each alone are one list. */
function startsOf({ listwise }: Model, rows: number, given: ArrayLike<number> | undefined): Uint32Array {
  if (!given && listwise)
    throw new InputError(
      `scoreRows: this model compares the items of a list with each other, so it must know the lists; give their offsets in the option starts, [0, ${rows}] if the rows are one list`,
    );
  if (!given) return Uint32Array.of(0, rows);
  const all = Array.from(given);
  const ascends = all.every((start, q) => Number.isSafeInteger(start) && start >= (all[q - 1] ?? 0));
  if (!ascends || all[0] !== 0 || all.at(-1) !== rows)
    throw new InputError(
      `scoreRows, option starts: expected ascending whole numbers from 0 to ${rows}, the number of rows, got ${all.slice(0, 5).join(", ")}${all.length > 5 ? ", ..." : ""}`,
    );
  return Uint32Array.from(all);
}
