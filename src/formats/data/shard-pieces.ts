/**
 * What each of several processes reads of data files: its share of their bytes, in the order of the files. SVMlight text and tables of separated text are
 * cut at lists. Other files, and those that are packed or have a file of groups beside them, are read whole by one process, so that several of them are
 * shared out.
 */
import { closeSync, openSync } from "node:fs";
import { isLowerBetter } from "../../data/label-order.ts";
import { InputError } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import { type Communicator, exchange } from "../../teams/communicator.ts";
import { isQuery } from "./columnar/query-path.ts";
import type { Scorer } from "./columns.ts";
import { type TableHead, tableHead } from "./csv.ts";
import { NeedsColumns } from "./csv-direct.ts";
import type { SideFiles } from "./dataset-reader.ts";
import { bytesOf, sizeOf } from "./file-bytes.ts";
import type { DataFormatId } from "./formats.ts";
import { cutAt } from "./list-cuts.ts";
import { sidesOf } from "./read.ts";
import type { ReadOptions } from "./read-options.ts";
import { needsColumns } from "./side-table.ts";
import { cutTableAt, quotesIn } from "./table-cuts.ts";
import { formatBelow, withoutLines } from "./title-lines.ts";

/** A file, and how it can be shared out. */
interface Unit {
  readonly path: string;
  readonly size: number;
  readonly format: DataFormatId;
  readonly sides: SideFiles;
  /** How it is cut; undefined where it is read whole. */
  readonly cut:
    | { readonly kind: "rows" }
    | { readonly kind: "table"; readonly head: TableHead; readonly header: Uint8Array }
    | undefined;
}

/** What one process reads of a file. */
export interface Piece {
  readonly path: string;
  readonly format: DataFormatId;
  readonly sides: SideFiles;
  /** Undefined: the whole file. */
  readonly range?: {
    readonly from: number;
    readonly to: number;
    /** Bytes of the file that stand before every part of it. */
    readonly header: Uint8Array;
  };
}

/** How files are read, as far as it decides what a process reads of them. */
export interface PieceOptions {
  readonly requested: ReadOptions;
  readonly labels: "required" | "optional";
  readonly scorer?: Scorer | undefined;
}

/** The pieces of this process; undefined where all must be known to read any of it, such as for tiers made of labels. */
export async function piecesOf(
  others: Communicator,
  paths: readonly string[],
  options: PieceOptions,
): Promise<Piece[] | undefined> {
  const { tiers, label, ballots, split, joinLists } = options.requested;
  if (
    tiers !== "" ||
    isLowerBetter(label, options.requested) ||
    ballots === "always" ||
    split !== "" ||
    joinLists ||
    paths.length === 0
  )
    return undefined;
  if (paths.some(isQuery) || needsColumns(options.requested, options.scorer)) return undefined;
  const units: Unit[] = [];
  for (const path of paths) {
    const unit = await unitOf(path, options);
    if (!unit) return undefined;
    units.push(unit);
  }
  return share(others, units);
}

const WHOLE: readonly DataFormatId[] = ["svmlight", "csv", "tsv", "jsonl", "parquet", "arrow"];

/** Undefined for what cannot be read without the other files. */
async function unitOf(path: string, options: PieceOptions): Promise<Unit | undefined> {
  const { requested } = options;
  const sides = await sidesOf(path);
  if (sides.weights || sides.positions) return undefined;
  const kind = { packed: false };
  for await (const bytes of bytesOf(path, () => {}, kind)) {
    const format = formatBelow(path, bytes, requested).id;
    if (!WHOLE.includes(format)) return undefined;
    const head = withoutLines(bytes, requested.skipLines);
    const cuttable = !kind.packed && !sides.groups;
    return { path, size: await sizeOf(path), format, sides, cut: cuttable ? cutOf(path, format, head, options) : undefined };
  }
  return undefined; // an empty file, which reading reports
}

function cutOf(path: string, format: DataFormatId, bytes: Uint8Array, options: PieceOptions): Unit["cut"] {
  if (format === "svmlight") return { kind: "rows" };
  if (format !== "csv" && format !== "tsv") return undefined;
  const { requested, labels, scorer } = options;
  const scratch = new Heap();
  try {
    const context = { ...requested, labels, scratch, grouped: false, missingLabels: "error" as const, ...(scorer && { scorer }) };
    const head = tableHead(path, bytes, context, format === "tsv" ? "\t" : undefined);
    return head && { kind: "table", head, header: bytes.slice(0, head.end) };
  } catch (error) {
    if (error instanceof InputError || error instanceof NeedsColumns) return undefined; // reading it reports what is wrong
    throw error;
  } finally {
    scratch.close();
  }
}

/** Cuts all files at equal distances in bytes, and gives this process what lies between two cuts. */
function share(others: Communicator, units: readonly Unit[]): Piece[] {
  const { rank, size } = others;
  const total = units.reduce((sum, unit) => sum + unit.size, 0);
  const bound = (process: number) => Math.floor((total * process) / size);
  let end = 0;
  const placed = units.map((unit) => ({ ...unit, before: (end += unit.size) - unit.size }));
  const quotes = exchange(
    others,
    placed.map(({ path, cut, before, size: length }) => {
      if (cut?.kind !== "table") return 0;
      const within = (at: number) => Math.min(length, Math.max(cut.head.end, at - before));
      return withFile(path, (file) => quotesIn(file, within(bound(rank)), within(bound(rank + 1))));
    }),
  );
  return placed.flatMap(({ path, format, sides, cut, before, size: length }, i) => {
    if (!cut) {
      const owner = Math.min(size - 1, Math.floor(((before + length / 2) * size) / Math.max(1, total)));
      return owner === rank ? [{ path, format, sides }] : [];
    }
    return withFile(path, (file) => {
      const cutBefore = (process: number) => {
        const at = process === size ? length : bound(process) - before;
        if (cut.kind === "rows") return cutAt(file, length, at);
        const open = quotes.slice(0, process).reduce((sum, counts) => sum + counts[i]!, 0) % 2 === 1;
        return cutTableAt(file, length, at, open, cut.head);
      };
      const [from, to] = [cutBefore(rank), cutBefore(rank + 1)];
      const header = cut.kind === "table" ? cut.header : new Uint8Array(0);
      return to > from ? [{ path, format, sides, range: { from, to, header } }] : [];
    });
  });
}

function withFile<R>(path: string, act: (file: number) => R): R {
  const file = openSync(path, "r");
  try {
    return act(file);
  } finally {
    closeSync(file);
  }
}
