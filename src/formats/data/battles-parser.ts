/**
 * Battles from a table with a header: `model_a`, `model_b` and `winner` (model_a, model_b, a word for a tie, or the name of one of the two), or
 * `winner` and `loser` with perhaps `tie`; and `count`. Other columns are read where an option names them: the cluster, the slice, the weight,
 * and covariates. Names are decoded once each, however often they come. Rows of an item against itself or with an empty `winner` are left out.
 */
import { type BattleRow, type Battles, BattleTable, NO_SLICE, numbering } from "../../data/battles.ts";
import { MISSING_TEXT, type SourceTable, type TableColumn } from "../../data/table/source-table.ts";
import { InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import { checkResultColumns, type ResultColumnOptions, resultColumns, resultPlaces } from "./battle-columns.ts";
import { ByteTexts, splitCells, wholeAt } from "./byte-texts.ts";
import { cellText } from "./columnar/table-text.ts";
import { type ByteSink, lines } from "./lines.ts";
import { cells, delimiterOf, type Meaning, meaningOf } from "./pairs.ts";
import { belowTitle, noLines } from "./title-lines.ts";
import { undecidedRows } from "./undecided-rows.ts";

/** Which columns of a table of battles are read. */
export interface BattleColumnOptions extends ResultColumnOptions {
  /** Lines above the header of tables of text that are not read, such as a title. A whole number of at least 0. Default: 0. */
  readonly skipLines?: number;
  /** Column of the cluster: the voter, or the prompt. Default: none. */
  readonly cluster?: string;
  /** Column of the slice, such as language. Default: none. */
  readonly by?: string;
  /** Whether battles with an empty cell there belong to no slice; otherwise it is an error. Default: false. */
  readonly emptySlices?: boolean;
  /** Column of the weight of each battle. Default: none. */
  readonly weight?: string;
  /** Columns of covariates. A positive value times a positive coefficient favors the first item. Default: none. */
  readonly covariates?: readonly string[];
}

export interface BattleReader {
  /** Takes the bytes of one file. */
  open(file: string): ByteSink;
  /** Takes a table whose source hands it over as columns. */
  table(table: SourceTable): void;
  finish(): Battles;
  /** What to say of rows that were left out; empty if there are none. */
  notice(): string;
}

/** Takes each row in the order of the files, with the names of items and slices so far; the row is overwritten by the next. */
export type RowVisitor = (row: Readonly<BattleRow>, items: readonly string[], slices: readonly string[]) => void;

/** A reader of tables of battles. With a visitor, rows go there one by one instead of into one table of merged rows. */
export function battleReader(options: BattleColumnOptions, visit?: RowVisitor): BattleReader {
  const { cluster = "", by = "", emptySlices = false, weight = "", covariates = [], skipLines = 0 } = options;
  checkResultColumns(options);
  const columns = { weight: weight !== "", cluster: cluster !== "", slice: by !== "", covariates };
  const table = new BattleTable(columns);
  const [items, clusters, slices] = [numbering(), numbering(), numbering()];
  const undecided = undecidedRows();

  /** Adds rows of a file whose header is `given`; `where` is the place of the row at hand. */
  const rowAdder = (given: readonly string[], where: () => string) => {
    const fail = (text: string): never => {
      throw new InputError(`${where()}: ${text}`);
    };
    const names = given.map((name) => name.trim().toLowerCase());
    const at = (name: string) => names.lastIndexOf(name);
    const wanted = (name: string) => {
      if (name === "") return -1;
      const found = at(name.toLowerCase());
      return found >= 0 ? found : fail(`there is no column ${quote(name)}; ${suggest(name, names)}`);
    };
    const result = resultPlaces(names, options, fail);
    const isArena = result.winner >= 0;
    const place = {
      ...result,
      ...{ cluster: wanted(cluster), slice: wanted(by), weight: wanted(weight) },
    };
    const x = covariates.map(wanted);
    const values = new Float64Array(x.length);
    const texts = new ByteTexts();
    const decoder = new TextDecoder();
    const meanings: Meaning[] = []; // by text
    const numbers = { item: [] as number[], cluster: [] as number[], slice: [] as number[] }; // by text
    let line = new Uint8Array(0);
    let starts = new Uint32Array(0);
    const row = { first: 0, second: 0, outcome: 0, count: 1, weight: 1, cluster: 0, slice: 0 };

    /** The number of a cell's text. */
    const textAt = (column: number) => {
      const text = texts.of(line, starts[column]!, starts[column + 1]! - 1);
      if (text === meanings.length) meanings.push(meaningIn(texts.texts[text]!));
      return text;
    };
    /** In a column of winners, the names of the columns of items stand for the items. */
    const meaningIn = (text: string): Meaning => {
      const column = isArena ? [result.first, result.second].findIndex((one) => names[one] === text.toLowerCase()) : -1;
      return column < 0 ? meaningOf(text, isArena) : column === 0 ? "a" : "b";
    };
    const filled = (column: number, wayOut = "") => {
      const text = textAt(column);
      if (texts.texts[text] === "") fail(`the column ${names[column]} is empty${wayOut}`);
      return text;
    };
    const sliceAt = (column: number) => {
      const text = emptySlices ? textAt(column) : filled(column, "; fill it in, or leave out the battles without it");
      return texts.texts[text] === "" ? NO_SLICE : numberIn(numbers.slice, slices, text);
    };
    const clusterAt = (column: number) =>
      numberIn(numbers.cluster, clusters, filled(column, "; give each such battle a name of its own there, or leave it out"));
    const numberIn = (known: number[], all: { of(name: string): number }, text: number) => {
      known[text] ??= all.of(texts.texts[text]!);
      return known[text]!;
    };
    const real = (column: number, what: string, least: number) => {
      const [from, to] = [starts[column]!, starts[column + 1]! - 1];
      const whole = wholeAt(line, from, to);
      if (!Number.isNaN(whole) && whole >= least) return whole;
      const text = decoder.decode(line.subarray(from, to)).trim();
      const value = text === "" ? Number.NaN : Number(text);
      if (!(value >= least && Number.isFinite(value)))
        fail(
          `expected ${what} in the column ${names[column]}, got ${quote(text)}${text === "" ? "; fill it in, or leave out the battles without it" : ""}`,
        );
      return value;
    };
    const outcomeOf = (first: number, second: number): number => {
      if (place.winner >= 0) {
        const word = textAt(place.winner);
        const meaning = meanings[word]!;
        if (word === first || meaning === "a") return 0;
        if (word === second || meaning === "b") return 1;
        if (meaning !== "tie")
          fail(
            `expected ${names[place.first]}, ${names[place.second]} or tie in the column ${names[place.winner]}, got ${quote(texts.texts[word]!)}`,
          );
        return 2;
      }
      if (place.tie < 0) return 0;
      const word = textAt(place.tie);
      const meaning = meanings[word]!;
      if (meaning !== "tie" && meaning !== "no tie")
        fail(`expected yes or no in the column ${names[place.tie]}, got ${quote(texts.texts[word]!)}`);
      return meaning === "tie" ? 2 : 0;
    };

    /** Takes a row: cell c owns the bytes from starts[c] to starts[c + 1] - 1. Whether it counts. */
    const add = (bytes: Uint8Array, cellStarts: Uint32Array): boolean => {
      [line, starts] = [bytes as Uint8Array<ArrayBuffer>, cellStarts as Uint32Array<ArrayBuffer>];
      const [first, second] = [filled(place.first), filled(place.second)];
      if (first === second) {
        undecided.self(texts.texts[first]!, where());
        return false;
      }
      if (place.winner >= 0 && texts.texts[textAt(place.winner)] === "") {
        undecided.noWinner(where());
        return false;
      }
      row.outcome = outcomeOf(first, second);
      row.count =
        place.count < 0 || starts[place.count + 1]! - 1 === starts[place.count]
          ? 1
          : real(place.count, "a count of at least 0", 0);
      row.weight = place.weight < 0 ? 1 : real(place.weight, "a weight above 0", Number.MIN_VALUE);
      row.cluster = place.cluster < 0 ? 0 : clusterAt(place.cluster);
      row.slice = place.slice < 0 ? 0 : sliceAt(place.slice);
      for (let c = 0; c < x.length; c++) values[c] = real(x[c]!, "a number", -Infinity);
      if (row.count === 0) return false;
      row.first = numberIn(numbers.item, items, first);
      row.second = numberIn(numbers.item, items, second);
      if (visit) visit(row, items.names, slices.names);
      else table.add(row, values);
      return true;
    };
    return { add, fail, wanted: [...Object.values(place), ...x].filter((column) => column >= 0) };
  };

  const noBattles = (name: string) => {
    const leftOut = undecided.notice();
    return new InputError(`${name}: no battles${leftOut && `; ${leftOut}`}`);
  };

  const open = (file: string): ByteSink => {
    let number = 0;
    let rows = 0;
    let parse: ((bytes: Uint8Array, from: number, to: number) => void) | undefined;
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    const sink = lines(
      (bytes, from, to) => {
        number++;
        if (parse) return parse(bytes, from, to);
        const text = decoder.decode(bytes.subarray(from, to)).replace(/^\uFEFF/, "");
        if (text.trim() !== "") parse = lineParser(text);
      },
      () => `${file}:${number + 1}`,
      { quotes: true },
    );

    const lineParser = (header: string) => {
      const delimiter = delimiterOf(header);
      const names = cells(header, delimiter);
      const { add, fail } = rowAdder(names, () => `${file}:${number}`);
      const starts = new Uint32Array(names.length + 2);
      return (bytes: Uint8Array, from: number, to: number) => {
        let line = bytes;
        const end = bytes[to - 1] === 13 && to > from ? to - 1 : to;
        if (splitCells(line, from, end, delimiter.charCodeAt(0), starts) !== names.length) {
          const text = decoder.decode(bytes.subarray(from, to));
          if (text.trim() === "") return;
          const split = cells(text, delimiter);
          if (split.length !== names.length) fail(`expected ${names.length} cells as in the header, got ${split.length}`);
          const unquoted = split.map((cell) => encoder.encode(cell));
          line = inOneLine(unquoted, starts);
        }
        if (add(line, starts)) rows++;
      };
    };

    const isHeader = (columns: readonly string[]) => resultColumns(columns, options);
    const whole: ByteSink = {
      push: sink.push,
      end() {
        sink.end();
        if (rows === 0) throw noBattles(file);
      },
    };
    return belowTitle(file, whole, isHeader, skipLines);
  };

  const addTable = ({ name, columns, batches, where = (row) => `${name}, row ${row + 1}` }: SourceTable): void => {
    if (skipLines > 0) throw noLines(name, "no text");
    let [row, rows] = [-1, 0];
    const { add, wanted } = rowAdder(columns, () => (row < 0 ? name : where(row)));
    const starts = new Uint32Array(columns.length + 2);
    const parts: Uint8Array[] = columns.map(() => new Uint8Array(0));
    for (const batch of batches) {
      const bytes = wanted.map((column) => ({ column, of: cellBytes(batch.columns[column]!) }));
      for (let at = 0; at < batch.rows; at++) {
        row++;
        for (const { column, of } of bytes) parts[column] = of(at);
        if (add(inOneLine(parts, starts), starts)) rows++;
      }
    }
    if (rows === 0) throw noBattles(name);
  };
  const finish = () => table.finish(items.names, clusters.names, slices.names);
  return { open, table: addTable, finish, notice: undecided.notice };
}

/** Cells one after another, with a byte between them; where they start goes to `starts`. */
function inOneLine(parts: readonly Uint8Array[], starts: Uint32Array): Uint8Array {
  const line = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 1, 0));
  starts[0] = 0;
  parts.forEach((part, c) => {
    line.set(part, starts[c]);
    starts[c + 1] = starts[c]! + part.length + 1;
  });
  return line;
}

/** The bytes of the text of each cell of a column; entries of a dictionary are encoded once. */
function cellBytes(column: TableColumn): (row: number) => Uint8Array {
  const encoder = new TextEncoder();
  if (column.kind !== "text") return (row) => encoder.encode(cellText(column, row));
  const known: Uint8Array[] = [];
  const none = new Uint8Array(0);
  return (row) => {
    const code = column.codes[row]!;
    return code === MISSING_TEXT ? none : (known[code] ??= encoder.encode(column.dictionary[code]!.trim()));
  };
}
