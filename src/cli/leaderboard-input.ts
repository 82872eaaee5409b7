/** Reads the battles of `tierwise leaderboard`. */
import type { Battles } from "../data/battles.ts";
import { readBattles } from "../formats/data/read-battles.ts";
import type { Options } from "./leaderboard-settings.ts";
import { figure, notice } from "./output.ts";
import { progress } from "./progress.ts";

/** The battles; the time is read as a slice. */
export async function loadBattles(
  files: readonly string[],
  {
    judge,
    cluster = judge,
    by,
    time,
    weight,
    covariates,
  }: Pick<Options, "judge" | "cluster" | "by" | "time" | "weight" | "covariates">,
  quiet: boolean,
): Promise<Battles> {
  const slices = by ?? time;
  const bar = progress("Reading", quiet);
  try {
    const data = await readBattles(files, {
      ...(cluster !== undefined && { cluster }),
      ...(slices !== undefined && { by: slices }),
      ...(weight !== undefined && { weight }),
      ...(covariates !== undefined && { covariates: covariates.split(",").map((name) => name.trim()) }),
      progress: (read, total) => bar.at(read / total, `${(read / 1e6).toFixed(1)} MB`),
    });
    bar.done();
    const battles = data.counts.reduce((sum, count) => sum + count, 0);
    if (!quiet) notice(`${files.join(", ")}: ${figure(battles)} battles of ${data.items.length} items`);
    return data;
  } finally {
    bar.done();
  }
}
