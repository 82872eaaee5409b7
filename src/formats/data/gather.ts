/**
 * One dataset from the bytes of several files in turn, with side files, and a line about each of what was understood.
 * Lists of different files stay different lists, also under the same qid.
 */

import { check, oneOf } from "../../arguments.ts";
import { Builder, type BuilderPart } from "../../data/build.ts";
import { LABEL, type Reserve, type Storage } from "../../data/cells.ts";
import { describeValue, Mistake, quote } from "../../mistake.ts";
import { Heap } from "../../numeric/heap.ts";
import type { Dataset } from "../../types.ts";
import { catalogueGatherer, isCatalogue } from "./catalogues.ts";
import type { Scorer } from "./columns.ts";
import { csv } from "./csv.ts";
import { counted, type Findings, type Parser, roundedNotice } from "./findings.ts";
import { ballotGatherer } from "./gather-ballots.ts";
import { type DataFormat, dataFormats, isBallots, type ReadOptions } from "./index.ts";
import { pairsHeader } from "./pairs.ts";
import { isJudgement, qrels } from "./qrels.ts";
import { groupRows, plain, type SideFile, sizesIn, weigh } from "./side-files.ts";
import { svmlight } from "./svmlight.ts";
import type { Intake } from "./whole-lines.ts";

export interface GatherOptions extends ReadOptions {
  readonly labels?: "required" | "optional"; // optional: for ranking lists that nobody has judged
  readonly storage?: Storage;
  readonly scorer?: Scorer;
  readonly heap?: Heap; // memory of the kernels for the features; who gives it closes it when the data are no longer needed
}

/** Refuses what is no object of options; `readOptions` refuses those that reading does not have. */
export function checkGathering(who: string, options: Partial<GatherOptions>): void {
  if (typeof options !== "object" || options === null)
    throw new Mistake(`${who}: expected options as an object, got ${describeValue(options)}`);
  const { labels, storage, heap } = options;
  if (labels !== undefined) check(`${who}, option labels`, labels, oneOf("required", "optional"));
  if (storage !== undefined) check(`${who}, option storage`, storage, oneOf("auto", "dense", "sparse"));
  if (heap !== undefined) check(`${who}, option heap`, heap, { wanted: "a heap", fits: (value) => value instanceof Heap });
}

/** Files beside a data file. */
export interface Sides {
  readonly groups?: SideFile;
  readonly weights?: SideFile;
  readonly labels?: SideFile; // names the labels of an ARFF file
}

/** Rows that another thread has read. */
export interface Share {
  readonly rows: BuilderPart;
  readonly findings: Findings;
}

export interface Gatherer {
  /**
   * A parser of the file's bytes, of which `head` are the first. `size` is how many come, of this file and those after it, where known.
   */
  open(name: string, head: Uint8Array, size?: number, sides?: Sides): Parser & Partial<Intake>;
  /** Where dense rows that follow would stand. */
  reserve?(): Reserve | undefined;
  /** Takes the next rows of the file from other threads. False: they do not agree, and nothing was taken. */
  join?(shares: readonly Share[]): boolean;
  /** All bytes of the file opened last were pushed. */
  close(): void;
  finish(): { data: Dataset; notices: readonly string[] };
  /** Gives back memory. To be called in any case, in the end. */
  drop?(): void;
}

/** Ballots and rows with features are gathered differently; the first file decides. */
export function gatherer(options: GatherOptions): Required<Gatherer> {
  let chosen: Gatherer | undefined;
  const ballotsOf = (name: string, head: Uint8Array) => {
    const format = formatOf(name, head, options.format);
    if (isBallots(format)) return format;
    throw new Mistake(`${name}: rows with features cannot be joined with the ballots of the files before`);
  };
  const catalogueFormat = (name: string, head: Uint8Array) => {
    const format = formatOf(name, head, options.format);
    if (isCatalogue(format)) return format;
    throw new Mistake(`${name}: the lists of the files before are a whole catalogue, and these are not; they cannot be joined`);
  };
  return {
    open(name, head, size, sides) {
      const format = formatOf(name, head, options.format);
      if (format !== "tiers" && endsLinesByCR(head))
        throw new Mistake(`${name}:1: the lines end with a carriage return alone; convert them to newlines (tr '\\r' '\\n')`);
      chosen ??= isBallots(format)
        ? ballotGatherer(ballotsOf, options)
        : isCatalogue(format)
          ? catalogueGatherer(catalogueFormat, options.storage ?? "auto")
          : rowGatherer(options);
      return chosen.open(name, head, size, sides);
    },
    reserve: () => chosen?.reserve?.(),
    join: (shares) => chosen?.join?.(shares) ?? false,
    close: () => chosen!.close(),
    finish() {
      if (!chosen) throw new Mistake("expected at least one data file, got none");
      return chosen.finish();
    },
    drop: () => chosen?.drop?.(),
  };
}

function rowGatherer(options: GatherOptions): Gatherer {
  const { labels = "required", storage = "auto", heap } = options;
  const scratch = new Heap();
  const rooms = { storage, scratch, ...(heap && { heap }) };
  const tellers: ((base: number) => string[])[] = [];
  const qids = new Set<string>();
  let shared = 0;
  let weighted = false;
  let first: { name: string; named: boolean; builder: Builder } | undefined;
  let now: { name: string; parser: Parser; sides: Sides; named: boolean; row: number; list: number } | undefined;

  return {
    open(name, head, size, sides = {}) {
      const format = formatOf(name, head, options.format);
      if (isCatalogue(format))
        throw new Mistake(`${name}: its lists are a whole catalogue, and those of the files before are not`);
      if (isBallots(format)) throw new Mistake(`${name}: ballots cannot be joined with the rows of the files before`);
      const named = format !== "svmlight";
      first ??= {
        name,
        named,
        builder: new Builder(
          named ? { absent: "missing", ...rooms } : { absent: options.absent, base: options.indexBase, ...rooms },
        ),
      };
      if (named !== first.named)
        throw new Mistake(
          `${name}: its features ${said(named)}, but those of ${first.name} ${said(first.named)}; they cannot be joined`,
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
                grouped: sides.groups !== undefined,
                ...(format === "tsv" && { delimiter: "\t" }),
              })
            : svmlight(name, builder, scratch, { indexBase: options.indexBase, labels, ...(size !== undefined && { size }) });
      now = { name, parser, sides, named, row: builder.rows, list: builder.lists };
      return parser;
    },

    reserve() {
      first!.builder.cells.seal();
      return first!.builder.cells.reserve;
    },

    join(shares) {
      const { builder } = first!;
      const { findings } = now!.parser;
      const full = shares.filter((share) => share.findings.rows > 0);
      const [model = findings] = findings.rows > 0 ? [] : full.map((share) => share.findings);
      const agree = full.every((one) => one.findings.grouped === model.grouped && one.findings.weighted === model.weighted);
      if (!agree) return false;
      findings.grouped = model.grouped;
      findings.weighted = model.weighted;
      for (const share of shares) {
        builder.join(share.rows);
        findings.rows += share.findings.rows;
        findings.missing += share.findings.missing;
        findings.unlabelled += share.findings.unlabelled;
      }
      return true;
    },

    close() {
      const { name, parser, sides, named, row, list } = now!;
      const { builder } = first!;
      parser.end();
      const { findings } = parser;
      if (findings.rows === 0) throw new Mistake(`${name}: no rows, only ${named ? "a header" : "blank lines and comments"}`);
      if (!sides.groups && !findings.grouped)
        throw new Mistake(
          `${name}: no qid and no ${plain(name)}.query or .group beside it; add qid:ID to each row, or ${sizesIn(name)}`,
        );
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
      if (!first) throw new Mistake("expected at least one data file, got none");
      const { builder } = first;
      const data = builder.finish();
      const notices = tellers.flatMap((tell) => tell(data.base));
      const nameOf = (number: number) =>
        number === LABEL ? "the label" : builder.features ? `column ${quote(builder.features[number]!)}` : `feature ${number}`;
      notices.push(...roundedNotice(builder.cells.rounded, nameOf));
      if (shared > 0) notices.push(`${counted(shared, "qid")} came again in another file; lists of different files stay apart`);
      if (weighted)
        notices.push(
          data.itemWeights
            ? "the weights of the rows count per item"
            : "the weights of the rows are equal within every list and count per list",
        );
      return { data, notices };
    },

    drop: () => scratch.close(),
  };
}

const [NEWLINE, RETURN] = [10, 13];

/** Whether a text, of which these are the first bytes, has carriage returns between lines and no newline. */
function endsLinesByCR(head: Uint8Array): boolean {
  const at = head.indexOf(RETURN);
  return at >= 0 && at + 1 < head.length && !head.includes(NEWLINE);
}

const said = (named: boolean) => (named ? "have names" : "have numbers");

/** The format asked for, or that of the ending, or that of the first line that is not blank and not a comment. */
export function formatOf(name: string, head: Uint8Array, asked: ReadOptions["format"] = "auto"): DataFormat["id"] {
  if (asked !== "auto") return asked;
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
