import { describe, expect, it } from "vitest";
import { revive } from "./models/index.ts";
import { random } from "./numeric/random.ts";
import type { Dataset } from "./types.ts";
import { cellsOf, type FeatureChange, namesIn, whatIf } from "./what-if.ts";

const columns = { count: 3, base: 1 as const, names: ["price", "price-net", "age"] };
/** score = 2 price - price-net + 0.5 age */
const model = revive({ id: "linear", weights: [2, -1, 0.5, 0], extras: {} }, columns);
const draw = random(5);
const values = Float32Array.from({ length: 36 }, () => Math.floor(draw() * 8));
const data: Dataset = {
  ...{ starts: Uint32Array.of(0, 5, 12), labels: new Float32Array(12), base: 1, names: { features: columns.names } },
  features: { kind: "dense", rows: 12, columns: 3, values },
};

/** The order of the second list by hand, with changed rows. */
function byHand(change: (row: number[], item: number) => void): number[] {
  const scored = Array.from({ length: 7 }, (_, item) => {
    const row = Array.from(values.subarray((5 + item) * 3, (6 + item) * 3));
    change(row, item);
    return { item, score: 2 * row[0]! - row[1]! + 0.5 * row[2]! };
  });
  return scored.sort((a, b) => b.score - a.score || a.item - b.item).map(({ item }) => item);
}

const order = (...changes: FeatureChange[]) => whatIf(model, data, 1, changes).map(({ index }) => index);

describe("what if", () => {
  it("ranks all items of the list as if their features were others", () => {
    const before = values.slice();
    expect(order({ feature: "price", set: 3 })).toEqual(byHand((row) => (row[0] = 3)));
    expect(order({ feature: "age", factor: -2, add: 1 })).toEqual(byHand((row) => (row[2] = -2 * row[2]! + 1)));
    const some = { feature: "price-net", add: 9, items: [0, 4] };
    expect(order(some)).toEqual(byHand((row, item) => void (item % 4 === 0 && item < 5 && (row[1]! += 9))));
    expect(order({ feature: "price", set: 3 }, { feature: "price", factor: 2, items: [1] })).toEqual(
      byHand((row, item) => (row[0] = item === 1 ? 6 : 3)),
    );
    expect(values).toEqual(before);
  });

  it("tells where each item was", () => {
    const moves = whatIf(model, data, 1, [{ feature: "price", set: 3 }]);
    expect(moves.map(({ after }) => after.rank)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const old = byHand(() => {});
    for (const { index, before } of moves) expect(before.rank).toBe(old.indexOf(index) + 1);
  });

  it("sets what a cell of the table would have", () => {
    const encoding = [{ name: "kind", kind: "category", categories: ["a", "b"] }, { name: "sold", kind: "boolean" }] as const; // biome-ignore format: columns
    const named = { ...columns, names: ["kind=a", "kind=b", "sold"], encoding };
    const of = (...changes: FeatureChange[]) => {
      const encoded = { ...data, names: { features: named.names, encoding } };
      return whatIf(revive({ id: "linear", weights: [2, -1, 0.5, 0], extras: {} }, named), encoded, 1, changes).map(({ after }) => after.score); // biome-ignore format: one chain
    };
    const by = (a: number, b: number, sold: number) => new Array(7).fill(2 * a - b + 0.5 * sold);
    expect(of({ feature: "kind", set: "b" }, { feature: "sold", set: "nein" })).toEqual(by(0, 1, 0));
    expect(of({ feature: "kind", set: "a" }, { feature: "sold", set: true })).toEqual(by(1, 0, 1));
    expect(of({ feature: "kind", set: Number.NaN }, { feature: "sold", set: "ja" })).toEqual(by(0, 0, 1));
    expect(() => of({ feature: "kind", set: "c" })).toThrow('the column "kind" has no category "c"; did you mean a or b');
    expect(() => of({ feature: "sold", set: "perhaps" })).toThrow('expected yes or no for sold, got "perhaps"');
    expect(() => of({ feature: "kind", add: 1 })).toThrow('the model has no feature "kind"');
  });

  it("takes features, and columns that become one feature or more", () => {
    const encoding = [
      { name: "color", kind: "category", categories: ["red"] },
      { name: "note", kind: "none" },
      { name: "sold", kind: "boolean" },
    ] as const;
    const made = { count: 2, base: 1 as const, names: ["color=red", "sold"], encoding };
    expect(namesIn(made)).toEqual(["color=red", "sold", "color"]);
    expect(namesIn(columns)).toEqual(columns.names);
    expect(namesIn({ count: 2, base: 1 })).toEqual(["1", "2"]);
    expect(cellsOf(made, "color", "red")).toEqual([[0, 1]]);
    expect(() => cellsOf(made, "colour", "red")).toThrow('the model has no feature "colour"; did you mean color?');
    expect(() => cellsOf(made, "note", 1)).toThrow('the model has no feature "note"; there are color=red, sold, color');
  });

  it("refuses what cannot be changed", () => {
    expect(() => order({ feature: "prise", set: 1 })).toThrow('the model has no feature "prise"; did you mean price');
    expect(() => order({ feature: "price", set: 1, items: [7] })).toThrow("the list has 7 items, got item 7");
    expect(() => order({ feature: "price", factor: 1e60 })).toThrow("beyond the range");
    expect(() => whatIf(model, data, 2, [{ feature: "price", set: 1 }])).toThrow("there are 2 lists");
    for (const wrong of [[], undefined, [null], [{}], [{ feature: "price", set: [1] }], [{ feature: "price", items: [-1] }]])
      expect(() => whatIf(model, data, 0, wrong as never)).toThrow("whatIf");
  });
});
