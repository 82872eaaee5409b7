/**
 * TREC run files: the results of a ranker, one document per line, `list Q0 document rank score tag` with blanks between. As trec_eval does,
 * the score orders the documents of a list, and neither the rank nor the order of the lines is looked at.
 */
import { check, someText } from "../../arguments.ts";
import type { ListScores } from "../../data/join-scores.ts";
import { InputError, quote } from "../../input-error.ts";
import { lines } from "../data/lines.ts";

/** A run as TREC writes them: scores of documents by list. */
export interface RunFile {
  /** Name of the ranker, from the first line. */
  readonly tag: string;
  /** Scores by list, then document. */
  readonly lists: ListScores;
}

const LINE = /^\s*\S+\s+\S+\s+\S+\s+\S+\s+([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?|nan)\s+\S+\s*$/i;

/** Whether a file that begins with these bytes is a run. */
export function isRun(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, 1 << 16)).replace(/^\uFEFF/, "");
  return LINE.test(text.split(/\r?\n/).find((line) => line.trim() !== "") ?? "");
}

/** The run in a text of lines `list Q0 document rank score tag`. */
export function parseRun(file: string, bytes: Uint8Array): RunFile {
  check("parseRun, the name of the file", file, someText);
  check("parseRun", bytes, { wanted: "the bytes of a run (Uint8Array)", fits: (value) => value instanceof Uint8Array });
  const found = new Map<string, Map<string, number>>();
  const decoder = new TextDecoder();
  let tag: string | undefined;
  let number = 0;
  const fail = (text: string): never => {
    throw new InputError(`${file}:${number}: ${text}`);
  };
  const line = (text: string): void => {
    number++;
    const row = (number === 1 ? text.replace(/^\uFEFF/, "") : text).trim();
    if (row === "") return;
    const cells = row.split(/\s+/);
    const [list, , document, , score, name] = cells;
    if (cells.length !== 6) fail(`expected "list Q0 document rank score tag", got ${quote(row)} (${cells.length} columns)`);
    const value = Number(score);
    if (!Number.isFinite(value)) fail(`expected a number as the score of ${quote(document!)}, got ${quote(score!)}`);
    tag ??= name!;
    const scores = found.get(list!) ?? new Map<string, number>();
    found.set(list!, scores);
    if (scores.has(document!)) fail(`the document ${quote(document!)} stands in the list ${quote(list!)} twice`);
    scores.set(document!, value);
  };
  const cutter = lines(
    (chunk, from, to) => line(decoder.decode(chunk.subarray(from, to))),
    () => `${file}:${number + 1}`,
  );
  cutter.push(bytes);
  cutter.end();
  if (tag === undefined) throw new InputError(`${file}: the run is empty`);
  return { tag, lists: found };
}
