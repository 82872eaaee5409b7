import { describe, expect, it } from "vitest";
import {
  areTruths,
  commaNumeralOf,
  dateOf,
  epochSeconds,
  groupedNumeralOf,
  isMissingWord,
  numeralOf,
  truthOf,
} from "./cell-text.ts";

const two = (value: number) => String(value).padStart(2, "0");
const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysOf = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

describe("dates", () => {
  it("are those of the calendar, counted day by day, in three ways to write them", () => {
    let days = -719_528; // of 0000-01-01 before 1970-01-01
    for (let year = 0; year <= 2401; year++) {
      if (![0, 1, 4, 99, 100, 1899, 1900, 1969, 1970, 2000, 2023, 2024, 2100, 2400].includes(year)) {
        days += isLeap(year) ? 366 : 365;
        continue;
      }
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const expected = day >= 1 && day <= daysOf(year, month) ? 86_400 * days++ : undefined;
          const full = String(year).padStart(4, "0");
          const texts = [`${full}-${two(month)}-${two(day)}`, `${full}/${two(month)}/${two(day)}`, `${day}.${month}.${full}`];
          for (const text of texts) expect(`${text} ${dateOf(text)}`).toBe(`${text} ${expected}`);
        }
      }
    }
  });

  it("may have a time up to 23:59:59, a fraction of a second, and a zone less than 19 hours from UTC", () => {
    const noon = 86_400 * 31 + 43_200; // 1970-02-01T12:00Z
    const accepted: readonly [string, number][] = [
      ["1970-02-01T12:00", noon],
      ["1970-02-01 12:00Z", noon],
      ["1970-02-01  12:00:00 UTC", noon],
      ["1.2.1970 12:00:00.25 GMT", noon + 0.25],
      ["1970/02/01 9:05:07,5", noon - 3 * 3600 + 5 * 60 + 7.5],
      ["1970-02-01T23:59:59", noon + 12 * 3600 - 1],
      ["1970-02-01T00:00", noon - 12 * 3600],
      ["1970-02-01T12:00+01", noon - 3600],
      ["1970-02-01T12:00-0130", noon + 5400],
      ["1970-02-01T12:00 +05:45", noon - (5 * 3600 + 45 * 60)],
      ["1970-02-01T12:00+18:59", noon - (18 * 3600 + 59 * 60)],
    ];
    for (const [text, seconds] of accepted) expect(`${text} ${dateOf(text)}`).toBe(`${text} ${seconds}`);
    const time = (text: string) => `1970-02-01T${text}`;
    const refused = ["24:00", "12:60", "12:00:60", "12", "12:0", "12:00+19", "12:00+01:60", "12:00 CET", "12:00:00.", "-1:00"];
    for (const text of [...refused.map(time), "1970-02/01", "1970-2-1", "70-02-01", "1.2.70", "1970-02-01Z", ""])
      expect(`${text} ${dateOf(text)}`).toBe(`${text} undefined`);
  });

  it("as numbers are seconds, milliseconds, microseconds or nanoseconds by their size", () => {
    for (const sign of [1, -1])
      for (const [value, seconds] of [
        [0, 0],
        [1_700_000_000, 1_700_000_000],
        [99_999_999_999, 99_999_999_999],
        [1e11, 1e8],
        [1_700_000_000_500, 1_700_000_000.5],
        [1e14 - 1, (1e14 - 1) / 1e3],
        [1e14, 1e8],
        [1e17 - 16, (1e17 - 16) / 1e6],
        [1e17, 1e8],
      ] as const)
        expect(epochSeconds(sign * value)).toBe(sign * seconds);
  });
});

describe("numerals", () => {
  const parts = ["", "+", "-", "0", "7", "12", "345", ".", ",", "e5", "E-2", " "];
  const texts = parts.flatMap((a) => parts.flatMap((b) => parts.flatMap((c) => parts.map((d) => a + b + c + d))));

  it("are those of JavaScript but for hexadecimal and the like, and 0 has no sign", () => {
    for (const text of texts) {
      const value = text === text.trim() && text !== "" ? Number(text) : Number.NaN;
      expect(`${text} ${numeralOf(text)}`).toBe(`${text} ${Number.isNaN(value) ? undefined : value + 0}`);
    }
    expect(Object.is(numeralOf("-0"), 0)).toBe(true);
    for (const text of ["0x1f", "0b1", "Infinity", "1_000", "1e", "--1"]) expect(numeralOf(text)).toBeUndefined();
  });

  it("with a decimal comma are those with a point and a digit behind it", () => {
    for (const text of texts) {
      const isOne = /,\d/.test(text) && !text.includes(".") && text.split(",").length === 2;
      expect(`${text} ${commaNumeralOf(text)}`).toBe(`${text} ${isOne ? numeralOf(text.replace(",", ".")) : undefined}`);
    }
    expect(Object.is(commaNumeralOf("-0,0"), 0)).toBe(true);
  });

  it("with thousands in groups need three digits in each group and the other sign before the fraction", () => {
    for (const [text, value] of [
      ...([["1.234,50", 1234.5], ["-12.345.678,9", -12345678.9], ["+999.000,0", 999000]] as const), // biome-ignore format: pairs
      ...([["1234,50", undefined], ["1.23,4", undefined], [".123,4", undefined], ["1.234,", undefined], ["1.234", undefined], ["1,234,5", undefined]] as const), // biome-ignore format: pairs
    ]) {
      expect(`${text} ${groupedNumeralOf(text)}`).toBe(`${text} ${value}`);
      const other = text.replace(/[.,]/g, (sign) => (sign === "." ? "," : "."));
      expect(`${other} ${groupedNumeralOf(other)}`).toBe(`${other} ${value}`);
    }
    for (const text of ["-0.000,0", "-0,000.0"]) expect(Object.is(groupedNumeralOf(text), 0)).toBe(true);
  });
});

describe("words", () => {
  it("for missing values are those of other tools, in their own letters, and those that are named", () => {
    for (const text of ["", "NA", "N/A", "<NA>", "#N/A", "NaN", "nan", "NULL", "null", "None", "\\N", "?"])
      expect(isMissingWord(text)).toBe(true);
    for (const text of [" ", "na", "none", "0", "-", "missing"]) expect(isMissingWord(text)).toBe(false);
    expect(["-", "NA", "x"].map((text) => isMissingWord(text, ["-", "gone"]))).toEqual([true, true, false]);
  });

  it("for truth values come in pairs, in letters of any case", () => {
    expect(["TRUE", "t", "Yes", "y", "wahr", "vrai"].map(truthOf)).toEqual([true, true, true, true, true, true]);
    expect(["False", "F", "no", "N", "FALSCH", "faux"].map(truthOf)).toEqual([false, false, false, false, false, false]);
    expect(["1", "", "on", "truth"].map(truthOf)).toEqual([undefined, undefined, undefined, undefined]);
    for (const texts of [["yes", "No"], ["true"], ["falso", "vero", "Vero"]]) expect(areTruths(texts)).toBe(true); // biome-ignore format: pairs
    for (const texts of [[], ["yes", "false"], ["y", "yes"], ["true", "x"]]) expect(areTruths(texts)).toBe(false);
  });
});
