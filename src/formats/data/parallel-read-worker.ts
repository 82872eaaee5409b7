/** The worker program of `readParallel`. */
import { closeSync, openSync, readSync } from "node:fs";
import { Builder } from "../../data/builder.ts";
import { Cells } from "../../data/cells.ts";
import type { Reserve } from "../../data/reserve.ts";
import { InputError } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import { SLACK } from "../../numeric/index-values.ts";
import type { Team } from "../../types.ts";
import type { ParsedChunk } from "./dataset-reader.ts";
import { LONGEST_LINE } from "./lines.ts";
import { type SinkJob, sinkFor } from "./sinks.ts";
import { type RowParser, svmlightRows } from "./svmlight.ts";

export interface Job {
  readonly path: string;
  /** Where a line begins, above 0. */
  readonly from: number;
  readonly to: number;
  /** Bytes. */
  readonly segment: number;
  readonly absent: "zero" | "missing";
  readonly indexBase: 0 | 1 | "auto";
  readonly labels: "required" | "optional";
  readonly reserve: Reserve | undefined;
  /** Rows before those of the job. */
  readonly before: number;
  readonly sink?: SinkJob;
}

const NEWLINE = 10;

/** So many segments a thread reads ahead while it does not know how many rows come before: others may rest in between. */
const AHEAD = 4;

interface Parsed {
  readonly index: number;
  readonly builder: Builder;
  readonly parser: RowParser;
}

export function run(team: Team, job: Job): (ParsedChunk & { readonly index: number })[] {
  const { absent, indexBase: base, reserve } = job;
  const heap = new Heap();
  const sink = job.sink && sinkFor(job.sink, heap);
  const windows = { absent: absent === "zero" ? 0 : Number.NaN, base, scratch: heap, held: true, ...(sink && { sink }) };
  const free = Array.from({ length: AHEAD }, () => new Cells(windows));
  const segments = Math.ceil((job.to - job.from) / job.segment);
  const counts = team.allocShared("i32", segments, "zeros"); // rows of each segment and one, 0 while that is not known
  const before = counter(counts);
  const waiting: Parsed[] = [];
  const found: (ParsedChunk & { readonly index: number })[] = [];
  const file = openSync(job.path, "r");
  const read = reader(file, job, heap);

  const settle = ({ index, builder, parser }: Parsed, rows: number) => {
    const { cells } = builder;
    const place = reserve && { ...reserve, used: reserve.used + rows };
    found.push({ index, rows: builder.part(cells.part(place, job.before + rows)), findings: parser.summary });
    free.push(cells);
  };

  try {
    team.parallelFor(segments, (index) => {
      const { bytes, from, to } = read(index);
      const builder = new Builder({ absent, base }, free.pop());
      const parser = svmlightRows(job.path, builder, job, 1); // no byte order mark can stand here
      parser.rows(bytes, from, to);
      Atomics.store(counts, index, builder.rows + 1);
      Atomics.notify(counts, index);
      waiting.push({ index, builder, parser });
      while (waiting.length > 0) {
        const rows = before(waiting[0]!.index, waiting.length === AHEAD);
        if (rows === undefined) break;
        settle(waiting.shift()!, rows);
      }
      team.post(job.from + index * job.segment);
    });
    for (const one of waiting) settle(one, before(one.index, true)!);
  } finally {
    closeSync(file);
  }
  return found;
}

/** How many rows stand before a segment: undefined while others still read there, unless it is to wait. Segments only rise. */
function counter(counts: Int32Array): (index: number, wait: boolean) => number | undefined {
  let [known, rows] = [0, 0];
  return (index, wait) => {
    for (; known < index; known++) {
      while (Atomics.load(counts, known) === 0) {
        if (!wait) return undefined;
        Atomics.wait(counts, known, 0);
      }
      rows += counts[known]! - 1;
    }
    return rows;
  };
}

/** Reads the lines that begin in a segment, to their ends. */
function reader(file: number, { path, from: first, to: size, segment }: Job, heap: Heap) {
  let bytes = heap.u8(segment + (1 << 16) + SLACK);
  return (index: number): { bytes: Uint8Array; from: number; to: number } => {
    const start = first + index * segment - 1; // with the byte before, which may end a line
    const last = Math.min(size - start, segment + 1) - 1; // a line that ends here or later begins in the segment, or before it
    let have = 0;
    for (;;) {
      const wanted = bytes.length - SLACK - have;
      const got = readSync(file, bytes, have, Math.min(wanted, size - start - have), start + have);
      have += got;
      const end = have > last ? bytes.subarray(0, have).indexOf(NEWLINE, last) : -1;
      if (end >= 0 || start + have >= size) {
        if (end < 0) bytes[have] = NEWLINE; // the last line of the file may have no end
        const to = (end < 0 ? have : end) + 1;
        const from = bytes.subarray(0, to).indexOf(NEWLINE) + 1;
        return { bytes, from: Math.min(from, to), to: from > last ? Math.min(from, to) : to };
      }
      if (got === 0) throw new InputError(`${path}: the file has become shorter while it was read`);
      if (have < bytes.length - SLACK) continue;
      if (have > LONGEST_LINE) throw new InputError(`${path}: a line is very long`);
      const larger = heap.u8(bytes.length * 2);
      larger.set(bytes.subarray(0, have));
      bytes = larger;
    }
  };
}
