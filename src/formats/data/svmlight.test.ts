import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../test/rows.ts";
import { InputError } from "../../input-error.ts";
import type { DatasetReaderOptions } from "./dataset-reader.ts";
import { type MemoryFile, parseData } from "./parse.ts";
import { documentId } from "./svmlight.ts";

type Text = Partial<MemoryFile> & { readonly content: string };

const parse = (files: string | readonly Text[], options: Partial<DatasetReaderOptions> = {}) =>
  parseData(
    (typeof files === "string" ? [{ content: files }] : files).map((file) => ({ name: "a.txt", ...file })),
    options,
  );

describe("svmlight", () => {
  it("reads label, qid, features and document id", () => {
    const { data, notices } = parse(
      "2 qid:10 1:0.5 3:-1e-3 #docid = GX1 inc = 1\n0 qid:10 2:.25 # second\n\n# a comment\n1.5 qid:x7 1:1.\n",
    );
    expect([...data.labels]).toEqual([2, 0, 1.5]);
    expect([...data.starts]).toEqual([0, 2, 3]);
    expect(rowsOf(data.features)).toEqual([
      [0.5, 0, Math.fround(-0.001)],
      [0, 0.25, 0],
      [1, 0, 0],
    ]);
    expect(data.names).toEqual({ lists: ["10", "x7"], entries: ["GX1", "second", ""] });
    expect(notices).toEqual(["a.txt: 3 rows in 2 lists (qid), features 1 to 3 (1-based), absent = 0"]);
  });

  it("line ends of Windows, tabs, repeated blanks, a byte order mark and a last line without an end are fine", () => {
    const plain = parse("1 qid:1 1:2 2:3\n0 qid:1 1:4\n").data;
    expect(parse("\uFEFF1\tqid:1  1:2\t 2:3 \r\n\r\n  0 qid:1 1:4").data).toEqual(plain);
  });

  it("brings scattered rows together and says so once", () => {
    const { data, notices } = parse("1 qid:b 1:1\n2 qid:a 1:2\n3 qid:b 1:3\n4 qid:a 1:4\n");
    expect(data.names.lists).toEqual(["b", "a"]);
    expect([...data.labels]).toEqual([1, 3, 2, 4]);
    expect(notices.slice(1)).toEqual(["a.txt: rows of some lists were not adjacent and have been grouped"]);
  });

  it("sorts features within a row", () => {
    expect(rowsOf(parse("1 qid:1 3:3 1:1 2:2\n").data.features)).toEqual([[1, 2, 3]]);
  });

  it("NULL is missing, an absent feature is zero or missing as requested", () => {
    const text = "1 qid:1 1:NULL 3:5\n";
    const { data, notices } = parse(text);
    expect(rowsOf(data.features)).toEqual([[Number.NaN, 0, 5]]);
    expect(notices.slice(1)).toEqual(["a.txt: 1 value missing (NULL)"]);
    expect(rowsOf(parse(text, { absent: "missing" }).data.features)).toEqual([[Number.NaN, Number.NaN, 5]]);
  });

  it("label:weight gives item weights, or list weights where a list has only one", () => {
    const items = parse("1:2 qid:1 1:1\n0:3 qid:1 1:1\n");
    expect([...items.data.itemWeights!]).toEqual([2, 3]);
    expect(items.notices.at(-1)).toBe("row weights are used as item weights");
    const lists = parse("1:2 qid:1 1:1\n0:2 qid:1 1:1\n1:0.5 qid:2 1:1\n");
    expect([...lists.data.listWeights!]).toEqual([2, 0.5]);
    expect(lists.notices.at(-1)).toBe("row weights are equal within every list and are used as list weights");
  });

  it("features are numbered from 0 when requested or when one occurs", () => {
    for (const indexBase of [0, "auto"] as const) {
      const { data, notices } = parse("1 qid:1 0:7 1:8\n", { indexBase });
      expect(data.base).toBe(0);
      expect(rowsOf(data.features)).toEqual([[7, 8]]);
      expect(notices[0]).toContain("features 0 to 1 (0-based)");
    }
    expect(parse("1 qid:1 1:8\n", { indexBase: "auto" }).data.base).toBe(1);
  });

  it("a row without a label has the label 0, whatever the row before it has", () => {
    expect([...parse("2 qid:1 1:5\nqid:1 1:6\n3 qid:1 1:7\n", { labels: "optional" }).data.labels]).toEqual([2, 0, 3]);
  });

  it("a row without a label is fine when labels are optional", () => {
    const { data, notices } = parse("qid:1 1:5\n2 qid:1 1:6\n", { labels: "optional" });
    expect([...data.labels]).toEqual([0, 2]);
    expect(notices.at(-1)).toBe("a.txt: 1 row without a label, taken as 0");
  });

  it("the same qid in two files names two lists", () => {
    const { data, notices } = parse([
      { name: "a.txt", content: "1 qid:1 1:1\n1 qid:2 1:1\n" },
      { name: "b.txt", content: "1 qid:2 4:1\n" },
    ]);
    expect(data.names.lists).toEqual(["1", "2", "2"]);
    expect(data.features.columns).toBe(4);
    expect(notices).toEqual([
      "a.txt: 2 rows in 2 lists (qid), features 1 to 1 (1-based), absent = 0",
      "b.txt: 1 row in 1 list (qid), features 1 to 4 (1-based), absent = 0",
      "1 qid occurs in several files; lists of different files are kept separate (--join-lists makes one list of those with the same qid)",
    ]);
  });

  it("one giant feature number in a tiny file stays tiny", () => {
    const { data } = parse("1 qid:1 2147483647:5\n0 qid:1 1:1 2:1 3:1\n");
    expect(data.features).toMatchObject({ kind: "sparse", columns: 2147483647 });
    expect(data.features.values.length).toBe(4);
  });

  it.each([
    ["1 qid:1 1:2\nqid:1 1:2\n", 'a.txt:2: expected "label qid:id number:value ...", got "qid:1 1:2" (no label)'],
    ["1 qid:1 1:2\n1:0.5 2:0.3\n", "a.txt:2: this row has no qid, but rows before it have one"],
    [
      "1 1:2\n1:0.5 2:0.3\n",
      'a.txt:2: "1:0.5 2:0.3" reads as label:weight, but rows before it have no weight; is the label missing?',
    ],
    ["1:2 qid:1\n1 qid:1 1:1\n", "a.txt:2: this row has no weight, but rows before it have label:weight"],
    ["1 1:2\n1 qid:1 1:2\n", "a.txt:2: this row has a qid, but rows before it have none"],
    ["x qid:1 1:2\n", 'a.txt:1: expected the label as a finite number, got "x"'],
    ["nan qid:1 1:2\n", 'a.txt:1: expected the label as a finite number, got "nan"'],
    ...["+----+---+\n| id | y |\n", "-[ RECORD 1 ]--\nid | 1\n", " id │ y \n────┼───\n"].map((drawn): [string, string] => [
      drawn,
      "a.txt:1: this looks like what psql prints; write CSV instead: \\copy (select ...) to 'rows.csv' csv header",
    ]),
    ["1 qid:1 1:inf\n", 'a.txt:1: expected the value of feature 1 as a finite number, got "inf"'],
    ["1 qid:1 1:inf\n", 'a.txt:1: expected the value of feature 1 as a finite number, got "inf"'],
    ["1 qid:1 1:-Infinity\n", 'a.txt:1: expected the value of feature 1 as a finite number, got "-Infinity"'],
    ["1 qid:1 1:0x1f\n", 'a.txt:1: expected the value of feature 1 as a finite number, got "0x1f"'],
    ["1 qid:1 1:\n", 'a.txt:1: expected the value of feature 1 as a finite number, got ""'],
    ["1 qid:1 1:NULLS\n", 'a.txt:1: expected the value of feature 1 as a finite number, got "NULLS"'],
    ["\n1 qid:1 1:1e39\n", 'a.txt:2: the value of feature 1 "1e39" is too large for a 32-bit float'],
    ["1 qid:1 1:1e999\n", 'a.txt:1: the value of feature 1 "1e999" is too large for a 32-bit float'],
    ["-1e40 qid:1 1:1\n", 'a.txt:1: the label "-1e40" is too large for a 32-bit float'],
    ["1:-2 qid:1 1:1\n", 'a.txt:1: expected a weight of at least 0, got "-2"'],
    [
      "1 qid:1 0:1\n",
      "a.txt:1: feature number 0, but features are numbered from 1; --index-base 0 reads files with features numbered from 0",
    ],
    ["1 qid:1 2147483648:1\n", 'a.txt:1: expected a feature number up to 2147483647, got "2147483648:1"'],
    ["1 qid:1 -1:1\n", 'a.txt:1: expected number:value, got "-1:1"'],
    ["1 qid:1 3:1 1:1 3:2\n", "a.txt:1: feature 3 is given twice"],
    ["1 qid:1 3:1 3:1\n", "a.txt:1: feature 3 is given twice"],
    ["1 qid:1 7\n", 'a.txt:1: expected number:value, got "7"'],
    ["1 qid:1 price:7\n", 'a.txt:1: expected number:value, got "price:7"'],
    ["1 qid: 1:7\n", "a.txt:1: expected a word after qid:, got nothing"],
    ["1 qid:1 qid:2 1:7\n", "a.txt:1: the row has two qids"],
    ["# only this\n\n", "a.txt: no rows, only blank lines and comments"],
    [
      "1 1:2\n",
      "a.txt: no qid and no a.txt.query or .group beside it; add qid:ID to each row, or write the size of each list on a line of a.txt.query",
    ],
  ])("refuses %j", (text, message) => {
    expect(() => parse(text)).toThrow(new InputError(message));
  });

  it("the largest 32-bit float is a value, half a step above it is none", () => {
    expect(rowsOf(parse("1 qid:1 1:3.4028234663852886e38\n").data.features)).toEqual([[3.4028234663852886e38]]);
    expect(() => parse("1 qid:1 1:3.4028235677973366e38\n")).toThrow("too large");
  });

  it.each([
    ["docid = GX008-86-4444840 inc = 1 prob = 0.086622", "GX008-86-4444840"],
    ["docid=7612", "7612"],
    [" doc17 some words", "doc17"],
    [" the (second) one ", "the"],
    ["(second) one ", "(second) one"],
    ["", ""],
  ])("the document id of the comment %j is %j", (comment, id) => {
    expect(documentId(comment)).toBe(id);
  });
});
