/** Amounts in another unit or currency than those that a model was trained on. */
import { quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { amountOf } from "./marks.ts";

/** What is wrong with a text that is an amount in another unit than those of the training data, and what to do; undefined for other texts. */
export function otherUnit({ kind, unit }: ColumnEncoding, text: string): string | undefined {
  const other = kind === "number" ? amountOf(text.trim())?.unit : undefined;
  if (other === undefined || other === unit) return undefined;
  return unit === undefined
    ? `the numbers of the training data have no unit, and ${quote(text)} has ${other}; write the numbers without a unit, as they were there`
    : `the numbers of the training data are in ${unit}, and ${quote(text)} is in ${other}; convert the column to ${unit}`;
}
