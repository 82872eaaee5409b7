/** POST /models/NAME/rank: takes the body as bytes, which a worker parses, and sends the answer as the worker writes it. */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RANK_BODY_TYPE } from "../../formats/rank-body.ts";
import { HttpError } from "../http/http-error.ts";
import type { Log } from "../http/log.ts";
import type { Metrics } from "../http/prometheus.ts";
import { Arrivals } from "./arrivals.ts";
import type { Experiment } from "./rank-jobs.ts";
import { overloaded, type RankPool, type WaitingJob } from "./rank-pool.ts";
import { BodyReader, type Received, type ReceivedBody } from "./received-body.ts";
import { RefusedBodies } from "./refused-bodies.ts";
import { ErrorAnswer, ModelName, RankAnswer, RankRequest } from "./schemas.ts";
import type { Entry, ServedModels, Version } from "./served-models.ts";
import type { AnswerHead } from "./worker-messages.ts";

export interface RankRouteOptions {
  readonly pool: RankPool;
  readonly models: ServedModels;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly limits: {
    readonly body: number;
    readonly rows: number;
    readonly detailedRows: number;
    readonly seconds: number;
    readonly queue: number;
  };
  /** The second model of a request, with its entry, if the model has one. */
  readonly experimentOf: (
    entry: Entry,
  ) => { readonly other: Entry; readonly split: number; readonly interleave: Experiment["interleave"] } | undefined;
  /** Takes lines for the log of impressions. */
  readonly impressions: (lines: string) => void;
}

/** Bytes of all bodies that wait or are on their way; but one of the largest is always taken. */
const MOST_BYTES = 1 << 26;

export async function addRankRoute(app: FastifyInstance, options: RankRouteOptions): Promise<void> {
  const { pool, models, metrics, log, limits, experimentOf, impressions } = options;
  const rows = metrics.counter("tierwise_rows_scored_total", "Items scored, by model.");
  const lists = metrics.counter("tierwise_lists_ranked_total", "Lists ranked, by model.");
  const errors = metrics.counter("tierwise_rank_errors_total", "Requests to rank that were refused, by model and code.");
  const assigned = metrics.counter("tierwise_split_lists_total", "Lists served by the second model.");
  const observe = (entry: Entry, request: FastifyRequest, head: AnswerHead) => {
    const model = { model: entry.name };
    rows.add(model, head.rows);
    lists.add(model, head.lists);
    if (head.assigned > 0) assigned.add(model, head.assigned);
    if (head.impressions !== "") impressions(head.impressions);
    if (head.otherError !== undefined) log("warn", "second model failed", { request: request.id, message: head.otherError });
    Object.assign(request.logFields, { ...model, lists: head.lists, rows: head.rows });
  };

  const mostBytes = Math.max(MOST_BYTES, limits.body);
  await app.register(async (scope) => {
    const [arriving, bodies, refused] = [new Arrivals(), new BodyReader(limits.body), new RefusedBodies()];
    const responses = new WeakMap<FastifyRequest, ServerResponse>();
    scope.removeContentTypeParser("text/plain"); // which fastify reads by itself: 415, as for all other types
    for (const type of ["application/json", RANK_BODY_TYPE])
      scope.addContentTypeParser(type, (request: FastifyRequest, payload: NodeJS.ReadableStream, done: Received) =>
        bodies.read(request, payload, (error, body) => {
          arriving.end(request);
          if (error instanceof HttpError && error.status === 413) refused.add(request.raw, responses.get(request)!);
          done(error, body);
        }),
      );
    scope.post<{ Params: { name: string }; Body: ReceivedBody | undefined }>(
      "/models/:name/rank",
      {
        schema: {
          ...{ tags: ["models"], summary: "Rank the items of one list or of several", operationId: "rank" },
          description: `The body is JSON, or ${RANK_BODY_TYPE}: "TWRK", the length of a JSON head as uint32, the head, and rows of float32. With Accept: ${RANK_BODY_TYPE} the answer has that form too`,
          ...{ params: ModelName, body: RankRequest, consumes: ["application/json", RANK_BODY_TYPE] },
          response: { 200: RankAnswer, "4xx": ErrorAnswer, 503: ErrorAnswer },
        },
        validatorCompiler: () => () => true, // the worker checks the body, by the same schema
        serializerCompiler: () => (data) => JSON.stringify(data),
        onRequest: (request, reply, done) => {
          models.find(request.params.name);
          const size = Math.min(Number(request.headers["content-length"] ?? 0), limits.body); // one that is larger gets a 413
          if (arriving.count >= pool.capacity || arriving.bytes + pool.bytes + size > mostBytes) {
            refused.add(request.raw, reply.raw); // before the body is read
            throw overloaded(arriving.count >= pool.capacity ? `${limits.queue} requests` : `${mostBytes} bytes`);
          }
          arriving.begin(request, size);
          responses.set(request, reply.raw);
          reply.raw.once("close", () => arriving.end(request)); // also of a client that goes away
          done();
        },
      },
      async (request, reply) => {
        const entry = models.find(request.params.name);
        if (!request.body) throw new HttpError(400, "no_body", "the request has no body, and no Content-Type");
        const experiment = experimentOf(entry);
        const used: [Entry, Version][] = [[entry, models.use(entry)]];
        if (experiment) used.push([experiment.other, models.use(experiment.other)]);
        const job: WaitingJob = {
          ...{ request: request.id, name: entry.name, model: used[0]![1].key, body: request.body, limits },
          contentType: request.headers["content-type"]?.startsWith(RANK_BODY_TYPE) ? "compact" : "json",
          answerType: request.headers.accept?.includes(RANK_BODY_TYPE) ? "compact" : "json",
          deadline: Date.now() + limits.seconds * 1000,
          experiment: experiment && { other: used[1]![1].key, split: experiment.split, interleave: experiment.interleave },
        };
        try {
          const answer = await answered(pool, job, reply, arriving.count === 0, (head) => observe(entry, request, head));
          return reply.type(answer.contentType).send(answer.body);
        } catch (error) {
          if (!(error instanceof HttpError)) throw error;
          errors.add({ model: entry.name, code: error.code });
          if (error.status !== 500 || error.code !== "internal_error") throw error;
          throw new Error(error.message); // a bug of a worker, which is logged with its stack
        } finally {
          for (const [one, version] of used) models.release(one, version);
        }
      },
    );
  });
}

interface Answer {
  readonly contentType: string;
  readonly body: Buffer | Readable;
}

/** The answer of a worker: its bytes where it is one piece, else a stream of its pieces. A client that goes away cancels its request. */
function answered(
  pool: RankPool,
  job: WaitingJob,
  reply: FastifyReply,
  alone: boolean,
  observe: (head: AnswerHead) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let stream: Readable | undefined;
    const cancel = pool.rank(
      job,
      {
        piece(piece, last, head) {
          if (head) {
            observe(head);
            if (!last) stream = new Readable({ read() {} });
            resolve({ contentType: head.contentType, body: stream ?? piece });
          }
          stream?.push(piece);
          if (last) stream?.push(null);
        },
        failed(error) {
          if (stream) stream.destroy(error);
          else reject(error);
        },
      },
      alone,
    );
    reply.raw.once("close", cancel);
  });
}
