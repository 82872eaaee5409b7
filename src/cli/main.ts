#!/usr/bin/env node
/**
 * The command line as a process. The command runs in a worker thread: most of its work is synchronous, and a thread that is busy with it
 * would not receive signals. This thread only waits, ends the command on a signal or when it uses more memory than its budget, and removes
 * the file it was writing. A training that keeps checkpoints is asked to end instead (see interrupt.ts).
 */
import { rmSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout } from "node:timers/promises";
import { isatty } from "node:tty";
import { Worker } from "node:worker_threads";
import { sizeText } from "../memory-budget.ts";
import { visible } from "../printable.ts";
import { HEEDED, REQUEST } from "./interrupt.ts";
import { launch, requestedProcesses } from "./launch.ts";

const GRACE = 400; // milliseconds for the thread to end; it cannot while it waits for the system, such as for the reader of a pipe

// Threads of Node need shared memory. Without, the command runs here, and a signal ends it as the system does.
if (typeof SharedArrayBuffer === "undefined") process.exit(await (await import("./run.ts")).run(process.argv.slice(2)));

const processes = requestedProcesses(process.argv.slice(2));
if (processes !== undefined) process.exit(await launch(processes, process.argv.slice(2), printError));

const temporary = new Set<string>();
const interrupt = new Int32Array(new SharedArrayBuffer(8)); // see interrupt.ts
const columns = new Int32Array(new SharedArrayBuffer(4)); // of the terminal, 0 where there is none
const terminal = isatty(2) ? process.stderr : isatty(1) ? process.stdout : undefined;
const measure = () => void (columns[0] = terminal?.columns ?? 0);
measure();
terminal?.on("resize", measure);

// With `stdout` and `stderr` this thread leaves both alone: the command writes to them itself.
const command = new Worker(new URL("./command-thread.js", import.meta.url), {
  ...{ argv: process.argv.slice(2), workerData: { columns, interrupt } },
  ...{ stdout: true, stderr: true },
});
type Message = { path: string; state: "created" | "gone" } | { budget: number };
command.on("message", (message: Message) => {
  if ("budget" in message) budget = message.budget;
  else if (message.state === "created") temporary.add(message.path);
  else temporary.delete(message.path);
});
command.on("error", (error: NodeJS.ErrnoException) => {
  const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
  printError(
    full
      ? `tierwise: ${OUT_OF_MEMORY}`
      : `tierwise: internal error, please report it\n${visible(error.stack ?? String(error), "\n")}`,
  );
  finish(full ? 2 : 1);
});
command.on("exit", (code) => finish(code));

const OUT_OF_MEMORY =
  "out of memory: the JavaScript heap is full; NODE_OPTIONS=--max-old-space-size=MEGABYTES makes it larger, where the machine has more";

/** Readers and kernel memory refuse to exceed the budget, with a better message; this ends a command that exceeds it in another way. */
let budget = Number.POSITIVE_INFINITY; // bytes
const SLACK = 32 * 2 ** 20; // bytes, so that those come first
const EVERY = 20; // milliseconds
const watch = setInterval(() => {
  const used = process.memoryUsage.rss();
  if (used <= budget + SLACK) return;
  endWith(
    `tierwise: out of memory: ${sizeText(used)} are in use and the budget is ${sizeText(budget)}; use less data or fewer threads, or raise --memory`,
    2,
  );
}, EVERY);

/** Ends the command with a line and an exit code. */
async function endWith(line: string, code: number): Promise<void> {
  if (ending) return;
  ending = true;
  clearInterval(watch);
  const stopped = await Promise.race([command.terminate().then(() => true), setTimeout(GRACE, false)]);
  printError(`${isatty(2) ? "\r\u001b[2K" : ""}${line}`);
  if (stopped) return leave(code);
  clean();
  process.kill(process.pid, "SIGKILL"); // exiting would wait for the thread
}

let ending = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(signal));

/** Exits with 128 and the number of the signal, as a shell reports a process that a signal ended. */
async function end(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): Promise<void> {
  if (ending) return;
  if (Atomics.load(interrupt, HEEDED) === 1 && Atomics.load(interrupt, REQUEST) === 0) {
    Atomics.store(interrupt, REQUEST, constants.signals[signal]);
    return; // the training saves its state and ends; another signal ends it at once
  }
  ending = true;
  const stopped = await Promise.race([command.terminate().then(() => true), setTimeout(GRACE, false)]);
  printError(`${isatty(2) ? "\r\u001b[2K" : ""}tierwise: ended by ${signal}`);
  if (stopped) return leave(128 + constants.signals[signal]);
  clean();
  process.removeAllListeners(signal); // exiting would wait for the thread; the system does not
  process.kill(process.pid, signal);
}

function finish(code: number): void {
  if (!ending) leave(code);
}

function leave(code: number): void {
  clean();
  process.exit(code);
}

function clean(): void {
  for (const path of temporary) rmSync(path, { force: true });
}

/** If the stream is closed, there is nothing to report to. */
function printError(text: string): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {}
}
