/**
 * Scores that other tools gave to the test lists, one file for each tool and data set: JSON, gzipped, as bench/score-files.py writes it. They are
 * evaluated here like those of our own models, by the same metrics. Files name the data that they belong to by a digest of each fold.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { evaluateScores, InputError, metricList } from "../src/index.ts";
import { codeDigest, TRAINING } from "./code-digest.ts";
import { type DataSet, type Found, packageFolder } from "./data-sets.ts";
import { foldDigest } from "./fold-digest.ts";
import { checkNesting, quote } from "./internal.ts";
import type { Cell, Json, Lab } from "./paper.ts";
import { type Contest, contests, type Entrant, type System } from "./systems.ts";
import { judged, loadFold, type Outcome } from "./trial.ts";

/** The scores of a tool on the folds of a data set. */
export interface ScoreFile {
  readonly path: string;
  readonly tool: string; // "CatBoost"
  readonly toolVersion: string;
  readonly objective: string; // as the tool calls it
  readonly settings: Readonly<Record<string, Json>>; // that differ from its defaults
  readonly data: string; // id of the data set
  readonly folds: readonly ScoredFold[];
}

export interface ScoredFold {
  readonly digest: string; // of training, validation and test data
  readonly rounds: number;
  readonly best: number; // the round that was kept
  readonly seconds: number;
  readonly processor: number; // seconds of processor time
  readonly lists: readonly (readonly number[])[]; // scores of the test lists
}

const FORMAT = "tierwise scores";
const REMEDY = "write it again with bench/score-files.py";

/** The name of a tool in tables. */
export const toolName = ({ tool, toolVersion, objective }: ScoreFile) => `${tool} ${toolVersion} ${objective}`;

/** The score files of a folder, which only the repository has: the published package is without, and so are its tables. */
export function readScoreFiles(folder = packageFolder("papers/scores")): ScoreFile[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json.gz")) : [];
  const files = names.sort().map((name) => parseScores(join(folder, name), readFileSync(join(folder, name))));
  const known = new Map<string, ScoreFile>();
  for (const file of files) {
    const key = `${file.data} ${toolName(file)}`;
    const other = known.get(key);
    if (other)
      throw new InputError(`${file.path}: scores of ${toolName(file)} on ${file.data} are in ${other.path} too; remove one`);
    known.set(key, file);
  }
  return files;
}

export function parseScores(path: string, bytes: Uint8Array): ScoreFile {
  const damaged = (what: string) => new InputError(`${path}: the score file is damaged: ${what}; ${REMEDY}`);
  const { format, version, tool, toolVersion, objective, settings, data, folds } = parsedJson(path, bytes, damaged);
  if (format !== FORMAT) throw new InputError(`${path}: not a score file of bench/score-files.py`);
  if (version !== 1)
    throw new InputError(`${path}: the score file has version ${JSON.stringify(version)}, and only 1 is known; ${REMEDY}`);
  if (!isText(tool) || !isText(toolVersion) || !isText(objective))
    throw damaged("expected tool, toolVersion and objective as texts");
  if (!isText(data)) throw damaged("expected the id of a data set as data");
  if (!isRecord(settings)) throw damaged("expected an object of settings");
  if (!Array.isArray(folds) || folds.length === 0) throw damaged("expected a list of folds");
  const scored = folds.map((fold, f) => foldOf(fold, (wanted) => damaged(`expected ${wanted} in fold ${f + 1}`)));
  return { path, tool, toolVersion, objective, settings: settings as ScoreFile["settings"], data, folds: scored };
}

function foldOf(fold: unknown, wrong: (wanted: string) => InputError): ScoredFold {
  if (!isRecord(fold)) throw wrong("an object");
  const { digest, rounds, best, seconds, processor, lists } = fold;
  if (!isText(digest)) throw wrong("a digest");
  if (!isCount(rounds) || !isCount(best)) throw wrong("rounds and best as whole numbers");
  if (!isNumber(seconds) || !isNumber(processor)) throw wrong("seconds and processor as numbers");
  if (!Array.isArray(lists) || !lists.every((list) => Array.isArray(list) && list.every(isNumber)))
    throw wrong("lists of numbers");
  return { digest, rounds, best, seconds, processor, lists };
}

function parsedJson(path: string, bytes: Uint8Array, damaged: (what: string) => InputError): Record<string, unknown> {
  let text: string;
  try {
    text = gunzipSync(bytes).toString("utf8");
  } catch (error) {
    throw damaged((error as Error).message);
  }
  checkNesting(text, path);
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw damaged((error as Error).message.replace(/\s+/g, " "));
  }
  if (!isRecord(record)) throw new InputError(`${path}: not a score file of bench/score-files.py`);
  return record;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A fold of a score file, evaluated on the test lists. */
export function scoresCell(found: Found, fold: number, file: ScoreFile, metrics: string): Cell<Outcome> {
  const { set, digest } = found;
  if (file.folds.length !== set.folds.length)
    throw new InputError(`${file.path}: expected ${set.folds.length} folds of ${set.title}, got ${file.folds.length}; ${REMEDY}`);
  const content = createHash("sha256").update(JSON.stringify(file.folds[fold])).digest("hex").slice(0, 16);
  return {
    settings: { kind: "scores", data: set.id, digest, fold, system: toolName(file), content, metrics },
    get code() {
      return codeDigest(["papers/score-files", ...TRAINING], { metric: metrics.split(",") });
    },
    title: `${set.title} fold ${fold + 1}: scores of ${toolName(file)}`,
    weight: 0.05,
    run: () => evaluateFold(found, fold, file, metrics),
  };
}

export async function evaluateFold(found: Found, fold: number, file: ScoreFile, metrics: string): Promise<Outcome> {
  const parts = await loadFold(found, fold);
  const { digest, rounds, best, seconds, processor, lists } = file.folds[fold]!;
  const here = foldDigest(parts);
  if (digest !== here)
    throw new InputError(
      `${file.path}: scores of fold ${fold + 1} are for other data (digest ${digest}, and that of ${found.set.title} here is ${here}); ${REMEDY}, or leave them out with --scores and another folder`,
    );
  const { starts } = parts.test;
  const sizes = (q: number) => starts[q + 1]! - starts[q]!;
  if (lists.length !== starts.length - 1 || lists.some((list, q) => list.length !== sizes(q)))
    throw new InputError(
      `${file.path}: the score file is damaged: expected a score for each item of the ${starts.length - 1} test lists of fold ${fold + 1}; ${REMEDY}`,
    );
  const evaluation = evaluateScores(Float64Array.from(lists.flat()), parts.test, metricList(metrics));
  return { rounds, best, seconds, processor, ...judged(evaluation, { metrics }) };
}

/** Contests with the other tools in them, before our own systems, so that a file that does not fit is known at once. */
export function contestsWithScores(lab: Lab, sets: readonly DataSet[], systems: readonly System[], metrics: string): Contest[] {
  const files = lab.scores();
  const ids = sets.map(({ id }) => id);
  const strange = files.find(({ data }) => !ids.includes(data)); // it would go unnoticed
  if (strange)
    throw new InputError(`${strange.path}: scores of ${quote(strange.data)}, which is not compared; there are ${ids.join(", ")}`);
  return contests(lab, sets, systems).map(({ found, entrants }) => {
    const tools = files
      .filter(({ data }) => data === found.set.id)
      .map(
        (file): Entrant => ({
          system: { name: toolName(file) },
          folds: entrants[0]!.folds.map((_, fold) => scoresCell(found, fold, file, metrics)),
        }),
      );
    return { found, entrants: [...tools, ...entrants] };
  });
}
