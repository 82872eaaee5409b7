import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible } from "../printable.ts";
import { forSpreadsheet, fromSpreadsheet, oneCell, oneWord } from "./names.ts";

const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const troubled = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code)),
    fc.constantFrom("\u2028", "\u202e", "\u2066", "\u2069", "é", "日", "😀", "\\", '"'),
  ),
});

describe("control characters", () => {
  it("never survive in text for people, and other text stays as it is", () => {
    fc.assert(
      fc.property(troubled, (text) => {
        expect(visible(text)).not.toMatch(CONTROL);
        expect(visible(text, "\n\t").replace(/[\n\t]/g, "")).not.toMatch(CONTROL);
        if (!CONTROL.test(text)) expect(visible(text)).toBe(text);
      }),
    );
    expect(visible("a\u001b[31mb\u009bc\u007f\u202e")).toBe("a\\u001b[31mb\\u009bc\\u007f\\u202e");
    expect(visible("one\ntwo", "\n")).toBe("one\ntwo");
  });

  it("are escaped in JSON, which means the same as before", () => {
    fc.assert(
      fc.property(fc.dictionary(troubled, troubled), (value) => {
        const text = visible(JSON.stringify(value));
        expect(text).not.toMatch(CONTROL);
        expect(JSON.parse(text)).toEqual(value);
      }),
    );
  });

  it("make no word and no cell of a table, whose columns stay what they are", () => {
    fc.assert(
      fc.property(troubled, (name) => {
        expect(oneWord(name)).not.toMatch(CONTROL);
        expect(oneWord(name)).not.toMatch(/\s/);
        expect(oneWord(oneWord(name))).toBe(oneWord(name));
        expect(oneCell(name)).not.toMatch(CONTROL);
      }),
    );
    expect(oneWord("a \t b\u001b[2Jc")).toBe("a_b_[2Jc");
    expect(oneCell("a\t\r\nb c")).toBe("a b c");
  });
});

describe("texts for spreadsheets", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["-x", "'-x"],
    ["\tx", "'\tx"],
    ["\rx", "'\rx"],
    ["'=x", "''=x"],
    ["'x", "'x"],
    ["-5", "-5"],
    ["+1.5e3", "+1.5e3"],
    ["-5-3", "'-5-3"],
    ["a=b", "a=b"],
    ["", ""],
  ])("%j is written as %j", (text, cell) => {
    expect(forSpreadsheet(text)).toBe(cell);
    expect(fromSpreadsheet(cell)).toBe(text);
  });

  it("are read as they were, and are formulas never", () => {
    const texts = fc
      .tuple(fc.string({ unit: fc.constantFrom(..."'=+-@\t\r"), maxLength: 4 }), troubled)
      .map((pair) => pair.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const cell = forSpreadsheet(text);
        expect(fromSpreadsheet(cell)).toBe(text);
        if (Number.isNaN(Number(cell))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});
