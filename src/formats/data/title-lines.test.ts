import { describe, expect, it } from "vitest";
import { random } from "../../numeric/random.ts";
import { battleReader } from "./battles-parser.ts";
import { clickLogReader } from "./click-log-parser.ts";
import { parseData } from "./parse.ts";
import type { ReadOptions } from "./read-options.ts";
import { LineSkipper } from "./title-lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (from: Uint8Array) => new TextDecoder().decode(from);
const table = "q,d,label,x\na,u,1,3\na,v,0,5\nb,u,0,4\nb,w,2,1\n";
const named = { label: "label", qid: "q", id: "d" };
const parse = (content: string, options: Partial<ReadOptions> = {}, name = "t.csv") =>
  parseData([{ name, content }], { ...named, ...options });
const refused = (content: string, options: Partial<ReadOptions> = {}, name = "t.csv") => {
  try {
    parse(content, options, name);
  } catch (error) {
    return (error as Error).message;
  }
  return "read";
};

describe("the lines above a header", () => {
  it("become blank, however the bytes are cut into chunks", () => {
    const draw = random(5);
    for (let round = 0; round < 300; round++) {
      const content = Array.from({ length: 40 }, () => "ab,\n\n\r"[Math.floor(6 * draw())]).join("");
      const count = Math.floor(5 * draw());
      const lines = content.split("\n");
      const wanted = [...lines.slice(0, count).map((line) => " ".repeat(line.length)), ...lines.slice(count)].join("\n");
      const skipper = new LineSkipper(count);
      let found = "";
      for (let at = 0; at < content.length; ) {
        const size = 1 + Math.floor(9 * draw());
        found += text(skipper.take(bytes(content.slice(at, at + size))));
        at += size;
      }
      expect(found).toBe(wanted);
    }
  });

  it("do not change the data, and rows keep their lines", () => {
    const wanted = parse(table).data;
    for (const above of ["Report Q1 2025\n", '"A ""title""",,,\r\n,,,\r\n', "\uFEFFTitel;\n\n# of today\n", "q,d,label\n"]) {
      const skipLines = above.split("\n").length - 1;
      expect(parse(above + table, { skipLines }).data).toEqual(wanted);
      expect(parse(above + table, { skipLines }, "plain.txt").data).toEqual(wanted);
      const damaged = (above + table).replace("b,u,0,4", "b,u,0");
      expect(refused(damaged, { skipLines })).toBe(`t.csv:${skipLines + 4}: expected 4 cells as in the header, got 3`);
    }
    expect(parse(`${table.replace("q,", "title\nq,")}`, { skipLines: 1, header: true }).data).toEqual(wanted);
  });

  it("may be those of battles, pairs, tier tables and logs of clicks", () => {
    const battles = (content: string, skipLines: number) => {
      const reader = battleReader({ skipLines });
      const sink = reader.open("b.csv");
      sink.push(bytes(content));
      sink.end();
      return reader.finish();
    };
    const pairs = "winner,loser\na,b\nb,c\n";
    expect(battles(`Season 2\n${pairs}`, 1)).toEqual(battles(pairs, 0));
    const read = (content: string, skipLines = 0) => parseData([{ name: "t.csv", content }], { skipLines });
    expect(read(`Season 2\n\n${pairs}`, 2)).toEqual(read(pairs));
    const tiers = "ballot,item,tier\n1,a,S\n1,b,A\n";
    expect(read(`Season 2,,\n${tiers}`, 1)).toEqual(read(tiers));
    const log = (content: string, skipLines: number) => {
      const reader = clickLogReader({ skipLines });
      const sink = reader.open("c.csv");
      sink.push(bytes(content));
      sink.end();
      return reader.finish();
    };
    const clicks = "query,doc,position,clicked\na,x,1,1\na,y,2,0\n";
    expect(log(`Monday\n${clicks}`, 1)).toEqual(log(clicks, 0));
    expect(() => log('{"query": "a"}\n{"query": "b"}\n', 1)).toThrow("c.csv: --skip-lines is for lines above the header of a table of text, such as CSV, and this is JSON; leave it out"); // biome-ignore format: one line
  });

  it("of other formats are none that could be skipped", () => {
    expect(refused("1 qid:1 1:3\n", { skipLines: 1 }, "a.svm")).toMatch(/and this is svmlight; leave it out$/);
    expect(refused('{"q": 1}\n{"q": 2}\n', { skipLines: 1 }, "a.jsonl")).toMatch(/and this is jsonl; leave it out$/);
    expect(refused("a > b\na > b\n", { skipLines: 1 }, "a.orders")).toMatch(/and this is orders; leave it out$/);
  });

  it("cannot be all lines", () => {
    for (const skipLines of [5, 6, 1000])
      expect(refused(table, { skipLines })).toBe(
        `t.csv: --skip-lines ${skipLines} skips all of its lines; skip those above the header`,
      );
    expect(refused("a title", { skipLines: 1 })).toMatch(/skips all of its lines/);
  });
});

describe("errors say where the header is", () => {
  it("if a later line has all columns that are named", () => {
    const title = `Report Q1 2025,,,\n,,,\n${table}`;
    expect(refused(title)).toBe('t.csv:1: no column is called "label" (--label); there is Report Q1 2025; line 3 has label, q, d: --skip-lines 2'); // biome-ignore format: one line
    expect(refused(title, { weight: "x" })).toMatch(/; line 3 has label, q, d, x: --skip-lines 2$/);
    expect(refused(title, { skipLines: 1 })).toMatch(/; line 3 has label, q, d: --skip-lines 2$/);
    expect(refused(title, { skipLines: 3 })).toMatch(/; line 3 has label, q, d: --skip-lines 2$/);
    expect(refused(table, { skipLines: 1 })).toMatch(/; line 1 has label, q, d: leave --skip-lines out$/);
    expect(refused(title.replaceAll(",", ";"))).toMatch(/; line 3 has label, q, d: --skip-lines 2$/);
    expect(refused(title.replaceAll(",", "|"), { separator: "|" })).toMatch(/; line 3 has label, q, d: --skip-lines 2$/);
    expect(refused(title, { qid: "q,d", id: "" })).toMatch(/; line 3 has label, q, d: --skip-lines 2$/);
  });

  it("whatever the error is that the title leads to", () => {
    expect(refused(`Title\n${table}`, { label: "", qid: "", id: "" })).toMatch(
      /no label column; .*; line 2 has label: --skip-lines 1$/,
    );
    expect(refused(`Group A,Group A,,\n${table}`)).toMatch(/two columns are called "Group A"; line 2 has .*--skip-lines 1$/);
    expect(refused(`A "title\n${table}`)).toMatch(/^t.csv:1: .*; line 2 has label, q, d: --skip-lines 1$/);
  });

  it("and with nothing named, by the usual names", () => {
    const usual = table.replace("q,d", "qid,doc");
    const none = { label: "", qid: "", id: "" };
    expect(refused(`Title\n${usual}`, none)).toMatch(/; line 2 has label, qid: --skip-lines 1$/);
    expect(refused("Title\nwinner,loser\na,b\n", none)).toMatch(/; line 2 has winner, loser: --skip-lines 1$/);
  });

  it("by the columns of the model, where labels are not needed", () => {
    const encoding = ["x", "y"].map((name) => ({ name, kind: "number" as const }));
    const score = (content: string) => parseData([{ name: "t.csv", content }], { labels: "optional", scorer: { encoding } });
    expect(() => score("Title\nqid,x,y\na,1,2\n")).toThrow(/; line 2 has qid, x, y: --skip-lines 1$/);
  });

  it("but not where no line is a header, or the table is wrong in another way", () => {
    expect(refused(table, { label: "grade" })).not.toContain("--skip-lines");
    expect(refused("q,d,label,x\na,u,1\n")).not.toContain("--skip-lines");
    expect(refused(`${"# a comment\n".repeat(3)}q,d,grade\na,label,0\n`)).not.toContain("--skip-lines");
    expect(refused(`title\n${"\n".repeat(30)}${table}`)).not.toContain("--skip-lines"); // too far below
    expect(refused(`1,2,3\n${table}`, { header: false, label: "0", qid: "1", id: "" })).not.toContain("--skip-lines");
    expect(refused("q,d\nq,d,0,label\n")).not.toContain("--skip-lines"); // a number is no name
  });
});
