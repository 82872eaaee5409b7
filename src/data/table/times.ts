/**
 * Times of day, lap times and durations as seconds: 14:05:09, 1:32:10.5, 2:05 PM, 1 day 02:03:04 (PostgreSQL), -1 days +23:59:30 (pandas), PT1M30S
 * (ISO 8601). In 1:23 hours or minutes may come first; which of them follows from all rows of a column (decide-times.ts).
 */
import { DAY } from "./cell-text.ts";

/** What comes first in times such as 1:23. */
export type TimeStart = "hours" | "minutes";

/** Hours, minutes and seconds, or two of them; a fraction after two of them shows that these are minutes and seconds. */
const CLOCK = /^([+-])?(\d{1,9}):([0-5]\d)(?::([0-5]\d))?(?:[.,](\d{1,9}))?$/;
const HALF_DAY = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)? ?([AaPp])\.?[Mm]\.?$/;
const DAYS = /^([+-])?(\d{1,9}) days?(?:,? ([+-])?(\d{1,9}):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?)?$/;
const PART = "([+-]?\\d{1,9}(?:[.,]\\d{1,9})?)";
const ISO = new RegExp(`^([+-])?P(?=.*\\d[WDHMS]$)(?:${PART}W)?(?:${PART}D)?(?:T(?:${PART}H)?(?:${PART}M)?(?:${PART}S)?)?$`);

interface WrittenTime {
  /** What the text shows of what comes first in times such as 1:23; "either" in one of them, "all" where nothing is left out. */
  readonly form: TimeStart | "either" | "all";
  /** With minutes first where the form is "either". */
  readonly seconds: number;
}

/** Whole seconds and the digits after the point in one number, so that 1:23.456 is the number 83.456. */
const exact = (whole: number, fraction = ""): number => Number(`${whole}.${fraction}0`);

const signed = (sign: string | undefined, seconds: number): number => (sign === "-" ? 0 - seconds : seconds);

const nanoseconds = (sign: string | undefined, whole: number, fraction = ""): bigint =>
  (sign === "-" ? -1n : 1n) * BigInt(`${whole}${fraction.padEnd(9, "0")}`);

/** The time that a text writes, or undefined. */
function writtenTime(text: string): WrittenTime | undefined {
  const clock = CLOCK.exec(text);
  if (clock) {
    const [, sign, first, second, third, fraction] = clock;
    if (third === undefined)
      return {
        form: fraction === undefined ? "either" : "minutes",
        seconds: signed(sign, exact(Number(first) * 60 + Number(second), fraction)),
      };
    return { form: "all", seconds: signed(sign, exact(Number(first) * 3600 + Number(second) * 60 + Number(third), fraction)) };
  }
  const half = HALF_DAY.exec(text);
  if (half) {
    const [, hours, minutes, seconds = "0", fraction, letter] = half;
    if (Number(hours) < 1 || Number(hours) > 12) return undefined;
    const hour = (Number(hours) % 12) + (letter!.toLowerCase() === "p" ? 12 : 0);
    return { form: "hours", seconds: exact(hour * 3600 + Number(minutes) * 60 + Number(seconds), fraction) };
  }
  const days = DAYS.exec(text);
  if (days) {
    const [, sign, count, timeSign, hours = "0", minutes = "0", seconds = "0", fraction] = days;
    const time = nanoseconds(timeSign, Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds), fraction);
    return { form: "all", seconds: Number(`${nanoseconds(sign, Number(count) * DAY) + time}e-9`) };
  }
  const iso = ISO.exec(text);
  if (!iso) return undefined;
  const units = [7 * DAY, DAY, 3600, 60, 1];
  const sum = iso.slice(2).reduce((all, part = "0", at) => {
    const [, sign, whole, fraction] = /^([+-])?(\d+)(?:[.,](\d+))?$/.exec(part)!;
    return all + nanoseconds(sign, Number(whole), fraction) * BigInt(units[at]!);
  }, 0n);
  return { form: "all", seconds: signed(iso[1], Number(`${sum}e-9`)) };
}

/** What the text of a time shows of what comes first in times such as 1:23 ("either" in one of them, "all" in 0:01:23); undefined where it is no time. */
export const timeForm = (text: string): WrittenTime["form"] | undefined => writtenTime(text)?.form;

/** The seconds of a time; undefined where the text is none, or none with this start. */
export function timeOf(text: string, start?: TimeStart): number | undefined {
  const written = writtenTime(text);
  if (!written) return undefined;
  const { form, seconds } = written;
  if (form === "either") return start && (start === "hours" ? 60 : 1) * seconds;
  return form === "all" || start === undefined || form === start ? seconds : undefined;
}

/** Whether a text looks like a time, also where it is none: 1:23:75. */
export const isLikeTime = (text: string): boolean => /^[+-]?\d+:\d/.test(text);

/** The decimal mark that a time shows. */
export const timeMark = (text: string): "." | "," | undefined =>
  timeForm(text) === undefined ? undefined : (/:\d\d([.,])\d/.exec(text)?.[1] as "." | "," | undefined);

/** Seconds as hours, minutes and seconds with the decimals that they need, such as 00:01:23.5. */
export function timeText(seconds: number, decimals = 9): string {
  const [digits, fraction = ""] = Math.abs(seconds).toFixed(decimals).split(".") as [string, string?];
  const whole = Number(digits);
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const rest = fraction.replace(/0+$/, "");
  const text = `${two(whole / 3600)}:${two((whole / 60) % 60)}:${two(whole % 60)}${rest && `.${rest}`}`;
  return seconds < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}
