/** Tables as other programs export them, and what becomes of their columns. */
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../test/rows.ts";
import { evaluate } from "../../evaluate.ts";
import { fit } from "../../fit.ts";
import { InputError } from "../../input-error.ts";
import { ndcg } from "../../metrics/index.ts";
import { linear } from "../../models/index.ts";
import { rank } from "../../rank.ts";
import type { ColumnEncoding } from "../../types.ts";
import { parseModel, serializeModel } from "../models/native.ts";
import type { DatasetReaderOptions } from "./dataset-reader.ts";
import { parseData } from "./parse.ts";

const read = (content: string, options: Partial<DatasetReaderOptions> = {}, name = "a.csv") =>
  parseData([{ name, content }], options);

/** Features by name. */
function featuresOf(content: string, options: Partial<DatasetReaderOptions> = {}, name?: string): Record<string, number[]> {
  const { data } = read(content, options, name);
  const rows = rowsOf(data.features);
  return Object.fromEntries(data.names.features!.map((feature, c) => [feature, rows.map((row) => row[c]!)]));
}

const roles = { qid: "q", label: "y" };
const { NaN: gone } = Number;

describe("exports of other programs", () => {
  it("pandas: an index without a name, True and False, NaN", () => {
    expect(featuresOf(",q,y,on,x\n0,a,1,True,0.5\n1,a,0,False,\n2,b,1,True,3.0\n", roles)).toEqual({
      on: [1, 0, 1],
      x: [0.5, gone, 3],
    });
  });
  it.each([
    ["ja", "nein"],
    ["Oui", "Non"],
    ["sí", "no"],
    ["si", "no"],
    ["sim", "não"],
    ["WAHR", "FALSCH"],
  ])("%s and %s are yes and no", (yes, no) => {
    expect(featuresOf(`q,y,on\na,1,${yes}\na,0,${no}\na,2,\n`, roles)).toEqual({ on: [1, 0, gone] });
  });
  it("spreadsheets: errors are missing values, and rows without any value are left out", () => {
    const text = "q;y;x;\r\na;1;2,5;\r\na;0;#NV;\r\nb;1;#DIV/0!;\r\n;;;\r\n;;;\r\n";
    for (const options of [roles, { ...roles, columns: true }]) {
      expect(featuresOf(text, options)).toEqual({ x: [2.5, gone, gone] });
      expect(read(text, options).notices).toContain("a.csv: 2 rows without any value left out");
    }
    expect(featuresOf("q,y,d\na,1,2024-01-02\na,0,NaT\nb,0,0000-00-00\n", roles)).toEqual({ d: [0, gone, gone] });
  });
  it("ids that a spreadsheet has rounded get a notice", () => {
    const notices = (id: string) => read(`q;y;id;x\na;1;${id};1\n`, roles).notices.join();
    for (const id of ["1.23457E+18", "1,23457E+18"])
      expect(notices(id)).toContain(`names of items such as ${id} are long numbers of which a program kept the first digits`);
    for (const id of ["1e18", "12345", "1.5", "a1.2e+3"]) expect(notices(id)).not.toContain("names of");
    expect(read("q,y,x\n1.5e+17,1,1\n", roles).notices.join()).toContain("names of lists such as 1.5e+17");
  });
  it("R: row names without a cell in the header, NA, TRUE and FALSE; csv2 with decimal commas", () => {
    const text = '"q" "y" "on" "x"\n"1" "a" 1 TRUE 0.5\n"2" "a" 0 FALSE NA\n';
    for (const separator of ["space", "auto"])
      expect(featuresOf(text, { ...roles, separator })).toEqual({ on: [1, 0], x: [0.5, gone] });
    expect(featuresOf(text, roles, "a.txt")).toEqual({ on: [1, 0], x: [0.5, gone] });
    expect(featuresOf('"";"q";"y";"x"\n"1";"a";1;0,5\n"2";"a";0;-1,25\n', roles)).toEqual({ x: [0.5, -1.25] });
  });
  it("R: quotes after a backslash, and words without quotes", () => {
    const text =
      '"q" "y" "x" "t"\n"1" "a" 1 0.5 "the \\"best\\" one"\n"2" "a" 0 NA "6\\" wide"\n"3" "b" 1 2 "6\\" wide"\n"4" "b" 0 3 "the \\"best\\" one"\n';
    for (const name of ["a.csv", "a.txt"]) {
      expect(featuresOf(text, roles, name)).toEqual({ x: [0.5, gone, 2, 3], 't=6" wide': [0, 1, 1, 0], 't=the "best" one': [1, 0, 0, 1] }); // biome-ignore format: features
      expect(featuresOf("q y x day\n1 a 1 0.5 2024-08-13\n2 a 0 NA 2024-08-14\n", roles, name)).toEqual({ x: [0.5, gone], day: [0, 1] }); // biome-ignore format: features
    }
  });
  it.each([" ", "\t", ",", ";", "|"])(
    "R: quotes after a backslash between %j, also an odd number of them and beside newlines",
    (mark) => {
      const rows = ['"q" "y" "x" "t"', '"1" "a" 1 0.5 "6\\" wide"', '"2" "a" 0 NA "not"', '"3" "b" 1 2 "say \\"hi\nyou\\"_there"', '"4" "b" 0 3 "6\\" wide"', '"5" "b" 0 4 "say \\"hi\nyou\\"_there"', '"6" "b" 0 5 "not"']; // biome-ignore format: rows
      const wanted = { x: [0.5, gone, 2, 3, 4, 5], 't=6" wide': [1, 0, 0, 1, 0, 0], "t=not": [0, 1, 0, 0, 0, 1], 't=say "hi\nyou"_there': [0, 0, 1, 0, 1, 0] }; // biome-ignore format: features
      const text = (some: readonly string[]) => `${some.join("\n")}\n`.replace(/ (?!wide|\\)/g, mark).replaceAll("say\t", "say ").replace(/say[,;|]/g, "say "); // biome-ignore format: one chain
      expect(featuresOf(text(rows), roles)).toEqual(wanted);
      expect(featuresOf(text(rows).replaceAll("\n", "\r\n").replaceAll("hi\r", "hi"), roles)).toEqual(wanted);
      // One quote in the whole file, which stays open for those who do not know the backslash.
      expect(featuresOf(text([rows[0]!, rows[2]!, rows[1]!, ...Array(2).fill(rows[2]!)]), { ...roles, categories: ["t"] })).toMatchObject({ 't=6" wide': [0, 1, 0, 0] }); // biome-ignore format: one claim
    },
  );
  it("a backslash at the end of a quoted text and before a doubled quote is one, and else the error says what R can do", () => {
    const row = (text: string) => `a,1,${text}\n`;
    const names = (...texts: string[]) =>
      Object.keys(featuresOf(`q,y,t\n${[...texts, ...texts].map(row).join("")}`, { ...roles, categories: ["t"] }));
    expect(names('"C:\\dir\\"', '"x"')).toEqual(["t=C:\\dir\\", "t=x"]);
    expect(names('"{""s"": ""a\\""b"", ""n"": 1}"', '"x\\"","')).toEqual(['t=x\\",', 't={"s": "a\\"b", "n": 1}']);
    expect(() => names('"C:\\dir\\"', '"say \\"hi\\""')).toThrow(
      /a\.csv:4: a quote opens here and is not closed; if R wrote this, write\.table\(qmethod = "double"\) writes/,
    );
  });
  it("Excel: a byte order mark, sep=, semicolons, decimal commas, dates with dots", () => {
    const text = "\uFEFFsep=;\r\nq;y;x;day\r\na;1;0,5;1.3.2024\r\na;0;2;3.3.2024 12:00\r\n";
    expect(featuresOf(text, roles)).toEqual({ x: [0.5, 2], day: [0, 2.5] });
    const wide = Buffer.from(text, "utf16le");
    expect(rowsOf(parseData([{ name: "a.csv", content: wide }], roles).data.features)).toEqual([[0.5, 0], [2, 2.5]]); // biome-ignore format: rows
  });
  it("Excel in other languages: words for true and false", () => {
    expect(featuresOf("q;y;x\na;1;WAHR\na;0;FALSCH\n", roles)).toEqual({ x: [1, 0] });
    expect(featuresOf("q;y;x\na;1;VRAI\na;0;FAUX\n", roles)).toEqual({ x: [1, 0] });
  });
  it("races: those who did not finish are left out, and others keep their places", () => {
    const text = "race,driver,place\na,x,1\na,y,DNF\na,z,2\nb,x,2\nb,z,1\nb,y,3\n";
    const own = { qid: "race", id: "driver", label: "place", lowerIsBetter: true, ballots: "never" } as const;
    expect(() => read(text, own)).toThrow(
      'a.csv:3: column "place": expected a finite number, got "DNF"; --label-last DNF puts such rows below all others of their list, and --label-missing DNF leaves such rows out',
    );
    const { data, notices } = read(text, { ...own, missingValues: ["DNF"], tiers: "ratings" });
    expect([[...data.starts], [...data.labels]]).toEqual([[0, 2, 5], [1, 0, 1, 2, 0]]); // biome-ignore format: columns
    expect(notices.join()).not.toMatch(/lost digits/);
  });
  it("PostgreSQL: t and f, \\N, times with a zone, no header", () => {
    const text = "1\ta\tt\t\\N\t2024-01-02 03:00:00+03\n0\ta\tf\t2.5\t2024-01-02 12:00:00.5+00\n";
    expect(featuresOf(text, { qid: "1", header: false }, "a.tsv")).toEqual({ "2": [1, 0], "3": [gone, 2.5], "4": [0, Math.fround(43_200.5 / 86_400)] }); // biome-ignore format: features
  });
  it("PostgreSQL: backslashes of COPY, where a missing value or the last line shows that it is one", () => {
    const text = "a\t1\tback\\\\slash\na\t0\ttab\\ttab\nb\t1\tback\\\\slash\nb\t0\ttab\\ttab\n";
    const names = (content: string) => Object.keys(featuresOf(content, { qid: "0", label: "1", header: false }, "a.tsv"));
    expect(names(`${text}\\.\n`)).toEqual(["2=back\\slash", "2=tab\ttab"]);
    expect(names(`${text}b\t0\t\\N\n`)).toEqual(["2=back\\slash", "2=tab\ttab"]);
    expect(names(text)).toEqual(["2=back\\\\slash", "2=tab\\ttab"]);
  });
  it("Excel: rows without a filled cell are skipped, unless a side file counts them", () => {
    expect(featuresOf("q;y;x;;\na;1;2;;\n;;;;\na;0;3;;\n;;;;\n; ;;;\n", roles)).toEqual({ x: [2, 3] });
    expect(featuresOf("q;y;x;c\na;1;2;r\na;0;3;s\na;0;4;r\na;0;5;s\n;;;\n", roles)).toMatchObject({ x: [2, 3, 4, 5] });
    expect(() => featuresOf("q;y;x\na;1;2\n;;1\n", roles)).toThrow('a.csv:3: column "y": the label is missing');
  });
  it("PostgreSQL: the end of COPY, and what psql draws around rows", () => {
    expect(featuresOf("a\t1\t0.5\na\t0\t2\n\\.\n", { qid: "0", label: "1", header: false }, "a.tsv")).toEqual({ "2": [0.5, 2] });
    const drawn = " q | y |  x   | on \n---+---+------+----\n a | 1 |  0.5 | t\n a | 0 |      | f\n(2 rows)\n\n";
    expect(featuresOf(drawn, roles)).toEqual({ x: [0.5, gone], on: [1, 0] });
    for (const end of [
      "(2 Zeilen)",
      "(2 lignes)",
      "(2 строки)",
      "(2 行)",
      "(2 rows)\n\nTime: 1.234 ms",
      "(2 Zeilen)\n\nZeit: 61,5 ms (00:01,2)",
    ])
      expect(featuresOf(`Null display is "NULL".\n${drawn.replace("(2 rows)", end)}`, roles, "a.txt")).toEqual({
        x: [0.5, gone],
        on: [1, 0],
      });
    expect(() => featuresOf("q|y|x\na|1|2\n(2 cells)\n", roles)).toThrow("a.csv:3: expected 3 cells as in the header, got 1");
  });
  describe("PostgreSQL: what psql draws", () => {
    const all = { ...roles, categories: ["t"] };
    it("has texts of several lines, quotes and bars, by the places of the columns", () => {
      const text = ' q | y |   t   |  x  \n---+---+-------+-----\n a | 1 | one  +|   1\n   |   | two  +| \n   |   |       | \n a | 0 | 6" w  |   2\n b | 1 | u | v | 2.5\n b | 0 | 6" w  |   2\n b | 0 | 日本  |   3\n c | 0 | 日|日 |   3\n(7 rows)\n\n'; // biome-ignore format: lines
      const found = featuresOf(text, all);
      expect(found).toMatchObject({ x: [1, 2, 2.5, 2, 3, 3], 't=6" w': [0, 1, 0, 1, 0, 0], "t=one\ntwo": [1, 0, 0, 0, 0, 0] });
      expect(found).toMatchObject({ "t=u | v": [0, 0, 1, 0, 0, 0], "t=日本": [0, 0, 0, 0, 1, 0], "t=日|日": [0, 0, 0, 0, 0, 1] });
    });
    it("has a last column that goes on where it is as wide as the rule, and else a text that ends in a plus", () => {
      const text = " q | y |  t   \n---+---+------\n a | 1 | c   +\n   |   | d\n a | 0 | c+\n a | 0 | c++\n(3 rows)\n";
      expect(featuresOf(text, all)).toEqual({ "t=c\nd": [1, 0, 0], "t=c+": [0, 1, 0], "t=c++": [0, 0, 1] });
    });
    it.each([
      [" q | y |  t   | x \n---+---+------+---\n a | 1 | u | w | 2\n", /^a.csv:3: a text has a bar, and the columns do not stand .*; psql --csv/],
      [" q | y |  t   | x \n---+---+------+---\n a | 1 | one +| 2\n b | 1 | two  | 2\n", /^a.csv:3: the text before goes on here .*; psql --csv/],
      [" q | y |  t   | x \n---+---+------+---\n a | 1 | one +| 2\n", /^a.csv:3: the text goes on after its last line .*; psql --csv/],
      [" q | y |  t   | x \n---+---+------+---\n a | 1 | one .| 2\n", /^a.csv:3: psql wrapped a text here .*; psql --csv/],
      [" q | y |  t   | x \n---+---+------+---\n a | 1 | one  \n", /^a.csv:3: expected 4 cells as in the header, got 3/],
    ])("is refused in one line where its columns are not clear: %j", (text, error) => {
      expect(() => featuresOf(text, all)).toThrow(error);
    }); // biome-ignore format: table
  });
  it("spreadsheets: thousands in groups", () => {
    expect(featuresOf("q;y;x\na;1;1.234,50\na;0;7,25\n", roles)).toEqual({ x: [1234.5, 7.25] });
    expect(featuresOf('q,y,x\na,1,"-1,234,567.5"\na,0,7.25\n', roles)).toEqual({ x: [-1234567.5, 7.25] });
    expect(featuresOf("q;y;x\na;1;1.234.50\na;0;7\na;0;1.2,50\n", roles)).not.toHaveProperty("x"); // words
  });
  it("BigQuery: true and false, times with UTC", () => {
    const text = "q,y,on,at\na,1,true,2024-01-02 03:00:00 UTC\na,0,false,2024-01-03 03:00:00 UTC\na,0,,\n";
    expect(featuresOf(text, roles)).toEqual({ on: [1, 0, gone], at: [0.125, 1.125, gone] });
  });
});

describe("columns of tables", () => {
  it("other separators, comments, and numbers that stand for missing values", () => {
    expect(featuresOf("# of today\nq|y|x\na|1|5\n# a remark\na|0|-999\n", { ...roles, missingValues: ["-999"] })).toEqual({
      x: [5, gone],
    });
    expect(featuresOf("q:y:x\na:1:5\na:0:6\n", { ...roles, separator: ":" })).toEqual({ x: [5, 6] });
  });
  it("words that are not UTF-8 are read as Windows-1252, and said to be", () => {
    const bytes = Buffer.from("q,y,x\na,1,caf\u00e9\na,0,caf\u00e0\nb,1,caf\u00e9\nb,0,caf\u00e0\n", "latin1");
    const { data, notices } = parseData([{ name: "a.csv", content: bytes }], roles);
    expect(data.names.features).toEqual(["x=caf\u00e0", "x=caf\u00e9"]);
    expect(notices.join()).toMatch(/is not UTF-8 and is read as Windows-1252/);
    const marked = read("q,y,x\na,1,\ufffd\na,0,b\nb,1,\ufffd\nb,0,b\n", roles); // which UTF-8 has too
    expect([marked.data.names.features, marked.notices.join().includes("Windows")]).toEqual([["x=b", "x=\ufffd"], false]);
  });
  it("Windows-1252 has letters and signs where Latin-1 has control characters", () => {
    const bytes = Buffer.from(
      "q;y;Preis (\x80);x\na;1;2,5;\x84f\xfcnf\x93\na;0;3,5;\x81\nb;1;2;\x84f\xfcnf\x93\nb;0;3;\x81\n",
      "latin1",
    );
    const { data } = parseData([{ name: "a.csv", content: bytes }], roles);
    expect(data.names.features).toEqual(["Preis (€)", "x=\x81", "x=„fünf“"]); // 0x81 is unassigned
  });
  it("UTF-32 with a byte order mark", () => {
    const text = "\ufeffq,y,x\na,1,😀\na,0,b\nb,1,😀\nb,0,b\n";
    for (const isLittle of [true, false]) {
      const content = new Uint8Array(4 * [...text].length);
      const view = new DataView(content.buffer);
      for (const [i, letter] of [...text].entries()) view.setUint32(4 * i, letter.codePointAt(0)!, isLittle);
      expect(parseData([{ name: "a.csv", content }], roles).data.names.features).toEqual(["x=b", "x=😀"]);
    }
  });
  it("the document may be called doc", () => {
    expect(read("q,doc,y,x\na,d1,1,0.5\na,d2,0,2\n", roles).data.names.entries).toEqual(["d1", "d2"]);
  });
  it("numbers that may be times since 1970 are said to be, where they lose digits", () => {
    const noticesOf = (first: number) => read(`q,y,x\na,1,${first}\na,0,${first + 7}\n`, roles).notices.join();
    expect(noticesOf(1_700_000_001)).toMatch(/name it with --date-columns$/);
    expect(noticesOf(100_000_001)).toMatch(/such as the smallest value$/);
  });
  it("dates as numbers since 1970 are dates where they are named", () => {
    const text = (unit: number) => `q,y,t\na,1,${1_700_000_000 * unit}\na,0,${1_700_043_200 * unit}\n`;
    const day = (1_700_000_000 % 86_400) / 86_400;
    for (const unit of [1, 1e3, 1e6, 1e9])
      expect(featuresOf(text(unit), { ...roles, dateColumns: ["t"] }).t).toEqual([Math.fround(day), Math.fround(day + 0.5)]);
    expect(() => featuresOf("q,y,t\na,1,soon\na,0,2024-01-01\n", { ...roles, dateColumns: ["t"] })).toThrow(
      'a.csv:2: column "t": expected a date such as 2024-03-01 or 2024-03-01T17:05:09Z, got "soon"',
    );
  });
  it("one cell in ten of a column of dates may be something else, and is told with its line", () => {
    const rows = (odd: readonly string[]) =>
      Array.from({ length: 20 }, (_, i) => `a,${i % 2},${odd[i] ?? `2024-01-${10 + i}`}`).join("\n");
    for (const odd of ["unknown", "2024-02-31"]) {
      const { data, notices } = read(`q,y,day\n${rows([odd])}\n`, roles);
      expect(rowsOf(data.features).slice(0, 3)).toEqual([[gone], [0], [1]]);
      expect(notices).toContain(
        `column "day": dates, as days since 2024-01-11 UTC; 1 cell with other text ("${odd}") read as missing values, the first at a.csv:2`,
      );
    }
    expect(read(`q,y,day\n${rows(["a", "b", "c"])}\n`, roles).notices.join()).toContain('column "day" is left out');
  });
  it("dates with slashes may have such a cell too, and without an order they are left out all the same", () => {
    const read20 = (first: number, options = {}) => {
      const days = Array.from({ length: 20 }, (_, i) => `a,${i % 2},${i === 0 ? "unknown" : `${first + (i % 9)}/4/2024`}`).join(
        "\n",
      );
      return read(`q,y,day\n${days}\n`, { ...roles, ...options });
    };
    const { data, notices } = read20(10);
    expect(rowsOf(data.features).slice(0, 3)).toEqual([[gone], [1], [2]]);
    expect(notices).toContain(
      'column "day": dates, as days since 2024-04-10 UTC, day first; 1 cell with other text ("unknown") read as missing values, the first at a.csv:2',
    );
    expect(read20(1).notices.join()).toContain(
      'column "day" is left out: in dates such as "2/4/2024" the day or the month may come first',
    );
  });
  it("numbers are categories where they are named, and text of any number of values", () => {
    expect(featuresOf("q,y,z\na,1,7\na,0,07\na,0,8.0\n", { ...roles, categories: ["z"] })).toEqual({
      "z=7": [1, 1, 0],
      "z=8": [0, 0, 1],
    });
    expect(() => read("q,y,z\na,1,7\n", { ...roles, categories: ["zip"] })).toThrow('no column is called "zip" (--categories)');
  });
  it("says everything that was decided at once", () => {
    const rows = Array.from({ length: 20 }, (_, i) => `a,${i % 2},${i % 3 ? "red" : "blue"},${i === 7 ? "tba" : i},title ${i},2024-01-${10 + i},${i % 2 ? "yes" : "no"}`); // biome-ignore format: a row
    const { notices } = read(`q,y,color,price,title,day,on\n${rows.join("\n")}\n`, roles);
    expect(notices.slice(1)).toEqual([
      'column "color": 2 categories (blue, red)',
      'column "price": numbers, and 1 cell with other text ("tba") read as missing values (--categories price makes it a category)',
      'column "title" is left out: 20 different texts in 20 cells; --categories title makes it a category',
      'column "day": dates, as days since 2024-01-10 UTC',
      'column "on": booleans, 1 and 0',
    ]);
  });
  it("shows six categories and counts the others", () => {
    const notice = (count: number) =>
      read(`q,y,c\n${Array.from({ length: 30 }, (_, i) => `a,${i % 2},${"abcdefgh"[i % count]}\n`).join("")}`, roles).notices[1];
    expect(notice(6)).toBe('column "c": 6 categories (a, b, c, d, e, f)');
    expect(notice(8)).toBe('column "c": 8 categories (a, b, c, d, e, f and 2 more)');
  });
  it("one text beside missing cells is a category; one in all rows is left out, and so is one in a single row", () => {
    expect(featuresOf("q,y,promo\na,1,x\na,0,\nb,1,\nb,0,x\n", roles)).toEqual({ "promo=x": [1, 0, 0, 1] });
    expect(read("q,y,z,promo\na,1,1,x\na,0,2,x\n", roles).notices).toContain(
      'column "promo" is left out: the same text in all rows',
    );
    expect(read("q,y,z,promo\na,1,1,x\na,0,2,\n", roles).notices).toContain(
      'column "promo" is left out: one cell with text; --categories promo makes it a category',
    );
  });
  it("labels may be words for truth values, and nothing else", () => {
    expect([...read("q,y,x\na,true,1\na,false,2\n", roles).data.labels]).toEqual([1, 0]);
    expect(() => read("q,y,x\na,1,1\na,high,2\n", roles)).toThrow('a.csv:3: column "y": expected a finite number, got "high"');
  });
  it("two files are decided together", () => {
    const { data } = parseData([{ name: "a.csv", content: "q,y,c\na,1,red\na,0,red\n" }, { name: "b.csv", content: "c,q,y\nblue,a,1\nblue,a,0\n" }], roles); // biome-ignore format: files
    expect(data.names.features).toEqual(["c=blue", "c=red"]);
    expect(rowsOf(data.features)).toEqual([[0, 1], [0, 1], [1, 0], [1, 0]]); // biome-ignore format: rows
  });
});

describe("the encoding of a model", () => {
  const text =
    "q,y,color,on,day,x\na,2,red,yes,2024-01-01,1\na,0,blue,no,2024-01-03,2\nb,1,red,yes,2024-01-05,4\nb,0,blue,no,2024-01-02,3\nb,2,red,no,,3\n";
  const { data } = read(text, roles);
  const { model, training } = fit(data, { model: linear({ l2: 1 }) });
  const file = serializeModel({ model, training, metrics: {} });
  const again = parseModel(file).model;

  it("is in the model file and survives it", () => {
    expect(again.columns).toEqual(model.columns);
    expect(again.columns.encoding).toEqual([
      { name: "color", kind: "category", categories: ["blue", "red"] },
      { name: "on", kind: "boolean" },
      { name: "day", kind: "date", origin: 1_704_067_200 },
      { name: "x", kind: "number" },
    ]);
    expect(() => parseModel(file.replace('"kind": "boolean"', '"kind": "bool"'))).toThrow(InputError);
    expect(() => parseModel(file.replace('"name": "on"', '"name": "off"'))).toThrow(
      "columns that make the features of the model",
    );
  });

  it("reads other data: unknown categories are none, words among numbers an error, columns in any order", () => {
    const scorer = { encoding: again.columns.encoding! };
    const other = read("x,day,on,color,q\n1,2024-02-01,t,mauve,z\n2,,f,red,z\n", { qid: "q", labels: "optional", scorer });
    expect(other.data.names.features).toEqual(model.columns.names);
    expect(rowsOf(other.data.features)).toEqual([[0, 0, 1, 31, 1], [0, 1, 0, gone, 2]]); // biome-ignore format: rows
    expect(other.notices).toContain(
      'a.csv: column "color": 1 cell ("mauve") of categories that the model does not know, read as none of them',
    );
    const strange = (words: readonly string[]) =>
      read(`x,day,on,color,q\n${words.map((word) => `1,2024-02-01,t,${word},z\n`).join("")}`, {
        qid: "q",
        labels: "optional",
        scorer,
      });
    for (const [words, cells] of [
      [["mauve", "pink", "teal"], '3 cells ("mauve", "pink", "teal")'],
      [["mauve", "pink", "teal", "gold"], '4 cells ("mauve", "pink", "teal", ...)'],
      [["mauve", "pink", "mauve"], '3 cells ("mauve", "pink", ...)'],
    ] as const)
      expect(strange(words).notices).toContain(
        `a.csv: column "color": ${cells} of categories that the model does not know, read as none of them`,
      );
    expect(() => read("q,color,on,day,x\na,red,t,,tall\n", { qid: "q", labels: "optional", scorer })).toThrow(
      'a.csv:2: column "x": expected a finite number, got "tall"; the column has numbers in the training data',
    );
    expect(() => read("q,color,on,x\na,red,t,1\n", { qid: "q", labels: "optional", scorer })).toThrow(
      'the model needs the column "day"',
    );
    expect(evaluate(again, read(text, { ...roles, scorer }).data, [ndcg()])).toEqual(evaluate(model, data, [ndcg()]));
  });

  it("reads words for truth values as 1 and 0 where the model has numbers", () => {
    const scorer = { encoding: [{ name: "on", kind: "number" } as const] };
    const scored = (cells: readonly string[]) =>
      read(`q,on\n${cells.map((cell) => `a,${cell}\n`).join("")}`, { qid: "q", labels: "optional", scorer });
    const { data, notices } = scored(["True", "False", "", "1"]);
    expect(rowsOf(data.features)).toEqual([[1], [0], [gone], [1]]);
    expect(notices).toContain('a.csv: column "on": booleans, read as 1 and 0');
    expect(() => scored(["True", "no"])).toThrow('a.csv:2: column "on": expected a finite number, got "True"'); // of two pairs
    expect(() => scored(["True", "7"])).toThrow('expected a finite number, got "True"');
  });

  describe("meets other numbers than those that it was made from", () => {
    const scored = (column: ColumnEncoding, cells: readonly string[], separator = ";") => {
      const rows = cells.map((cell) => `a${separator}${cell}\n`).join("");
      return read(`q${separator}v\n${rows}`, { qid: "q", labels: "optional", scorer: { encoding: [column] } });
    };
    const valuesOf = (...given: Parameters<typeof scored>) => rowsOf(scored(...given).data.features).map(([value]) => value);
    const day: ColumnEncoding = { name: "v", kind: "date", origin: 1_704_067_200 };

    it("numbers among dates are times since 1970, and the days are told", () => {
      expect(valuesOf(day, ["2024-01-02", "1704240000", "1704326400000"])).toEqual([1, 2, 3]);
      expect(scored(day, ["2024-01-02", "1704240000", "1704326400000"]).notices).toContain(
        'a.csv: column "v": 2 numbers read as times since 1970, from 2024-01-03 to 2024-01-04',
      );
      expect(scored(day, ["2024-01-02"]).notices.join()).not.toContain("1970");
    });

    it.each(["45296", "20240105", "0"])("%s in a column of dates of 2024 is an error that tells the year", (serial) => {
      expect(() => scored(day, ["2024-01-02", serial])).toThrow(
        new RegExp(
          `^a.csv:3: column "v": the number ${serial} is 1970-\\d\\d-\\d\\d as a time since 1970, and the dates of the training data begin on 2024-01-01; write`,
        ),
      );
      expect(valuesOf(day, ["2024-01-02", ""])).toEqual([1, gone]);
    });

    it("decimal points count where other cells of the column show them, whatever the training data had", () => {
      const comma: ColumnEncoding = { name: "v", kind: "number", decimal: "," };
      expect(valuesOf(comma, ["1.5", "3.125"], ",")).toEqual([1.5, 3.125]);
      expect(scored(comma, ["1.5", "3.125"], ",").notices).toContain(
        'column "v": decimal points, where the training data has decimal commas, so "3.125" is read as 3.125',
      );
      expect(valuesOf(comma, ["3.125", "2.250"], ",")).toEqual([3125, 2250]);
      expect(valuesOf({ ...comma, decimal: "." }, ["1,5", "3,125"])).toEqual([1.5, 3.125]);
      expect(scored({ ...comma, decimal: "." }, ["1,5", "3,125"]).notices).toContain(
        'column "v": decimal commas, where the training data has decimal points, so "3,125" is read as 3.125',
      );
    });

    it("numbers with a sign of percent or currency that others lack are told", () => {
      const bare = scored({ name: "v", kind: "number", unit: "%" }, ["0.05", "0.07"]);
      expect(bare.notices).toContain(
        'column "v": numbers without %, which those of the training data have: 0.05 is read as 0.05 %',
      );
      expect(scored({ name: "v", kind: "number", unit: "%" }, ["5 %", "0.07"]).notices.join()).toContain(
        "0.07 is read as 0.07 %",
      );
      expect(scored({ name: "v", kind: "number", unit: "%" }, ["5 %", "7 %"]).notices.join()).not.toContain("without %");
      expect(scored({ name: "v", kind: "number", decimal: "." }, ["5 %", "7 %"]).notices).toContain(
        'column "v": numbers with %, which those of the training data lack: 1 % is read as 1',
      );
    });
  });

  it("is refused for data that were read without it", () => {
    const others = read(
      "q,y,color,on,day,x\na,2,red,yes,2024-01-02,1\na,0,green,no,2024-01-03,2\na,0,red,no,,2\na,0,green,no,,2\n",
      roles,
    ).data;
    expect(() => evaluate(model, others, [ndcg()])).toThrow("scorer: { encoding: model.columns.encoding }");
  });

  it("ranks objects with the columns of the table", () => {
    const items = [{ color: "blue", on: false, day: "2024-01-03", x: 2 }, { color: "red", on: "yes", day: new Date("2024-01-01"), x: 1 }, { color: "mauve", on: null, day: null, x: null }]; // biome-ignore format: items
    expect(rank(again, items).map(({ item }) => item.color)).toHaveLength(3);
    const scores = new Map(rank(again, items).map(({ item, score }) => [item.color, score]));
    const own = new Float64Array(5);
    model.score(data, own);
    expect(scores.get("red")).toBe(own[0]);
    expect(scores.get("blue")).toBe(own[1]);
    expect(() => rank(again, [{ color: "red", on: "perhaps", day: null, x: 1 }])).toThrow(
      'feature "on": expected a boolean, got "perhaps"',
    );
    expect(() => rank(again, [{ color: "red", on: true, x: 1 }])).toThrow('item 1 lacks the feature "day"');
  });
});

describe("opinions", () => {
  const races = "race,driver,position\nm,ann,1\nm,ben,2\nm,cleo,2\ns,ben,1\ns,ann,3\n";
  const how = { qid: "race", id: "driver", label: "position" };

  it("become ballots where there are no features, with lower labels first", () => {
    const { data } = read(races, { ...how, lowerIsBetter: true });
    expect(data.names.items).toEqual(["ann", "ben", "cleo"]);
    const tiers = (q: number) => [...data.labels.subarray(data.starts[q], data.starts[q + 1])].map((label, i) => `${data.names.items![data.items![data.starts[q]! + i]!]} ${label}`); // biome-ignore format: one line
    expect(tiers(0).sort()).toEqual(["ann 1", "ben 0", "cleo 0"]);
    expect(tiers(1).sort()).toEqual(["ann 0", "ben 1"]);
    expect(read(races, { ...how, ballots: "never" }).data.items).toBeUndefined();
    expect(() => read(`${races}s,ann,2\n`, how)).toThrow(
      "list s has the item ann twice with different labels, and a ballot has an item once; if several people judged, name their column too (--list race,judge), or add --duplicates first, last or mean",
    );
    expect(read(`${races}s,ann,3\n`, how).data).toEqual(read(races, how).data);
    expect(read(`${races}s,ann,3\n`, how).notices).toContain(
      "a.csv: 1 row repeats an item of a list (with the same label), left out; if several people judged, name their column too (--list race,judge)",
    );
    const doubled = (duplicates: "first" | "last" | "mean", place: number) =>
      expect(read(`${races}s,ann,0\n`, { ...how, duplicates }).data).toEqual(
        read(races.replace("s,ann,3", `s,ann,${place}`), how).data,
      );
    doubled("first", 3);
    doubled("last", 0);
    doubled("mean", 1.5);
    expect(() => read("race,position,x\nm,1,2\n", { qid: "race", label: "position", ballots: "always" })).toThrow("--item NAME");
  });

  it("equal ballots are merged in training, and keep the names of their lists where they are scored", () => {
    const text = "user,item,stars\nann,a,2\nann,b,1\nben,b,1\nben,a,5\ncleo,b,3\ncleo,a,1\n";
    const given = { qid: "user", id: "item", label: "stars" };
    const merged = read(text, given).data;
    expect([merged.starts.length - 1, [...merged.listWeights!], merged.names.lists]).toEqual([2, [2, 1], undefined]);
    const apart = read(text, { ...given, scorer: {} }).data;
    expect([apart.starts.length - 1, apart.listWeights, apart.names.lists]).toEqual([3, undefined, ["ann", "ben", "cleo"]]);
    expect(read(text.replace("ben,a,5", "ben,a,1"), given).data.names.lists).toEqual(["ann", "ben", "cleo"]);
  });

  it("lists to be ranked may have a single item and no labels, and get none", () => {
    const { data } = read("user,item\nann,a\nben,b\nben,a\n", { qid: "user", id: "item", labels: "optional", scorer: {} });
    expect([data.unlabelled, data.names.lists, [...data.starts]]).toEqual([true, ["ann", "ben"], [0, 1, 3]]);
    const some = read("user,item,x\nann,a,1\n", { qid: "user", id: "item", labels: "optional" }).data;
    expect([some.unlabelled, read("user,y,x\nann,1,1\n", { qid: "user", label: "y" }).data.unlabelled]).toEqual([
      true,
      undefined,
    ]);
  });

  it("labels turn round by list", () => {
    expect([...read(races, { ...how, lowerIsBetter: true, ballots: "never" }).data.labels]).toEqual([1, 0, 0, 2, 0]);
  });

  it("a label that has the name of a place tells which end is taken as the best, until the user says so", () => {
    const told = (more: object) => read(races, { ...how, ballots: "never", ...more }).notices.filter((line) => /best/.test(line));
    expect(told({})).toEqual([
      'label "position": the highest number is taken as the best; if 1 is the best, add --lower-is-better (--higher-is-better confirms the highest)',
    ]);
    expect([told({ lowerIsBetter: true }), told({ higherIsBetter: true }), told({ labels: "optional" })]).toEqual([[], [], []]);
    const timed = (label: string, times: string) =>
      read(`qid,${label},x\n${times.split(" ").map((time, i) => `q,${time},${i}\n`).join("")}`, { label }).notices.filter((line) => /best/.test(line)); // biome-ignore format: one line
    expect(timed("lap_time", "83.2 84.1")).toEqual([
      'label "lap_time": the highest number is taken as the best; if the lowest is the best, add --lower-is-better (--higher-is-better confirms the highest)',
    ]);
    expect(timed("lap_time", "1:23.2 1:24.1")).toHaveLength(1); // the notice of durations says it
    expect(timed("dwell_time", "83.2 84.1")).toEqual([]);
  });

  it("labels that are words take the order that is given, or that of tier lists", () => {
    const table = (words: string) => `qid,label,x\n${words.split(" ").map((word, i) => `q,${word},${i}`).join("\n")}\n`; // biome-ignore format: rows
    const labels = (words: string, more: object = {}) => [...read(table(words), more).data.labels];
    expect(labels("A S F B")).toEqual([5, 6, 0, 4]);
    expect(labels("ok good 1.0 bad", { labelOrder: ["good", "ok", "1", "bad"] })).toEqual([2, 3, 1, 0]);
    expect(() => labels("ok good bad")).toThrow(
      /:2: column "label": expected a finite number, got "ok"; .* --label-order good,ok,bad$/,
    );
    expect(() => labels("1 2 3 =4 5 6")).toThrow(
      /got "=4"; .* --label-order BEST,...,WORST \(the labels are "1", "2", "3", "=4", "5", "6"\)$/,
    );
    const { notices } = read(table("ok good"), { labelOrder: ["good", "ok"] });
    expect(notices).toContain('a.csv: label "label": "good" is the best label, "ok" the worst');
    const scorer = { encoding: [{ name: "x", kind: "number" as const }] };
    expect(read(table("ok good"), { labelOrder: ["good", "ok"], scorer }).notices.join()).not.toContain("the best label");
    expect(() => labels("1 2 3 DNF 5 6 7 DSQ")).toThrow(
      "--label-last DNF,DSQ puts such rows below all others of their list, and --label-missing DNF,DSQ leaves such rows out",
    );
    expect(() => labels("A S", { lowerIsBetter: true })).toThrow("the labels are letters, S the best");
    expect(() => labels("A S", { labelOrder: ["S", "A"], lowerIsBetter: true })).toThrow(
      "--label-order has the best label first",
    );
    expect(() => labels("A S", { labelOrder: ["S", "A", "S"] })).toThrow('--label-order names "S" twice');
    const files = [{ name: "a.csv", content: table("A S") }, { name: "b.csv", content: table("1 2") }]; // biome-ignore format: files
    expect(() => parseData(files)).toThrow("b.csv: its labels are numbers, but those of a.csv are words");
  });

  it("kinds of the columns of a table of items follow from its rows, in which an item is once", () => {
    const users = Array.from({ length: 8 }, (_, u) => ["a", "b", "c", "d"].map((item, i) => `u${u},${item},${(u + i) % 3}\n`).join("")); // biome-ignore format: rows
    const items = "item,title,genre,year\na,Up,x,2001\nb,Heat,y,2002\nc,Alien,x,2003\nd,Brazil,y,2004\n";
    const files = [
      { name: "r.csv", content: `user,item,stars\n${users.join("")}` },
      { name: "i.csv", content: items },
    ];
    const { data, notices } = parseData(files, { qid: "user", id: "item", label: "stars", items: "i.csv" });
    expect(data.names.features).toEqual(["genre=x", "genre=y", "year"]);
    expect(notices).toContain('column "title" is left out: 4 different texts in 4 cells; --categories title makes it a category');
  });

  it("keys are equal as whole numbers too, and none that is found is an error with both keys", () => {
    const files = (items: string, keys = ["1.0", "2.0", "01"]) => [
      { name: "r.csv", content: `user,item,stars\n${keys.map((key, i) => `u,${key},${i}\n`).join("")}` },
      { name: "i.csv", content: items },
    ];
    const how = { qid: "user", id: "item", label: "stars", items: "i.csv" };
    const { data, notices } = parseData(files("item,size\n1,10\n2,20\n"), how);
    expect(rowsOf(data.features)).toEqual([[10], [20], [gone]]);
    expect(notices).toContain('r.csv: items are found in i.csv as numbers: "1.0" is taken as "1" there');
    expect(notices).toContain('r.csv: 1 item not in i.csv, such as "01": their features are missing');
    expect(rowsOf(parseData(files("item,size\n1.0,10\n1.00,11\n2.0,20\n"), how).data.features)).toEqual([[10], [20], [gone]]);
    expect(() => parseData(files("name,number,size\nn1,1,10\nn2,01,20\n"), how)).toThrow(
      'i.csv: no item of r.csv is in it: the column "item" there has values such as "1.0", and "name", by which rows are found here, such as "n1"; its column "number" does; call it "item", or put it first',
    );
    expect(() => parseData(files("name,size\nn1,10\n"), how)).toThrow("check that both hold the same names");
  });

  it("rows of a table that repeat an item of their list are counted, and left out if an option says so", () => {
    const table = "q,i,y,x\na,s,1,5\na,t,0,6\na,s,3,7\nb,s,1,8\nb,t,2,9\n";
    const rows = (duplicates: "refuse" | "first" | "last" | "mean") => {
      const { data, notices } = read(table, { qid: "q", id: "i", label: "y", duplicates });
      return [[...data.labels], rowsOf(data.features).flat(), notices.filter((line) => /repeat/.test(line)).length];
    };
    expect(rows("refuse")).toEqual([[1, 0, 3, 1, 2], [5, 6, 7, 8, 9], 1]);
    expect(rows("first")).toEqual([[1, 0, 1, 2], [5, 6, 8, 9], 1]);
    expect(rows("last")).toEqual([[0, 3, 1, 2], [6, 7, 8, 9], 1]);
    expect(rows("mean")).toEqual([[2, 0, 1, 2], [5, 6, 8, 9], 1]);
    expect(() => read(table, { qid: "q", label: "y", ignore: ["i"], duplicates: "first" })).toThrow(
      "--duplicates needs the column of the item",
    );
  });

  it("what a model ranks may have no column of lists, and is one list then, with a notice", () => {
    const scorer = { remembered: ["qid"], encoding: [{ name: "x", kind: "number" as const }] };
    const how = { labels: "optional", scorer, qid: "user", id: "i" } as const;
    for (const columns of [false, true]) {
      const { data, notices } = read("i,x\na,1\nb,2\n", { ...how, columns });
      expect([...data.starts]).toEqual([0, 2]);
      expect(notices).toContain("a.csv: no column names the list of a row, so all rows are one list");
    }
    expect([...read("user,i,x\nu,a,1\nv,b,2\n", how).data.starts]).toEqual([0, 1, 2]);
    expect(() => read("i,x\na,1\n", { ...how, scorer: { ...scorer, remembered: [] } })).toThrow(
      'no column is called "user" (--qid)',
    );
    expect(() => read("i,x,label\na,1,1\n", { ...how, labels: "required" })).toThrow('no column is called "user" (--qid');
    expect(() => read("i,x\na,1\n", { labels: "optional", id: "i" })).toThrow("no qid column");
  });

  it("sets of labels in a column are refused by what they are", () => {
    expect(() => read("qid,label,x\na,red;blue,1\na,red,2\n")).toThrow(
      '"red;blue" looks like a set of labels: write such data as Mulan\'s ARFF',
    );
  });

  it("the index of a data frame is left out with a notice, unless a model knows it", () => {
    const table = "Unnamed: 0,label,qid,x,__index_level_0__\n0,1,a,5,7\n1,0,a,6,8\n";
    const { data, notices } = read(table);
    expect(data.names.features).toEqual(["x"]);
    expect(notices).toContain(
      'a.csv: the columns "Unnamed: 0", "__index_level_0__" are the index of a data frame and left out; rename them to have features',
    );
    const scorer = {
      encoding: [
        { name: "Unnamed: 0", kind: "number" as const },
        { name: "x", kind: "number" as const },
      ],
    };
    expect(read(table, { scorer }).data.names.features).toEqual(["Unnamed: 0", "x"]);
  });

  it("columns of tables of items and of lists may be ignored", () => {
    const files = [{ name: "races.csv", content: races }, { name: "d.csv", content: "driver,team,starts\nann,1,120\nben,2,80\ncleo,1,15\n" }]; // biome-ignore format: files
    const joined = (ignore: string[]) => parseData(files, { ...how, items: "d.csv", ignore }).data.names.features;
    expect(joined(["team"])).toEqual(["starts"]);
    expect(joined(["starts"])).toEqual(["team"]);
    expect(() => joined(["teem"])).toThrow('no column is called "teem" (--ignore)');
  });

  it("tables of items and of lists are joined by name", () => {
    const files = [
      { name: "races.csv", content: races },
      { name: "drivers.csv", content: "driver;team;starts\nben;blue;80\nann;red;120\n" },
      { name: "tracks.csv", content: "track,km\ns,7\nm,5.8\n" },
    ];
    const { data, notices } = parseData(files, {
      ...how,
      lowerIsBetter: true,
      items: "drivers.csv",
      lists: "tracks.csv",
      categories: ["team"],
    });
    expect(data.names.features).toEqual(["team=blue", "team=red", "starts", "km"]);
    expect(rowsOf(data.features)).toEqual([[0, 1, 120, Math.fround(5.8)], [1, 0, 80, Math.fround(5.8)], [0, 0, gone, Math.fround(5.8)], [1, 0, 80, 7], [0, 1, 120, 7]]); // biome-ignore format: rows
    expect(notices).toContain('races.csv: 1 item not in drivers.csv, such as "cleo": their features are missing');
    expect(() => parseData(files, { ...how, items: "nobody.csv" })).toThrow(
      "option items: expected the name of one of the files",
    );
    const twice = [files[0]!, { name: "drivers.csv", content: "driver,x\nann,1\nann,2\n" }];
    expect(() => parseData(twice, { ...how, items: "drivers.csv" })).toThrow('drivers.csv:3: "ann" is there twice');
  });
});

describe("places that several judges gave", () => {
  const places = "race,judge,item,place\nr,1,a,1\nr,1,b,2\nr,2,b,1\nr,2,a,2\ns,1,a,1\ns,1,b,2\n";
  const options = { id: "item", label: "place", lowerIsBetter: true };

  it("are a ballot for each list and judge where both are named", () => {
    const { data } = read(places, { ...options, qid: "race,judge", ballots: "always" });
    expect(data.names.items).toEqual(["a", "b"]);
    expect([...data.starts]).toEqual([0, 2, 4]);
    expect([...data.listWeights!]).toEqual([2, 1]); // a before b in r by the first judge and in s
    expect([...data.items!]).toEqual([0, 1, 1, 0]);
  });

  it("are refused as one ballot, and rows of one list with different labels get a notice", () => {
    const list = { ...options, qid: "race" };
    expect(() => read(places, { ...list, ballots: "always" })).toThrow(/list r has the item a twice .* \(--list race,judge\)/);
    expect(() => read(places, { ...list, ignore: ["judge"] })).toThrow(/list r has the item a twice/);
    expect(read(places, list).notices).toContain(
      "list r has the item b more than once, with different labels; if several people judged, name their column too (--list race,judge)",
    );
    expect(read(places, { ...list, qid: "race,judge" }).notices.join()).not.toContain("more than once");
  });
});

describe("dates with slashes", () => {
  const table = (...dates: string[]) =>
    `q,y,d,x\n${dates.map((date, row) => `${row >> 1},${row % 2},${date},${row * 0.5}\n`).join("")}`;
  const days = (text: string, options: Partial<DatasetReaderOptions> = {}) => featuresOf(text, { ...roles, ...options }).d;
  const noticesOf = (text: string, options: Partial<DatasetReaderOptions> = {}) => read(text, { ...roles, ...options }).notices.join("\n"); // biome-ignore format: one line

  it("have the day or the month first as any row shows", () => {
    expect(days(table("03/04/2024", "13/04/2024", "", "5/4/2024"))).toEqual([0, 10, gone, 2]);
    expect(days(table("04/03/2024", "04/13/2024", "4/5/2024"))).toEqual([0, 10, 2]);
    expect(days(table("03-04-2024", "13-04-2024 12:00"))).toEqual([0, 10.5]);
    expect(days(table("4/3/2024 12:00:00 AM", "4/13/2024 6:00 PM", "4/3/2024 12:00 p.m."))).toEqual([0, 10.75, 0.5]);
    expect(noticesOf(table("13/04/2024", "1/4/2024"))).toContain('column "d": dates, as days since 2024-04-01 UTC, day first');
    expect(noticesOf(table("4/13/2024", "4/1/2024"))).toContain('column "d": dates, as days since 2024-04-01 UTC, month first');
  });

  it("are left out with a notice where no row shows it, whatever their number, unless an order is given", () => {
    const open = table("03/04/2024", "05/04/2024", "03/04/2024", "05/04/2024", "03/04/2024", "05/04/2024");
    expect(days(open)).toBeUndefined();
    expect(noticesOf(open)).toContain(
      'column "d" is left out: in dates such as "03/04/2024" the day or the month may come first; --date-columns d:dmy or d:mdy says which',
    );
    expect(days(open, { dateColumns: ["d:dmy"] })).toEqual([0, 2, 0, 2, 0, 2]);
    expect(days(open, { dateColumns: ["d:mdy"] })).toEqual([0, 61, 0, 61, 0, 61]);
    expect(() => read(open, { ...roles, dateColumns: ["d"] })).toThrow(
      'a.csv:2: column "d": in dates such as "03/04/2024" the day',
    );
    expect(Object.keys(featuresOf(open, { ...roles, categories: ["d"] }))).toEqual(["d=03/04/2024", "d=05/04/2024", "x"]);
    expect(days(table("1/2/2024", "2/2/2024").replace(/,d,/, ",d:dmy,"), { dateColumns: ["d:dmy:mdy"] })).toBeUndefined();
    expect(featuresOf(table("1/2/2024", "2/2/2024").replace(/,d,/, ",d:dmy,"), { ...roles, dateColumns: ["d:dmy:mdy"] })["d:dmy"]).toEqual([0, 31]); // biome-ignore format: one claim
  });

  it("of both orders are left out with an example of each, and a day that there is not is no date", () => {
    expect(noticesOf(table("13/04/2024", "04/13/2024", "1/1/2024"))).toContain(
      'column "d" is left out: its dates have the day first ("13/04/2024") and the month first ("04/13/2024"); write them as 2024-03-01, or add --categories d',
    );
    expect(noticesOf(table("31/04/2024", "01/04/2024"))).toContain('column "d" is left out: 2 different texts');
    expect(() => read(table("31/04/2024", "01/04/2024"), { ...roles, dateColumns: ["d"] })).toThrow(
      'a.csv:2: column "d": expected a date such as 31/12/2024, got "31/04/2024"',
    );
    for (const dateColumns of [["d"], ["d:mdy"]])
      expect(() => read(table("13/13/2024", "1/1/2024"), { ...roles, dateColumns })).toThrow(/a\.csv:2: column "d": expected a date such as .*, got "13\/13\/2024"/); // biome-ignore format: one line
    expect(() => read(table("13/04/2024", "4/13/2024"), { ...roles, dateColumns: ["d"] })).toThrow("a.csv:2: column \"d\": its dates have the day first"); // biome-ignore format: one line
    expect(() => read(table("1/2/2024"), { ...roles, dateColumns: ["e:dmy"] })).toThrow(
      'no column is called "e" (--date-columns)',
    );
  });

  it("are read in the order of the model, and refused in the other", () => {
    const { encoding } = read(table("13/04/2024", "01/04/2024"), roles).data.names;
    expect(encoding).toEqual([{ name: "d", kind: "date", origin: Date.UTC(2024, 3, 1) / 1000, order: "dmy" }, { name: "x", kind: "number" }]); // biome-ignore format: one claim
    const scored = (...dates: string[]) => days(table(...dates), { scorer: { encoding: encoding! } });
    expect(scored("02/04/2024", "2024-04-03")).toEqual([1, 2]);
    const open = { name: "d", kind: "date", origin: Date.UTC(2024, 3, 1) / 1000 } as const; // of training data in ISO 8601
    const late = (dates: string[], dateColumns: string[] = []) =>
      days(table(...dates), { scorer: { encoding: [open, { name: "x", kind: "number" }] }, dateColumns });
    expect(late(["2/4/2024", "13/4/2024"])).toEqual([1, 12]);
    expect(late(["4/2/2024", "4/13/2024"])).toEqual([1, 12]);
    expect(late(["4/2/2024"], ["d:mdy"])).toEqual([1]);
    expect(() => late(["4/2/2024"])).toThrow(
      'a.csv:2: column "d": in dates such as "4/2/2024" the day or the month may come first;',
    );
    const many = Array.from({ length: 20 }, () => "01/04/2024");
    expect(() => scored(...many, "04/13/2024")).toThrow(
      'column "d": expected a date, got "04/13/2024"; the column has dates with the day first in the training data',
    );
  });
});
