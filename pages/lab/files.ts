/** Files that are dropped on the lab: unpacked where they are gzipped, and looked at for the columns of a table. */
import type { Reading } from "./messages.ts";

export interface DroppedFile {
  /** Without .gz. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Columns of a table that may be chosen; empty for other formats, and for Parquet and Arrow until the worker has opened the file. */
  readonly columns: readonly string[];
}

export async function openFile(file: File): Promise<DroppedFile> {
  const packed = file.name.toLowerCase().endsWith(".gz");
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const name = packed ? file.name.slice(0, -3) : file.name;
  return { name, bytes, columns: /\.(csv|tsv)$/i.test(name) ? columnsOf(bytes) : [] };
}

/** Whether bytes are a Parquet or Arrow file, which the worker opens. */
export function columnarKind(bytes: Uint8Array): "parquet" | "arrow" | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 6));
  return head.startsWith("PAR1") ? "parquet" : head === "ARROW1" ? "arrow" : undefined;
}

/** The names in the first line of a table. */
function columnsOf(bytes: Uint8Array): string[] {
  const text = new TextDecoder().decode(bytes.subarray(0, 1 << 16)).replace(/^\uFEFF/, "");
  const [line = ""] = text.split(/\r?\n/);
  const delimiter = ["\t", ";", ","].find((one) => line.includes(one)) ?? ",";
  const cells = line.match(new RegExp(`("([^"]|"")*"|[^${delimiter}]*)(${delimiter}|$)`, "g")) ?? [];
  return cells
    .map((cell) =>
      cell
        .replace(new RegExp(`${delimiter}$`), "")
        .trim()
        .replace(/^"|"$/g, "")
        .replaceAll('""', '"'),
    )
    .filter((name) => name !== "");
}

/** The options of the command line that say the same, for a command that the reader can run. */
export function commandText(name: string, reading: Reading, model: string, objective: string, seed: number): string {
  const quoted = (text: string) => (/^[\w.,:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const options = Object.entries(reading).map(([key, value]) => `--${key} ${quoted(value)}`);
  return ["tierwise train", quoted(name), ...options, `--model ${quoted(model)}`, `--objective ${quoted(objective)}`, ...(seed === 1 ? [] : [`--seed ${seed}`]), "--out model.json"].join(" "); // biome-ignore format: one line
}
