/** What the formats of whole tables have in common: a file is one table, whose columns are decided on with those of all files. */
import type { SourceTable } from "../../../data/table/source-table.ts";
import { NeedsColumns } from "../csv-direct.ts";
import type { RowFormat } from "../format.ts";
import { emptySummary } from "../parse-summary.ts";

interface TableFormat<Id extends string> extends Pick<RowFormat<Id>, "id" | "about" | "extensions" | "sniff" | "isMagic"> {
  /** The table of all bytes of a file. */
  table(file: string, bytes: Uint8Array): SourceTable;
}

/** The options of reading that apply to tables. */
const options = ["label", "qid", "weight", "id", "ignore", "dateColumns", "categories", "missingValues"] as const;

export function tableFormat<const Id extends string>({ table, ...format }: TableFormat<Id>): RowFormat<Id> {
  return {
    ...{ ...format, options, kind: "rows", features: "named", table: true, tiers: "labels" },
    ...(format.isMagic && { binary: true }),
    parser(file, _, { collect }) {
      if (!collect) throw new NeedsColumns();
      const chunks: Uint8Array[] = [];
      const summary = emptySummary("a table");
      return {
        summary,
        push(bytes) {
          chunks.push(bytes.slice()); // a reader may use its buffer again
        },
        end() {
          const read = table(file, joined(chunks));
          chunks.length = 0;
          summary.rows = read.batches.reduce((sum, { rows }) => sum + rows, 0);
          if (summary.rows > 0) collect(read);
        },
      };
    },
  };
}

/** All bytes in one array. */
function joined(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
