/** Reads the bodies of requests, as parts that are copied once, to where a worker reads them. */
import type { FastifyRequest } from "fastify";
import { bodyTooLarge, HttpError } from "../http/http-error.ts";

export interface ReceivedBody {
  readonly parts: readonly Uint8Array[];
  /** Bytes of all parts. */
  readonly size: number;
}

export type Received = (error: Error | null, body?: ReceivedBody) => void;

const PER_TURN = 1 << 18; // bytes
const AT_ONCE = 8; // bodies that go on in the next turn

/**
 * Reads bodies, of all connections together only so many bytes in a turn of the event loop: when more have come, connections wait for the next
 * turn, in the order in which they were stopped.
 */
export class BodyReader {
  readonly #most: number;
  readonly #stopped: NodeJS.ReadableStream[] = [];
  #left = PER_TURN;
  #scheduled = false;

  /** `most` is the limit on the bytes of a body. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `received` once. */
  read(request: FastifyRequest, payload: NodeJS.ReadableStream, received: Received): void {
    const most = this.#most;
    if (Number(request.headers["content-length"] ?? 0) > most) {
      received(bodyTooLarge(most));
      return;
    }
    const parts: Buffer[] = [];
    let size = 0;
    payload.on("data", (part: Buffer) => {
      size += part.length;
      if (size > most) {
        payload
          .removeAllListeners()
          .on("error", () => {})
          .resume();
        received(bodyTooLarge(most));
        return;
      }
      parts.push(part);
      this.#count(payload, part.length);
    });
    payload.on("end", () => received(null, { parts, size }));
    payload.on("error", () => received(new HttpError(400, "body_incomplete", "the body ended before it was complete")));
  }

  #count(payload: NodeJS.ReadableStream, bytes: number): void {
    this.#left -= bytes;
    this.#schedule();
    if (this.#left >= 0) return;
    payload.pause();
    this.#stopped.push(payload);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#left = PER_TURN;
      for (const one of this.#stopped.splice(0, AT_ONCE)) one.resume();
      if (this.#stopped.length > 0) this.#schedule();
    });
  }
}

/** All parts in one array that owns its buffer, which can be transferred. */
export function joined({ parts, size }: ReceivedBody): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
