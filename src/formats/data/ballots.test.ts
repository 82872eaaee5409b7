import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { below, random } from "../../numeric/random.ts";
import type { Dataset } from "../../types.ts";
import { ballotKind, readData } from "./read.ts";

const folder = mkdtempSync(join(tmpdir(), "ballots-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Ballots as people write them, with their weights. */
function result({ starts, labels, items, listWeights, names }: Dataset): string[] {
  return Array.from({ length: starts.length - 1 }, (_, q) => {
    let text = "";
    for (let at = starts[q]!; at < starts[q + 1]!; at++)
      text += `${at === starts[q] ? "" : labels[at] === labels[at - 1] ? " = " : " > "}${names.items![items![at]!]}`;
    return `${listWeights ? listWeights[q] : 1}: ${text}`;
  });
}

const read = async (name: string, text: string | Uint8Array, options = {}) => readData([file(name, text)], options);

const PREFLIB = `# DATA TYPE: toi
# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 6
# ALTERNATIVE NAME 1: Ann
# ALTERNATIVE NAME 2: Bob, the second
# ALTERNATIVE NAME 3: Cid
# ALTERNATIVE NAME 4: Dan
3: 1,{2,3},4
2: 4
1: {3,2}, 1
`;

describe("preflib", () => {
  it("orders with ties, counts and names; a ballot of one item says nothing", async () => {
    const { data, notices } = await read("a.toi", PREFLIB);
    expect(result(data)).toEqual(["3: Ann > Bob, the second = Cid > Dan", "1: Bob, the second = Cid > Ann"]);
    expect(notices.join("\n")).toContain("6 ballots (preflib), 3 distinct");
    expect(notices.join("\n")).toContain(
      "3 ballots incomplete: they say nothing about the items that they omit (--absent-items silent)",
    );
  });
  it("absent items share the last tier if requested", async () => {
    const { data, notices } = await read("a.toi", PREFLIB, { absentItems: "last" });
    expect(result(data)).toEqual([
      "3: Ann > Bob, the second = Cid > Dan",
      "2: Dan > Ann = Bob, the second = Cid",
      "1: Bob, the second = Cid > Ann > Dan",
    ]);
    expect(notices.join("\n")).toContain("share the last tier (--absent-items last)");
  });
  it("the headers before 2022", async () => {
    const { data } = await read("old.soc", "3\n1,Ann\n2,Bob\n3,Cid, Jr.\n7,7,2\n4,2,1,3\n3,{1,3},2\n");
    expect(result(data)).toEqual(["4: Bob > Ann > Cid, Jr.", "3: Ann = Cid, Jr. > Bob"]);
  });
  it("categories, empty ones left out", async () => {
    const { data } = await read("a.cat", "# NUMBER ALTERNATIVES: 3\n# NUMBER CATEGORIES: 3\n5: {1,3},{},2\n1: {},{1},{2,3}\n");
    expect(result(data)).toEqual(["5: 1 = 3 > 2", "1: 1 > 2 = 3"]);
  });
  it.each(["wmd", "tog", "mjg", "wmg", "pwg"])("%s files hold no ballots, by their name or header", async (kind) => {
    const header = `# FILE NAME: x\n# DATA TYPE: ${kind}\n# NUMBER ALTERNATIVES: 3\n`;
    const refused = new RegExp(
      `: this is a ${kind} file of PrefLib, a .* graph.*|a graph .*, and holds no ballots; expected a soc,`,
    );
    await expect(read(`a.${kind}`, "3,2\n1,2,1.0\n")).rejects.toThrow(refused);
    await expect(read(`b.${kind}.gz`, gzipSync("3,2\n1,2,1.0\n"))).rejects.toThrow(refused);
    await expect(read("c.txt", `${header}1,2,1.0\n`)).rejects.toThrow(refused);
  });
  it("lines by their bytes are read as lines of text", async () => {
    const r = random(5);
    for (let round = 0; round < 60; round++) {
      const orders = Array.from({ length: 1 + below(r, 6) }, () => {
        const numbers = Array.from({ length: 1 + below(r, 5) }, () => (below(r, 40) === 0 ? 0 : 1 + below(r, 9)));
        const parts = numbers.map((i) => (r() < 0.2 ? `{${i}}` : r() < 0.1 ? `{${i},${1 + below(r, 9)}}` : String(i)));
        return `${r() < 0.1 ? "" : 1 + below(r, 3)}:${r() < 0.5 ? " " : ""}${parts.join(r() < 0.2 ? ", " : ",")}${r() < 0.05 ? "{" : ""}`;
      });
      const text = (lead: string) => `# NUMBER ALTERNATIVES: 9\n${orders.map((order) => lead + order).join("\n")}\n`;
      const outcome = async (name: string, content: string) => {
        try {
          return result((await read(name, content)).data);
        } catch (error) {
          return (error as Error).message.replace(/^.*\.toi/, "");
        }
      };
      // A space before the count is allowed, and read as text.
      expect(await outcome("fast.toi", text(""))).toEqual(await outcome("slow.toi", text(" ")));
    }
  });
  it("compressed, and known by its content", async () => {
    const path = file("something.gz", gzipSync(PREFLIB));
    expect(await ballotKind(path, {})).toBe("ballots");
    expect(result((await readData([path])).data)).toHaveLength(2);
  });
  it.each([
    ["# NUMBER ALTERNATIVES: 2\n1: 1,3\n", ":2: expected an alternative from 1 to 2, got 3"],
    ["# NUMBER ALTERNATIVES: 2\n1: 1,2,1\n", ':2: the alternative "1" occurs twice in this order'],
    ["# NUMBER ALTERNATIVES: 2\n1: {1,2\n", ":2: a brace opens and is not closed"],
    ["# NUMBER ALTERNATIVES: 2\n1,2\n", ':2: expected "count: 1,2,{3,4}", got "1,2"'],
    ["# TITLE: x\n1: 1,2\n", ':2: expected "# NUMBER ALTERNATIVES: n"'],
    ["# NUMBER ALTERNATIVES: 2\n", "no ballots"],
    [
      "# NUMBER ALTERNATIVES: 914874247\n# NUMBER VOTERS: 1\n1: 1,2\n",
      ':3: the header declares 914874247 alternatives and names 0; expected "# ALTERNATIVE NAME i: name" for each where there are more than 100,000',
    ],
    [`# NUMBER ALTERNATIVES: ${"9".repeat(400)}\n1: 1,2\n`, ":2: the header declares Infinity alternatives"],
    [`# NUMBER ALTERNATIVES: 2\n${"9".repeat(400)}: 1,2\n`, ":2: a ballot: expected a weight above 0, got Infinity"],
  ])("refuses %j", async (text, message) => {
    await expect(read("bad.soi", text)).rejects.toThrow(message);
  });
});

describe("orders", () => {
  it("signs, counts, quotes and comments", async () => {
    const { data } = await read("a.txt", '# taste\n2: A > B = C\nA > B = C\n"x > y" > D e ~ A\n');
    expect(result(data)).toEqual(["3: A > B = C", "1: x > y > D e = A"].map((line) => line.replace("D e = A", "A = D e")));
  });
  it.each([
    ["A > \n", "expected names with > or = between them"],
    ["A > > B\n", "expected names with > or = between them"],
    ["A > B > A\n", 'the item "A" occurs twice in this order'],
    ["A > B\rB > A\r", ":1: the lines end with a carriage return alone; convert them to newlines (tr '\\r' '\\n')"],
    ["C > D\nA > B\rB > A\n", ':2: expected an order on a line of its own, got a line separator within "A > B\\rB > A"'],
    ["A > B\u2028B > A\n", ":1: expected an order on a line of its own, got a line separator within"],
    ["A > B\u2029C\n", ":1: expected an order on a line of its own, got a line separator within"],
    ['A > "B\n', "expected names with > or = between them"],
    ['A > B" > C\n', "expected names with > or = between them"],
    ['"A" x > B\n', "expected names with > or = between them"],
    [`${"9".repeat(400)}: A > B\n`, ":1: a ballot: expected a weight above 0, got Infinity"],
    ["3e38: A > B\n".replace("3e38", `3${"0".repeat(38)}`).repeat(2), "the counts of equal ballots add up to more than"],
  ])("refuses %j", async (text, message) => {
    await expect(read("a.orders", text)).rejects.toThrow(message);
  });
});

describe("pairs", () => {
  it("winners, losers, ties and counts", async () => {
    const { data } = await read("a.csv", 'winner,loser,tie,count\n"Smith, J",Lee,,2\nLee,Kim,draw,3\nKim,Lee,1,1\n');
    expect(result(data)).toEqual(["2: Smith, J > Lee", "4: Lee = Kim"]);
  });
  it("arenas", async () => {
    const rows =
      "model_a,model_b,winner\ngpt,llama,model_a\nllama,gpt,model_b\ngpt,llama,tie\ngpt,qwen,tie (bothbad)\ngpt,qwen,qwen\n";
    expect(result((await read("arena.csv", rows)).data)).toEqual([
      "2: gpt > llama",
      "1: gpt = llama",
      "1: gpt = qwen",
      "1: qwen > gpt",
    ]);
  });
  it("a table with labels is still a table of features", async () => {
    expect(await ballotKind(file("t.csv", "label,qid,a\n1,1,2\n"), {})).toBe("table");
  });
  it.each([
    ["winner,loser\nA,A\n", "bad.csv: no ballots"],
    ["winner,loser\nA\n", ":2: expected 2 cells as in the header, got 1"],
    ["winner,loser,tie\nA,B,perhaps\n", ':2: expected yes or no in the column tie, got "perhaps"'],
    ["model_a,model_b,winner\nA,B,C\n", ':2: expected model_a, model_b or tie in the column winner, got "C"'],
  ])("refuses %j", async (text, message) => {
    await expect(read("bad.csv", text)).rejects.toThrow(message);
  });
});

describe("tier lists", () => {
  it("names that are numbers keep all their digits", async () => {
    const ids = ["12345678901234567", "12345678901234568", "7"];
    const { data } = await read("ids.json", `{"tiers": [[${ids[0]}], [${ids[1]}, ${ids[2]}]], "count": 2}`);
    expect(result(data)).toEqual([`2: ${ids[0]} > ${ids[1]} = ${ids[2]}`]);
    await expect(read("ids.json", `\n\n[[${ids[0]}], [${ids[1]}]`)).rejects.toThrow(/ids\.json:3: expected tier lists/);
  });

  it.each([
    ['{"S":["a"],"A":["b","c"],"B":[]}', ["1: a > b = c"]],
    ['{"tiers":["a",["b","c"]],"count":4}', ["4: a > b = c"]],
    ['[["a",["b","c"]],{"tiers":{"S":["c"],"A":["a"]}}]', ["1: a > b = c", "1: c > a"]],
    ['{"ballots":[["a","b"],["a","b"]]}', ["2: a > b"]],
  ])("%s", async (text, wanted) => {
    expect(result((await read("a.json", text)).data)).toEqual(wanted);
  });
  it.each([
    ['[["a","b"],{"qid":"q1","label":2,"price":3.5}]', '"qid": "\\"q1\\""'],
    ['[["a","b"],{"S":["a"],"A":null}]', '"A": "null"'],
  ])("records among tier lists such as %s are refused with both ways out", async (text, got) => {
    await expect(read("a.json", text)).rejects.toThrow(
      `expected tiers, got a record with ${got}; a tier list is [["a"], ["b", "c"]] or {"S": ["a"], "A": ["b", "c"]}, and records are read as a table: write them as JSON Lines, or as one array of objects`,
    );
  });
  it("an array of records with the columns of battles is a table of these", async () => {
    expect(result((await read("a.json", '[{"winner":"a","loser":"b"},{"winner":"c","loser":"b"}]')).data)).toEqual(["1: a > b", "1: c > b"]); // biome-ignore format: one claim
  });
  it("text that is no JSON is refused with its line", async () => {
    await expect(read("a.json", '[["a","b"],\n["b" "a"]]\n')).rejects.toThrow(
      /a\.json:2: expected tier lists as one JSON value, such as/,
    );
    await expect(read("a.json", '["a"]\n["b"]\n')).rejects.toThrow(/a\.json:2: expected tier lists as one JSON value/);
  });
  it("numbered tiers are refused, because JSON gives them no order", async () => {
    await expect(read("a.json", '{"2":["a"],"1":["b"]}')).rejects.toThrow("lose their order");
  });
});

describe("ranks", () => {
  it("each feature of a query is a ballot, NULL left out", async () => {
    const rows = "0 qid:7 1:2 2:NULL 3:5 #docid = x inc = 1\n1 qid:7 1:1 2:4 3:5 #docid = y\n2 qid:7 1:9 2:3 3:NULL #docid = z\n";
    const { data } = await read("agg.txt", rows, { format: "ranks" });
    expect(result(data)).toEqual(["1: 7/y > 7/x > 7/z", "1: 7/z > 7/y", "1: 7/x = 7/y"]);
  });
  it("the label may be absent, and the query not", async () => {
    const rows = "qid:7 1:2 #docid = x\nqid:7 1:1 #docid = y\n";
    expect(result((await read("agg.txt", rows, { format: "ranks" })).data)).toEqual(["1: 7/y > 7/x"]);
    await expect(read("agg.txt", "0 qid:7 1:2\n1 1:2 2:1\n", { format: "ranks" })).rejects.toThrow(
      /agg\.txt:2: expected "label qid:id number:rank \.\.\.", got "1 1:2 2:1" \(no qid\)/,
    );
  });
});

it("items of one name are one item in several files, and ballots do not mix with rows", async () => {
  const one = file("one.orders", "A > B\n");
  const { data } = await readData([
    one,
    file("two.soc", "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: B\n# ALTERNATIVE NAME 2: A\n2: 2,1\n"),
  ]);
  expect(result(data)).toEqual(["3: A > B"]);
  const rows = file("rows.svm", "1 qid:1 1:1\n");
  await expect(readData([one, rows])).rejects.toThrow("rows with features cannot be combined with the ballots");
  await expect(readData([rows, one])).rejects.toThrow("ballots cannot be combined with the rows");
});

describe("tier tables", () => {
  it("rows of a ballot in any order, equal tiers tie, a count for the whole ballot", async () => {
    const { data } = await read("a.csv", 'Item,Ballot,Tier,Count\nb,1,2,3\na,1,1,3\nc,2,1,1\n"d, e",1,2,3\na,2,9,1\n');
    expect(result(data)).toEqual(["3: a > b = d, e", "1: c > a"]);
  });
  it("voters instead of ballots, and other delimiters", async () => {
    const { data } = await read("a.tsv", "voter\titem\ttier\nu\tx\t2\nu\ty\t1\n");
    expect(result(data)).toEqual(["1: y > x"]);
  });
  it("letters of tier lists are in order by themselves, S the best, and other words by an option", async () => {
    const { data, notices } = await read("a.csv", "ballot,item,tier\n1,a,B\n1,b,S\n1,c,A\n");
    expect(result(data)).toEqual(["1: b > c > a"]);
    expect(notices).toContainEqual(expect.stringMatching(/a\.csv: tiers are letters of a tier list: S is the best/));
    const words = "ballot,item,tier\n1,a,ok\n1,b,good\n1,c,bad\n";
    const ordered = await read("b.csv", words, { labelOrder: ["good", "ok", "bad"] });
    expect(result(ordered.data)).toEqual(["1: b > a > c"]);
    expect(ordered.notices).toContainEqual(expect.stringMatching(/b\.csv: "good" is the best label, "bad" the worst$/));
    await expect(read("b.csv", words)).rejects.toThrow(/:2: .* got "ok"; .* the best first: --label-order good,ok,bad$/);
    await expect(read("b.csv", words, { labelOrder: ["good", "ok"] })).rejects.toThrow(
      /:4: "bad" is not among the labels of --label-order/,
    );
  });
  it("words may be below all tiers of their ballot, or mean no tier", async () => {
    const text = "ballot,item,tier\n1,a,2\n1,b,DNF\n1,c,1\n1,d,DSQ\n2,a,DNF\n2,b,1\n2,d,DNS\n";
    await expect(read("a.csv", text)).rejects.toThrow(
      'a.csv:3: expected the number of a tier, 1 the best, got "DNF"; --label-last DNF,DSQ puts such rows below all others of their list, and --label-missing DNS leaves such rows out',
    );
    const words = { labelLast: ["DNF", "DSQ"], labelMissing: ["DNS"] };
    const { data, notices } = await read("a.csv", text, words);
    expect(result(data)).toEqual(["1: c > a > b = d", "1: b > a"]);
    expect(notices).toContainEqual(expect.stringMatching(/a\.csv: 1 row left out by --label-missing DNS$/));
    expect(result((await read("a.csv", text, { ...words, higherIsBetter: true })).data)).toEqual([
      "1: a > c > b = d",
      "1: b > a",
    ]);
    const how = { ...words, qid: "ballot", id: "item", label: "tier", ballots: "always", lowerIsBetter: true } as const;
    expect(result((await read("b.csv", text.replace(/$/gm, ",1").replace("tier,1", "tier,age").trimEnd().slice(0, -2), how)).data)).toEqual(["1: c > a > b = d", "1: b > a"]); // biome-ignore format: one line
    const letters = text.replace(/,1$/gm, ",S").replace(/,2$/gm, ",F");
    expect(result((await read("a.csv", letters, words)).data)).toEqual(["1: c > a > b = d", "1: b > a"]);
  });
  it("the same tiers give the same order, whatever the columns are called and whether there are others", async () => {
    const rows = ["u,a,2", "u,b,1", "u,c,3", "v,b,1", "v,c,2"];
    const how = { qid: "ballot", id: "item", label: "tier", ballots: "always" } as const;
    const table = (head: string, more = "") => `${head}\n${rows.map((row) => `${row}${more}`).join("\n")}\n`;
    const orders = ["1: b > a > c", "1: b > c"];
    expect(result((await read("a.csv", table("ballot,item,tier"))).data)).toEqual(orders);
    expect(result((await read("b.csv", table("who,what,Tier"), { ...how, qid: "who", id: "what", label: "Tier" })).data)).toEqual(
      orders,
    );
    expect(result((await read("c.csv", table("ballot,item,tier,age", ",30"), how)).data)).toEqual(orders);
    for (const direction of [{ higherIsBetter: true }, { lowerIsBetter: true }] as const) {
      const found = direction.higherIsBetter ? ["1: c > a > b", "1: c > b"] : orders;
      expect(result((await read("d.csv", table("ballot,item,tier"), direction)).data)).toEqual(found);
      const { data, notices } = await read("e.csv", table("ballot,item,tier,age", ",30"), { ...how, ...direction });
      expect(result(data)).toEqual(found);
      expect(notices.join()).not.toMatch(/taken as the best/);
    }
    await expect(read("f.csv", table("ballot,item,tier"), { lowerIsBetter: true, higherIsBetter: true })).rejects.toThrow(
      "--lower-is-better and --higher-is-better exclude each other",
    );
  });
  it("a table with other columns is a table of rows", async () => {
    const { data } = await read("rows.csv", "ballot,item,tier,price\n1,1,1,5\n1,2,2,6\n", {
      qid: "ballot",
      label: "tier",
      id: "item",
    });
    expect(data.items).toBeUndefined();
  });
  it.each([
    [
      "1,a,S\n1,b,2\n",
      /:2: expected the number of a tier, 1 the best, got "S"; if labels are words, .* --label-order BEST,...,WORST \(the labels are "S", "2"\)$/,
    ],
    ["1,a,1\n1,,2\n", /:3: the column item is empty/],
    ["1,a,1\n1,a,2\n", /:2: the item "a" occurs twice in this ballot/],
    ["1,a,1,4\n", /:2: expected 3 cells as in the header, got 4/],
  ])("errors name the line: %j", async (rows, message) => {
    await expect(read("bad.csv", `ballot,item,tier\n${rows}`)).rejects.toThrow(message);
  });
  it("counts of a ballot must agree", async () => {
    await expect(read("bad.csv", "ballot,item,tier,count\n1,a,1,2\n1,b,2,3\n")).rejects.toThrow(
      'ballot "1" has the count 2 on line 2, and 3 here',
    );
    await expect(read("bad.csv", "ballot,item,tier,count\n1,a,1,x\n")).rejects.toThrow('expected a count of at least 0, got "x"');
  });
});
