/** Tables of numbers and texts are read without parquet-wasm, with the values that parquet-wasm gives; what is left to it is known by its metadata. */
import * as arrow from "apache-arrow";
import * as parquet from "parquet-wasm";
import { describe, expect, it } from "vitest";
import type { SourceTable, TableColumn } from "../../../data/table/source-table.ts";
import { below, random } from "../../../numeric/random.ts";
import type { Random } from "../../../types.ts";
import { arrowTable } from "./arrow-columns.ts";
import { readStream } from "./arrow-messages.ts";
import { readFlatParquet } from "./parquet-flat.ts";
import { unsnappy } from "./snappy.ts";

const CASES = Number(process.env.TIERWISE_CASES ?? 12);

const types = {
  ...{ float: () => new arrow.Float32(), double: () => new arrow.Float64(), text: () => new arrow.Utf8() },
  ...{
    int8: () => new arrow.Int8(),
    int16: () => new arrow.Int16(),
    int32: () => new arrow.Int32(),
    int64: () => new arrow.Int64(),
  },
  dictionary: () => new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
} as const;
type Kind = keyof typeof types;

function randomVector(draw: Random, rows: number): arrow.Vector {
  const kind = (Object.keys(types) as Kind[])[below(draw, Object.keys(types).length)]!;
  const missing = [0, 0, 0.02, 0.4, 1][below(draw, 5)]!;
  const distinct = [1, 3, 40, 100_000][below(draw, 4)]!;
  const values = Array.from({ length: rows }, () => {
    if (draw() < missing) return null;
    const value = below(draw, distinct);
    if (kind === "text" || kind === "dictionary") return ["", "ä", "日本語", `word ${value}`][below(draw, 4)]!;
    if (kind === "float" || kind === "double") return [value / 7, -value, Math.fround(value * 1e-3), -0][below(draw, 4)]!;
    return kind === "int64" ? BigInt(value) * 1_000_003n - 5n : (value % 200) - 100;
  });
  return arrow.vectorFromArray(values as never, types[kind]() as never);
}

/** A file, with settings of the writer at random. */
function written(table: arrow.Table, draw: Random): Uint8Array {
  const compression = draw() < 0.5 ? parquet.Compression.SNAPPY : parquet.Compression.UNCOMPRESSED;
  const version = draw() < 0.5 ? parquet.WriterVersion.V1 : parquet.WriterVersion.V2;
  const properties = new parquet.WriterPropertiesBuilder()
    .setCompression(compression)
    .setWriterVersion(version)
    .setDictionaryEnabled(draw() < 0.7)
    .setDictionaryPageSizeLimit([64, 4096, 1 << 20][below(draw, 3)]!)
    .setDataPageSizeLimit([128, 4096, 1 << 20][below(draw, 3)]!)
    .setMaxRowGroupSize([50, 1000, 100_000][below(draw, 3)]!)
    .build();
  return parquet.writeParquet(parquet.Table.fromIPCStream(arrow.tableToIPC(table, "stream")), properties);
}

const byPackage = (bytes: Uint8Array) => arrowTable("t", readStream("t", parquet.readParquet(bytes).intoIPCStream()));

const cellsOf = (column: TableColumn): unknown[] =>
  column.kind === "text"
    ? Array.from(column.codes, (code) => (code < 0 ? undefined : column.dictionary[code]))
    : Array.from(column.values, Number);

/** Columns of all batches as lists of cells. */
const cells = ({ columns, batches }: SourceTable) =>
  Object.fromEntries(columns.map((name, c) => [name, batches.flatMap((batch) => cellsOf(batch.columns[c]!))]));

const table = (columns: Readonly<Record<string, arrow.Vector>>) => new arrow.Table(columns as never) as arrow.Table;

describe("tables of numbers and texts", () => {
  it("have the values that parquet-wasm gives", () => {
    let own = 0;
    for (let seed = 0; seed < CASES; seed++) {
      const draw = random(seed, 5);
      const rows = [1, 9, 333, 5000][below(draw, 4)]!;
      const vectors = Array.from({ length: 1 + below(draw, 5) }, (_, c) => [`c${c}`, randomVector(draw, rows)] as const);
      const bytes = written(table(Object.fromEntries(vectors)), draw);
      const found = readFlatParquet("t", bytes);
      if (!found) continue;
      own++;
      expect(cells(found), `seed ${seed}`).toEqual(cells(byPackage(bytes)));
    }
    expect(own).toBeGreaterThan(CASES / 2); // the second version of the writer also has encodings that are not read here
  });

  it.each(Object.keys(types) as Kind[])("of type %s are read without parquet-wasm", (kind) => {
    const values = kind === "int64" ? [1n, -2n] : kind === "text" || kind === "dictionary" ? ["a", "b"] : [1, -2];
    const x = arrow.vectorFromArray(values as never, types[kind]() as never) as arrow.Vector;
    const bytes = parquet.writeParquet(parquet.Table.fromIPCStream(arrow.tableToIPC(table({ x }), "stream")));
    expect(cells(readFlatParquet("t", bytes)!)).toEqual({ x: kind === "int64" ? [1, -2] : values });
  });

  it("may be damaged anywhere: values, or nothing", () => {
    const draw = random(3, 5);
    const vectors = { a: randomVector(draw, 200), b: randomVector(draw, 200), c: randomVector(draw, 200) };
    for (let seed = 0; seed < 40 * CASES; seed++) {
      const bytes = written(table(vectors), draw).slice();
      for (let i = 0; i <= below(draw, 3); i++) bytes[below(draw, bytes.length)] = below(draw, 256);
      const found = readFlatParquet("t", bytes);
      if (found) for (const { rows, columns } of found.batches) for (const one of columns) expect(cellsOf(one).length).toBe(rows);
    }
  });
});

describe("what parquet-wasm reads", () => {
  const one = (vector: arrow.Vector) =>
    parquet.writeParquet(parquet.Table.fromIPCStream(arrow.tableToIPC(table({ x: vector }), "stream")));

  it.each([
    ["dates", arrow.vectorFromArray([new Date(0)], new arrow.DateDay())],
    ["points in time", arrow.vectorFromArray([new Date(0)], new arrow.TimestampMillisecond())],
    ["durations, which are stored as numbers", arrow.vectorFromArray([7n], new arrow.DurationSecond())],
    ["truth values", arrow.vectorFromArray([true], new arrow.Bool())],
    ["whole numbers beyond 2^53, which are ids", arrow.vectorFromArray([2n ** 60n], new arrow.Int64())],
    ["whole numbers of 32 bits without sign", arrow.vectorFromArray([2 ** 32 - 1], new arrow.Uint32())],
  ])("has %s", (_, vector) => {
    expect(readFlatParquet("t", one(vector as arrow.Vector))).toBeUndefined();
  });
});

describe("Snappy", () => {
  const unpacked = (size: number, ...bytes: number[]) => {
    const out = new Uint8Array(size);
    unsnappy(Uint8Array.from(bytes), out);
    return String.fromCharCode(...out);
  };

  it("has literals and copies, which may overlap what they write", () => {
    expect(unpacked(7, 7, (2 - 1) << 2, 97, 98, ((5 - 4) << 2) | 1, 2)).toBe("abababa");
  });

  it.each([
    ["another size", [3, 0, 97]],
    ["a literal that ends early", [2, (2 - 1) << 2, 97]],
    ["a copy from before the beginning", [6, 0, 97, ((5 - 4) << 2) | 1, 2]],
    ["a copy from nowhere", [6, 0, 97, ((5 - 4) << 2) | 1, 0]],
    ["nothing", []],
  ])("is refused with %s", (_, bytes) => {
    expect(() => unpacked(bytes[0] === 3 ? 2 : (bytes[0] ?? 1), ...bytes)).toThrow(RangeError);
  });
});
