/** The body of a request as it came: parts that are copied once, to where a worker reads them. */
import type { FastifyRequest } from "fastify";
import { bodyTooLarge, HttpError } from "../http/http-error.ts";

export interface ReceivedBody {
  readonly parts: readonly Uint8Array[];
  /** Bytes of all parts. */
  readonly size: number;
}

export type Received = (error: Error | null, body?: ReceivedBody) => void;

/** Reads a body of at most so many bytes. Calls `received` once. */
export function readBody(request: FastifyRequest, payload: NodeJS.ReadableStream, most: number, received: Received): void {
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
    } else parts.push(part);
  });
  payload.on("end", () => received(null, { parts, size }));
  payload.on("error", () => received(new HttpError(400, "body_incomplete", "the body ended before it was complete")));
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
