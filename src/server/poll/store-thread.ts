/**
 * The thread that owns the database. Requests that arrive while it is busy are done together in one transaction, with one flush to the disk, and
 * answered after it: an answer means that the change is durable. A request that fails takes back its own changes alone.
 */
import { parentPort, workerData } from "node:worker_threads";
import { HttpError } from "../http/http-error.ts";
import { Database, type DatabasePlace } from "./database.ts";
import { PollStore } from "./store.ts";

/** The methods of the store that write. */
const WRITES = new Set(["create", "vote", "close", "addCodes", "remove"]);
const MOST = 200; // requests of one transaction

export interface StoreRequest {
  readonly number: number;
  readonly method: string;
  readonly values: readonly unknown[];
}

export type StoreAnswer =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly refusal: Pick<HttpError, "status" | "code" | "message"> }
  | { readonly number: number; readonly error: string };

const database = await Database.open(workerData as DatabasePlace);
const store = new PollStore(database);
const methods = store as unknown as Record<string, (...values: readonly unknown[]) => unknown>;
const waiting: StoreRequest[] = [];

const call = ({ number, method, values }: StoreRequest): StoreAnswer => {
  const work = () => methods[method]!.call(store, ...values);
  try {
    return { number, result: WRITES.has(method) ? database.savepoint(work) : work() };
  } catch (error) {
    return failure(number, error);
  }
};

function failure(number: number, error: unknown): StoreAnswer {
  if (!(error instanceof HttpError)) return { number, error: (error as Error).stack ?? String(error) };
  return { number, refusal: { status: error.status, code: error.code, message: error.message } };
}

function work(): void {
  while (waiting.length > 0) {
    const batch = waiting.splice(0, MOST);
    let answers: StoreAnswer[];
    try {
      answers = batch.some(({ method }) => WRITES.has(method)) ? database.transaction(() => batch.map(call)) : batch.map(call);
    } catch (error) {
      answers = batch.map(({ number }) => failure(number, error)); // the commit failed: nothing is stored
    }
    for (const answer of answers) parentPort!.postMessage(answer);
  }
}

parentPort!.on("message", (message: StoreRequest | "close") => {
  if (message === "close") {
    work();
    database.close();
    parentPort!.close();
    return;
  }
  if (waiting.push(message) === 1) setImmediate(work);
});
parentPort!.postMessage("ready");
