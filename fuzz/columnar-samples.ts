/** Small valid files of columnar formats. */
import * as arrow from "apache-arrow";
import { importParquet } from "../src/formats/data/columnar/packages.ts";

const parquet = await importParquet("fuzzing"); // and for the readers

const tables = [
  arrow.tableFromArrays({ qid: Int32Array.of(1, 1, 2, 2), label: Int32Array.of(1, 0, 2, 0), x: Float32Array.of(0.5, -1, 3, 7) }),
  arrow.tableFromArrays({ qid: ["a", "a", "b"], docid: ["d", "e", "f"], label: [1, null, 2], x: [0.5, null, 1e9], y: [1, 2, 3] }),
];

/** Types that Parquet files of this writer lack, nested ones among them. */
const typed = new arrow.Table({
  qid: arrow.vectorFromArray(["a", "a", "b"], new arrow.Utf8()),
  label: arrow.vectorFromArray([1, 0, 2], new arrow.Int8()),
  on: arrow.vectorFromArray([true, null, false], new arrow.Bool()),
  day: arrow.vectorFromArray([new Date(0), null, new Date(86_400_000)], new arrow.DateDay()),
  at: arrow.vectorFromArray([1e12, null, 3e12], new arrow.TimestampMillisecond()),
  lap: arrow.vectorFromArray([90_500, null, 0], new arrow.TimeMillisecond()),
  took: arrow.vectorFromArray([1n, null, -90_500n], new arrow.DurationMillisecond()),
  none: arrow.vectorFromArray([null, null, null], new arrow.Null()),
  v: arrow.vectorFromArray([[1, 2], [3], null], new arrow.List(new arrow.Field("item", new arrow.Float32(), true))),
  tags: arrow.vectorFromArray([["new", "sale"], [], ["new", null]], new arrow.List(new arrow.Field("item", new arrow.Utf8(), true))), // biome-ignore format: one column
  p: arrow.vectorFromArray(
    [{ x: 1, y: "s" }, null, { x: null, y: "t" }],
    new arrow.Struct<{ x: arrow.Float64; y: arrow.Utf8 }>([
      new arrow.Field("x", new arrow.Float64(), true),
      new arrow.Field("y", new arrow.Utf8(), true),
    ]),
  ),
  two: arrow.vectorFromArray([[1, 2], [3, 4], [5, 6]], new arrow.FixedSizeList(2, new arrow.Field("item", new arrow.Int16(), true))), // biome-ignore format: one column
});

const compressions = [parquet.Compression.UNCOMPRESSED, parquet.Compression.SNAPPY];

export const arrowSamples: readonly Uint8Array[] = [...tables, typed].flatMap((table) => [
  arrow.tableToIPC(table, "file"),
  arrow.tableToIPC(table, "stream"),
]);

export const parquetSamples: readonly Uint8Array[] = tables.flatMap((table) =>
  compressions.map((compression) =>
    parquet.writeParquet(
      parquet.Table.fromIPCStream(arrow.tableToIPC(table, "stream")),
      new parquet.WriterPropertiesBuilder().setCompression(compression).build(),
    ),
  ),
);
