/** The poll server over HTTP: what it stores and shows, and what it refuses. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ballots, fit, isUtilities, plPartition, utilities, utilityProbabilities } from "../src/index.ts";
import type { PollResults, PollView } from "../src/server/poll/types.ts";
import { folder, main, succeed, tierwise } from "./cli.ts";
import { LUNCH, newPoll, pollServer, type TestServer, vote } from "./poll-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await pollServer();
});
afterAll(() => server.app.close());

const get = async <T>(url: string, headers: Record<string, string> = {}) => {
  const answer = await server.app.inject({ url, headers });
  return {
    status: answer.statusCode,
    body: (answer.headers["content-type"]?.toString().includes("json") ? answer.json() : answer.body) as T,
  };
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("votes", () => {
  it("of a voter count once and can be changed; results are those of the library to the last digits", async () => {
    const { poll } = await newPoll(server);
    const { status, cookie, header } = await vote(server, poll, [[0], [1, 2], []]);
    expect(status).toBe(200);
    expect(header).toMatch(new RegExp(`^voter=[\\w-]{22}; Path=/api/polls/${poll}; Max-Age=\\d+; HttpOnly; SameSite=Strict$`));
    await vote(server, poll, [[2], [0], [1]]);
    expect((await vote(server, poll, [[], [3], [0]])).body).toEqual({ ballots: 3 });
    expect((await get<PollResults>(`/api/polls/${poll}/results`)).body.ballots).toBe(3);
    expect((await vote(server, poll, [[0, 1], [], [2]], { cookie })).body).toEqual({ ballots: 3 });
    expect((await get(`/api/polls/${poll}/ballot`, { cookie })).body).toEqual({ tiers: [[0, 1], [], [2]] });
    expect((await get(`/api/polls/${poll}/ballot`)).body).toEqual({ tiers: null });

    const { body } = await get<PollResults>(`/api/polls/${poll}/results`);
    const given = [
      [["noodles", "curry"], ["salad"]],
      [["salad"], ["noodles"], ["curry"]],
      [["soup"], ["noodles"]],
    ];
    const data = ballots(given, { items: LUNCH.items.map(({ name }) => name) });
    const { model } = fit(data, { model: utilities({ ghost: 0.5 }), objective: plPartition() });
    if (!isUtilities(model)) throw new Error("no utilities");
    const chances = utilityProbabilities(model);
    expect(body.ballots).toBe(3);
    body.items.forEach((row, place) => {
      const { name } = LUNCH.items[row.item]!;
      expect(row.utility).toBeCloseTo(model.fit.utilities[row.item]!, 9);
      expect(row.worth).toBeCloseTo(chances.outcome.first(name), 9);
      expect([row.rankLow, row.rankHigh]).toEqual([
        model.fit.uncertainty!.ranks.low[row.item],
        model.fit.uncertainty!.ranks.high[row.item],
      ]);
      expect(row.best).toBe(chances.truth.first(name));
      const next = body.items[place + 1];
      if (next) expect(row.utility).toBeGreaterThanOrEqual(next.utility);
    });
    const [first, second] = body.items.map(({ item }) => LUNCH.items[item]!.name);
    expect(body.above[0]).toBeCloseTo(chances.truth.above(first!, second!), 4);
    expect(body.items.find(({ item }) => item === 0)!.tiers).toEqual([1, 1, 1]);
  });

  it("that are sent again after a lost answer count once", async () => {
    const { poll } = await newPoll(server);
    const first = await vote(server, poll, [[0], [1], []], { request: "the same request" });
    const again = await vote(server, poll, [[0], [2], []], { request: "the same request" });
    expect(again.body).toEqual({ ballots: 1 });
    expect(again.cookie).not.toBe(first.cookie);
    expect((await get(`/api/polls/${poll}/ballot`, { cookie: again.cookie })).body).toEqual({ tiers: [[0], [2], []] });
  });

  it("with codes need one, in any spelling, and count once for each", async () => {
    const { poll, admin, codes } = await newPoll(server, { access: "codes", codes: 2 });
    expect(codes).toHaveLength(2);
    expect((await vote(server, poll, [[0], [], []])).status).toBe(403);
    expect((await vote(server, poll, [[0], [], []], { code: "aaaa-bbbb-cccc" })).body.error.code).toBe("unknown_code");
    expect((await vote(server, poll, [[0], [], []], { code: codes[0]! })).body).toEqual({ ballots: 1 });
    expect((await vote(server, poll, [[1], [], []], { code: ` ${codes[0]!.toUpperCase().replaceAll("-", " ")}` })).body).toEqual({
      ballots: 1,
    });
    expect((await get(`/api/polls/${poll}/ballot`, { "x-voter-code": codes[0]! })).body).toEqual({ tiers: [[1], [], []] });
    expect((await get(`/api/polls/${poll}/ballot`, { "x-voter-code": "nonsense" })).status).toBe(403);
    const more = await server.app.inject({
      method: "POST",
      url: "/api/admin/codes",
      headers: bearer(admin),
      payload: { count: 1 },
    });
    expect((await vote(server, poll, [[2], [], []], { code: more.json().codes[0] })).body).toEqual({ ballots: 2 });
  });

  it("end when the admin or the date says so", async () => {
    const { poll, admin } = await newPoll(server, { closes: Date.now() + 400 });
    expect((await vote(server, poll, [[0], [1], []])).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 450));
    expect((await vote(server, poll, [[0], [1], []])).body.error.code).toBe("poll_closed");
    expect((await get<PollView>(`/api/polls/${poll}`)).body.status).toBe("closed");
    const post = (what: string) => server.app.inject({ method: "POST", url: `/api/admin/${what}`, headers: bearer(admin) });
    expect((await post("reopen")).json().status).toBe("open");
    expect((await vote(server, poll, [[0], [1], []])).status).toBe(200);
    expect((await post("close")).json().status).toBe("closed");
    expect((await vote(server, poll, [[0], [1], []])).status).toBe(409);
  });
});

describe("results", () => {
  it("are hidden until voting ends where the poll says so, except from its admin", async () => {
    const { poll, admin } = await newPoll(server, { results: "closed" });
    const other = await newPoll(server);
    expect((await get(`/api/polls/${poll}/results`)).status).toBe(403);
    expect((await get(`/api/polls/${poll}/events`)).status).toBe(403);
    expect((await get(`/api/polls/${poll}/results`, bearer(other.admin))).status).toBe(403);
    expect((await get(`/api/polls/${poll}/results`, bearer(admin))).status).toBe(200);
    await server.app.inject({ method: "POST", url: "/api/admin/close", headers: bearer(admin) });
    expect((await get(`/api/polls/${poll}/results`)).status).toBe(200);
  });

  it("of a file of ballots are shown without voting", async () => {
    const text =
      "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: x\n# ALTERNATIVE NAME 2: y\n# ALTERNATIVE NAME 3: z\n5: 1,{2,3}\n3: 3,1\n";
    const answer = await server.app.inject({ method: "POST", url: "/api/import?name=a.toi&title=File", payload: Buffer.from(text), headers: { "content-type": "application/octet-stream" } }); // biome-ignore format: a request
    const { poll } = answer.json();
    const { body } = await get<PollResults>(`/api/polls/${poll}/results`);
    expect(body.ballots).toBe(8);
    expect(body.items.map(({ item }) => item)).toEqual([0, 2, 1]);
    expect((await get<PollView>(`/api/polls/${poll}`)).body).toMatchObject({ title: "File", status: "imported", ballots: 8 });
    expect((await vote(server, poll, [[0], [1]])).status).toBe(409);
    const bad = (name: string, content: string) =>
      server.app.inject({ method: "POST", url: `/api/import?name=${name}`, payload: Buffer.from(content), headers: { "content-type": "application/octet-stream" } }); // biome-ignore format: a request
    expect((await bad("a.toi", "nonsense")).json().error).toMatchObject({
      code: "invalid_file",
      message: expect.stringContaining("a.toi:1:"),
    });
    expect((await bad("a.csv", "qid,label,x\n1,2,3\n1,0,4\n")).json().error.message).toContain("expected ballots");
  });
});

describe("the admin", () => {
  it("exports ballots in formats that tierwise trains on alike, and imports them again", async () => {
    const { poll, admin } = await newPoll(server, {
      items: ["a", 'b "quoted", c', "d"].map((name) => ({ name, color: "#3b6ea8" })),
    });
    for (const tiers of [
      [[0], [1], []],
      [[0], [1], []],
      [[1, 2], [], [0]],
      [[2], [0, 1], []],
      [[1], [2], []],
    ])
      await vote(server, poll, tiers);
    const cwd = folder();
    const fits: string[] = [];
    for (const [format, name] of [
      ["preflib", "ballots.toi"],
      ["csv", "ballots.csv"],
      ["json", "ballots.json"],
    ] as const) {
      // biome-ignore format: pairs
      const answer = await server.app.inject({ url: `/api/admin/export?format=${format}`, headers: bearer(admin) });
      expect(answer.headers["content-disposition"]).toBe(`attachment; filename="${name}"`);
      writeFileSync(join(cwd, name), answer.body);
      const out = JSON.parse(await succeed(["train", name, "ghost=0.5", "--json", "--quiet"], { cwd }));
      fits.push(JSON.stringify([out.cost, out.model]));
      const again = await server.app.inject({ method: "POST", url: `/api/import?name=${name}`, payload: Buffer.from(answer.body), headers: { "content-type": "application/octet-stream" } }); // biome-ignore format: a request
      expect((await get<PollResults>(`/api/polls/${again.json().poll}/results`)).body.ballots).toBe(5);
    }
    expect(new Set(fits).size).toBe(1);
  });

  it("deletes the poll with everything in it", async () => {
    const { poll, admin } = await newPoll(server);
    await vote(server, poll, [[0], [1], []]);
    expect((await get<{ poll: string }>("/api/admin", bearer(admin))).body.poll).toBe(poll);
    const remove = () => server.app.inject({ method: "DELETE", url: "/api/admin", headers: bearer(admin) });
    expect((await remove()).statusCode).toBe(204);
    expect((await remove()).statusCode).toBe(404); // a replayed token
    expect((await get(`/api/polls/${poll}`)).status).toBe(404);
    expect((await get(`/api/polls/${poll}/results`)).status).toBe(404);
  });

  it("is known by a token in a header alone", async () => {
    const { poll, admin } = await newPoll(server);
    expect((await get("/api/admin")).status).toBe(401);
    expect((await get("/api/admin", bearer(poll))).status).toBe(404);
    expect((await get(`/api/polls/${admin}`)).status).toBe(404);
  });
});

describe("what is hostile is refused with a 4xx and harms nothing", () => {
  const evil = `'; DROP TABLE ballots; --<script>alert(1)</script>" onload="x`;

  it("SQL and HTML are texts like others", async () => {
    const items = [evil, "b", "c"].map((name) => ({ name, color: "#3b6ea8" }));
    const { poll } = await newPoll(server, { title: evil, description: evil, items, tiers: [{ name: evil.slice(0, 30), color: "#000000" }, { name: "x", color: "#ffffff" }] }); // biome-ignore format: a poll
    const { body } = await get<PollView>(`/api/polls/${poll}`);
    expect([body.title, body.description, body.items[0]!.name]).toEqual([evil, evil, evil]);
    expect((await vote(server, poll, [[0], [1]], { request: evil })).status).toBe(200);
    for (const url of [`/api/polls/${encodeURIComponent(evil)}`, `/api/polls/${poll}/pictures/${encodeURIComponent("1 OR 1=1")}`, "/api/polls/../../etc/passwd", "/api/polls/%2e%2e%2f"]) // biome-ignore format: paths
      expect((await get(url)).status).toBe(404);
    expect((await get("/api/admin", { authorization: `Bearer ' OR 1=1 --` })).status).toBe(401);
    expect((await vote(server, poll, [[0], [1]], { cookie: `voter=' OR '1'='1` })).status).toBe(403);
    expect((await vote(server, poll, [[1], [0]])).status).toBe(200);
  });

  it("tokens of other polls and made-up ones", async () => {
    const [one, other] = [await newPoll(server), await newPoll(server)];
    const { cookie } = await vote(server, one.poll, [[0], [1], []]);
    const replayed = await vote(server, other.poll, [[0], [1], []], { cookie });
    expect([replayed.status, replayed.body.error.code]).toEqual([403, "unknown_voter"]);
    expect(replayed.header).toMatch(/^voter=; .*Max-Age=0/);
    expect((await get<PollView>(`/api/polls/${other.poll}`)).body.ballots).toBe(0);
  });

  const wrongPolls: [what: string, poll: unknown][] = [
    ["a text", "poll"],
    ["null", null],
    ["an array", []],
    ["no items", { ...LUNCH, items: [] }],
    ["items of another type", { ...LUNCH, items: ["a", "b"] }],
    ["a number as name", { ...LUNCH, items: [{ name: 1, color: "#000000" }, LUNCH.items[0]] }],
    ["the same name twice", { ...LUNCH, items: [LUNCH.items[0], LUNCH.items[0]] }],
    ["an empty name", { ...LUNCH, items: [{ name: " ", color: "#000000" }, LUNCH.items[0]] }],
    ["a name of two lines", { ...LUNCH, items: [{ name: "a\nb", color: "#000000" }, LUNCH.items[0]] }],
    ["half a character", { ...LUNCH, title: "\ud800" }],
    ["a color that is CSS", { ...LUNCH, tiers: [{ name: "a", color: "red;background:url(x)" }, LUNCH.tiers[0]] }],
    [
      "a remote picture",
      { ...LUNCH, items: [{ name: "a", color: "#000000", picture: "https://example.com/a.png" }, LUNCH.items[0]] },
    ],
    [
      "an SVG",
      { ...LUNCH, items: [{ name: "a", color: "#000000", picture: "data:image/svg+xml;base64,PHN2Zz4=" }, LUNCH.items[0]] },
    ],
    [
      "HTML as PNG",
      { ...LUNCH, items: [{ name: "a", color: "#000000", picture: "data:image/png;base64,PGh0bWw+PGh0bWw+" }, LUNCH.items[0]] },
    ],
    ["a member that nobody knows", { ...LUNCH, admin: true }],
    ["an end in the past", { ...LUNCH, closes: 5 }],
    ["a wrong kind of access", { ...LUNCH, access: "all" }],
    ["too many items", { ...LUNCH, items: Array.from({ length: 201 }, (_, i) => ({ name: `${i}`, color: "#000000" })) }],
  ];
  it.each(wrongPolls)("a new poll: %s", async (_, poll) => {
    const answer = await server.app.inject({ method: "POST", url: "/api/polls", payload: JSON.stringify(poll), headers: { "content-type": "application/json" } }); // biome-ignore format: a request
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.message).toMatch(/./);
  });

  it("pictures that are too large, alone or together", async () => {
    const create = (pictures: number, bytes: number) => {
      const picture = `data:image/gif;base64,${Buffer.from("GIF89a".padEnd(bytes)).toString("base64")}`;
      const items = Array.from({ length: pictures }, (_, i) => ({ name: `${i}`, color: "#000000", picture }));
      return server.app.inject({ method: "POST", url: "/api/polls", payload: { ...LUNCH, items } });
    };
    const [one, all] = [await create(2, 150_001), await create(54, 150_000)]; // 8.1 MB together
    expect([one.statusCode, one.json().error.code]).toEqual([413, "picture_too_large"]);
    expect([all.statusCode, all.json().error.code]).toEqual([413, "pictures_too_large"]);
  });

  it("ballots", async () => {
    const { poll } = await newPoll(server);
    const wrong = [
      null,
      "x",
      [[0]],
      [[0], [1]],
      [[0], [0], []],
      [[9], [], []],
      [[-1], [], []],
      [["0"], [], []],
      [[0.5], [], []],
      [[], [], []],
      [[0, 0], [], []],
    ];
    for (const tiers of wrong) expect((await vote(server, poll, tiers)).status).toBe(400);
    const raw = (payload: string, type = "application/json") =>
      server.app.inject({ method: "PUT", url: `/api/polls/${poll}/ballot`, payload, headers: { "content-type": type } });
    expect((await raw("{")).statusCode).toBe(400);
    expect((await raw('{"tiers":[[0],[],[]],"request":"1234567890123456","__proto__":{"x":1}}')).statusCode).toBe(400);
    expect((await raw("x".repeat(100), "text/html")).statusCode).toBe(415);
    expect((await raw(`[${"[".repeat(1e5)}`)).statusCode).toBe(400);
    expect((await raw(" ".repeat(13_000_000))).statusCode).toBe(413);
    expect((await get<PollView>(`/api/polls/${poll}`)).body.ballots).toBe(0);
  });

  it("requests of other sites", async () => {
    const { poll } = await newPoll(server);
    const send = (headers: Record<string, string>) =>
      server.app.inject({ method: "PUT", url: `/api/polls/${poll}/ballot`, headers: { host: "here:1", ...headers }, payload: { tiers: [[0], [1], []], request: "1234567890123456" } }); // biome-ignore format: a request
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }])
      expect((await send(headers as Record<string, string>)).statusCode).toBe(403);
    expect((await send({ origin: "http://here:1", "sec-fetch-site": "same-origin" })).statusCode).toBe(200);
  });
});

describe("limits", () => {
  it("per address: votes, wrong codes and links, and new polls", async () => {
    const limited = await pollServer({ votesPerMinute: 3 });
    try {
      const { poll } = await newPoll(limited);
      const votes = [];
      for (let k = 0; k < 4; k++) votes.push(await vote(limited, poll, [[0], [1], []]));
      expect(votes.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      const tries = [];
      for (let k = 0; k < 41; k++)
        tries.push((await limited.app.inject({ url: "/api/polls/aaaaaaaaaaaaaaaaaaaaaa" })).statusCode);
      expect(tries.filter((status) => status === 404)).toHaveLength(40);
      expect(tries.at(-1)).toBe(429);
      const polls = [];
      for (let k = 0; k < 21; k++)
        polls.push((await limited.app.inject({ method: "POST", url: "/api/polls", payload: LUNCH })).statusCode);
      expect(polls.at(-1)).toBe(429);
    } finally {
      await limited.app.close();
    }
  });

  it("a token for creators", async () => {
    const guarded = await pollServer({ token: "secret-token" });
    try {
      const create = (headers: Record<string, string>) =>
        guarded.app.inject({ method: "POST", url: "/api/polls", payload: LUNCH, headers });
      expect((await create({})).statusCode).toBe(401);
      expect((await create(bearer("secret-tokex"))).statusCode).toBe(401);
      expect((await create(bearer("secret-token"))).statusCode).toBe(201);
      expect((await guarded.app.inject({ url: "/api/settings" })).json()).toEqual({ wantsToken: true });
    } finally {
      await guarded.app.close();
    }
  });
});

describe("the database", () => {
  it("keeps polls and ballots when the server stops, and no token in the clear", async () => {
    const first = await pollServer();
    const { poll, admin } = await newPoll(first);
    const { cookie } = await vote(first, poll, [[0], [1], [2]]);
    await first.app.close();
    const second = await pollServer({}, first.db);
    const found = await second.app.inject({ url: `/api/polls/${poll}/ballot`, headers: { cookie } });
    expect(found.json()).toEqual({ tiers: [[0], [1], [2]] });
    await second.app.close();
    const { readFileSync } = await import("node:fs");
    const bytes = readFileSync(first.db, "latin1");
    for (const secret of [poll, admin, cookie.slice(6)]) expect(bytes).not.toContain(secret);
  });

  it("that is none, or of a newer version, is refused in one line", async () => {
    const cwd = folder({ "text.db": "this is a text and no database, ".repeat(40), folder: "" });
    const { code, err } = await tierwise(["poll", "--db", "text.db", "--port", "0"], { cwd });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^tierwise: --db text\.db: cannot be used as a database of polls \(.+\)\n$/),
    ]);
    const newer = await pollServer();
    await newer.app.close();
    const { default: Libsql } = (await import("libsql")) as unknown as {
      default: new (path: string) => { exec(sql: string): void; close(): void };
    };
    const connection = new Libsql(newer.db);
    connection.exec("UPDATE tierwise_schema SET version = 99");
    connection.close();
    await expect(pollServer({}, newer.db)).rejects.toThrow("was written by a newer tierwise (version 99 of its tables)");
  });
});

describe("the command", () => {
  const cwd = folder({ "b.orders": "a > b\nb > a > c\n", "rows.txt": "1 qid:1 1:2\n0 qid:1 1:1\n", short: "1234" });

  it("serves, imports and ends on SIGTERM with code 0, also with settings of a file", { timeout: 60_000 }, async () => {
    writeFileSync(
      join(cwd, "settings.json"),
      JSON.stringify({ port: 0, db: "p.db", "votes-per-minute": 5, "trust-proxy": true, token: "a-long-token" }),
    );
    const child = spawn(process.execPath, [main, "poll", "--config", "settings.json", "--import", "b.orders", "--json"], { cwd });
    let err = "";
    child.stderr.on("data", (bytes) => (err += bytes));
    const out = await new Promise<string>((resolve) => child.stdout.once("data", (bytes) => resolve(String(bytes))));
    const { url, db, imported } = JSON.parse(out);
    expect(db).toBe("p.db");
    const results = (await (await fetch(`${imported[0].poll.replace("/p/", "/api/polls/")}/results`)).json()) as PollResults;
    expect(results.ballots).toBe(2);
    expect(
      (
        await fetch(`${url}/api/polls`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(LUNCH),
        })
      ).status,
    ).toBe(401);
    const forwarded = await fetch(url, { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(forwarded.headers.get("content-security-policy")).toContain("default-src 'none'");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(err).toContain('"address":"203.0.113.9"');
    expect(err).not.toContain(imported[0].admin.split("#")[1]);
  });

  const wrong: [words: string[], answer: RegExp][] = [
    [["--port", "70000"], /--port: expected a whole number from 0 to 65535, got "70000"/],
    [["--port", "x"], /--port: /],
    [["--votes-per-minute", "-1"], /--votes-per-minute: /],
    [["--db", ""], /--db: expected a file or a URL, got an empty text/],
    [["--db", "nowhere/p.db"], /--db nowhere\/p\.db: /],
    [["--token", "short"], /--token: expected a token of at least 8/],
    [["--token-file", "short"], /--token-file short: expected a token/],
    [["--token-file", "nowhere"], /nowhere/],
    [["--token", "long-enough", "--token-file", "short"], /give one of them, not both/],
    [["--import", "nowhere.orders"], /--import nowhere\.orders: cannot be read \(ENOENT\)/],
    [["--import", "rows.txt"], /--import rows\.txt: rows\.txt: expected ballots/],
    [["--host", "203.0.113.77"], /cannot listen on 203\.0\.113\.77:0: this machine has no such address/],
  ];
  it.each(wrong)("%j is refused in one line", async (words, answer) => {
    const given = words.includes("--db") ? words : ["--db", "w.db", ...words];
    const port = words.includes("--port") ? [] : ["--port", "0"];
    const { code, out, err } = await tierwise(["poll", "--quiet", ...port, ...given], { cwd });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(answer);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });
});
