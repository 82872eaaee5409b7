/** The log of interleaved rankings and of clicks on them: a file of JSON lines, which `tierwise interleave` reads. */
import type { FastifyInstance } from "fastify";
import { openAppend } from "../../formats/durable.ts";
import { HttpError } from "../http/http-error.ts";
import type { Log } from "../http/log.ts";
import { Click, ErrorAnswer, ModelName } from "./schemas.ts";
import type { ServedModels } from "./served-models.ts";

export interface Impressions {
  add(lines: string): void;
  /** Writes what waits and closes the file. */
  close(): Promise<void>;
}

const EVERY = 200; // milliseconds between writes

/** A file to which lines are appended, together and without blocking. */
export async function openImpressions(path: string, log: Log): Promise<Impressions> {
  const file = await openAppend(path);
  let waiting = "";
  let writing = Promise.resolve();
  const flush = () => {
    const text = waiting;
    waiting = "";
    if (text !== "")
      writing = writing
        .then(() => file.append(text))
        .catch((error: Error) => log("error", "impressions not written", { message: error.message }));
  };
  const timer = setInterval(flush, EVERY).unref();
  return {
    add: (lines) => void (waiting += lines),
    async close() {
      clearInterval(timer);
      flush();
      await writing;
      await file.close();
    },
  };
}

/** POST /models/NAME/clicks, for servers that keep a log of impressions. */
export function addClickRoute(app: FastifyInstance, models: ServedModels, impressions: Impressions): void {
  app.post<{ Params: { name: string }; Body: Click }>(
    "/models/:name/clicks",
    {
      schema: {
        ...{ tags: ["models"], summary: "Log a click on an interleaved ranking", params: ModelName, body: Click },
        response: { 202: { type: "object", properties: { logged: { type: "boolean" } } }, "4xx": ErrorAnswer },
      },
    },
    async (request, reply) => {
      models.find(request.params.name);
      if (typeof request.body !== "object") throw new HttpError(400, "invalid_request", "expected a JSON object");
      const { impression, item } = request.body;
      impressions.add(`${JSON.stringify({ click: item, impression, time: new Date().toISOString() })}\n`);
      return reply.code(202).send({ logged: true });
    },
  );
}
