/**
 * Reads several files with their side files into one dataset, with a one-line summary of each. Lists of different files are kept separate,
 * also if they have the same qid.
 */

import { check, oneOf } from "../../arguments.ts";
import { Builder, type BuilderPart } from "../../data/build.ts";
import { LABEL, type Reserve, type Storage } from "../../data/cells.ts";
import { type LabelTiers, type TierSource, withTiers } from "../../data/tier-sources.ts";
import { describeValue, InputError, quote } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import type { Dataset } from "../../types.ts";
import { ballotDatasetReader } from "./ballot-dataset-reader.ts";
import type { Scorer } from "./columns.ts";
import { csv } from "./csv.ts";
import type { LineBuffer } from "./line-buffer.ts";
import { isMultiLabel, multiLabelDatasetReader } from "./multilabel-reader.ts";
import { pairsHeader } from "./pairs.ts";
import { counted, type Parser, type ParseSummary, roundedNotice } from "./parse-summary.ts";
import { isJudgement, qrels } from "./qrels.ts";
import { type DataFormat, dataFormats, isBallots, type ReadOptions, tierSourceOf } from "./read-options.ts";
import { applyWeights, groupFileHint, groupRows, type SideFile, withoutGzip } from "./side-files.ts";
import { svmlight } from "./svmlight.ts";

/** How data are read, and where features are stored. */
export interface DatasetReaderOptions extends ReadOptions {
  /** Whether every row needs a label; "optional" for ranking unjudged lists. Default: "required". */
  readonly labels?: "required" | "optional";
  /** How features are stored. Default: "auto", which is dense when at least a third of the cells are given. */
  readonly storage?: Storage;
  /** What is known of the model that will score the data, for clearer errors. Default: nothing. */
  readonly scorer?: Scorer;
  /** Kernel memory for the features; the caller closes it when the data are no longer needed. */
  readonly heap?: Heap;
}

/** Refuses what is no object of options; `readOptions` refuses those that reading does not have. */
export function checkGathering(who: string, options: Partial<DatasetReaderOptions>): void {
  if (typeof options !== "object" || options === null)
    throw new InputError(`${who}: expected options as an object, got ${describeValue(options)}`);
  const { labels, storage, heap } = options;
  if (labels !== undefined) check(`${who}, option labels`, labels, oneOf("required", "optional"));
  if (storage !== undefined) check(`${who}, option storage`, storage, oneOf("auto", "dense", "sparse"));
  if (heap !== undefined) check(`${who}, option heap`, heap, { wanted: "a heap", fits: (value) => value instanceof Heap });
}

/** Files beside a data file. */
export interface SideFiles {
  readonly groups?: SideFile;
  readonly weights?: SideFile;
  /** Names the labels of an ARFF file. */
  readonly labels?: SideFile;
}

/** Rows that another thread has read. */
export interface ParsedChunk {
  readonly rows: BuilderPart;
  readonly findings: ParseSummary;
}

export interface DatasetReader {
  /**
   * A parser of the file's bytes, of which `head` are the first. `size` is how many come, of this file and those after it, where known.
   */
  open(name: string, head: Uint8Array, size?: number, sideFiles?: SideFiles): Parser & Partial<LineBuffer>;
  /** Where dense rows that follow would stand. */
  reserve?(): Reserve | undefined;
  /** Takes the next rows of the file from other threads. False: they do not agree, and nothing was taken. */
  join?(chunks: readonly ParsedChunk[]): boolean;
  /** All bytes of the file opened last were pushed. */
  close(): void;
  finish(): { data: Dataset; notices: readonly string[] };
  /** Gives back memory. To be called in any case, in the end. */
  drop?(): void;
}

/** Ballots and rows with features are gathered differently; the first file decides. */
export function datasetReader(options: DatasetReaderOptions): Required<DatasetReader> {
  let chosen: DatasetReader | undefined;
  const source = tierSourceOf(options.tiers);
  const ballotsOf = (name: string, head: Uint8Array) => {
    const format = formatOf(name, head, options.format);
    if (isBallots(format)) return format;
    throw new InputError(`${name}: rows with features cannot be combined with the ballots of the preceding files`);
  };
  const multiLabelFormat = (name: string, head: Uint8Array) => {
    const format = formatOf(name, head, options.format);
    if (isMultiLabel(format)) return format;
    throw new InputError(
      `${name}: the lists of the preceding files are multi-label data, but these are not; they cannot be combined`,
    );
  };
  return {
    open(name, head, size, sideFiles) {
      const format = formatOf(name, head, options.format);
      if (format !== "tiers" && endsLinesByCR(head))
        throw new InputError(`${name}:1: the lines end with a carriage return alone; convert them to newlines (tr '\\r' '\\n')`);
      checkTiers(name, format, source);
      chosen ??= isBallots(format)
        ? ballotDatasetReader(ballotsOf, options, source?.from === "pairs" ? source : undefined)
        : isMultiLabel(format)
          ? multiLabelDatasetReader(multiLabelFormat, options.storage ?? "auto")
          : rowDatasetReader(options, source?.from === "labels" && options.labels !== "optional" ? source : undefined);
      return chosen.open(name, head, size, sideFiles);
    },
    reserve: () => chosen?.reserve?.(),
    join: (chunks) => chosen?.join?.(chunks) ?? false,
    close: () => chosen!.close(),
    finish() {
      if (!chosen) throw new InputError("expected at least one data file, got none");
      return chosen.finish();
    },
    drop: () => chosen?.drop?.(),
  };
}

/** Refuses a source of tiers that the file does not have. */
function checkTiers(name: string, format: DataFormat["id"], source: TierSource | undefined): void {
  if (!source || dataFormats.find(({ id }) => id === format)?.tiers === source.from) return;
  const wanted = source.from === "labels" ? "rows with labels" : "a table of pairs with a column voter";
  throw new InputError(`${name}: tiers from ${source.id} need ${wanted}, and this is ${format}; leave out the option tiers`);
}

/** `source` makes tiers of the labels. */
function rowDatasetReader(options: DatasetReaderOptions, source: LabelTiers | undefined): DatasetReader {
  const { labels = "required", storage = "auto", heap } = options;
  const scratch = new Heap();
  const heaps = { storage, scratch, ...(heap && { heap }) };
  const summaries: ((base: number) => string[])[] = [];
  const qids = new Set<string>();
  let shared = 0;
  let weighted = false;
  let first: { name: string; named: boolean; builder: Builder } | undefined;
  let now: { name: string; parser: Parser; sides: SideFiles; named: boolean; row: number; list: number } | undefined;

  return {
    open(name, head, size, sideFiles = {}) {
      const format = formatOf(name, head, options.format);
      if (isMultiLabel(format)) throw new InputError(`${name}: multi-label data cannot be combined with the preceding files`);
      if (isBallots(format)) throw new InputError(`${name}: ballots cannot be combined with the rows of the preceding files`);
      const named = format !== "svmlight";
      first ??= {
        name,
        named,
        builder: new Builder(
          named ? { absent: "missing", ...heaps } : { absent: options.absent, base: options.indexBase, ...heaps },
        ),
      };
      if (named !== first.named)
        throw new InputError(
          `${name}: its features ${featureNaming(named)}, but those of ${first.name} ${featureNaming(first.named)}; they cannot be combined`,
        );
      const { builder } = first;
      builder.beginSection();
      const parser =
        format === "qrels"
          ? qrels(name, builder)
          : named
            ? csv(name, builder, {
                ...options,
                labels,
                grouped: sideFiles.groups !== undefined,
                missingLabels: source?.missing ?? "error",
                ...(format === "tsv" && { delimiter: "\t" }),
              })
            : svmlight(name, builder, scratch, { indexBase: options.indexBase, labels, ...(size !== undefined && { size }) });
      now = { name, parser, sides: sideFiles, named, row: builder.rows, list: builder.lists };
      return parser;
    },

    reserve() {
      first!.builder.cells.seal();
      return first!.builder.cells.reserve;
    },

    join(chunks) {
      const { builder } = first!;
      const { summary } = now!.parser;
      const full = chunks.filter((fraction) => fraction.findings.rows > 0);
      const [model = summary] = summary.rows > 0 ? [] : full.map((fraction) => fraction.findings);
      const agree = full.every((one) => one.findings.grouped === model.grouped && one.findings.weighted === model.weighted);
      if (!agree) return false;
      summary.grouped = model.grouped;
      summary.weighted = model.weighted;
      for (const fraction of chunks) {
        builder.join(fraction.rows);
        summary.rows += fraction.findings.rows;
        summary.missing += fraction.findings.missing;
        summary.unlabelled += fraction.findings.unlabelled;
      }
      return true;
    },

    close() {
      const { name, parser, sides: sideFiles, named, row, list } = now!;
      const { builder } = first!;
      parser.end();
      const { summary } = parser;
      if (summary.rows === 0) throw new InputError(`${name}: no rows, only ${named ? "a header" : "blank lines and comments"}`);
      if (!sideFiles.groups && !summary.grouped)
        throw new InputError(
          `${name}: no qid and no ${withoutGzip(name)}.query or .group beside it; add qid:ID to each row, or ${groupFileHint(name)}`,
        );
      if (sideFiles.groups) summary.lists = groupRows(builder, row, name, sideFiles.groups, summary);
      const weights = sideFiles.weights && applyWeights(builder, row, list, name, sideFiles.weights, summary);
      weighted ||= summary.weighted;
      for (const qid of builder.sectionNames()) {
        if (qids.has(qid)) shared++;
        qids.add(qid);
      }
      const groups = `${counted(summary.rows, "row")} in ${counted(builder.lists - list, "list")} (${summary.lists})`;
      const scattered = builder.scatteredHere;
      summaries.push((base) => {
        const features = summary.highest < 0 ? "no features" : `features ${base} to ${summary.highest} (${base}-based)`;
        const numbered = [features, `absent = ${options.absent === "zero" ? "0" : "missing"}`];
        return [
          `${name}: ${[groups, ...summary.details, ...(named ? [] : numbered)].join(", ")}`,
          ...summary.notices.map((notice) => `${name}: ${notice}`),
          ...(scattered ? [`${name}: rows of some lists were not adjacent and have been grouped`] : []),
          ...(summary.missing > 0 ? [`${name}: ${counted(summary.missing, "value")} missing${named ? "" : " (NULL)"}`] : []),
          ...(summary.unlabelled > 0 ? [`${name}: ${counted(summary.unlabelled, "row")} without a label, taken as 0`] : []),
          ...(weights ? [weights] : []),
        ];
      });
    },

    finish() {
      if (!first) throw new InputError("expected at least one data file, got none");
      const { builder } = first;
      const { data, notices: tierNotices } = tiersOf(first.name, builder.finish(), source);
      const notices = summaries.flatMap((summary) => summary(data.base));
      const nameOf = (number: number) =>
        number === LABEL ? "the label" : builder.features ? `column ${quote(builder.features[number]!)}` : `feature ${number}`;
      notices.push(...roundedNotice(builder.cells.rounded, nameOf), ...tierNotices);
      if (shared > 0)
        notices.push(`${counted(shared, "qid")} occur in several files; lists of different files are kept separate`);
      if (weighted)
        notices.push(
          data.itemWeights
            ? "row weights are used as item weights"
            : "row weights are equal within every list and are used as list weights",
        );
      return { data, notices };
    },

    drop: () => scratch.close(),
  };
}

/** The data with tiers from the source, and what to say about it. */
function tiersOf(name: string, given: Dataset, source: LabelTiers | undefined): { data: Dataset; notices: readonly string[] } {
  if (!source) return { data: given, notices: [] };
  const { data, rows, lists } = withTiers(given, source);
  if (data.labels.length === 0) throw new InputError(`${name}: tiers from ${source.id}: all rows are ${source.leftOut}`);
  const whole = lists === 0 ? "" : `, among them all rows of ${counted(lists, "list")}`;
  const left = rows === 0 ? "no row is left out" : `${counted(rows, "row")} left out (${source.leftOut})${whole}`;
  return { data, notices: [`tiers from ${source.spec}: ${left}`] };
}

const [NEWLINE, RETURN] = [10, 13];

/** Whether a text, of which these are the first bytes, has carriage returns between lines and no newline. */
function endsLinesByCR(head: Uint8Array): boolean {
  const at = head.indexOf(RETURN);
  return at >= 0 && at + 1 < head.length && !head.includes(NEWLINE);
}

const featureNaming = (named: boolean) => (named ? "have names" : "have numbers");

/** The requested format, or that of the file extension, or that of the first line that is neither blank nor a comment. */
export function formatOf(name: string, head: Uint8Array, requested: ReadOptions["format"] = "auto"): DataFormat["id"] {
  if (requested !== "auto") return requested;
  const plain = name.toLowerCase().replace(/\.gz$/, "");
  const ending = dataFormats.find(({ extensions }) => extensions.some((extension) => plain.endsWith(extension)));
  const text = new TextDecoder().decode(head.subarray(0, 1 << 16)).replace(/^\uFEFF/, "");
  const line = text.split(/\r?\n/).find((one) => !/^\s*(#|$)/.test(one)) ?? "";
  if ((ending?.id === "csv" || ending?.id === "tsv" || !ending) && pairsHeader(line)) return "pairs";
  if (ending) return ending.id;
  if (/^\s*\d+\s+\d+\s+\d+\s*$/.test(line)) return "xml-repository";
  if (/^\s*(%|@relation\b)/i.test(line)) return "arff";
  if (/^# (NUMBER ALTERNATIVES|ALTERNATIVE NAME 1):/m.test(text)) return "preflib";
  if (isJudgement(line)) return "qrels";
  const begins = /^\s*(qid:|[+-]?[\d.]+(e[+-]?\d+)?(:\S+)?\s*($|#|\s(qid|\d+):))/i.test(line);
  if (!begins && /^\s*[[{]/.test(line)) return "tiers";
  if (!begins && /[^\s>]\s*>\s*\S/.test(line)) return "orders";
  return begins || !/[,;\t]/.test(line) ? "svmlight" : "csv";
}
