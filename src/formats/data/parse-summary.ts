/** The interface of row parsers, and the summary of what they parsed. */
import { counted } from "../../counted.ts";
import { column } from "../../data/column.ts";
import { floatStep, LABEL, type Rounded, roundingMatters } from "../../data/rounded.ts";
import type { Dataset } from "../../types.ts";
import type { ByteSink } from "./lines.ts";

/** What was found in one file. */
export interface ParseSummary {
  rows: number;
  /** The rows name their lists. */
  grouped: boolean;
  /** The rows bring weights. */
  weighted: boolean;
  /** Cells marked as missing. */
  missing: number;
  /** Rows without a label. */
  unlabelled: number;
  /** Rows of a table without any value, which are left out. */
  empty?: number;
  /** Labels are words, in an order of their own. */
  labelWords?: boolean;
  /** The highest feature number, where features are numbered. */
  highest: number;
  /** Where the lists come from. */
  lists: string;
  /** Further facts for the summary line of the file. */
  readonly details: string[];
  readonly notices: string[];
}

export interface Parser extends ByteSink {
  readonly summary: ParseSummary;
}

export const emptySummary = (lists: string): ParseSummary => ({
  rows: 0,
  grouped: false,
  weighted: false,
  missing: 0,
  unlabelled: 0,
  highest: -1,
  lists,
  details: [],
  notices: [],
});

export const emptyNotice = ({ empty = 0 }: ParseSummary): string[] =>
  empty > 0 ? [`${counted(empty, "row")} without any value left out`] : [];

const EPOCH_FROM = 946_684_800; // 2000-01-01

/** One line about columns whose numbers 32-bit floats have rounded so that it could matter; `nameOf` names one of them, and `valuesOf` has its values. */
export function roundedNotice(
  rounded: ReadonlyMap<number, Rounded>,
  nameOf: (number: number) => string,
  valuesOf: (number: number) => ArrayLike<number> | undefined,
): string[] {
  const isLong = ({ low, high }: Rounded) => Math.max(-low, high) > Number.MAX_SAFE_INTEGER; // an id, perhaps
  const columns = [...rounded]
    .filter(([number, one]) => isLong(one) || roundingMatters(valuesOf(number) ?? []))
    .sort(([a], [b]) => a - b);
  const [first] = columns;
  if (!first) return [];
  const names = columns.slice(0, 3).map(([number]) => nameOf(number));
  const more = columns.length > 3 ? ` and ${columns.length - 3} more` : "";
  const { count, low, high } = first[1];
  const step = floatStep(Math.max(Math.abs(low), Math.abs(high)));
  const which = `${counted(count, "number")} of ${names[0]}, ${low === high ? low : `${low} to ${high}`},`;
  const isTime = low > EPOCH_FROM && low !== high; // seconds since 1970 of this century, or smaller units
  const times = isTime ? "; if it is a time since 1970, name it with --date-columns" : "";
  const isId = low > Number.MAX_SAFE_INTEGER && high < 2 ** 64;
  const wayOut = isId
    ? "it looks like an id: leave it out (--ignore), or name the items by it (--item)"
    : "subtract an offset, such as the smallest value";
  return [
    `${names.join(", ")}${more} lost digits: numbers are held as 32-bit floats, and ${which} ${count === 1 ? "was" : "were"} rounded, by steps of up to ${step}, so that different ones may be equal; ${wayOut}${times}`,
  ];
}

/** The values of a feature by its number as written; undefined of the label. */
export const valuesIn =
  ({ features, base, names }: Dataset) =>
  (number: number): ArrayLike<number> | undefined =>
    number === LABEL ? undefined : column(features, names.features ? number : number - base);

/** Half a step above the largest 32-bit float: from here on, rounding gives infinity. */
export const TOO_LARGE = 2 ** 128 - 2 ** 103;
