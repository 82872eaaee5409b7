/**
 * Reads the rest of a large SVMlight file with a team of threads. The file is split into segments; each thread takes the next segment,
 * parses the lines that begin in it and writes dense rows to their final place as soon as the number of preceding rows is known.
 *
 * The result is the same as with one thread. If there is any error in the file, everything is discarded and read again by one thread, so
 * error messages are identical and have line numbers.
 */
import { InputError } from "../../input-error.ts";
import { memory } from "../../numeric/heap.ts";
import { runThreads } from "../../teams/threads.ts";
import type { DatasetReader, ParsedChunk } from "./dataset-reader.ts";
import type { LineBuffer } from "./line-buffer.ts";
import type { Job } from "./parallel-read-worker.ts";
import type { SinkJob } from "./sinks.ts";

export interface TeamOptions {
  readonly threads: number;
  readonly absent: "zero" | "missing";
  readonly indexBase: 0 | 1 | "auto";
  readonly labels: "required" | "optional";
  /** Bytes. */
  readonly segment?: number;
  /** What threads make a sink of rows from. */
  readonly sink?: SinkJob;
}

const SEGMENT = 1 << 20;
/** So many segments must be left for each thread. To start and warm up, two took as long as one reads 70 MB. */
const LEAST = 64;

/** False: nothing was read. `buffer` has passed on the lines before, and holds the beginning of one. */
export async function readParallel(
  reader: Required<DatasetReader>,
  buffer: LineBuffer,
  path: string,
  size: number,
  { threads, segment = SEGMENT, ...options }: TeamOptions,
  count: (bytes: number) => void,
): Promise<boolean> {
  const from = buffer.bytesParsed();
  const segments = Math.ceil((size - from) / segment);
  const members = Math.min(threads, Math.floor(segments / LEAST));
  if (members < 2 || from === 0 || !memory()) return false;
  let reported = buffer.bytesReceived();
  const report = (at: number) => {
    if (at <= reported) return;
    count(at - reported);
    reported = at;
  };
  try {
    const job: Job = { path, from, to: size, segment, ...options, reserve: reader.reserve(), before: reader.rows() };
    const found = (await runThreads({
      size: members,
      program: new URL("./parallel-read-worker.js", import.meta.url),
      payload: job,
      results: "all",
      onMessage: (at) => report(at as number),
    })) as (readonly (ParsedChunk & { readonly index: number })[])[];
    const chunks = found.flat().sort((a, b) => a.index - b.index);
    if (!reader.join(chunks)) return false;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
  buffer.discard();
  report(size);
  return true;
}
