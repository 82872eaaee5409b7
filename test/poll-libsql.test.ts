/** Polls in a libsql server, by its URL: two poll servers share it. The server is a stand-in that speaks the protocol, hrana-server.mjs. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PollResults } from "../src/server/poll/types.ts";
import { folder, root, tierwise } from "./cli.ts";
import { newPoll, pollServer, type TestServer, vote } from "./poll-server.ts";

const TOKEN = "token-of-the-database";
let database: ChildProcess;
let url: string;
let servers: readonly [TestServer, TestServer];
beforeAll(async () => {
  database = spawn(process.execPath, [join(root, "test/hrana-server.mjs"), join(folder(), "shared.db"), TOKEN], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(database.stdout!, "data")) as [Buffer];
  url = line.toString().trim();
  const place = { database: { path: url, token: TOKEN } };
  servers = [await pollServer(place), await pollServer(place)];
});
afterAll(async () => {
  for (const { app } of servers ?? []) await app.close();
  database.kill();
});

it("a poll of one server takes votes on another, and both count all of them once", async () => {
  const [a, b] = servers;
  const { poll, admin } = await newPoll(a, { description: "'; DROP TABLE ballots; --" });
  const { cookie } = await vote(a, poll, [[0], [1, 2], []]);
  expect((await vote(b, poll, [[2], [0], [1]])).body).toEqual({ ballots: 2 });
  expect((await vote(b, poll, [[0, 1], [], [2]], { cookie })).body).toEqual({ ballots: 2 }); // changed elsewhere than it was cast
  const votes = await Promise.all(
    Array.from({ length: 20 }, (_, v) => vote(servers[v % 2]!, poll, [[v % 4], [(v + 1) % 4], []])),
  );
  expect(votes.map(({ status }) => status)).toEqual(votes.map(() => 200));
  expect((await vote(a, poll, [[9], [], []])).status).toBe(400);

  const results = async ({ app }: TestServer) => (await app.inject(`/api/polls/${poll}/results`)).json() as PollResults;
  await expect.poll(async () => [(await results(a)).ballots, (await results(b)).ballots], { timeout: 20_000 }).toEqual([22, 22]);
  const [one, other] = [await results(a), await results(b)];
  expect(one.items.map(({ item, tiers }) => ({ item, tiers }))).toEqual(other.items.map(({ item, tiers }) => ({ item, tiers })));
  one.items.forEach(({ utility }, place) => void expect(utility).toBeCloseTo(other.items[place]!.utility, 6));
  expect((await b.app.inject({ url: `/api/polls/${poll}/ballot`, headers: { cookie } })).json()).toEqual({
    tiers: [[0, 1], [], [2]],
  });

  const headers = { authorization: `Bearer ${admin}` };
  expect((await b.app.inject({ method: "DELETE", url: "/api/admin", headers })).statusCode).toBe(204);
  expect((await a.app.inject(`/api/polls/${poll}`)).statusCode).toBe(404);
});

it("a wrong token, and a server that is not there, are one line", { timeout: 60_000 }, async () => {
  for (const [place, environment] of [
    [url, "another-token"],
    ["http://127.0.0.1:9", TOKEN],
  ] as const) {
    const before = process.env.TIERWISE_DB_TOKEN;
    process.env.TIERWISE_DB_TOKEN = environment;
    try {
      const { code, err } = await tierwise(["poll", "--db", place, "--port", "0", "--quiet"], { cwd: folder() });
      expect(code).toBe(2);
      expect(err).toMatch(/^tierwise: --db http:\S+: cannot be used as a database of polls \(.+\)\n$/);
      expect(err).not.toContain(environment);
    } finally {
      if (before === undefined) delete process.env.TIERWISE_DB_TOKEN;
      else process.env.TIERWISE_DB_TOKEN = before;
    }
  }
});
