/** Tables that are joined to the rows of others, and when rows must be collected as columns. */
import { Builder } from "../../data/builder.ts";
import { isPlain } from "../../data/table/encode.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { InputError } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import { assignRoles, type Roles, type Scorer } from "./columns.ts";
import { csv, tsv } from "./csv.ts";
import type { RowFormat } from "./format.ts";
import { formatOf } from "./formats.ts";
import type { ReadOptions } from "./read-options.ts";
import { keyColumn } from "./table-list.ts";

/** Whether options of reading, or the model that will score the rows, concern more than numbers. */
export function needsColumns(options: ReadOptions, scorer: Scorer | undefined): boolean {
  const { categories, dateColumns, timeColumns, missingValues, labelOrder, labelLast, labelMissing, items, lists, ballots } =
    options;
  const named = [categories, dateColumns, timeColumns, missingValues, labelOrder, labelLast, labelMissing, items, lists].some(
    ({ length }) => length > 0,
  );
  return (
    named || ballots === "always" || options.decimal === "," || (scorer?.encoding?.some((column) => !isPlain(column)) ?? false)
  );
}

/** Whether a table, of which `head` are the first bytes, has no features, but names of items, so that it is one of ballots. */
export function lacksFeatures(name: string, head: Uint8Array, format: RowFormat, options: ReadOptions): boolean {
  if (options.ballots === "never" || options.items !== "" || options.lists !== "") return false;
  const columns = columnsOfHead(name, head, format, options);
  return columns !== undefined && columnsLackFeatures(name, columns, options);
}

/** The columns of a table of text, of which `head` are the first bytes; undefined where its header is not whole there, or something is wrong with it. */
export function columnsOfHead(
  name: string,
  head: Uint8Array,
  format: RowFormat,
  options: ReadOptions,
): readonly string[] | undefined {
  let found: readonly string[] | undefined;
  const parser = format.parser(name, new Builder(), {
    ...options,
    ...{ labels: "optional", grouped: true, missingLabels: "leave-out", scratch: new Heap(), collect: () => {} },
    keyOf(columns) {
      found = columns;
      return 0;
    },
  });
  try {
    parser.push(head);
  } catch (error) {
    if (!(error instanceof InputError)) throw error; // reading the data reports it
  }
  return found;
}

const namesItemsOnly = ({ features, id }: Roles) => features.length === 0 && id >= 0;

/** The same by the columns of a table. */
export function columnsLackFeatures(name: string, columns: readonly string[], options: ReadOptions): boolean {
  if (options.ballots === "never" || options.items !== "" || options.lists !== "") return false;
  try {
    return namesItemsOnly(assignRoles(name, columns, { ...options, labels: "optional" }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error; // reading the data reports it
    return false;
  }
}

/** Parses a table of items or lists, of any format of tables, from its bytes, of which `head` are the first; `options` are those of the data it belongs to. */
export function sideTable(
  role: "items" | "lists",
  name: string,
  head: Uint8Array,
  options: ReadOptions,
): { push(bytes: Uint8Array): void; end(): SourceTable } {
  let found: SourceTable | undefined;
  const key = role === "items" ? options.id : options.qid;
  const parser = sideFormat(name, head).parser(name, new Builder(), {
    ...options,
    ...{ labels: "optional", grouped: true, missingLabels: "leave-out", header: true, separator: "auto" },
    ...{ scratch: new Heap(), keyOf: (columns) => keyColumn(columns, key) },
    collect(table) {
      found = table;
    },
  });
  return {
    push: (bytes) => parser.push(bytes),
    end() {
      parser.end();
      if (!found || found.batches.length === 0) throw new InputError(`${name}: no rows, only a header`);
      return found;
    },
  };
}

/** The format of a side table: what is no other table is CSV. */
export function sideFormat(name: string, head: Uint8Array): RowFormat {
  const format = formatOf(name, head);
  if (format.kind === "rows" && format.table) return format;
  return /\.(tsv|tab)(\.\w+)?$/i.test(name) ? tsv : csv;
}
