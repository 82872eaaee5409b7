import { describe, expect, it } from "vitest";
import { type Dataset, parseData } from "../src/index.ts";
import { denseValues, foldDigest } from "./fold-digest.ts";

const data = (content: string): Dataset => parseData([{ name: "a.txt", content }]).data;
const rows = data("1 qid:1 1:0.5 2:NULL\n0 qid:1 1:2\n2 qid:2 2:-1\n");
const digest = (test: Dataset) => foldDigest({ train: rows, valid: rows, test });

/** The same rows, of which only values other than 0 are stored. */
const sparse: Dataset = {
  ...rows,
  features: {
    ...{ kind: "sparse", rows: 3, columns: 2, absent: 0 },
    ...{
      starts: Uint32Array.of(0, 2, 3, 4),
      indices: Uint32Array.of(0, 1, 0, 1),
      values: Float32Array.of(0.5, Number.NaN, 2, -1),
    },
  },
};

describe("rows as plain arrays", () => {
  it("hold absent values as 0 and missing ones as NaN, however they are stored", () => {
    for (const one of [rows, sparse]) expect([...denseValues(one)]).toEqual([0.5, Number.NaN, 2, 0, 0, -1]);
  });
});

describe("the digest of a fold", () => {
  it("is that of what the fold holds, not of how it is stored", () => {
    expect(digest(rows)).toMatch(/^[0-9a-f]{16}$/);
    expect(digest(sparse)).toBe(digest(rows));
  });

  it("has one value for every NaN", () => {
    const other = denseValues(rows);
    new Uint32Array(other.buffer)[1] = 0xffc00001; // a NaN with a sign
    expect(digest({ ...rows, features: { kind: "dense", rows: 3, columns: 2, values: other } })).toBe(digest(rows));
  });

  it.each([
    ["a label", "1 qid:1 1:0.5 2:NULL\n1 qid:1 1:2\n2 qid:2 2:-1\n"],
    ["a value", "1 qid:1 1:0.5 2:NULL\n0 qid:1 1:2\n2 qid:2 2:-2\n"],
    ["a missing value", "1 qid:1 1:0.5\n0 qid:1 1:2\n2 qid:2 2:-1\n"],
    ["a list", "1 qid:1 1:0.5 2:NULL\n0 qid:2 1:2\n2 qid:2 2:-1\n"],
    ["a column", "1 qid:1 1:0.5 2:NULL\n0 qid:1 1:2\n2 qid:2 2:-1 3:0\n"],
    ["the order of items", "0 qid:1 1:2\n1 qid:1 1:0.5 2:NULL\n2 qid:2 2:-1\n"],
  ])("changes with %s", (_, content) => expect(digest(data(content))).not.toBe(digest(rows)));

  it("distinguishes the parts", () => {
    const other = data("0 qid:1 1:2 2:0\n");
    expect(foldDigest({ train: rows, valid: other, test: rows })).not.toBe(foldDigest({ train: rows, valid: rows, test: other }));
  });
});
