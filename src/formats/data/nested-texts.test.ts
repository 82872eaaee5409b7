import { describe, expect, it } from "vitest";
import { NeedsColumns } from "./csv-direct.ts";
import { datasetReader } from "./dataset-reader.ts";
import { parseData } from "./parse.ts";
import { readOptions } from "./read-options.ts";
import { sideTable } from "./side-table.ts";

type Row = Readonly<Record<string, unknown>>;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const cell = (value: unknown) => (value === null || value === undefined ? "" : typeof value === "object" ? quoted(JSON.stringify(value)) : String(value)); // biome-ignore format: one choice
const csv = (rows: readonly Row[]) => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return `${[names.join(","), ...rows.map((row) => names.map((name) => cell(row[name])).join(","))].join("\n")}\n`;
};
const jsonl = (rows: readonly Row[]) => `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;
const read = (content: string, options: object = {}) => parseData([{ name: content.startsWith("{") ? "t.jsonl" : "t.csv", content }], options); // biome-ignore format: one call
const features = (content: string, options: object = {}) => read(content, options).data.names.features;

const ROWS: readonly Row[] = Array.from({ length: 12 }, (_, i) => ({
  ...{ qid: `q${i % 3}`, label: i % 2, docid: `d${i}` },
  meta: i === 5 ? null : { weight: i / 2, color: ["red", "blue"][i % 2], size: { w: i, h: i === 3 ? null : -i }, tags: ["a", "b"].slice(i % 3), day: `2024-03-0${1 + (i % 9)}` }, // biome-ignore format: one member
  vector: [i, i / 4, i === 2 ? null : 1],
  x: i * i,
}));

describe("JSON objects and arrays of numbers in cells of text", () => {
  it("become the columns that JSON Lines of the same rows have", () => {
    const [one, other] = [read(csv(ROWS)), read(jsonl(ROWS))];
    expect(one.data).toEqual(other.data);
    expect(one.data.names.features).toEqual(expect.arrayContaining(["meta.weight", "meta.color=blue", "meta.size.w", "meta.tags=a", "meta.day", "vector.2", "x"])); // biome-ignore format: one claim
    expect(one.notices).toContain('t.csv: column "meta": its members are columns ("meta.weight", "meta.color", "meta.size.w" and 3 more)'); // biome-ignore format: one line
    expect(one.notices).toContain('t.csv: column "vector": its members are columns ("vector.0", "vector.1", "vector.2")');
  });

  it("may have the arrays of PostgreSQL and NumPy, and words for missing values", () => {
    const table = (v: (i: number) => string) => `qid,label,v\n${Array.from({ length: 8 }, (_, i) => `q${i % 2},${i % 3},${quoted(v(i))}`).join("\n")}\n`; // biome-ignore format: one text
    const plain = read(`qid,label,v.0,v.1\n${Array.from({ length: 8 }, (_, i) => `q${i % 2},${i % 3},${i === 3 ? "," : `${i},${i / 2}`}`).join("\n")}\n`); // biome-ignore format: one text
    for (const v of [(i: number) => (i === 3 ? "NULL" : `{${i},${i / 2}}`), (i: number) => (i === 3 ? "{}" : `[${i} ${i / 2}]`), (i: number) => (i === 3 ? "" : `[${i}, ${i / 2}]`)]) // biome-ignore format: three ways
      expect(read(table(v)).data.features.values).toEqual(plain.data.features.values);
    expect(
      features(
        table((i) => `[${i}]`),
        { categories: ["v"] },
      ),
    ).toHaveLength(8); // footnotes, perhaps
    expect(
      features(
        table((i) => (i ? `{"a":${i}}` : "none")),
        { missingValues: ["none"] },
      ),
    ).toEqual(["v.a"]);
  });

  it("stay text where some cell is none, they have parts of their own, or too many members", () => {
    const table = (meta: (i: number) => string, more = "") => `qid,label,meta${more}\n${Array.from({ length: 8 }, (_, i) => `q${i % 2},${i % 3},${quoted(meta(i))}${more && ",1"}`).join("\n")}\n`; // biome-ignore format: one text
    expect(read(table((i) => (i > 5 ? "{broken" : `{"a":${i}}`))).notices).toContain('t.csv: column "meta": members of JSON objects become columns where all cells are objects, and 2 cells are not, the first at t.csv:8 ("{broken")'); // biome-ignore format: one line
    expect(read(table((i) => (i === 7 ? "{broken" : `{"a":${i}}`))).notices.join()).toContain('column "meta" is left out: 8 different texts in 8 cells'); // biome-ignore format: one line
    expect(features(table((i) => (i === 7 ? "[1,2]" : `{"a":${i}}`)))).toEqual([]);
    expect(
      features(
        table((i) => `{"a":${i % 2}}`),
        { categories: ["meta"] },
      ),
    ).toEqual(['meta={"a":0}', 'meta={"a":1}']);
    expect(features(table((i) => `{"a":${i % 2}}`, ",meta.a"))).toEqual(['meta={"a":0}', 'meta={"a":1}', "meta.a"]);
    expect(
      features(
        table((i) => `{"a":${i}}`),
        { ignore: ["meta"] },
      ),
    ).toEqual([]);
    expect(
      read(
        table((i) => `{"a":${i}}`, ",x"),
        { id: "meta" },
      ).data.names.entries![1],
    ).toBe('{"a":2}');
    const many = (i: number) => JSON.stringify(Object.fromEntries(Array.from({ length: 130 }, (_, k) => [`k${130 * i + k}`, 1])));
    expect(features(table(many))).toEqual([]);
    expect(read(table(many)).notices).toContain('t.csv: column "meta": its cells are objects with more than 1000 different members, which become no columns'); // biome-ignore format: one line
    for (const other of ["note", "{a,b}"]) expect(read(table((i) => (i % 2 ? other : "{}"))).notices.join()).not.toContain("JSON objects"); // biome-ignore format: one line
    const deep = `${'{"a":'.repeat(100)}1${"}".repeat(100)}`;
    expect(features(table((i) => (i ? `{"a":${i}}` : deep)))).toEqual([]);
  });

  it("are left out member by member, and read by the encoding of a model", () => {
    expect(features(csv(ROWS), { ignore: ["meta.color", "meta.tags", "meta.day", "vector"] })).toEqual(["meta.weight", "meta.size.w", "meta.size.h", "x"]); // biome-ignore format: one claim
    expect(() => read(csv(ROWS), { ignore: ["meta.colour"] })).toThrow('no column is called "meta.colour" (--ignore)');
    for (const rows of [
      ROWS,
      ROWS.map(({ meta, ...row }) => ({ ...row, meta: meta && { weight: (meta as { weight: number }).weight } })),
    ]) {
      const { data } = read(csv(rows));
      const scorer = { encoding: data.names.encoding ?? data.names.features!.map((name) => ({ name, kind: "number" as const })) };
      for (const unknownFeatures of ["ignore", "error"] as const) {
        const again = read(csv(rows), { scorer: { ...scorer, unknownFeatures }, labels: "optional" });
        expect(again.data.features.values).toEqual(data.features.values);
      }
    }
    const before = {
      encoding: [
        { name: "meta", kind: "none" },
        { name: "x", kind: "number" },
      ],
    } as const; // of a model that left it out
    expect(features(csv(ROWS), { scorer: before })).toEqual(["x"]);
  });

  it("of side tables are taken apart too", () => {
    const items = ROWS.map(({ docid, meta }) => ({ docid, meta }));
    const rows = ROWS.map(({ meta: _, vector: __, ...row }) => row);
    const joined = (side: string) => {
      const options = readOptions({ items: "items.csv", id: "docid" });
      const reader = datasetReader({ ...options, columns: true });
      const [ofItems, ofRows] = [side, csv(rows)].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
      const items = sideTable("items", "items.csv", ofItems, options);
      items.push(ofItems);
      reader.addSide("items", items.end());
      reader.open("t.csv", ofRows).push(ofRows);
      reader.close();
      return reader.finish();
    };
    const { data, notices } = joined(csv(items));
    expect(data.names.features).toEqual(["x", ...features(csv(ROWS.map(({ vector: _, x: __, ...row }) => row)))!]);
    expect(notices.join("\n")).toContain('column "meta": its members are columns');
  });

  it("are met by a reader of numbers, which asks for columns", () => {
    const reader = datasetReader({ ...readOptions({}), scorer: { encoding: [{ name: "meta.a", kind: "number" }] }, labels: "optional" }); // biome-ignore format: one call
    const bytes = new TextEncoder().encode("qid,meta\nq,1\n");
    expect(() => reader.open("t.csv", bytes).push(bytes)).toThrow(NeedsColumns);
  });
});
