/** Writes Parquet files. */
import type * as Arrow from "apache-arrow";
import { importParquetWriter } from "./packages.ts";

/** The bytes of a Parquet file (Snappy) with these columns. */
export async function writeParquet(
  columns: Readonly<Record<string, readonly string[] | Float64Array | Int32Array>>,
): Promise<Uint8Array> {
  const { parquet, arrow } = await importParquetWriter("writing Parquet");
  const vectorOf = (values: readonly string[] | Float64Array | Int32Array): Arrow.Vector => {
    if (values instanceof Float64Array) return arrow.makeVector(values);
    return values instanceof Int32Array ? arrow.makeVector(values) : arrow.vectorFromArray(values, new arrow.Utf8());
  };
  const vectors = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, vectorOf(values)]));
  const properties = new parquet.WriterPropertiesBuilder().setCompression(parquet.Compression.SNAPPY).build();
  return parquet.writeParquet(parquet.Table.fromIPCStream(arrow.tableToIPC(new arrow.Table(vectors), "stream")), properties);
}
