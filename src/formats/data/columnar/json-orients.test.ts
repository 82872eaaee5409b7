import { describe, expect, it } from "vitest";
import { below, random } from "../../../numeric/random.ts";
import { parseData } from "../parse.ts";

const read = (value: unknown, name = "t.json") => parseData([{ name, content: `${JSON.stringify(value)}\n` }]);
const failure = (value: unknown, name?: string) => {
  try {
    read(value, name);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};
const WAY_OUT = 'write records: to_json(FILE, orient="records", lines=True)';

type Row = Readonly<Record<string, unknown>>;
const labels = (rows: readonly Row[], from = 0) => rows.map((_, row) => String(from + row));
const byRow = (rows: readonly Row[], names: readonly string[]) => Object.fromEntries(rows.map((row, r) => [names[r], row]));
const byColumn = (rows: readonly Row[], names: readonly string[]) =>
  Object.fromEntries(Object.keys(rows[0]!).map((column) => [column, Object.fromEntries(rows.map((row, r) => [names[r], row[column]]))])); // biome-ignore format: one value
const split = (rows: readonly Row[]) => ({
  columns: Object.keys(rows[0]!),
  index: labels(rows).map(Number),
  data: rows.map((row) => Object.values(row)),
});
const table = (rows: readonly Row[]) => ({
  schema: { fields: [{ name: "index", type: "integer" }], primaryKey: ["index"], pandas_version: "1.4.0" },
  data: rows.map((row, index) => ({ index, ...row })),
});

const ROWS: readonly Row[] = [
  { qid: "a", docid: "x", label: 2, item: { price: 1.5, sizes: [1, 2] }, color: "red" },
  { qid: "a", docid: "y", label: 0, item: { price: 2.5, sizes: [3, 4] }, color: "blue" },
  { qid: "b", docid: "12345678901234567", label: 1, item: null, color: "red" },
  { qid: "b", docid: "x", label: 0, item: { price: 1 }, color: null },
  { qid: "b", docid: "z", label: 2, item: {}, color: "blue" },
];

describe("a table that is one object, as pandas writes it", () => {
  it("is read like its records, by columns, rows, split and table", () => {
    const records = read(ROWS).data;
    for (const [orient, value] of [
      ["columns", byColumn(ROWS, labels(ROWS))],
      ["columns", byColumn(ROWS, labels(ROWS, 3))],
      ["index", byRow(ROWS, labels(ROWS, 17))],
      ["split", split(ROWS)],
      ["table", table(ROWS)],
    ] as const)
      for (const name of ["t.json", "t.jsonl", "t"]) {
        const { data, notices } = read(value, name);
        expect(data).toEqual(records);
        expect(notices).toContain(`${name}: one object with all rows, read as pandas writes it with orient="${orient}" (5 rows)`); // biome-ignore format: one line
      }
  });

  it("is read like its records at random", () => {
    for (let seed = 0; seed < 50; seed++) {
      const draw = random(seed, 0, 0);
      const value = () => [null, draw(), below(draw, 3), "x", true, { a: draw() }, [1, draw()]][below(draw, 7)];
      const rows = Array.from({ length: 2 + below(draw, 6) }, (_, r) => ({ qid: `q${below(draw, 2)}`, label: below(draw, 3), x: r, y: value(), z: value() })); // biome-ignore format: one row
      const records = read(rows).data;
      for (const one of [byColumn(rows, labels(rows)), byRow(rows, labels(rows)), split(rows), table(rows)])
        expect(read(one).data).toEqual(records);
    }
  });

  it("keeps an index that has a name, and long ids", () => {
    const named = { ...table(ROWS), schema: { fields: [], primaryKey: ["docid"] } };
    expect(read(named).data.names.features![0]).toBe("index");
    const content =
      '{"columns":["qid","docid","label","x"],"data":[["a",1234567890123456789,1,2],["a",1234567890123456788,0,1]]}';
    expect(parseData([{ name: "t.json", content }]).data.names.entries).toEqual(["1234567890123456789", "1234567890123456788"]);
  });

  it("is recognized where it is longer than what is looked at", () => {
    const rows = Array.from({ length: 3000 }, (_, r) => ({ qid: `q${r % 50}`, label: r % 3, x: r, text: "x".repeat(40) }));
    const records = read(rows).data;
    for (const one of [byColumn(rows, labels(rows)), byRow(rows, labels(rows)), split(rows), table(rows)])
      expect(read(one).data).toEqual(records);
  });

  it("names rows in messages", () => {
    const rows = ROWS.map((row, r) => (r === 3 ? { ...row, label: null } : row));
    expect(failure(byColumn(rows, labels(rows)))).toMatch(/^t\.json:1, row 4: column "label": the label is missing/);
    expect(failure({ columns: ["qid", "label"], data: [["a", 1], ["a"]] })).toBe('t.json: expected 2 cells in row 2 of "data", got 1'); // biome-ignore format: one line
    expect(failure({ columns: [["a", "b"], ["a", "c"]], data: [] })).toBe(`t.json: expected names of columns as texts, got "[\\"a\\",\\"b\\"]"; ${WAY_OUT}`); // biome-ignore format: one line
  });

  it("is refused where rows and columns cannot be told apart, in one line", () => {
    const message = (outer: number, inner: number) =>
      `t.json: expected an object for each row, got one of ${outer} objects with the same ${inner} members, of which rows and columns cannot be told apart; ${WAY_OUT}`;
    expect(failure(byRow(ROWS.slice(0, 2), ["x", "y"]))).toBe(message(2, 5));
    expect(failure({ 0: { 0: 1, 1: 2 }, 1: { 0: 1, 1: 2 } })).toBe(message(2, 2));
    expect(failure(ROWS.map((row) => Object.values(row).slice(0, 3)))).toBe(
      `t.json: expected tier lists, got rows of texts and numbers, as pandas writes them with orient="values", which has no names of columns; ${WAY_OUT}`,
    );
    expect(failure({ meta: { page: 1 }, hits: ROWS })).toBe("t.json: expected an object for each row, got one whose member \"hits\" has 5 of them; write these as lines: jq -c '.[\"hits\"][]' FILE"); // biome-ignore format: one line
  });

  it("is not taken for one where an object is a row", () => {
    const one = { qid: "a", label: 1, item: { price: 3 }, user: { price: 4 } };
    expect(read(one).data.names.features).toEqual(["item.price", "user.price"]);
    expect(parseData([{ name: "t.json", content: '{"item":{"price":9,"qid":1,"label":2},"user":{"age":3}}' }], { qid: "item.qid", label: "item.label" }).data.names.features).toEqual(["item.price", "user.age"]); // biome-ignore format: one line
    const lists = [
      ["a", ["b", "c"]],
      [["b"], "a"],
      ["a", 3],
      [3, "b"],
    ];
    expect(read(lists).data.names.items).toEqual(["a", "b", "c", "3"]);
    expect(read({ columns: ["a"], data: ["b", "c"] }).data.names.items).toEqual(["a", "b", "c"]); // tiers of these names
  });
});
