/**
 * Whole numbers of JSON beyond 2^53, which `JSON.parse` rounds. Most are ids, of which no digit may be lost, so they become texts of their digits before the
 * text is parsed; what reads numbers reads such a text as the number that it was. They are found by a scan, because Node 20 does not hand the
 * source of a number to `JSON.parse`.
 */
const LONG = /[^\d.]\d{16}/; // digits that a double may not hold; those after a point are left to it
const LARGE = /[^\d.][\d.]{16,}[eE]\+?\d/; // as many, perhaps with a point among them, and an exponent that may make a whole number of them

/** The JSON text with such numbers in quotes. Looks for long runs of digits first, without which it is the text as it is. */
export const withExactIntegers = (text: string): string => (LONG.test(text) || LARGE.test(text) ? quoted(text) : text);

const [QUOTE, BACKSLASH, DIGITS] = [34, 92, 16]; // 2^53 has 16 digits

function quoted(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = textEnd(text, at);
    else if (isNumberPart(code)) {
      const begin = at;
      while (isNumberPart(text.charCodeAt(at + 1))) at++;
      const digits = at + 1 - begin < DIGITS ? undefined : exactInteger(text.slice(begin, at + 1));
      if (digits === undefined) continue;
      parts.push(text.slice(from, begin), `"${digits}"`);
      from = at + 1;
    }
  }
  return parts.join("") + text.slice(from);
}

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

const NUMERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MOST_DIGITS = 64; // ids have fewer

/** The digits of a whole number beyond 2^53, in any of the forms that JSON has; undefined for other numbers. */
function exactInteger(numeral: string): string | undefined {
  const value = Math.abs(Number(numeral));
  if (!(value > Number.MAX_SAFE_INTEGER && value < 10 ** MOST_DIGITS)) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = NUMERAL.exec(numeral) ?? [];
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padEnd(point, "0");
  if (sign === undefined || /[1-9]/.test(digits.slice(point))) return undefined;
  return sign + digits.slice(0, point).replace(/^0+/, "");
}
