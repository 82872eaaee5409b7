/**
 * The program of a worker thread of `tierwise serve`: loads model files, holds models whose numbers it shares with the other workers, and ranks. After
 * a batch, when nothing else waits, it scores what it has ranked with the second model and reports how the rankings differ.
 */
import { createHash } from "node:crypto";
import { workerData } from "node:worker_threads";
import { bytesOf, readModel } from "../../formats/models/files.ts";
import type { ReadModelOptions } from "../../formats/models/native.ts";
import { InputError } from "../../input-error.ts";
import { setMemoryBudget } from "../../memory-budget.ts";
import { isUtilities, revive } from "../../models/index.ts";
import { sharedForm } from "../../models/shared-form.ts";
import { importOwn } from "../../modules.ts";
import { useModule, usePlain } from "../../numeric/kernels.ts";
import type { SavedModel } from "../../types.ts";
import { BatchMemory } from "./batch-memory.ts";
import { compareRankings } from "./compare-rankings.ts";
import { fileStamp } from "./file-stamp.ts";
import type { ParsedRequest, ServedModel } from "./parse-request.ts";
import { failureOf, type RankJob, type RankResult, rankJobs, scoresOf } from "./rank-jobs.ts";
import { WorkerLink } from "./worker-link.ts";
import type {
  AnswerHead,
  AnswerPart,
  FromWorker,
  LoadedModel,
  ModelRecord,
  SentJob,
  ToWorker,
  TransformModule,
  WorkerStart,
} from "./worker-messages.ts";

const { module, budget, memory, end } = workerData as WorkerStart;
const link = new WorkerLink(end);
const bodies = new BatchMemory(memory?.bodies ?? new SharedArrayBuffer(0));
const answers = new BatchMemory(memory?.answers ?? new SharedArrayBuffer(0));
const models = new Map<string, ServedModel>();

const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => link.send(message, transfer);

async function codeOf(transform: TransformModule | undefined): Promise<ReadModelOptions> {
  if (!transform) return {};
  const { part, build } = await importOwn("--transform", "transform", new URL(transform.url));
  return { transforms: [part ?? build(transform.options)] };
}

/** Reads a model file and puts its numbers into shared memory. */
async function load(path: string, transform: TransformModule | undefined): Promise<LoadedModel> {
  const before = fileStamp(path);
  const { model, training, metrics } = readModel(path, await codeOf(transform));
  const digest = createHash("sha256").update(bytesOf(path)).digest("hex").slice(0, 16);
  if (fileStamp(path) !== before) throw new InputError(`${path}: the file changed while it was read`);
  const { count, base, names, encoding } = model.columns;
  const columns = { count, base, ...(names && { names }), ...(encoding && { encoding }) };
  const absent = (training.reading as { absent?: string } | undefined)?.absent === "missing" ? Number.NaN : 0;
  const { facts } = model.describe();
  return {
    record: { saved: sharedForm(model.save()), columns, absent, transform },
    facts: {
      ...{ digest, kind: model.id, features: columns, training: { ...training }, metrics, facts },
      ...{ listwise: model.listwise ?? false, explains: model.explain !== undefined },
      ...(isUtilities(model) && { items: model.fit.names.length }),
      ...(model.labelSpace && { labels: model.labelSpace.count }),
    },
  };
}

async function hold(key: string, { saved, columns, absent, transform }: ModelRecord): Promise<void> {
  const { transforms = [] } = await codeOf(transform);
  models.set(key, { model: revive(saved as SavedModel, columns, transforms), absent });
}

/** Requests that the second model is still to score, and how many were left out because there were too many. */
const waiting: { readonly job: RankJob; readonly parsed: ParsedRequest; readonly scores: Float64Array }[] = [];
const MOST_WAITING = 32;
let skipped = 0;

/** Compares one request. Whether there was one. */
function compareNext(): boolean {
  const next = waiting.shift();
  if (!next) return false;
  const { job, parsed, scores } = next;
  const { other, error } = scoresOf(models.get(job.experiment!.other), parsed);
  const starts = new Uint32Array(parsed.lists.length + 1);
  parsed.lists.forEach(({ rows }, q) => void (starts[q + 1] = starts[q]! + rows));
  const result = other ? { difference: compareRankings(scores, other, starts) } : { error: error! };
  send({ kind: "compared", name: job.name, ...result, skipped });
  skipped = 0;
  return true;
}

/** Parts of answers that were not sent yet: small ones go together, since each message wakes the thread of the server. */
let unsent: AnswerPart[] = [];
let sentAt = 0;
const LONGEST = 1; // milliseconds that an answer waits for others

function sendAnswers(done: boolean, transfer: ArrayBuffer[] = []): void {
  send({ kind: "answers", parts: unsent, done }, transfer);
  unsent = [];
  sentAt = performance.now();
}

function rank(sent: readonly SentJob[]): void {
  sentAt = performance.now();
  answers.clear();
  const jobs = sent.map((job): RankJob => ({ ...job, body: bodyOf(job) }));
  let j = 0;
  for (const result of rankJobs(jobs, models)) {
    const job = jobs[j++]!;
    if (result instanceof Error) refuse(job, result);
    else {
      answer(job, result);
      if (job.experiment && result.scores) {
        if (waiting.length < MOST_WAITING) waiting.push({ job, parsed: result.parsed, scores: result.scores });
        else skipped++;
      }
    }
    if (j < jobs.length && performance.now() - sentAt > LONGEST) sendAnswers(false);
  }
  sendAnswers(true);
}

/** The body of a request; a copy of it where it is still needed after the batch. */
function bodyOf({ body, experiment }: SentJob): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const view = bodies.view(body);
  return experiment ? view.slice() : view;
}

/** An answer of one piece waits for those of others; the pieces of a large one are sent as they are written. */
function answer({ id }: RankJob, { contentType, lists, rows, impressions, assigned, otherError, pieces }: RankResult): void {
  const iterator = pieces[Symbol.iterator]();
  const first = { contentType, lists, rows, impressions, assigned, otherError };
  let head: AnswerHead | undefined = first;
  for (let piece = iterator.next(); !piece.done; head = undefined) {
    const { value } = piece;
    const next = iterator.next();
    const last = next.done === true;
    const span = last ? answers.put([value], value.length) : undefined;
    unsent.push({ id, piece: span ?? value, last, head });
    if (!span) sendAnswers(false, [value.buffer]);
    piece = next;
  }
}

function refuse({ id }: RankJob, error: Error): void {
  const { status, code, message } = failureOf(error);
  unsent.push({ id, error: { status, code, message } });
}

function receive(message: ToWorker): Promise<void> | undefined {
  if (message.kind === "rank") rank(message.jobs);
  else if (message.kind === "forget") models.delete(message.key);
  else return receiveModel(message);
  return undefined;
}

async function receiveModel(message: Extract<ToWorker, { kind: "model" | "load" }>): Promise<void> {
  if (message.kind === "model") {
    try {
      await hold(message.key, message.record);
      send({ kind: "model", key: message.key });
    } catch (error) {
      send({ kind: "model", key: message.key, error: String((error as Error).stack ?? error) });
    }
    return;
  }
  try {
    send({ kind: "loaded", id: message.id, model: await load(message.path, message.transform) });
  } catch (error) {
    const text = error instanceof InputError ? error.message : `internal error: ${(error as Error).stack ?? error}`;
    send({ kind: "refused", id: message.id, message: text });
  }
}

if (module) useModule(module);
else usePlain();
setMemoryBudget(...budget);
void link.run({ receive, idle: compareNext });
