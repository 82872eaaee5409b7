/** The cells of a table from the features that its columns became: the inverse of `table/encode.ts`, for writing data as a table again. */
import type { ColumnEncoding } from "../types.ts";
import { arrayText } from "./table/array-text.ts";
import { DAY } from "./table/cell-text.ts";
import { widthOf } from "./table/encode.ts";
import { type TimeStart, timeOf, timeText } from "./table/times.ts";

/** A column of the table, with the text of its cell in a row of features. */
export interface DecodedColumn {
  readonly name: string;
  /** Empty where the value is missing. `numeral` writes a number. */
  text(row: Float32Array, numeral: (value: number) => string): string;
}

/** The columns that became features, in their order. */
export function decodedColumns(encoding: readonly ColumnEncoding[]): DecodedColumn[] {
  let at = 0;
  return encoding.flatMap((column) => {
    const first = at;
    at += widthOf(column);
    return at === first ? [] : [decoded(column, first)];
  });
}

function decoded({ name, kind, categories, origin = 0, start, assumed }: ColumnEncoding, at: number): DecodedColumn {
  if (kind === "category") return { name, text: (row) => categories!.find((_, c) => row[at + c] === 1) ?? "" };
  if (kind === "set") return { name, text: (row) => (Number.isNaN(row[at]!) ? "" : arrayText(categories!.filter((_, c) => row[at + c] === 1))) }; // biome-ignore format: one line
  const known = (write: (value: number) => string) => (row: Float32Array) => (Number.isNaN(row[at]!) ? "" : write(row[at]!));
  if (kind === "boolean") return { name, text: known((value) => (value === 1 ? "true" : "false")) };
  if (kind === "date") return { name, text: known((days) => dateText(days, origin)) };
  if (kind === "time") return { name, text: known((seconds) => secondsText(seconds, assumed ? start : undefined)) };
  return { name, text: (row, numeral) => known(numeral)(row) };
}

/** The shortest time that is read as the same 32-bit number of seconds; of two parts where all others of the column are. */
function secondsText(seconds: number, start: TimeStart | undefined): string {
  const all = Array.from({ length: 10 }, (_, decimals) => timeText(seconds, decimals));
  const text = all.find((one) => Math.fround(timeOf(one)!) === seconds) ?? all.at(-1)!;
  if (!start) return text;
  const [, sign, hours, minutes, rest] = /^(-?)(\d+):(\d\d):(.*)$/.exec(text)!;
  const two = start === "hours" ? `${sign}${hours}:${minutes}` : `${sign}${Number(hours) * 60 + Number(minutes)}:${rest}`;
  return timeOf(two, start) === timeOf(text) ? two : text;
}

/** In parts of a second: a day, a minute, a second, and so on to nanoseconds. */
const STEPS = [1 / DAY, 1 / 60, 1, 1e3, 1e6, 1e9];

/** The shortest ISO date that is read as the same 32-bit number of days since `origin`, in seconds. */
function dateText(days: number, origin: number): string {
  const since = days * DAY;
  const step = STEPS.find((parts) => Math.fround(Math.round(since * parts) / parts / DAY) === days) ?? STEPS.at(-1)!;
  const rounded = Math.round(since * step) / step;
  const whole = Math.floor(rounded);
  const [date, time] = new Date((origin + whole) * 1000).toISOString().slice(0, -5).split("T") as [string, string];
  if (step < 1 / 60) return date;
  const fraction = step > 1 ? (rounded - whole).toFixed(Math.log10(step)).slice(1).replace(/0+$/, "") : "";
  return `${date}T${step < 1 ? time.slice(0, 5) : time}${fraction}Z`;
}
