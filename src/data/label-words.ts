/**
 * Words in the place of labels: "did not finish" of an item that is below all others of its list, and "did not start" of a row that has no label. While data are read, the
 * label of the former is Infinity, whichever end is the best; `lastLabels` and `lowerIsBetter` put it below the others.
 */
import { InputError } from "../input-error.ts";
import { below32 } from "../numeric/float32.ts";
import type { Dataset } from "../types.ts";
import { isMissingWord, numeralOf } from "./table/cell-text.ts";

/** What a user has said about words among labels. */
export interface LabelWords {
  /** Labels below all others of their list, which tie; a word for missing values, such as NA, stands for all cells without a label. */
  readonly labelLast?: readonly string[];
  /** Labels of rows that are left out; a word for missing values, such as NA, stands for all cells without a label. */
  readonly labelMissing?: readonly string[];
}

interface UncheckedWords {
  readonly labelLast?: readonly string[] | undefined;
  readonly labelMissing?: readonly string[] | undefined;
  readonly labelOrder?: readonly string[] | undefined;
}

/** Equal for labels that are the same, also as numbers: "7" and "7.0". */
export const labelKey = (text: string): string => {
  const number = numeralOf(text.trim());
  return number === undefined ? text.trim() : String(number);
};

/** Refuses words that say two things; `missing` is the option of words that mean no label. */
export function checkLabelWords(
  { labelLast = [], labelMissing = [], labelOrder = [] }: UncheckedWords,
  missing = "--label-missing",
): void {
  if (labelLast.length > 0 && labelOrder.length > 0)
    throw new InputError(
      "--label-order has all labels, the best first, and --label-last others; put its words at the end of --label-order",
    );
  for (const [option, words, other, others] of [
    ["--label-last", labelLast, missing, labelMissing],
    [missing, labelMissing, "--label-order", labelOrder],
  ] as const) {
    const keys = new Set(others.map(labelKey));
    const both = words.find((word) => keys.has(labelKey(word)));
    if (both !== undefined)
      throw new InputError(`${option} and ${other} both name ${JSON.stringify(both)}; leave it out of one of them`);
  }
}

/** The label of an item that is below all others of its list, while data are read. */
export const LAST = Infinity;

/** What words say of a label: `LAST`, NaN for a row that is left out, or undefined where they say nothing. A cell without a label is "". */
export function wordMeaning(
  { labelLast = [], labelMissing = [] }: LabelWords,
  missingValues: readonly string[] = [],
): (text: string) => number | undefined {
  const meanings = new Map([
    ...labelMissing.map((word) => [labelKey(word), Number.NaN] as const),
    ...labelLast.map((word) => [labelKey(word), LAST] as const),
  ]);
  const [ofMissing] = [...meanings].flatMap(([word, meaning]) => (isMissingWord(word) ? [meaning] : []));
  return (text) => meanings.get(labelKey(text)) ?? (isMissingWord(text.trim(), missingValues) ? ofMissing : undefined);
}

/** The data with labels that are LAST one below the lowest of their list, or 0 where all others are above. */
export function lastLabels(data: Dataset): Dataset {
  if (!data.labels.includes(LAST)) return data;
  const labels = data.labels.slice();
  for (let list = 0; list + 1 < data.starts.length; list++) {
    const own = labels.subarray(data.starts[list]!, data.starts[list + 1]!);
    const lowest = own.reduce((least, label) => Math.min(least, Number.isNaN(label) ? LAST : label), LAST);
    const last = lowest > 0 ? 0 : Math.min(Math.fround(lowest - 1), below32(lowest));
    own.forEach((label, i) => {
      if (label === LAST) own[i] = last;
    });
  }
  return { ...data, labels };
}

/** Words of results for those who did not take part, or withdrew before. */
const ABSENT = /^(dns|dnc|dnq|wd|scr(atched)?|nr|withdr(awn|ew)|did not (start|compete|qualify|enter))$/i;
/** The same for those who took part and have no place. */
const UNPLACED =
  /^(dnf|dsq|dq|disq|disqualified|nc|ret|retired|abd|abandoned|exc|excluded|otl|hd|did not finish|not classified)$/i;

/** Whether a word is one of races and competitions, such as DNF. */
export const isResultWord = (word: string): boolean => ABSENT.test(word) || UNPLACED.test(word);

const MOST_SHOWN = 12;

/** A word as a shell takes it. */
const shellWord = (word: string) => (/^[\w.,/-]+$/.test(word) ? word : `'${word}'`);

/** Advice for words among labels that are numbers or times. */
export function wordAdvice(words: readonly string[]): string {
  const absent = words.filter((word) => ABSENT.test(word));
  const others = words.filter((word) => !ABSENT.test(word));
  const option = (some: readonly string[]) => shellWord((some.length > 0 ? some : words).slice(0, MOST_SHOWN).join(","));
  return `--label-last ${option(others)} puts such rows below all others of their list, and --label-missing ${option(absent)} leaves such rows out`;
}
