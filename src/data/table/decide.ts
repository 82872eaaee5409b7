/**
 * Decides what the values of a column are, from all its rows:
 *
 * - a column that is named a category, a date or a time is one;
 * - numbers alone are numbers; true and false, t and f, yes and no or y and n alone (with 0 and 1 among them or not) are booleans; dates alone
 *   are dates, of which those such as 3/4/2024 need a day above 12 in some row, or an order;
 * - times, and numbers of seconds among them, are times (decide-times.ts);
 * - arrays of texts are sets (sets.ts);
 * - with numbers in at least nine tenths of its cells, missing ones aside, a column is one of numbers, and its words are missing values; the same
 *   with dates;
 * - other text is a category if it has no more different values than `maxCategories` and than half of its cells; otherwise it is left out, as
 *   names of single rows and free text are. A text that is the same in all rows is left out too; one text beside missing cells is a category.
 */
import { InputError, quote } from "../../input-error.ts";
import { areTruths, DAY, type DateOrder, dateOf, epochSeconds, isInfinite, numeralOf, ordersOf } from "./cell-text.ts";
import { decideTimes, saidOfTimes } from "./decide-times.ts";
import { type Decision, type KindOptions, MAX_CATEGORIES, MOSTLY, namedNotice, optionWord, wordsText } from "./decision.ts";
import { categoryTexts, numbersIn } from "./encode.ts";
import { type ColumnProfile, profileOf, type Segment } from "./profile.ts";
import { decideSets } from "./sets.ts";
import { MISSING_TEXT, type TableColumn } from "./source-table.ts";
import { isDate } from "./texts.ts";

/** `segments` are all rows of the column and can be gone through several times. */
export function decide(name: string, segments: readonly Segment[], options: KindOptions = {}): Decision {
  const { dateColumns = [], timeColumns = [], categories = [], missingValues = [] } = options;
  const profile = profileOf(segments, missingValues);
  const column = `column ${quote(name)}`;
  const given = dateColumns.map(dateColumn).find((one) => one.name === name || one.text === name);
  if (given) return dates(name, segments, profile, missingValues, (given.text === name ? undefined : given.order) ?? openOrder(name, profile)); // biome-ignore format: one line
  if (categories.includes(name))
    return decideSets(name, profile, options, true) ?? category(name, categoryTexts(segments, missingValues), profile);
  const said = saidOfTimes(timeColumns, name);
  if (said) return decideTimes(name, segments, profile, missingValues, said)!;
  const { words, numbers, booleans } = profile;
  if (words.size === 0) {
    if (profile.dates > 0 && numbers + booleans + profile.times === 0)
      return dates(name, segments, profile, missingValues, undefined);
    if (booleans > 0 && numbers + profile.dates + profile.times === 0) return boolean(name, profile);
    if (profile.dates + profile.times === 0) return { encoding: { name, kind: "number" }, profile };
  }
  refuseInfinite(name, profile);
  if (profile.others + profile.dates + profile.times === 0 && areTruths(words.keys())) return boolean(name, profile);
  const times = decideTimes(name, segments, profile, missingValues);
  if (times) return times;
  const sets = decideSets(name, profile, options);
  if (sets) return sets;
  if (numbers + booleans === 0) {
    const orders = ordersOf(words.keys());
    const open = orders && orders.length !== 1;
    const readable = (text: string) => dateOf(text, "dmy") ?? dateOf(text, "mdy");
    if (everyWord(words.keys(), readable) && !open) return dates(name, segments, profile, missingValues, orders?.[0]);
    if (open && areMostly(profile, (text) => readable(text) !== undefined))
      return { encoding: { name, kind: "none" }, profile, notice: `${column} is left out: ${openDates(name, profile, orders)}` };
    const found = mostlyDates(name, segments, profile, missingValues, open ? undefined : orders?.[0]);
    if (found) return found;
  }
  if (numbers + booleans >= MOSTLY * (profile.rows - profile.missing)) return mostlyNumbers(name, profile);
  const { maxCategories = MAX_CATEGORIES } = options;
  const texts = categoryTexts(segments, missingValues);
  const cells = profile.rows - profile.missing;
  const varies = texts.size > 1 || profile.missing > 0;
  if (varies && texts.size <= maxCategories && texts.size * 2 <= cells) return category(name, texts, profile);
  const keep = `--categories ${optionWord(name)} makes it a category`;
  const many = texts.size === 1 ? "one cell with text" : `${texts.size} different texts in ${cells} cells`;
  const why = varies ? `${many}; ${keep}` : "the same text in all rows";
  return { encoding: { name, kind: "none" }, profile, notice: `${column} is left out: ${why}` };
}

/** A name of the option dateColumns, which an order may follow; a column may also be called by all of the text. */
export function dateColumn(text: string): { readonly text: string; readonly name: string; readonly order?: DateOrder } {
  const [, name, order] = /^(.*):(dmy|mdy)$/i.exec(text) ?? [];
  return name === undefined ? { text, name: text } : { text, name, order: order!.toLowerCase() as DateOrder };
}

/** The order of the dates of a column that is known to be one of dates, as its rows show it; undefined where there are no dates such as 3/4/2024. */
export function openOrder(name: string, profile: ColumnProfile): DateOrder | undefined {
  const orders = ordersOf(profile.words.keys());
  if (!orders || orders.length === 1) return orders?.[0];
  const shows = (order: DateOrder) => [...profile.words.keys()].some((text) => ordersOf([text])?.join() === order);
  if (orders.length === 0 && !(shows("dmy") && shows("mdy"))) return undefined; // 13/13/2024 is no date
  const [word] = [...profile.words].find(([text]) => ordersOf([text])) ?? [];
  throw new InputError(`${profile.words.get(word!)!.where()}: column ${quote(name)}: ${openDates(name, profile, orders)}`);
}

/** Why dates such as 3/4/2024 cannot be read, and the way out. */
function openDates(name: string, { words }: ColumnProfile, orders: readonly DateOrder[]): string {
  const texts = [...words.keys()];
  const word = optionWord(name);
  if (orders.length === 0) {
    const some = (["dmy", "mdy"] as const).map((order) => quote(texts.find((text) => ordersOf([text])?.join() === order)!));
    return `its dates have the day first (${some[0]}) and the month first (${some[1]}); write them as 2024-03-01, or add --categories ${word}`;
  }
  const open = texts.find((text) => ordersOf([text])?.length === 2)!;
  return `in dates such as ${quote(open)} the day or the month may come first; --date-columns ${word}:dmy or ${word}:mdy says which`;
}

function everyWord(words: Iterable<string>, meaning: (text: string) => number | undefined): boolean {
  for (const word of words) if (meaning(word) === undefined) return false;
  return true;
}

const boolean = (name: string, profile: ColumnProfile): Decision => ({
  ...{ encoding: { name, kind: "boolean" }, profile },
  notice: `column ${quote(name)}: booleans, 1 and 0`,
});

/** A column of numbers some of which are not finite is a mistake, and no column of text. */
function refuseInfinite(name: string, { words, rows, missing, numbers }: ColumnProfile): void {
  const infinite = [...words].find(([text]) => isInfinite(text));
  const mostly = numbers >= MOSTLY * (rows - missing) || [...words.keys()].every(isInfinite);
  if (infinite && mostly)
    throw new InputError(
      `${infinite[1].where()}: column ${quote(name)}: expected a finite number, got ${quote(infinite[0])}; --missing-values ${infinite[0]} reads it as a missing value`,
    );
}

/** Words among numbers are missing values. */
function mostlyNumbers(name: string, profile: ColumnProfile): Decision {
  return {
    ...{ encoding: { name, kind: "number" }, profile },
    notice: `column ${quote(name)}: numbers, and ${wordsText(profile)} read as missing values (--categories ${optionWord(name)} makes it a category)`,
  };
}

function category(name: string, texts: ReadonlySet<string>, profile: ColumnProfile): Decision {
  const categories = [...texts].sort((a, b) => (a < b ? -1 : 1));
  return {
    ...{ encoding: { name, kind: "category", categories }, profile },
    notice: `column ${quote(name)}: ${namedNotice(categories, "category", "categories")}`,
  };
}

/** Day 0 is the first day, so that 32-bit floats keep the time of day. */
function dates(
  name: string,
  segments: readonly Segment[],
  profile: ColumnProfile,
  missingValues: readonly string[],
  order: DateOrder | undefined,
): Decision {
  let { earliest } = profile;
  for (const [text, { where }] of profile.words) {
    const seconds = dateOf(text, order);
    if (seconds === undefined)
      throw new InputError(
        `${where()}: column ${quote(name)}: expected a date such as ${order ? (order === "dmy" ? "31/12/2024" : "12/31/2024") : "2024-03-01 or 2024-03-01T17:05:09Z"}, got ${quote(text)}; --missing-values ${optionWord(text)} reads it as a missing value`,
      );
    earliest = Math.min(earliest, seconds);
  }
  if (profile.numbers > 0) earliest = Math.min(earliest, earliestEpoch(segments, missingValues));
  refuseBeyondDates(name, segments, missingValues);
  const origin = Number.isFinite(earliest) ? Math.floor(earliest / DAY) * DAY : 0;
  const day = new Date(origin * 1000).toISOString().replace("T00:00:00.000Z", "");
  const first = order ? `, ${order === "dmy" ? "day" : "month"} first` : "";
  return {
    ...{ encoding: { name, kind: "date", origin, ...(order && { order }) }, profile },
    notice: `column ${quote(name)}: dates, as days since ${day} UTC${first}`,
  };
}

/** Whether nine tenths of the cells that are not missing are dates. */
function areMostly({ words, rows, missing, dates }: ColumnProfile, isDate: (text: string) => boolean): boolean {
  const [found, others] = [[...words].filter(([text]) => isDate(text)), [...words].filter(([text]) => !isDate(text))];
  const odd = others.reduce((sum, [, { count }]) => sum + count, 0);
  return found.length + dates > 0 && rows - missing - odd >= MOSTLY * (rows - missing);
}

/** Words among dates are missing values, if nine tenths of the cells are dates. */
function mostlyDates(
  name: string,
  segments: readonly Segment[],
  profile: ColumnProfile,
  missingValues: readonly string[],
  order: DateOrder | undefined,
): Decision | undefined {
  const isDay = (text: string) => dateOf(text, order) !== undefined;
  if (!areMostly(profile, isDay)) return undefined;
  const days = new Map([...profile.words].filter(([text]) => isDay(text)));
  const odd = new Map([...profile.words].filter(([text]) => !days.has(text)));
  const wordCells = [...odd.values()].reduce((sum, { count }) => sum + count, 0);
  const { encoding, notice } = dates(name, segments, { ...profile, words: days }, missingValues, order);
  const [first] = odd.values();
  return {
    ...{ encoding, profile },
    notice: `${notice}; ${wordsText({ words: odd, wordCells })} read as missing values, the first at ${first!.where()}`,
  };
}

/** A point in time that a Date cannot hold, such as the infinity of DuckDB and PostgreSQL, is a mistake like an infinite number. */
function refuseBeyondDates(name: string, segments: readonly Segment[], missingValues: readonly string[]): void {
  const fail = (where: string, seconds: number): never => {
    throw new InputError(
      `${where}: column ${quote(name)}: expected a date up to the year 275760, got ${seconds > 0 ? "" : "-"}infinity or one beyond; make it a missing value, or leave the column out (--ignore ${optionWord(name)})`,
    );
  };
  for (const segment of segments) {
    const { column, where, first } = segment;
    if (column.kind === "date") {
      const row = column.values.findIndex((value) => !Number.isNaN(value) && !isDate(value));
      if (row >= 0) fail(where(first + row), column.values[row]!);
    } else
      for (const value of numbersIn([segment], missingValues))
        if (!isDate(epochSeconds(value))) fail(where(first + rowOf(column, value)), value);
  }
}

/** The first row with a number, which is there. */
export function rowOf(column: TableColumn, value: number): number {
  if (column.kind !== "text") return (column.values as Float64Array).indexOf(value);
  return column.codes.findIndex((code) => code !== MISSING_TEXT && numeralOf(column.dictionary[code]!.trim()) === value);
}

function earliestEpoch(segments: readonly Segment[], missingValues: readonly string[]): number {
  let earliest = Infinity;
  for (const value of numbersIn(segments, missingValues)) earliest = Math.min(earliest, epochSeconds(value));
  return earliest;
}
