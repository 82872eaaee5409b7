/** Records of JSON, whose whole numbers that a double cannot hold stay texts. */
import { describeValue, InputError } from "../../../input-error.ts";
import { WRITE_RECORDS } from "./json-orients.ts";

const LONG = /[^\d.]\d{16}/; // digits that a double may not hold; those after a point are left to it

/** The object that a record is. */
export function parsedRecord(where: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(LONG.test(text) ? withExactIntegers(text) : text);
  } catch (error) {
    const wayOut = /^\s*\{?\s*$/.test(text) ? "; write each object on a line of its own (jq -c . FILE), or all as one array" : "";
    throw new InputError(`${where}: expected an object as JSON (${String((error as Error).message).slice(0, 100)})${wayOut}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InputError(
      `${where}: expected an object, such as {"qid": "q1", "label": 2, "price": 9}, got ${describeValue(value)}${Array.isArray(value) ? `; of pandas, ${WRITE_RECORDS}` : ""}`,
    );
  return value as Readonly<Record<string, unknown>>;
}

/** The text with whole numbers beyond 2^53 in quotes. */
function withExactIntegers(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = textEnd(text, at);
    else if (isNumberPart(code)) {
      const begin = at;
      while (isNumberPart(text.charCodeAt(at + 1))) at++;
      const token = at + 1 - begin < DIGITS ? "" : text.slice(begin, at + 1);
      if (!WHOLE.test(token) || Number.isSafeInteger(Number(token))) continue;
      parts.push(text.slice(from, begin), `"${token}"`);
      from = at + 1;
    }
  }
  return parts.join("") + text.slice(from);
}

const [QUOTE, BACKSLASH, DIGITS] = [34, 92, 16]; // 2^53 has 16 digits
const WHOLE = /^-?[1-9]\d*$/;

/** Whether a character may be in a number: digits, letters of an exponent, signs and the point. */
const isNumberPart = (code: number) =>
  (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101;

/** Where the text ends that begins with the quote at `from`: at its last quote, or the end of the line. */
function textEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
