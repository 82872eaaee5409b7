/**
 * A team of Node's worker threads over the memory of this thread's heap. This thread only starts them, passes on what the first member
 * says, and takes the result; it stays free, and so sees at once when a member fails or dies. Then all are ended, and the promise is
 * rejected with the first error: a `InputError` as a `InputError`.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { InputError } from "../input-error.ts";
import { memoryBudget, memoryRemedy } from "../memory-budget.ts";
import { memory, reclaim } from "../numeric/heap.ts";
import { kernelModule } from "../numeric/kernels.ts";
import { stressSeed } from "../numeric/stress.ts";
import { localProcesses } from "./mpi.ts";
import { pack } from "./transfer.ts";
import type { WorkerMessage, WorkerOptions } from "./worker.ts";
import { abortTeam, CONTROL_LENGTH } from "./worker-team.ts";

export interface ThreadsOptions {
  /** Default: one for each core. */
  readonly size?: number;
  /** URL of a module that exports `run(team, payload)`. */
  readonly program: URL | string;
  /** Plain data. Arrays of the heap and on shared buffers are not copied: all members see the same. */
  readonly payload?: unknown;
  /** "all": the promise is for the results of all members, in the order of their ranks. */
  readonly results?: "first" | "all";
  readonly onMessage?: (message: unknown) => void;
  readonly signal?: AbortSignal;
  /** Number of this process and of all, where the team has several processes. */
  readonly processes?: { readonly rank: number; readonly size: number } | undefined;
  /**
   * For tests only: members wait random times, drawn by this seed, around barriers and blocks, and new arrays are poisoned (see
   * numeric/stress.ts). Default: `TIERWISE_STRESS` of the environment, else off.
   */
  readonly stress?: number;
}

/** How many threads a team has unless specified otherwise. */
export const cores = availableParallelism;

/**
 * Threads of a team at most: four for each core, or 16 where that is more. A thread loads the modules of its program for itself, about a quarter
 * of a second of processor time, and threads beyond the cores wait for each other at every barrier.
 */
export const MOST = Math.max(16, 4 * cores());

const owners = new Set<number>(); // in whose names teams of this thread own memory

function newOwner(): number {
  let owner = 2;
  while (owners.has(owner)) owner++;
  owners.add(owner);
  return owner;
}

/** Runs a program on every thread of a new team; resolves to what the first member's `run` returns, when all have returned. */
export async function runThreads(options: ThreadsOptions): Promise<unknown> {
  const { size = cores(), results = "first", onMessage, signal, stress = stressSeed, processes } = options;
  const shared = memory();
  if (!shared) throw new InputError("threads: this engine has no shared memory; use 1 thread");
  if (!(Number.isInteger(size) && size >= 1 && size <= MOST))
    throw new InputError(`threads: expected a whole number from 1 to ${MOST} (this machine has ${cores()} cores), got ${size}`);
  signal?.throwIfAborted();
  const member = new URL("./worker.js", import.meta.url);
  for (const file of [member, new URL(options.program)]) checkThere(file);

  const control = new Int32Array(new SharedArrayBuffer(CONTROL_LENGTH * 4));
  const owner = newOwner();
  const base = {
    ...{ control, size, owner, memory: shared, module: kernelModule() },
    ...(processes && { processes: { rank: processes.rank, size: processes.size } }),
    ...{
      spins: size * (processes ? localProcesses() : 1) <= cores() ? 4000 : 0,
      results,
      stress,
      budget: [memoryBudget(), memoryRemedy()] as const,
    },
    program: String(options.program),
    payload: pack(options.payload),
  };
  const workers: Worker[] = [];
  let abort: () => void = () => {};
  try {
    return await new Promise((resolve, reject) => {
      const all = new Array<unknown>(size);
      let left = size;
      abort = () => reject(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      for (let rank = 0; rank < size; rank++) {
        const start: WorkerOptions = { ...base, rank };
        const worker = startWorker(member, start);
        workers.push(worker);
        let done = false;
        worker.on("message", (message: WorkerMessage) => {
          if (message.kind === "message") return attempt(() => onMessage?.(message.message), reject);
          if (message.kind === "input-error") return reject(new InputError(message.message));
          if (message.kind === "error") return reject(message.error);
          done = true;
          all[rank] = message.result;
          if (--left === 0) resolve(results === "all" ? all : all[0]);
        });
        worker.on("messageerror", reject);
        worker.on("error", (error) => reject(new Error(`thread ${rank} of ${size} failed: ${error.message}`, { cause: error })));
        worker.on("exit", (code) => {
          if (!done) reject(new Error(`thread ${rank} of ${size} died (exit code ${code}) before its work was done`));
        });
      }
    });
  } finally {
    signal?.removeEventListener("abort", abort);
    abortTeam(control);
    await Promise.all(workers.map((worker) => worker.terminate()));
    reclaim(owner);
    owners.delete(owner);
  }
}

/**
 * A worker with the flags of this process, which it inherits unless some are given. A worker is a file, so --input-type must go; flags of the
 * engine, such as --max-old-space-size, hold for all threads and cannot be given to one.
 */
function startWorker(file: URL, workerData: WorkerOptions): Worker {
  const { execArgv } = process;
  if (!execArgv.some((flag) => flag.startsWith("--input-type"))) return new Worker(file, { workerData });
  try {
    return new Worker(file, { workerData, execArgv: execArgv.filter((flag) => !flag.startsWith("--input-type")) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_INVALID_EXEC_ARGV") throw error;
    return new Worker(file, { workerData, execArgv: [] });
  }
}

/** A bundler that writes one file leaves out the files that workers start from, since nothing imports them. */
function checkThere(file: URL): void {
  if (file.protocol !== "file:" || existsSync(file)) return;
  throw new InputError(
    `threads: ${fileURLToPath(file)} is not there, probably because the program is a bundle; tell the bundler to leave tierwise out (external: ["tierwise"]) and install it beside the bundle, or train with fit, which needs no threads`,
  );
}

function attempt(act: () => void, failed: (error: unknown) => void): void {
  try {
    act();
  } catch (error) {
    failed(error);
  }
}
