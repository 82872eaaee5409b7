import { expect, it } from "vitest";
import { parseItemFeatures } from "./read-item-features.ts";

it("a table of items and numbers", () => {
  const { names, items } = parseItemFeatures('\uFEFFsize,model,"open, or not"\r\n7,"a, b",1\r\n\r\n70.5,c,0\n', "f.csv");
  expect(names).toEqual(["size", "open, or not"]);
  expect([...items]).toEqual([
    ["a, b", [7, 1]],
    ["c", [70.5, 0]],
  ]);
  expect(parseItemFeatures("name\tx\na\t-1e3\n", "f.tsv").items.get("a")).toEqual([-1000]);
  expect(parseItemFeatures("item\na\n", "f.csv")).toEqual({ names: [], items: new Map([["a", []]]) });
});

it.each([
  ["", "f.csv: there are no items"],
  ["item,x\n", "f.csv: there are no items"],
  ["thing,x\na,1\n", 'f.csv:1: expected a column item, model, name, got "thing, x"'],
  ["item,x,x\na,1,2\n", 'f.csv:1: two columns are called "x"'],
  ["item,x\na,1\na,2\n", 'f.csv:3: "a" is there twice'],
  ["item,x\na,b\n", 'f.csv:2: expected a number in the column x, got "b"'],
  ["item,x\na,\n", 'f.csv:2: expected a number in the column x, got ""'],
  ["item,x\na\n", "f.csv:2: expected 2 cells as in the header, got 1"],
  ["item,x\n,1\n", "f.csv:2: the name of the item is empty"],
])("an error has its line: %j", (text, message) => {
  expect(() => parseItemFeatures(text, "f.csv")).toThrow(message);
});
