/**
 * Messages between the thread of the server and a worker. A worker that waits for the next request sleeps on a number in shared memory rather
 * than in its event loop, and the thread of the server can wait for an answer in the same way: both wake sooner than by a message, which passes
 * through an event loop, and at one connection that is a third of the time of a small request.
 */
import { availableParallelism } from "node:os";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

/** The end of a worker, which it is started with. */
export interface WorkerEnd {
  readonly port: MessagePort;
  /** How many messages were sent, to the worker and from it. */
  readonly sent: Int32Array;
}

const [TO_WORKER, FROM_WORKER] = [0, 1];
const SPIN = availableParallelism() > 1 ? 0.5 : 0; // milliseconds

/** The end of the thread of the server. */
export class ServerLink {
  readonly #port: MessagePort;
  readonly #sent = new Int32Array(new SharedArrayBuffer(8));
  readonly #receive: (message: FromWorker) => void;
  readonly workerEnd: WorkerEnd;

  constructor(receive: (message: FromWorker) => void) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#receive = receive;
    this.workerEnd = { port: port2, sent: this.#sent };
    port1.on("message", receive);
  }

  send(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
    count(this.#sent, TO_WORKER);
  }

  /** How many messages have come. */
  get received(): number {
    return Atomics.load(this.#sent, FROM_WORKER);
  }

  /** Waits until more than `before` messages have come, and passes on those that have. Whether there were any. */
  wait(before: number, milliseconds: number): boolean {
    // To be woken takes longer than to look, as long as the worker has a core of its own.
    const end = performance.now() + SPIN;
    while (this.received === before && performance.now() < end);
    Atomics.wait(this.#sent, FROM_WORKER, before, milliseconds);
    let any = false;
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      any = true;
      this.#receive(next.message as FromWorker);
    }
    return any;
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
    count(this.#sent, FROM_WORKER);
  }

  /** Handles messages, one after another, for ever. */
  async run({ receive, idle }: WorkerProgram): Promise<never> {
    for (let messages = 0; ; ) {
      const before = Atomics.load(this.#sent, TO_WORKER);
      const next = receiveMessageOnPort(this.#port);
      if (next) await (receive(next.message as ToWorker) ?? (++messages % BATCHES === 0 ? turn() : undefined));
      else if (!idle() && Atomics.wait(this.#sent, TO_WORKER, before, TURN) === "timed-out") await turn();
    }
  }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

function count(sent: Int32Array, which: number): void {
  Atomics.add(sent, which, 1);
  Atomics.notify(sent, which);
}
