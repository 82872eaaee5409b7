/** Whole numbers of JSON beyond 2^53, which `JSON.parse` rounds: they become texts of their digits before the text is parsed. */
const LONG = /[^\d.]\d{16}/; // digits that a double may not hold; those after a point are left to it

/** The JSON text with such numbers in quotes. Looks for a long run of digits first, without which it is the text as it is. */
export const withExactIntegers = (text: string): string => (LONG.test(text) ? quoted(text) : text);

const [QUOTE, BACKSLASH, DIGITS] = [34, 92, 16]; // 2^53 has 16 digits
const WHOLE = /^-?[1-9]\d*$/;

function quoted(text: string): string {
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
