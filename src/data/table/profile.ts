/** What the cells of a column are, counted over all its rows. Texts are looked at once for each entry of a dictionary. */
import { isMissingWord, numeralOf } from "./cell-text.ts";
import { MISSING_BOOLEAN, MISSING_TEXT, type TableColumn, type TextColumn } from "./source-table.ts";

/** Some rows of a column, and where they stand. */
export interface Segment {
  readonly column: TableColumn;
  readonly where: (row: number) => string;
  /** The number of its first row in the table. */
  readonly first: number;
}

/** A text that is neither a number nor a missing value. */
export interface Word {
  count: number;
  /** Where it stands first. */
  readonly where: () => string;
}

export interface ColumnProfile {
  rows: number;
  missing: number;
  /** Cells that are numbers, typed or in digits. */
  numbers: number;
  /** Of the numbers, those that are neither 0 nor 1. */
  others: number;
  booleans: number;
  dates: number;
  times: number;
  /** The first date, in seconds. */
  earliest: number;
  readonly words: Map<string, Word>;
  /** Cells that are words. */
  wordCells: number;
}

/** What the texts of a dictionary are: NaN in `numbers` for a word, and `missing` for words that stand for a missing value. */
export interface Meanings {
  readonly numbers: Float64Array;
  readonly missing: Uint8Array;
}

export function meaningsOf(dictionary: readonly string[], missingWords: readonly string[] = []): Meanings {
  const numbers = new Float64Array(dictionary.length).fill(Number.NaN);
  const missing = new Uint8Array(dictionary.length);
  dictionary.forEach((entry, code) => {
    const text = entry.trim();
    if (isMissingWord(text, missingWords)) missing[code] = 1;
    else numbers[code] = numeralOf(text) ?? Number.NaN;
  });
  return { numbers, missing };
}

/** Counts the cells of a column. */
export function profileOf(segments: Iterable<Segment>, missingWords: readonly string[] = []): ColumnProfile {
  const profile: ColumnProfile = {
    ...{ rows: 0, missing: 0, numbers: 0, others: 0, booleans: 0, dates: 0, times: 0, earliest: Infinity, wordCells: 0 },
    words: new Map(),
  };
  for (const segment of segments) {
    const { column } = segment;
    if (column.kind === "text") countTexts(profile, segment, column, missingWords);
    else {
      profile.rows += column.values.length;
      if (column.kind === "number") countNumbers(profile, column.values);
      else if (column.kind === "boolean") countBooleans(profile, column.values);
      else if (column.kind === "date") countDates(profile, column.values);
      else countTimes(profile, column.values);
    }
  }
  return profile;
}

function countNumbers(profile: ColumnProfile, values: ArrayLike<number>): void {
  let [numbers, others] = [0, 0];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    numbers++;
    if (value !== 0 && value !== 1) others++;
  }
  profile.numbers += numbers;
  profile.others += others;
  profile.missing += values.length - numbers;
}

function countBooleans(profile: ColumnProfile, values: Uint8Array): void {
  let missing = 0;
  for (const value of values) if (value === MISSING_BOOLEAN) missing++;
  profile.missing += missing;
  profile.booleans += values.length - missing;
}

function countDates(profile: ColumnProfile, values: Float64Array): void {
  for (const value of values) {
    if (Number.isNaN(value)) profile.missing++;
    else {
      profile.dates++;
      if (value < profile.earliest) profile.earliest = value;
    }
  }
}

function countTimes(profile: ColumnProfile, values: Float64Array): void {
  let times = 0;
  for (const value of values) if (!Number.isNaN(value)) times++;
  profile.times += times;
  profile.missing += values.length - times;
}

function countTexts(profile: ColumnProfile, { where, first }: Segment, column: TextColumn, words: readonly string[]): void {
  const { codes, dictionary } = column;
  const counts = new Uint32Array(dictionary.length);
  const firsts = new Int32Array(dictionary.length).fill(-1);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (code === MISSING_TEXT) profile.missing++;
    else if (counts[code]!++ === 0) firsts[code] = row;
  }
  profile.rows += codes.length;
  const { numbers, missing } = meaningsOf(dictionary, words);
  for (let code = 0; code < dictionary.length; code++) {
    const count = counts[code]!;
    if (count === 0) continue;
    const number = numbers[code]!;
    if (missing[code]) profile.missing += count;
    else if (Number.isNaN(number)) {
      const text = dictionary[code]!.trim();
      const word = profile.words.get(text);
      if (word) word.count += count;
      else profile.words.set(text, { count, where: () => where(first + firsts[code]!) });
      profile.wordCells += count;
    } else {
      profile.numbers += count;
      if (number !== 0 && number !== 1) profile.others += count;
    }
  }
}
