/** The options of reading data files. */

import { MAX_CATEGORIES } from "../../data/table/decision.ts";
import { type TierSource, tierSources } from "../../data/tier-sources.ts";
import { choice, type Field, type Fields, find, flag, integer, part, textField } from "../../part.ts";
import { type DataFormatId, formatIds } from "./formats.ts";

/** How data files are read: their format, and which columns are what. */
export interface ReadOptions {
  /** Format of the data files; auto: by extension, else by content. Default: "auto". */
  readonly format: "auto" | DataFormatId;
  /** Column of the label (tables; default: label, relevance, rel, grade, rating or target). Default: "". */
  readonly label: string;
  /** Column that identifies the list; of several, as in round,judge, all together (tables; default: qid, query, query_id, group or list). Default: "". */
  readonly qid: string;
  /** Column of the weight (tables; default: none). Default: "". */
  readonly weight: string;
  /** Column of the document id (tables; default: docid, doc_id, document, doc or id). Default: "". */
  readonly id: string;
  /** Comma-separated columns to drop. Default: []. */
  readonly ignore: readonly string[];
  /** Value of features that an svmlight row omits. Default: "zero". */
  readonly absent: "zero" | "missing";
  /** Index of the first feature in svmlight files; auto: 0 if a feature 0 occurs. Default: 1. */
  readonly indexBase: 0 | 1 | "auto";
  /** Items that a ballot omits: no information, or tied in the last tier. Default: "silent". */
  readonly absentItems: "silent" | "last";
  /** File of row numbers to keep, from 1 (xml-repository, arff); FILE:2 uses its second column. Default: "". */
  readonly split: string;
  /**
   * What tiers are made from: clicks, ratings or pairs, with options such as clicks:unseen=between (tierwise list tier-sources). Without it,
   * labels are tiers, and each pair is a ballot. Default: "".
   */
  readonly tiers: string;
  /** A file of positions beside the data: clicks get inverse propensities as weights, or it is not read. Default: "debias". */
  readonly positions: "debias" | "ignore";
  /** Comma-separated columns that are categories, also where they hold numbers (tables). Default: []. */
  readonly categories: readonly string[];
  /** Most different texts of a column that is taken as categories by itself (tables). A whole number of at least 1. Default: 64. */
  readonly maxCategories: number;
  /** Comma-separated columns of dates: ISO 8601, or numbers since 1970 in s, ms, us or ns; NAME:dmy and NAME:mdy say what is first in 3/4/2024 (tables). Default: []. */
  readonly dateColumns: readonly string[];
  /** Comma-separated columns of times, in seconds; NAME:hours and NAME:minutes say what is first in 1:23 (tables). Default: []. */
  readonly timeColumns: readonly string[];
  /** Comma-separated words for missing values, besides NA, NaN, null, None, ? and the like (tables). Default: []. */
  readonly missingValues: readonly string[];
  /** Lines above the header that are not read, such as a title (csv, tsv, pairs, tier-table). A whole number of at least 0. Default: 0. */
  readonly skipLines: number;
  /** Delimiter of cells: auto, tab, space or a character (csv, tsv). Default: "auto". */
  readonly separator: string;
  /** Decimal mark of the numbers of tables, where the other one groups thousands; auto: as all rows show (tables). Default: "auto". */
  readonly decimal: "auto" | "." | ",";
  /** Whether tables begin with a header; without one, columns are numbered from 0 and the first is the label (csv, tsv). Default: true. */
  readonly header: boolean;
  /** Whether a lower label is better, as the position in a race is. Default: false. */
  readonly lowerIsBetter: boolean;
  /** Whether a higher label is better, also where its column is called "tier", in which 1 is the best otherwise. Default: false. */
  readonly higherIsBetter: boolean;
  /** Comma-separated labels that are words, the best first; letters among S, A to F need none (tables). Default: []. */
  readonly labelOrder: readonly string[];
  /** Comma-separated labels below all others of their list, such as DNF,DSQ; NA takes cells without a label too (tables). Default: []. */
  readonly labelLast: readonly string[];
  /** Comma-separated words that mean no label, such as DNS, whose rows are left out; NA takes cells without a label too (tables). Default: []. */
  readonly labelMissing: readonly string[];
  /** Whether a table of lists, items and labels is read as ballots; auto: if it has no features. Default: "auto". */
  readonly ballots: "auto" | "always" | "never";
  /** An item several times in a list of a table: refuse different labels of ballots, or take the first, last or mean. Default: "refuse". */
  readonly duplicates: "refuse" | "first" | "last" | "mean";
  /** Whether lists of the same name in several files are one list, as of one table in parts. Default: false. */
  readonly joinLists: boolean;
  /** Table with features of items, found by the column of the item or the first column (tables). Default: "". */
  readonly items: string;
  /** Table with features of lists, such as users, found by the column of the list or the first column (tables). Default: "". */
  readonly lists: string;
}

const names = (about: string, aliases: readonly string[] = []): Field<readonly string[]> => ({
  about,
  kind: "comma-separated names",
  default: [],
  aliases,
  read(value) {
    if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? value : undefined;
    if (typeof value !== "string") return undefined;
    return value.split(",").map((one) => one.trim()).filter((one) => one !== ""); // biome-ignore format: one chain
  },
  write: (value) => value.join(","),
});

const separator: Field<string> = {
  about: "delimiter of cells: auto, tab, space or a character (csv, tsv)",
  kind: "auto, tab, space or one character that is no letter, digit or quote",
  default: "auto",
  aliases: ["sep"],
  read(value) {
    if (value === "auto" || value === "tab" || value === "space") return value;
    if (value === "\t" || value === "\\t") return "tab";
    if (value === " ") return "space";
    return typeof value === "string" && /^[!#$%&'()*+,/:;<=>?@[\\\]^_`{|}~-]$/.test(value) ? value : undefined;
  },
  write: (value) => value,
};

const base: Field<0 | 1 | "auto"> = {
  about: "index of the first feature in svmlight files; auto: 0 if a feature 0 occurs",
  kind: "one of 1, 0, auto",
  default: 1,
  aliases: [],
  read: (value) => ([1, 0, "auto"] as const).find((one) => String(one) === String(value)),
  write: String,
};

const tiers: Field<string> = {
  about:
    "what tiers are made from: clicks, ratings or pairs, with options such as clicks:unseen=between (tierwise list tier-sources)",
  kind: `one of ${tierSources.map(({ id }) => id).join(", ")}, with options`,
  default: "",
  aliases: [],
  read: (value) => (typeof value === "string" ? (tierSourceOf(value)?.spec ?? "") : undefined),
  write: (value) => value,
};

/** The source of tiers that a spec names, or undefined for none. */
export const tierSourceOf = (spec: string): TierSource | undefined =>
  spec === "" ? undefined : find<TierSource>(tierSources, "source of tiers", spec);

export const readerFields: Fields<ReadOptions> = {
  format: choice(["auto", ...formatIds], "format of the data files; auto: by extension, else by content"),
  label: textField("", "column of the label (tables; default: label, relevance, rel, grade, rating or target)", ["label_column"]),
  qid: textField(
    "",
    "column that identifies the list; of several, as in round,judge, all together (tables; default: qid, query, query_id, group or list)",
    ["group_column", "query_column"],
  ),
  weight: textField("", "column of the weight (tables; default: none)", ["weight_column"]),
  id: textField("", "column of the document id (tables; default: docid, doc_id, document, doc or id)"),
  ignore: names("comma-separated columns to drop", ["ignore_column"]),
  absent: choice(["zero", "missing"], "value of features that an svmlight row omits"),
  indexBase: base,
  absentItems: choice(["silent", "last"], "items that a ballot omits: no information, or tied in the last tier"),
  split: textField("", "file of row numbers to keep, from 1 (xml-repository, arff); FILE:2 uses its second column"),
  tiers,
  positions: choice(
    ["debias", "ignore"],
    "a file of positions beside the data: clicks get inverse propensities as weights, or it is not read",
  ),
  categories: names("comma-separated columns that are categories, also where they hold numbers (tables)", [
    ...["categorical_feature", "categorical_features", "cat_feature", "cat_features"],
  ]),
  maxCategories: integer(MAX_CATEGORIES, "most different texts of a column that is taken as categories by itself (tables)", {
    min: 1,
  }),
  dateColumns: names(
    "comma-separated columns of dates: ISO 8601, or numbers since 1970 in s, ms, us or ns; NAME:dmy and NAME:mdy say what is first in 3/4/2024 (tables)",
  ),
  timeColumns: names(
    "comma-separated columns of times, in seconds; NAME:hours and NAME:minutes say what is first in 1:23 (tables)",
  ),
  missingValues: names("comma-separated words for missing values, besides NA, NaN, null, None, ? and the like (tables)"),
  skipLines: integer(0, "lines above the header that are not read, such as a title (csv, tsv, pairs, tier-table)", {
    min: 0,
    aliases: ["skip_rows", "skiprows"],
  }),
  separator,
  decimal: choice(
    ["auto", ".", ","],
    "decimal mark of the numbers of tables, where the other one groups thousands; auto: as all rows show (tables)",
  ),
  header: flag(
    true,
    "whether tables begin with a header; without one, columns are numbered from 0 and the first is the label (csv, tsv)",
    ["has_header"],
  ),
  lowerIsBetter: flag(false, "whether a lower label is better, as the position in a race is"),
  higherIsBetter: flag(
    false,
    'whether a higher label is better, also where its column is called "tier", in which 1 is the best otherwise',
  ),
  labelOrder: names("comma-separated labels that are words, the best first; letters among S, A to F need none (tables)"),
  labelLast: names(
    "comma-separated labels below all others of their list, such as DNF,DSQ; NA takes cells without a label too (tables)",
  ),
  labelMissing: names(
    "comma-separated words that mean no label, such as DNS, whose rows are left out; NA takes cells without a label too (tables)",
  ),
  ballots: choice(
    ["auto", "always", "never"],
    "whether a table of lists, items and labels is read as ballots; auto: if it has no features",
  ),
  duplicates: choice(
    ["refuse", "first", "last", "mean"],
    "an item several times in a list of a table: refuse different labels of ballots, or take the first, last or mean",
  ),
  joinLists: flag(false, "whether lists of the same name in several files are one list, as of one table in parts"),
  items: textField("", "table with features of items, found by the column of the item or the first column (tables)"),
  lists: textField(
    "",
    "table with features of lists, such as users, found by the column of the list or the first column (tables)",
  ),
};

/** Checks and completes options of reading. */
export const readOptions = part("read", "reading data files", readerFields, (options) => options);
