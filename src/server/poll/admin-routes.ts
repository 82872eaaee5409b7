/** Routes of the admin of a poll, who sends the token of the admin link in a header. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpError } from "../http/http-error.ts";
import { type ExportFormat, exportBallots } from "./exports.ts";
import type { PollContext } from "./poll-server.ts";
import { adminOf, checkOrigin } from "./requests.ts";
import type { PollStore } from "./store.ts";
import type { BallotTiers } from "./types.ts";

const BATCH = 2000; // ballots that are read at once

export function addAdminRoutes(app: FastifyInstance, { store, live, schemas, limits }: PollContext): void {
  /** Calls the store as admin; a wrong token costs a try. */
  const asAdmin = async <R>(request: FastifyRequest, act: (admin: string) => Promise<R>): Promise<R> => {
    limits.tries.check(request.ip);
    if (request.method !== "GET") checkOrigin(request);
    try {
      return await act(adminOf(request));
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) limits.tries.take(request.ip);
      throw error;
    }
  };

  app.get("/api/admin", (request) =>
    asAdmin(request, async (admin) => {
      const { view, token } = await store.call("administered", admin);
      return { poll: token, view };
    }),
  );

  app.post("/api/admin/close", (request) => asAdmin(request, (admin) => store.call("close", admin, true)));
  app.post("/api/admin/reopen", (request) => asAdmin(request, (admin) => store.call("close", admin, false)));

  app.post<{ Body: { count: number } }>("/api/admin/codes", { schema: { body: schemas.codes } }, (request) =>
    asAdmin(request, async (admin) => ({ codes: await store.call("addCodes", admin, request.body.count) })),
  );

  app.get<{ Querystring: { format: ExportFormat } }>(
    "/api/admin/export",
    { schema: { querystring: schemas.export } },
    async (request, reply) => {
      const { id, view } = await asAdmin(request, (admin) => store.call("administered", admin));
      const { name, type, text } = exportBallots(request.query.format, view, await allBallots(store, id));
      return reply.headers({ "content-type": type, "content-disposition": `attachment; filename="${name}"` }).send(text);
    },
  );

  app.delete("/api/admin", async (request, reply) => {
    live.forget(await asAdmin(request, (admin) => store.call("remove", admin)));
    return reply.code(204).send();
  });
}

/** All ballots of a poll, read in batches so that votes are stored in between. */
async function allBallots(
  store: {
    call(
      method: "changesSince",
      ...values: Parameters<PollStore["changesSince"]>
    ): Promise<ReturnType<PollStore["changesSince"]>>;
  },
  id: number,
): Promise<[BallotTiers, number][]> {
  // A ballot that changes meanwhile comes again, later.
  const found = new Map<number, [BallotTiers, number]>();
  for (let since = 0; ; ) {
    const batch = await store.call("changesSince", id, since, BATCH);
    for (const { ballot, tiers, count, change } of batch) {
      found.set(ballot, [tiers, count]);
      since = change;
    }
    if (batch.length < BATCH) return [...found.values()];
  }
}
