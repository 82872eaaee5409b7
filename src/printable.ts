/** Characters that a terminal obeys instead of showing them, in names and texts out of files. */

/** Control characters, line separators, and what turns the direction of text. */
export const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text with such characters as JSON escapes them (so JSON stays the same JSON), but for those of `kept`. */
export const visible = (text: string, kept = ""): string =>
  text.replace(CONTROL, (one) => (kept.includes(one) ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`));
