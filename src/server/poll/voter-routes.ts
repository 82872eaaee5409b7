/** Routes of those who create polls, vote and look at results. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpError } from "../http/http-error.ts";
import type { PollContext } from "./poll-server.ts";
import { adminOf, checkOrigin, codeOf, setVoter, voterOf } from "./requests.ts";
import type { StoredPoll, Vote } from "./store.ts";
import type { NewPoll, PollResults } from "./types.ts";

interface ByToken {
  readonly Params: { readonly token: string };
}

export function addVoterRoutes(app: FastifyInstance, context: PollContext): void {
  const { store, live, schemas, limits } = context;

  /** A wrong token or code costs a try. */
  const guarded = async <R>(request: FastifyRequest, act: () => Promise<R>): Promise<R> => {
    limits.tries.check(request.ip);
    try {
      return await act();
    } catch (error) {
      if (error instanceof HttpError && [403, 404].includes(error.status)) limits.tries.take(request.ip);
      throw error;
    }
  };
  const pollOf = (request: FastifyRequest<ByToken>): Promise<StoredPoll> =>
    guarded(request, () => store.call("poll", request.params.token));

  app.post<{ Body: NewPoll }>("/api/polls", { schema: { body: schemas.newPoll } }, async (request, reply) => {
    checkOrigin(request);
    context.checkCreator(request);
    limits.polls.take(request.ip);
    return reply.code(201).send(await store.call("create", request.body));
  });

  app.post<{ Querystring: { name: string; title?: string }; Body: Buffer }>(
    "/api/import",
    { schema: { querystring: schemas.import } },
    async (request, reply) => {
      checkOrigin(request);
      context.checkCreator(request);
      limits.polls.take(request.ip);
      if (!Buffer.isBuffer(request.body))
        throw new HttpError(415, "unsupported_media_type", "expected the file as application/octet-stream");
      return reply.code(201).send(await context.importFile(request.query.name, request.body, request.query.title));
    },
  );

  app.get<ByToken>("/api/polls/:token", async (request) => (await pollOf(request)).view);

  app.get<ByToken & { Params: { number: string } }>("/api/polls/:token/pictures/:number", async (request, reply) => {
    const { token, number } = request.params;
    if (!/^\d{1,4}$/.test(number)) throw new HttpError(404, "not_found", "the item has no picture");
    const { type, bytes } = await guarded(request, () => store.call("picture", token, Number(number)));
    return reply.headers({ "content-type": type, "cache-control": "private, max-age=86400" }).send(Buffer.from(bytes));
  });

  app.get<ByToken>("/api/polls/:token/ballot", async (request) => {
    const tiers = await guarded(request, () => store.call("ballotOf", request.params.token, voterOf(request), codeOf(request)));
    return { tiers: tiers ?? null };
  });

  app.put<ByToken & { Body: Omit<Vote, "voter"> }>(
    "/api/polls/:token/ballot",
    { schema: { body: schemas.vote } },
    async (request, reply) => {
      checkOrigin(request);
      limits.votes.take(request.ip);
      const { token } = request.params;
      const vote = { ...request.body, voter: voterOf(request) };
      try {
        const { id, ballots, voter } = await guarded(request, () => store.call("vote", token, vote));
        if (voter !== undefined) setVoter(request, reply, token, voter);
        live.changed(id);
        return { ballots };
      } catch (error) {
        if (error instanceof HttpError && error.code === "unknown_voter") setVoter(request, reply, token, "");
        throw error;
      }
    },
  );

  /** A poll whose results this request may see: those of an admin are always visible. */
  const visible = async (request: FastifyRequest<ByToken>): Promise<StoredPoll> => {
    const poll = await pollOf(request);
    if (poll.view.results === "always" || poll.view.status !== "open") return poll;
    if (request.headers.authorization !== undefined) {
      const own = await guarded(request, () => store.call("administered", adminOf(request)));
      if (own.id === poll.id) return poll;
    }
    throw new HttpError(403, "results_hidden", "the results will be shown when voting has ended");
  };
  const fitted = ({ id, view }: StoredPoll) => ({ poll: id, items: view.items.length, tiers: view.tiers.length });

  app.get<ByToken>("/api/polls/:token/results", async (request) => live.current(fitted(await visible(request))));

  app.get<ByToken>("/api/polls/:token/events", { config: { endless: true } }, async (request, reply) => {
    const poll = await visible(request);
    limits.streams.take(request.ip);
    sendEvents(
      reply,
      context,
      (send) => live.listen(fitted(poll), send),
      () => limits.streams.give(request.ip),
    );
  });
}

const PING = 25_000; // milliseconds: proxies cut connections that are silent for a minute

/** Answers with server-sent events until the client goes or the server stops. */
function sendEvents(
  reply: FastifyReply,
  { streams }: PollContext,
  listen: (send: (results: PollResults) => void) => () => void,
  done: () => void,
): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), "content-type": "text/event-stream; charset=utf-8" });
  raw.write("retry: 2000\n\n");
  const unlisten = listen((results) => {
    // A client that does not read gets the next results instead of all of them.
    if (raw.writableLength < 1e6) raw.write(`event: results\ndata: ${JSON.stringify(results)}\n\n`);
  });
  const ping = setInterval(() => raw.write(": still here\n\n"), PING);
  streams.add(raw);
  raw.once("close", () => {
    clearInterval(ping);
    streams.delete(raw);
    unlisten();
    done();
  });
}
