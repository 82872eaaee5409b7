import { describe, expect, it } from "vitest";
import type { FeatureChange } from "../what-if.ts";
import { changesOf } from "./what-if.ts";

const columns = { count: 3, base: 1 as const, names: ["price", "price-net", "age"] };

describe("a change on the command line", () => {
  it("is the longest feature that an operator follows", () => {
    const cases: readonly (readonly [string, FeatureChange])[] = [
      ["price=9", { feature: "price", set: 9 }],
      ["price-net=9", { feature: "price-net", set: 9 }],
      ["price-9", { feature: "price", add: -9 }],
      ["price-net-9", { feature: "price-net", add: -9 }],
      ["age + 1.5", { feature: "age", add: 1.5 }],
      ["age*-1.1", { feature: "age", factor: -1.1 }],
      ["age/4", { feature: "age", factor: 0.25 }],
      ["age=missing", { feature: "age", set: Number.NaN }],
      ["age=", { feature: "age", set: Number.NaN }],
    ];
    for (const [text, change] of cases) expect(changesOf(text, columns), text).toEqual([change]);
  });

  it("is refused in one line where it is none", () => {
    for (const text of ["", "price", "=3", "cost=3", "price=x", "price*", "price/0", "price=1e999"])
      expect(() => changesOf(text, columns), text).toThrow(/^--set: .+/);
  });
});

describe("a change of a column of words, dates, times or truth values", () => {
  const encoding = [
    { name: "color", kind: "category", categories: ["blue", "red"] },
    { name: "listed", kind: "date", origin: 86_400 },
    { name: "sold", kind: "boolean" },
    { name: "lap", kind: "time", start: "minutes" },
    { name: "price", kind: "number" },
  ] as const;
  const names = ["color=blue", "color=red", "listed", "sold", "lap", "price"];
  const changes = (text: string) => changesOf(text, { count: 6, base: 1, names, encoding });

  it("is written as cells are", () => {
    const red = { feature: "color=red", set: 1 };
    expect(changes("color=red")).toEqual([{ feature: "color=blue", set: 0 }, red]);
    expect(changes("color = missing").map(({ set }) => set)).toEqual([0, 0]);
    expect(changes("color=red=1")).toEqual([red]);
    expect(changes("listed=1970-01-04")).toEqual([{ feature: "listed", set: 2 }]);
    expect(changes("listed+1")).toEqual([{ feature: "listed", add: 1 }]);
    expect(changes("sold=yes")).toEqual([{ feature: "sold", set: 1 }]);
    expect(changes("lap=1:23")).toEqual([{ feature: "lap", set: 83 }]);
    expect(changes("lap=PT1M")).toEqual([{ feature: "lap", set: 60 }]);
    expect(changes("lap=83.5")).toEqual([{ feature: "lap", set: 83.5 }]);
    expect(changes("price=9")).toEqual([{ feature: "price", set: 9 }]);
    expect(changes("price=True")).toEqual([{ feature: "price", set: 1 }]);
  });

  it.each(["no", "No", "F", "FALSE", "n", "nein", "Falsch", "non", "faux", "falso", "não", "0"])("%s is no", (word) => {
    expect(changes(`sold=${word}`)).toEqual([{ feature: "sold", set: 0 }]);
  });

  it("is refused where the column has no such value", () => {
    expect(() => changes("color=rad")).toThrow('--set: the column "color" has no category "rad"; did you mean red?');
    expect(() => changes("listed=soon")).toThrow('--set: expected a date such as 2024-03-01 for listed, got "soon"');
    expect(() => changes("lap=2:05 PM")).toThrow('--set: expected a time such as 1:02:03.4 for lap, got "2:05 PM"');
    expect(() => changes("sold=perhaps")).toThrow('--set: expected yes or no for sold, got "perhaps"');
    expect(() => changes("price=red")).toThrow('--set: expected a number for price, got "red"');
    expect(() => changes("color+1")).toThrow(
      '--set: the column "color" has no numbers that + could change; set a value with color=',
    );
    expect(() => changes("colour=red")).toThrow('--set: the model has no feature "colour"; did you mean color?');
  });
});
