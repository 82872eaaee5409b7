/**
 * The text of the Extreme Classification Repository: a first line `points features labels`, then a row per line,
 * `label,label,... number:value number:value ...`, all numbered from 0. A row without labels begins with a blank.
 * A label may carry a grade, `label:grade`, above 0: higher grades are higher tiers. http://manikvarma.org/downloads/XC/XMLRepository.html
 */
import { counted } from "../../counted.ts";
import type { FeatureStorage } from "../../data/blocks.ts";
import { MultiLabelBuilder } from "../../data/multilabel-builder.ts";
import { InputError, quote } from "../../input-error.ts";
import { asText, numeral, readNumeral } from "../../numeric/numeral.ts";
import type { MultiLabelFormat, MultiLabelParser } from "./format.ts";
import { lines } from "./lines.ts";
import { emptySummary, TOO_LARGE } from "./parse-summary.ts";

const [BLANK, COLON, COMMA] = [32, 58, 44];
const isBlank = (byte: number) => byte === BLANK || (byte <= 13 && byte >= 9);

export const xmlRepository: MultiLabelFormat<"xml-repository"> = {
  id: "xml-repository",
  about: "the Extreme Classification Repository: points features labels, then label,label index:value ...",
  extensions: [".xc.txt", ".xc"],
  options: ["split"],
  kind: "multi-label",
  sniff: (line) => /^\s*\d+\s+\d+\s+\d+\s*$/.test(line),
  parser,
};

function parser(file: string, before: MultiLabelBuilder | undefined, storage: FeatureStorage): MultiLabelParser {
  const rows = new RepositoryRows(file, before, storage);
  const { summary } = rows;
  const splitter = lines(
    (bytes, from, to) => rows.line(bytes, from, to),
    () => `${file}:${rows.lines + 1}`,
  );
  return {
    summary,
    push: splitter.push,
    end() {
      splitter.end();
      const { points } = rows;
      if (points < 0) throw new InputError(`${file}: expected "points features labels" on the first line, and there is none`);
      if (summary.rows < points)
        throw new InputError(
          `${file}: ${counted(summary.rows, "row")}, but the first line declares ${points}; the file is truncated`,
        );
      if (rows.graded) summary.details.push("labels carry grades");
    },
    builder: () => rows.builder!,
  };
}

class RepositoryRows {
  readonly summary = emptySummary("a list per row");
  lines = 0;
  builder: MultiLabelBuilder | undefined;
  /** Rows that the first line declares; -1: it has not been read. */
  points = -1;
  graded = false;
  private readonly file: string;
  private readonly storage: FeatureStorage;

  constructor(file: string, before: MultiLabelBuilder | undefined, storage: FeatureStorage) {
    this.file = file;
    this.builder = before;
    this.storage = storage;
  }

  line(bytes: Uint8Array, from: number, to: number): void {
    this.lines++;
    if (this.points < 0) this.header(bytes, from, to);
    else this.row(bytes, from, to);
  }

  private header(bytes: Uint8Array, from: number, to: number): void {
    const text = asText(bytes, from, to).replace(/^\ufeff/, "").trim(); // biome-ignore format: one chain
    const found =
      /^(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})$/.exec(text) ??
      this.fail(`expected "points features labels" on the first line, got ${quote(text)}`);
    const [columns, items] = [Number(found[2]), Number(found[3])];
    this.points = Number(found[1]);
    if (items === 0 || items >= 2 ** 31 || columns >= 2 ** 31)
      this.fail(`expected fewer than 2^31 features and labels, got ${quote(text)}`);
    this.builder ??= new MultiLabelBuilder({ items, columns, storage: this.storage });
    const { options } = this.builder;
    if (options.items !== items || options.columns !== columns)
      this.fail(`${columns} features and ${items} labels, but the preceding files have ${options.columns} and ${options.items}`);
  }

  private row(bytes: Uint8Array, from: number, to: number): void {
    while (to > from && isBlank(bytes[to - 1]!)) to--;
    if (this.summary.rows === this.points) {
      if (to > from) this.fail(`more rows than the ${this.points} declared in the first line`);
      return;
    }
    this.readFeatures(bytes, this.readLabels(bytes, from, to), to);
    const twice = this.builder!.end();
    if (twice) this.fail("item" in twice ? `label ${twice.item} is given twice` : `feature ${twice.feature} is given twice`);
    this.summary.rows++;
  }

  /** The labels of a row, up to a blank; where they end. */
  private readLabels(bytes: Uint8Array, from: number, to: number): number {
    const builder = this.builder!;
    let p = from;
    while (p < to && !isBlank(bytes[p]!)) {
      const item = this.whole(bytes, p, "a label", builder.options.items);
      p = numeral.end;
      let grade = 1;
      if (bytes[p] === COLON) {
        grade = this.finite(bytes, p + 1, "a grade");
        if (!(grade >= 0)) this.fail(`expected a grade of at least 0, got ${grade}`);
        this.graded = true;
        p = numeral.end;
      }
      builder.addLabel(item, grade);
      if (p < to && bytes[p] !== COMMA && !isBlank(bytes[p]!)) this.fail(`expected "," between labels, got ${word(bytes, p)}`);
      if (bytes[p] === COMMA) p++;
    }
    return p;
  }

  private readFeatures(bytes: Uint8Array, p: number, to: number): void {
    const { cells, options } = this.builder!;
    while (p < to) {
      while (p < to && isBlank(bytes[p]!)) p++;
      if (p === to) break;
      const number = this.whole(bytes, p, "a feature", options.columns);
      p = numeral.end;
      if (bytes[p] !== COLON) this.fail(`expected "number:value", got ${word(bytes, p)} after feature ${number}`);
      const value = this.finite(bytes, p + 1, `the value of feature ${number}`);
      p = numeral.end;
      if (p < to && !isBlank(bytes[p]!))
        this.fail(`expected a blank after the value of feature ${number}, got ${word(bytes, p)}`);
      if (value !== 0) cells.add(number, value);
    }
  }

  /** A whole number below `end`. */
  private whole(bytes: Uint8Array, at: number, what: string, end: number): number {
    let value = 0;
    let p = at;
    for (let digit = bytes[p]! ^ 48; digit < 10 && p - at < 10; digit = bytes[p]! ^ 48) {
      value = value * 10 + digit;
      p++;
    }
    if (p === at) this.fail(`expected ${what} as a whole number, got ${word(bytes, at)}`);
    if (value >= end) this.fail(`${what} ${value} is not below ${end}, declared in the first line`);
    numeral.end = p;
    return value;
  }

  private finite(bytes: Uint8Array, at: number, what: string): number {
    const value = readNumeral(bytes, at);
    if (Number.isNaN(value) || !(value < TOO_LARGE && value > -TOO_LARGE))
      this.fail(`expected ${what} as a finite number, got ${word(bytes, at)}`);
    return value;
  }

  private fail(text: string): never {
    throw new InputError(`${this.file}:${this.lines}: ${text}`);
  }
}

/** The word at a place, for an error. */
function word(bytes: Uint8Array, from: number): string {
  let to = from;
  while (!isBlank(bytes[to]!) && to - from < 60) to++;
  return quote(asText(bytes, from, to));
}
