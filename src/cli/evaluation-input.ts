/** The input of `evaluate`: scores of a model or a run file, with the judged lists they belong to. */
import { counted } from "../counted.ts";
import { type JoinedScores, joinScores } from "../data/join-scores.ts";
import { evaluationScores } from "../evaluate.ts";
import { shownPaths } from "../formats/data/columnar/query-path.ts";
import { readBytes } from "../formats/data/file-bytes.ts";
import type { ReadOptions } from "../formats/data/read-options.ts";
import { isRun, parseRun } from "../formats/runs/trec.ts";
import { InputError } from "../input-error.ts";
import type { Dataset, Metric } from "../types.ts";
import { load } from "./load.ts";
import { cacheOf, readingFromModel, readingOptions } from "./options.ts";
import { notice } from "./output.ts";
import { readModelWith } from "./own-code.ts";
import { loadForModel, type ScoringOptions } from "./scoring-input.ts";

export interface EvaluationInputOptions extends ScoringOptions {
  readonly complete?: true; // lists that a run leaves out count too
}

export interface EvaluationInput {
  readonly data: Dataset;
  readonly scores: Float64Array;
  /** How the data were read. */
  readonly reading: Partial<ReadOptions>;
}

/** `path` is a model file or a run; `files` are the judged data. */
export async function loadForEvaluation(
  path: string,
  files: readonly string[],
  options: EvaluationInputOptions,
  metrics: readonly Metric[],
  labels: "required" | "optional" = "required",
): Promise<EvaluationInput> {
  const how = { quiet: options.quiet ?? false, cache: cacheOf(options) };
  const bytes = await readBytes(path, isRun);
  if (bytes) {
    const run = parseRun(path, bytes);
    const reading = readingOptions({ ...options });
    const data = await load(files, { ...how, labels, whole: true, reading });
    const joined = join(path, files, () => joinScores(data, run.lists, { complete: options.complete ?? false }));
    if (!how.quiet) for (const line of remarks(path, run.tag, joined, options.complete ?? false)) notice(line);
    return { ...joined, reading };
  }
  const file = await readModelWith(path, options);
  const reading = readingFromModel(path, file.training, { ...options });
  return { ...evaluationScores(file.model, await loadForModel(path, file, files, options, { labels }), metrics), reading };
}

function join(path: string, files: readonly string[], joined: () => JoinedScores): JoinedScores {
  try {
    return joined();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${path} with ${shownPaths(files)}: ${error.message}`) : error;
  }
}

function remarks(
  path: string,
  tag: string,
  { data, unscored, unknown, unjudged, missing }: JoinedScores,
  complete: boolean,
): string[] {
  return [
    `${path}: the run ${tag} of ${counted(data.starts.length - 1 - (complete ? unscored : 0), "list")}`,
    ...(unscored > 0
      ? [`${counted(unscored, "judged list")} not in the run, ${complete ? "nothing found" : "left out (-c counts them)"}`]
      : []),
    ...(unknown > 0 ? [`${counted(unknown, "list")} of the run not judged and left out`] : []),
    ...(unjudged > 0 ? [`${counted(unjudged, "document")} of the run not judged, taken as label 0`] : []),
    ...(missing > 0 ? [`${counted(missing, "judged document")} not in the run, counted as not found`] : []),
  ];
}
