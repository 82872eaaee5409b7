/** A poll server for tests, from the built package: its threads start from built files. */
import { join } from "node:path";
import type { createPollServer, PollServer, PollServerOptions } from "../src/server/poll/poll-server.ts";
import type { CreatedPoll, NewPoll } from "../src/server/poll/types.ts";
import { folder, root } from "./cli.ts";

const built = async <T>(path: string): Promise<T> => (await import(join(root, "dist/src", path))) as T;

export interface TestServer extends PollServer {
  readonly db: string;
  readonly logged: string[];
}

export async function pollServer(options: Partial<PollServerOptions> = {}, db = join(folder(), "polls.db")): Promise<TestServer> {
  const module = await built<{ createPollServer: typeof createPollServer }>("server/poll/poll-server.js");
  const { newLog } = await built<typeof import("../src/server/http/log.ts")>("server/http/log.js");
  const logged: string[] = [];
  const server = await module.createPollServer({
    ...{
      database: { path: db },
      pages: join(root, "dist/pages/poll"),
      log: newLog((text) => logged.push(text)),
      votesPerMinute: 0,
    },
    ...options,
  });
  return { ...server, db, logged };
}

export const LUNCH: NewPoll = {
  title: "Lunch?",
  tiers: [
    { name: "S", color: "#ff8a80" },
    { name: "A", color: "#ffc078" },
    { name: "B", color: "#ffe066" },
  ],
  items: ["noodles", "curry", "salad", "soup"].map((name) => ({ name, color: "#3b6ea8" })),
};

export async function newPoll({ app }: PollServer, more: Partial<NewPoll> = {}): Promise<CreatedPoll> {
  const answer = await app.inject({ method: "POST", url: "/api/polls", payload: { ...LUNCH, ...more } });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json() as CreatedPoll;
}

let requests = 0;

/** Sends a ballot; `cookie` is that of an earlier answer. */
export async function vote(
  { app }: PollServer,
  poll: string,
  tiers: unknown,
  { cookie = "", ...more }: Readonly<Record<string, string>> = {},
) {
  const answer = await app.inject({
    ...{ method: "PUT", url: `/api/polls/${poll}/ballot`, headers: cookie === "" ? {} : { cookie } },
    payload: { tiers, request: `request number ${++requests}`, ...more },
  });
  const [, set = ""] = /^(voter=[^;]*)/.exec(String(answer.headers["set-cookie"] ?? "")) ?? [];
  return { status: answer.statusCode, body: answer.json(), cookie: set, header: String(answer.headers["set-cookie"] ?? "") };
}
