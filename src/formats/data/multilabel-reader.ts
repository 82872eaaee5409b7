/** Reads multi-label files into one dataset, with a one-line summary of each. */

import { counted, thousands } from "../../counted.ts";
import type { FeatureStorage } from "../../data/blocks.ts";
import type { MultiLabelBuilder } from "../../data/multilabel-builder.ts";
import { InputError, quote } from "../../input-error.ts";
import type { KindReader } from "./dataset-reader.ts";
import type { MultiLabelFormat, MultiLabelParser } from "./format.ts";
import { roundedNotice, valuesIn } from "./parse-summary.ts";

export function multiLabelReader(storage: FeatureStorage): KindReader<MultiLabelFormat> {
  const notices: string[] = [];
  let builder: MultiLabelBuilder | undefined;
  let now: { name: string; parser: MultiLabelParser; entries: number } | undefined;
  return {
    open({ name, format, sideFiles }) {
      const entries = builder?.entries ?? 0;
      const parser = format.parser(name, builder, storage, sideFiles.labels);
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
      const data = builder!.finish();
      return { data, notices: [...notices, ...roundedNotice(cells.rounded.columns, nameOf, valuesIn(data))] };
    },
  };
}
