/** Small valid files of columnar formats. */
import * as arrow from "apache-arrow";
import { importParquet } from "../src/formats/data/columnar/packages.ts";

const { parquet } = await importParquet("fuzzing"); // and for the readers

const tables = [
  arrow.tableFromArrays({ qid: Int32Array.of(1, 1, 2, 2), label: Int32Array.of(1, 0, 2, 0), x: Float32Array.of(0.5, -1, 3, 7) }),
  arrow.tableFromArrays({ qid: ["a", "a", "b"], docid: ["d", "e", "f"], label: [1, null, 2], x: [0.5, null, 1e9], y: [1, 2, 3] }),
];

const compressions = [parquet.Compression.UNCOMPRESSED, parquet.Compression.SNAPPY];

export const parquetSamples: readonly Uint8Array[] = tables.flatMap((table) =>
  compressions.map((compression) =>
    parquet.writeParquet(
      parquet.Table.fromIPCStream(arrow.tableToIPC(table, "stream")),
      new parquet.WriterPropertiesBuilder().setCompression(compression).build(),
    ),
  ),
);
