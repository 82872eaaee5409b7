/**
 * The thread in which a command runs (see main.ts). Node gives a worker thread neither standard input nor a direct way to standard output:
 * this one gets them here. Output is written at once, also in the middle of synchronous work, and an output that fails is known at once.
 */
import { createReadStream, fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { parentPort, workerData } from "node:worker_threads";
import { watchTemporary } from "../formats/temporary.ts";
import { InputError } from "../input-error.ts";
import { watchBudget } from "./budget.ts";
import { useInterrupt } from "./interrupt.ts";

const { columns, interrupt } = workerData as { columns: Int32Array; interrupt: Int32Array<SharedArrayBuffer> };
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes all bytes. A pipe or terminal that another program made non-blocking may be full for a moment. */
function writeAll(fd: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** A reader that has seen enough, such as head, closes the pipe, and the rest of the results is not wanted. */
function toOutput(text: string | Uint8Array): boolean {
  try {
    writeAll(1, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") process.exit(0);
    throw new InputError(`standard output: cannot be written (${code})`);
  }
  return true;
}

/** Remarks that cannot be delivered do not stop the work. */
function toError(text: string | Uint8Array): boolean {
  try {
    writeAll(2, text);
  } catch {}
  return true;
}

function openInput(): Readable {
  if (isatty(0)) return new ReadStream(0);
  const kind = fstatSync(0);
  const waits = kind.isFIFO() || kind.isSocket();
  return waits ? new Socket({ fd: 0, readable: true, writable: false }) : createReadStream("", { fd: 0, autoClose: false });
}

const terminal = (fd: number) => ({ isTTY: { value: isatty(fd) }, columns: { get: () => columns[0] || undefined } });
Object.defineProperties(process.stdout, { write: { value: toOutput, configurable: true }, ...terminal(1) });
Object.defineProperties(process.stderr, { write: { value: toError, configurable: true }, ...terminal(2) });
let input: Readable | undefined;
Object.defineProperty(process, "stdin", { get: () => (input ??= openInput()) });
useInterrupt(interrupt);
watchTemporary((path, state) => parentPort?.postMessage({ path, state }));
watchBudget((budget) => parentPort?.postMessage({ budget }));

const { run } = await import("./run.ts"); // looks at the streams while it is loaded
process.exit(await run(process.argv.slice(2)));
