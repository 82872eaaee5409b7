/**
 * Side files: `.query` (LightGBM) or `.group` (XGBoost) with the size of each list or the list of each row, `.weight` with one weight
 * per list or per row, and `.position` (LightGBM) with the position at which each row was shown. Numbers above 0 that add up to the rows are
 * sizes; else as many lines as rows are list names. Positions are names: those that are whole numbers ascend, others come as they first occur.
 */
import { counted, thousands } from "../../counted.ts";
import type { Builder } from "../../data/builder.ts";
import { InputError, quote } from "../../input-error.ts";
import { asText } from "../../numeric/numeral.ts";
import { lines } from "./lines.ts";
import { type ParseSummary, TOO_LARGE } from "./parse-summary.ts";

export interface SideFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const GROUP_ENDINGS = [".query", ".group"] as const;
export const WEIGHT_ENDING = ".weight";
export const POSITION_ENDING = ".position";

/** Endings of all files that are read with a data file of this name. */
export const SIDE_ENDINGS = [...GROUP_ENDINGS, WEIGHT_ENDING, POSITION_ENDING] as const;

/** The name that side files are named after. */
export const withoutGzip = (path: string) => path.replace(/\.(gz|zst|bz2|xz)$/i, "");

/** A hint for data without list ids. */
export const groupFileHint = (path: string) => `write the size of each list on a line of ${withoutGzip(path)}.query`;

/** Where side files of a data file may lie: `train.txt.query` serves train.txt and train.txt.gz alike. */
export function sideFilePaths(path: string, ending: string): string[] {
  return withoutGzip(path) === path ? [path + ending] : [withoutGzip(path) + ending, path + ending];
}

/** The words of a side file, a line each. */
function tokensOf({ name, bytes }: SideFile): string[] {
  const tokens: string[] = [];
  let line = 0;
  const splitter = lines(
    (array, from, to) => {
      line++;
      const token = asText(array, from, to).trim();
      if (/\s/.test(token)) throw new InputError(`${name}:${line}: expected one number or word on a line, got ${quote(token)}`);
      if (token !== "") tokens.push(token);
    },
    () => `${name}:${line + 1}`,
    { longest: 1 << 16 },
  );
  splitter.push(bytes);
  splitter.end();
  return tokens;
}

/** Groups the rows from `from` on as the side file says, or checks it against their qids. Gives the source of the groups in words. */
export function groupRows(builder: Builder, from: number, data: string, side: SideFile, summary: ParseSummary): string {
  const tokens = tokensOf(side);
  const rows = builder.rows - from;
  const whole = tokens.every((token) => /^\d{1,10}$/.test(token));
  const sizes = whole ? tokens.map(Number) : [];
  const sum = sizes.reduce((total, size) => total + size, 0);
  const isSizes = whole && tokens.length > 0 && sum === rows && sizes.every((size) => size > 0);
  if (!isSizes && tokens.length !== rows)
    throw new InputError(
      whole
        ? `${side.name}: the sizes add up to ${thousands(sum)}, but ${data} has ${counted(rows, "row")}`
        : `${side.name}: ${counted(tokens.length, "name")} of lists, but ${data} has ${counted(rows, "row")}`,
    );
  const what = isSizes ? "sizes" : "lists";
  if (summary.grouped) {
    const lists = builder.listsFrom(from);
    if (!(isSizes ? agreeBySizes(lists, sizes) : agreeByNames(lists, tokens)))
      throw new InputError(`${side.name}: the ${what} there do not agree with the qids in ${data}; remove one of the two`);
    return `${summary.lists}, and ${what} in ${side.name} agree`;
  }
  if (isSizes) builder.groupBySizes(from, sizes);
  else builder.groupByNames(from, tokens);
  return `${what} from ${side.name}`;
}

function agreeBySizes(lists: Uint32Array, sizes: readonly number[]): boolean {
  const seen = new Set<number>();
  let row = 0;
  for (const size of sizes) {
    const list = lists[row]!;
    if (seen.has(list)) return false;
    seen.add(list);
    for (const end = row + size; row < end; row++) if (lists[row] !== list) return false;
  }
  return true;
}

function agreeByNames(lists: Uint32Array, names: readonly string[]): boolean {
  const nameOf = new Map<number, string>();
  const listOf = new Map<string, number>();
  return names.every((name, row) => {
    const list = lists[row]!;
    if (!nameOf.has(list)) nameOf.set(list, name);
    if (!listOf.has(name)) listOf.set(name, list);
    return nameOf.get(list) === name && listOf.get(name) === list;
  });
}

/** Weighs the rows from `from` on, or the lists from `fromList` on, by how many weights there are. Gives a notice. */
export function applyWeights(
  builder: Builder,
  from: number,
  fromList: number,
  data: string,
  side: SideFile,
  summary: ParseSummary,
): string {
  const weights = tokensOf(side).map((token, i) => {
    const weight = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(token) ? Number(token) : Number.NaN;
    if (!(weight >= 0 && weight < TOO_LARGE))
      throw new InputError(`${side.name}: expected finite weights of at least 0, got ${quote(token)} as number ${i + 1}`);
    return weight;
  });
  const rows = builder.rows - from;
  const lists = builder.lists - fromList;
  if (weights.length === lists) {
    builder.weighLists(fromList, weights);
    return `${data}: a weight per list from ${side.name}${lists === rows ? " (also the number of rows)" : ""}`;
  }
  if (weights.length !== rows)
    throw new InputError(
      `${side.name}: ${counted(weights.length, "weight")}, but ${data} has ${counted(lists, "list")} and ${counted(rows, "row")}`,
    );
  if (summary.weighted)
    throw new InputError(
      `${side.name}: a weight per row, but the rows in ${data} have weights of their own; remove one of the two`,
    );
  builder.weighRows(from, weights);
  return `${data}: a weight per row from ${side.name}`;
}

/** Positions of the rows of a file: names, and the place of each row among them. */
export interface RowPositions {
  readonly names: readonly string[];
  readonly places: Uint32Array;
}

/** The positions of the rows of a data file, one on each line as LightGBM wants them. */
export function positionsOf(data: string, side: SideFile, rows: number): RowPositions {
  const tokens = tokensOf(side);
  if (tokens.length !== rows)
    throw new InputError(`${side.name}: ${counted(tokens.length, "position")}, but ${data} has ${counted(rows, "row")}`);
  const names = [...new Set(tokens)];
  if (names.every((name) => /^\d{1,9}$/.test(name))) names.sort((a, b) => Number(a) - Number(b));
  const placeOf = new Map(names.map((name, k) => [name, k]));
  return { names, places: Uint32Array.from(tokens, (token) => placeOf.get(token)!) };
}
