/** The entry point of worker threads started by `runThreads`: runs the program and reports its result. */
import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "../input-error.ts";
import { setMemoryBudget } from "../memory-budget.ts";
import type { Memory, Module } from "../numeric/engine.ts";
import { useMemory } from "../numeric/heap.ts";
import { useModule, usePlain } from "../numeric/kernels.ts";
import { usePoison } from "../numeric/stress.ts";
import type { Team } from "../types.ts";
import { useJitter } from "./jitter.ts";
import { openMpiWorld } from "./mpi.ts";
import { copyOut, unpack } from "./transfer.ts";
import { markReturned, TeamAborted, type WorkerContext, workerTeam } from "./worker-team.ts";

/** What a member is started with. */
export interface WorkerOptions extends WorkerContext {
  readonly memory: Memory;
  readonly module: Module | undefined;
  readonly owner: number;
  /** Whose return values are sent. */
  readonly results: "first" | "all";
  /** URL. */
  readonly program: string;
  readonly payload: unknown;
  /** Of memory, with how it is raised. */
  readonly budget: readonly [bytes: number, remedy: string];
  /** Seed, for tests only. */
  readonly stress: number | undefined;
}

/** What a member says. */
export type WorkerMessage =
  | { readonly kind: "message"; readonly message: unknown }
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "input-error"; readonly message: string }
  | { readonly kind: "error"; readonly error: unknown };

export type Program = (team: Team, payload: never) => unknown;

const send = (word: WorkerMessage) => parentPort?.postMessage(word);

/** Runs the program of a module and says how it went. */
async function runProgram(start: WorkerOptions): Promise<void> {
  try {
    if (start.module) useModule(start.module);
    else usePlain();
    setMemoryBudget(...start.budget);
    useMemory(start.memory, start.owner);
    if (start.stress !== undefined) {
      usePoison(true);
      useJitter(start.stress, start.rank);
    }
    const { run } = (await import(start.program)) as { run?: Program };
    if (typeof run !== "function") throw new Error(`${start.program} exports no function called "run"`);
    const processes = start.processes && start.rank === 0 ? await openMpiWorld() : undefined;
    const context = processes ? { ...start, processes: { ...start.processes!, communicator: processes } } : start;
    const team = workerTeam(context, (message) => send({ kind: "message", message: copyOut(message) }));
    const result = await run(team, unpack(start.payload) as never);
    markReturned(start.control);
    send({ kind: "done", result: start.rank === 0 || start.results === "all" ? copyOut(result) : undefined });
  } catch (error) {
    if (error instanceof TeamAborted) return;
    send(
      error instanceof InputError ? { kind: "input-error", message: error.message } : { kind: "error", error: sendable(error) },
    );
  }
}

/** An engine's own exceptions lose their message on the way. */
const sendable = (error: unknown) =>
  error instanceof DOMException || !(error instanceof Error) ? new Error(String(error)) : error;

await runProgram(workerData as WorkerOptions);
