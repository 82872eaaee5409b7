/**
 * Writes data as text that every reader here, and other tools, can read: a table with a header where features have names, else SVMlight with the names of
 * documents as comments. Columns of words, booleans and dates are written as such, so that a model of the written table fits the one that the data came from. Weights of rows go beside it, in the lines of a file that is read with it (.weight).
 */

import { type DecodedColumn, decodedColumns } from "../../data/decode-columns.ts";
import { entryName, forSpreadsheet, listName, oneWord } from "../../data/names.ts";
import type { Dataset, Matrix } from "../../types.ts";

/** The text of the data, and of their weights where rows have some. */
export function rowsText(data: Dataset): { rows: string; weights: string | undefined } {
  const { starts, itemWeights, names } = data;
  const lines: string[] = [];
  const columns = names.features && decodedColumns(names.encoding ?? names.features.map((name) => ({ name, kind: "number" })));
  if (columns) lines.push(["qid", "docid", "label", ...columns.map(({ name }) => name)].map(cell).join(","));
  const write = columns ? tableRow(columns) : svmlightRow;
  for (let q = 0; q < starts.length - 1; q++) for (let e = starts[q]!; e < starts[q + 1]!; e++) lines.push(write(data, q, e));
  return {
    rows: `${lines.join("\n")}\n`,
    weights: itemWeights && `${Array.from(itemWeights, numeral).join("\n")}\n`,
  };
}

/** The shortest text of a 32-bit number that is read as the same. */
function numeral(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}

const quoted = (text: string) => (/[",\r\n\t;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const cell = (text: string) => quoted(forSpreadsheet(text));

/** Words of a category stay as they are, also those that a spreadsheet takes for a formula: with an apostrophe they would be another category. */
function tableRow(columns: readonly DecodedColumn[]): (data: Dataset, q: number, e: number) => string {
  let row = new Float32Array(0);
  return (data, q, e) => {
    const { features } = data;
    if (row.length !== features.columns) row = new Float32Array(features.columns);
    row.fill(features.kind === "dense" ? Number.NaN : features.absent);
    eachValue(features, e, (column, value) => {
      row[column] = value;
    });
    const values = columns.map((column) => quoted(column.text(row, numeral)));
    return [cell(listName(data, q)), cell(entryName(data, q, e)), numeral(data.labels[e]!), ...values].join(",");
  };
}

function svmlightRow(data: Dataset, q: number, e: number): string {
  const values: string[] = [];
  eachValue(data.features, e, (column, value) => {
    if (data.features.kind === "sparse" || value !== 0)
      values.push(`${column + data.base}:${Number.isNaN(value) ? "NULL" : numeral(value)}`);
  });
  return [numeral(data.labels[e]!), `qid:${oneWord(listName(data, q))}`, ...values, `# ${oneWord(entryName(data, q, e))}`].join(
    " ",
  );
}

function eachValue(matrix: Matrix, row: number, visit: (column: number, value: number) => void): void {
  if (matrix.kind === "dense") {
    for (let c = 0; c < matrix.columns; c++) visit(c, matrix.values[row * matrix.columns + c]!);
    return;
  }
  for (let at = matrix.starts[row]!; at < matrix.starts[row + 1]!; at++) visit(matrix.indices[at]!, matrix.values[at]!);
}
