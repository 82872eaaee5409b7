/** The server of polls: pages, routes, the thread of the database and those of the results. */
import type { ServerResponse } from "node:http";
import { Worker } from "node:worker_threads";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createServer } from "../http/create-server.ts";
import { HttpError } from "../http/http-error.ts";
import type { Log } from "../http/log.ts";
import { addOperations } from "../http/operations.ts";
import { addStaticFile, readStaticFolder, staticFile } from "../http/static-files.ts";
import { checkToken } from "../http/token.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import type { DatabasePlace } from "./database.ts";
import type { ImportAnswer, ImportRequest } from "./import-thread.ts";
import { LiveResults } from "./live-results.ts";
import { RateLimit, Streams } from "./rate-limit.ts";
import { pollSchemas } from "./schemas.ts";
import { StoreClient } from "./store-client.ts";
import type { CreatedPoll } from "./types.ts";
import { addVoterRoutes } from "./voter-routes.ts";

export interface PollServerOptions {
  readonly database: DatabasePlace;
  /** The folder of the built pages. */
  readonly pages: string;
  readonly log: Log;
  /** Votes per minute and address; 0 is no limit. */
  readonly votesPerMinute: number;
  /** What creators of polls must send; without one anyone may create. */
  readonly token?: string | undefined;
  readonly trustProxy?: boolean;
}

/** What the routes share. */
export interface PollContext {
  readonly store: StoreClient;
  readonly live: LiveResults;
  readonly schemas: typeof pollSchemas;
  readonly limits: {
    readonly votes: RateLimit;
    readonly polls: RateLimit;
    /** Wrong tokens and codes. */
    readonly tries: RateLimit;
    readonly streams: Streams;
  };
  /** Open streams of events. */
  readonly streams: Set<ServerResponse>;
  checkCreator(request: FastifyRequest): void;
  importFile(name: string, content: Uint8Array, title?: string): Promise<CreatedPoll>;
}

export interface PollServer {
  readonly app: FastifyInstance;
  importFile: PollContext["importFile"];
}

const BODY = 12_000_000; // bytes: all pictures of a poll, in base64
const SECONDS = 30;

export async function createPollServer(options: PollServerOptions): Promise<PollServer> {
  const { database, pages, log, votesPerMinute, token, trustProxy = false } = options;
  const opening = StoreClient.open(database); // in its own thread, while this one loads fastify
  const creating = createServer({
    ...{ command: "poll", packages: ["fastify", "libsql"] },
    ...{ log, limits: { body: BODY, seconds: SECONDS }, trustProxy },
  });
  const [opened, created] = await Promise.allSettled([opening, creating]);
  if (created.status === "rejected" && opened.status === "fulfilled") await opened.value.close();
  const [{ app, metrics }, store] = [await creating, await opening];
  app.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  const live = new LiveResults(database, store, log);
  const streams = new Set<ServerResponse>();
  const context: PollContext = {
    ...{ store, live, schemas: pollSchemas, streams },
    limits: {
      votes: new RateLimit("votes", votesPerMinute),
      polls: new RateLimit("new polls", votesPerMinute === 0 ? 0 : 4, 20),
      tries: new RateLimit("wrong links or codes", votesPerMinute === 0 ? 0 : 20, 40),
      streams: new Streams(votesPerMinute === 0 ? Number.POSITIVE_INFINITY : 200),
    },
    checkCreator: (request) => token === undefined || checkToken(request.headers.authorization, token),
    importFile: async (name, content, title) => {
      const { poll, ballots } = await readImport({ name, content, title });
      return store.call("create", poll, ballots);
    },
  };
  addOperations(app, metrics, () => store.broken ?? live.broken);
  metrics.gauge("tierwise_poll_streams", "Open result pages that are updated live.", () => streams.size);
  addPages(app, pages, token !== undefined);
  addVoterRoutes(app, context);
  addAdminRoutes(app, context);
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.end();
  });
  app.addHook("onClose", async () => {
    await live.close();
    await store.close();
  });
  return { app, importFile: context.importFile };
}

/** One page for all views: which one is shown follows from the path. */
function addPages(app: FastifyInstance, folder: string, wantsToken: boolean): void {
  const files = readStaticFolder(folder);
  const text = files.get("index.html")?.bytes.toString();
  if (text === undefined) throw new Error(`${folder} has no index.html; build the package`);
  const page = staticFile("index.html", text.replaceAll('="./', '="/')); // it is served below several paths
  for (const path of ["/", "/p/:token", "/p/:token/results", "/admin"]) addStaticFile(app, path, page);
  for (const [name, file] of files) if (name !== "index.html") addStaticFile(app, `/${name}`, file);
  app.get("/api/settings", async () => ({ wantsToken }));
}

function readImport(request: ImportRequest): Promise<Exclude<ImportAnswer, { refusal: string }>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./import-thread.js", import.meta.url), { workerData: request });
    worker.once("error", reject);
    worker.once("message", (answer: ImportAnswer) =>
      "refusal" in answer ? reject(new HttpError(400, "invalid_file", answer.refusal)) : resolve(answer),
    );
  });
}
