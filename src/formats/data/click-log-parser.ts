/**
 * Logs of clicks. A table with a header has a row for each document that was shown: query, document, position, clicked, and where there is one the
 * id of the impression. Of JSON lines, each is such a row as an object, or an impression: {"query", "documents": [...], "clicked": [...]}, with documents in
 * the order shown and those that were clicked. With a least dwell time, a click counts if its dwell time is as long.
 */
import { type ClickLog, ClickLogBuilder, isPosition, LAST_POSITION } from "../../clicks/click-log.ts";
import { describeValue, InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import { withExactIntegers } from "../exact-integers.ts";
import { checkNesting } from "../json.ts";
import { type ByteSink, lines } from "./lines.ts";
import { cells, delimiterOf } from "./pairs.ts";
import { belowTitle, noLines } from "./title-lines.ts";

/** What stands in a line, in words. */
const got = (value: unknown) => (value === undefined ? "nothing" : describeValue(value));

/** Which columns of a log are what. */
export interface ClickLogOptions {
  /** Column of the query. Default: query, qid or query_id. */
  readonly query?: string;
  /** Column of the document. Default: document, doc, docid, doc_id or item. */
  readonly document?: string;
  /** Column of the position. Default: position, pos or rank. */
  readonly position?: string;
  /** Column of the click: 1 or 0, true or false, yes or no. Default: clicked, click or clicks. */
  readonly clicked?: string;
  /** Column of the impression's id. Default: impression, impression_id, session or session_id, where there is one. */
  readonly impression?: string;
  /** Column of the dwell time in seconds. Default: dwell, dwell_time or dwell_seconds. */
  readonly dwell?: string;
  /** Least dwell time of a click that counts, in seconds. Default: 0, every click counts. */
  readonly minDwell?: number;
  /** Lines above the header of tables of text that are not read, such as a title. A whole number of at least 0. Default: 0. */
  readonly skipLines?: number;
}

type Column = Exclude<keyof ClickLogOptions, "minDwell" | "skipLines">;

const NAMES: Readonly<Record<Column, readonly string[]>> = {
  query: ["query", "qid", "query_id"],
  document: ["document", "doc", "docid", "doc_id", "item"],
  position: ["position", "pos", "rank"],
  clicked: ["clicked", "click", "clicks"],
  impression: ["impression", "impression_id", "session", "session_id"],
  dwell: ["dwell", "dwell_time", "dwell_seconds"],
};
const LISTS = ["documents", "docs", "items"]; // of an impression in one line

const YES = new Set(["1", "true", "yes", "t", "y"]);
const NO = new Set(["0", "false", "no", "f", "n", ""]);

interface Options extends ClickLogOptions {
  readonly prefer: PreferredColumns;
}

const namesOf = (column: Column, prefer: PreferredColumns): readonly string[] => {
  const first = column === "query" || column === "document" ? prefer[column] : undefined;
  return first === undefined ? NAMES[column] : [first, ...NAMES[column]];
};

export interface ClickLogReader {
  /** Takes the bytes of one file. */
  open(file: string): ByteSink;
  finish(): ClickLog;
}

/** Names of columns that are tried before the usual ones. */
export type PreferredColumns = Readonly<Partial<Record<"query" | "document", string>>>;

/** Reads logs, whose impressions are kept apart by file. */
export function clickLogReader(given: ClickLogOptions, prefer: PreferredColumns = {}): ClickLogReader {
  const options: Options = { ...given, prefer };
  const { skipLines = 0 } = given;
  const builder = new ClickLogBuilder();
  let last = "";
  return {
    open(file) {
      last = file;
      builder.beginFile();
      const before = builder.entries;
      let sink: ByteSink | undefined;
      let line = 0;
      const decoder = new TextDecoder();
      const sinkFor = (json: boolean) => {
        if (json && skipLines > 0) throw noLines(file, "JSON");
        const read = json ? jsonLine(builder, options) : tableLine(builder, options);
        return lines(
          (bytes, from, to) => {
            const where = `${file}:${++line}`;
            const text = decoder
              .decode(bytes.subarray(from, to))
              .replace(/^\uFEFF/, "")
              .replace(/\r$/, "");
            if (text.trim() !== "") read(text, where, line);
          },
          () => `${file}:${line + 1}`,
          { quotes: !json },
        );
      };
      let held = new Uint8Array(0); // blanks before the first letter
      const whole: ByteSink = {
        push(chunk) {
          if (sink) return sink.push(chunk);
          const all = new Uint8Array(held.length + chunk.length);
          all.set(held);
          all.set(chunk, held.length);
          const first = all.findIndex((byte) => byte > 32 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
          held = all;
          if (first < 0) return;
          sink = sinkFor(all[first] === 0x7b);
          sink.push(all);
        },
        end() {
          sink?.end();
          if (builder.entries === before) throw new InputError(`${file}: no documents were shown; the log is empty`);
        },
      };
      return belowTitle(file, whole, (columns) => headerOf(columns, options), skipLines);
    },
    finish() {
      try {
        return builder.finish();
      } catch (error) {
        throw error instanceof InputError ? new InputError(`${last}: ${error.message}`) : error;
      }
    },
  };
}

type ReadLine = (text: string, where: string, line: number) => void;

const fail = (where: string, text: string): never => {
  throw new InputError(`${where}: ${text}`);
};

function tableLine(builder: ClickLogBuilder, options: Options): ReadLine {
  let delimiter = ",";
  let names: string[] | undefined;
  let place: Readonly<Record<Column, number>>;
  return (text, where) => {
    if (!names) {
      delimiter = delimiterOf(text);
      names = cells(text, delimiter).map((name) => name.trim().toLowerCase());
      place = placesOf(names, options, where);
      return;
    }
    const row = cells(text, delimiter);
    if (row.length !== names.length) fail(where, `expected ${names.length} cells as in the header, got ${row.length}`);
    const at = (column: Column) => (place[column] < 0 ? "" : row[place[column]]!.trim());
    const filled = (column: Column) => at(column) || fail(where, `the column ${names![place[column]]} is empty`);
    const position = at("position");
    if (!/^\d{1,7}(\.0*)?$/.test(position) || !isPosition(Number(position)))
      fail(where, `expected a position as a whole number from 0 to ${LAST_POSITION}, got ${quote(position)}`);
    const word = at("clicked").toLowerCase().replace(/\.0*$/, "");
    if (!YES.has(word) && !NO.has(word)) fail(where, `expected clicked as 1 or 0, got ${quote(at("clicked"))}`);
    const clicked = YES.has(word) && isLong(at("dwell"), options, where);
    const id = place.impression < 0 ? undefined : filled("impression");
    builder.add(filled("query"), filled("document"), Number(position), clicked, id);
  };
}

/** Whether a click with this dwell time counts. */
function isLong(dwell: unknown, { minDwell = 0 }: ClickLogOptions, where: string): boolean {
  if (minDwell === 0) return true;
  if (dwell === "" || dwell === null || dwell === undefined) return false;
  const seconds =
    typeof dwell === "number" ? dwell : typeof dwell === "string" && dwell.trim() !== "" ? Number(dwell) : Number.NaN;
  if (!(seconds >= 0)) fail(where, `expected a dwell time in seconds, got ${describeValue(dwell)}`);
  return seconds >= minDwell;
}

function placesOf(names: readonly string[], options: Options, where: string): Record<Column, number> {
  const find = (column: Column): number => {
    const given = options[column];
    if (given !== undefined) {
      const found = names.indexOf(given.toLowerCase());
      return found >= 0 ? found : fail(where, `there is no column ${quote(given)}; ${suggest(given, names)}`);
    }
    const found =
      namesOf(column, options.prefer)
        .map((name) => names.indexOf(name.toLowerCase()))
        .find((at) => at >= 0) ?? -1;
    const needed = column === "dwell" ? (options.minDwell ?? 0) > 0 : column !== "impression";
    if (found < 0 && needed)
      fail(where, `expected a column ${NAMES[column].join(" or ")}, got ${quote(names.join(", "))}; an option names another`);
    return found;
  };
  const columns = Object.keys(NAMES) as Column[];
  return Object.fromEntries(columns.map((column) => [column, find(column)])) as Record<Column, number>;
}

/** Of the columns of a line, those of a log, if they are all there. */
function headerOf(columns: readonly string[], options: Options): readonly string[] | undefined {
  try {
    const place = placesOf(
      columns.map((name) => name.toLowerCase()),
      options,
      "",
    );
    return Object.values(place).flatMap((column) => columns[column] ?? []);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

type Json = Readonly<Record<string, unknown>>;

function jsonLine(builder: ClickLogBuilder, options: Options): ReadLine {
  const fieldOf = (entry: Json, column: Column): unknown =>
    [options[column], ...(options[column] === undefined ? namesOf(column, options.prefer) : [])]
      .filter((name) => name !== undefined && Object.hasOwn(entry, name))
      .map((name) => entry[name!])[0];
  const nameOf = (value: unknown, what: string, where: string): string =>
    (typeof value === "string" && value !== "") || (typeof value === "number" && Number.isFinite(value))
      ? String(value)
      : fail(where, `expected ${what} as a text or a number, got ${got(value)}`);
  return (text, where, line) => {
    checkNesting(text, where.slice(0, where.lastIndexOf(":")), line);
    const entry = parse(text, where);
    const query = nameOf(fieldOf(entry, "query"), "the query", where);
    const given = fieldOf(entry, "impression");
    const id = given === undefined ? undefined : nameOf(given, "the impression", where);
    const list = LISTS.map((name) => (Object.hasOwn(entry, name) ? entry[name] : undefined)).find((one) => one !== undefined);
    const clicked = fieldOf(entry, "clicked");
    if (list === undefined) {
      const position = fieldOf(entry, "position");
      if (!isPosition(position))
        fail(where, `expected a position as a whole number from 0 to ${LAST_POSITION}, got ${got(position)}`);
      if (![true, false, 0, 1].includes(clicked as number)) fail(where, `expected clicked as true or false, got ${got(clicked)}`);
      const counts = Boolean(clicked) && isLong(fieldOf(entry, "dwell"), options, where);
      builder.add(query, nameOf(fieldOf(entry, "document"), "the document", where), position as number, counts, id);
      return;
    }
    if (!Array.isArray(list) || list.length === 0) fail(where, `expected the documents as a list, got ${got(list)}`);
    if (!Array.isArray(clicked)) fail(where, `expected clicked as a list of documents, got ${got(clicked)}`);
    if ((options.minDwell ?? 0) > 0) fail(where, "an impression in one line has no dwell times; write a line for each document");
    const documents = (list as unknown[]).map((one) => nameOf(one, "a document", where));
    const hits = new Set((clicked as unknown[]).map((one) => nameOf(one, "a clicked document", where)));
    for (const hit of hits)
      if (!documents.includes(hit)) fail(where, `the clicked document ${quote(hit)} is not among those shown`);
    const own = id ?? `line ${line}`; // an impression of its own, whatever comes before
    documents.forEach((document, k) => {
      builder.add(query, document, k + 1, hits.has(document), own);
    });
  };
}

function parse(text: string, where: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(withExactIntegers(text));
  } catch {
    return fail(where, `expected a line of JSON, got ${quote(text)}`);
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : fail(where, `expected a JSON object, got ${quote(text)}`);
}
