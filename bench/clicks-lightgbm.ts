/** LightGBM on the impressions of a simulated log (clicks-rivals.py): the data are handed over in files, and it answers with scores of the test lists. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ClickLog, Dataset } from "../src/index.ts";

const python = process.env.PYTHON ?? "python3";
const script = fileURLToPath(new URL("../../bench/clicks-rivals.py", import.meta.url));

/** Data to train on, to choose the round with and to measure on. */
export interface Sets {
  readonly train: Dataset;
  readonly valid: Dataset;
  readonly test: Dataset;
}

/** Scores of the test lists by LightGBM trained on clicks alone, with the positions, and on true labels; undefined where it is not installed. */
export function lightgbmScores(sets: Sets, log: ClickLog): Readonly<Record<string, Float64Array>> | undefined {
  const folder = mkdtempSync(join(tmpdir(), "tierwise-clicks-"));
  try {
    writeImpressions(folder, log, sets.train.features.columns);
    for (const [name, data] of Object.entries(sets)) writeJudged(folder, name, data);
    const columns = [sets.train, sets.valid, sets.test].map((data) => String(data.features.columns));
    const { status, stderr } = spawnSync(python, [script, folder, ...columns], { encoding: "utf8" });
    if (status !== 0) {
      console.log(`LightGBM is left out: ${stderr?.trim().split("\n").at(-1) ?? `${python} does not run`}`);
      return undefined;
    }
    const scores = (name: string) => new Float64Array(Uint8Array.from(readFileSync(join(folder, name))).buffer);
    return {
      "LightGBM, clicks": scores("naive"),
      "LightGBM, position file": scores("positions"),
      "LightGBM, true labels": scores("labels"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const put = (folder: string, name: string, array: ArrayBufferView) =>
  writeFileSync(join(folder, name), new Uint8Array(array.buffer, array.byteOffset, array.byteLength));

const MOST_VALUES = 3e8; // features of all rows: 1.2 GB of memory
const PAGE = 10;

/** The impressions with a click, as far as memory goes. */
function writeImpressions(folder: string, log: ClickLog, columns: number): void {
  const used = Array.from(log.query.keys())
    .filter((i) => log.clicked.subarray(log.starts[i]!, log.starts[i + 1]!).includes(1))
    .slice(0, Math.floor(MOST_VALUES / PAGE / columns));
  const length = (i: number) => log.starts[i + 1]! - log.starts[i]!;
  const entries = used.flatMap((i) => Array.from({ length: length(i) }, (_, at) => log.starts[i]! + at));
  const pick = (from: ArrayLike<number>) => entries.map((e) => from[e]!);
  put(folder, "rows", Uint32Array.from(pick(log.document)));
  put(folder, "clicks", Float32Array.from(pick(log.clicked)));
  put(folder, "positions", Uint32Array.from(pick(log.position)));
  put(folder, "groups", Uint32Array.from(used, length));
}

function writeJudged(folder: string, name: string, { features, labels, starts }: Dataset): void {
  const { rows, columns } = features;
  let values = features.values;
  if (features.kind !== "dense") {
    values = new Float32Array(rows * columns).fill(features.absent);
    for (let row = 0; row < rows; row++)
      for (let at = features.starts[row]!; at < features.starts[row + 1]!; at++)
        values[row * columns + features.indices[at]!] = features.values[at]!;
  }
  put(folder, `${name}.features`, values);
  put(folder, `${name}.labels`, labels);
  put(
    folder,
    `${name}.groups`,
    Uint32Array.from({ length: starts.length - 1 }, (_, q) => starts[q + 1]! - starts[q]!),
  );
}
