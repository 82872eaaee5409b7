/** Tables to score with columns that the model does not know, and without some that it needs. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Random } from "../dist/src/index.js";
import { below, random } from "../dist/src/numeric/random.js";
import { folder, succeed, tierwise } from "./cli.ts";

type Cell = string | number;
type Rows = readonly Readonly<Record<string, Cell>>[];

const draw = random(5);
const rows: Rows = Array.from({ length: 40 }, (_, i) => ({
  ...{ query: `q${i >> 2}`, doc: `d${i}`, label: (i * 7) % 3 },
  ...{ price: below(draw, 40) / 8, stars: below(draw, 5) },
}));
const sorts = ["red", "white", "rosé"];
const withWords: Rows = rows.map((row, i) => ({ ...row, sort: sorts[(i * 5) % 3]!, listed: `2024-01-${10 + (i % 19)}` }));

const csv = (table: Rows, columns = Object.keys(table[0]!)) =>
  `${columns.join(",")}\n${table.map((row) => columns.map((name) => row[name]).join(",")).join("\n")}\n`;
const tsv = (table: Rows, columns?: string[]) => csv(table, columns).replaceAll(",", "\t");
const jsonl = (table: Rows, columns = Object.keys(table[0]!)) =>
  table.map((row) => JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))).join("\n");
const writers = { csv, tsv, jsonl };

const cwd = folder({ "numbers.csv": csv(rows), "words.csv": csv(withWords) });
const few = ["--model", "trees:rounds=5,min-items=1,leaves=4", "--quiet"];
for (const name of ["numbers", "words"]) await succeed(["train", `${name}.csv`, ...few, "--out", `${name}.json`], { cwd });

const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const ranked = (model: string, ...files: string[]) => tierwise(["rank", `${model}.json`, ...files, "--format", "csv"], { cwd });

/** Columns of all kinds: ids beyond 2^53, numbers beyond 32-bit floats, texts, dates, decimal commas of tab-separated files. */
const kinds: readonly ((i: number) => Cell)[] = [
  (i) => i,
  (i) => `1234567890123456${i}`,
  () => "1e300",
  (i) => `text number ${i}`,
  (i) => (i % 3 === 0 ? "" : `2024-0${1 + (i % 9)}-03`),
  (i) => (i % 2 ? "yes" : "no"),
  (i) => (i === 7 ? "seven" : i),
];

/** The table with some columns more, all in random order. */
function widened(table: Rows, more: Random): { table: Rows; columns: string[]; extra: string[] } {
  const extra = Array.from({ length: 1 + below(more, 9) }, (_, c) => ["Price", "extra", "url", "Q 7", "ß"][c] ?? `c${c}`);
  const chosen = extra.map(() => kinds[below(more, kinds.length)]!);
  const wide = table.map((row, i) => ({ ...row, ...Object.fromEntries(extra.map((name, c) => [name, chosen[c]!(i)])) }));
  const columns = Object.keys(wide[0]!)
    .map((name) => ({ name, at: more() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
  return { table: wide, columns, extra };
}

describe("columns that the model does not know", () => {
  it.each(["numbers", "words"])("change no score, whatever they hold and wherever they stand: a model of %s", async (model) => {
    const more = random(8);
    const given = model === "words" ? withWords : rows;
    const wanted = (await ranked(model, `${model}.csv`)).out;
    for (let k = 0; k < 24; k++) {
      const { table, columns, extra } = widened(given, more);
      const kind = (["csv", "tsv", "jsonl"] as const)[k % 3]!;
      write(`wide.${kind}`, writers[kind](table, columns));
      const { code, out, err } = await ranked(model, `wide.${kind}`);
      expect([code, out]).toEqual([0, wanted]);
      const inOrder = columns.filter((name) => extra.includes(name)).map((name) => JSON.stringify(name));
      const some = `${inOrder.slice(0, 6).join(", ")}${inOrder.length > 6 ? ` and ${inOrder.length - 6} more` : ""}`;
      const [noun, are, them] = inOrder.length === 1 ? ["column", "is", "it"] : ["columns", "are", "them"];
      expect(
        err
          .split("\n")
          .slice(1, -1)
          .filter((line) => !line.startsWith('wide.jsonl: column "listed"')),
      ).toEqual([`wide.${kind}: the ${noun} ${some} ${are} ignored: the model does not know ${them}`]);
    }
  });

  it("may differ from file to file, and files with the same ones are named once", async () => {
    for (const [file, extra] of [["a", "url"], ["b", "url"], ["c", "shop"], ["d", ""]] as const) // biome-ignore format: pairs
      write(`${file}.csv`, csv(rows.map((row) => ({ ...row, query: `${file}${row.query}`, ...(extra && { [extra]: "x" }) }))));
    const { code, err } = await ranked("numbers", "a.csv", "b.csv", "c.csv", "d.csv");
    expect(code).toBe(0);
    expect(err.split("\n").filter((line) => /ignored/.test(line))).toEqual([
      'a.csv and 1 more file: the column "url" is ignored: the model does not know it',
      'c.csv: the column "shop" is ignored: the model does not know it',
    ]);
  });

  it("are left out by every command that scores data, which says so", async () => {
    write("more.csv", csv(rows.map((row, i) => ({ ...row, size: i }))));
    await succeed(["train", "numbers.csv", "--model", "linear:l2=1", "--out", "linear.json", "--quiet"], { cwd });
    const same = async (words: readonly string[], file = "more.csv") => {
      const plain = await tierwise(
        words.map((word) => (word === "FILE" ? "numbers.csv" : word)),
        { cwd },
      );
      const wide = await tierwise(
        words.map((word) => (word === "FILE" ? file : word)),
        { cwd },
      );
      expect([words[0], wide.code, wide.out]).toEqual([words[0], 0, plain.out.replaceAll("numbers.csv", file)]);
      expect([words[0], wide.err.match(/the (column|feature) "size" is ignored: the model does not know it/g)?.length]).toEqual([words[0], words[0] === "compare" ? 2 : 1]); // biome-ignore format: one step
    };
    await same(["evaluate", "numbers.json", "FILE", "--json"]);
    await same(["explain", "numbers.json", "FILE", "--query", "q1"]);
    await same(["importance", "numbers.json", "FILE", "--json"]);
    await same(["what-if", "numbers.json", "FILE", "--query", "q1", "--item", "d5", "--set", "price=1"]);
    await same(["compare", "numbers.json", "linear.json", "FILE", "--json"]);
    await same(["blend", "numbers.json", "linear.json", "--valid", "FILE", "--json"]);
    const files = ["train", "numbers.csv", "--valid", "more.csv", ...few.slice(0, 2), "--out"];
    expect((await tierwise([...files, "wide.json"], { cwd })).err).toContain('more.csv: the column "size" is ignored');
    await succeed([...files.map((word) => word.replace("more", "numbers")), "narrow.json"], { cwd });
    expect(readFileSync(join(cwd, "wide.json"), "utf8")).toBe(readFileSync(join(cwd, "narrow.json"), "utf8"));
  });

  it("are an error with --unknown-features error, and nothing is taken from a cache that left them out", async () => {
    write("cached.csv", csv(rows.map((row) => ({ ...row, title: "x" }))));
    await succeed(["rank", "numbers.json", "cached.csv", "--cache", "--quiet"], { cwd });
    const { code, err } = await tierwise(["rank", "numbers.json", "cached.csv", "--cache", "--unknown-features", "error"], {
      cwd,
    });
    expect([code, err]).toEqual([
      2,
      'tierwise: cached.csv:1: the model does not know the column "title"; --unknown-features ignore leaves such columns out\n',
    ]);
  });

  it("a model of utilities needs none, so a table of opinions may have any", async () => {
    write("stars.csv", "user,item,stars\na,x,3\na,y,1\nb,x,2\nb,y,2\nb,z,5\n");
    write("today.csv", "user,item,price\nc,x,3\nc,z,1\n");
    const how = ["--list", "user", "--item", "item", "--label", "stars", "--model", "utilities:ghost=0.5"];
    await succeed(["train", "stars.csv", ...how, "--out", "utilities.json", "--quiet"], { cwd });
    const { out, err } = await ranked("utilities", "today.csv");
    expect(
      out
        .split("\n")
        .slice(1, 3)
        .map((line) => line.split(",").slice(0, 3).join()),
    ).toEqual(["c,1,z", "c,2,x"]);
    expect(err).toContain('today.csv: the column "price" is ignored: the model does not know it\n');
  });

  it("of training data are an error where training goes on from a model without them", async () => {
    write("wider.csv", csv(rows.map((row, i) => ({ ...row, size: i }))));
    const words = ["train", "wider.csv", ...few, "--init", "numbers.json", "--out", "more.json"];
    expect((await tierwise(words, { cwd })).err).toContain('the model does not know the column "size"');
    expect((await tierwise([...words, "--unknown-features", "ignore"], { cwd })).code).toBe(0);
  });
});

describe("a column that the model needs and the data lack", () => {
  it.each([
    ["Price", "Price"],
    ["PRICE", "PRICE"],
    ["price_", "price_"],
    ["pirce", "pirce"],
    ["prices", "prices"],
  ])("is an error that names %s", async (name, shown) => {
    const renamed = (table: Rows) => table.map(({ price, ...row }) => ({ ...row, [name]: price! }));
    for (const [model, table] of [["numbers", rows], ["words", withWords]] as const) // biome-ignore format: pairs
      for (const kind of ["csv", "jsonl"] as const) {
        write(`lacking.${kind}`, writers[kind](renamed(table)));
        const { code, err } = await ranked(model, `lacking.${kind}`);
        expect(code).toBe(2);
        expect(err).toMatch(
          /^tierwise: lacking\.(csv|jsonl)(:1)?: the model needs the column "price", which is not in the table; /,
        );
        expect(err).toContain(`did you mean ${shown}? (`);
      }
  });

  it("is never taken from a column of a similar name, which is one more column where the right one is there", async () => {
    write("both.csv", csv(rows.map((row) => ({ Price: 99, ...row, price_: 7 }))));
    const { out, err } = await ranked("numbers", "both.csv");
    expect(out).toBe((await ranked("numbers", "numbers.csv")).out);
    expect(err).toContain('both.csv: the columns "Price", "price_" are ignored: the model does not know them\n');
  });

  it("blanks around names of a header are no part of them; within JSON they are, and quotes show them", async () => {
    write("blanks.csv", csv(withWords).replace("price", " price "));
    expect((await ranked("words", "blanks.csv")).out).toBe((await ranked("words", "words.csv")).out);
    write("blanks.jsonl", jsonl(withWords).replaceAll('"price"', '"price "'));
    expect((await ranked("words", "blanks.jsonl")).err).toContain(
      'did you mean "price "? (there are "price ", stars, sort, listed)',
    );
  });
});
