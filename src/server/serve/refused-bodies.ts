/**
 * The connections of requests that were refused before their bodies were read. The answer is sent at once and says that the connection closes. A
 * client may send all of its body before it looks for an answer, and would lose the answer if the connection were closed meanwhile: only the
 * direction of the answer is closed, and bodies are read and discarded, two at a time, so that a thousand of them do not keep the event loop
 * from other work. What is left of a connection a second after the answer is closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

const AT_ONCE = 2;
const LONGEST = 1000; // milliseconds
/** Bytes of a body that is not worth the trouble: it is here already, or nearly, and the connection can be used again. */
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
    const { socket } = request;
    response.setHeader("connection", "close");
    socket.destroySoon = () => void socket.end(); // which node calls after the answer, and which would close both directions
    // With the end of the answer node begins to read the rest of the request, from the next turn of the event loop on.
    response.once("finish", () => setImmediate(() => this.#begin(request)));
  }

  #begin(request: IncomingMessage): void {
    const { socket } = request;
    if (socket.destroyed) return;
    if (request.complete) {
      socket.destroy();
      return;
    }
    socket.pause();
    const one: Refused = { request, state: "waits" };
    this.#waiting.push(one);
    const end = () => {
      clearTimeout(limit);
      if (one.state === "read") this.#read--;
      one.state = "done";
      this.#next();
    };
    const limit = setTimeout(() => socket.destroy(), LONGEST);
    request.once("end", () => socket.destroy());
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
