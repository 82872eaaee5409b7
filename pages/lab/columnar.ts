/**
 * Parquet and Arrow files in the page, read by the packages that the command line uses, so that data have the same values. They are bundled, and
 * loaded when the first such file comes. The WebAssembly of parquet-wasm is a gzipped text in a script, since the policy of the page allows no
 * other request.
 */
import { tableFromIPC, Vector } from "apache-arrow";
import { initSync, readParquet, readSchema } from "parquet-wasm/esm";
import { packages } from "../../src/formats/data/columnar/imported-packages.ts";
import { InputError } from "../../src/input-error.ts";

export type Columnar = "parquet" | "arrow";

/** Makes the packages known to the readers of the library. */
export async function loadColumnar(kind: Columnar): Promise<void> {
  packages.arrow ??= { tableFromIPC, Vector };
  if (kind === "arrow" || packages.parquet) return;
  const { default: packed } = await import("virtual:parquet-wasm");
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  initSync({ module: await new Response(stream).arrayBuffer() });
  packages.parquet = { readParquet };
}

/** The names of its columns. */
export function columnsOf(kind: Columnar, name: string, bytes: Uint8Array): string[] {
  try {
    const { schema } = tableFromIPC(kind === "parquet" ? readSchema(bytes).intoIPCStream() : bytes);
    return schema.fields.map((field) => field.name);
  } catch (error) {
    throw new InputError(`${name}: the file is damaged, or uses what this page cannot read (${String(error).split("\n")[0]})`);
  }
}
