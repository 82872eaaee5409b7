/** How rankings are written: lines of text as they come, or a Parquet file at the end. */
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
import { nameSpeller } from "./rank-names.ts";

/** A format of lines. */
interface TextLayout {
  /** The line before all others. */
  readonly head?: string;
  /** How a name is spelled where the format cannot contain all characters, and why. */
  readonly spelling?: { readonly of: (name: string) => string; readonly why: string };
  lines(ranked: Ranked, tag: string): string;
}

const csvCell = (text: string) => {
  const safe = forSpreadsheet(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const words = { of: oneWord, why: "blanks separate its columns" };
const cells = { of: oneCell, why: "tabs and line breaks separate its cells" };

const layouts: Readonly<Record<string, TextLayout>> = {
  trec: {
    spelling: words,
    lines: ({ list, items }, tag) => items.map(({ id, rank, score }) => `${list} Q0 ${id} ${rank} ${score} ${tag}\n`).join(""),
  },
  qrels: {
    spelling: words,
    lines: ({ list, items }) => items.map(({ id, label }) => `${list} 0 ${id} ${label}\n`).join(""),
  },
  tsv: {
    spelling: cells,
    lines: ({ list, items }) =>
      items.map(({ id, rank, score }) => `${[forSpreadsheet(list), rank, forSpreadsheet(id), score].join("\t")}\n`).join(""),
  },
  csv: {
    head: "list,rank,item,score\n",
    lines: ({ list, items }) => items.map(({ id, rank, score }) => `${csvCell(list)},${rank},${csvCell(id)},${score}\n`).join(""),
  },
  jsonl: { lines: (ranked) => `${visible(JSON.stringify(ranked))}\n` },
};

const PARQUET = "parquet";
export const rankFormats: readonly string[] = [...Object.keys(layouts), PARQUET];

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
export interface RankWriter {
  add(ranked: Ranked): Promise<void>;
  /** Text that is written as it is. */
  text(text: string): Promise<void>;
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
export async function rankWriter(format: string, { out, tag, lists }: RankWriterOptions): Promise<RankWriter> {
  if (format === PARQUET) return parquetWriter(out);
  const layout = layouts[format]!;
  const names = layout.spelling && nameSpeller(format, layout.spelling, lists ?? []);
  const pieces: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const text = async (some: string) => {
    if (out !== undefined) pieces.push(encoder.encode(some));
    else if (!process.stdout.write(some)) await once(process.stdout, "drain");
  };
  let begun = false;
  return {
    text,
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

async function parquetWriter(out: string | undefined): Promise<RankWriter> {
  if (out === undefined && process.stdout.isTTY)
    throw new InputError("--format parquet: a Parquet file is not for a terminal; name a file with --out, or use a pipe");
  await importParquetWriter("--format parquet: writing Parquet");
  const lists: string[] = [];
  const items: string[] = [];
  const [ranks, scores]: [number[], number[]] = [[], []];
  return {
    renamed: () => undefined,
    async text() {
      throw new InputError("--format parquet: probabilities are written as text; use tsv or jsonl");
    },
    async add({ list, items: ranked }) {
      for (const { id, rank, score } of ranked) {
        lists.push(list);
        items.push(id);
        ranks.push(rank);
        scores.push(score);
      }
    },
    async end() {
      const bytes = await writeParquet({
        list: lists,
        rank: Int32Array.from(ranks),
        item: items,
        score: Float64Array.from(scores),
      });
      if (out !== undefined) writeDurably(out, bytes);
      else if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
    },
  };
}
