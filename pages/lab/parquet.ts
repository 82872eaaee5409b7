/**
 * Parquet files in the page, read by the package that the command line uses, so that data have the same values. It is bundled, and loaded when the
 * first such file comes. Its WebAssembly is a gzipped text in a script, since the policy of the page allows no other request.
 */
import { initSync, readParquet, readSchema } from "parquet-wasm/esm";
import { readStream } from "../../src/formats/data/columnar/arrow-messages.ts";
import { packages } from "../../src/formats/data/columnar/imported-packages.ts";
import { InputError } from "../../src/input-error.ts";

/** Makes the package known to the readers of the library. */
export async function loadParquet(): Promise<void> {
  if (packages.parquet) return;
  const { default: packed } = await import("virtual:parquet-wasm");
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  initSync({ module: await new Response(stream).arrayBuffer() });
  packages.parquet = { readParquet };
}

/** The names of its columns. */
export function parquetColumns(name: string, bytes: Uint8Array): string[] {
  try {
    return readStream(name, readSchema(bytes).intoIPCStream()).fields.map((field) => field.name);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${name}: the file is damaged, or uses what this page cannot read (${String(error).split("\n")[0]})`);
  }
}
