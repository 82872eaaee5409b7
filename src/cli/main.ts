#!/usr/bin/env node
/** The command line as a process: its words, its signals and its pipes. */
import { run } from "./run.ts";

// A reader that has seen enough, such as head, closes the pipe. Without one the results are in vain, the remarks are not missed.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// Files are written in one step, so that ending between steps leaves none half-written.
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [signal, code] of Object.entries(signals)) process.on(signal, () => process.exit(code));

process.exitCode = await run(process.argv.slice(2));
