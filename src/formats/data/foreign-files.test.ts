import { describe, expect, it } from "vitest";
import { refuseForeign } from "./foreign-files.ts";
import { parseData } from "./parse.ts";

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

const ZIP = [0x50, 0x4b, 3, 4, 20, 0];

describe("files that are no data", () => {
  it.each([
    ["all.csv.zip", bytes(ZIP, "all.csv"), "a zip archive", "unzip -p all.csv.zip | tierwise ... -"],
    ["book.xlsx", bytes(ZIP, "[Content_Types].xml"), "an Excel workbook", "save the sheet as CSV"],
    ["book.ods", bytes(ZIP, "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), "an OpenDocument file", "as CSV"],
    ["x.npz", bytes(ZIP, "arr_0.npy"), "an archive of NumPy arrays", "numpy.savetxt"],
    ["x.xls", bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), "an old Excel workbook", "as CSV"],
    ["x.pkl", bytes([0x80, 5, 0x95]), "a pickle of Python", 'pandas.read_pickle("x.pkl")'],
    ["x.npy", bytes([0x93], "NUMPY", [1, 0]), "a NumPy array", 'numpy.load("x.npy")'],
    ["x.h5", bytes([0x89], "HDF\r\n\x1a\n"), "HDF5", "as Parquet"],
    ["x.feather", bytes("FEA1"), "Feather of version 1", "as Parquet"],
    ["x.orc", bytes("ORC", [0, 1]), "ORC", "as Parquet"],
    ["x.avro", bytes("Obj", [1, 4]), "Avro", "as Parquet"],
    ["x.db", bytes("SQLite format 3\0"), "a SQLite database", "sqlite3 -header -csv x.db"],
    ["x.pdf", bytes("%PDF-1.7"), "a PDF file", "as CSV"],
  ])("%s is refused by what it is, in one line", (name, content, what, wayOut) => {
    let message = "";
    try {
      parseData([{ name, content }]);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toMatch(new RegExp(`^${name}: this is ${what}.*, which is not read; [^\n]+$`));
    expect(message).toContain(wayOut);
  });

  it("text that begins with the same letters is data", () => {
    for (const text of ["ORC,label,qid\n1,2,3\n", "PK,label\n", "%PDF,qid\n", ""])
      expect(() => refuseForeign("a.csv", bytes(text))).not.toThrow();
  });
});
