/** Whatever the bytes, a reader answers with a dataset or an InputError, the same for any cut into chunks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedTexts } from "../../../test/changed-texts.ts";
import { MAX_CATEGORIES } from "../../data/table/decision.ts";
import { InputError } from "../../input-error.ts";
import type { Dataset } from "../../types.ts";
import { NeedsColumns } from "./csv-direct.ts";
import { type DatasetReaderOptions, datasetReader } from "./dataset-reader.ts";
import { lines } from "./lines.ts";
import { readOptions } from "./read-options.ts";

type Format = Exclude<ReturnType<typeof readOptions>["format"], "auto">;
type Answer = { data: Dataset; notices: readonly string[] } | { mistake: string };

const encode = (text: string) => new TextEncoder().encode(text);

/** Tables with words are read again as columns, as `readData` does. */
function answer(bytes: Uint8Array, format: Format, cuts: readonly number[], groups?: Uint8Array): Answer {
  try {
    return answerOnce(bytes, format, cuts, groups, false);
  } catch (error) {
    if (!(error instanceof NeedsColumns)) throw error;
    return answerOnce(bytes, format, cuts, groups, true);
  }
}

function answerOnce(
  bytes: Uint8Array,
  format: Format,
  cuts: readonly number[],
  groups: Uint8Array | undefined,
  columns: boolean,
): Answer {
  const labels: DatasetReaderOptions["labels"] = "required";
  const gather = datasetReader({ ...readOptions({ format, indexBase: "auto" }), labels, columns });
  try {
    const parser = gather.open("a", bytes, undefined, groups ? { groups: { name: "a.query", bytes: groups } } : {});
    const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
    ends.forEach((end, i) => {
      parser.push(bytes.slice(i === 0 ? 0 : ends[i - 1]!, end));
    });
    gather.close();
    const { data, notices } = gather.finish();
    return { data, notices };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).not.toMatch(/[\r\n]/);
    expect(error.message.length).toBeLessThan(4000);
    return { mistake: error.message };
  } finally {
    gather.drop();
  }
}

/** Memory of the data grows in proportion to the bytes of the file. */
function expectSmall(found: Answer, bytes: number): void {
  if ("mistake" in found) return;
  const { features, labels, starts } = found.data;
  const most = found.data.names.encoding ? MAX_CATEGORIES : 3; // a category is several features
  expect(features.values.length).toBeLessThanOrEqual(most * bytes);
  expect(labels.length).toBeLessThanOrEqual(bytes);
  expect(starts.at(-1)).toBe(labels.length);
}

const cuts = fc.array(fc.nat(2000), { maxLength: 6 });
const formats = fc.constantFrom("svmlight", "csv");
const svmlightText = "2 qid:10 1:0.5 3:-1e-3 #docid = GX1\n0 qid:10 2:.25 # second\r\n\n# note\n1.5 qid:x7 1:NULL 2147483647:1\n";
const wordsText =
  "sep=;\n# note\nlabel;qid;color;on;day;x\n1;a;red;yes;2024-01-02;0,5\n0;a;blue;no;;NA\n2;b;red;yes;2024-02-03 04:05 UTC;tba\n1;b;blue;no;2024-02-29;7\n";
const datesText =
  "label;qid;id;day;on;x\n1;a;1.5E+18;13/04/2024;ja;#NV\n0;a;7;1/4/2024 5:05 PM;nein;1,5\n;;;;;\n2;b;7;02-04-2024;;2\n";
const timesText =
  "label,qid,lap,at,gap\n1:02.3,a,59.8,14:05,+5.4\n58,a,1:02.30,09:30,0\n1:40:00,b,PT1M30S,23:59,-1 days +23:59:30\n";
const csvText = 'label,qid,"x, ""y""",id,z\n1,a,0.5,"d,1",NA\r\n0,a,1e3,"d\n2",\n\n2,b,-.5,"",7\n';
const tokens = fc.constantFrom(
  ...'0 1 -1 9999999999 2147483647:1 1:1 2:NULL 1:nan 1e999 qid:1 qid:a qid: : # " , ; \t \n \r\n \u00e9 \ud83d\ude00 NA label qid x yes no 2024-01-02 red | sep=; 1,5 3/4/2024 13/4/2024 1:23 1:23.4 PM +5.4 PT1M ;;; #NV nein'.split(
    " ",
  ),
  " ",
  "\n",
  "label,qid,x\n",
  "1 qid:1 1:1\n",
  "1,a,2\n",
);

describe("hostile bytes", () => {
  const inputs = {
    "random bytes": fc.uint8Array({ maxLength: 400 }),
    "random words of the formats": fc.array(tokens, { maxLength: 60 }).map((words) => encode(words.join(" "))),
    "valid files with a few bytes changed, cut or doubled": fc
      .tuple(
        fc.constantFrom(svmlightText, csvText, wordsText, datesText, timesText),
        fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { maxLength: 4 }),
      )
      .map(([text, changes]) => {
        let bytes = [...encode(text)];
        for (const [where, byte, how] of changes) {
          const at = where % (bytes.length + 1);
          if (how === 0) bytes[at] = byte;
          else if (how === 1) bytes = bytes.slice(0, at);
          else bytes = [...bytes.slice(0, at), ...bytes.slice(Math.max(0, at - 7))];
        }
        return Uint8Array.from(bytes);
      }),
  };

  it.each(Object.entries(inputs))("%s give data or an InputError, wherever the chunks end", (_, bytes) => {
    fc.assert(
      fc.property(bytes, formats, cuts, (content, format, where) => {
        const whole = answer(content, format, []);
        expectSmall(whole, content.length);
        expect(answer(content, format, where)).toEqual(whole);
      }),
      { numRuns: 1500 },
    );
  });

  it("valid files read the same wherever the chunks end", () => {
    for (const [text, format] of [
      [svmlightText, "svmlight"],
      [csvText, "csv"],
    ] as const) {
      const bytes = encode(text);
      const whole = answer(bytes, format, []);
      expect(whole).toHaveProperty("data");
      for (let cut = 0; cut <= bytes.length; cut++) expect(answer(bytes, format, [cut, cut + 3])).toEqual(whole);
    }
  });

  it("random group files give data or an InputError", () => {
    const rows = encode("1 1:1\n0 1:2\n2 1:3\n");
    const groups = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      fc
        .array(fc.constantFrom("0", "1", "2", "3", "x", "1e3", "-1", "99999999999"), { maxLength: 5 })
        .map((all) => encode(all.join("\n"))),
    );
    fc.assert(
      fc.property(groups, (content) => expectSmall(answer(rows, "svmlight", [], content), 100)),
      { numRuns: 1000 },
    );
  });

  it("a header of very many columns is refused in one short line", () => {
    const header = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(",");
    expect(answer(encode(`${header}\n`), "csv", [])).toHaveProperty("mistake");
  });

  it("a row of very many features in falling order is sorted", () => {
    const cells = Array.from({ length: 100_000 }, (_, i) => `${100_000 - i}:1`).join(" ");
    const found = answer(encode(`1 qid:1 ${cells}\n`), "svmlight", []);
    expect("data" in found && found.data.features.columns).toBe(100_000);
  });

  const texts: Readonly<Partial<Record<Format, string>>> = {
    jsonl: '[{"qid":1,"label":2,"x":{"y":[1,null]},"docid":"]},\\\\\\""},\n{"label":0,"qid":12345678901234567890}]\n',
    orders: '3: a > b = c\n# note\n"x > y" > d ~ a\r\nb > a\n',
    pairs: 'winner,loser,tie,count\n"a, b",c,,2\nc,d,draw,1\nd,"a, b",0,1\n',
    preflib: "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: x\n2: 1,{2,3}\n1: 3,1\n",
    tiers: '[["a",["b","c"]],{"tiers":{"S":["c"],"A":["a"]},"count":2}]\n',
    ranks: "0 qid:7 1:2 2:NULL #docid = x\n1 qid:7 1:1 2:4 #docid = y\n",
    qrels: "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n",
    "tier-table": "ballot,item,tier,count\n1,a,1,2\n1,b,2,2\n2,b,1,1\n2,c,1,1\n2,a,7,1\n",
    "xml-repository": "2 4 3\n0,2 1:0.5 3:1\n1:2 0:1\n",
    arff: "@relation 'x: -C 1'\n@attribute l {0,1}\n@attribute f numeric\n@data\n1,0.5\n{0 1,1 2}\n",
  };

  describe.each(Object.entries(texts) as [Format, string][])("%s", (format, text) => {
    const words = fc.constantFrom(
      ...text.split(/(?<=[\s,>=~:{}[\]"])/),
      ..."0 1 -1 9999999999 914874247 1e999 > = ~ : , ; { } [ ] \" ' # @ % ? \\ \u2028 \u2029 \u0085 \uFEFF \0 \r".split(" "),
      " ",
      "\n",
      "9".repeat(400),
      " ".repeat(300),
      "[".repeat(300),
      '{"a":'.repeat(300),
    );
    const changed = changedTexts(text, words);

    it("reads what is right", () => expect(answer(encode(text), format, [])).toHaveProperty("data"));

    it("gives data or an InputError for any change, wherever the chunks end", () => {
      const any = fc.oneof(changed, fc.array(words, { maxLength: 40 }).map((all) => encode(all.join(""))), fc.uint8Array()); // biome-ignore format: three kinds
      fc.assert(
        fc.property(any, cuts, (content, where) => {
          const whole = answer(content, format, []);
          expect(answer(content, format, where)).toEqual(whole);
          if ("mistake" in whole) expect(whole.mistake).toMatch(/^(a(:\d+)?(, record \d+)?: |row \d|the counts)/);
        }),
        { numRuns: 400 },
      );
    });

    it("carriage returns alone between lines are an error with the way out", () => {
      const found = answer(encode(text.replace(/\r?\n/g, "\r")), format, []);
      if (format === "tiers")
        expect(found).toHaveProperty("data"); // blanks of JSON
      else expect(found).toHaveProperty("mistake", expect.stringContaining("a:1: the lines end with a carriage return alone"));
    });
  });

  it("JSON nested 200,000 deep is one line", () => {
    const deep = (open: string, close: string) => encode(`[["a","b"],\n${open.repeat(200_000)}1${close.repeat(200_000)}]`);
    const mistake = "a:2: brackets are nested more than 200 deep, which no file of this kind needs";
    expect(answer(deep("[", "]"), "tiers", [])).toEqual({ mistake });
    expect(answer(deep('{"a":', "}"), "tiers", [])).toEqual({ mistake });
    expect(answer(encode("[".repeat(200_000)), "tiers", [])).toEqual({ mistake: mistake.replace("a:2", "a:1") });
    expect(answer(encode('["[[[[", "]"]'.padStart(400, '"["'.slice(1))), "tiers", [])).toHaveProperty("mistake"); // brackets in texts do not nest
  });

  it.each([
    ["orders", `a${" ".repeat(1e6)}"b > c`],
    ["orders", `a > ${" ".repeat(1e6)}"`],
    ["preflib", `# ${" ".repeat(1e6)}x\n`],
    ["preflib", `# KEY:${" ".repeat(1e6)}x${" ".repeat(1e6)}y\n`],
    ["arff", `@relation x\n@attribute '${"a".repeat(5e6)}' numeric\n@attribute 'x`],
    ["arff", `@relation 'x: -C 1'\n@attribute l {0,1}\n@attribute f numeric\n@data\n'${"1".repeat(2e7)}',1\n`],
    ["arff", `@relation 'x: -C 1'\n@attribute '${"a".repeat(3e7)}`],
    ["xml-repository", `1 1 1000000\n${Array.from({ length: 2e5 }, (_, i) => 2e5 - i).join(",")},7\n`],
    ["pairs", `winner,loser\n"${'""'.repeat(1e6)},b\n`],
    ["qrels", `${"q ".repeat(1e6)}\n`],
  ] as const)("a very long line of %s is read or refused, in time that grows with its length", (format, text) => {
    expect(answer(encode(text), format, [])).toHaveProperty("mistake");
  });

  it("a line without an end is refused before it fills the memory", () => {
    const splitter = lines(() => {}, () => "a.txt:1", { longest: 1 << 20 }); // biome-ignore format: short
    const chunk = new Uint8Array(1 << 16).fill(49);
    expect(() => {
      for (let i = 0; i < 32; i++) splitter.push(chunk);
    }).toThrow(new InputError("a.txt:1: the line is longer than 1 MB"));
  });
});
