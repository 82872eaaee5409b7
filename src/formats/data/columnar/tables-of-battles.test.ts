/** Battles, features of items and ballots are the same from CSV, JSON Lines, Arrow, Parquet and a query, and so are errors. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as arrow from "apache-arrow";
import * as parquet from "parquet-wasm";
import { afterAll, expect, it } from "vitest";
import { InputError } from "../../../input-error.ts";
import { below, random } from "../../../numeric/random.ts";
import type { Random } from "../../../types.ts";
import { ballotKind, readData } from "../read.ts";
import { eachBattle, type OrderedBattle, readBattles } from "../read-battles.ts";
import { readItemFeatures } from "../read-item-features.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-battles-"));
afterAll(() => rmSync(folder, { recursive: true }));
const CASES = Number(process.env.TIERWISE_CASES ?? 6);

type Cell = string | number | boolean | null;
type Columns = Readonly<Record<string, readonly Cell[]>>;

const csvCell = (cell: Cell) => {
  const text = cell === null ? "" : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** The same table in all formats, CSV first. */
function written(number: number, columns: Columns): string[] {
  const names = Object.keys(columns);
  const rows = columns[names[0]!]!.length;
  const table = new arrow.Table(
    Object.fromEntries(
      names.map((name) => {
        const kind = typeof columns[name]!.find((cell) => cell !== null);
        const type = kind === "number" ? new arrow.Float64() : kind === "boolean" ? new arrow.Bool() : new arrow.Utf8();
        return [name, arrow.vectorFromArray(columns[name]! as never, type as never)];
      }),
    ),
  );
  const packed = parquet.writeParquet(
    parquet.Table.fromIPCStream(arrow.tableToIPC(table, "stream")),
    new parquet.WriterPropertiesBuilder().setCompression(parquet.Compression.SNAPPY).setMaxRowGroupSize(7).build(),
  );
  const lines = Array.from({ length: rows }, (_, row) => names.map((name) => csvCell(columns[name]![row]!)).join(","));
  const objects = Array.from({ length: rows }, (_, row) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, columns[name]![row]!]))),
  );
  return [
    write(`${number}.csv`, `${names.map(csvCell).join(",")}\n${lines.join("\n")}\n`),
    write(`${number}.jsonl`, `${objects.join("\n")}\n`),
    write(`${number}.arrow`, arrow.tableToIPC(table, "file")),
    write(`${number}.parquet`, packed),
    write(`${number}-parquet`, packed), // known by its content
    ...(number % 5 === 0 ? [`sql:select * from '${join(folder, `${number}.parquet`)}'`] : []), // starting DuckDB takes long
  ];
}

/** What reading gives, or the error after its place. */
async function outcome(path: string, read: (path: string) => Promise<unknown>): Promise<unknown> {
  try {
    return await read(path);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).not.toMatch(/[\r\n]/);
    return error.message.slice(error.message.search(/: /));
  }
}

/** The outcome must be that of CSV for every other format. */
async function expectSame(paths: readonly string[], read: (path: string) => Promise<unknown>): Promise<unknown> {
  const [csv, ...others] = paths as [string, ...string[]];
  const wanted = await outcome(csv, read);
  for (const path of others) expect(await outcome(path, read), path).toEqual(wanted);
  return wanted;
}

const column = (draw: Random, rows: number, of: readonly Cell[]): Cell[] =>
  Array.from({ length: rows }, () => of[below(draw, of.length)]!);

const NAMES = ["lark", "wren", 'a "b", c', "gull; finch", "7", "Björn"];

function randomBattles(number: number): Columns {
  const draw = random(number, 0xba7);
  const rows = 1 + below(draw, 40);
  const first = column(draw, rows, NAMES);
  const second = first.map((name) => {
    const others = NAMES.filter((other) => other !== name || draw() < 0.002);
    return others[below(draw, others.length)]!;
  });
  const lacking = draw() < 0.2 ? [null] : [];
  const isArena = draw() < 0.6;
  const results = isArena
    ? { model_a: first, Model_B: second, winner: column(draw, rows, ["model_a", "model_b", "tie", "A", "both_bad", ...lacking]) }
    : { winner: first, loser: second, ...(draw() < 0.7 && { tie: column(draw, rows, [true, false]) }) };
  return {
    "some; other\tthings": column(draw, rows, ["x, y", null]),
    ...results,
    ...(draw() < 0.5 && { count: column(draw, rows, [0, 1, 2, 3.5, null]) }),
    judge: column(draw, rows, ["ann", "ben", "ann, ben"]),
    language: column(draw, rows, [1, 2, 30]),
    mass: column(draw, rows, [1, 0.25]),
    longer: column(draw, rows, [-1.5, 0, 1e-7, 12]),
  };
}

it("random battles are the same from every source", async () => {
  const options = [
    {},
    { cluster: "judge", by: "language", weight: "mass", covariates: ["longer", "mass"] },
    { cluster: "jugde" },
    { covariates: ["judge"] },
  ];
  let errors = 0;
  for (let number = 1; number <= CASES; number++) {
    const paths = written(number, randomBattles(number));
    for (const one of options) {
      const found = await expectSame(paths, (path) => readBattles([path], one));
      if (typeof found === "string") errors++;
    }
    await expectSame(paths, async (path) => {
      const found: OrderedBattle[] = [];
      await eachBattle([path], (battle) => void found.push({ ...battle }), { period: "language" });
      return found;
    });
    expect(await expectSame(paths, async (path) => ballotKind(path, {}))).toBe("ballots");
    await expectSame(paths, async (path) => {
      const { data } = await readData([path], { threads: 1 });
      return data;
    });
    await expectSame(paths, async (path) => (await readData([path], { threads: 1, tiers: "pairs:cycles=break" })).data);
  }
  expect(errors).toBeGreaterThan(2 * CASES - 1); // no such column, and a covariate of words
  expect(errors).toBeLessThan(4 * CASES);
}, 120_000);

it("an empty cell of a slice is no slice if that is asked for, and otherwise an error with the way out", async () => {
  const battles = { winner: ["a", "b", "c"], loser: ["b", "c", "a"], language: ["x", null, "y"], weight: [1, null, 2] };
  const paths = written(4000, battles);
  const found = await expectSame(paths, (path) => readBattles([path], { by: "language", emptySlices: true }));
  expect(found).toMatchObject({ slices: Uint32Array.of(0, 2 ** 32 - 1, 1), sliceNames: ["x", "y"] });
  expect(await expectSame(paths, (path) => readBattles([path], { by: "language" }))).toBe(
    ": the column language is empty; fill it in, or leave out the battles without it",
  );
  expect(await expectSame(paths, (path) => readBattles([path], { cluster: "language" }))).toBe(
    ": the column language is empty; give each such battle a name of its own there, or leave it out",
  );
  for (const options of [{ weight: "weight" }, { covariates: ["weight"] }])
    expect(await expectSame(paths, (path) => readBattles([path], options))).toMatch(
      /got ""; fill it in, or leave out the battles without it$/,
    );
});

it("several files, a folder and a pattern are read as one table of battles", async () => {
  const parts = join(folder, "parts-?.csv");
  write("parts-1.csv", "winner,loser\na,b\nb,c\n");
  write("parts-2.csv", "winner,loser\nc,a\n");
  const { items, counts } = await readBattles([parts]);
  expect(items).toEqual(["a", "b", "c"]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(3);
});

it("rows of an item against itself and rows without a winner are left out, with a notice", async () => {
  const battles = { model_a: ["a", "b", "a", "c"], model_b: ["b", "b", "c", "a"], winner: ["model_a", "tie", null, "tie"] };
  const rest = { model_a: ["a", "c"], model_b: ["b", "a"], winner: ["model_a", "tie"] };
  const paths = written(1002, battles);
  const notices: string[] = [];
  const notice = (text: string) => void notices.push(text);
  const [wanted] = written(1003, rest);
  expect(await expectSame(paths, (path) => readBattles([path], { notice }))).toEqual(await readBattles([wanted!], { notice }));
  expect(notices).toHaveLength(paths.length);
  expect(notices[0]).toBe(
    `2 rows left out: 1 of an item against itself (first ${paths[0]}:3: "b"), 1 without a winner (first ${paths[0]}:4)`,
  );
  expect(notices[3]).toBe(
    `2 rows left out: 1 of an item against itself (first ${paths[3]}, row 2: "b"), 1 without a winner (first ${paths[3]}, row 3)`,
  );
  for (const [i, path] of paths.entries()) expect((await readData([path], { threads: 1 })).notices, path).toContain(notices[i]);
  const seen: string[] = [];
  await eachBattle(paths.slice(0, 2), ({ first, second, winner }) => void seen.push(first + second + winner), { notice });
  expect(seen).toEqual(["abfirst", "catie", "abfirst", "catie"]);
  expect(notices.at(-1)).toMatch(/^4 rows left out: 2 of .* 2 without a winner/);
});

it("an error in a row says which row", async () => {
  const battles = { winner: ["a", "b", "c"], loser: ["b", null, "a"] };
  const paths = written(1000, battles);
  const messages = await Promise.all(paths.map((path) => readBattles([path]).then(String, (error) => String(error.message))));
  const [csv, jsonl, , packed, , query] = messages;
  expect(csv).toBe(`${paths[0]}:3: the column loser is empty`);
  expect(jsonl).toBe(`${paths[1]}:2: the column loser is empty`);
  expect(packed).toBe(`${paths[3]}, row 2: the column loser is empty`);
  expect(query).toMatch(/^sql:select .*, row 2: the column loser is empty$/);
  for (const [i, path] of paths.entries()) {
    const error = await readData([path], { threads: 1 }).then(String, (thrown) => String(thrown.message));
    expect(error, path).toBe(messages[i]);
  }
  const [table] = written(1001, { thing: ["a"], x: [1] }).slice(3);
  await expect(readBattles([table!])).rejects.toThrow(`${table}: expected the columns winner and loser, or model_a, model_b and winner, got "thing, x"`); // biome-ignore format: one line
});

it("features of items are the same from every source", async () => {
  for (let number = 2000; number < 2000 + CASES; number++) {
    const draw = random(number, 0xfea);
    const names = [...NAMES].slice(0, 1 + below(draw, NAMES.length));
    const columns: Columns = {
      size: column(draw, names.length, [1, 2.5, -7e-9, ...(draw() < 0.2 ? [null] : [])]),
      [["item", "Model", "name"][below(draw, 3)]!]: draw() < 0.1 ? [...names.slice(1), names.at(-1)!] : names,
      open: column(draw, names.length, [0, 1]),
    };
    await expectSame(written(number, columns), (path) => readItemFeatures(path));
  }
  const { items } = await readItemFeatures(written(3000, { item: ["a", "b"], x: [1, 2] }).at(-1)!);
  expect([...items]).toEqual([["a", [1]], ["b", [2]]]); // biome-ignore format: one line
});

it("a table of tiers, and one without features, are ballots from every source", async () => {
  const tiers = { ballot: ["x", "x", "y", "y"], item: ["a", "b", "a", "b"], tier: [1, 2, 2, 2] };
  const opinions = { round: ["x", "x", "y", "y"], driver: ["a", "b", "a", "b"], points: [3, 1, 2, 2] };
  const roles = { qid: "round", id: "driver", label: "points" };
  for (const [number, columns, options] of [
    [3000, tiers, {}],
    [3001, opinions, roles],
  ] as const) {
    // biome-ignore format: two cases
    const paths = written(number, columns);
    expect(await expectSame(paths, async (path) => ballotKind(path, options))).toBe("ballots");
    await expectSame(paths, async (path) => (await readData([path], { threads: 1, ...options })).data);
  }
  const wide = written(3002, { ...opinions, grid: [1, 2, 3, 4] });
  expect(await expectSame(wide, async (path) => ballotKind(path, roles))).toBe("table");
});
