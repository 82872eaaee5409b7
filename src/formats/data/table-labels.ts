/** The labels and weights of a table that came as columns. */
import { counted } from "../../counted.ts";
import { areTierLetters, gradedLabels, LETTERS_NOTICE, notInOrder, TIER_LETTERS } from "../../data/label-order.ts";
import { orderAdvice, orderNotice } from "../../data/label-scales.ts";
import { isResultWord, LAST, wordAdvice, wordMeaning } from "../../data/label-words.ts";
import { arrayOf } from "../../data/table/array-text.ts";
import { areTruths } from "../../data/table/cell-text.ts";
import { decideTimes, saidOfTimes } from "../../data/table/decide-times.ts";
import type { Decision } from "../../data/table/decision.ts";
import { encodeColumn } from "../../data/table/encode.ts";
import { type ColumnProfile, profileOf } from "../../data/table/profile.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { segmentsOf, textsOf } from "../../data/table/texts.ts";
import { timeForm, timeText } from "../../data/table/times.ts";
import { InputError, quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import type { RowContext } from "./format.ts";
import type { RoledTable } from "./roled-table.ts";

/** Words in a column of labels that are none: for missing values, and those with a meaning of their own. */
export const wordsBeside = ({ missingValues = [], labelLast = [], labelMissing = [] }: RowContext) => [
  ...missingValues,
  ...labelLast,
  ...labelMissing,
];

/** The labels of a table. */
export interface TableLabels {
  /** A number, or NaN for a missing label. */
  readonly values: Float64Array;
  /** By row, what a word says instead of a label: `LAST`, NaN where the row is left out, or undefined. */
  readonly words?: readonly (number | undefined)[];
}

/** The labels of a table; `times` says what they are where they are times. */
export function labelsOf(roled: RoledTable, rows: number, times: ColumnEncoding | undefined): TableLabels {
  const { table, roles, context, summary } = roled;
  const words = wordsBeside(context);
  const values = numbersOf(roled, roles.label, rows, words, times);
  const { labelLast = [], labelMissing = [], missingValues } = context;
  if (labelLast.length + labelMissing.length === 0) return { values };
  const meaning = wordMeaning(context, missingValues);
  const texts = textsOf(table, roles.label);
  const found = texts.map(meaning);
  found.forEach((word, row) => {
    if (word !== undefined) values[row] = Number.NaN; // a number may be such a word too
  });
  const last = texts.filter((_, row) => found[row] === LAST);
  if (last.length > 0)
    summary.notices.push(
      `label ${quote(table.columns[roles.label]!)}: ${counted(last.length, "row")} (${[...new Set(last)].map((text) => text || "no label").join(", ")}) below all others of ${last.length === 1 ? "its list" : "their lists"}`,
    );
  return { values, words: found };
}

/** What the labels of all tables are, where they are times. */
export function labelTimes(tables: readonly RoledTable[]): Decision | undefined {
  const [{ table, roles, context }] = tables as readonly [RoledTable];
  const { labelOrder = [], timeColumns, lowerIsBetter, higherIsBetter } = context;
  const missingValues = wordsBeside(context);
  if (roles.label < 0 || labelOrder.length > 0) return undefined;
  const name = table.columns[roles.label]!;
  const segments = tables.flatMap((one) => (one.roles.label < 0 ? [] : segmentsOf(one.table, one.roles.label)));
  const profile = profileOf(segments, missingValues);
  const odd = new Map([...profile.words].filter(([text]) => timeForm(text) === undefined));
  const said = saidOfTimes(timeColumns, name);
  if (!said && profile.times === 0 && odd.size === profile.words.size) return undefined;
  const [word] = odd;
  if (word) {
    const wordCells = [...odd.values()].reduce((sum, { count }) => sum + count, 0);
    const advice = labelAdvice({ ...profile, words: odd, wordCells }, table, roles.label);
    throw new InputError(
      `${word[1].where()}: column ${quote(name)}: expected a time such as 1:02:03.4, got ${quote(word[0])}; ${advice}`,
    );
  }
  const decision = decideTimes(name, segments, profile, missingValues, said ?? {})!;
  const best = !lowerIsBetter && !higherIsBetter ? "; the longest is taken as the best label (--lower-is-better takes the shortest, --higher-is-better confirms the longest)" : ""; // biome-ignore format: one choice
  return { ...decision, notice: `${decision.notice}${best}` };
}

/** A line about times that 32-bit floats do not tell apart. */
function tiedTimes(name: string, values: Float64Array): string[] {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const at = sorted.findIndex((value, i) => i > 0 && value !== sorted[i - 1] && Math.fround(value) === Math.fround(sorted[i - 1]!)); // biome-ignore format: one condition
  if (at < 0) return [];
  return [
    `label ${quote(name)}: times such as ${timeText(sorted[at - 1]!)} and ${timeText(sorted[at]!)} are equal as 32-bit floats, so that they tie; subtract an offset`,
  ];
}

/** The numbers of a column that must have them: a label or a weight. Words for truth values are 1 and 0; labels may be words in an order. */
export function numbersOf(
  roled: RoledTable,
  column: number,
  rows: number,
  missingValues: readonly string[] = [],
  times?: ColumnEncoding,
): Float64Array {
  const { table, context, roles, summary } = roled;
  const segments = segmentsOf(table, column);
  const profile: ColumnProfile = profileOf(segments, missingValues);
  const name = table.columns[column]!;
  if (times) {
    const { values } = encodeColumn(times, segments, rows, missingValues);
    summary.notices.push(...tiedTimes(name, values as Float64Array));
    return values as Float64Array;
  }
  const isTruth = profile.others === 0 && areTruths(profile.words.keys());
  const [word] = profile.words;
  const isLabel = column === roles.label;
  if (isLabel) {
    const { labelOrder = [] } = context;
    const letters = labelOrder.length === 0 && !isTruth && isOfLetters(profile);
    if (letters) summary.notices.push(`label ${quote(name)}: ${LETTERS_NOTICE}`);
    if (letters || labelOrder.length > 0) {
      summary.labelWords = true;
      if (!letters && context.labels === "required" && !context.scorer)
        summary.notices.push(orderNotice(`label ${quote(name)}`, labelOrder));
      const where = table.where ?? ((row: number) => `${table.name}, row ${row + 1}`);
      return gradedLabels(textsOf(table, column), letters ? TIER_LETTERS : labelOrder, missingValues, (row, text) => {
        throw new InputError(`${where(row)}: column ${quote(name)}: ${notInOrder(text, labelOrder)}`);
      });
    }
  }
  if (word && !isTruth)
    throw new InputError(
      `${word[1].where()}: column ${quote(name)}: expected a finite number, got ${quote(word[0])}${isLabel ? `; ${labelAdvice(profile, table, column)}` : ""}`,
    );
  if (profile.dates + profile.times > 0)
    throw new InputError(`${table.name}: column ${quote(name)}: expected numbers, got ${profile.dates > 0 ? "dates" : "times"}`);
  const kind = word ? "boolean" : "number";
  return encodeColumn({ name, kind }, segments, rows, missingValues).values as Float64Array;
}

const isOfLetters = ({ words, numbers, booleans, dates, times }: ColumnProfile) =>
  numbers + booleans + dates + times === 0 && areTierLetters(words.keys());

/** What to do about labels that are words: a few of them may have a meaning of their own, and most of them never do. */
function labelAdvice({ words, wordCells, rows, missing }: ColumnProfile, table: SourceTable, column: number): string {
  const sets = [...words.keys()].filter((word) => /[^;|][;|][^;|]/.test(word) || arrayOf(word));
  if (sets.length > 0)
    return `${quote(sets[0]!)} looks like a set of labels: write such data as Mulan's ARFF or in the format of the Extreme Classification Repository, or pass them to labelSets in code (tierwise list formats)`;
  const few = wordCells * 2 < rows - missing && ![...words.keys()].some((word) => /\d/.test(word));
  if (!few && ![...words.keys()].every(isResultWord))
    return orderAdvice(new Set(textsOf(table, column).filter((text) => text !== "")));
  return wordAdvice([...words.keys()]);
}
