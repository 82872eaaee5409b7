/**
 * How the values of leaves become a score. Trees grown here are summed in float64 from 0. Models of other tools keep what their tool does, so
 * that scores are the same to the last bit: XGBoost rounds to float32 after every tree and begins with its base_score, CatBoost multiplies
 * the sum and adds a bias, random forests divide it.
 */
import { InputError, quote } from "../../input-error.ts";
import type { SavedModel } from "../../types.ts";
import { savedChoice, savedNumber, savedObject } from "../shared/saved.ts";

/** score = (start + value + value + ...) / divisor * scale + bias, each step rounded to the precision. */
export interface TreeSum {
  /** Precision of the running sum. */
  readonly precision: "float64" | "float32";
  /** Initial value of the running sum. */
  readonly start: number;
  /** What the sum is divided by. */
  readonly divisor: number;
  /** What the quotient is multiplied by. */
  readonly scale: number;
  /** What is added in the end. */
  readonly bias: number;
}

/** What trees grown here do. */
export const plainSum: TreeSum = { precision: "float64", start: 0, divisor: 1, scale: 1, bias: 0 };

export const isPlain = ({ precision, start, divisor, scale, bias }: TreeSum): boolean =>
  precision === "float64" && start === 0 && divisor === 1 && scale === 1 && bias === 0;

/** What follows the running sums. */
export function finishAll(totals: Float64Array, sum: TreeSum): void {
  if (isPlain({ ...sum, precision: "float64", start: 0 })) return;
  for (let i = 0; i < totals.length; i++) totals[i] = finish(totals[i]!, sum);
}

/** What follows a running sum. */
export const finish = (total: number, { divisor, scale, bias }: TreeSum): number =>
  divisor === 1 && scale === 1 && bias === 0 ? total : (total / divisor) * scale + bias;

export function sumOf(saved: SavedModel): TreeSum {
  if (saved.sum === undefined) return plainSum;
  const sum = savedObject(saved, "sum");
  const precision = savedChoice(sum, "precision", ["float64", "float32"]);
  const [start, divisor, scale, bias] = ["start", "divisor", "scale", "bias"].map((key) => savedNumber(sum, key));
  if (divisor === 0)
    throw new InputError(`the model file is damaged: sum.divisor should not be 0, and is ${quote(`${divisor}`)}`);
  return { precision, start: start!, divisor: divisor!, scale: scale!, bias: bias! };
}
