/**
 * The connections of requests that were refused before all of their body was read. The answer is sent at once and says that the connection closes. A
 * client may send all of its body before it looks for an answer, and may lose the answer if the connection is closed meanwhile: only the
 * direction of the answer is closed, and bodies are read and discarded, one after another with a pause between them, since to read those of a
 * thousand clients would delay the answers to others. What is left of a connection a second after the answer is closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

const LONGEST = 1000; // milliseconds
const PAUSE = 10; // milliseconds
/** Bytes of a body that is not worth the trouble: it is here already, or nearly, and the connection can be used again. */
const SMALL = 1 << 16;

export class RefusedBodies {
  /** Connections whose bodies are to be read. */
  readonly #waiting = new Set<Socket>();
  /** The one that is read, and for a pause after it. */
  #reading: Socket | undefined;

  /** Called before the answer is sent. */
  add(request: IncomingMessage, response: ServerResponse): void {
    if (Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= SMALL) return;
    const { socket } = request;
    if (!(socket instanceof Socket)) return; // fastify's inject has no connection
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
    this.#waiting.add(socket);
    const limit = setTimeout(() => socket.destroy(), LONGEST);
    request.once("end", () => socket.destroy());
    socket.once("close", () => {
      clearTimeout(limit);
      this.#waiting.delete(socket);
      if (this.#reading === socket) setTimeout(() => this.#next(), PAUSE).unref();
    });
    if (!this.#reading) this.#next();
  }

  #next(): void {
    const [socket] = this.#waiting;
    this.#reading = socket;
    if (!socket) return;
    this.#waiting.delete(socket);
    socket.resume();
  }
}
