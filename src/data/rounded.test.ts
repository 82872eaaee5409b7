import { describe, expect, it } from "vitest";
import { parseData } from "../formats/data/parse.ts";
import { below, random } from "../numeric/random.ts";
import { floatStep, roundingMatters } from "./rounded.ts";

const drawn = (count: number, value: (draw: () => number) => number) => {
  const draw = random(3, 0, 0);
  return Float64Array.from({ length: count }, () => value(draw));
};

describe("rounding to 32-bit floats", () => {
  it("matters for values that are all far from 0, and not for amounts", () => {
    const year = 365 * 86_400;
    expect(roundingMatters(drawn(100, (draw) => 1.7e9 + below(draw, year)))).toBe(true); // seconds, in steps of 128
    expect(roundingMatters(drawn(100, (draw) => 1.7e12 + 1000 * below(draw, year)))).toBe(true);
    expect(roundingMatters(drawn(100, (draw) => -1.7e12 - 1000 * below(draw, year)))).toBe(true);
    expect(roundingMatters(drawn(100, (draw) => 1e6 + below(draw, 3e8)))).toBe(false); // budgets, in steps of up to 16
    expect(roundingMatters(drawn(100, (draw) => 10 ** (9 * draw())))).toBe(false);
    expect(roundingMatters(drawn(100, (draw) => below(draw, 2e9) - 1e9))).toBe(false);
  });

  it("matters where a quarter of the values are absent or missing, and where few are known", () => {
    const time = (draw: () => number) => (draw() < 0.2 ? 0 : draw() < 0.2 ? Number.NaN : 1.7e12 + 1e7 * draw());
    expect(roundingMatters(drawn(1000, time))).toBe(true);
    expect(roundingMatters(drawn(100_000, (draw) => (draw() < 0.9 ? 0 : 1.7e12 + 1e7 * draw())))).toBe(true);
    expect([7, 8].map((count) => roundingMatters(drawn(count, (draw) => 3e8 * draw())))).toEqual([true, false]);
    expect(roundingMatters(new Float64Array(20).fill(123_456_789))).toBe(true); // equal as floats, perhaps not as written
  });

  it("steps are those between neighbors", () => {
    for (const size of [2 ** 24, 2 ** 24 + 2, 1.26e8, 1.7e12]) {
      const at = Math.fround(size);
      expect([Math.fround(at + floatStep(at)) > at, Math.fround(at + floatStep(at) / 4) > at]).toEqual([true, false]);
    }
  });
});

describe("a notice of lost digits", () => {
  const notices = (value: (row: number) => number, format: (row: number, value: number) => string, head = "") => {
    const rows = Array.from({ length: 40 }, (_, row) => format(row, value(row)));
    return parseData([{ name: head === "" ? "a.txt" : "a.csv", content: `${head}${rows.join("\n")}\n` }]).notices.join("\n");
  };
  const table = (row: number, value: number) => `${row % 5},${row % 3},${value},${row}`;
  const svmlight = (row: number, value: number) => `${row % 3} qid:${row % 5} 1:1 7:${value}`;
  const [budget, time] = [(row: number) => 10_000_001 + 4_000_003 * row, (row: number) => 1_700_000_000_001 + 86_400_007 * row];

  it("comes for times and not for budgets, from tables and SVMlight", () => {
    const head = "qid,label,spent,x\n";
    expect([notices(budget, table, head), notices(budget, svmlight)].join()).not.toContain("lost digits");
    expect(notices(time, table, head)).toContain('column "spent" lost digits');
    expect(notices(time, svmlight)).toContain("feature 7 lost digits");
  });

  it("comes for ids beyond 2^53 and for labels however they are spread", () => {
    const label = (row: number, value: number) => `${row % 5},${value},${row}`;
    expect(notices(budget, label, "qid,label,x\n")).toContain("the label lost digits");
    expect(notices((row) => 2 ** 52 * (row + 1), table, "qid,label,spent,x\n")).toContain("it looks like an id");
  });
});
