/** Every format of data files, and how the format of a file is found. */
import { arff } from "./arff.ts";
import { arrow } from "./columnar/arrow.ts";
import { jsonLines } from "./columnar/json-lines.ts";
import { parquet } from "./columnar/parquet.ts";
import { csv, PSQL_MESSAGE, tsv } from "./csv.ts";
import { refuseForeign } from "./foreign-files.ts";
import type { AnyDataFormat, BallotFormat, DataFormat } from "./format.ts";
import { orders } from "./orders.ts";
import { pairs } from "./pairs.ts";
import { preflib } from "./preflib.ts";
import { qrels } from "./qrels.ts";
import { ranks } from "./rank-features.ts";
import { svmlight } from "./svmlight.ts";
import { tiers } from "./tier-lists.ts";
import { tierTable } from "./tier-table.ts";
import { xmlRepository } from "./xml-repository.ts";

const formats = [
  ...([svmlight, csv, tsv, jsonLines, parquet, arrow, qrels, preflib, orders, pairs, tiers] as const),
  ...([tierTable, ranks, xmlRepository, arff] as const),
] as const;

/** Formats that content is tested for, in this order: what is recognized beyond doubt comes first. */
export const sniffed = [jsonLines, pairs, tierTable, xmlRepository, arff, preflib, qrels, svmlight, tiers, orders, csv] as const;

/** Name of a data format. */
export type DataFormatId = (typeof formats)[number]["id"];

/** Every data format, as `tierwise list formats` has them. */
export const dataFormats: readonly DataFormat[] = formats;

/** The formats with their parsers. */
export const readableFormats: readonly AnyDataFormat<DataFormatId>[] = formats;

/** The names of all formats. */
export const formatIds: readonly DataFormatId[] = formats.map(({ id }) => id);

/** Bytes that are looked at to find a format. */
const HEAD = 1 << 16;

/** The requested format, or that of the file extension, or that of the first line that is neither blank nor a comment. */
export function formatOf(name: string, head: Uint8Array, requested: "auto" | DataFormatId = "auto"): AnyDataFormat<DataFormatId> {
  refuseForeign(name, head);
  const named = readableFormats.find(({ id }) => id === requested);
  if (named) return named;
  const certain = readableFormats.find((format) => format.isMagic?.(head));
  if (certain) return certain;
  const plain = name.toLowerCase().replace(/\.(gz|zst|bz2|xz)$/, "");
  const ends = (extension: string) => plain.endsWith(extension);
  const refuses = readableFormats.find(({ refused }) => refused?.some(ends));
  if (refuses) return refuses;
  const byName = readableFormats.find(({ extensions }) => extensions.some(ends));
  const text = new TextDecoder().decode(head.subarray(0, HEAD)).replace(/^\uFEFF/, "");
  const line = text.split(/\r?\n/).find((one) => !/^\s*(#|$)/.test(one) && !PSQL_MESSAGE.test(one)) ?? "";
  const candidates: readonly AnyDataFormat<DataFormatId>[] = sniffed;
  const eligible = candidates.filter(({ sharesExtensionsOf }) => !byName || sharesExtensionsOf?.includes(byName.id));
  return eligible.find((format) => format.sniff?.(line, text)) ?? byName ?? svmlight;
}

/** The format of ballots that a table with these columns has, whatever its file is; undefined where it is no table of ballots. */
export function ballotTable(columns: readonly string[]): BallotFormat<DataFormatId> | undefined {
  const candidates: readonly BallotFormat<DataFormatId>[] = [pairs, tierTable];
  return candidates.find((format) => format.columnsOf?.(columns));
}

/** Where files with the names of labels may be, beside a data file. */
export const labelFiles = (path: string): string[] => readableFormats.flatMap((format) => format.labelFiles?.(path) ?? []);
