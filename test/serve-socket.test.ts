/** `tierwise serve` over real connections: bodies without end, slow senders, more requests than fit, and paths and texts with bad intentions. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { build, fit, linear, plPartition, writeModel } from "../dist/src/index.js";
import { listen } from "../dist/src/server/http/listen.js";
import { newLog } from "../dist/src/server/http/log.js";
import { Arrivals } from "../dist/src/server/serve/arrivals.js";
import { buildServing, type Serving } from "../dist/src/server/serve/serve.js";
import { folder } from "./cli.ts";

const path = join(folder({}), "m.json");
const limits = { body: 1 << 20, rows: 2000, detailedRows: 100, seconds: 2, queue: 3 };
let served: Serving;
let url: string;
beforeAll(async () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ list: i >> 2, label: i % 3, features: [i % 3, i % 5] }));
  const { model } = fit(build(rows), { model: linear(), objective: plPartition() });
  writeModel(path, { model, training: { objective: "pl-partition", model: "linear" }, metrics: {} });
  const log = newLog(() => {});
  served = await buildServing({ models: [{ name: "m", path }], threads: 1, limits, reload: 0, log });
  url = await listen(served.app, { host: "127.0.0.1", port: 0 });
});
afterAll(() => served.app.close());

const good = JSON.stringify({ items: [[1, 2], [2, 1]] }); // biome-ignore format: one line
const send = (body: string, to = "m") =>
  fetch(`${url}/models/${to}/rank`, { method: "POST", headers: { "content-type": "application/json" }, body });

interface Talk {
  readonly socket: Socket;
  readonly got: () => string;
  readonly answered: Promise<string>;
  readonly closed: Promise<string>;
}

/** A connection and all that comes back on it. With `allowHalfOpen` it can go on sending after the server has closed its direction. */
function talk(text: string, { allowHalfOpen = false } = {}): Talk {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen });
  let answer = "";
  const answered = new Promise<string>((resolve) => {
    socket.setEncoding("latin1").on("data", (more: string) => {
      answer += more;
      if (answer.includes("\r\n\r\n")) resolve(answer);
    });
  });
  socket.on("error", () => {}); // the server may close while bytes are still being sent
  socket.write(text);
  return { socket, got: () => answer, answered, closed: new Promise((resolve) => socket.on("close", () => resolve(answer))) };
}
const head = (extra: string) => `POST /models/m/rank HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${extra}\r\n\r\n`;

/** Writes so many bytes as chunks of a body, as fast as they are taken, until the connection is closed. */
async function pour(socket: Socket, bytes: number, framed: boolean): Promise<void> {
  const block = " ".repeat(1 << 16);
  const piece = framed ? `${block.length.toString(16)}\r\n${block}\r\n` : block;
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += block.length)
    if (!socket.write(piece)) await once(socket, "drain").catch(() => {}); // closed
}

it.each([
  ["announced", `content-length: ${100 << 20}`, false],
  ["not announced", "transfer-encoding: chunked", true],
] as const)("refuses a body of 100 MB whose size is %s, and holds none of it", async (_, header, framed) => {
  const before = process.memoryUsage.rss();
  const { socket, closed } = talk(head(header));
  await Promise.race([pour(socket, 100 << 20, framed), closed]);
  socket.end();
  expect(await closed).toMatch(/^HTTP\/1.1 413 [\s\S]*"body_too_large"[\s\S]*1048576 bytes/);
  expect(process.memoryUsage.rss() - before).toBeLessThan(60 << 20);
  expect((await send(good)).status).toBe(200);
});

it("answers 503 before a body has come when the queue is full, and takes requests again", async () => {
  const length = `content-length: ${good.length}`;
  const admitted = Array.from({ length: limits.queue + 1 }, () => talk(head(length))); // as many as wait, and one for the free worker
  await new Promise((resolve) => setTimeout(resolve, 200));
  const refused = await talk(head(length)).answered; // which has sent no byte of its body
  expect(refused).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 1[\s\S]*"overloaded"/);
  for (const { socket } of admitted) socket.write(good);
  for (const { answered, socket } of admitted) {
    expect(await answered).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  }
  expect((await send(good)).status).toBe(200);
});

/** Fills the queue with requests that send no body, calls `act`, and lets them go. */
async function whileFull(act: () => Promise<void>): Promise<void> {
  const admitted = Array.from({ length: limits.queue + 1 }, () => talk(head(`content-length: ${good.length}`)));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await act();
  for (const { socket } of admitted) socket.destroy();
}

it("a connection can be used again after a refused request with a small body", () =>
  whileFull(async () => {
    const { socket, got } = talk(`${head("content-length: 5000")}${" ".repeat(5000)}`);
    await expect.poll(got).toMatch(/^HTTP\/1.1 503 [\s\S]*connection: keep-alive/i);
    socket.write("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n");
    await expect.poll(got).toMatch(/503 [\s\S]*HTTP\/1.1 200 /);
    socket.destroy();
  }));

it("a refused request with a large body is answered before the body is sent, which may then be sent without an error", () =>
  whileFull(async () => {
    const size = 900_000;
    const { socket, answered, closed } = talk(head(`content-length: ${size}`), { allowHalfOpen: true });
    const errors: Error[] = [];
    socket.on("error", (error) => errors.push(error));
    expect(await answered).toMatch(/^HTTP\/1.1 503 [\s\S]*connection: close/i);
    socket.end(" ".repeat(size));
    await closed;
    expect(errors).toEqual([]);
  }));

it("a connection whose refused body does not end is closed after a second, and a request after it is not answered", () =>
  whileFull(async () => {
    const size = 900_000;
    const [part, more] = [1, 2].map(() => talk(head(`content-length: ${size}`), { allowHalfOpen: true })) as [Talk, Talk];
    for (const { answered } of [part, more]) expect(await answered).toMatch(/^HTTP\/1.1 503 /);
    const sent = Date.now();
    part.socket.write(" ".repeat(size - 1000));
    const trickle = setInterval(() => part.socket.write(" "), 20); // a write after the end tells that the server has closed
    more.socket.end(`${" ".repeat(size)}GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n`);
    await part.closed;
    clearInterval(trickle);
    expect(Date.now() - sent).toBeGreaterThan(500); // not before it had time
    expect(await more.closed).not.toContain("HTTP/1.1 200");
  }));

it("requests that are canceled while they wait leave nothing in the queue", async () => {
  const { pool } = served;
  const body = { parts: [Buffer.from(good)], size: good.length };
  const job = { request: "r", name: "m", model: "m@1", contentType: "json", answerType: "json" } as const;
  let answered: () => void;
  const first = new Promise<void>((resolve) => void (answered = resolve));
  const cancels = [0, 1, 2].map(() =>
    pool.rank({ ...job, body, limits, deadline: Date.now() + 10_000 }, { piece: () => answered(), failed: () => answered() }),
  );
  expect([pool.depth, pool.bytes]).toEqual([2, 2 * good.length]); // the first is with the worker
  for (const cancel of [...cancels, ...cancels]) cancel();
  expect([pool.depth, pool.bytes]).toEqual([0, 0]);
  await first;
});

it("slow senders end with 408, and keep out others for a second at most", async () => {
  const slow = Array.from({ length: 30 }, () => talk(`${head("content-length: 1000")}{`));
  const trickles = slow.map(({ socket }) => setInterval(() => socket.write(" "), 100));
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect((await send(good)).status).toBe(200);
  const answers = await Promise.all(slow.map(({ closed }) => closed));
  for (const timer of trickles) clearInterval(timer);
  // Those that found the queue full were refused at once, and then sent bytes that are no request.
  expect(answers.map((text) => text.slice(0, 200)).filter((text) => !/^HTTP\/1.1 (408|503) /.test(text))).toEqual([]);
  expect(answers.some((text) => text.startsWith("HTTP/1.1 408 "))).toBe(true);
  expect((await send(good)).status).toBe(200);
});

it.each([
  ...[
    "/../../etc/passwd",
    "/models/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/models/..%2f..%2fetc%2fpasswd",
    "//etc/passwd",
  ],
  ...[
    "/models/m/rank/../../../package.json",
    "/docs/../package.json",
    "/models/%00",
    "/models/%c0%ae%c0%ae",
    "/models/m;rm",
    "\\..\\x",
  ],
])("the path %s leads nowhere", async (target) => {
  const answer = await talk(`GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`).closed;
  expect(answer).toMatch(/^HTTP\/1.1 4(00|04) /);
  expect(answer).not.toContain("root:");
  expect(answer).not.toContain('"scripts"');
});

const evil = [
  "'; DROP TABLE models; --",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "\u0000\u202e",
  "__proto__",
];
it.each(evil)("%j in any field is a text or is refused, and never part of a page", async (text) => {
  const bodies: unknown[] = [
    ...[{ items: [text] }, { items: [{ [text]: 1 }] }, { items: [[1, 2]], [text]: 1 }, { items: [[1, text]] }, text, [text]],
    ...[
      { document: text },
      { items: text },
      { lists: text },
      { lists: [text] },
      { lists: [{ id: text, items: [{ [text]: 2 }] }] },
    ],
    ...["top", "scores", "probabilities", "explain", "unknown", "id", "ids"].map((field) => ({
      items: [[1, text]],
      [field]: text,
    })),
    { items: [[1, 2]], probabilities: { [text]: 1 } },
  ];
  for (const body of bodies) {
    const answer = await send(JSON.stringify(body));
    expect([body, answer.status]).toEqual([body, 400]);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  }
  const kept = await send(JSON.stringify({ items: [[1, 2]], id: text, ids: [text] }));
  expect(await kept.json()).toMatchObject({ id: text, items: [{ id: text }] });
  expect((await send(good, encodeURIComponent(text))).status).toBe(404);
  expect((await send(good)).status).toBe(200);
});

it("arrivals count for a second, or until they end", () => {
  const [arrivals, a, b, c] = [new Arrivals(), {}, {}, {}];
  arrivals.begin(a, 10, 0);
  arrivals.begin(b, 20, 500);
  arrivals.begin(c, 30, 600);
  expect(arrivals.countAt(700)).toBe(3);
  expect(arrivals.bytes).toBe(60);
  arrivals.end(b);
  expect(arrivals.countAt(900)).toBe(2);
  expect(arrivals.countAt(1001)).toBe(1);
  expect(arrivals.bytes).toBe(30);
  arrivals.end(a);
  expect(arrivals.countAt(1601)).toBe(0);
});
