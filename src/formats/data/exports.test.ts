/** One table as other programs export it: whatever the dialect, the same lists, items, labels and features are read, also by the encoding of a model. */
import { describe, expect, it } from "vitest";
import { below, random } from "../../numeric/random.ts";
import type { ColumnEncoding } from "../../types.ts";
import { parseData } from "./parse.ts";

interface Row {
  readonly qid: string;
  readonly item: string;
  readonly label: number;
  readonly price: number | null;
  readonly tiny: number | null;
  readonly count: number | null;
  readonly sold: boolean | null;
  /** Milliseconds since 1970. */
  readonly at: number | null;
  readonly day: number | null;
  /** Milliseconds that something took. */
  readonly lap: number | null;
  readonly color: string | null;
  readonly title: string;
}

const COLUMNS = ["qid", "item", "label", "price", "tiny", "count", "sold", "at", "day", "lap", "color", "title"] as const;
type Column = (typeof COLUMNS)[number];

function rowsOf(seed: number): Row[] {
  const draw = random(21, seed, 1);
  const some = <T>(value: T) => (draw() < 0.1 ? null : value);
  return Array.from({ length: 40 + below(draw, 60) }, (_, i) => ({
    ...{
      qid: `q${Math.floor(i / 5)}`,
      item: `${1234567890123400000n + BigInt(100 * below(draw, 900) + i)}`,
      label: below(draw, 4),
    },
    ...{ price: some(below(draw, 1e6) / 100), tiny: some(Number((draw() / 1e5).toPrecision(6))), count: some(below(draw, 2000)) },
    ...{ sold: some(draw() < 0.5), color: some(["red", "green", "navy blue", "grün"][below(draw, 4)]!) },
    at: some(Date.UTC(2024, below(draw, 12), 1 + below(draw, 28), below(draw, 24), below(draw, 60))),
    day: some(Date.UTC(2023, i < 2 ? 9 + i : below(draw, 12), i < 2 ? 14 : 1 + below(draw, 28))), // a day above 12 in any case
    lap: some(below(draw, 3 * 3_600_000)),
    title: `thing ${i} of ${below(draw, 1e6)}, "new"`,
  }));
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10);
const clock = (time: number) => new Date(time).toISOString().slice(11, 19);
/** 00:01:23.456 */
const hms = (time: number) => new Date(time).toISOString().slice(11, 23);
/** 1:23.456 */
const lap = (time: number) => `${Math.floor(time / 60_000)}:${hms(time).slice(6)}`;
const timedelta = (time: number) => `0 days ${hms(time)}000`;
const duration = (time: number) =>
  `P0DT${Math.floor(time / 3_600_000)}H${Math.floor(time / 60_000) % 60}M${(time % 60_000) / 1000}S`;
const reversed = (time: number, mark: string) => day(time).split("-").reverse().join(mark);
const us = (time: number) => [new Date(time).getUTCMonth() + 1, new Date(time).getUTCDate(), new Date(time).getUTCFullYear()].join("/"); // biome-ignore format: one line
const comma = (value: number | string) => String(value).replace(".", ",");
const grouped = (text: string, mark: string) => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, mark));

/** How a program writes values; what is not there is written as JavaScript does. */
interface Words {
  readonly missing?: string;
  readonly sold?: readonly [yes: string, no: string];
  readonly price?: (value: number) => string;
  readonly tiny?: (value: number) => string;
  readonly count?: (value: number) => string;
  readonly at?: (time: number) => string;
  readonly day?: (time: number) => string;
  readonly lap?: (time: number) => string;
}

function cellOf(row: Row, column: Column, words: Words): string {
  const value = row[column];
  if (value === null) return words.missing ?? "";
  if (column === "sold") return (words.sold ?? ["true", "false"])[value ? 0 : 1];
  if (column === "at") return words.at?.(value as number) ?? `${day(value as number)} ${clock(value as number)}`;
  if (column === "day") return (words.day ?? day)(value as number);
  if (column === "lap") return (words.lap ?? hms)(value as number);
  if (column === "price" || column === "tiny" || column === "count") return (words[column] ?? String)(value as number);
  return String(value);
}

interface Dialect extends Words {
  readonly separator?: string;
  readonly quoted?: "all";
  readonly index?: true;
  readonly end?: string;
  readonly before?: string;
  readonly after?: string;
}

function separated(
  rows: readonly Row[],
  { separator = ",", quoted, index, end = "\n", before = "", after = "", ...words }: Dialect,
) {
  const cell = (text: string) => (quoted || text.includes(separator) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text); // biome-ignore format: one line
  const lines = rows.map((row, i) => [
    ...(index ? [String(i)] : []),
    ...COLUMNS.map((column) => cell(cellOf(row, column, words))),
  ]);
  return before + [[...(index ? [""] : []), ...COLUMNS], ...lines].map((line) => line.join(separator) + end).join("") + after;
}

const float = (value: number) => (Number.isInteger(value) ? `${value}.0` : String(value).replace(/e-(\d)$/, "e-0$1"));

function writeTable(rows: readonly Row[]): string {
  const cell = (row: Row, column: Column) => {
    const text = cellOf(row, column, { missing: "NA", sold: ["TRUE", "FALSE"] });
    return text === "NA" || !["qid", "at", "lap", "color", "title"].includes(column) ? text : `"${text.replaceAll('"', '\\"')}"`;
  };
  const lines = rows.map((row, i) => [`"${i + 1}"`, ...COLUMNS.map((column) => cell(row, column))].join(" "));
  return `${[COLUMNS.map((name) => `"${name}"`).join(" "), ...lines].join("\n")}\n`;
}

function psql(rows: readonly Row[]): string {
  const cells = rows.map((row) => COLUMNS.map((column) => cellOf(row, column, { sold: ["t", "f"] })));
  const widths = COLUMNS.map((name, c) => Math.max(name.length, ...cells.map((row) => row[c]!.length)));
  const line = (row: readonly string[]) => ` ${row.map((text, c) => text.padEnd(widths[c]!)).join(" | ")}\n`;
  const rule = widths.map((width) => "-".repeat(width + 2)).join("+");
  return `${line(COLUMNS)}${rule}\n${cells.map(line).join("")}(${rows.length} rows)\n\n`;
}

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
const bare = (text: string) => text.replace(/"item":"(\d+)"/g, '"item":$1');

/** BigQuery writes INT64 as texts, and leaves out what is null. */
const bigQuery = (rows: readonly Row[]) =>
  rows.map(({ label, count, at, day: date, lap: took, ...rest }) => {
    const all = { ...rest, label: String(label), count: count?.toString(), at: at === null ? null : `${day(at)} ${clock(at)} UTC`, day: date === null ? null : day(date), lap: took === null ? null : hms(took) }; // biome-ignore format: one value
    return `${JSON.stringify(all, (_, value) => value ?? undefined)}\n`;
  }).join(""); // biome-ignore format: one chain

const excel = { end: "\r\n", before: "\uFEFF" };
const minutes = (time: number) => clock(time).slice(0, 5);

const exports: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  "pandas, to_csv": (rows) =>
    separated(rows, { index: true, sold: ["True", "False"], price: float, tiny: float, count: float, lap: timedelta }),
  "pandas, words for missing values": (rows) => separated(rows, { missing: "NaT", sold: ["True", "False"], at: (time) => `${day(time)} ${clock(time)}+00:00`, lap: timedelta }), // biome-ignore format: one line
  "pandas, to_json of records": (rows) => bare(JSON.stringify(rows.map((row) => ({ ...row, at: iso(row.at), day: iso(row.day), lap: row.lap === null ? null : duration(row.lap) })), null, 1)), // biome-ignore format: one line
  "R, write.csv": (rows) => separated(rows, { missing: "NA", sold: ["TRUE", "FALSE"] }),
  "R, write.csv2": (rows) =>
    separated(rows, { separator: ";", index: true, missing: "NA", price: comma, tiny: comma, lap: (time) => comma(hms(time)) }),
  "R, write.table": writeTable,
  "Excel, German": (rows) => separated(rows, { ...excel, separator: ";", missing: "#NV", sold: ["WAHR", "FALSCH"], price: (value) => `${grouped(comma(value.toFixed(2)), ".")} €`, tiny: comma, count: (value) => grouped(String(value), "."), at: (time) => `${reversed(time, ".")} ${minutes(time)}`, day: (time) => reversed(time, "."), lap: (time) => comma(lap(time)), after: ";".repeat(10) }), // biome-ignore format: one line
  "Excel, American": (rows) => separated(rows, { ...excel, sold: ["TRUE", "FALSE"], price: (value) => `$${grouped(value.toFixed(2), ",")}`, count: (value) => grouped(String(value), ","), at: (time) => `${us(time)} ${minutes(time)}`, day: us, lap }), // biome-ignore format: one line
  "Excel, French": (rows) => separated(rows, { ...excel, separator: ";", sold: ["VRAI", "FAUX"], price: (value) => `${grouped(comma(value.toFixed(2)), "\u202f")} €`, tiny: comma, at: (time) => `${reversed(time, "/")} ${minutes(time)}`, day: (time) => reversed(time, "/") }), // biome-ignore format: one line
  "PostgreSQL, \\copy csv": (rows) => separated(rows, { sold: ["t", "f"], at: (time) => `${day(time)} ${clock(time)}+00` }),
  "PostgreSQL, COPY": (rows) => separated(rows, { separator: "\t", missing: "\\N", sold: ["t", "f"] }).replaceAll('""', '"').replace(/"(thing[^\t\n]*)"\n/g, "$1\n"), // biome-ignore format: one chain
  "PostgreSQL, psql": psql,
  "MySQL, --batch": (rows) => separated(rows, { separator: "\t", missing: "NULL", sold: ["1", "0"] }),
  "BigQuery, JSON Lines": bigQuery,
  "BigQuery, CSV": (rows) => separated(rows, { at: (time) => `${day(time)} ${clock(time)} UTC` }),
  "Snowflake": (rows) => separated(rows, { quoted: "all", sold: ["TRUE", "FALSE"], at: (time) => `${day(time)} ${clock(time)}.000 -0000` }), // biome-ignore format: one line
  "Spark": (rows) => separated(rows, { tiny: (value) => value.toExponential().replace("e", "E"), at: (time) => new Date(time).toISOString() }), // biome-ignore format: one line
};

/** The features of the rows by name, by hand. */
function wanted(rows: readonly Row[]): Record<string, number[]> {
  const days = (times: readonly (number | null)[]) => {
    const first = Math.floor(Math.min(...times.map((time) => time ?? Infinity)) / 86_400_000) * 86_400_000;
    return times.map((time) => (time === null ? Number.NaN : Math.fround((time - first) / 86_400_000)));
  };
  const numbers = (column: "price" | "tiny" | "count" | "sold") => rows.map((row) => (row[column] === null ? Number.NaN : Math.fround(Number(row[column])))); // biome-ignore format: one line
  const laps = rows.map((row) => (row.lap === null ? Number.NaN : Math.fround(row.lap / 1000)));
  const colors = ["green", "grün", "navy blue", "red"];
  return {
    ...{ price: numbers("price"), tiny: numbers("tiny"), count: numbers("count"), sold: numbers("sold") },
    ...{ at: days(rows.map(({ at }) => at)), day: days(rows.map((row) => row.day)), lap: laps },
    ...Object.fromEntries(colors.map((color) => [`color=${color}`, rows.map((row) => Number(row.color === color))])),
  };
}

function read(content: string, encoding?: readonly ColumnEncoding[]) {
  const options = {
    qid: "qid",
    id: "item",
    label: "label",
    storage: "dense",
    ...(encoding && { scorer: { encoding } }),
  } as const;
  const { data } = parseData([{ name: content.trimStart().startsWith("[") ? "a.json" : "a", content }], options);
  const { rows, columns, values } = data.features;
  const features = data.names.features!.map((name, c) => [name, Array.from({ length: rows }, (_, row) => values[row * columns + c]!)]); // biome-ignore format: one line
  return { ...data, byName: Object.fromEntries(features) as Record<string, number[]> };
}

describe.each(Object.entries(exports))("%s", (_, write) => {
  it("has the lists, items, labels and features of the table", () => {
    for (let seed = 1; seed <= 3; seed++) {
      const rows = rowsOf(seed);
      const found = read(write(rows));
      expect(found.byName).toEqual(wanted(rows));
      expect(found.names.entries).toEqual(rows.map(({ item }) => item));
      expect(found.names.lists).toEqual([...new Set(rows.map(({ qid }) => qid))]);
      expect([...found.labels]).toEqual(rows.map(({ label }) => label));
    }
  });

  it("is read by the encoding of a model that was trained on CSV of pandas", () => {
    const rows = rowsOf(1);
    const { encoding } = read(exports["pandas, to_csv"]!(rows)).names;
    expect(read(write(rows), encoding).byName).toEqual(wanted(rows));
  });
});
