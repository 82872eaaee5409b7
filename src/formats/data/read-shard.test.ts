/** Files that several processes read in parts: the parts are those of the data that one process reads. `TIERWISE_CASES=2000` draws 500 sets of files. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { replayedProcesses } from "../../../test/replayed-processes.ts";
import { digestOf } from "../../data/digest.ts";
import { InputError } from "../../input-error.ts";
import { learner } from "../../models/index.ts";
import { Heap } from "../../numeric/heap.ts";
import { below, random } from "../../numeric/random.ts";
import type { Dataset, Matrix, Random } from "../../types.ts";
import { tableHead } from "./csv.ts";
import { cutAt } from "./list-cuts.ts";
import { type ReadDataOptions, readData } from "./read.ts";
import { readBinned } from "./read-binned.ts";
import { readBinnedShard } from "./read-binned-shard.ts";
import { readOptions } from "./read-options.ts";
import { readShard } from "./read-shard.ts";
import { withShardDigest } from "./shard-digest.ts";
import { cutTableAt, quotesIn } from "./table-cuts.ts";

const CASES = Math.ceil(Number(process.env.TIERWISE_CASES ?? 24) / 4); // a case takes half a second
const CUT = 8;
const BINNED = Math.max(6, Math.ceil(CASES / 3));
const FIRST = Number(process.env.TIERWISE_FIRST_CASE ?? 0);
const folder = mkdtempSync(join(tmpdir(), "tierwise-shards-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pick = <T>(draw: Random, from: readonly T[]): T => from[below(draw, from.length)]!;

interface DrawnList {
  readonly name: string;
  readonly rows: number;
}

/** Lists of a file; now and then the rows of one stand apart. */
function drawnLists(draw: Random, apart: boolean): DrawnList[] {
  const lists = Array.from({ length: 1 + below(draw, 12) }, (_, q) => ({ name: `${q + 1}`, rows: 1 + below(draw, 6) }));
  if (apart && lists.length > 1) lists.push({ name: pick(draw, lists.slice(0, -1)).name, rows: 1 });
  return lists;
}

function svmlightText(draw: Random, lists: readonly DrawnList[], qids: boolean): string {
  const [width, ends, base] = [1 + below(draw, 9), pick(draw, ["\n", "\n", "\r\n"]), pick(draw, [0, 1])];
  let text = draw() < 0.3 ? `# made up${ends}` : "";
  for (const { name, rows } of lists)
    for (let r = 0; r < rows; r++) {
      const cells = Array.from({ length: width }, (_, f) => (draw() < 0.6 ? ` ${f + base}:${below(draw, 100) / 8}` : "")).join(
        "",
      );
      const id = draw() < 0.2 ? ` # doc${below(draw, 9)} qid:${below(draw, 9)}` : "";
      text += `${below(draw, 3)}${qids ? ` qid:${name}` : ""}${cells}${id}${ends}`;
      if (draw() < 0.05) text += pick(draw, [ends, `# a comment qid:99 1:2${ends}`]);
    }
  return draw() < 0.3 ? text.trimEnd() : text;
}

function tableText(draw: Random, lists: readonly DrawnList[], separator: string, words: boolean): string {
  const ends = pick(draw, ["\n", "\n", "\r\n"]);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const id = () =>
    quoted(pick(draw, ["plain", `two${ends}lines`, `a${separator}b`, 'say "x"', `"${ends}1${separator}2${ends}"`]));
  const columns = ["label", "qid", "docid", "a", "b", "c", "w"];
  let text = `${draw() < 0.2 ? "\ufeff" : ""}${draw() < 0.2 ? `# made up${ends}` : ""}${columns.join(separator)}${ends}`;
  for (const { name, rows } of lists) {
    const weight = draw() < 0.5 ? 1 : 2;
    for (let r = 0; r < rows; r++) {
      const cell = () => (draw() < 0.2 ? pick(draw, ["", "NA"]) : String(below(draw, 100) / 4)); // not 1.125, which may be 1125
      const word = words && draw() < 0.2 ? "red" : cell();
      const qid = draw() < 0.3 ? quoted(`q${name}`) : `q${name}`;
      text += [below(draw, 3), qid, id(), cell(), word, cell(), draw() < 0.02 ? 3 : weight].join(separator) + ends;
      if (draw() < 0.03) text += ends;
    }
  }
  return draw() < 0.3 ? text.slice(0, -ends.length) : text;
}

/** Files of one kind, written to disk; `parts` says whether processes can share them out. */
function drawnFiles(draw: Random, name: string): { paths: string[]; options: ReadDataOptions; parts: boolean } {
  const table = draw() < 0.5;
  const separator = pick(draw, [",", ";", "\t"]);
  const [apart, words] = [draw() < 0.1, draw() < 0.1];
  let parts = true;
  const titles = table && draw() < 0.3 ? 1 + below(draw, 3) : 0;
  const paths = Array.from({ length: 1 + below(draw, 3) }, (_, i) => {
    const lists = drawnLists(draw, apart);
    const grouped = !table && draw() < 0.2;
    const packed = draw() < 0.2;
    const title = `One "title${separator}\n`.repeat(titles);
    let text = table ? title + tableText(draw, lists, separator, words) : svmlightText(draw, lists, !grouped);
    const isApart = lists.some(({ name }, i) => lists.findIndex((other) => other.name === name) < i);
    if (text.includes("red") || (isApart && !grouped)) parts = false;
    if (draw() < 0.03) {
      text += table ? `\nx${separator}y` : "\n1 qid:7 1:x";
      parts = false;
    }
    const path = join(folder, `${name}-${i}.${table ? "csv" : "txt"}${packed ? ".gz" : ""}`);
    writeFileSync(path, packed ? gzipSync(text) : text);
    if (grouped) writeFileSync(`${path.replace(/\.gz$/, "")}.query`, lists.map(({ rows }) => `${rows}\n`).join(""));
    return path;
  });
  const absent = pick(draw, ["zero", "missing"] as const);
  const options: ReadDataOptions = table
    ? { ...pick(draw, [{ weight: "w" }, { ignore: ["w"] }]), skipLines: titles }
    : { absent, indexBase: "auto" };
  return { paths, options, parts };
}

/** The bins of each row. */
function binsOf({ features }: Dataset): number[][] {
  if (features.kind !== "dense" || !features.binned) throw new Error("there are no bins");
  const { bins, layout } = features.binned;
  return Array.from({ length: features.rows }, (_, row) =>
    Array.from({ length: layout.groups }, (_, g) => [
      ...bins.subarray((g * features.rows + row) * 8, (g * features.rows + row + 1) * 8),
    ]).flat(),
  );
}

/** Rows as numbers, whatever the matrix. */
function rowsOf(matrix: Matrix): number[][] {
  return Array.from({ length: matrix.rows }, (_, row) => {
    if (matrix.kind === "dense") return [...matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns)];
    const cells = new Array<number>(matrix.columns).fill(matrix.absent);
    for (let i = matrix.starts[row]!; i < matrix.starts[row + 1]!; i++) cells[matrix.indices[i]!] = matrix.values[i]!;
    return cells;
  });
}

const joined = <T>(parts: readonly (ArrayLike<T> | undefined)[]): T[] | undefined =>
  parts.every((part) => part === undefined) ? undefined : parts.flatMap((part) => Array.from(part ?? []));

/** Compares shards with the data of one process. */
function expectParts(shards: readonly Dataset[], whole: Dataset): void {
  const all = <T>(of: (data: Dataset) => ArrayLike<T> | undefined) => joined(shards.map(of));
  const lists = whole.starts.length - 1;
  expect(all(({ starts }) => Array.from(starts.slice(1), (end, q) => end - starts[q]!))).toEqual(
    Array.from({ length: lists }, (_, q) => whole.starts[q + 1]! - whole.starts[q]!),
  );
  expect(all(({ labels }) => labels)).toEqual([...whole.labels]);
  expect(all(({ features }) => rowsOf(features))).toEqual(rowsOf(whole.features));
  expect(all(({ listWeights }) => listWeights)).toEqual(whole.listWeights && [...whole.listWeights]);
  expect(all(({ itemWeights }) => itemWeights)).toEqual(whole.itemWeights && [...whole.itemWeights]);
  const own = shards.map((data) => (data.starts.length > 1 ? data.names.lists : undefined));
  expect(joined(own)).toEqual(whole.names.lists && [...whole.names.lists]);
  let first = 0;
  for (const { shard, features, base, names, starts } of shards) {
    expect({ kind: features.kind, columns: features.columns, absent: features.absent, base }).toEqual({
      ...{ kind: whole.features.kind, columns: whole.features.columns, absent: whole.features.absent, base: whole.base },
    });
    expect(names.features).toEqual(whole.names.features);
    expect([...shard!.starts]).toEqual([...whole.starts]);
    expect(shard!.list).toBe(first);
    first += starts.length - 1;
    const counts = new Map<number, number>();
    for (const label of whole.labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    expect(shard!.labels).toEqual([...counts].sort(([a], [b]) => a - b));
    const hasPositive = (q: number) => whole.labels.subarray(whole.starts[q], whole.starts[q + 1]).some((label) => label > 0);
    expect(shard!.listsWithoutPositive).toBe(Array.from({ length: lists }, (_, q) => q).filter((q) => !hasPositive(q)).length);
  }
}

/** The digest that processes find together is that of one process. */
async function expectDigest(shards: readonly Dataset[], whole: Dataset): Promise<void> {
  const found = await replayedProcesses(shards.length, (others) => digestOf(withShardDigest(others, shards[others.rank]!)));
  for (const one of found) expect(one).toBe(digestOf(whole));
}

describe("shards", () => {
  it(`random files read by 1 to 5 processes are the lists, the digest and the errors of one process (${CASES} cases)`, async () => {
    let [shared, refused] = [0, 0];
    for (let number = FIRST; number < FIRST + CASES; number++) {
      const draw = random(number, 0x5a4d);
      const { paths, options, parts } = drawnFiles(draw, `case${number}`);
      const size = 1 + below(draw, 5);
      const whole = await readData(paths, { ...options, threads: 1 }).catch((error: Error) => error);
      const results = await replayedProcesses(size, (others) => readShard(others, paths, { ...options, threads: 1 }));
      const what = `case ${number}: ${paths.join(" ")} by ${size} processes`;
      if (whole instanceof Error) {
        for (const found of results) expect(found, what).toEqual(whole);
        refused++;
        continue;
      }
      for (const found of results) if (found instanceof Error) throw new Error(`${what}: ${found.stack}`);
      const read = results as { data: Dataset; notices: readonly string[] }[];
      try {
        expectParts(
          read.map(({ data }) => data),
          whole.data,
        );
        await expectDigest(
          read.map(({ data }) => data),
          whole.data,
        );
        const asParts = read.every(({ notices }) => notices[0]!.endsWith(`read by ${size} processes`));
        expect(asParts).toBe(parts);
        if (asParts) shared++;
      } catch (error) {
        throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
      }
    }
    expect(shared).toBeGreaterThan(CASES / 2);
    expect(refused).toBeLessThan(CASES / 4);
  }, 600_000);

  it(`two rounds by 1 to 5 processes give the bins of one process, also of validation data (${BINNED} cases)`, async () => {
    let shared = 0;
    for (let number = FIRST; number < FIRST + BINNED; number++) {
      const draw = random(number, 0xb145);
      const { paths, options, parts } = drawnFiles(draw, `binned${number}`);
      const other = drawnFiles(random(number, 0xb145), `valid${number}`); // the same columns
      const size = 1 + below(draw, 5);
      const model = learner(`trees:min-items=${1 + below(draw, 3)},max-bins=${2 + below(draw, 20)}`);
      const what = `case ${number}: ${paths.join(" ")} by ${size} processes`;
      const whole = await readBinned(paths, { ...options, model, threads: 1 }).catch((error: Error) => error);
      // One after another: each is run again and again from its beginning (replayed-processes.ts).
      const results = await replayedProcesses(size, async (others) => {
        const { data } = await readBinnedShard(others, paths, { ...options, model, threads: 1 });
        return data;
      });
      if (whole instanceof Error || !parts) {
        for (const found of results) expect(found, what).toBeInstanceOf(InputError);
        if (whole instanceof Error) for (const found of results) expect((found as Error).message, what).toBe(whole.message);
        continue;
      }
      for (const found of results) if (found instanceof Error) throw new Error(`${what}: ${found.stack}`);
      const read = results as Dataset[];
      const held = await replayedProcesses(size, async (others) => {
        const { data } = await readBinnedShard(others, other.paths, { ...options, like: read[others.rank]!, threads: 1 });
        return data;
      });
      const valid = await readBinned(other.paths, { ...options, like: whole.data, threads: 1 });
      for (const [shards, one] of [
        [read, whole.data],
        [held as Dataset[], valid.data],
      ] as const) {
        expect(shards.flatMap(binsOf), what).toEqual(binsOf(one));
        await expectDigest(shards, one);
      }
      shared++;
    }
    expect(shared).toBeGreaterThan(0);
  }, 600_000);

  it("a text of rows is cut at the first row of another list, from every byte", () => {
    for (let number = 0; number < CUT; number++) {
      const draw = random(number, 0xc07);
      const text = svmlightText(draw, drawnLists(draw, false), true);
      const rows = [...text.matchAll(/^[^\n]*\n?/gm)]
        .filter(([line]) => line !== "")
        .map((found) => ({
          from: found.index,
          list: /^[^#]*?\sqid:([^\s#]+)/.exec(found[0])?.[1],
        }));
      const path = join(folder, "cut.txt");
      writeFileSync(path, text);
      const file = openSync(path, "r");
      for (let at = 0; at <= text.length; at++) {
        const before = rows.filter(({ from, list }) => from < at && list !== undefined).at(-1)?.list;
        const wanted = at === 0 ? 0 : rows.find(({ from, list }) => from >= at && list !== undefined && list !== before)?.from;
        expect(cutAt(file, text.length, at), `${JSON.stringify(text)} at ${at}`).toBe(wanted ?? text.length);
      }
      closeSync(file);
    }
  });

  it("a table is cut where a list begins, from every byte, also within quotes", () => {
    for (let number = 0; number < CUT; number++) {
      const draw = random(number, 0xc08);
      const separator = pick(draw, [",", ";", "\t"]);
      const path = join(folder, "cut.csv");
      writeFileSync(path, tableText(draw, drawnLists(draw, false), separator, false));
      const bytes = new Uint8Array(readFileSync(path));
      const scratch = new Heap();
      const context = { ...readOptions({}), labels: "required", scratch, grouped: false, missingLabels: "error" } as const;
      const head = tableHead(path, bytes, context)!;
      scratch.close();
      // By a reader of one byte after another: where rows begin, and of which list they are.
      const records: { from: number; list: string }[] = [];
      for (let from = head.end, p = from, open = false, cells = [""]; p <= bytes.length; p++) {
        const letter = p < bytes.length ? String.fromCharCode(bytes[p]!) : "\n";
        if (letter === '"') open = !open;
        else if (letter === "\n" && !open) {
          if (cells.length === 7) records.push({ from, list: cells[1]! });
          [from, cells] = [p + 1, [""]];
        } else if (letter === separator && !open) cells.push("");
        else cells[cells.length - 1] += letter;
      }
      const file = openSync(path, "r");
      const lists = records.filter(({ list }, i) => list !== records[i - 1]?.list).map(({ from }) => from);
      for (let at = 0; at <= bytes.length; at++) {
        const open = quotesIn(file, head.end, Math.max(at, head.end)) % 2 === 1;
        const first = records.find(({ from }) => from >= at);
        const wanted =
          at <= head.end ? head.end : (lists.find((from) => first !== undefined && from > first.from) ?? bytes.length);
        expect(cutTableAt(file, bytes.length, at, open, head), `case ${number} at ${at}`).toBe(wanted);
      }
      closeSync(file);
    }
  });
});
