/** What `evaluate` measures: the scores that a model gives to data, or those of a run file, with the judged lists they belong to. */
import { type Joined, joinScores } from "../data/join-scores.ts";
import { judged } from "../evaluate.ts";
import { readBytes } from "../formats/data/read.ts";
import { readModel } from "../formats/models/files.ts";
import { isRun, parseRun } from "../formats/runs/trec.ts";
import { Mistake } from "../mistake.ts";
import type { Dataset, Metric } from "../types.ts";
import { load } from "./load.ts";
import { cacheOf, givenReading, readingOf, unknownFeatures } from "./options.ts";
import { notice } from "./output.ts";

export interface Judging {
  readonly quiet?: true;
  readonly complete?: true; // lists that a run leaves out count too
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

/** `path` is a model file or a run; `files` are the judged data. */
export async function loadJudged(
  path: string,
  files: readonly string[],
  options: Judging,
  metrics: readonly Metric[],
): Promise<{ readonly data: Dataset; readonly scores: Float64Array }> {
  const how = { quiet: options.quiet ?? false, cache: cacheOf(options) };
  const bytes = await readBytes(path, isRun);
  if (bytes) {
    const run = parseRun(path, bytes);
    const data = await load(files, { ...how, reading: givenReading({ ...options }) });
    const joined = join(path, files, () => joinScores(data, run.lists, { complete: options.complete ?? false }));
    if (!how.quiet) for (const line of remarks(path, run.tag, joined, options.complete ?? false)) notice(line);
    return joined;
  }
  const { model, training } = readModel(path);
  const reading = readingOf(path, training, { ...options });
  const data = await load(files, { ...how, reading, columns: model.columns, training, unknown: unknownFeatures(options) });
  return judged(model, data, metrics);
}

function join(path: string, files: readonly string[], joined: () => Joined): Joined {
  try {
    return joined();
  } catch (error) {
    throw error instanceof Mistake ? new Mistake(`${path} with ${files.join(", ")}: ${error.message}`) : error;
  }
}

function remarks(path: string, tag: string, { data, unscored, unknown, unjudged, missing }: Joined, complete: boolean): string[] {
  const many = (count: number, noun: string) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
  return [
    `${path}: the run ${tag} of ${many(data.starts.length - 1 - (complete ? unscored : 0), "list")}`,
    ...(unscored > 0
      ? [`${many(unscored, "judged list")} not in the run, ${complete ? "nothing found" : "left out (-c counts them)"}`]
      : []),
    ...(unknown > 0 ? [`${many(unknown, "list")} of the run not judged and left out`] : []),
    ...(unjudged > 0 ? [`${many(unjudged, "document")} of the run not judged, taken as label 0`] : []),
    ...(missing > 0 ? [`${many(missing, "judged document")} not in the run, counted as not found`] : []),
  ];
}
