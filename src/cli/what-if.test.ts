import { describe, expect, it } from "vitest";
import type { FeatureChange } from "../what-if.ts";
import { changeOf } from "./what-if.ts";

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
    for (const [text, change] of cases) expect(changeOf(text, columns), text).toEqual(change);
  });

  it("is refused in one line where it is none", () => {
    for (const text of ["", "price", "=3", "cost=3", "price=x", "price*", "price/0", "price=1e999"])
      expect(() => changeOf(text, columns), text).toThrow(/^--set: .+/);
  });
});
