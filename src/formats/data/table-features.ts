/** The features of a table by the encoding of its columns, and what is said of data that contradict the encoding of a model. */
import { counted } from "../../counted.ts";
import { areTruths, epochSeconds, ordersOf } from "../../data/table/cell-text.ts";
import { dateColumn, openOrder, rowOf } from "../../data/table/decide.ts";
import { saidOfTimes, scoredTimes } from "../../data/table/decide-times.ts";
import { MOSTLY } from "../../data/table/decision.ts";
import { type EncodedColumn, encodeColumn, isFarBefore, numbersIn, widthOf } from "../../data/table/encode.ts";
import { otherUnit } from "../../data/table/other-unit.ts";
import { type ColumnProfile, profileOf, type Segment } from "../../data/table/profile.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { dateText, segmentsOf } from "../../data/table/texts.ts";
import { InputError, quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { checkNeeded } from "./columns.ts";
import type { RowContext } from "./format.ts";
import type { ParseSummary } from "./parse-summary.ts";
import type { Columns, RoledTable } from "./roled-table.ts";

/** A column with the numbers of its features, which follow one another. */
export interface Feature extends EncodedColumn {
  readonly encoding: ColumnEncoding;
  readonly first: number;
  readonly width: number;
}

/** The features of all rows of a table. */
export function encodeFeatures({ table, roles, context, summary }: RoledTable, { encoding, decisions }: Columns, rows: number) {
  const isOfModel = decisions.length === 0;
  if (isOfModel) checkNeeded(table.name, table.columns, roles, context);
  const features: Feature[] = [];
  let first = 0;
  for (const column of encoding) {
    const width = widthOf(column);
    if (width === 0) continue;
    const place = table.columns.indexOf(column.name);
    const segments = segmentsOf(table, place);
    const truths = isOfModel && column.kind === "number" && areBooleans(profileOf(segments, context.missingValues));
    if (truths) summary.notices.push(`column ${quote(column.name)}: booleans, read as 1 and 0`);
    const known = isOfModel ? { ...column, ...writtenHere(column, segments, context, summary) } : column;
    const encoded = encodeColumn(truths ? { ...column, kind: "boolean" } : known, segments, rows, context.missingValues);
    if (isOfModel) reportUnknown(known, encoded, rows, table, summary);
    summary.missing += encoded.missing;
    features.push({ ...encoded, encoding: column, first, width });
    first += width;
  }
  return features;
}

/** What comes first in the dates or times of data to score, with what is said of numbers among them. */
function writtenHere(column: ColumnEncoding, segments: readonly Segment[], context: RowContext, { notices }: ParseSummary) {
  const { missingValues = [], timeColumns } = context;
  if (column.kind === "date") {
    notices.push(...dayNotices(column, segments, context));
    return orderOf(column, segments, context);
  }
  if (column.kind !== "time") return undefined;
  const said = saidOfTimes(timeColumns, column.name);
  const times = scoredTimes(column, segments, profileOf(segments, missingValues), missingValues, said);
  notices.push(...times.notices);
  return { assumed: false, ...(times.start && { start: times.start }) }; // cells that contradict what was assumed are refused
}

/** What comes first in dates such as 3/4/2024 of data to score: as said, or as in the training data, or if these had none such, as the rows show. */
function orderOf(column: ColumnEncoding, segments: readonly Segment[], { dateColumns, missingValues }: RowContext) {
  const said = (dateColumns ?? []).map(dateColumn).find(({ name }) => name === column.name)?.order;
  const order = said ?? column.order ?? openOrder(column.name, profileOf(segments, missingValues));
  return order && { order };
}

/** What numbers in a column of dates mean: a line about their days, or an error where these are far from those of the training data. */
function dayNotices({ name, origin = 0 }: ColumnEncoding, segments: readonly Segment[], { missingValues = [] }: RowContext) {
  const { numbers } = profileOf(segments, missingValues);
  let [low, high] = [Infinity, -Infinity];
  for (const segment of segments)
    for (const value of numbersIn([segment], missingValues)) {
      const seconds = epochSeconds(value);
      if (isFarBefore(seconds, origin))
        throw new InputError(
          `${segment.where(segment.first + rowOf(segment.column, value))}: column ${quote(name)}: the number ${value} is ${dayText(seconds)} as a time since 1970, and the dates of the training data begin on ${dayText(origin)}; write dates such as 2024-03-01, or --missing-values ${value} reads it as a missing value`,
        );
      [low, high] = [Math.min(low, seconds), Math.max(high, seconds)];
    }
  if (numbers === 0) return [];
  return [
    `column ${quote(name)}: ${counted(numbers, "number")} read as times since 1970, from ${dayText(low)} to ${dayText(high)}`,
  ];
}

const dayText = (seconds: number) => dateText(seconds).replace(/T.*/, "");

/** Whether cells are words for truth values, perhaps with 0 and 1 among them. */
const areBooleans = ({ words, others, dates, times }: ColumnProfile) => others + dates + times === 0 && areTruths(words.keys());

/** Cells that mean nothing to the model: a notice, or an error where a column of numbers or dates is something else. */
function reportUnknown(
  column: ColumnEncoding,
  { unknown, missing }: EncodedColumn,
  rows: number,
  table: SourceTable,
  summary: ParseSummary,
): void {
  if (unknown.count === 0) return;
  const some = [...unknown.texts].map((text) => quote(text)).join(", ");
  const cells = `${unknown.count} ${unknown.count === 1 ? "cell" : "cells"} (${some}${unknown.count > unknown.texts.size ? ", ..." : ""})`;
  if (column.kind === "set") {
    const elements = `${counted(unknown.count, "element")} (${some}${unknown.count > unknown.texts.size ? ", ..." : ""})`;
    summary.notices.push(`column ${quote(column.name)}: ${elements} of arrays that the model does not know, left out`);
    return;
  }
  if (column.kind === "category") {
    summary.notices.push(
      `column ${quote(column.name)}: ${cells} of categories that the model does not know, read as none of them`,
    );
    return;
  }
  const first = [...unknown.texts][0]!;
  const ofUnit = otherUnit(column, first);
  const isOtherOrder = column.order !== undefined && ordersOf(unknown.texts)?.includes(column.order) === false;
  if (isOtherOrder || rows - missing - unknown.count < MOSTLY * (rows - missing))
    throw new InputError(
      `${(table.where ?? (() => table.name))(unknown.first)}: column ${quote(column.name)}: ${
        ofUnit ??
        `expected a ${column.kind === "number" ? "finite number" : column.kind}, got ${quote(first)}; the column has ${column.kind}s${column.order ? ` with the ${column.order === "dmy" ? "day" : "month"} first` : ""} in the training data (--missing-values WORD,... reads words as missing values)`
      }`,
    );
  const why = ofUnit === undefined ? "" : ` (${ofUnit})`;
  summary.notices.push(`column ${quote(column.name)}: ${cells} that are no ${column.kind}s, read as missing values${why}`);
}
