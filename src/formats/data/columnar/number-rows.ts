/** Adds the rows of a table whose features are numbers straight to the matrix, batch by batch, without a text in between. */
import type { Builder } from "../../../data/builder.ts";
import { EXACT, LABEL, RoundedNumbers } from "../../../data/rounded.ts";
import type { NumberColumn, SourceTable, TableBatch, TableColumn } from "../../../data/table/source-table.ts";
import { checkMemory } from "../../../memory-budget.ts";
import type { Roles } from "../columns.ts";
import type { RowContext } from "../format.ts";
import { type ParseSummary, TOO_LARGE } from "../parse-summary.ts";
import { cellText } from "./table-text.ts";

const NOTHING = new Uint32Array(0);
const TILE = 64; // rows that are turned from columns to rows at once, so that they stay in the cache

/**
 * Adds all rows and counts them in the summary; false, and nothing is added, where a cell needs a second look: a word, a number out of range, a
 * missing label or list. The features must be those of the builder in their order.
 */
export function addNumberRows(
  builder: Builder,
  table: SourceTable,
  roles: Roles,
  context: RowContext,
  summary: ParseSummary,
): boolean {
  const features = roles.features.map((column) => table.columns[column]!);
  if (builder.features!.some((name, i) => name !== features[i])) return false;
  const parts = table.batches.map((batch) => partOf(batch, roles, context));
  if (!parts.every((part) => part !== undefined)) return false;
  for (const { part, missing, unlabelled } of parts) {
    builder.join(part);
    summary.rows += part.labels.length;
    summary.missing += missing;
    summary.unlabelled += unlabelled;
  }
  return true;
}

const isNumbers = (column: TableColumn): column is NumberColumn => column.kind === "number";

function partOf({ rows, columns }: TableBatch, roles: Roles, context: RowContext) {
  const features = roles.features.map((column) => columns[column]!);
  if (!features.every(isNumbers)) return undefined;
  const rounded = new RoundedNumbers();
  const labels = labelsOf(rows, columns[roles.label], context, rounded);
  const weights = roles.weight < 0 ? undefined : weightsOf(columns[roles.weight]!);
  const lists = listsOf(rows, columns[roles.qid]);
  const ids = roles.id < 0 ? undefined : textsOf(rows, columns[roles.id]!);
  if (!labels || weights === null || !lists || ids?.some(hasBreak)) return undefined;
  const turned = turn(features, rows, rounded);
  if (!turned) return undefined;
  const width = features.length;
  const block = { rows, width, origin: 0, values: turned.values, numbers: NOTHING, ends: NOTHING };
  const cells = {
    rows,
    filled: rows * width - turned.missing,
    lowest: 0,
    highest: width - 1,
    block,
    rounded: [...rounded.columns],
  };
  const part = {
    ...{ cells, labels: labels.values, listOf: lists.of, weights, ids: ids?.join("\n") },
    ...{ names: lists.names.join("\n"), lists: lists.names.length },
  };
  return { part, missing: turned.missing, unlabelled: labels.unlabelled };
}

/** The features of all rows, row by row; undefined where a number is too large for a 32-bit float. */
function turn(
  features: readonly NumberColumn[],
  rows: number,
  rounded: RoundedNumbers,
): { values: Float32Array; missing: number } | undefined {
  const width = features.length;
  checkMemory(`${width} features of ${rows} rows`, 4 * rows * width);
  const values = new Float32Array(rows * width);
  let missing = 0;
  for (let from = 0; from < rows; from += TILE) {
    const to = Math.min(rows, from + TILE);
    for (let c = 0; c < width; c++) {
      const column = features[c]!.values;
      for (let row = from, at = from * width + c; row < to; row++, at += width) {
        const value = column[row]!;
        values[at] = value + 0; // -0 becomes 0, as in other readers
        if (value <= EXACT && value >= -EXACT) continue;
        if (Number.isNaN(value)) missing++;
        else if (value < TOO_LARGE && value > -TOO_LARGE) rounded.note(c, value);
        else return undefined;
      }
    }
  }
  return { values, missing };
}

function labelsOf(rows: number, column: TableColumn | undefined, { labels, missingLabels }: RowContext, rounded: RoundedNumbers) {
  const values = new Float32Array(rows);
  let unlabelled = 0;
  if (column && !isNumbers(column)) return undefined;
  for (let row = 0; row < rows; row++) {
    const label = column ? column.values[row]! : Number.NaN;
    values[row] = label;
    if (Number.isNaN(label)) {
      if (missingLabels === "leave-out") continue;
      if (labels !== "optional") return undefined;
      values[row] = 0;
      unlabelled++;
    } else if (!(Math.abs(label) < TOO_LARGE)) return undefined;
    else rounded.note(LABEL, label);
  }
  return { values, unlabelled };
}

/** Null: some row has no weight, or one below 0. */
function weightsOf(column: TableColumn): Float32Array | null {
  if (!isNumbers(column)) return null;
  const isWeight = (value: number) => value >= 0 && value < TOO_LARGE;
  for (let row = 0; row < column.values.length; row++) if (!isWeight(column.values[row]!)) return null;
  return Float32Array.from(column.values);
}

const hasBreak = (text: string) => text.includes("\n");

function textsOf(rows: number, column: TableColumn): string[] {
  return Array.from({ length: rows }, (_, row) => cellText(column, row).trim());
}

/** The lists of the rows by number, with their names in order; undefined where a name is missing. Without a column, lists are assigned later. */
function listsOf(rows: number, column: TableColumn | undefined) {
  const of = new Uint32Array(rows).fill(0xffffffff);
  const places = new Map<string, number>();
  if (!column) return { of, names: [] };
  let last = "";
  for (let row = 0, code = -1; row < rows; row++) {
    // Most rows have the list of the row before.
    const same = row > 0 && column.kind !== "text" && Object.is(column.values[row], column.values[row - 1]);
    if (!same) {
      const name = cellText(column, row).trim();
      if (name === "" || hasBreak(name)) return undefined;
      if (row === 0 || name !== last) {
        code = places.get(name) ?? places.size;
        places.set(name, code);
      }
      last = name;
    }
    of[row] = code;
  }
  return { of, names: [...places.keys()] };
}
