import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { expandPaths } from "./paths.ts";

const root = mkdtempSync(join(tmpdir(), "tierwise-paths-"));
afterAll(() => rmSync(root, { recursive: true }));
const files = ["part-10.csv", "part-2.csv", "part-1.csv", "b[1].csv", "notes.md", ".hidden.csv", "part-1.csv.weight", "sub/x.parquet", "sub/deep/y.csv", "none/readme.md"]; // biome-ignore format: a list
for (const name of files) {
  mkdirSync(join(root, name, ".."), { recursive: true });
  writeFileSync(join(root, name), "");
}
const expanded = (...paths: string[]) =>
  expandPaths(paths.map((path) => (/^(-|sql:)/.test(path) ? path : join(root, path)))).map((path) =>
    path.replace(`${root}/`, ""),
  );

describe("names of data files", () => {
  it.each([
    ["part-*.csv", ["part-1.csv", "part-2.csv", "part-10.csv"]],
    ["part-?.csv", ["part-1.csv", "part-2.csv"]],
    ["part-[12].csv", ["part-1.csv", "part-2.csv"]],
    ["part-[!1].csv", ["part-2.csv"]],
    ["{part-2,sub/x}.*", ["part-2.csv", "sub/x.parquet"]],
    ["**/*.csv", ["b[1].csv", "part-1.csv", "part-2.csv", "part-10.csv", "sub/deep/y.csv"]],
    ["*/*.parquet", ["sub/x.parquet"]],
    ["b[1].csv", ["b[1].csv"]], // a file of that name comes first
    [".h*", [".hidden.csv"]],
  ])("%s is a pattern", (pattern, wanted) => {
    expect(expanded(pattern)).toEqual(wanted);
  });

  it("of a folder are those of its data files, numbers in order", () => {
    expect(expanded("")).toEqual(["b[1].csv", "part-1.csv", "part-2.csv", "part-10.csv"]);
    expect(expanded("sub")).toEqual(["sub/x.parquet"]);
  });

  it("stay what they are otherwise: missing ones, standard input and queries", () => {
    expect(expanded("missing.csv", "-", "sql:select * from '*.csv'")).toEqual(["missing.csv", "-", "sql:select * from '*.csv'"]);
    expect(expandPaths([""])).toEqual([""]);
  });

  it("that match nothing are refused", () => {
    expect(() => expanded("*.tsv")).toThrow("no file matches it as a pattern");
    expect(() => expanded("none")).toThrow("the folder has no data files");
  });
});
