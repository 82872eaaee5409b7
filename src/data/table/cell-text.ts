/** What the text of a cell means: a missing value, a number, a truth value or a point in time. */

/** Words for a missing value, as written by pandas, R, spreadsheets, PostgreSQL (`\N`), MySQL (the date 0000-00-00) and others. */
const MISSING_WORDS: ReadonlySet<string> = new Set([
  ...["", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NAN", "-nan", "NULL", "null", "None", "\\N", "?", "NaT"],
  ...["#NV", "#DIV/0!", "#VALUE!", "#WERT!", "#REF!", "#BEZUG!", "#NAME?", "#NUM!", "#ZAHL!", "#NULL!"], // errors of Excel
  ...["0000-00-00", "0000-00-00 00:00:00"],
]);

/** Whether the text stands for a missing value; `more` are further words for it. */
export const isMissingWord = (text: string, more?: readonly string[]): boolean =>
  MISSING_WORDS.has(text) || (more?.includes(text) ?? false);

const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a text writes in decimal digits, or undefined. */
export const numeralOf = (text: string): number | undefined => (NUMERAL.test(text) ? Number(text) + 0 : undefined);

const DECIMAL_COMMA = /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/;

const [GROUPED_BY_POINTS, GROUPED_BY_COMMAS] = [/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/, /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/];

/** The same for one in which points or commas group thousands before the other of the two: "1.234,50" and "1,234.50". */
export function groupedNumeralOf(text: string): number | undefined {
  if (GROUPED_BY_POINTS.test(text)) return Number(text.replaceAll(".", "").replace(",", ".")) + 0;
  return GROUPED_BY_COMMAS.test(text) ? Number(text.replaceAll(",", "")) + 0 : undefined;
}

/** The same for one with a decimal comma: "0,60". */
export const commaNumeralOf = (text: string): number | undefined =>
  DECIMAL_COMMA.test(text) ? Number(text.replace(",", ".")) + 0 : undefined;

export const isInfinite = (text: string): boolean => /^[+-]?inf(inity)?$/i.test(text);

const TRUTHS: readonly (readonly [string, string])[] = [
  ...([["true", "false"], ["t", "f"], ["yes", "no"], ["y", "n"]] as const), // biome-ignore format: pairs
  // German, French, Spanish, Portuguese, Italian: Excel's words, and those for yes and no.
  ...([["wahr", "falsch"], ["vrai", "faux"], ["verdadero", "falso"], ["verdadeiro", "falso"], ["vero", "falso"]] as const), // biome-ignore format: pairs
  ...([["ja", "nein"], ["oui", "non"], ["sí", "no"], ["si", "no"], ["sim", "não"], ["sim", "nao"], ["sì", "no"]] as const), // biome-ignore format: pairs
];
const TRUTH_VALUES: ReadonlyMap<string, boolean> = new Map(
  TRUTHS.flatMap(([yes, no]): [string, boolean][] => [[yes, true], [no, false]]), // biome-ignore format: pairs
);

/** The truth value of true, t, yes, y, false, f, no or n, or such words of other languages, in letters of any case, or undefined. */
export const truthOf = (text: string): boolean | undefined => TRUTH_VALUES.get(text.toLowerCase());

/** Whether all texts are of one pair of words for truth values, such as yes and no. */
export function areTruths(texts: Iterable<string>): boolean {
  const lower = new Set(Array.from(texts, (text) => text.toLowerCase()));
  return lower.size > 0 && TRUTHS.some(([yes, no]) => [...lower].every((text) => text === yes || text === no));
}

const TIME =
  "(?:,?[T ]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?: ?([AaPp])\\.?[Mm]\\.?)? ?(Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)?)?";
const ISO = new RegExp(`^(\\d{4})([-/])(\\d{2})\\2(\\d{2})${TIME}$`);
const DOTTED = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})${TIME}$`);
const SLASHED = new RegExp(`^(\\d{1,2})([-/])(\\d{1,2})\\2(\\d{4})${TIME}$`);
export const DAY = 86_400;

/** What comes first in dates such as 3/4/2024: the day or the month. */
export type DateOrder = "dmy" | "mdy";

/**
 * Seconds since 1970-01-01 UTC of a date, or undefined: 2024-03-01, 2024/03/01 or 1.3.2024, alone or with a time 17:05, 17:05:09,
 * 17:05:09.25 or 5:05 PM after a blank or T, and with Z, UTC, GMT or an offset such as +01, +01:00 or -0530. Without these the time is UTC. With an
 * order, 1/3/2024 and 1-3-2024 are dates too.
 */
export function dateOf(text: string, order?: DateOrder): number | undefined {
  const iso = ISO.exec(text);
  if (iso) return secondsOf([iso[1]!, iso[3]!, iso[4]!], iso.slice(5));
  const dotted = DOTTED.exec(text);
  if (dotted) return secondsOf([dotted[3]!, dotted[2]!, dotted[1]!], dotted.slice(4));
  const slashed = order && SLASHED.exec(text);
  if (!slashed) return undefined;
  const [, first, , second, year] = slashed as unknown as [string, string, string, string, string];
  return secondsOf(order === "dmy" ? [year, second, first] : [year, first, second], slashed.slice(5));
}

/** Which orders all texts allow, as far as they are dates such as 3/4/2024; undefined where none is. 13/4/2024 allows one. */
export function ordersOf(texts: Iterable<string>): readonly DateOrder[] | undefined {
  let [some, dmy, mdy] = [false, true, true];
  for (const text of texts) {
    const found = SLASHED.exec(text);
    if (!found) continue;
    some = true;
    if (Number(found[1]) > 12) mdy = false;
    if (Number(found[3]) > 12) dmy = false;
  }
  return some ? [...(dmy ? (["dmy"] as const) : []), ...(mdy ? (["mdy"] as const) : [])] : undefined;
}

function secondsOf(date: readonly string[], time: readonly (string | undefined)[]): number | undefined {
  const [year, month, day] = date.map(Number) as [number, number, number];
  const [shown, minutes, seconds, fraction] = [time[0] ?? "0", time[1] ?? "0", time[2] ?? "0", `0.${time[3] ?? "0"}`].map(Number) as [number, number, number, number]; // biome-ignore format: one line
  const half = time[4]?.toLowerCase(); // of the day
  if (half && (shown < 1 || shown > 12)) return undefined;
  const hours = half ? (shown % 12) + (half === "p" ? 12 : 0) : shown;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day); // Date.UTC would take the years 0 to 99 as 1900 to 1999
  const isDay = midnight.getUTCFullYear() === year && midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  if (!isDay || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const offset = offsetOf(time[5]);
  if (offset === undefined) return undefined;
  return midnight.getTime() / 1000 + hours * 3600 + minutes * 60 + seconds + fraction - offset;
}

/** Seconds that a zone is ahead of UTC. */
function offsetOf(zone: string | undefined): number | undefined {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? "");
  if (!found) return 0;
  const [hours, minutes] = [Number(found[2]), Number(found[3] ?? "0")];
  if (hours > 18 || minutes > 59) return undefined;
  return (found[1] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/**
 * Seconds since 1970-01-01 UTC of a number that counts seconds, milliseconds, microseconds or nanoseconds since then. Its size tells which: below
 * 10^11 (the year 5138) seconds, below 10^14 milliseconds, below 10^17 microseconds.
 */
export function epochSeconds(value: number): number {
  const size = Math.abs(value);
  return size < 1e11 ? value : size < 1e14 ? value / 1e3 : size < 1e17 ? value / 1e6 : value / 1e9;
}
