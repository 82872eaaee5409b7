/**
 * The worker threads of `tierwise serve`. A worker has one batch at a time; requests that wait are given to the next free worker together, as
 * many as fit into a batch. Bodies and small answers pass through memory that is shared with the worker. A worker that dies is replaced, and the
 * requests that it had are answered with an error. A small request that comes alone needs no worker (inline-ranker.ts).
 */
import type { Worker } from "node:worker_threads";
import { HttpError } from "../http/http-error.ts";
import type { Log } from "../http/log.ts";
import { BatchMemory } from "./batch-memory.ts";
import { InlineRanker } from "./inline-ranker.ts";
import type { RankJob } from "./rank-jobs.ts";
import { joined, type ReceivedBody } from "./received-body.ts";
import { startWorker } from "./start-worker.ts";
import { ServerLink } from "./worker-link.ts";
import type {
  AnswerHead,
  AnswerPart,
  FromWorker,
  LoadedModel,
  ModelRecord,
  SentJob,
  TransformModule,
} from "./worker-messages.ts";

/** A request as it waits for a worker. */
export type WaitingJob = Omit<RankJob, "id" | "body"> & { readonly body: ReceivedBody };

/** What happens with a request: `piece` for each part of its answer, or `failed`. */
export interface AnswerListener {
  piece(bytes: Buffer, last: boolean, head: AnswerHead | undefined): void;
  failed(error: HttpError): void;
}

interface Waiting {
  readonly id: number;
  readonly job: WaitingJob;
  readonly listener: AnswerListener;
}

interface Member {
  readonly worker: Worker;
  readonly link: ServerLink;
  readonly bodies: BatchMemory;
  readonly answers: BatchMemory;
  /** Requests of its batch, by id; nothing: it is free. */
  readonly batch: Map<number, Waiting>;
  busy: boolean;
  /** Whether it has all models. */
  ready: boolean;
  /** By key: who waits for a model to arrive. */
  readonly models: Map<string, { resolve(): void; reject(error: Error): void }[]>;
}

export interface PoolOptions {
  readonly threads: number;
  /** Requests that may wait. */
  readonly queue: number;
  readonly log: Log;
  readonly compared: (message: Extract<FromWorker, { kind: "compared" }>) => void;
  readonly observeBatch: (requests: number) => void;
}

const BATCH = 16; // requests
const BATCH_BYTES = 1 << 20; // of bodies: a batch ends with the request that passes it
const BODIES = 2 * BATCH_BYTES; // of shared memory
const ANSWERS = 1 << 18;

export class RankPool {
  readonly #options: PoolOptions;
  readonly #members: Member[] = [];
  readonly #records = new Map<string, ModelRecord>();
  readonly #waiting: Waiting[] = [];
  readonly #inline = new InlineRanker();
  readonly #loads = new Map<number, { resolve(model: LoadedModel): void; reject(error: Error): void }>();
  #loader: { readonly worker: Worker; readonly link: ServerLink } | undefined;
  #next = 0;
  #bytes = 0;
  #stopped = false;
  restarts = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** How many requests wait for a worker. */
  get depth(): number {
    return this.#waiting.length;
  }

  /** Bytes of the bodies of requests that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many more requests may come: places in the queue, and workers that are free. */
  get capacity(): number {
    return this.#options.queue - this.depth + this.#members.filter(({ ready, busy }) => ready && !busy).length;
  }

  get busy(): number {
    return this.#members.filter(({ busy }) => busy).length;
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.threads }, () => this.#add()));
  }

  /** Reads a model file, in a thread of its own. */
  load(path: string, transform: TransformModule | undefined): Promise<LoadedModel> {
    const id = ++this.#next;
    if (!this.#loader) {
      const link = new ServerLink((message) => {
        if (message.kind === "loaded") this.#loads.get(message.id)?.resolve(message.model);
        else if (message.kind === "refused") this.#loads.get(message.id)?.reject(new Error(message.message));
      });
      const worker = startWorker(link);
      this.#loader = { worker, link };
      const gone = (error: Error) => {
        this.#loader = undefined;
        for (const one of this.#loads.values()) one.reject(error);
      };
      worker.on("error", gone).on("exit", () => gone(new Error("the thread that loads models has ended")));
    }
    return new Promise<LoadedModel>((resolve, reject) => {
      this.#loads.set(id, { resolve, reject });
      this.#loader!.link.send({ kind: "load", id, path, transform });
    }).finally(() => this.#loads.delete(id));
  }

  /** Gives a model to all workers; resolves when all have it. */
  async addModel(key: string, record: ModelRecord): Promise<void> {
    this.#records.set(key, record);
    try {
      await Promise.all(this.#members.map((member) => this.#give(member, key, record)));
    } catch (error) {
      this.forget(key);
      throw error;
    }
    try {
      await this.#inline.add(key, record);
    } catch (error) {
      this.#options.log("warn", "model in workers alone", { model: key, cause: (error as Error).message });
    }
  }

  /** Removes a model that no request needs any more. */
  forget(key: string): void {
    this.#records.delete(key);
    this.#inline.forget(key);
    for (const { link } of this.#members) link.send({ kind: "forget", key });
  }

  /**
   * Ranks a request. The result cancels it, as long as it waits. With `alone`, which says that no other request is arriving, a small request may be
   * ranked in this thread: the listener is then called before this function returns.
   */
  rank(job: WaitingJob, listener: AnswerListener, alone = false): () => void {
    if (this.depth >= this.#options.queue) {
      listener.failed(overloaded(`${this.#options.queue} requests`));
      return () => {};
    }
    const id = ++this.#next;
    if (alone && this.#waiting.length === 0 && this.busy === 0 && this.#inline.rank(id, job, listener)) {
      this.#options.observeBatch(1);
      return () => {};
    }
    const waiting: Waiting = { id, job, listener };
    this.#waiting.push(waiting);
    this.#bytes += job.body.size;
    this.#dispatch();
    return () => {
      const at = this.#waiting.indexOf(waiting);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      this.#bytes -= job.body.size;
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#loader, ...this.#members].map((one) => one?.worker.terminate()));
  }

  async #add(): Promise<void> {
    const memory = { bodies: new SharedArrayBuffer(BODIES), answers: new SharedArrayBuffer(ANSWERS) };
    const link = new ServerLink((message) => this.#receive(member, message));
    const member: Member = {
      ...{ worker: startWorker(link, memory), link, batch: new Map(), models: new Map(), busy: false, ready: false },
      ...{ bodies: new BatchMemory(memory.bodies), answers: new BatchMemory(memory.answers) },
    };
    this.#members.push(member);
    let cause: Error | undefined;
    member.worker.on("error", (error) => void (cause = error));
    member.worker.on("exit", (code) => this.#lost(member, cause ?? new Error(`exit code ${code}`)));
    await Promise.all([...this.#records].map(([key, record]) => this.#give(member, key, record)));
    member.ready = true;
    this.#dispatch();
  }

  #give({ link, models }: Member, key: string, record: ModelRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      models.set(key, [...(models.get(key) ?? []), { resolve, reject }]);
      link.send({ kind: "model", key, record });
    });
  }

  #lost(member: Member, cause: Error): void {
    if (this.#stopped) return;
    this.#members.splice(this.#members.indexOf(member), 1);
    this.restarts++;
    this.#options.log("error", "worker lost", { cause: cause.message, requests: member.batch.size });
    for (const { listener } of member.batch.values())
      listener.failed(new HttpError(500, "worker_lost", "the thread that ranked this request was lost; another takes its place"));
    for (const { reject } of [...member.models.values()].flat()) reject(cause);
    this.#add().catch((error: Error) => this.#options.log("error", "worker not replaced", { cause: error.message }));
  }

  #receive(member: Member, message: FromWorker): void {
    if (message.kind === "answers") {
      for (const part of message.parts) answer(member, part);
      if (!message.done) return;
      member.busy = false;
      this.#dispatch();
    } else if (message.kind === "model") {
      const all = member.models.get(message.key) ?? [];
      member.models.delete(message.key);
      for (const { resolve, reject } of all) message.error === undefined ? resolve() : reject(new Error(message.error));
    } else if (message.kind === "compared") this.#options.compared(message);
  }

  /** Gives waiting requests to free workers. */
  #dispatch(): void {
    for (const member of this.#members) {
      if (!member.ready || member.busy || this.depth === 0) continue;
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      sendBatch(member, batch);
      member.busy = true;
      this.#options.observeBatch(batch.length);
    }
  }

  /** Takes requests from the queue, without those whose time is up. */
  #nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    for (let bytes = 0; batch.length < BATCH && bytes < BATCH_BYTES && this.#waiting.length > 0; ) {
      const one = this.#waiting.shift()!;
      this.#bytes -= one.job.body.size;
      if (Date.now() > one.job.deadline) {
        one.listener.failed(overloaded(`${this.#options.queue} requests`));
        continue;
      }
      bytes += one.job.body.size;
      batch.push(one);
    }
    return batch;
  }
}

function sendBatch({ link, bodies, batch }: Member, requests: readonly Waiting[]): void {
  bodies.clear();
  const transfer: ArrayBuffer[] = [];
  const jobs = requests.map((one): SentJob => {
    batch.set(one.id, one);
    const { body, ...job } = one.job;
    const span = bodies.put(body.parts, body.size);
    if (span) return { ...job, id: one.id, body: span };
    const bytes = joined(body);
    transfer.push(bytes.buffer);
    return { ...job, id: one.id, body: bytes };
  });
  link.send({ kind: "rank", jobs }, transfer);
}

/** Passes a part of an answer on to who waits for it. */
function answer({ batch, answers }: Member, part: AnswerPart): void {
  const one = batch.get(part.id);
  if (!one) return;
  if ("error" in part) one.listener.failed(new HttpError(part.error.status, part.error.code, part.error.message));
  else {
    const { piece } = part;
    const bytes = piece instanceof Uint8Array ? Buffer.from(piece.buffer) : Buffer.from(answers.view(piece)); // a copy
    one.listener.piece(bytes, part.last, part.head);
    if (!part.last) return;
  }
  batch.delete(part.id);
}

/** The answer to requests that find too many others waiting: `limit` is a number of requests or of bytes. */
export const overloaded = (limit: string): HttpError =>
  new HttpError(503, "overloaded", `${limit} wait already, the limit of the queue: try again later`, { "retry-after": "1" });
