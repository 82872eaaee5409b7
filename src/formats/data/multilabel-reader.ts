/** Reads multi-label files into one dataset, with a one-line summary of each. */

import type { Storage } from "../../data/cells.ts";
import type { MultiLabelBuilder } from "../../data/multilabel-builder.ts";
import { InputError, quote } from "../../input-error.ts";
import { arff } from "./arff.ts";
import type { DatasetReader } from "./dataset-reader.ts";
import { counted, type Parser, roundedNotice, thousands } from "./parse-summary.ts";
import type { DataFormat, MultiLabelFormat } from "./read-options.ts";
import { xmlRepository } from "./xml-repository.ts";

export interface MultiLabelParser extends Parser {
  builder(): MultiLabelBuilder;
}

const formats: readonly string[] = ["xml-repository", "arff"] satisfies readonly MultiLabelFormat[];

export const isMultiLabel = (format: DataFormat["id"]): format is MultiLabelFormat => formats.includes(format);

/** `formatOf` gives the format of a file, or refuses one that is not of this kind. */
export function multiLabelDatasetReader(
  formatOf: (name: string, head: Uint8Array) => MultiLabelFormat,
  storage: Storage,
): DatasetReader {
  const notices: string[] = [];
  let builder: MultiLabelBuilder | undefined;
  let now: { name: string; parser: MultiLabelParser; entries: number } | undefined;
  return {
    open(name, head, _size, { labels } = {}) {
      const entries = builder?.entries ?? 0;
      const parser =
        formatOf(name, head) === "arff" ? arff(name, builder, storage, labels) : xmlRepository(name, builder, storage);
      now = { name, parser, entries };
      return parser;
    },
    close() {
      const { name, parser, entries } = now!;
      parser.end();
      builder = parser.builder();
      const { summary } = parser;
      if (summary.rows === 0) throw new InputError(`${name}: no rows, only a header`);
      const { items, columns } = builder.options;
      const each = ((builder.entries - entries) / summary.rows).toFixed(2);
      const parts = [
        `${counted(summary.rows, "list")} (${summary.lists}) over ${thousands(items)} labels, ${each} of them relevant`,
        counted(columns, "feature"),
        ...summary.details,
      ];
      notices.push(`${name}: ${parts.join(", ")}`, ...summary.notices.map((notice) => `${name}: ${notice}`));
    },
    finish() {
      const { cells, options } = builder!;
      const names = options.featureNames;
      const nameOf = (number: number) => (names ? `attribute ${quote(names[number]!)}` : `feature ${number}`);
      return { data: builder!.finish(), notices: [...notices, ...roundedNotice(cells.rounded, nameOf)] };
    },
  };
}
