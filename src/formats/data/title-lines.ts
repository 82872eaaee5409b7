/**
 * Lines above the header of a table of text, such as the title that a spreadsheet exports. The option skipLines leaves them out: they are made blank,
 * so that lines and bytes after them keep their numbers. Where a table lacks columns that a line below its header has, errors say how many lines to
 * skip.
 */
import { numeralOf } from "../../data/table/cell-text.ts";
import { InputError } from "../../input-error.ts";
import { headerColumns } from "./columns.ts";
import { delimiterFrom } from "./csv.ts";
import { Cells, sniff } from "./csv-cells.ts";
import type { DatasetReader, DatasetReaderOptions } from "./dataset-reader.ts";
import type { AnyDataFormat } from "./format.ts";
import { ballotTable, type DataFormatId, formatOf } from "./formats.ts";
import type { ByteSink } from "./lines.ts";

const [NEWLINE, BLANK, HASH, RETURN] = [10, 32, 35, 13];

/** Makes the first lines of a file blank. Takes its bytes in their order. */
export class LineSkipper {
  private readonly count: number;
  private left: number;
  private hasMore = false;

  constructor(count: number) {
    this.count = count;
    this.left = count;
  }

  take(chunk: Uint8Array): Uint8Array {
    if (this.left === 0) {
      this.hasMore ||= chunk.length > 0;
      return chunk;
    }
    let end = 0;
    while (this.left > 0 && end < chunk.length) {
      const at = chunk.indexOf(NEWLINE, end);
      if (at >= 0) this.left--;
      end = at < 0 ? chunk.length : at + 1;
    }
    this.hasMore = end < chunk.length;
    return new Uint8Array(chunk).map((byte, p) => (p < end && byte !== NEWLINE ? BLANK : byte));
  }

  /** All bytes were taken; `file` begins a message. */
  end(file: string): void {
    if (this.count > 0 && !this.hasMore)
      throw new InputError(`${file}: --skip-lines ${this.count} skips all of its lines; skip those above the header`);
  }
}

/** The first bytes of a file, without its first lines. */
export const withoutLines = (head: Uint8Array, count: number): Uint8Array => new LineSkipper(count).take(head);

/** The error for a file whose lines cannot be skipped, because it is `what`. */
export const noLines = (file: string, what: string): InputError =>
  new InputError(
    `${file}: --skip-lines is for lines above the header of a table of text, such as CSV, and this is ${what}; leave it out`,
  );

/** The reader without the lines that the option skips, and with errors that say how many there are. */
export function belowTitles(reader: Required<DatasetReader>, options: DatasetReaderOptions): Required<DatasetReader> {
  const { skipLines, header, separator } = options;
  const isHeader: HeaderTest = (columns) => headerColumns(columns, options) ?? ballotTable(columns)?.columnsOf?.(columns);
  const how = { skipLines, delimiter: delimiterFrom(separator) ?? 0 };
  const heads = new Map<string, Uint8Array>(); // of tables of text
  let skipper = new LineSkipper(0);
  let last = "";
  const explain = (error: unknown) => {
    const about = [...heads].find(([name]) => error instanceof InputError && error.message.startsWith(`${name}:`));
    return about ? explained(error, about[1], isHeader, how) : error;
  };
  const explaining = <R>(act: () => R): R => {
    try {
      return act();
    } catch (error) {
      throw explain(error);
    }
  };
  return {
    ...reader,
    open(name, head, size, sideFiles) {
      const format = formatBelow(name, head, options);
      const hasHeader = header && format.options.includes("skipLines");
      if (hasHeader) heads.set(name, new Uint8Array(head.subarray(0, LOOKED_AT.bytes)));
      last = name;
      const lines = (skipper = new LineSkipper(skipLines));
      const parser = reader.open(name, withoutLines(head, skipLines), size, sideFiles);
      if (!hasHeader && skipLines === 0) return parser;
      return { ...parser, push: (bytes) => explaining(() => parser.push(lines.take(bytes))) };
    },
    addTable(table, sideFiles) {
      if (skipLines > 0) throw noLines(table.name, "the result of a query");
      reader.addTable(table, sideFiles);
    },
    close: () =>
      explaining(() => {
        skipper.end(last);
        reader.close();
      }),
    finish: (agreed) => explaining(() => reader.finish(agreed)),
  };
}

/** The same for one table of text, whose parser is `sink`. An error waits for the bytes that explain it. */
export function belowTitle(file: string, sink: ByteSink, isHeader: HeaderTest, skipLines = 0): ByteSink {
  const skipper = new LineSkipper(skipLines);
  let head = new Uint8Array(0);
  let failure: unknown;
  const attempt = (act: () => void, isLast: boolean) => {
    try {
      if (failure === undefined) act();
    } catch (error) {
      failure = error;
    }
    if (failure !== undefined && (isLast || head.length === LOOKED_AT.bytes))
      throw explained(failure, head, isHeader, { skipLines, delimiter: 0 });
  };
  return {
    push(chunk) {
      if (head.length < LOOKED_AT.bytes) {
        const more = chunk.subarray(0, LOOKED_AT.bytes - head.length);
        const longer = new Uint8Array(head.length + more.length);
        longer.set(head);
        longer.set(more, head.length);
        head = longer;
      }
      attempt(() => sink.push(skipper.take(chunk)), false);
    },
    end() {
      attempt(() => {
        skipper.end(file);
        sink.end();
      }, true);
    },
  };
}

/** The format of a file below the lines that are skipped. */
export function formatBelow(
  name: string,
  head: Uint8Array,
  { format, skipLines }: Pick<DatasetReaderOptions, "format" | "skipLines">,
): AnyDataFormat<DataFormatId> {
  const whole = formatOf(name, head, format);
  if (skipLines === 0) return whole;
  const found = whole.binary ? whole : formatOf(name, withoutLines(head, skipLines), format);
  if (!found.options.includes("skipLines")) throw noLines(name, found.id);
  return found;
}

/** Of the columns of a line, those that make it a header; undefined where it is none. */
export type HeaderTest = (columns: readonly string[]) => readonly string[] | undefined;

const LOOKED_AT = { bytes: 1 << 16, lines: 20 };
const SHOWN = 6; // columns

/**
 * The error about a table of text, of which `head` are the first bytes. If the line that was taken for its header is none, and another among the first
 * lines is, it says how many lines to skip.
 */
export function explained(
  error: unknown,
  head: Uint8Array,
  isHeader: HeaderTest,
  { skipLines = 0, delimiter = 0 }: { readonly skipLines?: number; readonly delimiter?: number },
): unknown {
  if (!(error instanceof InputError)) return error;
  const lines = firstLines(head, skipLines + LOOKED_AT.lines);
  const header = lines.find(({ number, isBlank }) => number > skipLines && !isBlank);
  if (!header || isHeader(columnsIn(header.bytes, delimiter))) return error;
  for (const { number, bytes, isBlank } of lines) {
    const columns = isBlank || number === header.number ? [] : columnsIn(bytes, delimiter);
    const found = columns.length > 1 && !columns.some((text) => numeralOf(text) !== undefined) ? isHeader(columns) : undefined;
    if (!found) continue;
    const some = `${found.slice(0, SHOWN).join(", ")}${found.length > SHOWN ? ` and ${found.length - SHOWN} more` : ""}`;
    const way = number === 1 ? "leave --skip-lines out" : `--skip-lines ${number - 1}`;
    return new InputError(`${error.message}; line ${number} has ${some}: ${way}`, { cause: error });
  }
  return error;
}

interface Line {
  readonly number: number;
  /** Without its end, and with a newline after it. */
  readonly bytes: Uint8Array;
  /** Nothing, or a comment. */
  readonly isBlank: boolean;
}

/** The lines that are whole in the first bytes of a file. */
function firstLines(head: Uint8Array, most: number): Line[] {
  const lines: Line[] = [];
  for (let from = 0, number = 1; number <= most; number++) {
    const end = head.indexOf(NEWLINE, from);
    if (end < 0 || end >= LOOKED_AT.bytes) break;
    if (number === 1 && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) from = 3; // the byte order mark
    const to = end > from && head[end - 1] === RETURN ? end - 1 : end;
    const bytes = new Uint8Array(head.subarray(from, to + 1));
    bytes[to - from] = NEWLINE;
    lines.push({ number, bytes, isBlank: bytes[0] === HASH || bytes.every((byte) => byte <= BLANK) });
    from = end + 1;
  }
  return lines;
}

class NoCells extends Error {}

/** The cells of a line as names of columns; none where quotes do not close. */
function columnsIn(bytes: Uint8Array, delimiter: number): string[] {
  const to = bytes.length - 1;
  const cells = new Cells(delimiter || sniff(bytes, 0, to), () => {
    throw new NoCells();
  });
  try {
    return Array.from({ length: cells.split(bytes, 0, to) }, (_, column) => cells.name(bytes, column));
  } catch (error) {
    if (error instanceof NoCells) return [];
    throw error;
  }
}
