import { describe, expect, it } from "vitest";
import { below, random } from "../../numeric/random.ts";
import { type ClickLogOptions, clickLogReader } from "./click-log-parser.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** The log in a text, in pieces of so many bytes. */
function read(text: string, options: ClickLogOptions = {}, piece = 1 << 20) {
  const reader = clickLogReader(options);
  const sink = reader.open("log");
  const bytes = encode(text);
  for (let at = 0; at < bytes.length; at += piece) sink.push(bytes.subarray(at, at + piece));
  sink.end();
  return reader.finish();
}

/** Impressions as plain data: query, documents by position, clicks. */
const plain = (log: ReturnType<typeof read>) =>
  Array.from(log.query, (q, i) => ({
    query: log.queries[q]!,
    shown: Array.from({ length: log.starts[i + 1]! - log.starts[i]! }, (_, at) => {
      const e = log.starts[i]! + at;
      return [log.documents[log.document[e]!]!, Number(log.positions[log.position[e]!]!), log.clicked[e]!];
    }),
  }));

const bread = [{ query: "bread", shown: [["x", 1, 0], ["y", 2, 1]] }]; // biome-ignore format: one page

describe("a log of clicks", () => {
  it.each([
    ["a table", "query,doc,position,clicked\nbread,x,1,0\nbread,y,2,1\n"],
    [
      "other columns, tabs, quotes, words and CRLF",
      'n\trank\tQID\tclick\titem\r\n7\t1\t"bread"\tfalse\tx\r\n7\t2\tbread\tYES\t"y"\r\n',
    ],
    ["semicolons, a byte order mark and blank lines", "\uFEFF\n query;document;pos;clicks\n\nbread;x;1.0;0\nbread;y;2;1.0\n"],
    ["JSON rows", '{"qid":"bread","doc":"x","position":1,"clicked":0}\n\n{"query":"bread","item":"y","rank":2,"click":true}\n'],
    ["a JSON impression", '{"query":"bread","documents":["x","y"],"clicked":["y"]}'],
  ])("as %s", (_, text) => expect(plain(read(text))).toEqual(bread));

  it("of JSON keeps all digits of queries, documents and impressions that are numbers", () => {
    const [a, b, c] = ["12345678901234567", "12345678901234568", "98765432109876543210"];
    const shown = { query: c, shown: [[a, 1, 1], [b, 2, 0]] }; // biome-ignore format: one page
    expect(plain(read(`{"query":${c},"documents":[${a},${b}],"clicked":[${a}.0]}`))).toEqual([shown]);
    const row = (document: string, rank: number, impression: string) =>
      `{"query":${c},"document":${document},"rank":${rank},"clicked":${Number(rank === 1)},"session":${impression}}\n`;
    expect(plain(read(row(a, 1, a) + row(b, 2, a) + row(a, 1, b) + row(b, 2, b)))).toEqual([shown, shown]);
  });

  it("columns have the names that options say, and a click the dwell time", () => {
    const text = "term,sku,slot,hit,stay\nbread,x,1,1,29\nbread,y,2,1,30\n";
    const names = { query: "term", document: "sku", position: "slot", clicked: "hit", dwell: "stay" };
    expect(plain(read(text, { ...names, minDwell: 30 }))).toEqual(bread);
  });

  it("random logs are read as they were written, in any pieces", () => {
    for (let seed = 0; seed < 60; seed++) {
      const draw = random(seed);
      const pages = Array.from({ length: 1 + below(draw, 12) }, (_, i) => ({
        query: `q${below(draw, 3)}, "${i % 2}"`,
        shown: Array.from({ length: 1 + below(draw, 5) }, (_, k) => [`d${k}é`, k + 1, below(draw, 2)] as const),
      }));
      const rows = pages.flatMap(({ query, shown }, i) =>
        shown.map(([doc, position, clicked]) => ({ query, doc, position, clicked, session: i })),
      );
      const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
      const table = ["query,doc,position,clicked,session", ...rows.map((row) => Object.values(row).map(cell).join(","))].join(
        "\n",
      );
      const json = rows.map((row) => JSON.stringify(row)).join("\n");
      const whole = pages
        .map(({ query, shown }) =>
          JSON.stringify({
            query,
            docs: shown.map(([doc]) => doc),
            clicks: shown.filter(([, , hit]) => hit).map(([doc]) => doc),
          }),
        )
        .join("\n");
      for (const text of [table, json, whole]) expect(plain(read(text, {}, 1 + below(draw, 40))), `seed ${seed}`).toEqual(pages);
    }
  });

  it.each<[string, RegExp, ClickLogOptions?]>([
    ["", /^log: no documents were shown/],
    ["query,doc,position,clicked\n", /^log: no documents were shown/],
    ["query,doc,place,clicked\na,b,1,0\n", /^log:1: expected a column position or pos or rank, got "query, doc, place, clicked"/],
    ["query,doc,position,clicked\na,b,1\n", /^log:2: expected 4 cells as in the header, got 3/],
    ["query,doc,position,clicked\na,b,first,0\n", /^log:2: expected a position as a whole number from 0 to 1000000, got "first"/],
    ["query,doc,position,clicked\na,b,1,maybe\n", /^log:2: expected clicked as 1 or 0, got "maybe"/],
    ["query,doc,position,clicked\na,,1,0\n", /^log:2: the column doc is empty/],
    [
      "query,doc,position,clicked,session\na,b,1,0,1\na,c,1,0,1\n",
      /^log: an impression of the query "a" has two documents at position 1/,
    ],
    ["query,doc,position,clicked\na,b,1,0\n", /^log:1: there is no column "term"/, { query: "term" }],
    ["query,doc,position,clicked\na,b,1,1\n", /^log:1: expected a column dwell/, { minDwell: 5 }],
    ["query,doc,position,clicked,dwell\na,b,1,1,long\n", /^log:2: expected a dwell time in seconds/, { minDwell: 5 }],
    ['{"query":"a","documents":["x"],"clicked":["y"]}', /^log:1: the clicked document "y" is not among those shown/],
    ['{"query":"a","documents":["x"],"clicked":1}', /^log:1: expected clicked as a list of documents, got 1/],
    [
      '{"query":"a","doc":"x","position":-1,"clicked":1}',
      /^log:1: expected a position as a whole number from 0 to 1000000, got -1/,
    ],
    ['{"query":"a"}\n{', /^log:1: expected a position/],
    ['{"query":"a"', /^log:1: expected a line of JSON/],
    [`{"query":${"[".repeat(400)}`, /^log:1: brackets are nested/],
  ])("%j is refused in one line", (text, answer, options) => expect(() => read(text, options)).toThrow(answer));
});
