/**
 * Judgements of TREC, one a line: `list 0 document label`, with blanks between. The second column is not looked at. They are lists of
 * labeled documents without features, which scores of a run file or another table can be held against.
 */
import { type Builder, UNASSIGNED } from "../../data/builder.ts";
import { InputError, quote } from "../../input-error.ts";
import type { RowFormat } from "./format.ts";
import { lines } from "./lines.ts";
import { emptySummary, type Parser } from "./parse-summary.ts";

/** A line that can be a judgment, and is neither an order nor a row of a table. */
const JUDGMENT = /^\s*([^\s<>=~,;:]+\s+){3}[+-]?\d+\s*$/;

export const qrels: RowFormat<"qrels"> = {
  id: "qrels",
  about: "TREC relevance judgments, without features: list 0 document label",
  extensions: [".qrels"],
  options: ["tiers", "joinLists"],
  tiers: "labels",
  kind: "rows",
  features: "named",
  sniff: (line) => JUDGMENT.test(line),
  parser,
};

function parser(file: string, builder: Builder): Parser {
  const summary = { ...emptySummary("first column"), grouped: true };
  const decoder = new TextDecoder();
  const judged = new Map<string, Set<string>>();
  let number = 0;
  let lastQid: string | undefined;
  let list = UNASSIGNED;
  builder.features ??= [];
  const fail = (text: string): never => {
    throw new InputError(`${file}:${number}: ${text}`);
  };
  const line = (text: string): void => {
    number++;
    const row = (number === 1 ? text.replace(/^\uFEFF/, "") : text).trim();
    if (row === "") return;
    const cells = row.split(/\s+/);
    const [qid, , document, label] = cells;
    if (cells.length !== 4) fail(`expected "list 0 document label", got ${quote(row)} (${cells.length} columns)`);
    const value = Number(label);
    if (!Number.isFinite(Math.fround(value))) fail(`expected a number as the label of ${quote(document!)}, got ${quote(label!)}`);
    if (qid !== lastQid) list = builder.list((lastQid = qid!));
    const known = judged.get(qid!) ?? new Set();
    judged.set(qid!, known);
    if (known.has(document!)) fail(`the document ${quote(document!)} is judged twice in the list ${quote(qid!)}`);
    known.add(document!);
    summary.rows++;
    builder.row(list, value, 1, document!);
  };
  const splitter = lines(
    (bytes, from, to) => line(decoder.decode(bytes.subarray(from, to))),
    () => `${file}:${number + 1}`,
  );
  return { summary, ...splitter };
}
