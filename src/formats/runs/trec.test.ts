import { describe, expect, it } from "vitest";
import { parseData } from "../data/parse.ts";
import { isRun, parseRun } from "./trec.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const run = (text: string) => parseRun("a.run", bytes(text));
const qrels = (text: string) => parseData([{ name: "a.qrels", content: text }]);

describe("run files", () => {
  it("score documents by list, in any order and with any blanks", () => {
    const { tag, lists } = run("q1 Q0 d1 1 2.5 bm25\r\nq2\tQ0\td9\t1\t-1e-3\tbm25\n\nq1 Q0 d2 2 2.5 bm25\n");
    expect(tag).toBe("bm25");
    expect([...lists].map(([list, scores]) => [list, [...scores]])).toEqual([
      ["q1", [["d1", 2.5], ["d2", 2.5]]], // biome-ignore format: a row each
      ["q2", [["d9", -0.001]]],
    ]);
  });
  it("mistakes carry file and line", () => {
    expect(() => run("q1 Q0 d1 1 2.5 x\nq1 Q0 d2 2\n")).toThrow(
      'a.run:2: expected "list Q0 document rank score tag", got "q1 Q0 d2 2" (4 columns)',
    );
    expect(() => run("q1 Q0 d1 1 high x\n")).toThrow('a.run:1: expected a number as the score of "d1", got "high"');
    expect(() => run("q1 Q0 d1 1 2 x\n\nq1 Q0 d1 2 1 x\n")).toThrow('a.run:3: the document "d1" stands in the list "q1" twice');
    expect(() => run("\n\n")).toThrow("a.run: the run is empty");
  });
  it("are known by their first line", () => {
    expect(isRun(bytes("q1 Q0 d1 1 2.5 x\n"))).toBe(true);
    expect(isRun(bytes("\n301 Q0 FBIS-1 1 inf x"))).toBe(true);
    for (const other of ["q1 0 d1 2\n", "2 qid:1 1:0.5 2:1 3:4 #d\n", '{"format": 1}', "a,b,c,d,1,e\n", ""])
      expect(isRun(bytes(other))).toBe(false);
  });
});

describe("qrels", () => {
  it("are lists of labelled documents without features", () => {
    const { data, notices } = qrels("q1 0 d1 2\nq2 0 d1 0\nq1 0 d2 -1\n");
    expect([...data.starts, ...data.labels]).toEqual([0, 2, 3, 2, -1, 0]);
    expect(data.names.lists).toEqual(["q1", "q2"]);
    expect(data.names.entries).toEqual(["d1", "d2", "d1"]);
    expect(data.features.columns).toBe(0);
    expect(notices[0]).toBe("a.qrels: 3 rows in 2 lists (first column)");
  });
  it("are known by their first line, which other formats do not share", () => {
    const lists = (content: string) => parseData([{ name: "judged", content }]).data.names.lists;
    expect(lists("301 0 FBIS3-10082 1\n301 0 FBIS3-10169 0\n")).toEqual(["301"]);
    expect(lists("1 qid:7 1:2 2:3\n0 qid:7 1:1 2:5\n")).toEqual(["7"]);
    expect(parseData([{ name: "votes", content: "5: 1 > 2\n2 > 1 > 3\n" }]).data.names.items).toEqual(["1", "2", "3"]);
  });
  it("mistakes carry file and line", () => {
    expect(() => qrels("q1 0 d1 2\nq1 0 d1\n")).toThrow('a.qrels:2: expected "list 0 document label", got "q1 0 d1" (3 columns)');
    expect(() => qrels("q1 0 d1 yes\n")).toThrow('a.qrels:1: expected a number as the label of "d1", got "yes"');
    expect(() => qrels("q1 0 d1 1\nq2 0 d1 1\nq1 0 d1 0\n")).toThrow(
      'a.qrels:3: the document "d1" is judged twice in the list "q1"',
    );
  });
});
