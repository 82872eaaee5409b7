import { describe, expect, it } from "vitest";
import { formatOf, readableFormats, sniffed } from "./formats.ts";

const none = new Uint8Array(0);
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("the list of data formats", () => {
  it("has each name and each extension once", () => {
    const ids = readableFormats.map(({ id }) => id);
    const extensions = readableFormats.flatMap((format) => format.extensions);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(extensions).size).toBe(extensions.length);
  });

  it("tests content for every format that can recognize its own", () => {
    const able = readableFormats.filter((format) => format.sniff).map(({ id }) => id);
    expect(sniffed.map(({ id }) => id).toSorted()).toEqual(able.toSorted());
  });

  it("finds a format by its extension, in any case and packed", () => {
    for (const { id, extensions } of readableFormats)
      for (const extension of extensions)
        for (const name of [`data${extension}`, `DATA${extension.toUpperCase()}`, `data${extension}.gz`])
          expect(formatOf(name, none).id, name).toBe(id);
  });

  it("takes a requested format before any other sign", () => {
    for (const { id } of readableFormats) expect(formatOf("data.csv", bytesOf("winner,loser\na,b\n"), id).id).toBe(id);
  });

  const contents: [id: string, text: string][] = [
    ["svmlight", "# made by hand\n2 qid:1 1:0.5 2:1\n"],
    ["csv", "qid,label,price\n1,2,0.5\n"],
    ["jsonl", '{"qid": "a", "label": 2, "vector": [1, 2]}\n'],
    ["qrels", "1 0 doc-7 2\n"],
    ["preflib", "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: a\n2: 1,{2,3}\n"],
    ["orders", "12: a > b = c\n"],
    ["pairs", "voter,winner,loser\nann,a,b\n"],
    ["tiers", '{"S": ["a"], "A": ["b", "c"]}\n'],
    ["tier-table", "ballot,item,tier\n1,a,1\n1,b,2\n"],
    ["xml-repository", "2 3 4\n0,1 0:0.5\n"],
    ["arff", "% of Mulan\n@relation x\n"],
  ];
  it.each(contents)("finds %s by its content", (id, text) => {
    expect(formatOf("data", bytesOf(text)).id).toBe(id);
    expect(sniffed.map((format) => format.id)).toContain(id);
  });

  it("finds columnar files by their first bytes, whatever they are called", () => {
    for (const name of ["data", "data.csv", "data.txt", "data.json"]) {
      expect(formatOf(name, bytesOf("PAR1\u0015\u0004")).id).toBe("parquet");
      expect(formatOf(name, bytesOf("ARROW1\0\0")).id).toBe("arrow");
      expect(formatOf(name, Uint8Array.of(255, 255, 255, 255, 16, 1, 0, 0, 16, 0)).id).toBe("arrow");
    }
    expect(formatOf("data.json", bytesOf('{"qid": "a", "label": 2}\n')).id).toBe("jsonl");
    expect(formatOf("data.json", bytesOf('{"S": ["a"], "A": ["b"]}\n')).id).toBe("tiers");
  });

  it("finds pairs in a table, whatever it is called", () => {
    const table = bytesOf("winner,loser\na,b\n");
    for (const name of ["data", "data.csv", "data.tsv"]) expect(formatOf(name, table).id).toBe("pairs");
    expect(formatOf("data.svm", table).id).toBe("svmlight");
  });
});
