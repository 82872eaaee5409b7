/**
 * Separated text: CSV (RFC 4180: quotes, doubled quotes and newlines inside them), TSV and others, as bytes. The delimiter is the one of comma,
 * semicolon, tab and bar that the header holds most of, unless it is given by an option or by a first line `sep=;`; a blank where the header is words in quotes. Lines that begin with # before
 * the header, and later ones that do not have the cells of a row, are comments; so are the lines that psql and COPY of PostgreSQL put around rows. A first row with one cell more than the header has the names
 * of rows first, as R writes them.
 *
 * A table of numbers goes straight into the builder (csv-direct.ts); otherwise all rows are collected as columns (csv-columns.ts).
 * Long, because it holds every form that programs write rows in: each is decided while the bytes pass, so that nothing is read twice.
 */
import { counted } from "../../counted.ts";
import { Builder } from "../../data/builder.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { InputError, quote } from "../../input-error.ts";
import { asText } from "../../numeric/numeral.ts";
import { suggest } from "../../part.ts";
import { assignRoles, checkNeeded, hasColumn, isOneList, ONE_LIST, type Roles } from "./columns.ts";
import { Cells, escapedLines, hasEscapedQuote, isBlankSeparated, sniff, sniffRow } from "./csv-cells.ts";
import { CollectedRows } from "./csv-columns.ts";
import { DirectRows, NeedsColumns } from "./csv-direct.ts";
import type { RowContext, RowFormat } from "./format.ts";
import { lines } from "./lines.ts";
import { isMemberOf, needsMembers } from "./nested-texts.ts";
import { emptyNotice, emptySummary, type Parser, type ParseSummary } from "./parse-summary.ts";
import { PsqlTable } from "./psql-table.ts";
import type { ReadOptions } from "./read-options.ts";
import { groupFileHint } from "./side-files.ts";

/** Options of reading that concern every source of tables. */
export const tableOptions = [
  ...[
    "label",
    "qid",
    "weight",
    "id",
    "ignore",
    "tiers",
    "categories",
    "dateColumns",
    "timeColumns",
    "maxCategories",
    "missingValues",
    "decimal",
  ],
  ...[
    "lowerIsBetter",
    "higherIsBetter",
    "labelOrder",
    "labelLast",
    "labelMissing",
    "ballots",
    "duplicates",
    "joinLists",
    "items",
    "lists",
  ],
] as readonly (keyof ReadOptions)[];

const shared = {
  options: [...tableOptions, "skipLines", "separator", "header"] as readonly (keyof ReadOptions)[],
  tiers: "labels",
  kind: "rows",
  features: "named",
  table: true,
} as const;

export const csv: RowFormat<"csv"> = {
  id: "csv",
  about: "a table with a header, cells between commas, semicolons, tabs or bars",
  extensions: [".csv"],
  ...shared,
  sniff: (line) => /[,;\t|]/.test(line) || isBlankSeparated(line),
  parser: (file, builder, context) => parser(file, builder, context),
};

export const tsv: RowFormat<"tsv"> = {
  id: "tsv",
  about: "a table with a header, cells between tabs",
  extensions: [".tsv", ".tab"],
  ...shared,
  parser: (file, builder, context) => parser(file, builder, context, "\t"),
};

/** What psql prints before a table when settings change. */
export const PSQL_MESSAGE =
  /^(Null display is |Timing is |Pager (usage )?is |Output format is |Expanded display is |Border style is |Line style is |Tuples only is |You are now connected |SET\s*$)/;
const LONGEST_MESSAGE = 200; // bytes that are looked at

const MOST_COLUMNS = 1 << 20; // names beyond that would take gigabytes
const [HASH, CARRIAGE_RETURN, BLANK, TAB, BAR] = [35, 13, 32, 9, 124];

const OTHER_ENCODING = "the text is not UTF-8 and is read as Windows-1252; if letters are wrong, save it as UTF-8";

/** What to do about quotes after backslashes that do not make cells. */
const ESCAPED_ADVICE =
  '; if R wrote this, write.table(qmethod = "double") writes quotes so that they can be told from its backslashes';

/** Without a delimiter, that of the header is used. */
function parser(file: string, builder: Builder, options: RowContext, given?: string): Parser {
  const table = new SeparatedText(file, builder, options, delimiterFrom(options.separator) ?? given?.charCodeAt(0) ?? 0);
  const splitter = lines(
    (bytes, from, to) => table.record(bytes, from, to),
    () => `${file}:${table.next}`,
    {
      quotes: true,
      escapes: () => table.escapes,
      literal: () => table.isDrawn,
      rest: () => table.rest,
      closes: (bytes, from, to) => table.closes(bytes, from, to),
    },
  );
  return {
    summary: table.summary,
    push: splitter.push,
    end() {
      splitter.end();
      table.end();
    },
  };
}

/** Where the rows of a table begin, and how the list of a row is found. */
export interface TableHead {
  /** Bytes up to the first row. */
  readonly end: number;
  /** Number of cells of a row. */
  readonly columns: number;
  /** The column that names the list. */
  readonly qid: number;
  /** Character code. */
  readonly delimiter: number;
}

/** What the header of a table says, of which `bytes` are the first; undefined where there is none, or the rows have no list. */
export function tableHead(file: string, bytes: Uint8Array, options: RowContext, given?: string): TableHead | undefined {
  if (!options.header) return undefined;
  const table = new SeparatedText(file, new Builder(), options, delimiterFrom(options.separator) ?? given?.charCodeAt(0) ?? 0);
  let end = 0;
  const splitter = lines(
    (line, from, to) => {
      if (table.columns !== undefined || line.buffer !== bytes.buffer) return;
      table.record(line, from, to);
      end = to + 1;
    },
    () => file,
    { quotes: true },
  );
  splitter.push(bytes);
  const { columns, qid, delimiter } = table;
  return columns === undefined || qid < 0 ? undefined : { end, columns, qid, delimiter };
}

/** The character code of a separator as the option writes it; undefined: it is found in the header. */
export function delimiterFrom(separator: string): number | undefined {
  if (separator === "auto") return undefined;
  return separator === "tab" ? 9 : separator === "space" ? BLANK : separator.charCodeAt(0);
}

class SeparatedText {
  readonly summary = emptySummary("");
  /** The line after the last record. */
  next = 1;
  /** Where a record begins in the one before that goes on after it, or -1. */
  rest = -1;
  private line = 0; // of the start of the record
  private readonly file: string;
  private readonly builder: Builder;
  private readonly options: RowContext;
  private readonly cells: Cells;
  /** Of columns; undefined before the header. */
  private names: string[] | undefined;
  private direct: DirectRows | undefined;
  private collected: CollectedRows | undefined;
  /** Cells of a row before the first column that has a name in the header: 0, or 1 for names of rows. */
  private first: number | undefined;
  /** The line of the header, until the next line shows whether psql drew the table. */
  private drawnHeader: string | undefined;
  private drawn: PsqlTable | undefined;
  /** Whether the last line of COPY was met. */
  private isCopy = false;
  /** The column of the list, or -1. */
  qid = -1;
  private readonly where = () => `${this.file}:${this.line}`;

  constructor(file: string, builder: Builder, options: RowContext, delimiter: number) {
    this.file = file;
    this.builder = builder;
    this.options = options;
    this.cells = new Cells(delimiter, (text) => this.fail(text));
    this.cells.escapes = delimiter === BLANK;
  }

  /** Number of columns; undefined before the header. */
  get columns(): number | undefined {
    return this.names?.length;
  }

  get delimiter(): number {
    return this.cells.delimiter;
  }

  /** Whether psql drew the table, in which quotes are parts of texts. */
  get isDrawn(): boolean {
    return this.drawn !== undefined;
  }

  /** Whether quotes after a backslash are parts of texts. */
  get escapes(): boolean {
    return this.cells.escapes;
  }

  record(bytes: Uint8Array, from: number, to: number): void {
    if (!this.drawn?.isOpen) this.line = this.next;
    this.rest = -1;
    for (let p = bytes.indexOf(10, from); ; p = bytes.indexOf(10, p + 1)) {
      this.next++;
      if (p >= to) break;
    }
    if (to > from && bytes[to - 1] === CARRIAGE_RETURN) to--;
    let blank = true;
    for (let p = from; blank && p < to; p++) blank = bytes[p] === BLANK;
    if (blank) return;
    if (this.names && this.isEmpty(bytes, from, to)) this.summary.empty = (this.summary.empty ?? 0) + 1;
    else if (this.names) this.row(bytes, from, to, this.names);
    else this.beforeHeader(bytes, from, to);
  }

  /** Takes the rest of the text, in which a quote is open, if quotes after backslashes close it. */
  closes(bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.names || !hasEscapedQuote(bytes.subarray(from, to))) return false;
    this.line = this.next;
    if (this.escapes) this.fail(`a quote opens here and is not closed${ESCAPED_ADVICE}`);
    this.withEscapes(bytes, from, to, this.names);
    return this.rest < 0;
  }

  /** After the last record: hands over what was collected. */
  end(): void {
    if (this.drawn?.isOpen) this.fail("the text goes on after its last line by the \"+\" at its end; psql --csv writes it so that it can be read"); // biome-ignore format: one line
    const other = this.cells.hasOtherEncoding ? [OTHER_ENCODING] : [];
    if (!this.collected || !this.names) {
      this.direct?.end();
      this.summary.notices.push(...other);
      return;
    }
    const notices = this.first ? ["the rows have one cell more than the header: the first is taken as the name of the row and left out"] : []; // biome-ignore format: one line
    const collected = this.collected.table(this.file, this.names, [...notices, ...emptyNotice(this.summary), ...other]);
    const table = this.cells.delimiter === TAB && (this.isCopy || hasNulls(collected)) ? decodedCopy(collected) : collected;
    this.options.collect!({ ...table, separator: String.fromCharCode(this.cells.delimiter) });
  }

  /** Whether a row has delimiters alone, as Excel writes below a table. Where a side file counts the rows, it is one of them. */
  private isEmpty(bytes: Uint8Array, from: number, to: number): boolean {
    const { delimiter } = this.cells;
    if (bytes[from] !== delimiter || this.options.grouped) return false;
    let p = from;
    while (p < to && (bytes[p] === delimiter || bytes[p] === BLANK)) p++;
    return p === to;
  }

  private beforeHeader(bytes: Uint8Array, from: number, to: number): void {
    if (bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) from += 3;
    if (bytes[from] === HASH || PSQL_MESSAGE.test(asText(bytes, from, Math.min(to, from + LONGEST_MESSAGE)))) return;
    const separator = to - from === 5 ? /^sep=(.)$/i.exec(asText(bytes, from, to)) : undefined;
    if (separator) {
      if (this.options.separator === "auto") this.cells.delimiter = separator[1]!.charCodeAt(0);
      return;
    }
    this.header(bytes, from, to);
  }

  private header(bytes: Uint8Array, from: number, to: number): void {
    const { options, cells } = this;
    cells.delimiter ||= options.header ? sniff(bytes, from, to) : sniffRow(bytes, from, to);
    if (cells.delimiter === BLANK) cells.escapes = true;
    const count = cells.split(bytes, from, to);
    if (count > MOST_COLUMNS)
      this.fail(
        `the header has ${count} columns, and a table can have ${MOST_COLUMNS}; write wide data as SVMlight, where features have numbers`,
      );
    const names = Array.from({ length: count }, (_, column) => (options.header ? cells.name(bytes, column) : String(column)));
    this.names = names;
    if (cells.delimiter === BAR && options.header) this.drawnHeader = asText(bytes, from, to);
    if (options.keyOf) this.collected = new CollectedRows(count, new Set([options.keyOf(names)]), options);
    else this.assign(names);
    if (!options.header) this.row(bytes, from, to, names);
  }

  private assign(names: readonly string[]): void {
    const { options } = this;
    if (options.scorer?.numbered)
      this.fail(
        "the model knows its features by number, but the columns of a table have names; use data with numbered features, or train on a table",
      );
    if (!options.collect && needsMembers(names, options.scorer)) throw new NeedsColumns();
    // Columns of tables that are joined later may be ignored too, and members of columns.
    const isJoined = (options.items ?? "") !== "" || (options.lists ?? "") !== "";
    const isLater = (name: string) => (isJoined || isMemberOf(names, name)) && !hasColumn(names, name);
    const ignore = (options.ignore ?? []).filter((name) => !isLater(name));
    const later = options.collect && options.scorer ? { scorer: { ...options.scorer, unknownFeatures: "ignore" as const } } : {}; // of members nothing is known yet
    const roles = assignRoles(this.where(), names, { ...options, ...later, ignore });
    const isOne = isOneList(roles, options);
    if (roles.qid < 0 && !options.grouped && !isOne) this.fail(noLists(this.file, names, roles));
    this.qid = roles.keys.length > 1 ? -1 : roles.qid;
    if (options.collect) this.collected = new CollectedRows(names.length, new Set([...roles.keys, roles.id]), options);
    else this.direct = this.directRows(names, roles);
  }

  private directRows(names: readonly string[], roles: Roles): DirectRows {
    checkNeeded(this.where(), names, roles, this.options);
    const features = roles.features.map((column) => names[column]!);
    if (features.length === 0 && roles.id >= 0 && this.options.ballots === "auto") throw new NeedsColumns();
    summarizeColumns(this.summary, names, roles, features, this.options.label === "");
    if (!this.options.grouped && isOneList(roles, this.options)) oneList(this.summary);
    const place = matchFeatures(this.where(), this.builder, features);
    const numbers = new Int32Array(names.length).fill(-1);
    for (const column of roles.features) numbers[column] = place.get(names[column]!)!;
    return new DirectRows(this.builder, this.options, this.summary, { names, roles, numbers });
  }

  private row(bytes: Uint8Array, from: number, to: number, names: readonly string[]): void {
    const header = this.drawnHeader;
    this.drawnHeader = undefined;
    if (header !== undefined)
      this.drawn = PsqlTable.below(header, asText(bytes, from, Math.min(to, from + header.length + 1)), (text) =>
        this.fail(text),
      );
    const { drawn } = this;
    if (!drawn) this.separatedRow(bytes, from, to, names);
    else if (drawn.isOpen || !isFrame(bytes, from, to)) {
      const row = drawn.row(this.cells.decoded(bytes, from, to));
      if (row !== undefined) this.drawnRow(row, names);
    }
  }

  /** Takes a row of a table that psql drew. */
  private drawnRow(row: string, names: readonly string[]): void {
    const bytes = new TextEncoder().encode(`${row}\n`);
    this.separatedRow(bytes, 0, bytes.length - 1, names);
  }

  private separatedRow(bytes: Uint8Array, from: number, to: number, names: readonly string[]): void {
    const { first } = this;
    try {
      if (!this.isRow(bytes, from, to, names)) return;
    } catch (error) {
      if (!(error instanceof InputError) || this.escapes || !hasEscapedQuote(bytes.subarray(from, to))) throw error;
      this.first = first;
      this.withEscapes(bytes, from, to, names, error);
      return;
    }
    if (this.direct && (this.first! > 0 || this.direct.keys > 1)) throw new NeedsColumns();
    if (this.direct) this.direct.row(bytes, this.cells, this.where);
    else {
      this.summary.rows++;
      this.collected!.row(bytes, this.cells, this.line, this.first!);
    }
  }

  /**
   * Takes a record, or several, whose cells come out right only if quotes after a backslash are parts of texts, as R writes them; so they are in the
   * rest of the file. Otherwise `error` says what is wrong with it.
   */
  private withEscapes(bytes: Uint8Array, from: number, to: number, names: readonly string[], error?: InputError): void {
    const { first, line } = this;
    this.cells.escapes = true;
    const { ends, rest } = escapedLines(bytes, from, to);
    try {
      let start = from;
      for (const end of ends) {
        const bare = bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
        if (bare > start) this.isRow(bytes, start, bare, names);
        start = end + 1;
      }
    } catch (other) {
      if (!(other instanceof InputError)) throw other;
      throw new InputError(`${(error ?? other).message}${ESCAPED_ADVICE}`);
    }
    this.first = first;
    this.next = line;
    let start = from;
    for (const end of ends) {
      this.record(bytes, start, end);
      start = end + 1;
    }
    this.rest = rest;
  }

  /** Finds the cells of a row; false for lines that are none. */
  private isRow(bytes: Uint8Array, from: number, to: number, names: readonly string[]): boolean {
    const { cells } = this;
    const count = cells.split(bytes, from, to);
    this.first ??= count === names.length + 1 && bytes[from] !== HASH ? 1 : 0;
    if (count !== names.length + this.first) {
      if (count === 1 && asText(bytes, from, Math.min(to, from + 3)) === "\\.") this.isCopy = true;
      if (bytes[from] === HASH || (count === 1 && isFrame(bytes, from, to))) return false;
      this.fail(`expected ${names.length + this.first} cells as in the ${this.first ? "rows before" : "header"}, got ${count}`);
    }
    return true;
  }

  private fail(text: string): never {
    throw new InputError(`${this.where()}: ${text}`);
  }
}

/** The word for rows in the languages of psql. */
const ROWS =
  "rows?|Zeilen?|lignes?|filas?|righe|riga|linhas?|registros?|строк[аи]?|wierszy?|wiersze|rad|rader|řád(?:ka|ky|ek)|satır|ряд(?:ок|ки|ків)|行(?:记录)?";
/** Also the time that \timing prints, "Time: 1.234 ms". */
const FRAME = new RegExp(`^(\\\\\\.|-+(\\+-+)*|\\(\\d+ (?:${ROWS})\\)|\\p{L}+ ?: \\d+[.,]\\d+ ms( \\([\\d:.,]+\\))?)$`, "u");
const LONGEST_FRAME = 10_000; // bytes

/** Whether a line belongs to the frame of a table of PostgreSQL: dashes below the header and the number of rows of psql, or the end of COPY. */
const isFrame = (bytes: Uint8Array, from: number, to: number) =>
  to - from < LONGEST_FRAME && FRAME.test(asText(bytes, from, to).trim());

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Whether some cell is `\\N`, the missing value of COPY. */
const hasNulls = ({ batches }: SourceTable) =>
  batches.some(({ columns }) => columns.some((column) => column.kind === "text" && column.dictionary.includes("\\N")));

/** The table of COPY of PostgreSQL without backslashes in its texts. */
function decodedCopy(table: SourceTable): SourceTable {
  const decoded = (text: string) =>
    text === "\\N" ? text : text.replace(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
  const batches = table.batches.map(({ rows, columns }) => ({
    rows,
    columns: columns.map((column) =>
      column.kind === "text" ? { ...column, dictionary: column.dictionary.map(decoded) } : column,
    ),
  }));
  return { ...table, batches };
}

/** What the summary of a file says of its columns; features are named where their `names` are wanted. */
export function summarizeColumns(
  summary: ParseSummary,
  names: readonly string[],
  roles: Roles,
  features: readonly string[],
  named: boolean,
): void {
  summary.notices.push(...roles.notices);
  if (roles.qid >= 0)
    summary.lists = `${roles.keys.length > 1 ? "columns" : "column"} ${roles.keys.map((key) => quote(names[key]!)).join(", ")}`;
  for (const role of ["label", "weight", "id"] as const)
    if (roles[role] >= 0) summary.details.push(`${role} ${quote(names[roles[role]]!)}`);
  summary.details.push(`${counted(features.length, "feature")}${named ? fewOf(features) : ""}`);
  summary.grouped = roles.qid >= 0;
  summary.weighted = roles.weight >= 0;
}

/** Says that all rows are one list. */
export function oneList(summary: ParseSummary): void {
  summary.lists = "all rows";
  summary.grouped = true;
  summary.notices.push(ONE_LIST);
}

/** The number of each feature as the first of the files numbers them, which must have the same; `where` begins a message. */
export function matchFeatures(where: string, builder: Builder, features: readonly string[]): ReadonlyMap<string, number> {
  builder.features ??= [...features];
  const place = new Map(builder.features.map((name, number) => [name, number]));
  const strange = features.find((name) => !place.has(name));
  if (strange !== undefined) throw new InputError(`${where}: the column ${quote(strange)} is not in the preceding files`);
  const have = new Set(features);
  const lacking = builder.features.find((name) => !have.has(name));
  if (lacking !== undefined)
    throw new InputError(`${where}: the column ${quote(lacking)} of the preceding files is missing here`);
  return place;
}

const FEW = 6;

/** The first few names, and how many more. */
function fewOf(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > FEW ? ` and ${names.length - FEW} more` : "";
  return ` (${names.slice(0, FEW).map((name) => (/^[\w.-]+$/.test(name) ? name : quote(name))).join(", ")}${more})`; // biome-ignore format: one chain
}

/** Columns that have no part yet come first in question. */
export function noLists(file: string, names: readonly string[], { features, unknown }: Roles): string {
  const columns = [...unknown, ...features];
  const free = columns.length > 0 ? columns.map((column) => names[column]!) : names.filter((name) => name !== "");
  return `no qid column; choose the column that identifies the list with --qid NAME: ${suggest("qid", free)} (or ${groupFileHint(file)})`;
}
