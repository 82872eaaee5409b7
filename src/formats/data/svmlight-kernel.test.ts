/** The reader with kernels and with their plain fallbacks gives the same data, notices and mistakes; so do numerals of every form. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { InputError } from "../../input-error.ts";
import { kernels } from "../../numeric/kernels.ts";
import { parseData } from "./parse.ts";

// A second copy of all modules, which does without the kernels.
vi.resetModules();
const { usePlain, kernels: none } = await import("../../numeric/kernels.ts");
const plain = await import("./parse.ts");
usePlain();

const answer = (parse: typeof parseData, content: string | Uint8Array, absent: "zero" | "missing" = "zero") => {
  try {
    return parse([{ name: "a.txt", content }], { format: "svmlight", indexBase: "auto", absent });
  } catch (error) {
    return { mistake: (error as Error).message };
  }
};

/** The values of feature 1, a row for each text. */
function valuesOf(texts: readonly string[]): number[] {
  const { data } = parseData([{ name: "a.txt", content: texts.map((text) => `1 qid:1 1:${text} 2:1\n`).join("") }], {
    storage: "dense",
  });
  return Array.from({ length: texts.length }, (_, row) => data.features.values[2 * row]!);
}

describe("svmlight with the kernels", () => {
  it.each(["16777217", "-16777217", "99999999", "1700000000001", "16777217.0", "1.6777217e7", "123456789012345678"])(
    "%s is noticed, wherever it stands, by both",
    (text) => {
      const rows = `1 qid:1 1:2 2:${text} 3:16777216 4:5\n0 qid:1 1:${text}\n`;
      const found = answer(parseData, rows);
      expect(found).toEqual(answer(plain.parseData, rows));
      const value = Number(text);
      expect("notices" in found && found.notices.at(-1)).toMatch(
        `feature 1, feature 2 lost digits: numbers are held as 32-bit floats, and 1 number of feature 1, ${value}, was rounded`,
      );
    },
  );

  it.each(["16777216", "33554432", "1e10", "12345678e-3", "0.1"])("%s is not", (text) => {
    const found = answer(parseData, `1 qid:1 1:2 2:${text}\n`);
    expect("notices" in found && found.notices.join()).not.toContain("lost digits");
  });

  it("this test compares the two", () => {
    expect(kernels()).not.toBeNull();
    expect(none()).toBeNull();
  });

  const forms = [
    ...["12345678901234567890", "-98765432109876543210", "0.10000000000000000555", "3.14159265358979323846"], // 20 digits
    ...["1e5", "1E5", "1e+5", "2.5e-7", "-1e-10", "123e20", "1e-22", "1e-23", "1e38", "7e-30"], // exponents
    ...["1e-40", "1.4e-45", "7e-46", "1e-46", "5e-324", "1e-400", "0.00000000000000000000000000000000000000000123"], // denormals
    ...["+1", "+0.5", ".5", "-.5", "+.5", "1.", "-1.", "+1.", "0", "-0", "00012", "0.000"],
    ...["16777217", "16777219", "0.1", "9007199254740993", "340282346638528859811704183484516925440"], // roundings
    ...["123456789", "1234567.8", "12345678.9", "0.12345678", "-0.123456789"], // at and beyond eight digits
  ];
  it.each(forms)("%s is the float32 nearest to Number of it", (text) => {
    const [value] = valuesOf([text]);
    expect(Object.is(value, Math.fround(Number(text)) + 0)).toBe(true);
  });

  it.each(["0x10", "0X1p3", "0b1", "1_000", "1,5", "inf", "nane", "1e", "1e+", ".", "+", "-", "1.2.3", "1e5.5", "--1", "1f"])(
    "%s is refused",
    (text) => {
      expect(() => valuesOf(["1", text])).toThrow(
        new InputError(`a.txt:2: expected the value of feature 1 as a finite number, got "${text}"`),
      );
    },
  );

  const float = fc.float({ noNaN: true, noDefaultInfinity: true });
  it("every float comes back from its shortest text, from 9 digits, and from the digits of a double", () => {
    fc.assert(
      fc.property(fc.array(float, { minLength: 1, maxLength: 40 }), (values) => {
        const wanted = values.map((value) => value + 0);
        for (const write of [String, (value: number) => value.toPrecision(9), (value: number) => value.toExponential(8)])
          expect(valuesOf(values.map(write))).toEqual(wanted);
      }),
    );
  });

  const numeral = fc.oneof(
    fc.constantFrom(...forms),
    fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map(String),
    fc.nat(300).map(String),
    fc.float({ noNaN: true, min: -100, max: 100 }).map((value) => value.toFixed(6)),
  );
  const row = fc
    .tuple(
      fc.constantFrom("0", "1", "2.5", "-1"),
      fc.constantFrom("1", "7", "x"),
      fc.uniqueArray(fc.integer({ min: 1, max: 150 }), { maxLength: 60 }),
      fc.infiniteStream(numeral),
      fc.constantFrom("", "", "", " # doc7", "#docid = X y", " \r", " NULL"),
      fc.boolean(),
    )
    .map(([label, qid, numbers, values, end, ordered]) => {
      const sorted = ordered ? numbers.sort((a, b) => a - b) : numbers;
      const cells = sorted.map((number) => `${number}:${values.next().value}`).join(" ");
      return `${label} qid:${qid} ${cells}${end === " NULL" ? " 151:NULL" : end}\n`;
    });
  const files = fc.array(row, { minLength: 1, maxLength: 30 }).map((rows) => rows.join(""));

  it("files of every form give the data that the plain twins give", () => {
    fc.assert(
      fc.property(files, fc.constantFrom("zero", "missing"), (content, absent) => {
        const found = answer(parseData, content, absent);
        expect(found).toHaveProperty("data");
        expect(found).toEqual(answer(plain.parseData, content, absent));
      }),
      { numRuns: 150 },
    );
  });

  it("files with a few bytes changed give the data or the mistake that the plain twins give", () => {
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(..." \n\t:.#-+eE0q".split("").map((letter) => letter.charCodeAt(0))));
    fc.assert(
      fc.property(files, fc.array(fc.tuple(fc.nat(), byte), { minLength: 1, maxLength: 3 }), (content, changes) => {
        const bytes = new TextEncoder().encode(content);
        for (const [where, value] of changes) bytes[where % bytes.length] = value;
        expect(answer(parseData, bytes)).toEqual(answer(plain.parseData, bytes));
      }),
      { numRuns: 400 },
    );
  });
});
