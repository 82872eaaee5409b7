/**
 * What the formats of whole tables have in common: a file is one table of typed columns. Tables of numbers go straight into the matrix. Where a
 * word is met, the reader of CSV asks for all files again as columns (`NeedsColumns`), and the table is handed over as it is.
 */
import type { Builder } from "../../../data/builder.ts";
import type { SourceTable } from "../../../data/table/source-table.ts";
import { InputError } from "../../../input-error.ts";
import { assignRoles } from "../columns.ts";
import { csv, tableOptions } from "../csv.ts";
import { NeedsColumns } from "../csv-direct.ts";
import type { RowContext, RowFormat } from "../format.ts";
import type { Parser } from "../parse-summary.ts";
import { addNumberRows } from "./number-rows.ts";
import { headerText, rowTexts } from "./table-text.ts";

interface TableFormat<Id extends string>
  extends Pick<RowFormat<Id>, "id" | "about" | "extensions" | "sniff" | "isMagic" | "sharesExtensionsOf"> {
  /** The table of all bytes of a file. */
  table(file: string, bytes: Uint8Array): SourceTable;
}

/** A format whose files are read as a whole. */
export function tableFormat<const Id extends string>({ table, ...format }: TableFormat<Id>): RowFormat<Id> {
  const { tiers } = csv;
  return {
    ...{ ...format, options: tableOptions, kind: "rows", features: "named", table: true, whole: table, ...(tiers && { tiers }) },
    ...(format.isMagic && { binary: true }),
    parser(file, builder, context) {
      const chunks: Uint8Array[] = [];
      return tableParser(file, builder, context, {
        push: (bytes) => void chunks.push(bytes),
        end: () => table(file, joined(chunks)),
      });
    },
  };
}

/** A parser that adds the rows of the table that `source` has at the end. */
export function tableParser(
  file: string,
  builder: Builder,
  context: RowContext,
  source: { push(bytes: Uint8Array): void; end(): SourceTable },
): Parser {
  const { collect } = context;
  const named = { ...context, header: true, separator: "auto", typed: true }; // columns have names, whatever is said of other files
  const inner = csv.parser(file, builder, named);
  return {
    summary: inner.summary,
    push: source.push,
    end() {
      const table = source.end();
      if (table.columns.length === 0) throw new InputError(`${file}: the table has no columns`);
      if (collect) {
        inner.summary.rows = table.batches.reduce((sum, { rows }) => sum + rows, 0);
        if (inner.summary.rows > 0) collect(table);
        return;
      }
      inner.summary.notices.push(...(table.notices ?? []));
      const lines: number[] = []; // of each row, in the text
      try {
        inner.push(headerText(table.columns));
        const roles = assignRoles(file, table.columns, named);
        if (roles.keys.length > 1) throw new NeedsColumns();
        if (!addNumberRows(builder, table, roles, named, inner.summary))
          for (const text of rowTexts(table, (line) => lines.push(line))) inner.push(text);
        inner.end();
      } catch (error) {
        throw error instanceof InputError ? atRow(error, file, table, lines) : error;
      }
    },
  };
}

/** The error with the row instead of a line of a text that nobody has. */
export function atRow(error: InputError, file: string, { where }: SourceTable, lines: readonly number[]): InputError {
  const form = error.message.startsWith(`${file}:`) ? /^:(\d+): ([\s\S]*)$/.exec(error.message.slice(file.length)) : undefined;
  if (!form) return error;
  const [, line, text] = form;
  const row = lines.findLastIndex((before) => before + 2 <= Number(line));
  return new InputError(row < 0 ? `${file}: ${text}` : `${where?.(row) ?? `${file}, row ${row + 1}`}: ${text}`);
}

/** All bytes in one array. */
export function joined(chunks: Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0)] = chunks;
  if (chunks.length < 2) return first;
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  chunks.length = 0;
  return all;
}
