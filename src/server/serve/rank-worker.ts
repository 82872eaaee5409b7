/**
 * The program of a worker thread of `tierwise serve`: loads model files, holds models whose numbers it shares with the other workers, and ranks. After
 * a batch, when nothing else waits, it scores what it has ranked with the second model and reports how the rankings differ.
 */
import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { bytesOf, readModel } from "../../formats/models/files.ts";
import type { ReadModelOptions } from "../../formats/models/native.ts";
import { InputError } from "../../input-error.ts";
import { setMemoryBudget } from "../../memory-budget.ts";
import { isUtilities, revive } from "../../models/index.ts";
import { sharedForm } from "../../models/shared-form.ts";
import { importOwn } from "../../modules.ts";
import type { Module } from "../../numeric/engine.ts";
import { useModule, usePlain } from "../../numeric/kernels.ts";
import type { SavedModel } from "../../types.ts";
import { httpErrorOf } from "../http/http-error.ts";
import { compareRankings } from "./compare-rankings.ts";
import { fileStamp } from "./file-stamp.ts";
import type { ParsedRequest, ServedModel } from "./parse-request.ts";
import { type RankJob, rankJobs, scoresOf } from "./rank-jobs.ts";
import type { FromWorker, LoadedModel, ModelRecord, ToWorker, TransformModule } from "./worker-messages.ts";

const models = new Map<string, ServedModel>();

const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => parentPort!.postMessage(message, transfer);

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
let scheduled = false;

/** One request after another, with a look at new messages between them. */
function compareLater(): void {
  if (scheduled || waiting.length === 0) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    const { job, parsed, scores } = waiting.shift()!;
    const { other, error } = scoresOf(models.get(job.experiment!.other), parsed);
    const starts = new Uint32Array(parsed.lists.length + 1);
    parsed.lists.forEach(({ rows }, q) => void (starts[q + 1] = starts[q]! + rows));
    const result = other ? { difference: compareRankings(scores, other, starts) } : { error: error! };
    send({ kind: "compared", name: job.name, ...result, skipped });
    skipped = 0;
    compareLater();
  });
}

function rank(jobs: readonly RankJob[]): void {
  let j = 0;
  for (const result of rankJobs(jobs, models)) {
    const job = jobs[j++]!;
    if (result instanceof Error) refuse(job, result);
    else {
      const { contentType, lists, rows, impressions, assigned, otherError, pieces } = result;
      const iterator = pieces[Symbol.iterator]();
      const head = { contentType, lists, rows, impressions, assigned, otherError };
      let piece = iterator.next();
      for (let first = true; !piece.done; first = false) {
        const next = iterator.next();
        send({ kind: "answer", id: job.id, piece: piece.value, last: next.done === true, ...(first && { head }) }, [
          piece.value.buffer,
        ]);
        piece = next;
      }
      if (!job.experiment || !result.scores) continue;
      if (waiting.length < MOST_WAITING) waiting.push({ job, parsed: result.parsed, scores: result.scores });
      else skipped++;
    }
  }
  send({ kind: "done" });
  compareLater();
}

function refuse({ id }: RankJob, error: Error): void {
  const { status, code, message } = httpErrorOf(error, { body: 0 });
  // The thread of the server has the log: a bug goes there with its stack.
  send({ kind: "error", id, status, code, message: status === 500 ? (error.stack ?? String(error)) : message });
}

async function receive(message: ToWorker): Promise<void> {
  if (message.kind === "rank") return rank(message.jobs);
  if (message.kind === "forget") return void models.delete(message.key);
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

const { module, budget } = workerData as { module: Module | undefined; budget: readonly [number, string] };
if (module) useModule(module);
else usePlain();
setMemoryBudget(...budget);
parentPort!.on("message", (message: ToWorker) => void receive(message));
send({ kind: "ready" });
