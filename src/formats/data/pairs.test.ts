/** Rows of pairs are read by their bytes, and as text where that cannot be: both ways give the same ballots. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Ballots, ballots } from "../../data/ballots.ts";
import { below, random } from "../../numeric/random.ts";
import { ByteTexts, splitCells, wholeAt } from "./byte-texts.ts";
import { pairs } from "./pairs.ts";
import { readData } from "./read.ts";

const folder = mkdtempSync(join(tmpdir(), "pairs-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const read = (text: string) => {
  const path = join(folder, `${++files}.csv`);
  writeFileSync(path, text);
  return readData([path]);
};

/** What the parser makes of lines as text, which is the slow way. */
function asText(lines: readonly string[]) {
  const built = new Ballots();
  const parser = pairs.parser("x.csv", built);
  for (const line of lines) parser.line(line);
  return { weight: parser.end(), data: built.finish() };
}

const NAMES = ["gpt", "claude", "llama é", " spaced ", "a", "tie", "model_b", "日本"];

function table(seed: number): string[] {
  const r = random(seed);
  const arena = seed % 2 === 0;
  const [counted, voted] = [r() < 0.5, r() < 0.5];
  const pick = <T>(values: readonly T[]) => values[below(r, values.length)]!;
  const head = arena ? ["Model_A", "model_b", "winner"] : ["winner", "loser", ...(r() < 0.6 ? ["tie"] : [])];
  const lines = [[...head, ...(voted ? ["judge"] : []), ...(counted ? ["count"] : [])].join(",")];
  for (let i = 0; i < 300; i++) {
    const one = pick(NAMES);
    const other = pick(NAMES.filter((name) => name !== one));
    const words = ["model_a", "model_b", "A", "b", "tie", "tie (bothbad)", "both_bad", one, other];
    const cells = arena
      ? [one, other, pick(words)]
      : [one, other, ...(head.length > 2 ? [pick(["", "yes", "no", "1", "0", "draw"])] : [])];
    if (voted) cells.push(`judge ${below(r, 40)}`);
    if (counted) cells.push(pick(["1", "2", "17", "0", "1.5", " 3"]));
    if (r() < 0.1) cells[0] = `"${cells[0]}"`;
    lines.push(cells.join(",") + (r() < 0.1 ? "\r" : ""));
    if (r() < 0.02) lines.push("");
  }
  return lines;
}

describe("pairs", () => {
  it("rows by their bytes and rows as text give the same ballots, in the same order", async () => {
    for (let seed = 0; seed < 30; seed++) {
      const lines = table(seed);
      const { data } = await read(lines.join("\n"));
      const slow = asText(lines);
      expect(data.names).toEqual(slow.data.names);
      for (const field of ["starts", "labels", "items", "listWeights"] as const) expect(data[field]).toEqual(slow.data[field]);
    }
  });

  it("merges rows as ballots() merges the same ballots", async () => {
    const { data } = await read("model_a,model_b,winner\nx,y,x\ny,x,model_b\nx,y,tie\ny,x,tie\nx,z,b\n");
    expect(data).toEqual(ballots([["x", "y"], [["x", "y"]], ["z", "x"]], { weights: [2, 2, 1], items: ["x", "y", "z"] }));
  });

  it.each([
    ["x,y,maybe", 'expected model_a, model_b or tie in the column winner, got "maybe"'],
    [",y,tie", "the column model_a is empty"],
    ["x,y", "expected 3 cells as in the header, got 2"],
  ])("a bad row is an error with its line: %s", async (row, message) => {
    await expect(read(`model_a,model_b,winner\nx,y,tie\nx,y,x\n${row}\n`)).rejects.toThrow(`:4: ${message}`);
  });

  it("rows of an item against itself, or of an arena without a winner, are left out with a notice", async () => {
    const { data, notices } = await read("model_a,model_b,winner\nx,y,x\nx,x,what\nx,y,\ny,y,\nx,z,b\n");
    expect(data).toEqual((await read("model_a,model_b,winner\nx,y,x\nx,z,b\n")).data);
    expect(notices).toContainEqual(
      expect.stringMatching(
        /^3 rows left out: 2 of an item against itself \(first .*:3: "x"\), 1 without a winner \(first .*:4\)$/,
      ),
    );
    await expect(read("winner,loser\nx,y\n,x\n")).rejects.toThrow(":3: the column winner is empty");
    expect((await read("winner,loser\nx,y\nx,x\n")).notices.join()).toMatch(/1 row left out: 1 of an item against itself/);
  });

  it("10,000 different ballots stay different through every growth of the table", () => {
    const built = new Ballots();
    const counts = new Map<string, number>();
    const r = random(3);
    for (let i = 0; i < 120; i++) built.item(`item ${i}`);
    for (let i = 0; i < 30_000; i++) {
      const a = below(r, 120);
      const b = (a + 1 + below(r, 119)) % 120;
      const tie = r() < 0.3;
      const key = tie ? `${Math.min(a, b)}=${Math.max(a, b)}` : `${a}>${b}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (i % 2 === 0) built.addPair(a, b, tie, 1);
      else built.add(tie ? [[a, b]] : [[a], [b]]);
    }
    const { items, labels, listWeights } = built.finish();
    const found = new Map(
      Array.from(listWeights!, (weight, q) => {
        const [i, j] = [items![2 * q]!, items![2 * q + 1]!];
        return [`${i}${labels[2 * q] === labels[2 * q + 1] ? "=" : ">"}${j}`, weight];
      }),
    );
    expect(found).toEqual(counts);
  });
});

describe("bytes", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  it("a text has one number, however often and with whatever spaces it comes", () => {
    const texts = new ByteTexts();
    for (let i = 0; i < 5000; i++) {
      const spelled = bytes(`${i % 3 === 0 ? " " : ""}name ${i % 1500}`);
      expect(texts.of(spelled, 0, spelled.length)).toBe(i % 1500);
    }
    expect(texts.texts.length).toBe(1500);
  });
  it("cells by their bytes: none where a quote stands or cells are too many", () => {
    const starts = new Uint32Array(5);
    expect(splitCells(bytes("a,,b"), 0, 4, 44, starts)).toBe(3);
    expect([...starts.subarray(0, 4)]).toEqual([0, 2, 3, 5]);
    expect(splitCells(bytes('a,"b"'), 0, 5, 44, starts)).toBe(-1);
    expect(splitCells(bytes("a,b,c,d,e"), 0, 9, 44, starts)).toBe(-1);
  });
  it.each([
    ["007", 7],
    ["", Number.NaN],
    ["1.5", Number.NaN],
    ["1234567890123456", Number.NaN],
  ])("whole numbers by their bytes: %s", (text, wanted) => {
    expect(wholeAt(bytes(text), 0, text.length)).toBe(wanted);
  });
});
