/**
 * Messages between the thread of the server and a worker. A worker that waits for the next request sleeps on a number in shared memory rather
 * than in its event loop, because it wakes sooner so.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

/** The end of a worker, which it is started with. */
export interface WorkerEnd {
  readonly port: MessagePort;
  /** How many messages were sent to the worker. */
  readonly sent: Int32Array;
}

/** The end of the thread of the server. */
export class ServerLink {
  readonly #port: MessagePort;
  readonly #sent = new Int32Array(new SharedArrayBuffer(4));
  readonly workerEnd: WorkerEnd;

  constructor(receive: (message: FromWorker) => void) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.workerEnd = { port: port2, sent: this.#sent };
    port1.on("message", receive);
  }

  send(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
    Atomics.add(this.#sent, 0, 1);
    Atomics.notify(this.#sent, 0);
  }
}

/** What a worker does with messages, and what it does while there are none. */
export interface WorkerProgram {
  /** A promise where it is not done at once. */
  receive(message: ToWorker): Promise<void> | undefined;
  /** Does a piece of work that can wait. Whether there was any. */
  idle(): boolean;
}

const TURN = 1000; // milliseconds, and
const BATCHES = 100; // messages, after which the event loop of a worker has a turn: memory is given back there

/** The end of the worker. */
export class WorkerLink {
  readonly #port: MessagePort;
  readonly #sent: Int32Array;

  constructor({ port, sent }: WorkerEnd) {
    this.#port = port;
    this.#sent = sent;
  }

  send(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  /** Handles messages, one after another, for ever. */
  async run({ receive, idle }: WorkerProgram): Promise<never> {
    for (let messages = 0; ; ) {
      const before = Atomics.load(this.#sent, 0);
      const next = receiveMessageOnPort(this.#port);
      if (next) await (receive(next.message as ToWorker) ?? (++messages % BATCHES === 0 ? turn() : undefined));
      else if (!idle() && Atomics.wait(this.#sent, 0, before, TURN) === "timed-out") await turn();
    }
  }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
