/** `tierwise rank --probabilities` as a user runs it. */
import { beforeAll, describe, expect, it } from "vitest";
import { folder, succeed, svmlight, tierwise } from "./cli.ts";

describe("rank --probabilities", () => {
  const cwd = folder({ "train.txt": svmlight(20), "test.txt": svmlight(4) });
  const ask = (...words: string[]) => tierwise(["rank", "m.json", "test.txt", "--probabilities", ...words], { cwd });
  beforeAll(async () => {
    await succeed(["train", "train.txt", "--out", "m.json", "--quiet"], { cwd });
    await succeed(["train", "train.txt", "--objective", "lambdarank", "--out", "lambda.json", "--quiet"], { cwd });
  });

  it("is a table with a head", async () => {
    const { code, out } = await ask("--within", "1,3", "--quiet");
    const [head, ...lines] = out.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(head).toBe("list\trank\titem\tscore\tP(first)\tP(top 1)\tP(top 3)\texpected rank\t90 % of ranks");
    expect(lines).toHaveLength(4 * 6);
    for (const line of lines) {
      const cells = line.split("\t");
      expect(cells[5]).toBe(cells[4]); // the first of one place
      expect(cells[8]).toMatch(/^\d-\d$/);
    }
  });

  it("as JSON sums to what it must, and has the same items as without", async () => {
    const lines = (await ask("--json", "--pairs", "--temperature", "2")).out.trimEnd().split("\n");
    const plain = (await succeed(["rank", "m.json", "test.txt", "--json"], { cwd })).trimEnd().split("\n");
    lines.forEach((line, q) => {
      const { items, above } = JSON.parse(line);
      expect(items.map(({ id }: { id: string }) => id)).toEqual(JSON.parse(plain[q]!).items.map(({ id }: { id: string }) => id));
      const sum = (of: (item: { first: number; within: Record<string, number>; expected: number }) => number) =>
        items.reduce((total: number, item: never) => total + of(item), 0);
      expect(sum(({ first }) => first)).toBeCloseTo(1, 12);
      expect(sum(({ within }) => within["3"]!)).toBeCloseTo(3, 12);
      expect(sum(({ expected }) => expected)).toBeCloseTo(1 + 2 + 3 + 4 + 5 + 6, 12);
      const lead = (items[0].score - items[1].score) / 2;
      expect(above[0][1]).toBeCloseTo(1 / (1 + Math.exp(-lead)), 12);
    });
  });

  it("says where places are drawn, with what error, and where scores are no log-worths", async () => {
    const { err } = await ask("--exact", "3", "--draws", "400");
    expect(err).toContain("standard errors of up to 0.0250");
    const { err: noted } = await tierwise(["rank", "lambda.json", "test.txt", "--probabilities"], { cwd });
    expect(noted).toMatch(/lambda\.json was trained under lambdarank.*, which is not a likelihood of whole lists/);
    expect((await ask()).err).not.toContain("not a likelihood");
  });

  it.each<[string[], RegExp]>([
    [["--format", "trec"], /the format "trec" cannot contain them/],
    [["--pairs"], /--pairs needs --json, because it adds a matrix to each list/],
    [["--temperature", "0"], /--temperature: expected a number above 0, got "0"/],
    [["--within", "3,x"], /--within: expected a whole number of at least 1, got "x"/],
  ])("refuses %j", async (words, message) => {
    const { code, out, err } = await ask(...words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });
});
