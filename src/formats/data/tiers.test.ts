/** The reading option `tiers`: labels or pairs of a file become tiers. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { tiersFromClicks } from "../../data/tiers-from-clicks.ts";
import { tiersFromRatings } from "../../data/tiers-from-ratings.ts";
import { InputError } from "../../input-error.ts";
import type { Dataset } from "../../types.ts";
import { parseData } from "./parse.ts";
import { readData } from "./read.ts";

const folder = mkdtempSync(join(tmpdir(), "tiers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const parse = (name: string, content: string, options = {}) => parseData([{ name, content }], options);

/** Each list as "name: id=label ...". */
const shown = ({ starts, labels, names }: Dataset) =>
  Array.from({ length: starts.length - 1 }, (_, q) => {
    const rows = Array.from({ length: starts[q + 1]! - starts[q]! }, (_, i) => starts[q]! + i);
    return `${names.lists![q]}: ${rows.map((row) => `${names.entries![row]}=${labels[row]}`).join(" ")}`;
  });

// Rows in the order shown; of page p, b and d were clicked; of page q nothing; of page r the first only.
const CLICKS = `query,id,label,price,w
p,a,0,1,1
p,b,1,2,1
p,c,0,3,2
p,d,3,4,2
p,e,0,5,1
q,a,0,6,1
q,b,0,7,1
r,a,1,8,1
r,b,0,9,1
`;

describe("tiers from clicks", () => {
  it("what lies below the last click is left out with pages without a click, and so are its features and weights", () => {
    const { data, notices } = parse("clicks.csv", CLICKS, { tiers: "clicks", weight: "w" });
    expect(shown(data)).toEqual(["p: a=0 b=1 c=0 d=1", "r: a=1"]);
    expect([...(data.features.values as Float32Array)]).toEqual([1, 2, 3, 4, 8]);
    expect([...data.itemWeights!]).toEqual([1, 1, 2, 2, 1]);
    expect(notices).toContain("tiers from clicks: 4 rows left out (below the last click), among them all rows of 1 list");
  });

  it("or stands between clicked and skipped, or with skipped", () => {
    expect(shown(parse("clicks.csv", CLICKS, { tiers: "clicks:unseen=between", ignore: ["w"] }).data)).toEqual([
      "p: a=0 b=2 c=0 d=2 e=1",
      "r: a=2 b=1",
    ]);
    const { data, notices } = parse("clicks.csv", CLICKS, { tiers: "clicks:unseen=below", ignore: ["w"] });
    expect(shown(data)).toEqual(["p: a=0 b=1 c=0 d=1 e=0", "r: a=1 b=0"]);
    expect(notices).toContain(
      "tiers from clicks:unseen=below: 2 rows left out (below the last click), among them all rows of 1 list",
    );
  });

  it("lists to be ranked stay whole", () => {
    const { data } = parse("clicks.csv", CLICKS, { tiers: "clicks", labels: "optional", ignore: ["w"] });
    expect(data.labels.length).toBe(9);
  });

  it("svmlight rows and qrels have labels too", () => {
    expect([...parse("x.svm", "0 qid:1 1:1\n1 qid:1 1:2\n0 qid:1 1:3\n", { tiers: "clicks" }).data.labels]).toEqual([0, 1]);
    expect(shown(parse("x.qrels", "q 0 a 1\nq 0 b 4\nq 0 c 3\n", { tiers: "ratings:cuts=3/4" }).data)).toEqual([
      "q: a=0 b=2 c=1",
    ]);
  });

  it("a page is refused for a click below 0, and a file in which nothing was clicked", () => {
    expect(() => parse("x.csv", "query,label,f\nq,1,1\nq,-1,2\n", { tiers: "clicks" })).toThrow(
      'list "q", tiers from clicks: tiersFromClicks: expected a number of at least 0, true or false, got -1 at 1',
    );
    expect(() => parse("x.csv", "query,label,f\nq,0,1\nq,0,2\n", { tiers: "clicks" })).toThrow(
      "x.csv: tiers from clicks: all rows are below the last click",
    );
    expect(() => parse("x.csv", "query,label,f\nq,,1\nq,1,2\n", { tiers: "clicks" })).toThrow("the label is missing");
  });
});

describe("tiers from ratings", () => {
  const RATINGS = "query,id,rating,f\np,a,4.5,1\np,b,,2\np,c,0.7,3\np,d,3,4\nq,a,NA,5\n";

  it("rows without a rating are left out and counted, and other ratings are kept", () => {
    const { data, notices } = parse("r.csv", RATINGS, { tiers: "ratings" });
    expect(shown(data)).toEqual(["p: a=4.5 c=0.699999988079071 d=3"]);
    expect(notices).toContain("tiers from ratings: 2 rows left out (without a rating), among them all rows of 1 list");
    expect(() => parse("r.csv", RATINGS)).toThrow('r.csv:3: column "rating": the label is missing');
  });

  it("a rating reaches a cut that it equals, also one that 32-bit floats round", () => {
    expect(shown(parse("r.csv", RATINGS, { tiers: "ratings:cuts=0.7/3" }).data)).toEqual(["p: a=2 c=1 d=2"]);
    expect(shown(parse("r.csv", RATINGS, { tiers: "ratings:dense=true" }).data)).toEqual(["p: a=2 c=0 d=1"]);
  });
});

describe("tiers from the pairs of each voter", () => {
  const ballotsOf = ({ starts, labels, items, listWeights, names }: Dataset) =>
    Array.from({ length: starts.length - 1 }, (_, q) => {
      const rows = Array.from({ length: starts[q + 1]! - starts[q]! }, (_, i) => starts[q]! + i);
      const tiers = [...new Set(rows.map((row) => labels[row]!))].sort((a, b) => b - a);
      const text = tiers.map((tier) => rows.filter((row) => labels[row] === tier).map((row) => names.items![items![row]!]));
      return `${listWeights?.[q] ?? 1}: ${text.map((tier) => tier.join(" = ")).join(" > ")}`;
    });
  // v: a chain. w: d beats only the last of a chain. x: the same chain as v. y: a tie only.
  const PAIRS = "winner,loser,tie,Judge\na,b,,v\nb,c,,v\na,b,,w\nb,c,,w\nd,c,,w\nb,c,,x\na,b,,x\na,b,yes,y\n";

  it("become one ballot", () => {
    const { data, notices } = parse("p.csv", PAIRS, { tiers: "pairs" });
    expect(ballotsOf(data)).toEqual(["2: a > b > c", "1: a = d > b > c"]);
    expect(notices).toContain("p.csv: 3 ballots (pairs), 2 distinct");
    expect(notices).toContain("p.csv: 1 tie left out, because tiers from pairs use preferences only");
    expect(notices).toContain("p.csv: 1 voter left out, whose pairs imply no order");
  });

  it("or say only what they imply", () => {
    expect(ballotsOf(parse("p.csv", PAIRS, { tiers: "pairs:by=implied" }).data)).toEqual(["2: a > b > c", "1: a = b = d > c"]);
  });

  it("without the option each pair is a ballot", () => {
    expect(ballotsOf(parse("p.csv", PAIRS).data)).toEqual(["3: a > b", "3: b > c", "1: d > c", "1: a = b"]);
  });

  it("a cycle is refused by voter and names, or broken at the weakest pair, counts added", () => {
    const text = "model_a,model_b,winner,count,user\na,b,a,2,u\nb,c,b,2,u\nc,a,c,1,u\na,c,tie,5,u\n";
    expect(() => parse("p.csv", text, { tiers: "pairs" })).toThrow(
      'p.csv: voter "u": the preferences contain a cycle: "a" over "b" over "c" over "a"; drop one of them',
    );
    const { data, notices } = parse("p.csv", text, { tiers: "pairs:cycles=break" });
    expect(ballotsOf(data)).toEqual(["1: a > b > c"]);
    expect(notices).toContain("p.csv: 1 preference dropped to break cycles");
  });

  it("need the column of the voter, and a voter in each row", () => {
    expect(() => parse("p.csv", "winner,loser\na,b\n", { tiers: "pairs" })).toThrow(
      "p.csv:1: tiers from pairs need a column voter, judge, user or annotator, got",
    );
    expect(() => parse("p.csv", "winner,loser,voter\na,b,\n", { tiers: "pairs" })).toThrow("p.csv:2: the column voter is empty");
  });
});

describe("the option tiers", () => {
  it("is refused where the file has nothing of the kind", () => {
    for (const [name, text, tiers, message] of [
      [
        "x.orders",
        "a > b\n",
        "pairs",
        "x.orders: tiers from pairs need a table of pairs with a column voter, and this is orders",
      ],
      ["x.pairs", "winner,loser,voter\na,b,v\n", "clicks", "x.pairs: tiers from clicks need rows with labels, and this is pairs"],
      ["x.csv", CLICKS, "pairs", "x.csv: tiers from pairs need a table of pairs with a column voter, and this is csv"],
      ["x.xc", "1 1 2\n0 0:1\n", "ratings", "x.xc: tiers from ratings need rows with labels, and this is xml-repository"],
    ] as const)
      expect(() => parse(name, text, { tiers })).toThrow(message);
  });

  it("names near misses of sources, options and values", () => {
    for (const [tiers, message] of [
      ["click", 'no source of tiers is called "click"; did you mean clicks?'],
      ["clicks:sen=1", 'source of tiers clicks has no option "sen"'],
      ["clicks:unseen=above", 'source of tiers clicks, option unseen: expected one of leave-out, between, below, got "above"'],
      ["ratings:cuts=4/2", 'source of tiers ratings, option cuts: expected ascending numbers with "/" between them, got "4/2"'],
      ["pairs:cycles=no", 'source of tiers pairs, option cycles: expected one of refuse, break, got "no"'],
    ] as const) {
      expect(() => parse("x.csv", CLICKS, { tiers })).toThrow(InputError);
      expect(() => parse("x.csv", CLICKS, { tiers })).toThrow(message);
    }
    expect(() => parse("x.csv", CLICKS, { tiers: 3 })).toThrow("read, option tiers: expected one of clicks, ratings, pairs");
  });

  const page = fc.array(fc.record({ list: fc.nat(3), click: fc.nat(1), rating: fc.nat(6) }), { minLength: 1, maxLength: 20 });

  it("property: any rows, sparse or dense, in any order of lists, as the functions give list by list", () => {
    const spec = fc.constantFrom(
      "clicks",
      "clicks:unseen=between",
      "clicks:unseen=below",
      "ratings:cuts=2/5",
      "ratings:dense=true",
    );
    fc.assert(
      fc.property(page, spec, fc.constantFrom("dense", "sparse"), (rows, tiers, storage) => {
        const label = tiers.startsWith("clicks") ? "click" : "rating";
        const content = `query,id,label,f\n${rows.map((row, i) => `l${row.list},${i},${row[label]},${i + 1}\n`).join("")}`;
        const expected = [...new Set(rows.map(({ list }) => list))].flatMap((list) => {
          const own = rows.flatMap((row, i) => (row.list === list ? [{ i, value: row[label] }] : []));
          const values = own.map(({ value }) => value);
          const [, unseen] = /unseen=(\w+)/.exec(tiers) ?? [];
          const { entries, labels } = tiers.startsWith("clicks")
            ? tiersFromClicks(values, unseen ? { unseen: unseen as "between" } : {})
            : tiersFromRatings(values, tiers.includes("cuts") ? { cuts: [2, 5] } : { dense: true });
          const text = [...entries].map((entry, k) => `${own[entry]!.i}=${labels[k]}`).join(" ");
          return entries.length > 0 ? [`l${list}: ${text}`] : [];
        });
        const read = () => parse("x.csv", content, { tiers, storage }).data;
        if (expected.length === 0) return void expect(read).toThrow("all rows are below the last click");
        const data = read();
        expect(shown(data)).toEqual(expected);
        expect([...data.features.values]).toEqual(data.names.entries!.map((id) => Number(id) + 1));
      }),
    );
  });

  it("gives the same bytes for any number of threads, and from the cache", async () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, i) => `${(i * 7) % 5 === 0 ? 1 : 0} qid:${i >> 3} 1:${i} 2:${i % 7} # d${i}\n`,
    );
    const path = join(folder, "many.svm");
    writeFileSync(path, rows.join(""));
    const { data: one } = await readData([path], { tiers: "clicks", threads: 1 });
    expect(one.labels.length).toBeLessThan(60_000);
    for (const threads of [2, 3]) {
      const { data } = await readData([path], { tiers: "clicks", threads, segment: 1 << 16 });
      expect(data).toEqual(one);
    }
    await readData([path], { tiers: "clicks", cache: folder });
    const again = await readData([path], { tiers: "clicks", cache: folder });
    expect(again.data).toEqual(one);
    expect(again.notices.at(-1)).toContain("read from the cache");
    const other = await readData([path], { cache: folder });
    expect(other.data.labels.length).toBe(60_000);
  });
});
