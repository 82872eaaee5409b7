import { describe, expect, it } from "vitest";
import { type MemoryFile, parseData } from "./parse.ts";
import { sideFilePaths } from "./side-files.ts";

type Text = Omit<MemoryFile, "name"> & { readonly name?: string };

const parse = (files: readonly Text[]) => parseData(files.map((file) => ({ name: "a.txt", ...file })));

const rows = (count: number) => Array.from({ length: count }, (_, i) => `${i} 1:${i}\n`).join("");

describe("side files", () => {
  it("sizes make lists", () => {
    const { data, notices } = parse([{ content: rows(6), groups: "1\n3\r\n2\n\n" }]);
    expect([...data.starts]).toEqual([0, 1, 4, 6]);
    expect(data.names.lists).toBeUndefined();
    expect(notices).toEqual(["a.txt: 6 rows in 3 lists (sizes from a.txt.query), features 1 to 1 (1-based), absent = 0"]);
  });

  it("as many names as rows make lists, scattered or not", () => {
    const { data, notices } = parse([{ content: rows(4), groups: "7\n8\n7\n8\n" }]);
    expect([...data.labels]).toEqual([0, 2, 1, 3]);
    expect(data.names.lists).toEqual(["7", "8"]);
    expect(notices[0]).toContain("(lists from a.txt.query)");
    expect(notices[1]).toContain("have been grouped");
  });

  it("numbers that add up are sizes even where they could be names", () => {
    expect([...parse([{ content: rows(3), groups: "1\n1\n1\n" }]).data.starts]).toEqual([0, 1, 2, 3]);
    expect([...parse([{ content: rows(4), groups: "0\n0\n2\n2\n" }]).data.starts]).toEqual([0, 2, 4]); // no list has size 0
  });

  it("groups of two files do not run into each other", () => {
    const { data } = parse([
      { name: "a.txt", content: rows(3), groups: "3" },
      { name: "b.txt", content: "1 qid:z 1:1\n", weights: "5" },
      { name: "c.txt", content: rows(3), groups: "u\nv\nu" },
    ]);
    expect([...data.starts]).toEqual([0, 3, 4, 6, 7]);
    expect(data.names.lists).toEqual(["1", "z", "u", "v"]);
    expect([...data.listWeights!]).toEqual([1, 5, 1, 1]);
  });

  it("qids and a group file must agree, and a notice states that they do", () => {
    const text = "1 qid:1 1:1\n1 qid:1 1:1\n1 qid:2 1:1\n";
    expect(parse([{ content: text, groups: "2\n1" }]).notices[0]).toContain("(qid, and sizes in a.txt.query agree)");
    expect(parse([{ content: text, groups: "x\nx\ny" }]).notices[0]).toContain("(qid, and lists in a.txt.query agree)");
    const refusal = (what: string) => `a.txt.query: the ${what} there do not agree with the qids in a.txt; remove one of the two`;
    expect(() => parse([{ content: text, groups: "1\n2" }])).toThrow(refusal("sizes"));
    expect(() => parse([{ content: text, groups: "1\n1\n1" }])).toThrow(refusal("sizes"));
    expect(() => parse([{ content: text, groups: "x\ny\ny" }])).toThrow(refusal("lists"));
  });

  it("a group file that does not add up is refused with both numbers", () => {
    expect(() => parse([{ content: rows(5), groups: "2\n2\n" }])).toThrow(
      "a.txt.query: the sizes add up to 4, but a.txt has 5 rows",
    );
    expect(() => parse([{ content: rows(5), groups: "x\ny\n" }])).toThrow("a.txt.query: 2 names of lists, but a.txt has 5 rows");
    expect(() => parse([{ content: rows(5), groups: "" }])).toThrow("a.txt.query: the sizes add up to 0, but a.txt has 5 rows");
    expect(() => parse([{ content: rows(5), groups: "2 3\n" }])).toThrow("a.txt.query:1: expected one number or word on a line");
  });

  it("weights are per list or per row by their number", () => {
    const lists = parse([{ content: rows(3), groups: "2\n1", weights: "0.5\n2" }]);
    expect([...lists.data.listWeights!]).toEqual([0.5, 2]);
    expect(lists.notices[1]).toBe("a.txt: a weight per list from a.txt.weight");
    const items = parse([{ content: rows(3), groups: "x\ny\nx", weights: "1\n2\n3" }]);
    expect([...items.data.itemWeights!]).toEqual([1, 3, 2]);
    expect(items.notices.at(-1)).toBe("a.txt: a weight per row from a.txt.weight");
    const both = parse([{ content: rows(2), groups: "1\n1", weights: "1\n2" }]);
    expect(both.notices[1]).toBe("a.txt: a weight per list from a.txt.weight (also the number of rows)");
    const together = parse([{ content: "1:3 qid:1\n1:4 qid:1\n", weights: "2" }]).data;
    expect([[...together.listWeights!], [...together.itemWeights!]]).toEqual([[2], [3, 4]]);
  });

  it("weights that fit neither, or are none, are refused", () => {
    const file = { content: rows(3), groups: "2\n1" };
    expect(() => parse([{ ...file, weights: "1" }])).toThrow("a.txt.weight: 1 weight, but a.txt has 2 lists and 3 rows");
    expect(() => parse([{ ...file, weights: "1\n-2" }])).toThrow('of at least 0, got "-2" as number 2');
    expect(() => parse([{ ...file, weights: "1\nNaN" }])).toThrow('got "NaN" as number 2');
    expect(() => parse([{ content: "1:3 qid:1\n1:4 qid:1\n", weights: "2\n2" }])).toThrow("have weights of their own");
  });

  it("side files of packed data lie beside the plain name too", () => {
    expect(sideFilePaths("d/rank.train.gz", ".query")).toEqual(["d/rank.train.query", "d/rank.train.gz.query"]);
    expect(sideFilePaths("d/train.txt", ".query")).toEqual(["d/train.txt.query"]);
  });
});
