/**
 * Ranks the lists of several requests at once, in one thread. Requests for the same model are scored together: their rows become one matrix, and
 * since the score of a row depends on the row alone, or on its list, every score has the same bits as alone.
 */
import { explain } from "../../explain.ts";
import { RANK_BODY_TYPE } from "../../formats/rank-body.ts";
import { InputError } from "../../input-error.ts";
import { type InterleaveMethod, interleave } from "../../interleave.ts";
import { columnName, explainedColumns } from "../../models/shared/columns.ts";
import { descending } from "../../numeric/order.ts";
import { random } from "../../numeric/random.ts";
import { PLACES, probabilities } from "../../probabilities.ts";
import type { Dataset } from "../../types.ts";
import { HttpError, httpErrorOf } from "../http/http-error.ts";
import { compactAnswer, jsonPieces, type RankedList, type Reason } from "./answer.ts";
import { shareOf } from "./assignment.ts";
import { type ParsedRequest, parseCompact, parseJson, type RowLimits, type ServedModel } from "./parse-request.ts";
import { UnknownNames } from "./unknown-names.ts";

/** A second model beside the one that a request names. */
export interface Experiment {
  /** Key of the second model. */
  readonly other: string;
  /** Share of lists that the second model serves. */
  readonly split: number;
  readonly interleave?: InterleaveMethod | undefined;
}

/** One request, as the thread that has the connection passes it on. */
export interface RankJob {
  readonly id: number;
  /** Id of the request, for impressions and for lists without an id. */
  readonly request: string;
  /** Name under which the model is served. */
  readonly name: string;
  /** Name and version: NAME@VERSION. */
  readonly model: string;
  readonly experiment?: Experiment | undefined;
  readonly body: Uint8Array;
  readonly contentType: "json" | "compact";
  readonly answerType: "json" | "compact";
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly limits: RowLimits & { readonly seconds: number };
}

/** What was found for a request: the pieces of the answer, or why there is none. */
export interface RankResult {
  readonly lists: number;
  readonly rows: number;
  readonly contentType: string;
  readonly pieces: Iterable<Uint8Array<ArrayBuffer>>;
  /** Lines for the log of impressions. */
  readonly impressions: string;
  /** Lists of the second model. */
  readonly assigned: number;
  /** Why the second model did not serve its lists. */
  readonly otherError?: string | undefined;
  /** For the comparison in the background. */
  readonly parsed: ParsedRequest;
  readonly scores: Float64Array | undefined;
}

interface Work {
  readonly job: RankJob;
  readonly served: ServedModel;
  readonly parsed: ParsedRequest;
  readonly data: Dataset;
  /** What the model does not know of the request, in words. */
  readonly warnings: readonly string[];
  scores?: Float64Array;
}

/** Results in the order of the jobs; an error where a job failed. */
export function* rankJobs(jobs: readonly RankJob[], models: ReadonlyMap<string, ServedModel>): Generator<RankResult | Error> {
  const prepared = jobs.map((job) => attempt(() => prepare(job, models)));
  scoreTogether(prepared.filter((one): one is Work => !(one instanceof Error)));
  for (const one of prepared) yield one instanceof Error ? one : attempt(() => finish(one, models));
}

function attempt<T>(act: () => T): T | Error {
  try {
    return act();
  } catch (error) {
    return error as Error;
  }
}

/** What a failed job is to the server, which has the log: a bug goes there with its stack. */
export function failureOf(error: Error): HttpError {
  const { status, code, message } = httpErrorOf(error, { body: 0 });
  return new HttpError(status, code, status === 500 ? (error.stack ?? String(error)) : message);
}

function prepare(job: RankJob, models: ReadonlyMap<string, ServedModel>): Work {
  const served = models.get(job.model);
  if (!served) throw new Error(`the model ${job.model} is not in this thread`);
  const parsed = (job.contentType === "compact" ? parseCompact : parseJson)(job.body, job.limits);
  const { probabilities: likely, explain: why } = parsed.wishes;
  if (job.answerType === "compact" && (likely || why))
    throw new HttpError(406, "not_acceptable", `a compact answer has neither probabilities nor reasons: accept application/json`);
  const { labelSpace } = served.model;
  if (labelSpace && (likely || why)) throw new InputError("a model that ranks labels has neither probabilities nor explanations");
  const unknown = new UnknownNames(served.model.columns);
  const data = parsed.dataFor(served, unknown);
  return { job, served, parsed, data, warnings: unknown.warnings() };
}

const TOGETHER = 1 << 13; // rows

/** Scores the rows of all, those of one model in one matrix as long as that is small. */
function scoreTogether(all: readonly Work[]): void {
  const groups = new Map<string, Work[]>();
  for (const work of all) {
    const { features, labelSpaceSize, items } = work.data;
    if (labelSpaceSize !== undefined) continue; // ranked by `top` of the model
    const alone = items !== undefined || features.rows > TOGETHER;
    const key = alone ? `${work.job.model} ${work.job.id}` : work.job.model;
    groups.set(key, [...(groups.get(key) ?? []), work]);
  }
  for (const group of groups.values()) {
    const { model } = group[0]!.served;
    const data = group.length === 1 ? group[0]!.data : concat(group.map((one) => one.data));
    const scores = new Float64Array(data.labels.length);
    model.score(data, scores);
    let at = 0;
    for (const work of group) work.scores = scores.subarray(at, (at += work.data.labels.length));
  }
}

let scratch = new Float32Array(0);
const MOST_SCRATCH = 1 << 20; // numbers that are kept between batches

/** An array with any contents, of which there is one at a time. */
function numbers(length: number): Float32Array {
  if (length > MOST_SCRATCH) return new Float32Array(length);
  if (scratch.length < length) scratch = new Float32Array(length);
  return scratch.subarray(0, length);
}

/** Dense data with the same columns, one after another. They are valid until the next call. */
function concat(parts: readonly Dataset[]): Dataset {
  const rows = parts.reduce((sum, { labels }) => sum + labels.length, 0);
  const columns = parts[0]!.features.columns;
  const values = numbers(rows * columns);
  const starts = [0];
  let at = 0;
  for (const part of parts) {
    values.set(part.features.values, at * columns);
    for (let q = 1; q < part.starts.length; q++) starts.push(at + part.starts[q]!);
    at += part.labels.length;
  }
  return {
    ...parts[0]!,
    ...{ starts: Uint32Array.from(starts), labels: new Float32Array(rows) },
    features: { kind: "dense", rows, columns, values },
  };
}

function finish(work: Work, models: ReadonlyMap<string, ServedModel>): RankResult {
  const { job, served, parsed, data, warnings, scores } = work;
  const fixed = { lists: parsed.lists.length, rows: parsed.rows, parsed, scores };
  if (served.model.labelSpace) {
    const lists = rankedLabels(work);
    return { ...fixed, ...written(job, parsed, lists, warnings), impressions: "", assigned: 0 };
  }
  const { other, error } = otherScores(job, parsed, models);
  let [impressions, assigned] = ["", 0];
  const lists = parsed.lists.map((list, q): RankedList => {
    if (Date.now() > job.deadline)
      throw new HttpError(408, "time_limit", `the request was not done within the time limit of ${job.limits.seconds} s`);
    const own = scores!.subarray(data.starts[q]!, data.starts[q + 1]!);
    const otherOwn = other?.subarray(data.starts[q]!, data.starts[q + 1]!);
    const id = list.id ?? `${job.request}/${q}`;
    if (otherOwn && job.experiment?.interleave) {
      const shown = interleavedList(job, list, q, own, otherOwn, parsed.wishes.top);
      impressions += shown.line;
      return shown.list;
    }
    const byOther = otherOwn !== undefined && shareOf(job.name, id) < (job.experiment?.split ?? 0);
    if (byOther) assigned++;
    const [key, by, values] = byOther
      ? [job.experiment!.other, models.get(job.experiment!.other)!, otherOwn]
      : [job.model, served, own];
    const named = job.experiment && job.experiment.split > 0 ? { model: key } : {};
    return { ...list, ...rankedList(by, byOther ? parsed.dataFor(by) : data, q, values, parsed), ...named };
  });
  return { ...fixed, ...written(job, parsed, lists, warnings), impressions, assigned, otherError: error };
}

function written(job: RankJob, parsed: ParsedRequest, lists: readonly RankedList[], warnings: readonly string[]) {
  if (job.answerType === "compact")
    return { contentType: RANK_BODY_TYPE, pieces: [compactAnswer(job.model, parsed, lists, warnings)] };
  const model = parsed.single ? (lists[0]!.model ?? job.model) : job.model;
  const encoder = new TextEncoder();
  const encoded = function* () {
    for (const text of jsonPieces(model, parsed, lists, warnings)) yield encoder.encode(text);
  };
  return { contentType: "application/json; charset=utf-8", pieces: encoded() };
}

/** One list in the order of its scores. */
function rankedList(
  { model }: ServedModel,
  data: Dataset,
  q: number,
  scores: Float64Array,
  { wishes }: ParsedRequest,
): RankedList {
  const order = descending(scores).subarray(0, wishes.top ?? scores.length);
  const { probabilities: likely, explain: why } = wishes;
  const how = typeof likely === "object" ? likely : {};
  return {
    ...{ rows: scores.length, order, scores },
    ...(likely && {
      probabilities: probabilities(scores, {
        ...{ temperature: how.temperature ?? 1, places: how.within ?? PLACES, random: random(1, q) },
      }),
    }),
    ...(why && { reasons: reasonsOf(model, data, q, why === true ? REASONS : why) }),
  } as RankedList;
}

const REASONS = 10;

function reasonsOf(model: ServedModel["model"], data: Dataset, q: number, most: number): Map<number, Reason[]> {
  const columns = explainedColumns(model);
  return new Map(
    explain(model, data, q).map(({ index, reasons }) => [
      index,
      reasons.slice(0, most).map(({ feature, contribution }) => ({ feature: columnName(columns, feature), contribution })),
    ]),
  );
}

/** The best labels of each document. */
function rankedLabels({ served: { model }, parsed, data }: Work): RankedList[] {
  const k = Math.min(parsed.wishes.top ?? 10, model.labelSpace!.count);
  const { items, scores } = model.top!(data, k);
  const labels = { names: model.labelSpace!.names };
  return parsed.lists.map(({ id }, q) => ({
    ...{ id, labels, order: items.slice(q * k, (q + 1) * k), scores: scores.slice(q * k, (q + 1) * k) },
  }));
}

/** The scores of the second model, where it takes part in the answer. If it cannot score the request the first model serves all lists. */
export function otherScores(
  job: RankJob,
  parsed: ParsedRequest,
  models: ReadonlyMap<string, ServedModel>,
): { readonly other?: Float64Array; readonly error?: string } {
  const { experiment } = job;
  if (!experiment || (experiment.split === 0 && !experiment.interleave)) return {};
  return scoresOf(models.get(experiment.other), parsed);
}

/** The scores of a request under another model than the one it was sent to. */
export function scoresOf(served: ServedModel | undefined, parsed: ParsedRequest): { other?: Float64Array; error?: string } {
  try {
    if (!served) throw new InputError("the second model is not loaded");
    const data = parsed.dataFor(served);
    const other = new Float64Array(data.labels.length);
    served.model.score(data, other);
    return { other };
  } catch (error) {
    if (error instanceof InputError) return { error: error.message };
    throw error;
  }
}

/** A list interleaved from two models, and its line in the log of impressions. The coins follow from the id of the request. */
function interleavedList(
  job: RankJob,
  list: ParsedRequest["lists"][number],
  q: number,
  a: Float64Array,
  b: Float64Array,
  top: number | undefined,
): { readonly list: RankedList; readonly line: string } {
  const { interleave: method = "team-draft", other } = job.experiment!;
  const impression = `${job.request}/${q}`;
  const coins = random(Math.floor(shareOf(method, impression) * 2 ** 32));
  const { items, credit } = interleave(descending(a), descending(b), {
    method,
    random: coins,
    ...(top === undefined ? {} : { top }),
  });
  const line = {
    ...{ impression, time: new Date().toISOString(), list: list.id, method, a: job.model, b: other },
    items: Array.from(items, (index) => list.ids?.[index] ?? index),
    credit: Array.from(credit),
  };
  return {
    list: { id: list.id, ids: list.ids, order: items, impression },
    line: `${JSON.stringify(line)}\n`,
  };
}
