import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../test/rows.ts";
import { InputError } from "../../input-error.ts";
import type { DatasetReaderOptions } from "./dataset-reader.ts";
import { formatOf } from "./formats.ts";
import { parseData as parse } from "./parse.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

const csv = (text: string, options: Partial<DatasetReaderOptions> = {}, name = "a.csv") =>
  parse([{ name, content: text }], options);

describe("csv", () => {
  it("finds the usual columns and takes the rest as features", () => {
    const { data, notices } = csv("docid,Query,Relevance,bm25,age\nd1,q1,2,0.5,3\nd2,q1,0,1e-1,\nd3,q2,1,-2,NA\n");
    expect([...data.labels]).toEqual([2, 0, 1]);
    expect(data.names).toEqual({ lists: ["q1", "q2"], entries: ["d1", "d2", "d3"], features: ["bm25", "age"] });
    expect(rowsOf(data.features)).toEqual([
      [0.5, 3],
      [Math.fround(0.1), Number.NaN],
      [-2, Number.NaN],
    ]);
    expect(notices).toEqual([
      'a.csv: 3 rows in 2 lists (column "Query"), label "Relevance", id "docid", 2 features (bm25, age)',
      "a.csv: 2 values missing",
    ]);
  });

  it("names the features unless the label was named, and only the first few", () => {
    const wide = `label,qid,${Array.from({ length: 9 }, (_, i) => `f${i}`).join(",")},a b\n1,a,${"1,".repeat(9)}1\n`;
    expect(csv(wide).notices[0]).toContain("10 features (f0, f1, f2, f3, f4, f5 and 4 more)");
    expect(csv("label,qid,a b\n1,a,1\n").notices[0]).toContain('1 feature ("a b")');
    expect(csv(wide, { label: "label" }).notices[0]).toMatch(/10 features$/);
  });

  it.each(["rel", "Grade", "clicked", "is_relevant", "target"])("warns of a feature %s beside the label", (name) => {
    const { notices } = csv(`label,qid,${name},x\n1,a,1,2\n`);
    expect(notices).toContain(
      `a.csv: the column "${name}" is a feature and has the name of a label, while the label is "label"; if it holds what is to be learned, leave it out (--ignore ${name})`,
    );
    expect(csv(`label,qid,${name},x\n1,a,1,2\n`, { ignore: [name] }).notices.join()).not.toContain("name of a label");
    expect(csv(`qid,${name},x\na,1,2\n`, { labels: "optional", qid: "qid" }).notices.join()).not.toContain("name of a label");
  });

  it("warns also where the label was named", () => {
    const { notices } = csv("label,qid,rel\n1,a,2\n", { label: "rel" });
    expect(notices.join()).toContain('the column "label" is a feature and has the name of a label, while the label is "rel"');
  });

  it("says which columns lose digits as 32-bit floats, and how to keep them", () => {
    // Between 2^40 and 2^41 the floats are 2^17 = 131,072 apart.
    const { data, notices } = csv("label,qid,time,x\n1,a,1700000000001,16777216\n0,a,1700000000003,1e30\n");
    expect(data.features.values[0]).toBe(data.features.values[2]);
    expect(notices.slice(1)).toEqual([
      'column "time", column "x" lost digits: numbers are held as 32-bit floats, and 2 numbers of column "time", 1700000000001 to 1700000000003, were rounded, by steps of up to 131072, so that different ones may be equal; subtract an offset, such as the smallest value; if it is a time since 1970, name it with --date-columns',
    ]);
    expect(csv("label,qid,x\n1,a,16777216\n0,a,-33554432\n2,a,0.1\n").notices).toHaveLength(1); // all of these are floats, or small
    expect(csv("label,qid,x\n16777217,a,1\n").notices[1]).toContain("the label lost digits");
  });

  it("says that features beyond 2^53 look like ids, also where a 32-bit float holds what is left of their digits", () => {
    const { data, notices } = csv("label,qid,x,docid\n1,a,9223372036854775807,9223372036854775807\n0,a,9223372036854775806,9223372036854775806\n"); // biome-ignore format: one text
    expect(notices[1]).toMatch(/^column "x" lost digits: .*; it looks like an id: leave it out \(--ignore\), or name the items by it \(--item\)/); // biome-ignore format: one line
    expect(data.names.entries).toEqual(["9223372036854775807", "9223372036854775806"]);
  });

  it("columns can be named, and left out", () => {
    const text = "a,b,c,d,e\n1,x,2,7,text\n2,y,3,8,text\n";
    const { data } = csv(text, { label: "a", qid: "B", weight: "c", ignore: ["e"] });
    expect(data.names.features).toEqual(["d"]);
    expect([...data.listWeights!]).toEqual([2, 3]); // lists of one row
    expect(rowsOf(data.features)).toEqual([[7], [8]]);
  });

  it("quotes hold delimiters, quotes and newlines; a byte order mark and line ends of Windows are fine", () => {
    const { data } = csv('\uFEFF"label","qid","the ""x"", y",id\r\n"1", q ,"2.5","a\nb"\r\n\r\n0,q, 3 ,"c,d" \r\n');
    expect(data.names.features).toEqual(['the "x", y']);
    expect(data.names.entries).toEqual(["a\nb", "c,d"]);
    expect(rowsOf(data.features)).toEqual([[2.5], [3]]);
    expect(data.names.lists).toEqual(["q"]);
  });

  it("the delimiter is what the header holds most of, and a tab in TSV", () => {
    const plain = csv("label,qid,x\n1,a,5\n").data;
    expect(csv("label;qid;x\n1;a;5\n").data).toEqual(plain);
    expect(csv("label\tqid\tx\n1\ta\t5\n").data).toEqual(plain);
    expect(csv("label\tqid\tx,y,z,w\n1\ta\t5\n", {}, "a.tsv").data.names.features).toEqual(["x,y,z,w"]);
  });

  it("a weight that varies within a list is per item", () => {
    const { data, notices } = csv("label,qid,w\n1,a,1\n0,a,2\n", { weight: "w" });
    expect([...data.itemWeights!]).toEqual([1, 2]);
    expect(notices.at(-1)).toBe("row weights are used as item weights");
  });

  it("labels may be lacking where they are optional", () => {
    const { data, notices } = csv("qid,x\na,1\n", { labels: "optional" });
    expect([...data.labels]).toEqual([0]);
    expect(notices.join()).not.toContain("taken as 0");
    const some = csv("qid,label,x\na,1,1\na,,2\n", { labels: "optional" });
    expect(some.notices.at(-1)).toBe("a.csv: 1 row without a label, taken as 0");
    expect([...csv("label,qid,x\n,a,1\n3,a,1\n", { labels: "optional" }).data.labels]).toEqual([0, 3]);
  });

  it("sizes beside a table serve as well as a column", () => {
    const { data } = parse([{ name: "a.csv", content: "label,x\n1,2\n0,3\n1,4\n", groups: "2\n1" }]);
    expect([...data.starts]).toEqual([0, 2, 3]);
  });

  it("a second table may order its columns otherwise, but must have the same", () => {
    const first = { name: "a.csv", content: "label,qid,x,y\n1,a,1,2\n" };
    const { data } = parse([first, { name: "b.csv", content: "y,x,qid,label\n4,3,b,0\n" }]);
    expect(rowsOf(data.features)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(() => parse([first, { name: "b.csv", content: "label,qid,x\n1,a,1\n" }])).toThrow(
      'b.csv:1: the column "y" of the preceding files is missing here',
    );
    expect(() => parse([first, { name: "b.csv", content: "label,qid,x,y,z\n" }])).toThrow(
      'the column "z" is not in the preceding files',
    );
    expect(() => parse([first, { name: "b.txt", content: "1 qid:1 1:1\n" }])).toThrow(
      "b.txt: its features have numbers, but those of a.csv have names; they cannot be combined",
    );
  });

  it("a column without a name, such as a written row index, is left out with a notice", () => {
    const { data, notices } = csv(",label,qid,x\n0,1,a,5\n1,0,a,6\n");
    expect(data.names.features).toEqual(["x"]);
    expect(notices[1]).toBe("a.csv: column 1 has no name and is ignored");
  });

  it.each([
    ["a,b\n1,2\n", {}, "a.csv:1: no label column; choose one with --label NAME: there are a, b"],
    [
      "labell,qid\n1,2\n",
      {},
      "a.csv:1: no label column; choose one with --label NAME: did you mean labell? (there are labell, qid)",
    ],
    [
      "grade,qid,x\n",
      { label: "grad" },
      'a.csv:1: no column is called "grad" (--label); did you mean grade? (there are grade, qid, x)',
    ],
    [
      "label,qid,x\n",
      { ignore: ["z"] },
      'a.csv:1: no column is called "z" (--ignore); did you mean x? (there are label, qid, x)',
    ],
    [
      "label,x\n1,2\n",
      {},
      "a.csv:1: no qid column; choose the column that identifies the list with --qid NAME: there is x (or write the size of each list on a line of a.csv.query)",
    ],
    [
      "city,label,hotel,price\nRome,1,Aria,80\n", // before any cell is looked at
      {},
      "a.csv:1: no qid column; choose the column that identifies the list with --qid NAME: there are city, hotel, price (or write the size of each list on a line of a.csv.query)",
    ],
    ["label,qid,x,x\n", {}, 'a.csv:1: two columns are called "x"'],
    ["label,qid,x\n", { weight: "label" }, 'a.csv:1: the column "label" cannot be both label and weight'],
    [
      "label,qid,x\n1,a,-Infinity\n",
      {},
      'a.csv:2: column "x": expected a finite number, got "-Infinity"; --missing-values -Infinity reads it as a missing value',
    ],
    [
      "label,qid,x\n1,a,1e39\n",
      {},
      'a.csv:2: column "x": "1e39" is too large for a 32-bit float; --missing-values 1e39 reads it as a missing value, and --ignore leaves out a column of ids',
    ],
    [
      "label,qid,x\n,a,1\n",
      {},
      'a.csv:2: column "label": the label is missing; --tiers ratings leaves rows without one out, --label-last NA puts them below all others of their list',
    ],
    [
      "label,qid,x\nhigh,a,1\n",
      {},
      'a.csv:2: column "label": expected a finite number, got "high"; if labels are words, give all of them in order, the best first: --label-order BEST,...,WORST (the labels are "high")',
    ],
    ["label,qid,x\n1,,1\n", {}, 'a.csv:2: column "qid": the qid is missing'],
    ["label,qid,x\n1,a\n", {}, "a.csv:2: expected 3 cells as in the header, got 2"],
    ['label,qid,id\n1,a,"x\ny"\n1,a\n', {}, "a.csv:4: expected 3 cells as in the header, got 2"],
    ['label,qid,x\n1,a,"3"4\n', {}, 'a.csv:2: expected a delimiter after a closing quote, got "4"'],
    ['label,qid,x\n1,a,"3\n', {}, "a.csv:2: a quote opens here and is not closed"],
    ["label,qid,w\n1,a,-1\n", { weight: "w" }, 'a.csv:2: expected a weight of at least 0, got "-1"'],
    ["label,qid,x\n", {}, "a.csv: no rows, only a header"],
  ] as const)("refuses %j %j", (text, options, message) => {
    expect(() => csv(text, options)).toThrow(new InputError(message));
  });

  it.each([
    ["a.csv", "1 qid:1 1:1", "csv"],
    ["a.tsv.gz", "", "tsv"],
    ["a.libsvm", "label,qid", "svmlight"],
    ["a.txt", "label,qid,x\n", "csv"],
    ["a.txt", "label\tqid\tx\n", "csv"],
    ["a.txt", "# words, and more\n\n1 qid:1 1:0.5 # a, b\n", "svmlight"],
    ["rank.train", "0 10:0.89 11:0.75", "svmlight"],
    ["a.txt", "1:0.5\tqid:1\t1:2", "svmlight"],
    ["a.txt", "qid:1 1:2 # a,b", "svmlight"],
  ])("%s that begins with %j is %s", (name, text, format) => {
    expect(formatOf(name, bytesOf(text)).id).toBe(format);
    expect(formatOf(name, bytesOf(text), "tsv").id).toBe("tsv");
  });
});
