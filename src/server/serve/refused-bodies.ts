/**
 * The bodies of requests that were refused before they were read. Their answers are sent at once, but a client may send all of its body before
 * it looks for an answer: bodies are read and discarded, two at a time, so that a thousand of them do not keep the event loop from other work. A
 * connection whose body has not come to its end a second after the answer is closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

const AT_ONCE = 2;
const LONGEST = 1000; // milliseconds
/** Bytes of a body that is not worth the trouble: it is here already, or nearly. */
const SMALL = 1 << 16;

interface Refused {
  readonly request: IncomingMessage;
  state: "waits" | "read" | "done";
}

export class RefusedBodies {
  readonly #waiting: Refused[] = [];
  #read = 0;

  /** Called before the answer is sent. */
  add(request: IncomingMessage, response: ServerResponse): void {
    if (Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= SMALL) return;
    // With the end of the answer node begins to read the rest of the request, from the next turn of the event loop on.
    response.once("finish", () => setImmediate(() => this.#begin(request)));
  }

  #begin(request: IncomingMessage): void {
    const { socket } = request;
    if (request.complete || socket.destroyed) return;
    socket.pause();
    const one: Refused = { request, state: "waits" };
    this.#waiting.push(one);
    const limit = setTimeout(() => socket.destroy(), LONGEST);
    const end = () => {
      clearTimeout(limit);
      socket.off("close", end);
      request.off("end", end);
      if (one.state === "read") this.#read--;
      one.state = "done";
      this.#next();
    };
    request.once("end", end);
    socket.once("close", end);
    this.#next();
  }

  #next(): void {
    while (this.#read < AT_ONCE && this.#waiting.length > 0) {
      const one = this.#waiting.shift()!;
      if (one.state === "done") continue;
      one.state = "read";
      this.#read++;
      one.request.socket.resume();
    }
  }
}
