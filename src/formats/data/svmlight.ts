/**
 * SVMlight and LETOR text: `<label>[:weight] [qid:<id>] <number>:<value> ... [# comment]`, a row per line.
 *
 * Blank lines and lines with only a comment are skipped. A qid is any word. Features may stand in any order but not twice. `NULL` is a
 * missing value. The comment is the document's id: X where it holds `docid = X`, else its first word when that is a plain word, else all.
 * Labels, weights and values are finite, also as 32-bit floats. Feature numbers end at 2^31 - 1.
 */
import { type Builder, LATER } from "../../data/build.ts";
import { Mistake, quote } from "../../mistake.ts";
import { nothingYet, type Parser, TOO_LARGE } from "./findings.ts";
import { lines } from "./lines.ts";
import { asText, numeral, readNumeral } from "./numeral.ts";

export interface SvmlightOptions {
  readonly indexBase?: 0 | 1 | "auto";
  readonly labels?: "required" | "optional"; // optional: a row may begin with its qid, and its label is then 0
}

const COLON = 58;
const HASH = 35;
const LARGEST = 2 ** 31 - 1;

/** Space, tab, carriage return, newline and their like. */
const isBlank = (byte: number) => byte === 32 || (byte <= 13 && byte >= 9);

export function svmlight(file: string, builder: Builder, options: SvmlightOptions = {}): Parser {
  const { indexBase = 1, labels = "required" } = options;
  const { cells } = builder;
  const least = indexBase === 1 ? 1 : 0;
  const findings = nothingYet("qid");
  let line = 0;
  let list = LATER;
  let lastQid = new Uint8Array(0);

  const fail = (text: string): never => {
    throw new Mistake(`${file}:${line}: ${text}`);
  };
  const word = (bytes: Uint8Array, from: number) => {
    let to = from;
    while (!isBlank(bytes[to]!) && to - from < 80) to++;
    return quote(asText(bytes, from, to));
  };
  const whole = (bytes: Uint8Array, from: number, to: number) => quote(asText(bytes, from, Math.min(to, from + 80)).trim());

  /** A finite number that a blank, a comment or `also` follows. */
  const finite = (bytes: Uint8Array, at: number, what: string, also: number): number => {
    const value = readNumeral(bytes, at);
    const after = bytes[numeral.end]!;
    if (Number.isNaN(value) || !(isBlank(after) || after === HASH || after === also))
      fail(`expected ${what} as a finite number, got ${word(bytes, at)}`);
    if (!(value < TOO_LARGE && value > -TOO_LARGE)) fail(`${what} ${word(bytes, at)} is too large for a 32-bit float`);
    return value;
  };

  const listAt = (bytes: Uint8Array, from: number, to: number): number => {
    let same = to - from === lastQid.length && list !== LATER;
    for (let i = 0; same && i < lastQid.length; i++) same = bytes[from + i] === lastQid[i];
    if (same) return list;
    lastQid = bytes.slice(from, to);
    list = builder.list(asText(bytes, from, to));
    return list;
  };

  const row = (bytes: Uint8Array, from: number, to: number): void => {
    line++;
    let p = from;
    if (line === 1 && bytes[p] === 0xef && bytes[p + 1] === 0xbb && bytes[p + 2] === 0xbf) p += 3;
    while (p < to && isBlank(bytes[p]!)) p++;
    if (p === to || bytes[p] === HASH) return;

    let label = 0;
    let weight = 1;
    let weighted = false;
    if (isQid(bytes, p)) {
      if (labels === "required") fail(`expected "label qid:id number:value ...", got ${whole(bytes, p, to)} (no label)`);
      findings.unlabelled++;
      weighted = findings.weighted;
    } else {
      label = finite(bytes, p, "the label", COLON);
      p = numeral.end;
      if (bytes[p] === COLON) {
        weight = finite(bytes, p + 1, "the weight", HASH);
        if (weight < 0) fail(`expected a weight of at least 0, got ${word(bytes, p + 1)}`);
        p = numeral.end;
        weighted = true;
      }
    }

    let qid = LATER;
    let id = "";
    for (;;) {
      while (isBlank(bytes[p]!) && p < to) p++;
      if (p >= to) break;
      const start = p;
      let number = 0;
      let digit = bytes[p]! ^ 48;
      for (; digit < 10; digit = bytes[++p]! ^ 48) number = number * 10 + digit;
      if (p > start && bytes[p] === COLON) {
        if (number < least)
          fail(`feature number 0, but features are numbered from 1; --index-base 0 reads files that number them from 0`);
        if (number > LARGEST) fail(`expected a feature number up to ${LARGEST}, got ${word(bytes, start)}`);
        const value = readNumeral(bytes, ++p);
        const end = numeral.end;
        const after = bytes[end]!;
        if (value < TOO_LARGE && value > -TOO_LARGE && (isBlank(after) || after === HASH)) {
          cells.add(number, value);
          p = end;
        } else if (isNull(bytes, p)) {
          cells.add(number, Number.NaN);
          findings.missing++;
          p += 4;
        } else finite(bytes, p, `the value of feature ${number}`, HASH);
      } else if (bytes[start] === HASH) {
        id = documentId(asText(bytes, start + 1, to));
        break;
      } else if (isQid(bytes, start)) {
        if (qid !== LATER) fail("the row has two qids");
        for (p = start + 4; !isBlank(bytes[p]!) && bytes[p] !== HASH; ) p++;
        if (p === start + 4) fail("expected a word after qid:, got nothing");
        qid = listAt(bytes, start + 4, p);
      } else fail(`expected number:value, got ${word(bytes, start)}`);
    }

    const grouped = qid !== LATER;
    if (findings.rows === 0) {
      findings.grouped = grouped;
      findings.weighted = weighted;
    } else if (grouped !== findings.grouped)
      fail(grouped ? "this row has a qid, but rows before it have none" : "this row has no qid, but rows before it have one");
    else if (weighted !== findings.weighted)
      fail(
        weighted
          ? `${whole(bytes, from, to)} reads as label:weight, but rows before it have no weight; is the label left out?`
          : "this row has no weight, but rows before it have label:weight",
      );
    findings.rows++;
    const twice = builder.row(qid, label, weight, id);
    if (twice >= 0) fail(`feature ${twice} is given twice`);
  };

  const cutter = lines(row, () => `${file}:${line + 1}`);
  return {
    findings,
    push: cutter.push,
    end() {
      cutter.end();
      findings.highest = cells.highestHere;
    },
  };
}

/** The bytes of "qid:". */
function isQid(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 113 && bytes[at + 1] === 105 && bytes[at + 2] === 100 && bytes[at + 3] === COLON;
}

/** The bytes of "NULL", then the end of the word. */
function isNull(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 78 || bytes[at + 1] !== 85 || bytes[at + 2] !== 76 || bytes[at + 3] !== 76) return false;
  return isBlank(bytes[at + 4]!) || bytes[at + 4] === HASH;
}

export function documentId(comment: string): string {
  const named = /\bdocid\s*=\s*(\S+)/i.exec(comment);
  if (named) return named[1]!;
  const text = comment.trim();
  const first = /^[\w.:/-]+(?=\s|$)/.exec(text);
  return first ? first[0] : text;
}
