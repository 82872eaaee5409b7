/**
 * Arrays that are written as text: by JSON, `["new","sale"]`, by PostgreSQL, `{new,sale}`, and by Python and NumPy, `['new', 'sale']` and `[0.5 1.5]`.
 * Sources of tables hand over arrays of texts as JSON.
 */
import { numeralOf } from "./cell-text.ts";

/** A value in an array. */
export type Element = string | number | boolean | null;

const isElement = (value: unknown): value is Element => typeof value !== "object" || value === null;

/** The values of an array without arrays or objects in it; undefined for other texts. */
export function arrayOf(text: string): readonly Element[] | undefined {
  if (text.startsWith("{") && text.endsWith("}")) return elementsBetween(text, POSTGRES, ofPostgres);
  if (!(text.startsWith("[") && text.endsWith("]"))) return undefined;
  return jsonArray(text) ?? elementsBetween(text, PYTHON, ofPython);
}

function jsonArray(text: string): readonly Element[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isElement) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An element, in quotes or not, and what follows. PostgreSQL puts quotes round everything else, such as blanks. */
const POSTGRES = /(?:"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|([^\s"{},\\]+))(,|$)/y;
const PYTHON = /(?:'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|([^\s'"[\](){},\\]+))(?:\s*,\s*|\s+|$)/y;

/** The elements of what stands between the first and the last character. */
function elementsBetween(
  text: string,
  pattern: RegExp,
  read: (found: RegExpExecArray) => Element | undefined,
): readonly Element[] | undefined {
  const body = text.slice(1, -1).trim();
  const values: Element[] = [];
  let open = false; // a separator came last
  for (pattern.lastIndex = 0; pattern.lastIndex < body.length; ) {
    const found = pattern.exec(body);
    const value = found ? read(found) : undefined;
    if (value === undefined) return undefined;
    values.push(value);
    open = found![0].trimEnd().endsWith(",");
  }
  return open ? undefined : values;
}

function ofPostgres([, quoted, bare]: RegExpExecArray): Element {
  if (quoted !== undefined) return quoted.replace(/\\([\s\S])/g, "$1");
  return bare!.toUpperCase() === "NULL" ? null : (numeralOf(bare!) ?? bare!);
}

const WORDS: Readonly<Record<string, Element>> = { None: null, nan: null, True: true, False: false };
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function ofPython([, single, double, bare]: RegExpExecArray): Element | undefined {
  const quoted = single ?? double;
  if (quoted === undefined) return Object.hasOwn(WORDS, bare!) ? WORDS[bare!] : numeralOf(bare!);
  return quoted.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|([\s\S]))/gi, (_, two?: string, four?: string, letter = "") =>
    two || four ? String.fromCharCode(Number.parseInt((two ?? four)!, 16)) : (ESCAPES[letter] ?? letter),
  );
}

/** The different texts in an array, without missing ones; undefined where the text is no array. */
export function elementTexts(text: string, missingWords: readonly string[] = []): readonly string[] | undefined {
  const array = arrayOf(text);
  if (!array) return undefined;
  const texts = array.flatMap((value) => (value === null ? [] : String(value).trim()));
  return [...new Set(texts.filter((one) => one !== "" && !missingWords.includes(one)))];
}

/** The text of an array as sources of tables hand it over. */
export const arrayText = (elements: readonly Element[]): string => JSON.stringify(elements.filter((value) => value !== null));
