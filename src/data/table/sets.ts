/** Columns of arrays of texts, such as the tags of an item: a feature `column=element` for each element, 1 where an array has it and 0 where not. */
import { describeValue, InputError, quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { arrayOf, elementTexts } from "./array-text.ts";
import { isMissingWord } from "./cell-text.ts";
import { type Decision, type KindOptions, MAX_CATEGORIES, namedNotice, optionWord } from "./decision.ts";
import type { EncodedColumn } from "./encode.ts";
import type { ColumnProfile, Segment } from "./profile.ts";
import { MISSING_TEXT } from "./source-table.ts";
import { textAt } from "./texts.ts";

/** Decides on a column all of whose cells are arrays, of texts in some; undefined for others. As for categories, elements may be too many. */
export function decideSets(
  name: string,
  profile: ColumnProfile,
  { missingValues = [], maxCategories = MAX_CATEGORIES }: KindOptions,
  named = false,
): Decision | undefined {
  const { words, rows, missing, wordCells } = profile;
  if (words.size === 0 || wordCells < rows - missing) return undefined;
  const cells = new Map<string, number>(); // by element
  let [texts, all] = [false, 0];
  for (const [word, { count }] of words) {
    const elements = elementTexts(word, missingValues);
    if (!elements) return undefined;
    texts ||= arrayOf(word)!.some((value) => typeof value === "string");
    all += count * elements.length;
    for (const element of elements) cells.set(element, (cells.get(element) ?? 0) + count);
  }
  const column = `column ${quote(name)}`;
  const leftOut = (why: string): Decision => ({
    ...{ encoding: { name, kind: "none" }, profile },
    notice: `${column} is left out: ${why}`,
  });
  if (cells.size === 0) return leftOut("arrays without an element in all rows");
  if (!texts) return undefined;
  if (!named && words.size === 1 && missing === 0) return leftOut("the same array in all rows");
  if (!named && (cells.size > maxCategories || cells.size * 2 > all))
    return leftOut(
      `arrays with ${cells.size} different texts among ${all}; --categories ${optionWord(name)} makes each a feature`,
    );
  const categories = [...cells.keys()].sort((a, b) => (a < b ? -1 : 1));
  return {
    ...{ encoding: { name, kind: "set", categories }, profile },
    notice: `${column}: arrays of texts, as ${namedNotice(categories, "feature", "features")}`,
  };
}

/** Encodes all rows of a column: `values` has the number of the set of each row, and -1 where the cell is missing. */
export function encodeSets(
  encoding: ColumnEncoding,
  segments: Iterable<Segment>,
  rows: number,
  missingWords: readonly string[],
): EncodedColumn {
  const values = new Int32Array(rows);
  const unknown = { count: 0, first: 0, texts: new Set<string>() };
  const sets: ReadonlySet<number>[] = [];
  const read = setReader(encoding, missingWords);
  let [at, missing] = [0, 0];
  for (const { column } of segments) {
    const found = new Map<string, { readonly place: number; readonly strange: readonly string[] }>();
    const length = column.kind === "text" ? column.codes.length : column.values.length;
    for (let row = 0; row < length; row++, at++) {
      const text = column.kind === "text" && column.codes[row] === MISSING_TEXT ? "" : textAt(column, row);
      values[at] = -1;
      if (isMissingWord(text, missingWords)) {
        missing++;
        continue;
      }
      let known = found.get(text);
      if (!known) {
        const { members, strange } = read(text);
        found.set(text, (known = { place: sets.push(members) - 1, strange }));
      }
      values[at] = known.place;
      if (known.strange.length === 0) continue;
      if (unknown.count === 0) unknown.first = at;
      unknown.count += known.strange.length;
      for (const one of known.strange) if (unknown.texts.size < EXAMPLES) unknown.texts.add(one);
    }
  }
  return { values, missing, unknown, sets };
}

const EXAMPLES = 3;

/** Reads the text of a cell; one that is no array is an element. */
function setReader({ categories = [] }: ColumnEncoding, missingWords: readonly string[]) {
  const places = new Map(categories.map((one, place) => [one, place]));
  return (text: string) => membersOf(elementTexts(text, missingWords) ?? [text], places);
}

function membersOf(elements: readonly string[], places: ReadonlyMap<string, number>) {
  const members = new Set<number>();
  const strange: string[] = [];
  for (const element of elements) {
    const place = places.get(element);
    if (place === undefined) strange.push(element);
    else members.add(place);
  }
  return { members, strange };
}

/**
 * Writes the features of an array into `row` from `at` on: NaN where it is missing. Elements that the encoding does not know are given back. A value
 * that is no array is an element. `what` begins a message.
 */
export function encodeSet(
  { name, categories = [] }: ColumnEncoding,
  value: unknown,
  row: Float32Array,
  at: number,
  what = `column ${quote(name)}`,
): readonly string[] {
  const elements = elementsIn(what, value);
  row.fill(elements ? 0 : Number.NaN, at, at + categories.length);
  const places = new Map(categories.map((one, place) => [one, place]));
  const { members, strange } = membersOf(elements ?? [], places);
  for (const place of members) row[at + place] = 1;
  return strange;
}

/** The texts of an array of JavaScript, or of one that is written as text; undefined where the value is missing. `what` begins a message. */
export function elementsIn(what: string, value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined || Number.isNaN(value)) return undefined;
  if (typeof value === "string") return isMissingWord(value.trim()) ? undefined : (elementTexts(value.trim()) ?? [value.trim()]);
  if (typeof value !== "object") return [String(value)];
  if (!(Symbol.iterator in value)) throw new InputError(`${what}: expected an array of texts, got ${describeValue(value)}`);
  const texts = Array.from(value as Iterable<unknown>, (element) => {
    if (element === null || element === undefined || Number.isNaN(element)) return "";
    if (typeof element === "object") throw new InputError(`${what}: expected an array of texts, got one with ${describeValue(element)}`); // biome-ignore format: one line
    return String(element).trim();
  });
  return [...new Set(texts.filter((text) => text !== ""))];
}
