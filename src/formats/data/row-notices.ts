/** What is said of files of rows that were read, and of the names in them. */
import { counted } from "../../counted.ts";
import { repeatedRows } from "../../data/repeated-rows.ts";
import type { Dataset } from "../../types.ts";
import type { DatasetReaderOptions } from "./dataset-reader.ts";
import { emptyNotice, type ParseSummary } from "./parse-summary.ts";

export interface FileRead {
  readonly name: string;
  readonly summary: ParseSummary;
  /** How many rows and lists it has. */
  readonly groups: string;
  /** Rows of some list were not adjacent. */
  readonly scattered: boolean;
  /** What is said of its file of weights. */
  readonly weights: string | undefined;
  /** Whether features have names. */
  readonly named: boolean;
}

/** What is said of a file that was read, once the number of the first feature is known. */
export function fileNotices(file: FileRead, base: number, absent: DatasetReaderOptions["absent"]): FileNotice[] {
  const { name, summary, groups, scattered, weights, named } = file;
  const features = summary.highest < 0 ? "no features" : `features ${base} to ${summary.highest} (${base}-based)`;
  const someUnlabelled = summary.unlabelled > 0 && summary.unlabelled < summary.rows; // data without any are to be ranked
  const numbered = [features, `absent = ${absent === "zero" ? "0" : "missing"}`];
  const ofFile: Omit<FileNotice, "file">[] = [
    ...summary.notices.map((text) => ({ text })),
    ...(scattered ? [{ text: "rows of some lists were not adjacent and have been grouped" }] : []),
    ...(summary.missing > 0 ? [{ count: summary.missing, unit: "value", text: ` missing${named ? "" : " (NULL)"}` }] : []),
    ...emptyNotice(summary).map((text) => ({ text })),
    ...(someUnlabelled ? [{ count: summary.unlabelled, unit: "row", text: " without a label, taken as 0" }] : []),
  ];
  return [
    { text: `${name}: ${[groups, ...summary.details, ...(named ? [] : numbered)].join(", ")}` },
    ...ofFile.map((notice) => ({ ...notice, file: name })),
    ...(weights ? [{ text: weights }] : []),
  ];
}

export interface FileNotice {
  /** The file that it begins with. */
  readonly file?: string;
  /** What the text begins with, if it is a number of something. */
  readonly count?: number;
  readonly unit?: string;
  readonly text: string;
}

/** The notices as lines; one that several files have comes once, with the sum of its counts. */
export function noticeLines(notices: readonly FileNotice[]): string[] {
  const all = new Map<string, { files: Set<string>; sum: number }>();
  for (const { file, text, count = 0 } of notices) {
    if (file === undefined) continue;
    const { files, sum } = all.get(text) ?? { files: new Set<string>(), sum: 0 };
    all.set(text, { files: files.add(file), sum: sum + count });
  }
  return notices.flatMap(({ file, text, unit }) => {
    if (file === undefined) return text;
    const found = all.get(text);
    if (!found) return []; // an earlier line has it
    all.delete(text);
    const others = found.files.size - 1;
    return `${file}${others > 0 ? ` and ${counted(others, "more file")}` : ""}: ${unit ? counted(found.sum, unit) : ""}${text}`;
  });
}

const LOOKED_AT = 100_000; // rows: those of several judges are many, and reading should not take longer

const ROUNDED = /^\d[.,]\d+[eE]\+\d+$/;

/** A line about names that a spreadsheet has rounded, such as 1.23457E+18. */
export function roundedNames({ names: { lists = [], entries = [] } }: Dataset): string[] {
  for (const names of [lists, entries])
    for (let at = 0; at < Math.min(LOOKED_AT, names.length); at++)
      if (ROUNDED.test(names[at]!))
        return [
          `names of ${names === lists ? "lists" : "items"} such as ${names[at]} are long numbers of which a program kept the first digits, so that different ones may be equal; export the column as text`,
        ];
  return [];
}

/** A line about lists that have an item with different labels, as a table of several judges has. */
export function contradictions(data: Dataset): string[] {
  for (const { list, row, differs } of repeatedRows(data, LOOKED_AT))
    if (differs)
      return [
        `list ${data.names.lists?.[list] ?? list + 1} has the item ${data.names.entries![row]} more than once, with different labels; if several people judged, name their column too (--list race,judge)`,
      ];
  return [];
}
