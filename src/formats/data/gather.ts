/**
 * One dataset from the bytes of several files in turn, with side files, and a line about each of what was understood.
 * Lists of different files stay different lists, also under the same qid.
 */
import { Builder } from "../../data/build.ts";
import type { Storage } from "../../data/cells.ts";
import { Mistake } from "../../mistake.ts";
import type { Dataset } from "../../types.ts";
import { type CatalogueGatherer, catalogueGatherer } from "./catalogues.ts";
import { csv } from "./csv.ts";
import { counted, type Parser } from "./findings.ts";
import { type DataFormat, dataFormats, type ReadOptions } from "./index.ts";
import { groupRows, type SideFile, weigh } from "./side-files.ts";
import { svmlight } from "./svmlight.ts";

export interface GatherOptions extends ReadOptions {
  readonly labels?: "required" | "optional"; // optional: for ranking lists that nobody has judged
  readonly storage?: Storage;
}

export interface Sides {
  readonly groups?: SideFile;
  readonly weights?: SideFile;
  readonly labels?: SideFile; // names of labels, for ARFF
}

export interface Gatherer {
  /** A parser of the file's bytes, of which `head` are the first. `labels` names the labels of an ARFF file. */
  open(name: string, head: Uint8Array, labels?: SideFile): Parser;
  /** All bytes of the file opened last were pushed. */
  close(sides?: Sides): void;
  finish(): { data: Dataset; notices: readonly string[] };
}

export function gatherer(options: GatherOptions): Gatherer {
  const { labels = "required", storage = "auto" } = options;
  const tellers: ((base: number) => string[])[] = [];
  const qids = new Set<string>();
  let shared = 0;
  let weighted = false;
  let first: { name: string; named: boolean; builder: Builder } | undefined;
  let now: { name: string; parser: Parser; named: boolean; row: number; list: number } | undefined;

  let catalogue: CatalogueGatherer | undefined;
  return {
    open(name, head, labelFile) {
      const format = formatOf(name, head, options.format);
      if (format === "xml-repository" || format === "arff") {
        if (first)
          throw new Mistake(
            `${name}: its lists are a whole catalogue, but those of ${first.name} are not; they cannot be joined`,
          );
        catalogue ??= catalogueGatherer(storage);
        return catalogue.open(name, format, labelFile);
      }
      if (catalogue)
        throw new Mistake(
          `${name}: the lists of the files before are a whole catalogue, and these are not; they cannot be joined`,
        );
      const named = format !== "svmlight";
      first ??= {
        name,
        named,
        builder: new Builder(
          named ? { absent: "missing", storage } : { absent: options.absent, base: options.indexBase, storage },
        ),
      };
      if (named !== first.named)
        throw new Mistake(
          `${name}: its features ${said(named)}, but those of ${first.name} ${said(first.named)}; they cannot be joined`,
        );
      const { builder } = first;
      builder.beginSection();
      const parser = named
        ? csv(name, builder, { ...options, labels, ...(format === "tsv" && { delimiter: "\t" }) })
        : svmlight(name, builder, { indexBase: options.indexBase, labels });
      now = { name, parser, named, row: builder.rows, list: builder.lists };
      return parser;
    },

    close(sides = {}) {
      if (catalogue) return catalogue.close();
      const { name, parser, named, row, list } = now!;
      const { builder } = first!;
      parser.end();
      const { findings } = parser;
      if (findings.rows === 0) throw new Mistake(`${name}: no rows, only ${named ? "a header" : "blank lines and comments"}`);
      if (!sides.groups && !findings.grouped) throw new Mistake(ungrouped(name, named));
      if (sides.groups) findings.lists = groupRows(builder, row, name, sides.groups, findings);
      const weights = sides.weights && weigh(builder, row, list, name, sides.weights, findings);
      weighted ||= findings.weighted;
      for (const qid of builder.sectionNames()) {
        if (qids.has(qid)) shared++;
        qids.add(qid);
      }
      const groups = `${counted(findings.rows, "row")} in ${counted(builder.lists - list, "list")} (${findings.lists})`;
      const scattered = builder.scatteredHere;
      tellers.push((base) => {
        const features = findings.highest < 0 ? "no features" : `features ${base} to ${findings.highest} (${base}-based)`;
        const numbered = [features, `absent = ${options.absent === "zero" ? "0" : "missing"}`];
        return [
          `${name}: ${[groups, ...findings.said, ...(named ? [] : numbered)].join(", ")}`,
          ...findings.notices.map((notice) => `${name}: ${notice}`),
          ...(scattered ? [`${name}: rows of one list were not adjacent and were brought together`] : []),
          ...(findings.missing > 0 ? [`${name}: ${counted(findings.missing, "value")} missing${named ? "" : " (NULL)"}`] : []),
          ...(findings.unlabelled > 0 ? [`${name}: ${counted(findings.unlabelled, "row")} without a label, taken as 0`] : []),
          ...(weights ? [weights] : []),
        ];
      });
    },

    finish() {
      if (catalogue) return catalogue.finish();
      if (!first) throw new Mistake("expected at least one data file, got none");
      const data = first.builder.finish();
      const notices = tellers.flatMap((tell) => tell(data.base));
      if (shared > 0) notices.push(`${counted(shared, "qid")} came again in another file; lists of different files stay apart`);
      if (weighted)
        notices.push(
          data.itemWeights
            ? "the weights of the rows count per item"
            : "the weights of the rows are equal within every list and count per list",
        );
      return { data, notices };
    },
  };
}

const said = (named: boolean) => (named ? "have names" : "have numbers");

function ungrouped(name: string, named: boolean): string {
  const plain = name.replace(/\.gz$/i, "");
  const inside = named ? "say which column names the list with --qid NAME" : "add qid:ID to each row";
  return `${name}: no ${named ? "qid column" : "qid"} and no ${plain}.query or .group beside it; ${inside}, or write the size of each list on a line of ${plain}.query`;
}

/** The format asked for, or that of the ending, or that of the first line that is not blank and not a comment. */
export function formatOf(name: string, head: Uint8Array, asked: ReadOptions["format"] = "auto"): DataFormat["id"] {
  if (asked !== "auto") return asked;
  const plain = name.toLowerCase().replace(/\.gz$/, "");
  const ending = dataFormats.find(({ extensions }) => extensions.some((extension) => plain.endsWith(extension)));
  if (ending) return ending.id;
  const text = new TextDecoder().decode(head.subarray(0, 1 << 16));
  const line = text.split(/\r?\n/).find((one) => !/^\s*(#|$)/.test(one)) ?? "";
  if (/^\s*\d+\s+\d+\s+\d+\s*$/.test(line)) return "xml-repository";
  if (/^\s*(%|@relation\b)/i.test(line)) return "arff";
  const begins = /^\s*(qid:|[+-]?[\d.]+(e[+-]?\d+)?(:\S+)?\s*($|#|\s(qid|\d+):))/i.test(line);
  return begins || !/[,;\t]/.test(line) ? "svmlight" : "csv";
}
