/**
 * Ranks small requests in the thread of the server, since handing one over to a worker and back takes longer than ranking it. Only requests that
 * are expected to be short are ranked here, so that the event loop is not held up: a compact body and a compact answer, which leaves out
 * probabilities and explanations, a model that is quick to make ready, and few enough rows for the time that the model takes for a row.
 */
import { decodeRankBody, encodeRankBody } from "../../formats/rank-body.ts";
import { isUtilities, revive } from "../../models/index.ts";
import type { SavedModel } from "../../types.ts";
import { BatchMemory } from "./batch-memory.ts";
import type { ServedModel } from "./parse-request.ts";
import { failureOf, type RankJob, type RankResult, rankJobs } from "./rank-jobs.ts";
import type { AnswerListener, WaitingJob } from "./rank-pool.ts";
import type { ModelRecord } from "./worker-messages.ts";

const MOST_NUMBERS = 1 << 18; // of a model: its tables are then made within about 15 milliseconds
const MOST_BYTES = 1 << 17; // of a body
const MOST_HEAD = 1 << 12; // bytes of the head of a body
const LONGEST = 2; // milliseconds that a request may be expected to take
const [TRIALS, TRIAL_ROWS] = [8, 16];

export class InlineRanker {
  readonly #models = new Map<string, ServedModel>();
  /** By model: milliseconds for a row, the least that were measured, since other programs may interrupt this one. */
  readonly #rowTimes = new Map<string, number>();
  readonly #memory = new BatchMemory(new SharedArrayBuffer(MOST_BYTES));
  #rankedInTurn = false;

  /** Makes a model ready if that takes little time, in several turns of the event loop. */
  async add(key: string, { saved, columns, absent, transform }: ModelRecord): Promise<void> {
    if (transform || columns.count === 0 || numbersIn(saved) > MOST_NUMBERS) return;
    const model = revive(saved as SavedModel, columns, []);
    if (model.labelSpace || isUtilities(model)) return;
    const one = new Map([[key, { model, absent }]]);
    const body = encodeRankBody({ columns: columns.count, rows: TRIAL_ROWS }, [new Float32Array(TRIAL_ROWS * columns.count)]);
    let quickest = Number.POSITIVE_INFINITY;
    for (let trial = 0; trial < TRIALS; trial++) {
      await new Promise((resolve) => setImmediate(resolve));
      const begin = performance.now();
      const [result] = rankJobs([trialOf(key, body)], one);
      if (result instanceof Error) throw result;
      quickest = Math.min(quickest, performance.now() - begin);
    }
    this.#rowTimes.set(key, quickest / TRIAL_ROWS);
    this.#models.set(key, one.get(key)!);
  }

  forget(key: string): void {
    this.#models.delete(key);
    this.#rowTimes.delete(key);
  }

  /**
   * Ranks a request and calls the listener before it returns. False, and nothing is done, if the request is for the workers: it may take long, or
   * another was ranked in this turn of the event loop, so that there are several at a time.
   */
  rank(id: number, job: WaitingJob, listener: AnswerListener): boolean {
    if (this.#rankedInTurn || job.experiment || job.contentType !== "compact" || job.answerType !== "compact") return false;
    const served = this.#models.get(job.model);
    if (!served || job.body.size > MOST_BYTES) return false;
    this.#memory.clear();
    const body = this.#memory.view(this.#memory.put(job.body.parts, job.body.size)!);
    const rows = rowsOf(body, served.model.columns.count);
    const rowTime = this.#rowTimes.get(job.model)!;
    if (rows === undefined || rows * rowTime > LONGEST) return false;
    this.#rankedInTurn = true;
    setImmediate(() => void (this.#rankedInTurn = false));
    const begin = performance.now();
    const [result] = rankJobs([{ ...job, id, body }], this.#models);
    if (rows >= TRIAL_ROWS) this.#rowTimes.set(job.model, Math.min(rowTime, (performance.now() - begin) / rows));
    if (result instanceof Error) listener.failed(failureOf(result));
    else answer(result!, listener);
    return true;
  }
}

/** How many numbers a saved model has. */
function numbersIn(value: unknown): number {
  if (typeof value === "number") return 1;
  if (typeof value !== "object" || value === null) return 0;
  if (ArrayBuffer.isView(value)) return (value as unknown as ArrayLike<number>).length;
  return Object.values(value).reduce((sum: number, one) => sum + numbersIn(one), 0);
}

const trialOf = (model: string, body: Uint8Array): RankJob => ({
  ...{ id: 0, request: "trial", name: "trial", model, body, contentType: "compact", answerType: "compact" },
  deadline: Number.POSITIVE_INFINITY,
  limits: { rows: TRIAL_ROWS, detailedRows: TRIAL_ROWS, seconds: Number.POSITIVE_INFINITY },
});

/** The rows of a body with as many columns as the model; nothing where it has others, a long head or an error. */
function rowsOf(body: Uint8Array, columns: number): number | undefined {
  try {
    const { head, numbers } = decodeRankBody(body);
    return head.columns === columns && body.length - numbers.length <= MOST_HEAD ? numbers.length / (4 * columns) : undefined;
  } catch {
    return undefined; // the worker says what is wrong
  }
}

/** A compact answer is one piece. */
function answer({ contentType, lists, rows, impressions, assigned, pieces }: RankResult, listener: AnswerListener): void {
  const [piece] = pieces;
  listener.piece(Buffer.from(piece!.buffer), true, { contentType, lists, rows, impressions, assigned });
}
