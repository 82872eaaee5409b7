/** Errors that a server answers with, as JSON: {"error": {"code", "message"}}. Codes are for programs and stay the same. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { InputError } from "../../input-error.ts";
import type { Log } from "./log.ts";

/** A request that is refused: the message names the limit or the field. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The body of an answer that reports an error. */
export const errorBody = (code: string, message: string) => ({ error: { code, message } });

/** What any error of a handler, of validation or of fastify itself is to the client. Those that are bugs keep their message to the log. */
export function httpErrorOf(error: FastifyError | Error, { body }: { readonly body: number }): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InputError) return new HttpError(400, "invalid_input", error.message);
  const { validation, validationContext, code, statusCode = 500 } = error as FastifyError;
  if (validation) {
    const [first] = validation;
    const field = `${validationContext ?? "body"}${(first?.instancePath ?? "").replaceAll("/", ".")}`;
    return new HttpError(400, "invalid_request", `${field}: ${first?.message ?? "does not fit the schema"}`);
  }
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return bodyTooLarge(body);
  if (statusCode === 415)
    return new HttpError(415, "unsupported_media_type", "the content type of the body is not supported here");
  if (code === "FST_ERR_CTP_INVALID_JSON_BODY" || error instanceof SyntaxError)
    return new HttpError(400, "invalid_json", "the body is not valid JSON");
  if (code === "FST_ERR_CTP_EMPTY_JSON_BODY")
    return new HttpError(400, "invalid_json", "the body is empty, and JSON was announced");
  if (statusCode >= 400 && statusCode < 500) return new HttpError(statusCode, "bad_request", error.message);
  if (statusCode === 503) return new HttpError(503, "unavailable", error.message, { "retry-after": "1" });
  return new HttpError(500, "internal_error", "an internal error; the log has it under the request id of this answer");
}

export const bodyTooLarge = (most: number): HttpError =>
  new HttpError(413, "body_too_large", `the body is larger than the limit of ${most} bytes`, { connection: "close" });

/** Answers with an error, and logs it where it is a bug. */
export function answerError(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  limits: { body: number },
  log: Log,
): void {
  const answer = httpErrorOf(error, limits);
  if (answer.status === 500 && !isGone(error, reply))
    log("error", "internal error", { request: request.id, stack: error.stack ?? String(error) });
  reply.code(answer.status).headers(answer.headers).send(errorBody(answer.code, answer.message));
}

/** Whether the client went away before a stream was sent, which "connection lost" tells. */
const isGone = (error: Error, { raw }: FastifyReply) =>
  raw.destroyed && (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
