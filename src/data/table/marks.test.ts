/** Numbers with groups of thousands and amounts, as spreadsheets write them. */
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../test/rows.ts";
import { fit } from "../../fit.ts";
import type { DatasetReaderOptions } from "../../formats/data/dataset-reader.ts";
import { parseData } from "../../formats/data/parse.ts";
import { parseModel, serializeModel } from "../../formats/models/native.ts";
import { linear } from "../../models/index.ts";

const roles = { qid: "q", label: "y" };
const read = (content: string, options: Partial<DatasetReaderOptions> = {}) =>
  parseData([{ name: "a.csv", content }], { ...roles, ...options });
/** Values by feature. */
function valuesOf(content: string, options: Partial<DatasetReaderOptions> = {}): Record<string, number[]> {
  const { data } = read(content, options);
  const rows = rowsOf(data.features);
  return Object.fromEntries(data.names.features!.map((name, c) => [name, rows.map((row) => row[c]!)]));
}
const float = (...values: number[]) => values.map(Math.fround);

describe("groups of thousands", () => {
  it("follow from the decimal mark of another column", () => {
    const text = "q;y;bestand;preis\na;1;939;94,15\na;0;1.039;82,11\n";
    expect(valuesOf(text)).toEqual({ bestand: [939, 1039], preis: float(94.15, 82.11) });
    expect(read(text).notices).toContain('column "bestand": numbers with groups of thousands, such as "1.039", read as 1039');
    expect(valuesOf("q;y;stock;price\na;1;939;94.15\na;0;1,039;82.11\n")).toEqual({ stock: [939, 1039], price: float(94.15, 82.11) }); // biome-ignore format: one claim
    expect(valuesOf("price;q;y;stock\n94.15;a;1;1,039\n;a;0;-12,345,678\n").stock).toEqual([1039, -12345678]);
  });
  it("follow from all rows of all files, also where these are read in pieces", () => {
    const rows = Array.from({ length: 70_000 }, (_, i) => `a;0;1.${String(i % 1000).padStart(3, "0")};${i}\n`).join("");
    const { data } = parseData([{ name: "a.csv", content: `q;y;x;z\n${rows}` }, { name: "b.csv", content: "q;y;z;x\na;1;0,5;7\n" }], roles); // biome-ignore format: one claim
    expect([...new Set(rowsOf(data.features).map(([x]) => x! < 1000))]).toEqual([false, true]);
  });
  it("are decimals without evidence, with a notice and two ways out", () => {
    const text = "q;y;x;z\na;1;939;1\na;0;1.039;2\n";
    expect(valuesOf(text)).toEqual({ x: float(939, 1.039), z: [1, 2] });
    expect(read(text).notices).toContain(
      'column "x": numbers such as "1.039" are read as decimals; --decimal "," reads the point as one between thousands, and --decimal "." confirms decimals',
    );
    expect(valuesOf(text, { decimal: "," }).x).toEqual([939, 1039]);
    expect(read(text, { decimal: "." }).notices.join()).not.toMatch(/decimal/);
    expect(valuesOf(text.replace("1.039", "1,039"), { decimal: "." }).x).toEqual([939, 1039]);
    expect(read(text.replace("1.039", "1,039")).notices.join()).toMatch(
      /--decimal "\." reads the comma as one between thousands/,
    );
  });
  it("are decimals where the column has another number of decimals, a 0 before the mark, or the file decimal points", () => {
    for (const other of ["1.5", "0.125", "1234.567", "1e-3"]) {
      expect(valuesOf(`q;y;x;z\na;1;${other};0,5\na;0;1.039;2\n`).x, other).toEqual(float(Number(other), 1.039));
      const { notices } = read(`q,y,x,z\na,1,1.039,${other}\na,0,2.125,2\n`);
      expect(notices.join(), other).not.toMatch(/thousands/);
    }
  });
  it("several groups, apostrophes and narrow blanks are no decimals anywhere; a comma in quotes between commas groups", () => {
    const text = "q;y;a;b;c\nx;1;1.040.039;1'234;1\u202f234,5\nx;0;1.039;-12’345’678.5;12\u00a0345\n";
    expect(valuesOf(text)).toEqual({ a: [1040039, 1039], b: float(1234, -12345678.5), c: [1234.5, 12345] });
    expect(valuesOf('q,y,x\na,1,"1,039"\na,0,939\n')).toEqual({ x: [1039, 939] });
    expect(valuesOf("q;y;a\nx;1;1.04.039\nx;0;0.040.039\nx;1;1'23\n")).toEqual({});
  });
  it("hold for labels and weights too", () => {
    const { data, notices } = read("q;y;w;x\na;1.500;1,5;1\na;0;1.000;2\n", { weight: "w" });
    expect([[...data.labels], [...data.itemWeights!]]).toEqual([[1500, 0], [1.5, 1000]]); // biome-ignore format: columns
    expect(notices.join()).toMatch(/column "y": numbers with groups of thousands/);
  });
});

describe("amounts", () => {
  it("are numbers where all filled cells have the same sign", () => {
    expect(valuesOf("q;y;p;r\na;1;210,88 €;3 %\na;0;;12,5%\na;0;1.039,00 €;-4 %\n")).toEqual({
      p: float(210.88, Number.NaN, 1039),
      r: [3, 12.5, -4],
    });
    expect(valuesOf('q,y,p\na,1,"$3,450.00"\na,0,-$5\na,0,$ 1\n')).toEqual({ p: [3450, -5, 1] });
    expect(read("q;y;p\na;1;210,88 €\na;0;5 €\n").notices).toContain('column "p": numbers with €');
  });
  it("are words where the signs differ or one is missing", () => {
    for (const cells of [["5 €", "$5"], ["5 €", "5"], ["5", "5 %"], ["5 €", "none"]]) // biome-ignore format: pairs
      expect(valuesOf(`q;y;p\na;1;${cells[0]}\na;0;${cells[1]}\n`), cells.join()).toEqual({});
  });

  it("may have units and currency codes; ids with letters are words", () => {
    expect(valuesOf("q;y;p;w;t\na;1;5 EUR;10 kg;EUR 3\na;0;7,50 EUR;12kg;EUR 4,5\n")).toEqual({
      p: [5, 7.5],
      w: [10, 12],
      t: [3, 4.5],
    });
    expect(read("q;y;p\na;1;5 EUR\na;0;7,50 EUR\n").notices).toContain('column "p": numbers with EUR');
    for (const [one, other] of [["17A", "18A"], ["001kg", "002kg"], ["SKU 1", "SKU 2"]] as const) // biome-ignore format: pairs
      expect(valuesOf(`q;y;p\na;1;${one}\na;0;${other}\n`), one).toEqual({});
  });
  it("with and without a sign are told how they become numbers", () => {
    const { notices } = read("q;y;p\na;1;5%\na;0;0.07\n");
    expect(notices.join()).toContain(
      'cells such as "5%" and "0.07" become numbers where all have the same sign or unit, or none',
    );
  });
});

describe("negative amounts", () => {
  it("in brackets, and with the sign last, with a notice", () => {
    expect(valuesOf('q,y,p\na,1,"(1,234.50)"\na,0,7.25\n').p).toEqual([-1234.5, 7.25]);
    expect(read('q,y,p\na,1,"(1,234.50)"\na,0,7.25\n').notices).toContain(
      'column "p": numbers, such as "(1,234.50)", read as -1234.5',
    );
    expect(valuesOf("q;y;p;r\na;1;3,20-;(5 €)\na;0;4,10;6 €\n")).toEqual({ p: float(-3.2, 4.1), r: [-5, 6] });
  });
  it("are words where all numbers are in brackets, as references are", () => {
    expect(valuesOf("q;y;p\na;1;(1)\na;0;(2)\n")).toEqual({});
  });
});

describe("decimal commas between commas, as Google Sheets writes them", () => {
  it("are decimals where all cells of the column are such numbers and no column has decimal points", () => {
    const text = 'q,y,p,n\na,1,"3,5",4\na,0,"0,25","1,125"\nb,1,4,2\n';
    expect(valuesOf(text)).toEqual({ p: [3.5, 0.25, 4], n: [4, 1.125, 2] });
    expect(read(text).notices).toContain('column "p": numbers with decimal commas, such as "3,5", read as 3.5');
  });
  it("are words elsewhere, with the option that makes them numbers", () => {
    const { notices, data } = read('q,y,p,n\na,1,"3,5",0.5\na,0,"0,25",1.5\nb,1,4,2\n');
    expect(data.names.features).toEqual(["n"]);
    expect(notices.join()).toContain('cells such as "3,5" are numbers with --decimal ,');
    expect(valuesOf('q,y,p,n\na,1,"3,5",7\na,0,none,1\nb,1,4,2\n').n).toEqual([7, 1, 2]);
  });
});

describe("the model remembers", () => {
  const text = "q;y;n;p;d\na;1;939;94,15 €;1\na;0;1.039;82,11 €;2\nb;1;12;5 €;3\nb;0;1.500;2 €;4\n";
  const { data } = read(text);
  const { model, training } = fit(data, { model: linear({ l2: 1 }) });
  const { encoding } = parseModel(serializeModel({ model, training, metrics: {} })).model.columns;
  it("marks and signs", () => {
    expect(encoding).toEqual([{ name: "n", kind: "number", decimal: "," }, { name: "p", kind: "number", decimal: ",", unit: "€" }, { name: "d", kind: "number" }]); // biome-ignore format: columns
  });
  it("them for data that show nothing of it", () => {
    const one = (line: string) => rowsOf(read(`q;n;p;d\n${line}\n`, { labels: "optional", scorer: { encoding: encoding! } }).data.features); // biome-ignore format: one line
    expect(one("z;1.039;1.250 €;1.500")).toEqual([[1039, 1250, 1500]]);
    expect(one("z;7;3;1")).toEqual([[7, 3, 1]]);
    expect(() => one("z;7;$3;1")).toThrow(
      'a.csv:2: column "p": the numbers of the training data are in €, and "$3" is in $; convert the column to €',
    );
  });
});

it.each<[unit: string, plain: string]>([
  [" %", "0,12"],
  [" %", "12"],
  [" €", "12,50"],
  [" €", "1.250,00"],
  [" €", "-3,5"],
])("a notice names numbers without the sign %s of the training data: %s", (unit, plain) => {
  const { data } = parseData(
    [{ name: "t.csv", content: `q;d;label;p\na;x;3;12,5${unit}\na;y;1;3,0${unit}\nb;x;3;10,0${unit}\nb;y;2;2,0${unit}\n` }],
    { qid: "q", id: "d" },
  );
  const { model } = fit(data, { model: linear({ l2: 1 }) });
  const { notices } = parseData([{ name: "s.csv", content: `q;d;p\nc;x;${plain}\nc;y;0,03\n` }], {
    ...{ qid: "q", id: "d", labels: "optional", scorer: { encoding: model.columns.encoding! } },
  });
  const sign = unit.trim();
  expect(notices.join("\n")).toContain(
    `numbers without ${sign}, which those of the training data have: ${plain} is read as ${plain} ${sign}`,
  );
});
