/** What is decided about a column, what a user can say of it, and words of notices that all kinds of columns share. */
import { quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import type { ColumnProfile } from "./profile.ts";

/** What a user has said about columns. */
export interface KindOptions {
  /** Columns of dates; "listed:dmy" or "listed:mdy" says what comes first in dates such as 3/4/2024. */
  readonly dateColumns?: readonly string[];
  /** Columns of times; "lap:minutes" or "start:hours" says what comes first in times such as 1:23. */
  readonly timeColumns?: readonly string[];
  /** Columns of categories. */
  readonly categories?: readonly string[];
  /** Most different values of a category. */
  readonly maxCategories?: number;
  /** Further words for missing values. */
  readonly missingValues?: readonly string[];
}

export const MAX_CATEGORIES = 64;
/** Least share of numbers in a column of numbers. */
export const MOSTLY = 0.9;

/** What was decided about a column, and a line for users where that is not obvious. */
export interface Decision {
  readonly encoding: ColumnEncoding;
  readonly profile: ColumnProfile;
  readonly notice?: string;
}

/** A name as the value of an option. */
export const optionWord = (name: string) => (/^[\w.-]+$/.test(name) ? name : quote(name));

const SHOWN = 6;

/** 3 categories (a, b, c) */
export function namedNotice(names: readonly string[], one: string, several: string): string {
  const shown = names.slice(0, SHOWN).map(optionWord);
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return `${names.length} ${names.length === 1 ? one : several} (${shown.join(", ")}${more})`;
}

/** 3 cells with other text ("n.d.", "tba") */
export function wordsText({ words, wordCells }: Pick<ColumnProfile, "words" | "wordCells">): string {
  const some = [...words.keys()].slice(0, 3).map((word) => quote(word));
  return `${wordCells} ${wordCells === 1 ? "cell" : "cells"} with other text (${some.join(", ")}${words.size > 3 ? ", ..." : ""})`;
}
