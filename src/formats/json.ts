/** What all readers of JSON check first: how deep it is nested, because what walks through it later does so by recursion. */
import { InputError } from "../input-error.ts";

/** No file that is read here nests deeper. */
const DEEPEST = 200;

const [QUOTE, BACKSLASH] = [34, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * Refuses a text whose brackets nest deeper than any file needs; `path` and, if the text is only one of its lines, `line` say where. Files of
 * nested trees need more levels than others.
 */
export function checkNesting(text: string, path: string, line?: number, deepest = DEEPEST): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > deepest)
        throw new InputError(
          `${path}:${line ?? lineAt(text, at)}: brackets are nested more than ${deepest} deep, which no file of this kind needs`,
        );
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
}

/** The number of the line in which a place stands. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let from = text.indexOf("\n"); from >= 0 && from < at; from = text.indexOf("\n", from + 1)) line++;
  return line;
}
