import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { sharedFile } from "../../../test/shared.ts";
import { readData } from "./read.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-"));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const small = "3 4 5\n0,4 1:0.5 3:2\n 2:1\n3\n";

describe("the Extreme Classification Repository's text", () => {
  it("a row is a list over all labels; one without labels begins with a blank, and one may have no features", async () => {
    const { data, notices } = await readData([file("small.xc.txt", small)]);
    expect(data.labelSpaceSize).toBe(5);
    expect([...data.starts]).toEqual([0, 2, 2, 3]);
    expect([...data.items!]).toEqual([0, 4, 3]);
    expect([...data.labels]).toEqual([1, 1, 1]);
    expect(data.features).toMatchObject({ kind: "sparse", rows: 3, columns: 4 });
    expect([...data.features.values]).toEqual([0.5, 2, 1]);
    expect(notices[0]).toMatch("3 lists (a list per row) over 5 labels, 1.00 of them relevant, 4 features");
  });

  it("may have up to 2^31 - 1 features and labels", async () => {
    const { data } = await readData([file("wide.xc.txt", "1 2147483647 2147483647\n2147483646 2147483646:1\n")]);
    expect([data.labelSpaceSize, data.features.columns]).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
    for (const header of ["1 2147483648 5", "1 5 2147483648", "1 5 0"])
      await expect(readData([file("wider.xc.txt", `${header}\n0 1:1\n`)])).rejects.toThrow(
        "expected fewer than 2^31 features and labels",
      );
  });

  it("is known by its first line, and gzip by its first bytes", async () => {
    const { data } = await readData([file("plain", gzipSync(small))]);
    expect(data.labelSpaceSize).toBe(5);
  });

  it("labels may carry grades and come in any order; a grade of 0 is as no label", async () => {
    const { data, notices } = await readData([file("graded.xc.txt", "1 2 9\n7:2,3:1,5:0,1 0:1\n")]);
    expect([...data.items!]).toEqual([1, 3, 7]);
    expect([...data.labels]).toEqual([1, 1, 2]);
    expect(notices[0]).toMatch("labels carry grades");
  });

  it("files of one catalogue are read one after another", async () => {
    const { data } = await readData([file("a.xc.txt", small), file("b.xc.txt", "1 4 5\n2 0:1\n")]);
    expect([...data.starts]).toEqual([0, 2, 2, 3, 4]);
    expect(data.features.rows).toBe(4);
    await expect(readData([file("a.xc.txt", small), file("c.xc.txt", "1 4 6\n2 0:1\n")])).rejects.toThrow(
      "c.xc.txt:1: 4 features and 6 labels, but the preceding files have 4 and 5",
    );
  });

  it("a split file chooses rows, by column", async () => {
    const splits = file("trSplit.txt", "1 3\n2 1\n");
    const first = await readData([file("small.xc.txt", small)], { split: splits });
    expect([...first.data.starts]).toEqual([0, 2, 2]);
    const second = await readData([file("small.xc.txt", small)], { split: `${splits}:2` });
    expect([...second.data.items!]).toEqual([3, 0, 4]);
    expect(second.data.features.rows).toBe(2);
    await expect(readData([file("small.xc.txt", small)], { split: file("bad.txt", "4\n") })).rejects.toThrow(
      'bad.txt:1: expected a row from 1 to 3, got "4"',
    );
  });

  it.each([
    ["2 4 5\n9 1:1\n", ":2: a label 9 is not below 5"],
    ["1 4 5\n1 4:1\n", ":2: a feature 4 is not below 4"],
    ["1 4 5\n1 x:1\n", ':2: expected a feature as a whole number, got "x:1"'],
    ["1 4 5\n1 1:x\n", ":2: expected the value of feature 1 as a finite number"],
    ["1 4 5\n1,1 1:1\n", ":2: label 1 is given twice"],
    ["1 4 5\n1 1:1 1:2\n", ":2: feature 1 is given twice"],
    ["1 4 5\n1 2\n", ':2: expected "number:value"'],
    ["3 4 5\n1 1:1\n", ": 1 row, but the first line declares 3; the file is truncated"],
    ["1 4 5\n1 1:1\n2 1:1\n", ":3: more rows than the 1 declared in the first line"],
    ["1 4\n1 1:1\n", ':1: expected "points features labels" on the first line'],
    ["0 4 5\n", ": no rows, only a header"],
  ])("refuses %j", async (content, message) => {
    await expect(readData([file("wrong.xc.txt", content)])).rejects.toThrow(message);
  });
});

const head =
  "@relation 'two words'\n% a comment\n@attribute 'first one' numeric\n@ATTRIBUTE second {no,yes}\n@attribute A {0,1}\n@attribute 'B &' {0,1}\n@data\n";
const names = '<labels><label name="B &amp;"></label><label name="A"/></labels>';

describe("ARFF as Mulan writes it", () => {
  it("sparse and full rows, words, quotes and missing values; labels in the order of attributes", async () => {
    file("mulan.xml", names);
    const { data, notices } = await readData([file("mulan-train.arff", `${head}{0 2.5, 3 1}\n-1,yes,1,0\n{1 yes}\n?,no,1,1\n`)]);
    expect(data.names).toEqual({ items: ["A", "B &"], features: ["first one", "second"] });
    expect([...data.starts]).toEqual([0, 1, 2, 2, 4]);
    expect([...data.items!]).toEqual([1, 0, 0, 1]);
    const rows = data.features.kind === "dense" ? [...data.features.values] : [];
    expect(rows).toEqual([2.5, 0, -1, 1, 0, 1, 0, 0]);
    expect(notices.join()).toMatch("1 value missing, taken as 0");
  });

  it("-C of the relation counts labels, as Meka does", async () => {
    const text = head.replace("two words", "d: -C -2");
    const { data } = await readData([file("meka.arff", `${text}{2 1}\n`)]);
    expect(data.names.items).toEqual(["A", "B &"]);
    expect([...data.items!]).toEqual([0]);
  });

  it("says what is missing", async () => {
    await expect(readData([file("alone.arff", `${head}{2 1}\n`)])).rejects.toThrow(
      /the labels are unknown among the attributes; .*alone\.xml/,
    );
    file("wrong.xml", names);
    await expect(readData([file("wrong.arff", `${head}{2 3 1}\n1,2\n`)])).rejects.toThrow(
      'wrong.arff:8: attribute "A": unexpected value',
    );
    await expect(readData([file("wrong.arff", `${head}1,no\n`)])).rejects.toThrow("wrong.arff:8: expected 4 values, got 2");
  });
});

const shared = sharedFile("data/enron");
describe.skipIf(!existsSync(shared))("enron", () => {
  it("is the same data in both formats", async () => {
    for (const part of ["train", "test"]) {
      const [one, other] = await Promise.all(
        [`enron-${part}.arff.gz`, `enron-${part}.xc.txt.gz`].map((name) => readData([`${shared}/${name}`])),
      );
      expect({ ...one!.data, names: {} }).toEqual({ ...other!.data, names: {} });
      expect(one!.data.names.items!.length).toBe(53);
    }
  });
});
