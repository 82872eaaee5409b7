/** The same table as CSV, JSON Lines, Arrow, Parquet and a query gives the same dataset, bit for bit, and the same model file; damage gives one line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as arrow from "apache-arrow";
import * as parquet from "parquet-wasm";
import { afterAll, describe, expect, it } from "vitest";
import { timeOf, timeText } from "../../../data/table/times.ts";
import { fit } from "../../../fit.ts";
import { InputError } from "../../../input-error.ts";
import { linear } from "../../../models/index.ts";
import { below, random } from "../../../numeric/random.ts";
import type { Random } from "../../../types.ts";
import { serializeModel } from "../../models/native.ts";
import { type ReadDataOptions, readData } from "../read.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-columnar-"));
afterAll(() => rmSync(folder, { recursive: true }));
const CASES = Number(process.env.TIERWISE_CASES ?? 8);

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const parquetOf = (table: arrow.Table, compression = parquet.Compression.SNAPPY) =>
  parquet.writeParquet(
    parquet.Table.fromIPCStream(arrow.tableToIPC(table, "stream")),
    new parquet.WriterPropertiesBuilder().setCompression(compression).setMaxRowGroupSize(7).build(),
  );

/** What reading gives: data and model file, or the error without its place. */
async function outcome(path: string, options: ReadDataOptions = {}): Promise<unknown> {
  try {
    const { data } = await readData([path], { threads: 1, ...options });
    const { model, training } = fit(data, { model: linear({ l2: 1 }) });
    const { names, starts, labels, features, listWeights, itemWeights } = data;
    const file = serializeModel({ model, training, metrics: {} });
    return { names, starts, labels, features: { ...features }, listWeights, itemWeights, file };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).not.toMatch(/[\r\n]/);
    return error.message.slice(path.length).replace(/^(:\d+|, row \d+)?: /, "");
  }
}

type Cell = number | string | boolean | Date | readonly (string | null)[] | null;

interface Column {
  readonly name: string;
  readonly cells: readonly Cell[];
  readonly vector: arrow.Vector;
}

/** A column of random values of one kind, as CSV cells would hold them and as Arrow types it. */
function randomColumn(draw: Random, rows: number, name: string, kind: string): Column {
  const missing = [0, 0, 0.3][below(draw, 3)]!;
  const cells = Array.from({ length: rows }, (): Cell => {
    if (draw() < missing) return null;
    if (kind === "float") return Math.fround((draw() - 0.5) * 10 ** below(draw, 12));
    if (kind === "double") return (draw() - 0.5) * 10 ** (below(draw, 20) - 8);
    if (kind === "int" || kind === "int64") return below(draw, 200) - 50;
    if (kind === "bool") return draw() < 0.5;
    if (kind === "date") return new Date(86_400_000 * (below(draw, 30_000) - 5000));
    if (kind === "time" || kind === "duration") return timeText(below(draw, kind === "time" ? 86_400_000 : 4e8) / 1000);
    if (kind === "timestamp") return new Date(1000 * below(draw, 2e9) + below(draw, 1000));
    if (kind === "texts") return Array.from({ length: below(draw, 4) }, () => (draw() < 0.1 ? null : ["new", "on sale", 'a "b", {c}', "é", "NULL\\"][below(draw, 5)]!)); // biome-ignore format: one array
    return ["red", "blue", "sea green", 'a "b", c', "7"][below(draw, 5)]!;
  });
  const types: Readonly<Record<string, arrow.DataType>> = {
    ...{ float: new arrow.Float32(), double: new arrow.Float64(), int: new arrow.Int32(), int64: new arrow.Int64() },
    ...{ bool: new arrow.Bool(), date: new arrow.DateDay(), timestamp: new arrow.TimestampMillisecond(), text: new arrow.Utf8() },
    ...{ time: new arrow.TimeMillisecond(), duration: new arrow.DurationMillisecond() },
    dictionary: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
    texts: new arrow.List(new arrow.Field("item", new arrow.Utf8(), true)),
  };
  const ofCell = (cell: number | string) => (kind === "int64" ? BigInt(cell) : kind === "time" ? milliseconds(cell) : kind === "duration" ? BigInt(milliseconds(cell)) : cell); // biome-ignore format: one choice
  const typed = cells.map((cell) => (typeof cell === "number" || typeof cell === "string" ? ofCell(cell) : cell));
  return { name, cells, vector: arrow.vectorFromArray(typed as never, types[kind] as never) };
}

const milliseconds = (time: number | string) => Math.round(1000 * timeOf(String(time))!);

const csvCell = (cell: Cell): string => {
  if (cell === null) return "";
  const array = (cells: readonly (string | null)[]) => `{${cells.map((one) => (one === null ? "NULL" : `"${one.replace(/["\\]/g, "\\$&")}"`)).join(",")}}`; // biome-ignore format: one text
  const text = Array.isArray(cell)
    ? array(cell)
    : cell instanceof Date
      ? cell.toISOString().replace("T00:00:00.000Z", "")
      : String(cell);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A random table with a label, lists, sometimes ids, and features of the given kinds. */
function randomTable(number: number, kinds: readonly string[]) {
  const draw = random(number, 0xc01);
  const rows = 4 + below(draw, 40);
  const whole = (of: (row: number) => number) => {
    const cells = Array.from({ length: rows }, (_, row) => of(row));
    return { cells, vector: arrow.vectorFromArray(cells, new arrow.Int32()) as arrow.Vector };
  };
  const names = Array.from({ length: rows }, (_, row) => `d ${row % 3}${row}`);
  const ids = { name: "docid", cells: names, vector: arrow.vectorFromArray(names, new arrow.Utf8()) as arrow.Vector };
  const columns: Column[] = [
    { name: "label", ...whole(() => below(draw, 4)) },
    { name: "qid", ...whole((row) => (draw() < 0.9 ? Math.floor(row / 5) : 0)) },
    ...(draw() < 0.6 ? [ids] : []),
    ...Array.from({ length: 1 + below(draw, 6) }, (_, c) =>
      randomColumn(draw, rows, `x.${c}`, kinds[below(draw, kinds.length)]!),
    ),
  ];
  const table = new arrow.Table(Object.fromEntries(columns.map(({ name, vector }) => [name, vector])));
  const lines = Array.from({ length: rows }, (_, row) => columns.map(({ cells }) => csvCell(cells[row]!)).join(","));
  const objects = Array.from({ length: rows }, (_, row) =>
    JSON.stringify(Object.fromEntries(columns.map(({ name, cells }) => [name, cells[row]!]))),
  );
  return {
    csv: write(`${number}.csv`, `${columns.map(({ name }) => name).join(",")}\n${lines.join("\n")}\n`),
    others: [
      write(`${number}.jsonl`, `${objects.join("\n")}\n`),
      write(`${number}.arrow`, arrow.tableToIPC(table, "file")),
      write(`${number}.arrows`, arrow.tableToIPC(table, "stream")),
      write(`${number}.parquet`, parquetOf(table)),
      write(`${number}-plain`, parquetOf(table, parquet.Compression.UNCOMPRESSED)), // known by its content
      `sql:select * from '${join(folder, `${number}.parquet`)}'`,
    ],
  };
}

describe("a random table", () => {
  it("of numbers is the same from every source, bit for bit", async () => {
    for (let number = 1; number <= CASES; number++) {
      const { csv, others } = randomTable(number, ["float", "double", "int", "int64"]);
      const wanted = await outcome(csv);
      expect(wanted).toHaveProperty("file");
      for (const path of others) expect(await outcome(path), path).toEqual(wanted);
    }
  }, 60_000);

  it("with words, booleans and dates is what the CSV of the same values is", async () => {
    for (let number = 1001; number <= 1000 + Math.ceil(CASES / 2); number++) {
      const { csv, others } = randomTable(number, [
        "float",
        "int",
        "bool",
        "date",
        "timestamp",
        "time",
        "duration",
        "text",
        "dictionary",
        "texts",
      ]);
      const wanted = await outcome(csv);
      for (const path of others.filter((one) => !one.startsWith("sql:"))) expect(await outcome(path), path).toEqual(wanted);
    }
  }, 60_000);

  it("has names of columns, also where CSV files are said to have no header", async () => {
    for (const kinds of [
      ["float", "int"],
      ["float", "text"],
    ]) {
      const { csv, others } = randomTable(2001, kinds);
      const wanted = await outcome(csv);
      expect(wanted).toHaveProperty("file");
      for (const path of others) expect(await outcome(path, { header: false }), path).toEqual(wanted);
    }
  }, 60_000);
});

const head = { qid: Int32Array.of(1, 1, 2), label: Int32Array.of(1, 0, 2) };

describe("values", () => {
  const valuesOf = async (table: arrow.Table, name: string) => {
    const results = [];
    for (const path of [write(`${name}.arrow`, arrow.tableToIPC(table)), write(`${name}.parquet`, parquetOf(table))]) {
      const { data } = await readData([path], { threads: 1, storage: "dense" });
      results.push({ features: data.names.features, values: [...data.features.values], entries: data.names.entries });
    }
    expect(results[1]).toEqual(results[0]);
    return results[0]!;
  };

  it("of structs and lists become columns with dots", async () => {
    const point = new arrow.Struct([
      new arrow.Field("x", new arrow.Float32(), true),
      new arrow.Field("y", new arrow.Int32(), true),
    ]);
    const table = new arrow.Table({
      ...Object.fromEntries(Object.entries(head).map(([name, values]) => [name, arrow.makeVector(values)])),
      point: arrow.vectorFromArray([{ x: 1, y: 2 }, null, { x: null, y: 5 }], point),
      v: arrow.vectorFromArray([[1, 2], [3], null], new arrow.List(new arrow.Field("item", new arrow.Float32(), true))),
    });
    const { features, values } = await valuesOf(table, "nested");
    expect(features).toEqual(["point.x", "point.y", "v.0", "v.1"]);
    const none = Number.NaN;
    expect(values).toEqual([1, 2, 1, 2, none, none, 3, none, none, 5, none, none]);
  });

  it("of JSON Lines nest alike, and members that a line lacks are missing", async () => {
    const text = '{"qid":"a","label":1,"p":{"x":1,"q":{"y":2}},"v":[3,4]}\n{"qid":"a","label":0,"v":[5],"late":7}\n';
    const { data } = await readData([write("nested.jsonl", text)], { storage: "dense" });
    expect(data.names.features).toEqual(["p.x", "p.q.y", "v.0", "v.1", "late"]);
    expect([...data.features.values]).toEqual([1, 2, 3, 4, Number.NaN, Number.NaN, Number.NaN, 5, Number.NaN, 7]);
  });

  it("of 64 bits are numbers while these are exact, and ids with all digits otherwise", async () => {
    const table = new arrow.Table({
      ...Object.fromEntries(Object.entries(head).map(([name, values]) => [name, arrow.makeVector(values)])),
      docid: arrow.makeVector(BigInt64Array.of(9007199254740993n, 9007199254740992n, 1n)),
      x: arrow.makeVector(BigUint64Array.of(3n, 4n, 2n ** 40n)),
    });
    const { values, entries } = await valuesOf(table, "long");
    expect(entries).toEqual(["9007199254740993", "9007199254740992", "1"]);
    expect(values).toEqual([3, 4, 2 ** 40]);
    const lines = '{"qid":1,"label":1,"docid":9007199254740993,"x":1}\n{"qid":1,"label":0,"docid":9007199254740992,"x":"1"}\n';
    const { data } = await readData([write("long.jsonl", lines)]);
    expect(data.names.entries).toEqual(["9007199254740993", "9007199254740992"]);
  });

  it("of decimals without a fraction are ids with all digits, from Arrow, Parquet and DuckDB", async () => {
    const docid = new arrow.Decimal(0, 38, 128);
    const words = (value: number, low: number) => [low, value, 0, 0];
    const own = arrow.makeData({ type: docid, length: 3, data: Uint32Array.of(...words(2 ** 21, 1), ...words(2 ** 21, 0), ...words(0, 7)) }); // biome-ignore format: one value
    const table = new arrow.Table({
      ...Object.fromEntries(Object.entries(head).map(([name, values]) => [name, arrow.makeVector(values)])),
      docid: arrow.makeVector(own),
      x: arrow.makeVector(Int32Array.of(1, 2, 3)),
    });
    expect((await valuesOf(table, "decimals")).entries).toEqual(["9007199254740993", "9007199254740992", "7"]);
    const path = write("decimals.csv", "qid,label,docid,x\n1,1,9007199254740993,1\n1,0,9007199254740992,2\n");
    for (const type of ["decimal(38, 0)", "decimal(38, 9)", "hugeint"]) {
      const { data } = await readData([`sql:select * replace (docid::${type} as docid) from '${path}'`]);
      expect(data.names.entries).toEqual(["9007199254740993", "9007199254740992"]);
    }
  });

  it("of decimals, halves and durations are numbers", async () => {
    const path = (sql: string) => `sql:select 1 as qid, 1 as label, ${sql} union all select 1, 0, ${sql}`;
    const { data } = await readData([path("cast(-12.345 as decimal(10, 3)) as a, cast(7 as hugeint) as b, 0.5::float as c")]);
    expect([...data.features.values].slice(0, 3)).toEqual([-12.345, 7, 0.5].map(Math.fround));
    const table = new arrow.Table({
      ...Object.fromEntries(Object.entries(head).map(([name, values]) => [name, arrow.makeVector(values)])),
      half: arrow.vectorFromArray([0.5, -2, 65504], new arrow.Float16()),
    });
    const { data: halves } = await readData([write("half.arrow", arrow.tableToIPC(table))]);
    expect([...halves.features.values]).toEqual([0.5, -2, 65504]);
  });
});

describe("dates that no Date can hold", () => {
  const query = (at: string) =>
    `sql:select 1 as qid, 1 as label, date '2024-01-01' as at, 2 as x union all select 1, 0, ${at}, 3 union all select 1, 0, null, 4`;

  it.each(["'infinity'::timestamp", "'-infinity'::date", "'infinity'::timestamptz"])(
    "%s is one line with row, column and a way out",
    async (at) => {
      const error = await readData([query(at)]).catch((one: unknown) => one);
      expect(error).toBeInstanceOf(InputError);
      expect((error as Error).message).toMatch(
        /, row 2: column "at": expected a date up to the year 275760, got -?infinity or one beyond; .* \(--ignore at\)$/,
      );
      const { data } = await readData([query(at)], { ignore: ["at"] });
      expect(data.names.features).toEqual(["x"]);
    },
  );

  it("name lists and items, and are categories, like other texts", async () => {
    const { data } = await readData([query("'infinity'::timestamp")], { categories: ["at"] });
    expect(data.names.features).toEqual(["at=2024-01-01T00:00:00.000Z", "at=9223372036854.775", "x"]);
    const named = await readData([query("'infinity'::timestamp")], { id: "at", columns: true });
    expect(named.data.names.entries).toEqual(["2024-01-01T00:00:00.000Z", "9223372036854.775", ""]);
  });

  it("are refused among numbers since 1970 too, and missing values in data to score", async () => {
    const numbers = write("beyond.csv", "qid,label,at,x\n1,1,1700000000,2\n1,0,1e30,3\n");
    await expect(readData([numbers], { dateColumns: ["at"] })).rejects.toThrow(
      /beyond\.csv:3: column "at": expected a date up to/,
    );
    const encoding = [{ name: "at", kind: "date", origin: 0 }, { name: "x", kind: "number" }] as const; // biome-ignore format: columns
    const rows = Array.from({ length: 10 }, (_, row) => `1,0,2024-01-01,${row}\n`).join("");
    const path = write("mostly.csv", `qid,label,at,x\n1,1,1e30,2\n${rows}`);
    const { data, notices } = await readData([path], { scorer: { encoding }, storage: "dense" });
    expect([...data.features.values].slice(0, 4)).toEqual([Number.NaN, 2, 19_723, 0]);
    expect(notices.join()).toContain('column "at": 1 cell ("1e+30") that are no dates, read as missing values');
  });
});

describe("a query", () => {
  it("reads anything that DuckDB can, also after other statements", async () => {
    write("some.csv", "qid,label,price\n1,2,0.5\n1,0,3\n");
    const sql = `create table t as select * from '${join(folder, "some.csv")}'; select *, price * 2 as twice from t order by price`;
    const { data, notices } = await readData([`sql:${sql}`]);
    expect(data.names.features).toEqual(["price", "twice"]);
    expect([...data.features.values]).toEqual([0.5, 1, 3, 6]);
    expect(notices[0]).toMatch(/^sql:create table t as select \* from .*\.\.\.: 2 rows in 1 list/);
  });

  it("has no bytes: those of files beside it are all that progress counts", async () => {
    const text = "qid,label,x\n1,2,0.5\n1,0,3\n";
    const seen: number[][] = [];
    const progress = (...counts: number[]) => void seen.push(counts);
    await readData(["sql:select 2 as qid, 1 as label, 4 as x", write("beside.csv", text)], { progress });
    expect(seen.at(-1)).toEqual([text.length, text.length]);
  });

  it.each([
    ["sql:", "expected a query after sql:"],
    ["sql:selec 1", "DuckDB cannot run the query"],
    ["sql:select * from 'none.parquet'", "DuckDB cannot run the query"],
    ["sql:create table t (a int)", "the query has no result"],
    ["sql:select 1 as qid, 2 as label, [1, 2] as v", 'column "v" is INTEGER[], of which no feature can be made'],
    ["sql:select 1 as label", "no qid"],
  ])("%s is refused in one line", async (path, message) => {
    const error = await readData([path]).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toMatch(/[\r\n]/);
  });
});

describe("damaged files", () => {
  const good = new arrow.Table({
    ...Object.fromEntries(Object.entries(head).map(([name, values]) => [name, arrow.makeVector(values)])),
    x: arrow.makeVector(Float32Array.of(1, 2, 3)),
  });
  const files: readonly (readonly [string, Uint8Array])[] = [
    ["file.parquet", parquetOf(good)],
    ["file.arrow", arrow.tableToIPC(good, "file")],
    ["file.arrows", arrow.tableToIPC(good, "stream")],
    ["file.jsonl", new TextEncoder().encode('{"qid":1,"label":1,"x":2}\n{"qid":1,"label":0,"x":3}\n')],
  ];

  it.each(files)("%s, cut or with bytes changed, gives data or one line", async (name, bytes) => {
    const draw = random(7);
    for (let i = 0; i < 60; i++) {
      const cut = i % 2 === 0;
      const some = cut ? bytes.slice(0, below(draw, bytes.length)) : bytes.slice();
      if (!cut) for (let k = 0; k < 3; k++) some[below(draw, some.length)] = below(draw, 256);
      const error = await readData([write(`damaged-${name}`, some)], { threads: 1 }).catch((one: unknown) => one);
      if (!(error instanceof Error)) continue;
      expect(error, error.stack ?? "").toBeInstanceOf(InputError);
      expect(error.message).not.toMatch(/[\r\n]/);
    }
  });

  it("say what is wrong and where", async () => {
    const fails = async (name: string, content: string | Uint8Array) => {
      const error = await readData([write(name, content)]).catch((one: unknown) => one);
      return (error as Error).message.replace(folder, "");
    };
    expect(await fails("short.parquet", files[0]![1].slice(0, 40))).toBe(
      "/short.parquet: the Parquet file ends unexpectedly; it is truncated",
    );
    expect(await fails("short.arrow", files[1]![1].slice(0, 80))).toBe(
      "/short.arrow: the Arrow file ends unexpectedly; it is truncated",
    );
    expect(await fails("list.jsonl", '{"qid":1,"label":2,"x":1}\n[1]\n')).toMatch(
      /^\/list\.jsonl:2: expected an object, such as /,
    );
    expect(await fails("half.jsonl", '{"qid":1,"label":2,"x":1}\n\n{"qid":')).toMatch(
      /^\/half\.jsonl:3: expected an object as JSON \(/,
    );
    expect(await fails("twice.jsonl", '{"qid":1,"label":2,"a":{"b":1},"a.b":2}\n')).toBe(
      '/twice.jsonl:1: the member "a.b" occurs twice',
    );
    expect(await fails("nolabel.jsonl", '{"qid":1,"label":2,"x":1}\n\n{"qid":1,"x":1}\n')).toMatch(
      /^\/nolabel\.jsonl:3: .*label is missing/,
    );
    const broken = ["a\\nb\\nc", "d", "e\\nf"].map((id) => `{"qid":1,"label":2,"docid":"${id}","x":1}\n`).join("");
    expect(await fails("breaks.jsonl", `${broken}{"qid":1,"docid":"g","x":1}\n${broken}`)).toMatch(
      /^\/breaks\.jsonl:4: .*label is missing/,
    );
    expect(await fails("large.jsonl", '{"qid":1,"label":2,"x":1e39}\n')).toMatch(/^\/large\.jsonl:1: .*too large/);
    const wide = Array.from({ length: 4000 }, (_, i) => `{"qid":1,"label":0,"k${i}":1}\n`).join("");
    expect(await fails("wide.jsonl", wide)).toMatch(/write such data as SVMlight$/);
    const nested = `{"qid":1,"label":2,"x":${"[".repeat(100)}1${"]".repeat(100)}}\n`;
    expect(await fails("deep.jsonl", nested)).toBe("/deep.jsonl:1: the object has more than 64 levels");
  });
});

describe("tables of items and lists", () => {
  it("may be CSV, JSON Lines, Arrow, Parquet or a query, with the same data", async () => {
    const opinions = write("opinions.csv", "user,film,stars\n1,a,5\n1,b,2\n2,a,4\n2,c,3\n2,b,1\n");
    const films = { film: ["a", "b", "c"], year: [1999, 2004, null], genre: ["drama", "comedy", "drama"] };
    const table = arrow.tableFromArrays({ film: films.film, year: Float64Array.of(1999, 2004, Number.NaN), genre: films.genre });
    const csv = write("films.csv", "film,year,genre\na,1999,drama\nb,2004,comedy\nc,,drama\n");
    const lines = films.film.map((film, i) => JSON.stringify({ film, year: films.year[i], genre: films.genre[i] })).join("\n");
    const users = write("users.jsonl", '{"user": 1, "age": 20}\n{"user": 2, "age": 30}\n');
    const own = { qid: "user", id: "film", label: "stars" };
    const expected = await outcome(opinions, { ...own, items: csv, lists: write("users.csv", "user,age\n1,20\n2,30\n") });
    expect(expected).toHaveProperty("labels");
    for (const items of [
      write("films.jsonl", lines),
      write("films.arrow", arrow.tableToIPC(table, "file")),
      write("films.parquet", parquetOf(table)),
      `sql:select * from '${csv}'`,
    ])
      expect(await outcome(opinions, { ...own, items, lists: users })).toEqual(expected);
  });
});

describe("times of queries", () => {
  it("are the seconds that the same times are in CSV; months have none", async () => {
    const csv = write(
      "times.csv",
      "label,qid,clock,took\n1,a,14:05:09.25,1 day 02:03:04.5\n0,a,00:00:00,-00:01:30\n2,a,,0 days\n",
    );
    const rows = "(1,'a',time '14:05:09.25',interval '1 day 02:03:04.5'),(0,'a',time '00:00:00',interval '-90 seconds'),(2,'a',null,interval '0 days')"; // biome-ignore format: one line
    const query = `sql:select * from (values ${rows}) as t(label, qid, clock, took)`;
    expect(await outcome(query)).toEqual(await outcome(csv));
    expect((await readData([query])).data.names.encoding!.map(({ kind }) => kind)).toEqual(["time", "time"]);
    await expect(readData(["sql:select 1 as label, 'a' as qid, interval '3 months' as took"])).rejects.toThrow(
      'column "took": intervals with months have no length in seconds; make days of them in the query',
    );
  });

  it("are read by the encoding of a model of CSV, and the other way round", async () => {
    const csv = write("laps.csv", "label,qid,lap\n1,a,1:02.5\n0,a,59.75\n");
    const file = write(
      "laps.arrow",
      arrow.tableToIPC(
        new arrow.Table({
          label: arrow.vectorFromArray([1, 0], new arrow.Int8()),
          qid: arrow.vectorFromArray(["a", "a"], new arrow.Utf8()),
          lap: arrow.vectorFromArray([62_500n, 59_750n], new arrow.DurationMillisecond()),
        }),
        "file",
      ),
    );
    const [one, other] = [(await readData([csv])).data, (await readData([file])).data];
    expect(one.features.values).toEqual(other.features.values);
    for (const { names } of [one, other])
      for (const path of [csv, file])
        expect((await readData([path], { scorer: { encoding: names.encoding! } })).data.features.values).toEqual(one.features.values); // biome-ignore format: one line
    const numbers = [{ name: "lap", kind: "number" }] as const; // a model of before
    expect((await readData([file], { scorer: { encoding: numbers } })).data.features.values).toEqual(one.features.values);
  });
});
