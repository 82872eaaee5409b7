/** The store of polls as the server sees it: its methods, answered by the thread that owns the database. */
import { Worker } from "node:worker_threads";
import { InputError } from "../../input-error.ts";
import { HttpError } from "../http/http-error.ts";
import type { DatabasePlace } from "./database.ts";
import type { PollStore } from "./store.ts";
import type { StoreAnswer, StoreRequest } from "./store-thread.ts";

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

export class StoreClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;
  #broken: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answer: StoreAnswer) => this.#settle(answer));
    worker.on("error", (error: Error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the thread of the database has ended")));
  }

  /** Opens the database; an InputError if it cannot be used. */
  static async open(place: DatabasePlace): Promise<StoreClient> {
    const worker = new Worker(new URL("./store-thread.js", import.meta.url), { workerData: place });
    await new Promise<void>((resolve, reject) => {
      worker.once("message", () => resolve());
      // Classes do not survive the way between threads.
      worker.once("error", (error: Error) =>
        reject(/^--db |^poll: /.test(error.message) ? new InputError(error.message) : error),
      );
    });
    worker.removeAllListeners("error");
    return new StoreClient(worker);
  }

  call<K extends keyof PollStore>(method: K, ...values: Parameters<PollStore[K]>): Promise<ReturnType<PollStore[K]>> {
    if (this.#broken) return Promise.reject(this.#broken);
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.postMessage({ number, method, values } satisfies StoreRequest);
    });
  }

  /** Why requests cannot be answered, or undefined. */
  get broken(): string | undefined {
    return this.#broken?.message;
  }

  async close(): Promise<void> {
    if (this.#broken) return;
    const ended = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.postMessage("close");
    await ended;
  }

  #settle(answer: StoreAnswer): void {
    const one = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if ("result" in answer) one?.resolve(answer.result);
    else if ("refusal" in answer) one?.reject(new HttpError(answer.refusal.status, answer.refusal.code, answer.refusal.message));
    else one?.reject(new Error(answer.error));
  }

  #fail(error: Error): void {
    this.#broken ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
