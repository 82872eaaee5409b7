/**
 * Which end of the labels is the best. Numbers are better if higher, except in a column called "tier", where 1 is the best, whatever other columns
 * there are; words are put in order by the user, best first, or are the letters of tier lists.
 */
import { InputError } from "../input-error.ts";
import { lowestBest } from "./label-names.ts";
import { checkLabelWords, type LabelWords, labelKey } from "./label-words.ts";
import { isMissingWord } from "./table/cell-text.ts";

/** What a user has said about the direction of labels. */
export interface LabelDirection extends LabelWords {
  /** A lower number is better. */
  readonly lowerIsBetter?: boolean;
  /** A higher number is better, also in a column called "tier". */
  readonly higherIsBetter?: boolean;
  /** All labels, the best first. */
  readonly labelOrder?: readonly string[];
}

/** A direction of numbers was given for labels that are letters of tier lists. */
export class DirectionOfLetters extends InputError {
  constructor(name: string, { lowerIsBetter }: LabelDirection) {
    super(
      `${name}: the labels are letters, S the best, and --${lowerIsBetter ? "lower" : "higher"}-is-better is for numbers; leave it out`,
    );
  }
}

/** Letters of tier lists, the best first. */
export const TIER_LETTERS: readonly string[] = ["S", "A", "B", "C", "D", "E", "F"];

export const LETTERS_NOTICE = "letters of a tier list: S is the best, then A to F (--label-order takes another order)";

export const isTierName = (column: string): boolean => /^tier$/i.test(column.trim());

/** Refuses directions that exclude each other. */
export function checkDirection({ lowerIsBetter, higherIsBetter, labelOrder = [], ...words }: LabelDirection): void {
  if (lowerIsBetter && higherIsBetter)
    throw new InputError("--lower-is-better and --higher-is-better exclude each other; give one of them");
  if (labelOrder.length > 0 && (lowerIsBetter || higherIsBetter))
    throw new InputError(
      `--label-order has the best label first, so --${lowerIsBetter ? "lower" : "higher"}-is-better says nothing beside it; leave one out`,
    );
  const keys = labelOrder.map(labelKey);
  const twice = labelOrder.find((_, at) => keys.indexOf(keys[at]!) < at);
  if (twice !== undefined) throw new InputError(`--label-order names ${JSON.stringify(twice)} twice; name each label once`);
  checkLabelWords({ ...words, labelOrder });
}

/** Whether a lower number is the better label. */
export const isLowerBetter = (column: string, { lowerIsBetter, higherIsBetter, labelOrder = [] }: LabelDirection): boolean =>
  lowerIsBetter || (isTierName(column) && !higherIsBetter && labelOrder.length === 0);

/** What is said of the direction of a label with such a name, where the user has not given it. */
export function directionNotice(column: string, { lowerIsBetter, higherIsBetter, labelOrder = [] }: LabelDirection): string[] {
  if (lowerIsBetter || higherIsBetter || labelOrder.length > 0) return [];
  if (isTierName(column))
    return [`label "${column}": the lowest number is taken as the best tier (--higher-is-better takes the highest)`];
  const best = lowestBest(column);
  return best === undefined
    ? []
    : [`label "${column}": the highest number is taken as the best; if ${best} is the best, add --lower-is-better (--higher-is-better confirms the highest)`]; // biome-ignore format: one line
}

/** The number of a label by an order, the best first: higher is better, 0 the last. Undefined for a label that is not in it. */
export function gradesOf(order: readonly string[]): (text: string) => number | undefined {
  const grades = new Map(order.map((label, at) => [labelKey(label), order.length - 1 - at]));
  return (text) => grades.get(labelKey(text));
}

/** Whether all labels are letters of tier lists. */
export function areTierLetters(labels: Iterable<string>): boolean {
  const all = [...labels];
  return all.length > 0 && all.every((label) => TIER_LETTERS.includes(label));
}

/** The numbers of labels that are words, NaN for a missing one; `fail` is given the row of a label that the order lacks. */
export function gradedLabels(
  texts: readonly string[],
  order: readonly string[],
  missing: readonly string[],
  fail: (row: number, text: string) => never,
): Float64Array {
  const grade = gradesOf(order);
  return Float64Array.from(texts, (text, row) => {
    const found = grade(text);
    if (found !== undefined) return found;
    return isMissingWord(text, missing) ? Number.NaN : fail(row, text);
  });
}

export const notInOrder = (text: string, order: readonly string[]): string =>
  `${JSON.stringify(text)} is not among the labels of --label-order (${order.join(", ")}); add it there, in its place`;
