import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numeral, readNumeral } from "./numeral.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

const read = (text: string) => {
  const value = readNumeral(bytesOf(`${text} `), 0);
  return Number.isNaN(value) ? undefined : { value, end: numeral.end };
};

describe("numerals", () => {
  const odd = [
    "+1",
    ".5",
    "1.",
    "1e-3",
    "1E+3",
    "5e-324",
    "2.2250738585072011e-308",
    "1.7976931348623157e308",
    "1e999",
    "-0",
    "0e0",
  ];
  const long = [
    "12345678901234567890",
    "9007199254740993",
    "9007199254740992",
    "9007199254740991",
    "0.1000000000000000055511151231257827",
  ];
  const edge = [
    "1e22",
    "1e23",
    "1e-22",
    "1e-23",
    "123456789012345e22",
    "0.000000000000000000000000000001",
    "00000000000000000000001.5",
  ];
  it.each([...odd, ...long, ...edge])("%s is what Number makes of it", (text) => {
    expect(read(text)).toEqual({ value: Number(text), end: text.length });
  });

  it.each(["", "-", "+", ".", "-.", "e5", "1e", "1e+", ".e1", "Infinity", "NaN", "inf", "x10", "--1"])("%s is none", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("a hexadecimal number ends after its zero", () => {
    expect(read("0x10")).toEqual({ value: 0, end: 1 });
  });

  const digits = (most: number) => fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: most });
  const sign = fc.constantFrom("", "+", "-");
  const exponent = fc.oneof(
    fc.constant(""),
    fc.tuple(fc.constantFrom("e", "E"), sign, fc.integer({ min: 0, max: 330 })).map(([e, s, n]) => e + s + n),
  );
  const written = fc
    .tuple(sign, digits(24), fc.constantFrom("", "."), digits(24), exponent)
    .map(([s, a, point, b, e]) => ({ text: s + a + point + b + e, digits: a + b }))
    .filter((one) => one.digits !== "")
    .map(({ text }) => text);

  it("every numeral is read to the bit as Number reads it", () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(read(text)).toEqual({ value: Number(text), end: text.length });
      }),
      { numRuns: 5000 },
    );
  });

  it("every double comes back from its shortest text and from 6 to 17 digits", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 6, max: 17 }), (value, precision) => {
        for (const text of [String(value), value.toPrecision(precision)]) expect(read(text)!.value).toBe(Number(text));
      }),
      { numRuns: 3000 },
    );
  });
});
