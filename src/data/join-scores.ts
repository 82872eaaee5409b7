/**
 * Joins external scores, such as those of a run file, with the judged lists of a data set, by the names of lists and documents. Unnamed
 * lists and documents are numbered from 1; spaces in names may have been replaced by underscores.
 *
 * A judged document without a score is not retrieved (score -Infinity), but counts as relevant if it is. An unjudged document with a score
 * has label 0. Lists without any score are left out, or kept with nothing retrieved (`complete`).
 */
import { check, checkData, checkOptions, yesOrNo } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import type { Dataset } from "../types.ts";
import { entryName, listName, oneWord } from "./names.ts";

/** By the name of the list, then of the document. */
export type ListScores = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Judged lists with the scores that a run gives their items. */
export interface JoinedScores {
  /** The judged lists, with the scored documents. */
  readonly data: Dataset;
  /** Score of each entry of `data`; -Infinity if it has none. */
  readonly scores: Float64Array;
  /** Lists of the data without a score. */
  readonly unscored: number;
  /** Lists with scores that are not in the data. */
  readonly unknown: number;
  /** Documents with a score and without a judgment. */
  readonly unjudged: number;
  /** Judged documents without a score, in lists that have some. */
  readonly missing: number;
}

/** What of a run counts. */
export interface JoinOptions {
  /** Lists of the data without any score are kept, with nothing found. Default: false, they are left out. */
  readonly complete?: boolean;
}

/** The judged lists of the data with scores by the names of lists and documents. */
export function joinScores(data: Dataset, given: ListScores, options: JoinOptions = {}): JoinedScores {
  checkData("joinScores", data);
  check("joinScores, the scores", given, {
    wanted: "a Map by list of Maps by document, as parseRun gives it in .lists",
    fits: (value) => value instanceof Map && [...value.values()].every((one) => one instanceof Map),
  });
  checkOptions("joinScores", options, { complete: yesOrNo });
  const { complete = false } = options;
  const { starts, labels: judged, listWeights } = data;
  if (data.labelSpaceSize !== undefined) throw new InputError("scores by document cannot be joined with multi-label data");
  const ids: string[] = [];
  const [scores, labels, weights, lists]: [number[], number[], number[], string[]] = [[], [], [], []];
  const ends = [0];
  const count = { unscored: 0, unjudged: 0, missing: 0 };
  const here = new Set<string>();
  for (let q = 0; q + 1 < starts.length; q++) {
    const name = inside(given, listName(data, q));
    const found = given.get(name);
    here.add(name);
    if (!found) count.unscored++;
    if (!found && !complete) continue;
    const known = new Set<string>();
    for (let i = starts[q]!; i < starts[q + 1]!; i++) {
      const id = inside(found, entryName(data, q, i));
      known.add(id);
      const score = found?.get(id);
      if (found && score === undefined) count.missing++;
      ids.push(id);
      labels.push(judged[i]!);
      scores.push(score ?? -Infinity);
    }
    for (const [id, score] of found ?? []) {
      if (known.has(id)) continue;
      count.unjudged++;
      ids.push(id);
      labels.push(0);
      scores.push(score);
    }
    lists.push(name);
    weights.push(listWeights?.[q] ?? 1);
    ends.push(ids.length);
  }
  if (lists.length === 0) throw new InputError("the run and the data have no list in common");
  return {
    data: {
      starts: Uint32Array.from(ends),
      labels: Float32Array.from(labels),
      features: { kind: "dense", rows: ids.length, columns: 0, values: new Float32Array(0) },
      base: data.base,
      names: { lists, entries: ids },
      ...(listWeights && { listWeights: Float32Array.from(weights) }),
    },
    scores: Float64Array.from(scores),
    ...count,
    unknown: [...given.keys()].filter((list) => !here.has(list)).length,
  };
}

/** The name as the scores know it. */
const inside = (known: ReadonlyMap<string, unknown> | undefined, name: string) =>
  known?.has(name) ? name : known?.has(oneWord(name)) ? oneWord(name) : name;
