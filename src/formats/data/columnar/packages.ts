/**
 * Packages that only some files need: imported when the first such file is read or written, and named where they are missing. Modules that
 * browsers load see those imported before (`imported-packages.ts`), so that a bundle for a page holds none of them.
 */
import type * as DuckDB from "@duckdb/node-api";
import type * as Arrow from "apache-arrow";
import type * as Parquet from "parquet-wasm";
import { InputError } from "../../../input-error.ts";
import { packages } from "./imported-packages.ts";

const [PARQUET, ARROW] = ["parquet-wasm", "apache-arrow"];

/** Imports what reading a format of this name needs. */
export async function importFor(format: string, file: string): Promise<void> {
  if (format === "parquet") await importParquet(`${file}: this is Parquet, and reading it`);
}

/** What reads Parquet; `what` needs it, such as "x.parquet: this is Parquet, and reading it". */
export async function importParquet(what: string, install: string = PARQUET): Promise<typeof Parquet> {
  const parquet = await load<typeof Parquet>(what, PARQUET, install);
  packages.parquet = parquet;
  return parquet;
}

/** What writes Parquet, from tables of Arrow. */
export async function importParquetWriter(what: string): Promise<{ parquet: typeof Parquet; arrow: typeof Arrow }> {
  const install = `${PARQUET} ${ARROW}`;
  return { parquet: await importParquet(what, install), arrow: await load<typeof Arrow>(what, ARROW, install) };
}

export const importDuckDB = (what: string): Promise<typeof DuckDB> => load(what, "@duckdb/node-api", "@duckdb/node-api");

/** The name is no literal where it is imported, so that bundlers leave the package, which has binaries, to Node. */
async function load<M>(what: string, name: string, install: string): Promise<M> {
  try {
    return (await import(/* @vite-ignore */ name)) as M;
  } catch (error) {
    const { code, message = "" } = error as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const why = isMissing ? "is not installed" : `cannot be loaded (${message.split("\n")[0]})`;
    throw new InputError(`${what} needs the package ${name}, which ${why}: npm install ${install}`);
  }
}
