/** Several threads read what one reads. Workers run the built JavaScript, so these tests do too. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { random } from "../../numeric/random.ts";
import type { Dataset } from "../../types.ts";
import type { ReadDataOptions } from "./read.ts";

const built = (path: string) => import(new URL(`../../../dist/src/${path}`, import.meta.url).href);
const { readData } = (await built("formats/data/read.js")) as typeof import("./read.ts");
const { Heap, isInHeap, bytesInUse } = (await built("numeric/heap.js")) as typeof import("../../numeric/heap.ts");

let home = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "tierwise-together-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const workers = createRequire(import.meta.url)("node:worker_threads") as { Worker: typeof Worker };

/** What `act` gives, and how many threads it starts. */
async function countingThreads<R>(act: () => Promise<R>): Promise<[result: R, started: number]> {
  const { Worker: plain } = workers;
  let started = 0;
  workers.Worker = class extends plain {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      started++;
    }
  };
  syncBuiltinESMExports(); // imports of the module see it too
  try {
    return [await act(), started];
  } finally {
    workers.Worker = plain;
    syncBuiltinESMExports();
  }
}

const HEAD = 1 << 20; // what one thread reads before it calls others
const SEGMENT = 1 << 12;

/** Rows until there are so many bytes after the head: enough for three threads. */
function rows(each: (row: number, draw: () => number) => string, bytes = HEAD + 200 * SEGMENT): string[] {
  const draw = random(7);
  const lines: string[] = [];
  for (let size = 0; size < bytes; size += lines.at(-1)!.length + 1) lines.push(each(lines.length, draw));
  return lines;
}

const cells = (count: number, draw: () => number, from = 1) =>
  Array.from({ length: count }, (_, i) => `${from + i}:${(draw() * 10).toFixed(Math.floor(draw() * 7))}`).join(" ");

async function outcome(path: string, options: ReadDataOptions) {
  try {
    const { data, notices, bytes } = await readData([path], { segment: SEGMENT, ...options });
    return { data, notices, bytes };
  } catch (error) {
    return { mistake: (error as Error).message };
  }
}

async function expectTheSame(text: string, options: ReadDataOptions = {}) {
  const path = join(home, "a.txt");
  writeFileSync(path, text);
  const alone = await outcome(path, { ...options, threads: 1 });
  for (const threads of [2, 3]) {
    const found = await outcome(path, { ...options, threads });
    if (!isDeepStrictEqual(found, alone)) expect(found).toEqual(alone); // which is slow, and says where they differ
  }
  return alone;
}

describe("a file read by several threads", () => {
  const plain = (row: number, draw: () => number) => `${row % 3} qid:${Math.floor(row / 40)} ${cells(20, draw)}`;

  it("notices what 32-bit floats round, in whichever segment", async () => {
    const stamp = (row: number) => (row % 7 === 3 ? ` 30:${1700000000001 + row}` : "");
    const lines = rows((row, draw) => `${plain(row, draw)}${stamp(row)}`);
    const whole = await expectTheSame(`${lines.join("\n")}\n`);
    const count = lines.filter((_, row) => row % 7 === 3).length;
    const result = "notices" in whole ? whole.notices!.at(-1) : "";
    expect(result).toContain(`and ${count.toLocaleString("en-US")} numbers of feature 30, 1700000000004 to `);
  });

  it("gives the data of one thread, also where the last line has no end", async () => {
    const lines = rows(plain);
    const whole = await expectTheSame(`${lines.join("\n")}\n`);
    expect(whole).toHaveProperty("data.labels.length", lines.length);
    expect(whole).toHaveProperty("data.features.kind", "dense");
    const open = await expectTheSame(lines.join("\r\n"));
    expect(open).toHaveProperty("data.labels.length", lines.length);
  });

  it("is read by threads indeed, and each byte is counted once", async () => {
    const path = join(home, "b.txt");
    const text = `${rows(plain).join("\n")}\n`;
    writeFileSync(path, text);
    const seen: number[] = [];
    await readData([path], { threads: 3, segment: SEGMENT, progress: (read) => seen.push(read) });
    const alone: number[] = [];
    await readData([path], { threads: 1, segment: SEGMENT, progress: (read) => alone.push(read) });
    expect(seen.at(-1)).toBe(text.length);
    expect(seen.length).toBeGreaterThan(alone.length + 3);
  });

  it("is read by threads from a few KB on, where segments are short", async () => {
    const segment = 8; // as fuzzing has it: 256 segments are read before, and each of three threads needs 64
    const path = join(home, "c.txt");
    const text = `${rows(plain, (256 + 3 * 64 + 40) * segment).join("\n")}\n`;
    writeFileSync(path, text);
    const [together, started] = await countingThreads(() => readData([path], { threads: 3, segment }));
    expect(started).toBe(3);
    const [alone, none] = await countingThreads(() => readData([path], { threads: 1, segment }));
    expect(none).toBe(0);
    expect(alone.data).toEqual(together.data);
  });

  it("document ids, weights, missing values, comments, blank lines and scattered lists come through", async () => {
    const lines = rows((row, draw) => {
      if (row % 97 === 5) return row % 2 ? "" : "  # a note";
      const id = row % 3 === 0 ? `# docid = D${row} x` : row % 3 === 1 ? "#\u00e9t\u00e9" : "";
      return `${row % 4}:${1 + (row % 5)} qid:${(row * 7) % 50} ${cells(15, draw)} 16:NULL ${id}`;
    });
    const found = await expectTheSame(`${lines.join("\n")}\n`, { absent: "missing" });
    expect(found).toHaveProperty("notices.length", 4);
    expect(found).toHaveProperty("data.names.entries.0", "D0");
  });

  it("sparse rows, and dense rows that grow wider on the way, come through", async () => {
    const sparse = await expectTheSame(
      rows((row, draw) => `1 qid:${Math.floor(row / 9)} ${cells(3, draw, 1 + Math.floor(draw() * 5000))}`).join("\n"),
    );
    expect(sparse).toHaveProperty("data.features.kind", "sparse");
    const wider = await expectTheSame(
      rows((row, draw) => `1 qid:${Math.floor(row / 9)} ${cells(10 + Math.floor(row / 1000), draw)}`).join("\n"),
    );
    expect(wider).toHaveProperty("data.features.kind", "dense");
    const base = await expectTheSame(rows((row, draw) => `1 qid:1 ${cells(20, draw, row > 7500 ? 0 : 1)}`).join("\n"), {
      indexBase: "auto",
    });
    expect(base).toHaveProperty("data.base", 0);
  });

  it("lines longer than a segment come through", async () => {
    const lines = rows((row, draw) => `1 qid:${row} ${cells(row % 7 === 0 ? 4000 : 30, draw)}`, HEAD + 240 * SEGMENT);
    expect(await expectTheSame(lines.join("\n"))).toHaveProperty("data.labels.length", lines.length);
  });

  it("weights come through, and rows without one are refused wherever these begin", async () => {
    const weighted = (without: number) => {
      let size = 0;
      return rows((row, draw) => {
        const line = `${row % 3}${size < without ? `:${1 + (row % 8) / 8}` : ""} qid:${row >> 3} ${cells(3, draw)}`;
        size += line.length + 1;
        return line;
      });
    };
    const lines = weighted(Infinity);
    const { data } = (await expectTheSame(`${lines.join("\n")}\n`)) as { data: Dataset };
    expect(Array.from(data.itemWeights!)).toEqual(lines.map((_, row) => 1 + (row % 8) / 8));
    for (const share of [0.3, 0.8, 0.99]) {
      const mixed = weighted(share * (HEAD + 200 * SEGMENT));
      const first = 1 + mixed.findIndex((line) => !/^\d:/.test(line));
      const { mistake } = (await expectTheSame(`${mixed.join("\n")}\n`)) as { mistake: string };
      expect(mistake).toContain(`a.txt:${first}: this row has no weight, but rows before it have label:weight`);
    }
  });

  it("the first error is reported with its line, wherever it is", async () => {
    const lines = rows(plain);
    const parts = [0.7, 0.8, 0.95, 0.9999].map((fraction) => Math.floor(lines.length * fraction));
    for (const at of parts) {
      const bad = lines.map((line, i) => (i === at ? line.replace(" 7:", " 7:x") : i === at + 40 ? "?" : line));
      const { mistake } = (await expectTheSame(`${bad.join("\n")}\n`)) as { mistake: string };
      expect(mistake).toContain(`a.txt:${at + 1}: expected the value of feature 7 as a finite number, got "x`);
    }
    const ungrouped = lines.map((line, i) => (i >= parts[1]! ? line.replace(/qid:\d+ /, "") : line));
    expect(await expectTheSame(ungrouped.join("\n"))).toEqual({
      mistake: `${join(home, "a.txt")}:${parts[1]! + 1}: this row has no qid, but rows before it have one`,
    });
  });

  it("data go to a heap that is given, with nothing left behind when it is closed", async () => {
    const path = join(home, "c.txt");
    for (const text of [rows(plain).join("\n"), rows((row, draw) => `1 qid:${row % 30} ${cells(20, draw)}`).join("\n")]) {
      writeFileSync(path, text);
      const ordinary = await readData([path], { threads: 1 });
      expect(isInHeap(ordinary.data.features.values)).toBe(false);
      const before = bytesInUse();
      for (const threads of [1, 2]) {
        const heap = new Heap();
        const { data } = await readData([path], { threads, segment: SEGMENT, heap });
        expect(isInHeap(data.features.values)).toBe(true);
        expect(isDeepStrictEqual(data, ordinary.data)).toBe(true);
        // The matrix, and less than a page beside it.
        expect(bytesInUse() - before).toBeLessThan(data.features.values.byteLength + 2 * 65536);
        heap.close();
        expect(bytesInUse()).toBe(before);
      }
    }
  });
});
