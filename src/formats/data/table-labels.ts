/** The labels and weights of a table that came as columns. */
import { areTierLetters, gradedLabels, LETTERS_NOTICE, notInOrder, orderAdvice, TIER_LETTERS } from "../../data/label-order.ts";
import { areTruths } from "../../data/table/cell-text.ts";
import { encodeColumn } from "../../data/table/encode.ts";
import { type ColumnProfile, profileOf } from "../../data/table/profile.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { segmentsOf, textsOf } from "../../data/table/texts.ts";
import { InputError, quote } from "../../input-error.ts";
import type { RoledTable } from "./roled-table.ts";

/** A word as a shell takes it. */
const quoteWord = (word: string) => (/^[\w.,/-]+$/.test(word) ? word : `'${word}'`);

/** The numbers of a column that must have them: a label or a weight. Words for truth values are 1 and 0; labels may be words in an order. */
export function numbersOf(roled: RoledTable, column: number, rows: number): Float64Array {
  const { table, context, roles, summary } = roled;
  const segments = segmentsOf(table, column);
  const profile: ColumnProfile = profileOf(segments, context.missingValues);
  const name = table.columns[column]!;
  const isTruth = profile.others === 0 && areTruths(profile.words.keys());
  const [word] = profile.words;
  const isLabel = column === roles.label;
  if (isLabel) {
    const { labelOrder = [] } = context;
    const letters = labelOrder.length === 0 && !isTruth && isOfLetters(profile);
    if (letters) summary.notices.push(`label ${quote(name)}: ${LETTERS_NOTICE}`);
    if (letters || labelOrder.length > 0) {
      summary.labelWords = true;
      const where = table.where ?? ((row: number) => `${table.name}, row ${row + 1}`);
      return gradedLabels(
        textsOf(table, column),
        letters ? TIER_LETTERS : labelOrder,
        context.missingValues ?? [],
        (row, text) => {
          throw new InputError(`${where(row)}: column ${quote(name)}: ${notInOrder(text, labelOrder)}`);
        },
      );
    }
  }
  if (word && !isTruth)
    throw new InputError(
      `${word[1].where()}: column ${quote(name)}: expected a finite number, got ${quote(word[0])}${isLabel ? `; ${labelAdvice(profile, table, column)}` : ""}`,
    );
  if (profile.dates > 0) throw new InputError(`${table.name}: column ${quote(name)}: expected numbers, got dates`);
  const kind = word ? "boolean" : "number";
  return encodeColumn({ name, kind }, segments, rows, context.missingValues).values as Float64Array;
}

const isOfLetters = ({ words, numbers, booleans, dates }: ColumnProfile) =>
  numbers + booleans + dates === 0 && areTierLetters(words.keys());

/** What to do about labels that are words: a few of them may stand for no label, and most of them never do. */
function labelAdvice({ words, wordCells, rows, missing }: ColumnProfile, table: SourceTable, column: number): string {
  const sets = [...words.keys()].filter((word) => /[^;|][;|][^;|]/.test(word));
  if (sets.length > 0)
    return `${quote(sets[0]!)} looks like a set of labels: write such data as Mulan's ARFF or in the format of the Extreme Classification Repository, or pass them to labelSets in code (tierwise list formats)`;
  const few = wordCells * 2 < rows - missing && ![...words.keys()].some((word) => /\d/.test(word));
  if (!few) return orderAdvice(new Set(textsOf(table, column).filter((text) => text !== "")));
  return `if that means no label, --missing-values ${quoteWord([...words.keys()].slice(0, 12).join(","))} --tiers ratings leaves such rows out`;
}
