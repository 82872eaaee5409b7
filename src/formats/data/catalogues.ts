/** One dataset from files whose rows are lists over a whole catalogue of labels, and a line about each of what was understood. */
import type { CatalogueBuilder } from "../../data/build-catalogue.ts";
import type { Storage } from "../../data/cells.ts";
import { Mistake, quote } from "../../mistake.ts";
import { arff } from "./arff.ts";
import { counted, type Parser, roundedNotice, thousands } from "./findings.ts";
import type { Gatherer } from "./gather.ts";
import type { CatalogueFormat, DataFormat } from "./index.ts";
import { xmlRepository } from "./xml-repository.ts";

export interface CatalogueParser extends Parser {
  builder(): CatalogueBuilder;
}

const formats: readonly string[] = ["xml-repository", "arff"] satisfies readonly CatalogueFormat[];

export const isCatalogue = (format: DataFormat["id"]): format is CatalogueFormat => formats.includes(format);

/** `formatOf` gives the format of a file, or refuses one that is not of this kind. */
export function catalogueGatherer(formatOf: (name: string, head: Uint8Array) => CatalogueFormat, storage: Storage): Gatherer {
  const notices: string[] = [];
  let builder: CatalogueBuilder | undefined;
  let now: { name: string; parser: CatalogueParser; entries: number } | undefined;
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
      const { findings } = parser;
      if (findings.rows === 0) throw new Mistake(`${name}: no rows, only a header`);
      const { items, columns } = builder.options;
      const each = ((builder.entries - entries) / findings.rows).toFixed(2);
      const told = [
        `${counted(findings.rows, "list")} (${findings.lists}) over ${thousands(items)} labels, ${each} of them relevant`,
        counted(columns, "feature"),
        ...findings.said,
      ];
      notices.push(`${name}: ${told.join(", ")}`, ...findings.notices.map((notice) => `${name}: ${notice}`));
    },
    finish() {
      const { cells, options } = builder!;
      const names = options.featureNames;
      const nameOf = (number: number) => (names ? `attribute ${quote(names[number]!)}` : `feature ${number}`);
      return { data: builder!.finish(), notices: [...notices, ...roundedNotice(cells.rounded, nameOf)] };
    },
  };
}
