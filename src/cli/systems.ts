/** Loads the systems to compare: models, runs, or saved values. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { systemValues } from "../compare.ts";
import { counted } from "../counted.ts";
import { joinScores } from "../data/join-scores.ts";
import { oneWord } from "../data/names.ts";
import { evaluate, evaluateScores } from "../evaluate.ts";
import { isQuery, shownPaths } from "../formats/data/columnar/query-path.ts";
import { readBytes } from "../formats/data/file-bytes.ts";
import { isRun, parseRun } from "../formats/runs/trec.ts";
import { textOfSmall } from "../formats/small-files.ts";
import { isValuesFile, parseValues, type SystemValues } from "../formats/values.ts";
import { InputError } from "../input-error.ts";
import type { Columns, Dataset, Metric, Model } from "../types.ts";
import { alignTo, checkReadable, load } from "./load.ts";
import { cacheOf, readingFromModel, readingOptions, unknownFeatures } from "./options.ts";
import { notice } from "./output.ts";
import { readModelWith } from "./own-code.ts";
import type { ScoringOptions } from "./scoring-input.ts";

interface Options extends ScoringOptions {
  readonly data?: readonly string[];
  readonly complete?: true; // lists that a run lacks count, with nothing found
}

/** What each system reaches on each list. The last argument is the data file, unless --data names them or no system needs any. */
export async function systemsOf(words: readonly string[], metrics: readonly Metric[], options: Options): Promise<SystemValues[]> {
  await checkReadable([...words, ...(options.data ?? [])]);
  const kept = words.map((word) => isValuesFile(beginning(word)));
  const [paths, files] = options.data
    ? [words, options.data]
    : kept.every(Boolean)
      ? [words, []]
      : [words.slice(0, -1), words.slice(-1)];
  if (paths.length < 2)
    throw new InputError(
      `compare: expected at least two systems and then the data, got ${words.length} file${words.length === 1 ? "" : "s"}`,
    );
  const read = reader(files, options);
  const systems: SystemValues[] = [];
  let runs = false;
  for (const [i, path] of paths.entries()) {
    const bytes = kept[i] ? undefined : await readBytes(path, isRun);
    if (kept[i]) systems.push({ ...parseValues(textOfSmall(path), path), name: path });
    else if (bytes) {
      runs = true;
      systems.push(runOf(path, bytes, await read(readingOptions({ ...options })), metrics, options));
    } else {
      const { model, training } = await readModelWith(path, options);
      const data = fitted(
        path,
        model,
        await read(readingFromModel(path, training, { ...options }), model.columns),
        files,
        options,
      );
      systems.push(systemValues(path, evaluate(model, data, metrics), data));
    }
  }
  // In a run names are single words.
  return runs ? systems.map((system) => ({ ...system, lists: system.lists.map(oneWord) })) : systems;
}

function runOf(path: string, bytes: Uint8Array, judged: Dataset, metrics: readonly Metric[], options: Options): SystemValues {
  const { lists } = parseRun(path, bytes);
  const { data, scores, unknown, unjudged, missing } = about(path, () =>
    joinScores(judged, lists, { complete: options.complete ?? false }),
  );
  const remarks = [
    ...(unknown > 0 ? [`${counted(unknown, "list")} of the run ${unknown === 1 ? "is" : "are"} not judged and left out`] : []),
    ...(unjudged > 0
      ? [`${counted(unjudged, "document")} of the run ${unjudged === 1 ? "is" : "are"} not judged, taken as label 0`]
      : []),
    ...(missing > 0
      ? [`${counted(missing, "judged document")} ${missing === 1 ? "is" : "are"} not in the run, counted as not found`]
      : []),
  ];
  if (!options.quiet) for (const line of remarks) notice(`${path}: ${line}`);
  return systemValues(path, evaluateScores(scores, data, metrics), data);
}

/** The data, once for each way in which models want them read. */
function reader(files: readonly string[], options: Options) {
  const read = new Map<string, Dataset>();
  return async (reading: ReturnType<typeof readingFromModel>, columns?: Columns): Promise<Dataset> => {
    const encoding = columns?.encoding;
    const key = JSON.stringify([Object.entries(reading).sort(), encoding]);
    const how = { reading, quiet: options.quiet ?? false, cache: cacheOf(options), ...unknownFeatures(options) };
    const found = read.get(key) ?? (await load(files, { ...how, ...(encoding && { encoding }) }));
    read.set(key, found);
    return found;
  };
}

/** The data with the columns of the model; features that it needs and the data lack are an error, or where they are numbered a remark. */
function fitted(
  path: string,
  { columns, labelSpace }: Model,
  data: Dataset,
  files: readonly string[],
  options: Options,
): Dataset {
  const who = `${path} cannot score ${shownPaths(files)}`;
  const { data: found, notices } = alignTo(columns, data, who, unknownFeatures(options));
  const last = data.base + data.features.columns - 1;
  const lacking = columns.names || labelSpace ? 0 : columns.base + columns.count - 1 - last;
  const remarks =
    lacking > 0 ? [`${path}: the model knows ${counted(lacking, "feature")} after ${last}, which the data do not have`] : [];
  if (!options.quiet) for (const line of [...notices.map((one) => `${path}: ${one}`), ...remarks]) notice(line);
  return found;
}

/** Errors with a prefix that names the file. */
function about<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${what}: ${error.message}`) : error;
  }
}

/** The first characters of a file; nothing of what can be read only once, or is no single file (a query, a pattern). */
function beginning(path: string): string {
  if (path === "-" || isQuery(path) || !statSync(path, { throwIfNoEntry: false })?.isFile()) return "";
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(100);
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)));
  } finally {
    closeSync(file);
  }
}
