/** Reads the battles of `tierwise leaderboard`. */
import { type Battles, NO_SLICE } from "../data/battles.ts";
import type { ResultColumnOptions } from "../formats/data/battle-columns.ts";
import { shownPaths } from "../formats/data/columnar/query-path.ts";
import { readBattles } from "../formats/data/read-battles.ts";
import { resultColumns } from "./battle-columns.ts";
import type { Options } from "./leaderboard-settings.ts";
import { skippedLines } from "./options.ts";
import { figure, notice } from "./output.ts";
import { progress } from "./progress.ts";

/** The battles; the time is read as a slice. */
export async function loadBattles(
  files: readonly string[],
  options: Pick<Options, "judge" | "cluster" | "by" | "time" | "weight" | "covariates" | "skipLines"> & ResultColumnOptions,
  quiet: boolean,
): Promise<Battles> {
  const { judge, cluster = judge, by, time, weight, covariates } = options;
  const slices = by ?? time;
  const bar = progress("Reading", quiet);
  let leftOut = "";
  try {
    const data = await readBattles(files, {
      ...{ ...resultColumns(options), ...skippedLines(options) },
      ...(cluster !== undefined && { cluster }),
      ...(slices !== undefined && { by: slices, emptySlices: by !== undefined }),
      ...(weight !== undefined && { weight }),
      ...(covariates !== undefined && { covariates: covariates.split(",").map((name) => name.trim()) }),
      progress: (read, total) => bar.at(read / total, `${(read / 1e6).toFixed(1)} MB`),
      notice: (text) => void (leftOut = text),
    });
    bar.done();
    const battles = data.counts.reduce((sum, count) => sum + count, 0);
    if (!quiet) {
      notice(`${shownPaths(files)}: ${figure(battles)} battles of ${data.items.length} items`);
      if (leftOut !== "") notice(leftOut);
      const unsliced = data.slices ? sumOf(data.counts, (r) => data.slices![r] === NO_SLICE) : 0;
      if (unsliced > 0)
        notice(`${figure(unsliced)} battles have an empty ${by}: they are in no slice, and in the leaderboard of all battles`);
    }
    return data;
  } finally {
    bar.done();
  }
}

const sumOf = (counts: Float64Array, counted: (row: number) => boolean) =>
  counts.reduce((sum, count, row) => (counted(row) ? sum + count : sum), 0);
