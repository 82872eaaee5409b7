/** Files of random data: read by 1, 2 and 3 threads in segments of random length, whole and in pieces, to the same arrays. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentOf } from "../../fuzz/content.ts";
import { parseData } from "../../src/formats/data/parse.ts";
import { readData } from "../../src/formats/data/read.ts";
import { InputError } from "../../src/input-error.ts";
import { below } from "../../src/numeric/random.ts";
import type { Dataset, Random } from "../../src/types.ts";
import { randomData } from "../../test/random-cases.ts";
import { valuesOf } from "../../test/random-trees.ts";
import { type Check, each, Finding } from "../check.ts";

/** The data as SVMlight text, with gaps where values are missing or 0. */
function svmlight(data: Dataset, draw: Random): string {
  const { starts, labels, features } = data;
  const values = valuesOf(features);
  const lines: string[] = [];
  const end = draw() < 0.2 ? "\r\n" : "\n";
  for (let q = 0; q + 1 < starts.length; q++)
    for (let row = starts[q]!; row < starts[q + 1]!; row++) {
      const cells = Array.from({ length: features.columns }, (_, c) => values[row * features.columns + c]!);
      const tokens = cells.flatMap((value, c) =>
        Number.isNaN(value) || (value === 0 && draw() < 0.5) ? [] : [`${c + 1}:${value}`],
      );
      lines.push(`${[labels[row], `qid:${q + 1}`, ...tokens].join(" ")}${draw() < 0.05 ? " # note" : ""}${end}`);
      if (draw() < 0.01) lines.push(end);
    }
  if (draw() < 0.05) lines.splice(below(draw, lines.length + 1), 0, `1 qid:x 1:oops${end}`); // an error that all ways of reading must report
  return lines.join("");
}

function csv(data: Dataset, draw: Random): string {
  const { starts, labels, features } = data;
  const values = valuesOf(features);
  const quoted = (cell: string) => (draw() < 0.05 ? `"${cell}"` : cell);
  const header = ["label", "qid", ...Array.from({ length: features.columns }, (_, c) => `x${c}`)].join(",");
  const lines: string[] = [header];
  for (let q = 0; q + 1 < starts.length; q++)
    for (let row = starts[q]!; row < starts[q + 1]!; row++) {
      const cells = Array.from({ length: features.columns }, (_, c) => values[row * features.columns + c]!);
      lines.push(
        [labels[row]!, `q${q}`, ...cells.map((value) => (Number.isNaN(value) ? "" : value))].map(String).map(quoted).join(","),
      );
    }
  return `${lines.join("\n")}\n`;
}

/** What was read, or the line that refuses it. */
async function content(path: string, read: () => Promise<Dataset> | Dataset): Promise<string> {
  try {
    return contentOf(await read());
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return `refused: ${error.message.replaceAll(path, "file")}`;
  }
}

async function check(number: number, draw: Random): Promise<string> {
  const data = randomData(draw, "rows", 1 + below(draw, 12));
  const table = draw() < 0.3;
  const text = table ? csv(data, draw) : svmlight(data, draw);
  const bytes = new TextEncoder().encode(text);
  const folder = mkdtempSync(join(tmpdir(), "tierwise-soak-"));
  const path = join(folder, table ? "data.csv" : "data.txt");
  const storage = (["auto", "dense", "sparse"] as const)[below(draw, 3)]!;
  try {
    writeFileSync(path, bytes);
    const whole = await content(path, () => parseData([{ name: path, content: bytes }], { storage }).data);
    const ways = number % 4 === 0 ? [1, 2, 3] : [1]; // threads take long to start
    for (const threads of ways) {
      const segment = 1 + below(draw, 24); // short, since one thread reads the first 256 segments, and each needs 64
      const got = await content(path, async () => (await readData([path], { storage, threads, segment })).data);
      if (got !== whole)
        throw new Finding(
          `${threads} threads, segments of ${segment} bytes, ${storage}: ${got} instead of ${whole}: ${JSON.stringify(text.slice(0, 2000))}`,
        );
    }
    return whole;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const readers: Check = {
  id: "readers",
  about: "data files by 1 to 3 threads against the same bytes parsed at once",
  batch: 20,
  run: each(check),
};
