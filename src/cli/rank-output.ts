/** How rankings are written, with or without probabilities: lines of text as they come, or a Parquet file at the end. */
import { once } from "node:events";
import { basename, extname } from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { forSpreadsheet, oneCell, oneWord } from "../data/names.ts";
import { importParquetWriter } from "../formats/data/columnar/packages.ts";
import { writeParquet } from "../formats/data/columnar/write-parquet.ts";
import { statIfExists, writeDurably } from "../formats/durable.ts";
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import { visible } from "../printable.ts";
import type { Ranked } from "../rank.ts";
import { type ListColumns, listMembers } from "./list-columns.ts";
import { nameSpeller } from "./rank-names.ts";

/** A column with a value for each item of a list. */
export interface RankColumn<R extends Ranked> {
  readonly name: string;
  readonly kind: "text" | "whole" | "number";
  of(list: string, item: R["items"][number]): string | number;
}

/** A format of lines. */
export interface TextLayout<R extends Ranked> {
  /** The line before all others. */
  readonly head?: string;
  /** How a name is spelled where the format cannot contain all characters, and why. */
  readonly spelling?: { readonly of: (name: string) => string; readonly why: string };
  lines(ranked: R, tag: string): string;
}

/** How rankings of some kind are written: the columns of CSV and Parquet, and the other formats by name. */
export interface RankLayouts<R extends Ranked> {
  readonly columns: readonly RankColumn<R>[];
  readonly text: Readonly<Record<string, TextLayout<R>>>;
}

const csvCell = (value: string | number) => {
  if (typeof value === "number") return String(value);
  const safe = forSpreadsheet(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const csvLayout = <R extends Ranked>(columns: readonly RankColumn<R>[]): TextLayout<R> => ({
  head: `${columns.map(({ name }) => csvCell(name)).join(",")}\n`,
  lines: ({ list, items }) => items.map((item) => `${columns.map(({ of }) => csvCell(of(list, item))).join(",")}\n`).join(""),
});

const words = { of: oneWord, why: "blanks separate its columns" };
/** How names are spelled between tabs. */
export const tsvSpelling = { of: oneCell, why: "tabs and line breaks separate its cells" };

export const jsonLayout: TextLayout<Ranked> = { lines: (ranked) => `${visible(JSON.stringify(ranked))}\n` };

/** The columns of rankings without more. */
export const rankColumns: readonly RankColumn<Ranked>[] = [
  { name: "list", kind: "text", of: (list) => list },
  { name: "rank", kind: "whole", of: (_, { rank }) => rank },
  { name: "item", kind: "text", of: (_, { id }) => id },
  { name: "score", kind: "number", of: (_, { score }) => score },
];

export const rankLayouts: RankLayouts<Ranked> = {
  columns: rankColumns,
  text: {
    trec: {
      spelling: words,
      lines: ({ list, items }, tag) => items.map(({ id, rank, score }) => `${list} Q0 ${id} ${rank} ${score} ${tag}\n`).join(""),
    },
    qrels: {
      spelling: words,
      lines: ({ list, items }) => items.map(({ id, label }) => `${list} 0 ${id} ${label}\n`).join(""),
    },
    tsv: {
      spelling: tsvSpelling,
      lines: ({ list, items }) =>
        items.map(({ id, rank, score }) => `${[forSpreadsheet(list), rank, forSpreadsheet(id), score].join("\t")}\n`).join(""),
    },
    jsonl: jsonLayout,
  },
};

/** The same with the columns of lists where the column `list` stands, and in JSON beside it. */
export function withListColumns<R extends Ranked>(layouts: RankLayouts<R>, columns: ListColumns | undefined): RankLayouts<R> {
  if (!columns) return layouts;
  const own = columns.names.map((name, c): RankColumn<R> => ({ name, kind: "text", of: (list) => columns.of(list)[c]! }));
  const jsonl: TextLayout<R> = {
    lines({ list, ...ranked }) {
      return `${visible(JSON.stringify({ list, ...listMembers(columns, list), ...ranked }))}\n`;
    },
  };
  return {
    columns: layouts.columns.flatMap((column) => (column.name === "list" ? own : [column])),
    text: { ...layouts.text, jsonl },
  };
}

const CSV = "csv";
const PARQUET = "parquet";
export const rankFormats: readonly string[] = ["trec", "qrels", "tsv", CSV, "jsonl", PARQUET];

const endings: Readonly<Record<string, string>> = {
  ...{ ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl" },
  ...{ ".parquet": PARQUET, ".pq": PARQUET, ".qrels": "qrels", ".run": "trec", ".trec": "trec", ".txt": "trec" },
};

const GZIP = /\.gz$/i;
const OTHER_PACKING = /\.(zst|bz2|xz|zip)$/i;

/** The format that is asked for, or that of the ending of the file, which may be followed by .gz, or a TREC run where there is none. */
export function rankFormat(given: string | undefined, out: string | undefined): string {
  const name = given ?? formatOfEnding(out) ?? "trec";
  if (!rankFormats.includes(name))
    throw new InputError(`--format: no format is called ${quote(name)}; ${suggest(name, rankFormats)}`);
  if (out !== undefined && name === PARQUET && GZIP.test(out))
    throw new InputError(`--out ${out}: Parquet is compressed already; leave out .gz`);
  if (out !== undefined && OTHER_PACKING.test(out))
    throw new InputError(`--out ${out}: files are compressed by gzip only; use .gz`);
  return name;
}

/** Undefined where a name has no ending, as that of a device or a pipe, whatever it is called. A number, as in run-0.5, is no ending. */
function formatOfEnding(out: string | undefined): string | undefined {
  const name = out === undefined ? "" : basename(out).replace(GZIP, "").toLowerCase();
  const known = Object.keys(endings).find((ending) => name.endsWith(ending));
  if (known !== undefined) return endings[known]!;
  const ending = extname(name);
  if (/^(\.\d*)?$/.test(ending) || OTHER_PACKING.test(ending)) return undefined;
  const there = statIfExists(out!);
  if (there && !there.isFile()) return undefined;
  throw new InputError(
    `--out ${out}: no format of rankings has the ending ${ending}; there are ${Object.keys(endings).join(", ")}, or name one with --format (${rankFormats.join(", ")})`,
  );
}

/** Takes rankings list by list. */
export interface RankWriter<R extends Ranked> {
  add(ranked: R): Promise<void>;
  end(): Promise<void>;
  /** What is to be said of names that the format cannot contain, if there were any. */
  renamed(): string | undefined;
}

export interface RankWriterOptions {
  readonly out?: string | undefined;
  readonly tag: string;
  /** The names of all lists, where they have some. */
  readonly lists?: readonly string[] | undefined;
}

/** A writer to a file, or to standard output. A file appears when it is complete. */
export async function rankWriter<R extends Ranked>(
  { columns, text: layouts }: RankLayouts<R>,
  format: string,
  { out, tag, lists }: RankWriterOptions,
): Promise<RankWriter<R>> {
  if (format === PARQUET) return parquetWriter(columns, out);
  const layout = format === CSV ? csvLayout(columns) : layouts[format]!;
  const names = layout.spelling && nameSpeller(format, layout.spelling, lists ?? []);
  const pieces: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const text = async (some: string) => {
    if (out !== undefined) pieces.push(encoder.encode(some));
    else if (!process.stdout.write(some)) await once(process.stdout, "drain");
  };
  let begun = false;
  return {
    async add(ranked) {
      if (!begun && layout.head) await text(layout.head);
      begun = true;
      await text(layout.lines(names ? names.spell(ranked) : ranked, tag));
    },
    async end() {
      if (out !== undefined) writeDurably(out, GZIP.test(out) ? await gzipped(pieces) : pieces);
    },
    renamed: () => names?.renamed(),
  };
}

async function gzipped(pieces: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const packed: Uint8Array[] = [];
  for await (const piece of Readable.from(pieces).pipe(createGzip())) packed.push(piece);
  return packed;
}

async function parquetWriter<R extends Ranked>(
  columns: readonly RankColumn<R>[],
  out: string | undefined,
): Promise<RankWriter<R>> {
  if (out === undefined && process.stdout.isTTY)
    throw new InputError("--format parquet: a Parquet file is not for a terminal; name a file with --out, or use a pipe");
  await importParquetWriter("--format parquet: writing Parquet");
  const cells = columns.map((column) => ({ ...column, values: [] as (string | number)[] }));
  return {
    renamed: () => undefined,
    async add({ list, items }) {
      for (const item of items) for (const { of, values } of cells) values.push(of(list, item));
    },
    async end() {
      const bytes = await writeParquet(Object.fromEntries(cells.map(({ name, kind, values }) => [name, arrayOf[kind](values)])));
      if (out !== undefined) writeDurably(out, bytes);
      else if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
    },
  };
}

const arrayOf = {
  text: (values: readonly (string | number)[]) => values as readonly string[],
  whole: (values: readonly (string | number)[]) => Int32Array.from(values as readonly number[]),
  number: (values: readonly (string | number)[]) => Float64Array.from(values as readonly number[]),
};
