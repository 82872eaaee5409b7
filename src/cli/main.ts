#!/usr/bin/env node
/**
 * The command line as a process. The command runs in a worker thread: most of its work is synchronous, and a thread that is busy with it
 * would not receive signals. This thread only waits, ends the command on a signal, and removes the file it was writing.
 */
import { rmSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout } from "node:timers/promises";
import { isatty } from "node:tty";
import { Worker } from "node:worker_threads";
import { visible } from "../printable.ts";

const GRACE = 400; // milliseconds for the thread to end; it cannot while it waits for the system, such as for the reader of a pipe

const temporary = new Set<string>();
const columns = new Int32Array(new SharedArrayBuffer(4)); // of the terminal, 0 where there is none
const terminal = isatty(2) ? process.stderr : isatty(1) ? process.stdout : undefined;
const measure = () => void (columns[0] = terminal?.columns ?? 0);
measure();
terminal?.on("resize", measure);

// With `stdout` and `stderr` this thread leaves both alone: the command writes to them itself.
const command = new Worker(new URL("./command-thread.js", import.meta.url), {
  ...{ argv: process.argv.slice(2), workerData: { columns } },
  ...{ stdout: true, stderr: true },
});
command.on("message", ({ path, state }: { path: string; state: "created" | "gone" }) => {
  if (state === "created") temporary.add(path);
  else temporary.delete(path);
});
command.on("error", (error: NodeJS.ErrnoException) => {
  const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
  printError(
    full
      ? `tierwise: ${OUT_OF_MEMORY}`
      : `tierwise: internal error, please report it\n${visible(error.stack ?? String(error), "\n")}`,
  );
  finish(1);
});
command.on("exit", (code) => finish(code));

const OUT_OF_MEMORY =
  "out of memory: the JavaScript heap is full; NODE_OPTIONS=--max-old-space-size=MEGABYTES makes it larger, where the machine has more";

let ending = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(signal));

/** Exits with 128 and the number of the signal, as a shell reports a process that a signal ended. */
async function end(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): Promise<void> {
  if (ending) return;
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
