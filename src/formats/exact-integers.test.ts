import { describe, expect, it } from "vitest";
import { below, random } from "../numeric/random.ts";
import { withExactIntegers } from "./exact-integers.ts";

const read = (text: string): unknown => JSON.parse(withExactIntegers(text));

describe("whole numbers of JSON", () => {
  it("up to 2^53 stay numbers, and beyond are the text of their digits", () => {
    expect(read("[9007199254740991, -9007199254740991, 9007199254740992, -9007199254740993]")).toEqual([
      ...[9007199254740991, -9007199254740991, "9007199254740992", "-9007199254740993"],
    ]);
    expect(read('{"id":12345678901234567,"x":1}')).toEqual({ id: "12345678901234567", x: 1 });
  });

  it("are exact in each form that JSON has for them", () => {
    for (const form of ["12345678901234567.0", "12345678901234567.000", "1.2345678901234567e16", "1.2345678901234567E+16", "0.12345678901234567e17", "123456789012345670e-1", "12345678901234567e0"]) // biome-ignore format: one list
      expect([form, read(`[${form}]`)]).toEqual([form, ["12345678901234567"]]);
    expect(read("[1234567890123456789e2]")).toEqual(["123456789012345678900"]);
  });

  it("that are none stay as JSON.parse reads them: fractions, exponents far away, numbers with fewer digits", () => {
    const text = "[0.1234567890123456789, 12345678901234567.5, 1.2345678901234567e15, 1.2345678901234567e-16, 1e300, 1.234567890123456e99, 100000000000000000000000000000000000000000000000000000000000000000000, 6.02214076e23, -0]"; // biome-ignore format: one text
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it("within texts and names stay there", () => {
    for (const text of [
      '{"12345678901234567":"12345678901234567"}',
      String.raw`["a\" 12345678901234567", "\\", "12345678901234567"]`,
    ])
      expect(withExactIntegers(text)).toBe(text);
    expect(read(String.raw`["\\", 12345678901234567, "\"", 12345678901234568]`)).toEqual(["\\", "12345678901234567", '"', "12345678901234568"]); // biome-ignore format: one step
  });

  it("of random values, in random forms, are what whole-number arithmetic says", () => {
    const draw = random(17);
    for (let k = 0; k < 3000; k++) {
      const digits = Array.from({ length: 1 + below(draw, 30) }, () => below(draw, 10)).join("").replace(/^0+(?=\d)/, ""); // biome-ignore format: one chain
      const point = below(draw, digits.length);
      const head = digits.slice(0, digits.length - point) || "0";
      const tail = digits.slice(digits.length - point);
      const sign = draw() < 0.3 ? "-" : "";
      const form = point === 0 ? digits : `${head}.${tail}${draw() < 0.5 ? "e+" : "E"}${point}`;
      const exact = BigInt(sign + digits);
      const [found] = read(`[${sign}${form}]`) as [unknown];
      const isLong = form.replace(/e.*/i, "").replace(/\D/g, "").length >= 17; // a double holds 16 digits, if not always the last
      if (typeof found === "string") expect([form, BigInt(found)]).toEqual([form, exact]);
      else if (isLong && (exact > 2n ** 53n || exact < -(2n ** 53n))) expect([form, found]).toEqual([form, "a text"]);
      else expect([form, found]).toEqual([form, JSON.parse(sign + form)]);
      expect(typeof found === "string" || BigInt(found as number) === exact || !isLong).toBe(true);
    }
  });
});
