/** Reads several files with their side files into one dataset, with a one-line summary of each. */
import { check, oneOf } from "../../arguments.ts";
import type { FeatureStorage } from "../../data/blocks.ts";
import type { AgreedRows, BuilderPart, RowFacts } from "../../data/builder.ts";
import { checkDirection } from "../../data/label-order.ts";
import type { Reserve } from "../../data/reserve.ts";
import type { RowSink } from "../../data/row-sink.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import type { TierSource } from "../../data/tier-sources.ts";
import { describeValue, InputError } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import type { Dataset } from "../../types.ts";
import { ballotReader } from "./ballot-reader.ts";
import { atRow, joined, tableParser } from "./columnar/table-format.ts";
import { headerText, rowTexts } from "./columnar/table-text.ts";
import type { Scorer } from "./columns.ts";
import type { AnyDataFormat, BallotFormat, RowFormat } from "./format.ts";
import { ballotTable, type DataFormatId, formatOf } from "./formats.ts";
import type { LineBuffer } from "./line-buffer.ts";
import { multiLabelReader } from "./multilabel-reader.ts";
import { emptySummary, type Parser, type ParseSummary } from "./parse-summary.ts";
import { type ReadOptions, tierSourceOf } from "./read-options.ts";
import { rowReader } from "./row-reader.ts";
import type { SideFile } from "./side-files.ts";
import type { ColumnSummary } from "./table-list.ts";
import { belowTitles } from "./title-lines.ts";

/** How data are read, and where features are stored. */
export interface DatasetReaderOptions extends ReadOptions {
  /** Whether every row needs a label; "optional" for ranking unjudged lists. Default: "required". */
  readonly labels?: "required" | "optional";
  /** How features are stored. Default: "auto", which is dense when at least a third of the cells are given. */
  readonly storage?: FeatureStorage;
  /** What is known of the model that will score the data, for clearer errors. Default: nothing. */
  readonly scorer?: Scorer;
  /** Kernel memory for the features; the caller closes it when the data are no longer needed. */
  readonly heap?: Heap;
  /** Takes the features of rows, instead of a matrix. Only files of rows have them. */
  readonly sink?: RowSink;
  /** Tables are collected as columns before their rows are made; without it, the first word among numbers throws `NeedsColumns`. */
  readonly columns?: boolean;
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
  readonly positions?: SideFile;
  /** Names the labels of an ARFF file. */
  readonly labels?: SideFile;
}

/** Rows that another thread has read. */
export interface ParsedChunk {
  readonly rows: BuilderPart;
  readonly findings: ParseSummary;
}

/** What was read. */
export interface ReadRows {
  readonly data: Dataset;
  readonly notices: readonly string[];
  /** Describes the columns of tables, where these were collected. */
  readonly describe?: () => readonly ColumnSummary[];
}

export interface DatasetReader {
  /**
   * A parser of the file's bytes, of which `head` are the first. `size` is how many come, of this file and those after it, where known.
   */
  open(name: string, head: Uint8Array, size?: number, sideFiles?: SideFiles): Parser & Partial<LineBuffer>;
  /** Takes a table whose source hands it over as columns. */
  addTable?(table: SourceTable, sideFiles?: SideFiles): void;
  /** Takes a table with features of items or lists, before all others. */
  addSide?(role: "items" | "lists", table: SourceTable): void;
  /** Where dense rows that follow would stand. */
  reserve?(): Reserve | undefined;
  /** How many rows were read so far, of all files. */
  rows?(): number;
  /** Takes the next rows of the file from other threads. False: they do not agree, and nothing was taken. */
  join?(chunks: readonly ParsedChunk[]): boolean;
  /** All bytes of the file opened last were pushed. */
  close(): void;
  /** What is known of the rows so far, for other processes that read other parts of the files. */
  facts?(): RowFacts | undefined;
  /** `agreed` is what processes have agreed on. */
  finish(agreed?: AgreedRows): ReadRows;
  /** Gives back memory. To be called in any case, in the end. */
  drop?(): void;
}

/** Reads the files of one kind of format, which `datasetReader` checks before. */
export interface KindReader<F extends AnyDataFormat> extends Omit<DatasetReader, "open"> {
  open(file: OpenedFile<F>): Parser & Partial<LineBuffer>;
}

/** A data file that is about to be parsed. */
export interface OpenedFile<F extends AnyDataFormat> {
  readonly name: string;
  readonly format: F;
  /** Bytes of this file and those after it, where known. */
  readonly size: number | undefined;
  readonly sideFiles: SideFiles;
  /** Names a line in notices, where it is not the line of a file. */
  readonly place?: (line: number) => string;
}

/** The format of the first file decides which kind of data is read; files of another kind are refused. */
export const datasetReader = (options: DatasetReaderOptions): Required<DatasetReader> =>
  belowTitles(readerOfFiles(options), options);

function readerOfFiles(options: DatasetReaderOptions): Required<DatasetReader> {
  let kind: AnyDataFormat["kind"] | undefined;
  let chosen: KindReader<AnyDataFormat> | undefined;
  checkDirection(options);
  const source = tierSourceOf(options.tiers);
  const readers: Readonly<Record<AnyDataFormat["kind"], () => KindReader<AnyDataFormat>>> = {
    rows: () => rowReader(options, source?.from === "labels" && options.labels !== "optional" ? source : undefined),
    ballots: () => ballotReader(options, source?.from === "pairs" ? source : undefined),
    "multi-label": () => multiLabelReader(options.storage ?? "auto"),
  };
  const sides: { readonly role: "items" | "lists"; readonly table: SourceTable }[] = [];
  const choose = (wanted: AnyDataFormat["kind"]): KindReader<AnyDataFormat> => {
    if (chosen) return chosen;
    chosen = readers[wanted]();
    for (const { role, table } of sides) chosen.addSide!(role, table);
    return chosen;
  };
  const open = (file: OpenedFile<AnyDataFormat>) => {
    const { name, format } = file;
    checkTiers(name, format, source);
    kind ??= format.kind;
    if (format.kind !== kind) throw new InputError(`${name}: ${refusal(kind, format.kind)}`);
    if (options.sink && kind !== "rows")
      throw new InputError(
        `${name}: reading in two rounds keeps the bins of features, and ${kind} have none that trees could split; leave it out`,
      );
    const [side] = sides;
    if (side && kind !== "rows")
      throw new InputError(`${name}: --${side.role} adds features to the rows of a table, and this is ${format.id}`);
    return choose(kind).open(file);
  };
  /** The format of ballots that a table has by its columns, as text of the same columns would be recognized. */
  const ballotsOf = ({ columns }: SourceTable) => (options.format === "auto" ? ballotTable(columns) : undefined);
  const addBallots = (table: SourceTable, format: BallotFormat<DataFormatId>, sideFiles: SideFiles) => {
    const place = (line: number) => table.where?.(line - 2) ?? `${table.name}, row ${line - 1}`; // a line is a row, after the header
    pushTable(table, format, open({ name: table.name, format, size: undefined, sideFiles, place }));
    try {
      chosen!.close();
    } catch (error) {
      throw error instanceof InputError ? atRow(error, table.name, table, rowNumbers(table)) : error;
    }
  };
  /** A file that becomes a table when all of its bytes are there: only then it is known of what. */
  let whole: { readonly file: OpenedFile<RowFormat<DataFormatId>>; readonly chunks: Uint8Array[] } | undefined;
  const closeWhole = ({ file, chunks }: NonNullable<typeof whole>) => {
    const table = file.format.whole!(file.name, joined(chunks));
    const ballots = ballotsOf(table);
    if (ballots) return addBallots(table, ballots, file.sideFiles);
    const read = { push() {}, end: () => table };
    const format: RowFormat<DataFormatId> = {
      ...file.format,
      parser: (name, builder, context) => tableParser(name, builder, context, read),
    };
    open({ ...file, format });
    chosen!.close();
  };
  return {
    open(name, head, size, sideFiles = {}) {
      const format = formatOf(name, head, options.format);
      if (!format.json && !format.binary && endsLinesByCR(head))
        throw new InputError(`${name}:1: the lines end with a carriage return alone; convert them to newlines (tr '\\r' '\\n')`);
      if (format.kind !== "rows" || !format.whole) return open({ name, format, size, sideFiles });
      const chunks: Uint8Array[] = [];
      whole = { file: { name, format, size, sideFiles }, chunks };
      return { summary: emptySummary(""), push: (bytes) => void chunks.push(bytes), end() {} };
    },
    addTable(table, sideFiles) {
      const ballots = ballotsOf(table);
      if (ballots) return addBallots(table, ballots, sideFiles ?? {});
      kind ??= "rows";
      if (kind !== "rows") throw new InputError(`${table.name}: ${refusal(kind, "rows")}`);
      choose("rows").addTable!(table, sideFiles);
    },
    addSide: (role, table) => void sides.push({ role, table }),
    reserve: () => chosen?.reserve?.(),
    rows: () => chosen?.rows?.() ?? 0,
    join: (chunks) => chosen?.join?.(chunks) ?? false,
    close() {
      const file = whole;
      whole = undefined;
      if (file) closeWhole(file);
      else chosen!.close();
    },
    facts: () => chosen?.facts?.(),
    finish(agreed) {
      if (!chosen) throw new InputError("expected at least one data file, got none");
      return chosen.finish(agreed);
    },
    drop: () => chosen?.drop?.(),
  };
}

/** Hands over the rows of a table as the text of the columns that the format reads. */
function pushTable(table: SourceTable, format: BallotFormat, parser: Parser): void {
  const wanted = new Set(format.columnsOf!(table.columns));
  const places = table.columns.flatMap((name, c) => (wanted.has(name) ? [c] : []));
  const batches = table.batches.map(({ rows, columns }) => ({ rows, columns: places.map((c) => columns[c]!) }));
  const columns = places.map((c) => table.columns[c]!);
  try {
    parser.push(headerText(columns));
    for (const text of rowTexts({ ...table, columns, batches }, () => {})) parser.push(text);
  } catch (error) {
    throw error instanceof InputError ? atRow(error, table.name, table, rowNumbers(table)) : error;
  }
}

/** Formats of ballots count rows, not lines. */
const rowNumbers = ({ batches }: SourceTable): number[] =>
  Array.from({ length: batches.reduce((sum, { rows }) => sum + rows, 0) }, (_, row) => row);

/** Why a file of one kind cannot be combined with those before it. */
function refusal(before: AnyDataFormat["kind"], now: AnyDataFormat["kind"]): string {
  if (before === "ballots") return "rows with features cannot be combined with the ballots of the preceding files";
  if (before === "multi-label")
    return "the lists of the preceding files are multi-label data, but these are not; they cannot be combined";
  return now === "ballots"
    ? "ballots cannot be combined with the rows of the preceding files"
    : "multi-label data cannot be combined with the preceding files";
}

/** Refuses a source of tiers that the file does not have. */
function checkTiers(name: string, format: AnyDataFormat, source: TierSource | undefined): void {
  if (!source || format.tiers === source.from) return;
  const wanted = source.from === "labels" ? "rows with labels" : "a table of pairs with a column voter";
  throw new InputError(`${name}: tiers from ${source.id} need ${wanted}, and this is ${format.id}; leave out the option tiers`);
}

const [NEWLINE, RETURN] = [10, 13];

/** Whether a text, of which these are the first bytes, has carriage returns between lines and no newline. */
function endsLinesByCR(head: Uint8Array): boolean {
  const at = head.indexOf(RETURN);
  return at >= 0 && at + 1 < head.length && !head.includes(NEWLINE);
}
