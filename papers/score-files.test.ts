import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { findSet, ohsumed, searchFolds } from "./data-sets.ts";
import { foldDigest } from "./fold-digest.ts";
import { evaluateFold, parseScores, readScoreFiles, toolName } from "./score-files.ts";
import { loadFold } from "./trial.ts";

const home = mkdtempSync(join(tmpdir(), "tierwise-scores-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Two lists in each part: of three items with labels 1, 0, 2, and of two with labels 0, 1. */
mkdirSync(join(home, "ohsumed"));
for (const part of [1, 2, 3, 4, 5])
  writeFileSync(
    join(home, `ohsumed/T${part}.txt`),
    `1 qid:${part}1 1:1\n0 qid:${part}1 1:2\n2 qid:${part}1 1:3\n0 qid:${part}2 1:4\n1 qid:${part}2 1:${part}\n`,
  );
const found = findSet(ohsumed, home)!;
const digest = foldDigest(await loadFold(found, 0));

const fold = { digest, rounds: 30, best: 10, seconds: 2, processor: 1.5, lists: [[0.3, 0.1, 0.2], [1, 1]] }; // biome-ignore format: lists
const head = {
  ...{ format: "tierwise scores", version: 1, tool: "Tool", toolVersion: "1.2", objective: "ndcg", settings: { threads: 1 } },
  ...{ data: "ohsumed", folds: [fold, fold, fold, fold, fold] },
};
const bytes = (record: unknown) => gzipSync(JSON.stringify(record));
const parsed = (record: unknown) => parseScores("a.json.gz", bytes(record));
const message = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect((error as Error).name).toBe("InputError");
    expect((error as Error).message).not.toContain("\n");
    return (error as Error).message;
  }
  throw new Error("it is accepted");
};

describe("a score file", () => {
  it("names tool, version, settings and data, and has the scores of every list", () => {
    const file = parsed(head);
    expect(file).toMatchObject({
      path: "a.json.gz",
      tool: "Tool",
      settings: { threads: 1 },
      data: "ohsumed",
      folds: [fold, {}, {}, {}, {}],
    });
    expect(toolName(file)).toBe("Tool 1.2 ndcg");
  });

  it("is evaluated by our metrics: expected values over tied scores", async () => {
    const outcome = await evaluateFold(found, 0, parsed(head), "ndcg@10,ndcg@1");
    // Gains 1, 3, 0 at ranks 1, 2, 3 against 3, 1, 0; and the one relevant item of a tied pair at rank 1 or 2.
    const log3 = Math.log2(3);
    const lists = [(1 + 3 / log3) / (3 + 1 / log3), (1 + 1 / log3) / 2];
    outcome.lists["ndcg@10"]!.forEach((value, q) => void expect(value).toBeCloseTo(lists[q]!, 6));
    expect(outcome.metrics["ndcg@10"]).toBeCloseTo((lists[0]! + lists[1]!) / 2, 6);
    expect(outcome.lists["ndcg@1"]).toEqual([0.333333, 0.5]);
    expect(outcome).toMatchObject({ rounds: 30, best: 10, seconds: 2, processor: 1.5 });
  });

  it.each([
    ["no gzip", () => parseScores("a.json.gz", new TextEncoder().encode("{}")), /^a\.json\.gz: the score file is damaged: incorrect header check; write it again with bench\/score-files\.py$/],
    ["cut off", () => parseScores("a.json.gz", bytes(head).subarray(0, 60)), /^a\.json\.gz: the score file is damaged: unexpected end of file; /],
    ["no JSON", () => parseScores("a.json.gz", gzipSync('{"format": "tierwise')), /^a\.json\.gz: the score file is damaged: .*JSON/],
    ["a list", () => parsed([head]), /^a\.json\.gz: not a score file of bench\/score-files\.py$/],
    ["another format", () => parsed({ ...head, format: "tierwise values" }), /not a score file/],
    ["another version", () => parsed({ ...head, version: 2 }), /the score file has version 2, and only 1 is known; write it again/],
    ["no tool", () => parsed({ ...head, tool: undefined }), /damaged: expected tool, toolVersion and objective as texts; /],
    ["a number as version", () => parsed({ ...head, toolVersion: 3 }), /expected tool, toolVersion and objective as texts/],
    ["no data", () => parsed({ ...head, data: "" }), /expected the id of a data set as data/],
    ["settings as text", () => parsed({ ...head, settings: "defaults" }), /expected an object of settings/],
    ["no folds", () => parsed({ ...head, folds: [] }), /expected a list of folds/],
    ["a fold that is none", () => parsed({ ...head, folds: [fold, null] }), /expected an object in fold 2/],
    ["no digest", () => parsed({ ...head, folds: [{ ...fold, digest: 7 }] }), /expected a digest in fold 1/],
    ["half a round", () => parsed({ ...head, folds: [{ ...fold, best: 1.5 }] }), /expected rounds and best as whole numbers in fold 1/],
    ["no time", () => parsed({ ...head, folds: [{ ...fold, processor: null }] }), /expected seconds and processor as numbers in fold 1/],
    ["a score as text", () => parsed({ ...head, folds: [{ ...fold, lists: [[1, "2"]] }] }), /expected lists of numbers in fold 1/],
    ["scores that are not finite", () => parsed({ ...head, folds: [{ ...fold, lists: [[1, Number.NaN]] }] }), /expected lists of numbers in fold 1/],
  ])("with %s is refused in a line", (_, run, wanted) => expect(message(run)).toMatch(wanted)); // biome-ignore format: a case each

  it("of other data is refused, with both digests", async () => {
    const other = parsed({ ...head, folds: [{ ...fold, digest: "0123456789abcdef" }, fold, fold, fold, fold] });
    await expect(evaluateFold(found, 0, other, "ndcg@10")).rejects.toThrow(
      `a.json.gz: scores of fold 1 are for other data (digest 0123456789abcdef, and that of OHSUMED here is ${digest}); write it again`,
    );
  });

  it.each([
    ["one list too few", [[1, 2, 3]]],
    ["a score too few", [[1, 2], [1, 2]]],
    ["scores in the wrong lists", [[1, 2], [1, 2, 3]]],
  ])("with %s is refused", async (_, lists) => {
    const file = parsed({ ...head, folds: [{ ...fold, lists }, fold, fold, fold, fold] });
    await expect(evaluateFold(found, 0, file, "ndcg@10")).rejects.toThrow(
      "a.json.gz: the score file is damaged: expected a score for each item of the 2 test lists of fold 1",
    );
  }); // biome-ignore format: lists
});

describe("a folder of score files", () => {
  it("that is not there, or empty, has none", () => {
    expect(readScoreFiles(join(home, "nowhere"))).toEqual([]);
    expect(readScoreFiles(home)).toEqual([]);
  });

  it("with two files of one tool and data set is refused", () => {
    const folder = join(home, "twice");
    mkdirSync(folder);
    for (const name of ["a", "b"]) writeFileSync(join(folder, `${name}.json.gz`), bytes(head));
    expect(message(() => readScoreFiles(folder))).toBe(
      `${join(folder, "b.json.gz")}: scores of Tool 1.2 ndcg on ohsumed are in ${join(folder, "a.json.gz")} too; remove one`,
    );
  });

  it("of this repository is read: four tools on four data sets", () => {
    const files = readScoreFiles();
    expect(new Set(files.map(toolName)).size).toBe(4);
    expect(new Set(files.map(({ data }) => data))).toEqual(new Set(["mq2008", "ohsumed", "mq2007-agg", "search-folds"]));
    for (const { folds } of files) expect(folds).toHaveLength(5);
  });

  it("of this repository fits the bundled data", async () => {
    const bundled = findSet(searchFolds, "")!;
    const files = readScoreFiles().filter(({ data }) => data === "search-folds");
    const outcomes = await Promise.all(files.map((file) => evaluateFold(bundled, 2, file, "ndcg@10")));
    expect(outcomes).toHaveLength(4);
    for (const { metrics } of outcomes) expect(metrics["ndcg@10"]).toBeGreaterThan(0.6); // random orders reach 0.5
  });
});
