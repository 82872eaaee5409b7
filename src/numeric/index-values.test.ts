import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Heap } from "./heap.ts";
import { readIndexValues, SLACK, scatterRows } from "./index-values.ts";
import * as plain from "./plain/index-values.ts";

const heap = new Heap();
afterAll(() => heap.close());

interface Found {
  readonly at: number; // where reading stopped
  readonly pairs: readonly (readonly [number, number])[];
}

type Reader = typeof readIndexValues;

function read(text: string, { least = 1, most = 100, by = readIndexValues as Reader, at = 0 } = {}): Found {
  const mark = heap.mark();
  const own = by === plain.readIndexValues;
  const encoded = new TextEncoder().encode(`${text}\n`);
  const bytes = own ? new Uint8Array(encoded.length + SLACK) : heap.u8(encoded.length + SLACK);
  // What follows the newline must not matter.
  bytes.fill(49);
  bytes.set(encoded);
  const [state, numbers, values] = own
    ? [new Uint32Array(2), new Uint32Array(most), new Float32Array(most)]
    : [heap.u32(2), heap.u32(most), heap.f32(most)];
  state[0] = at;
  by(bytes, state, numbers, values, most, least - 1);
  const pairs = Array.from({ length: state[1]! }, (_, i) => [numbers[i]!, values[i]!] as const);
  const found = { at: state[0], pairs };
  heap.release(mark);
  return found;
}

const f = Math.fround;

describe("pairs from text", () => {
  it("by hand", () => {
    expect(read("1:0.5 3:-12.25\t40:7")).toEqual({ at: 19, pairs: [[1, 0.5], [3, -12.25], [40, 7]] }); // biome-ignore format: pairs
    expect(read("")).toEqual({ at: 0, pairs: [] });
    expect(read("1:2 2:3 3:4", { most: 2 })).toEqual({ at: 8, pairs: [[1, 2], [2, 3]] }); // biome-ignore format: pairs
    expect(read("9 1:2", { at: 2 })).toEqual({ at: 5, pairs: [[1, 2]] });
  });

  it("stops before what is not its own, at its first byte", () => {
    for (const rest of [
      ...[
        "#note",
        "qid:7",
        "7",
        "7:",
        ":7",
        "5:NULL",
        "5:nan",
        "5:0x10",
        "5:1e",
        "5:1e400",
        "5:--1",
        "5:1,5",
        "x",
        "-5:1",
        "5:.",
        "5:1x",
      ],
      ...["5:12345678901234567890", "5:9007199254740992", "5:1e23", "5:1e-23", "5:0.00000000000000000000001", "99999999999:1"],
      ...["5:16777217", "5:-16777217", "5:123456789", "5:9007199254740991", "5:1e22", "5:16777216.5"], // a 32-bit float rounds them
      ...["2147483648:1", "2:1", "1:1", "0:1", "5:1:1"],
    ]) {
      expect([rest, read(`2:1   ${rest} 8:1`)]).toEqual([rest, { at: 6, pairs: [[2, 1]] }]);
    }
    expect(read("0:1", { least: 0 }).pairs).toEqual([[0, 1]]);
  });

  it("a comment may follow a value without a blank", () => {
    for (const value of ["1", "0.25", "1e3"])
      expect(read(`3:${value}#x`)).toEqual({ at: 2 + value.length, pairs: [[3, Number(value)]] });
  });

  const odd = [
    "+1",
    ".5",
    "1.",
    "-.5",
    "+.5e1",
    "1e-3",
    "1E+3",
    "0e0",
    "1e10",
    "1e-22",
    "9007199254740991e-9",
    "00000000000000000000001.5",
  ];
  const long = [
    "123456792",
    "1234567.89",
    "0.123456789012345",
    "-123456.78",
    "12345678.",
    ".12345678",
    "0.0000001",
    "1e-22",
    "123456789012e-22",
  ];
  it.each([...odd, ...long])("%s is the float32 nearest to what Number makes of it", (text) => {
    expect(read(`5:${text} 2147483647:${text}`).pairs).toEqual([[5, f(Number(text))], [2147483647, f(Number(text))]]); // biome-ignore format: pairs
  });

  it("minus zero becomes zero", () => {
    for (const zero of ["-0", "-0.0", "-.0e5", "-0.000000000000"])
      for (const by of [readIndexValues, plain.readIndexValues])
        expect(Object.is(read(`1:${zero}`, { by }).pairs[0]![1], 0)).toBe(true);
  });

  const digits = (most: number) => fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: most });
  const numeral = fc
    .tuple(
      fc.constantFrom("", "", "-", "+"),
      digits(12),
      fc.constantFrom("", ".", "."),
      digits(12),
      fc.constantFrom("", "", "", "e-3", "E2", "e"),
    )
    .map((parts) => parts.join(""));
  const word = fc.oneof(
    { weight: 20, arbitrary: fc.tuple(fc.nat(200), numeral).map(([number, text]) => `${number}:${text}`) },
    { weight: 1, arbitrary: fc.tuple(digits(11), numeral).map(([number, text]) => `${number}:${text}`) },
    { weight: 1, arbitrary: fc.constantFrom("#", "qid:1", "NULL", "\r", "\u00e9", ":", "1", "-") },
  );
  const sorted = fc
    .array(fc.tuple(fc.nat(300), numeral), { maxLength: 30 })
    .map((pairs) => pairs.sort((a, b) => a[0] - b[0]).map(([number, text]) => `${number}:${text}`));
  const texts = fc
    .tuple(fc.oneof(sorted, fc.array(word, { maxLength: 30 })), fc.constantFrom(" ", " ", "  ", "\t", " \r"))
    .map(([words, blank]) => words.join(blank));

  it("compiled and plain stop at the same place with the same bits", () => {
    fc.assert(
      fc.property(texts, fc.nat(1), fc.integer({ min: 0, max: 40 }), (text, least, most) => {
        expect(read(text, { least, most })).toEqual(read(text, { least, most, by: plain.readIndexValues }));
      }),
      { numRuns: 4000 },
    );
  });

  it("every value that is read is Number's, rounded once", () => {
    fc.assert(
      fc.property(numeral, (text) => {
        const { pairs } = read(`1:${text}`);
        if (pairs.length > 0) expect(pairs[0]![1]).toBe(f(Number(text)) + 0);
      }),
      { numRuns: 4000 },
    );
  });
});

describe("rows of pairs spread out", () => {
  it("by hand, with zeros or missing values between them", () => {
    const [numbers, values, ends] = [
      Uint32Array.of(1, 3, 2, 1, 2, 3),
      Float32Array.of(1, 2, 3, 4, 5, 6),
      Uint32Array.of(2, 2, 3, 6),
    ];
    const into = new Float32Array(12);
    scatterRows(numbers, values, ends, into, 3, 1, 0);
    expect([...into]).toEqual([1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 5, 6]);
    const _ = Number.NaN;
    scatterRows(numbers, values, ends, into, 3, 1, _);
    expect([...into]).toEqual([1, _, 2, _, _, _, _, 3, _, 4, 5, 6]);
  });

  it("compiled and plain give the same bits", () => {
    const rows = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 20 }), { maxLength: 12 });
    fc.assert(
      fc.property(rows, fc.constantFrom(0, 1), fc.constantFrom(0, Number.NaN), (given, origin, absent) => {
        const mark = heap.mark();
        const flat = given.flatMap((row) => row.sort((a, b) => a - b));
        let end = 0;
        const counts = given.map((row) => (end += row.length));
        const [numbers, values, ends] = [heap.u32(flat.length), heap.f32(flat.length), heap.u32(given.length)];
        numbers.set(flat);
        values.set(flat.map((number, i) => number + i / 64));
        ends.set(counts);
        const width = 21 - origin;
        const [ours, theirs] = [heap.f32(given.length * width), new Float32Array(given.length * width)];
        scatterRows(numbers, values, ends, ours, width, origin, absent);
        plain.scatterRows(numbers.slice(), values.slice(), ends.slice(), theirs, width, origin, absent);
        expect(ours).toEqual(theirs);
        heap.release(mark);
      }),
    );
  });
});
