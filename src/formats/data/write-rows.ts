/**
 * Writes data as text that every reader here, and other tools, can read: a table with a header where features have names, else SVMlight with the names of
 * documents as comments. Weights of rows go beside it, in the lines of a file that is read with it (.weight).
 */
import { entryName, forSpreadsheet, listName, oneWord } from "../../data/names.ts";
import type { Dataset, Matrix } from "../../types.ts";

/** The text of the data, and of their weights where rows have some. */
export function rowsText(data: Dataset): { rows: string; weights: string | undefined } {
  const { starts, itemWeights, names } = data;
  const lines: string[] = [];
  const { features: columns } = names;
  if (columns) lines.push(["qid", "docid", "label", ...columns].map(cell).join(","));
  const write = columns ? tableRow : svmlightRow;
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

const cell = (text: string) => {
  const safe = forSpreadsheet(text);
  return /[",\r\n\t;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

function tableRow(data: Dataset, q: number, e: number): string {
  const values = new Array<string>(data.features.columns).fill(absentIn(data.features));
  eachValue(data.features, e, (column, value) => {
    values[column] = Number.isNaN(value) ? "" : numeral(value);
  });
  return [cell(listName(data, q)), cell(entryName(data, q, e)), numeral(data.labels[e]!), ...values].join(",");
}

const absentIn = (matrix: Matrix) => (matrix.kind === "dense" || Number.isNaN(matrix.absent) ? "" : String(matrix.absent));

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
