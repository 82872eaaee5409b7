/**
 * The text of the Extreme Classification Repository: a first line `points features labels`, then a row per line,
 * `label,label,... number:value number:value ...`, all numbered from 0. A row without labels begins with a blank.
 * A label may carry a grade, `label:grade`, above 0: higher grades are higher tiers. http://manikvarma.org/downloads/XC/XMLRepository.html
 */

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
  const summary = emptySummary("a list per row");
  let line = 0;
  let builder = before;
  let points = -1;
  let graded = false;

  const fail = (text: string): never => {
    throw new InputError(`${file}:${line}: ${text}`);
  };
  const word = (bytes: Uint8Array, from: number) => {
    let to = from;
    while (!isBlank(bytes[to]!) && to - from < 60) to++;
    return quote(asText(bytes, from, to));
  };

  /** A whole number below `end`. */
  const whole = (bytes: Uint8Array, at: number, what: string, end: number): number => {
    let value = 0;
    let p = at;
    for (let digit = bytes[p]! ^ 48; digit < 10 && p - at < 10; digit = bytes[p]! ^ 48) {
      value = value * 10 + digit;
      p++;
    }
    if (p === at) fail(`expected ${what} as a whole number, got ${word(bytes, at)}`);
    if (value >= end) fail(`${what} ${value} is not below ${end}, declared in the first line`);
    numeral.end = p;
    return value;
  };
  const finite = (bytes: Uint8Array, at: number, what: string): number => {
    const value = readNumeral(bytes, at);
    if (Number.isNaN(value) || !(value < TOO_LARGE && value > -TOO_LARGE))
      fail(`expected ${what} as a finite number, got ${word(bytes, at)}`);
    return value;
  };

  const header = (bytes: Uint8Array, from: number, to: number) => {
    const text = asText(bytes, from, to).replace(/^\ufeff/, "").trim(); // biome-ignore format: one chain
    const found = /^(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})$/.exec(text);
    if (!found) return fail(`expected "points features labels" on the first line, got ${quote(text)}`);
    const [columns, items] = [Number(found[2]), Number(found[3])];
    points = Number(found[1]);
    if (items === 0 || items >= 2 ** 31 || columns >= 2 ** 31)
      fail(`expected fewer than 2^31 features and labels, got ${quote(text)}`);
    builder ??= new MultiLabelBuilder({ items, columns, storage });
    if (builder.options.items !== items || builder.options.columns !== columns)
      fail(
        `${columns} features and ${items} labels, but the preceding files have ${builder.options.columns} and ${builder.options.items}`,
      );
  };

  const row = (bytes: Uint8Array, from: number, to: number): void => {
    line++;
    if (points < 0) {
      header(bytes, from, to);
      return;
    }
    while (to > from && isBlank(bytes[to - 1]!)) to--;
    if (summary.rows === points) {
      if (to > from) fail(`more rows than the ${points} declared in the first line`);
      return;
    }
    const { cells, options } = builder!;
    let p = from;
    while (p < to && !isBlank(bytes[p]!)) {
      const item = whole(bytes, p, "a label", options.items);
      p = numeral.end;
      let grade = 1;
      if (bytes[p] === COLON) {
        grade = finite(bytes, p + 1, "a grade");
        if (!(grade >= 0)) fail(`expected a grade of at least 0, got ${grade}`);
        graded = true;
        p = numeral.end;
      }
      builder!.addLabel(item, grade);
      if (p < to && bytes[p] !== COMMA && !isBlank(bytes[p]!)) fail(`expected "," between labels, got ${word(bytes, p)}`);
      if (bytes[p] === COMMA) p++;
    }
    while (p < to) {
      while (p < to && isBlank(bytes[p]!)) p++;
      if (p === to) break;
      const number = whole(bytes, p, "a feature", options.columns);
      p = numeral.end;
      if (bytes[p] !== COLON) fail(`expected "number:value", got ${word(bytes, p)} after feature ${number}`);
      const value = finite(bytes, p + 1, `the value of feature ${number}`);
      p = numeral.end;
      if (p < to && !isBlank(bytes[p]!)) fail(`expected a blank after the value of feature ${number}, got ${word(bytes, p)}`);
      if (value !== 0) cells.add(number, value);
    }
    const twice = builder!.end();
    if (twice) fail("item" in twice ? `label ${twice.item} is given twice` : `feature ${twice.feature} is given twice`);
    summary.rows++;
  };

  const splitter = lines(row, () => `${file}:${line + 1}`);
  return {
    summary,
    push: splitter.push,
    end() {
      splitter.end();
      if (points < 0) throw new InputError(`${file}: expected "points features labels" on the first line, and there is none`);
      if (summary.rows < points)
        throw new InputError(`${file}: ${summary.rows} rows, but the first line declares ${points}; the file is truncated`);
      if (graded) summary.details.push("labels carry grades");
    },
    builder: () => builder!,
  };
}
