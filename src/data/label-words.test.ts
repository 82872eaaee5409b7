import { describe, expect, it } from "vitest";
import { parseData } from "../formats/data/parse.ts";
import { below, random } from "../numeric/random.ts";
import type { Dataset } from "../types.ts";
import { checkLabelWords, LAST, lastLabels, wordAdvice, wordMeaning } from "./label-words.ts";
import { lowerIsBetter } from "./opinions.ts";

const data = (labels: readonly number[], starts: readonly number[]): Dataset => ({
  ...{ starts: Uint32Array.from(starts), labels: Float32Array.from(labels), base: 0, names: {} },
  features: { kind: "dense", rows: labels.length, columns: 0, values: new Float32Array(0) },
});

describe("labels below all others of their list", () => {
  it("are 0 where all others are above it, or else one below the lowest", () => {
    expect([...lastLabels(data([3, LAST, 1, LAST, 0, LAST, LAST, -2.5], [0, 3, 5, 6, 8])).labels]).toEqual([3, 0, 1, -1, 0, 0, -3.5, -2.5]); // biome-ignore format: labels
    const large = -(2 ** 30);
    const { labels } = lastLabels(data([large, LAST], [0, 2]));
    expect(labels[1]!).toBeLessThan(large);
    const same = data([1, 2], [0, 2]);
    expect(lastLabels(same)).toBe(same);
  });

  it("are 0 where lower is better, and the worst of the others is 1", () => {
    expect([...lowerIsBetter(data([1, LAST, 3, 2, 4, LAST, LAST], [0, 3, 5, 7])).data.labels]).toEqual([3, 0, 1, 2, 0, 0, 0]);
    expect([...lowerIsBetter(data([1, LAST, Number.NaN], [0, 3])).data.labels]).toEqual([1, 0, Number.NaN]);
    expect([...lowerIsBetter(data([1e8, LAST], [0, 2])).data.labels]).toEqual([1, 0]);
  });
});

describe("words among labels", () => {
  it("mean what is said of them, also as numbers, and a word for missing values stands for all cells without a label", () => {
    const meaning = wordMeaning({ labelLast: ["DNF", "99"], labelMissing: ["DNS"] }, ["none"]);
    expect(["DNF", " DNF ", "99.0", "dnf", "1", "", "none"].map(meaning)).toEqual([
      LAST,
      LAST,
      LAST,
      ...new Array(4).fill(undefined),
    ]);
    expect(meaning("DNS")).toBeNaN();
    const empty = wordMeaning({ labelLast: ["NA"], labelMissing: ["DNS"] }, ["none"]);
    expect(["", "NA", "null", "none", "1"].map(empty)).toEqual([LAST, LAST, LAST, LAST, undefined]);
  });

  it("that say two things are refused", () => {
    expect(() => checkLabelWords({ labelLast: ["a", "7"], labelMissing: ["7.0"] })).toThrow('--label-last and --label-missing both name "7"; leave it out of one of them'); // biome-ignore format: one line
    expect(() => checkLabelWords({ labelMissing: ["b"], labelOrder: ["b"] })).toThrow('--label-missing and --label-order both name "b"'); // biome-ignore format: one line
    expect(() => checkLabelWords({ labelLast: ["b"], labelOrder: ["a"] })).toThrow("put its words at the end of --label-order");
    expect(() => checkLabelWords({ labelLast: ["a"], labelMissing: ["b"] })).not.toThrow();
  });

  it("are told apart in advice by who took part", () => {
    expect(wordAdvice(["DNF", "DNS", "dsq", "WD"])).toBe("--label-last DNF,dsq puts such rows below all others of their list, and --label-missing DNS,WD leaves such rows out"); // biome-ignore format: one line
    expect(wordAdvice(["did not finish"])).toBe("--label-last 'did not finish' puts such rows below all others of their list, and --label-missing 'did not finish' leaves such rows out"); // biome-ignore format: one line
    expect(wordAdvice(["DNS"])).toContain("--label-last DNS puts");
  });
});

const read = (content: string, options: object) => parseData([{ name: "a.csv", content }], { qid: "q", label: "y", ...options });

describe("tables", () => {
  const table = (...cells: string[]) => `q,y,x\n${cells.map((cell, i) => `r,${cell},${i}\n`).join("")}`;
  const labels = (options: object, ...cells: string[]) => [...read(table(...cells), options).data.labels];

  it("have rows that are last, and rows that are left out, which are told", () => {
    const words = { labelLast: ["DNF", "DSQ"], labelMissing: ["DNS"] };
    const { data: found, notices } = read(table("1", "DNF", "2", "DNS", "DSQ"), { ...words, lowerIsBetter: true });
    expect([[...found.labels], [...found.starts]]).toEqual([[2, 0, 1, 0], [0, 4]]); // biome-ignore format: columns
    expect(notices).toContain('a.csv: label "y": 2 rows (DNF, DSQ) below all others of their lists');
    expect(notices).toContain("1 row left out by --label-missing DNS");
    expect(labels(words, "1", "DNF", "2", "DNS", "DSQ")).toEqual([1, 0, 2, 0]);
    expect(labels({ ...words, labels: "optional" }, "1", "DNF", "2", "DNS")).toEqual([1, -1, 2, 0]); // a row without a label has 0
    expect(() => read(table("DNS", "DNS"), words)).toThrow("a.csv: all rows are left out by --label-missing DNS");
  });

  it("of times, letters and truth values too", () => {
    const words = { labelLast: ["DNF"], labelMissing: ["DNS"] };
    expect(labels({ ...words, lowerIsBetter: true }, "1:02.5", "59.5", "DNF", "DNS")).toEqual([1, 4, 0]);
    expect(labels(words, "S", "A", "DNF", "DNS")).toEqual([6, 5, 0]);
    expect(labels(words, "S", "F", "DNF", "DNS")).toEqual([6, 0, -1]);
    expect(labels(words, "yes", "no", "DNF")).toEqual([1, 0, -1]);
    expect(labels({ labelOrder: ["gold", "silver"], labelMissing: ["DNS"] }, "gold", "DNS", "silver")).toEqual([1, 0]);
  });

  it("have cells without a label that are last, or left out, by any word for missing values", () => {
    expect(labels({ labelLast: ["NA"] }, "1", "", "null", "2")).toEqual([1, 0, 0, 2]);
    expect(labels({ labelMissing: ["NA"] }, "1", "", "null", "2")).toEqual([1, 2]);
    expect(labels({ labelLast: ["NA"], labelMissing: ["DNS"] }, "1", "", "DNS", "2")).toEqual([1, 0, 2]);
    expect(() => labels({ labelLast: ["DNF"] }, "1", "", "DNF")).toThrow("a.csv:3: column \"y\": the label is missing; --tiers ratings leaves rows without one out, --label-last NA puts them below all others of their list"); // biome-ignore format: one line
  });

  it("have numbers that stand for such words", () => {
    expect(labels({ labelLast: ["99"], lowerIsBetter: true }, "1", "99", "2")).toEqual([2, 0, 1]);
    expect(labels({ labelMissing: ["0.0"], lowerIsBetter: true }, "1", "0", "2")).toEqual([1, 0]);
  });

  it("of clicks or cuts have none of them", () => {
    for (const option of [{ labelLast: ["DNF"] }, { labelMissing: ["DNS"] }])
      expect(() => read(table("1", "0"), { ...option, tiers: "clicks" })).toThrow(
        "--tiers clicks takes labels above 0 as clicks",
      );
    expect(() => read(table("1", "0"), { labelLast: ["DNF"], tiers: "ratings:cuts=1/2" })).toThrow(
      "makes one tier of all below a cut",
    );
    expect(labels({ labelLast: ["DNF"], tiers: "ratings" }, "1", "", "DNF", "2")).toEqual([1, 0, 2]);
  });

  it("drawn at random have the order of a slow sort", () => {
    for (let number = 0; number < 300; number++) {
      const draw = random(51, number, 0);
      const lower = draw() < 0.5;
      const rows = Array.from({ length: 1 + below(draw, 30) }, () => {
        const cell = draw() < 0.2 ? ["DNF", "dsq", "DNS", ""][below(draw, 4)]! : String((below(draw, 40) - (lower ? 0 : 10)) / 4);
        return { list: `r${below(draw, 4)}`, cell };
      });
      const content = `q,y,x\n${rows.map(({ list, cell }, i) => `${list},${cell},${i}\n`).join("")}`;
      const kept = rows.map((row, i) => ({ ...row, i })).filter(({ cell }) => cell !== "DNS" && cell !== "");
      const options = {
        labelLast: ["DNF", "dsq"],
        labelMissing: ["DNS", "NA"],
        storage: "dense",
        ...(lower && { lowerIsBetter: true }),
      };
      if (kept.length === 0) continue;
      const { data: found } = read(content, options);
      expect(found.labels.length).toBe(kept.length);
      const goodness = (cell: string) => (/^d/i.test(cell) ? -Infinity : lower ? -Number(cell) : Number(cell));
      const values = (found.features as { values: Float32Array }).values;
      for (let q = 0; q + 1 < found.starts.length; q++)
        for (let a = found.starts[q]!; a < found.starts[q + 1]!; a++)
          for (let b = found.starts[q]!; b < found.starts[q + 1]!; b++) {
            const [one, other] = [rows[values[a]!]!, rows[values[b]!]!];
            expect(one.list).toBe(other.list);
            const wanted = goodness(one.cell) === goodness(other.cell) ? 0 : goodness(one.cell) > goodness(other.cell) ? 1 : -1;
            expect(Math.sign(found.labels[a]! - found.labels[b]!), content).toBe(wanted);
          }
    }
  });
});
