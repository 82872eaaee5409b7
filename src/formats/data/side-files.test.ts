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

  it("positions: labels above 0 weigh the inverse propensity of their position, others 1", () => {
    // 200 pages of two rows with the same feature; of the first position 100 are clicked, of the second 25.
    const content = Array.from({ length: 200 }, (_, q) => `${q % 2} qid:${q} 1:1\n${q % 8 === 0 ? 1 : 0} qid:${q} 1:1\n`).join(
      "",
    );
    const positions = "top\nbelow\n".repeat(200);
    const { data, notices } = parse([{ content, positions }]);
    const weights = data.itemWeights!;
    const [first, second] = [weights.filter((_, i) => i % 2 === 0), weights.filter((_, i) => i % 2 === 1)];
    expect([...first].every((weight) => weight === 1)).toBe(true);
    for (const [q, weight] of second.entries()) expect(weight).toBeCloseTo(q % 8 === 0 ? 4 : 1, 1); // 1 / (25 / 100)
    expect(notices[1]).toMatch(/^a\.txt\.position: labels above 0 are clicks, .+ \(top: 1\.00, below: 0\.2\d\)$/);
  });

  it("positions go with their rows where lists are scattered, and join the weights of rows", () => {
    const rows = ["1 qid:a 1:0", "1 qid:b 1:1", "1 qid:a 1:0", "0 qid:b 1:1"].map((row, i) =>
      row.replace(/^./, (label) => `${label}:${i + 1}`),
    );
    const content = Array.from({ length: 50 }, () => rows.join("\n")).join("\n");
    const { data } = parse([{ content, positions: "1\n1\n2\n2\n".repeat(50) }]);
    const plain = parseData([{ name: "a.txt", content, positions: "1\n1\n2\n2\n".repeat(50) }], { positions: "ignore" }).data;
    const ratios = data.itemWeights!.map((weight, i) => weight / plain.itemWeights![i]!);
    expect(new Set(ratios.filter((_, i) => data.labels[i] === 0 || i < 1))).toEqual(new Set([1]));
    expect(Math.max(...ratios)).toBeGreaterThan(1);
  });

  it("positions must be as many as rows, and need a click at the first", () => {
    expect(() => parse([{ content: "1 qid:1 1:1\n", positions: "1\n2\n" }])).toThrow(
      "a.txt.position: 2 positions, but a.txt has 1 row",
    );
    expect(() => parse([{ content: "1 qid:1 1:1\n", positions: "1 2\n" }])).toThrow(
      /a\.txt\.position:1: expected one number or word/,
    );
    const { data, notices } = parse([{ content: "0 qid:1 1:1\n1 qid:1 1:2\n", positions: "1\n2\n" }]);
    expect(data.itemWeights).toBeUndefined();
    expect(notices[1]).toContain("no row at position 1 has a label above 0");
  });
});
