/** Rows of a table are the same whatever the order of its columns, read as they come and as columns. */
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../test/rows.ts";
import { parseData } from "./parse.ts";

const columns = ["query", "grade", "mass", "doc", "x", "y"] as const;
type Row = Readonly<Record<(typeof columns)[number], string>>;
const rows: readonly Row[] = [
  { query: "a", grade: "2", mass: "1", doc: "d1", x: "0.5", y: "3" },
  { query: "a", grade: "0", mass: "3", doc: "d2", x: "-1", y: "4" },
  { query: "b", grade: "1", mass: "2", doc: "d1", x: "2", y: "-3" },
  { query: "b", grade: "3", mass: "0", doc: "d3", x: "0.25", y: "0" },
];

/** All orders of some names. */
const ordersOf = (names: readonly string[]): string[][] =>
  names.length < 2 ? [[...names]] : names.flatMap((one) => ordersOf(names.filter((name) => name !== one)).map((rest) => [one, ...rest])); // biome-ignore format: one expression

function read(order: readonly string[], asColumns: boolean, table = rows) {
  const lines = [order, ...table.map((row) => order.map((name) => row[name as keyof Row]))];
  const options = { qid: "query", label: "grade", weight: "mass", id: "doc", columns: asColumns };
  return parseData([{ name: "t.csv", content: `${lines.map((cells) => cells.join(",")).join("\n")}\n` }], options).data;
}

describe.each([
  ["as they come", false],
  ["as columns", true],
])("rows read %s", (_, asColumns) => {
  it("are the same in each of the 720 orders of six columns", () => {
    for (const order of ordersOf(columns)) {
      const { starts, labels, itemWeights, features, names } = read(order, asColumns);
      const found = order.filter((name) => name === "x" || name === "y") as ("x" | "y")[];
      expect([starts, labels, itemWeights, names.lists, names.entries, names.features, rowsOf(features)], order.join()).toEqual([
        ...[Uint32Array.of(0, 2, 4), Float32Array.of(2, 0, 1, 3), Float32Array.of(1, 3, 2, 0)],
        ...[["a", "b"], ["d1", "d2", "d1", "d3"], found],
        rows.map((row) => found.map((name) => Number(row[name]))),
      ]);
    }
  });

  it.each<[keyof Row, string, RegExp]>([
    ["query", "", /^t\.csv:(\d): column "query": the qid is missing$/],
    ["grade", "", /^t\.csv:(\d): column "grade": the label is missing; /],
    ["grade", "1e39", /^t\.csv:(\d): column "grade": "1e\+?39" is too large for a 32-bit float; /],
    ["grade", "-1e39", /^t\.csv:(\d): column "grade": "-1e\+?39" is too large for a 32-bit float; /],
    ["mass", "", /^t\.csv:(\d): expected a weight of at least 0, got ""$/],
    ["mass", "-1", /^t\.csv:(\d): expected a weight of at least 0, got "-1"$/],
    ["mass", "1e39", /^t\.csv:(\d): column "mass": "1e\+?39" is too large for a 32-bit float; /],
    ["x", "1e39", /^t\.csv:(\d): column "x": "1e\+?39" is too large for a 32-bit float; /],
    ["y", "-1e39", /^t\.csv:(\d): column "y": "-1e\+?39" is too large for a 32-bit float; /],
  ])("with a wrong %s, %j, are refused with column and line, wherever the column is", (name, cell, message) => {
    for (let at = 0; at < columns.length; at++)
      for (let row = 0; row < rows.length; row++) {
        const order = [...columns.slice(at), ...columns.slice(0, at)];
        const wrong = rows.map((one, r) => (r === row ? { ...one, [name]: cell } : one));
        const found = message.exec(messageOf(() => read(order, asColumns, wrong)));
        expect(found?.[1], `${order.join()}, row ${row}`).toBe(String(row + 2));
      }
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}
