/**
 * A fastify server with what every server here has: request ids, security headers, errors as JSON, an access log, metrics, a token, limits on
 * bodies and on time, and CORS where it is asked for. Routes come from the caller.
 *
 * A route with `config: { open: true }` needs no token. A handler may set `request.logFields`, which the access log adds to its line. The log
 * has the pattern of a route and never the URL, which may hold a secret.
 */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { answerError, errorBody, HttpError } from "./http-error.ts";
import { importPackage, type PackageName } from "./import-package.ts";
import type { Log } from "./log.ts";
import { Metrics } from "./prometheus.ts";
import { corsHeaders, preflightHeaders, SECURITY_HEADERS } from "./security-headers.ts";
import { checkToken } from "./token.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the access log adds to the line of this request. */
    logFields: Record<string, unknown>;
  }
  interface FastifyContextConfig {
    /** The route needs no token. */
    open?: boolean;
    /** The answer ends when the client goes, such as an event stream: that is no lost connection. */
    endless?: boolean;
  }
}

/** Limits of a server. */
export interface ServerLimits {
  /** Bytes of a body. */
  readonly body: number;
  /** Seconds in which a request, headers and body, must have arrived. */
  readonly seconds: number;
}

export interface ServerOptions {
  /** The command, for messages about packages: "serve". */
  readonly command: string;
  /** All packages that the command needs, for the same messages. */
  readonly packages: readonly PackageName[];
  readonly log: Log;
  readonly limits: ServerLimits;
  /** What requests must bring in their Authorization header. Default: no token. */
  readonly token?: string | undefined;
  /** The origin whose pages may call this server. Default: none. */
  readonly cors?: string | undefined;
  /** Headers of every answer, in addition to or in place of the security headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether X-Forwarded-For of a proxy on this machine is the address of a request. Default: false. */
  readonly trustProxy?: boolean;
}

export interface Server {
  readonly app: FastifyInstance;
  readonly metrics: Metrics;
}

export async function createServer(options: ServerOptions): Promise<Server> {
  const { command, packages, log, limits, token, cors, headers = {}, trustProxy = false } = options;
  const { fastify } = await importPackage({ command, packages }, () => import("fastify"));
  const milliseconds = limits.seconds * 1000;
  const always = { ...SECURITY_HEADERS, ...headers };
  const app = fastify({
    logger: false,
    bodyLimit: limits.body,
    // Otherwise "1" would become 1, and unknown members would be dropped without a word.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    requestTimeout: milliseconds,
    keepAliveTimeout: 65_000, // longer than the 60 seconds after which most proxies give up
    http: { headersTimeout: milliseconds, connectionsCheckingInterval: Math.min(1000, milliseconds / 4), maxHeaderSize: 16_384 },
    routerOptions: { maxParamLength: 200 },
    trustProxy: trustProxy ? "loopback" : false,
    forceCloseConnections: "idle",
    genReqId: (request) => idFrom(request.headers["x-request-id"]),
    frameworkErrors: (_, request, reply) => {
      const error = new HttpError(400, "invalid_path", "the path of the request cannot be decoded");
      reply.headers({ ...always, "x-request-id": request.id });
      answerError(error, request, reply, limits, log);
    },
    clientErrorHandler: refuseConnection,
  });
  const metrics = new Metrics();
  app.decorateRequest("logFields");
  // Hooks that every request passes call back: a promise for each would cost more than what they do.
  app.addHook("onRequest", (request, reply, done) => {
    request.logFields = {};
    reply.headers(always).header("x-request-id", request.id);
    if (cors !== undefined && request.headers.origin === cors) reply.headers(corsHeaders(cors));
    done();
  });
  addObservations(app, metrics, log);
  if (cors !== undefined) addPreflight(app, cors);
  if (token !== undefined)
    app.addHook("onRequest", async (request) => {
      if (!request.routeOptions.config.open) checkToken(request.headers.authorization, token);
    });
  app.setErrorHandler((error: Error, request, reply) => answerError(error, request, reply, limits, log));
  app.setNotFoundHandler((request, reply) => {
    const message = `there is no ${request.method} on this path`;
    reply.code(404).send(errorBody("not_found", message));
  });
  return { app, metrics };
}

/** The id that a client or proxy gave, if it is harmless in a log, or a new one. */
const idFrom = (given: string | string[] | undefined): string =>
  typeof given === "string" && /^[\w.:/-]{1,100}$/.test(given) ? given : randomUUID();

/** The access log, and how many requests there were and how long they took, by route. */
function addObservations(app: FastifyInstance, metrics: Metrics, log: Log): void {
  const requests = metrics.counter("tierwise_http_requests_total", "Requests answered, by method, route and status.");
  const seconds = metrics.histogram("tierwise_http_request_seconds", "Time from the first byte to the end of the answer.");
  let underWay = 0;
  metrics.gauge("tierwise_http_requests_under_way", "Requests that are not answered yet.", () => underWay);
  app.addHook("onRequest", (request, reply, done) => {
    underWay++;
    reply.raw.once("close", () => {
      underWay--;
      if (!reply.raw.writableEnded && !request.routeOptions.config.endless)
        log("warn", "connection lost", { request: request.id, route: routeOf(request) });
    });
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const [route, status] = [routeOf(request), reply.statusCode];
    requests.add({ method: request.method, route, status: String(status) });
    seconds.observe(reply.elapsedTime / 1000, { route });
    log("info", "request", {
      ...{ request: request.id, method: request.method, route, status },
      ...{ milliseconds: Math.round(reply.elapsedTime * 1000) / 1000, address: request.ip, ...request.logFields },
    });
    done();
  });
}

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? "none";

/** Answers preflight requests of the allowed origin, before the token is asked for: browsers send none with them. */
function addPreflight(app: FastifyInstance, cors: string): void {
  app.addHook("onRequest", async (request, reply) => {
    const { origin, "access-control-request-method": asked } = request.headers;
    if (request.method === "OPTIONS" && asked !== undefined && origin === cors)
      return reply.code(204).headers(preflightHeaders(cors)).send();
  });
}

/** A connection whose bytes are not a request, or whose request takes too long, gets an answer in the same form and is closed. */
function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  const [status, code, message] =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? ([408, "request_timeout", "the request did not arrive within the time limit"] as const)
      : error.code === "HPE_HEADER_OVERFLOW"
        ? ([431, "headers_too_large", "the headers are larger than the limit of 16384 bytes"] as const)
        : ([400, "invalid_http", "these bytes are not an HTTP request"] as const);
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(code, message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
