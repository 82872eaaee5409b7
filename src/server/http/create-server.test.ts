import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { InputError } from "../../input-error.ts";
import { createServer, type ServerOptions } from "./create-server.ts";
import { docsPage } from "./docs-page.ts";
import { HttpError } from "./http-error.ts";
import { importPackage } from "./import-package.ts";
import { listen, stopGracefully } from "./listen.ts";
import { newLog } from "./log.ts";
import { addOpenApi } from "./open-api.ts";
import { addOperations } from "./operations.ts";
import { addStaticFile, readStaticFolder } from "./static-files.ts";
import { tokenFrom } from "./token.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-http-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

async function server(options: Partial<ServerOptions> = {}) {
  const lines: string[] = [];
  const log = newLog((text) => lines.push(...text.trimEnd().split("\n")));
  const created = await createServer({
    command: "test",
    packages: ["fastify"],
    log,
    limits: { body: 1000, seconds: 5 },
    ...options,
  });
  open.push(created.app);
  const { app } = created;
  await addOpenApi(app, { command: "test", title: "A <test>", description: "Tries.", token: options.token !== undefined });
  addOperations(app, created.metrics, () => undefined);
  app.post("/echo", async (request) => ({ got: request.body }));
  app.get("/input-error", async () => {
    throw new InputError("field x: wrong");
  });
  app.get("/bug", async () => {
    throw new TypeError("secret detail");
  });
  app.get("/full", async () => {
    throw new HttpError(503, "overloaded", "later", { "retry-after": "1" });
  });
  const logged = () => {
    log.flush();
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { ...created, log, logged };
}

describe("createServer", () => {
  it("gives every answer security headers, a request id and a line in the log", async () => {
    const { app, logged } = await server();
    const answer = await app.inject({ url: "/healthz", headers: { "x-request-id": "abc-1" } });
    expect(answer.json()).toEqual({ status: "ok" });
    expect(answer.headers).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "x-content-type-options": "nosniff",
      "x-request-id": "abc-1",
    });
    expect(logged()).toMatchObject([{ event: "request", request: "abc-1", method: "GET", route: "/healthz", status: 200 }]);
    const odd = await app.inject({ url: "/healthz", headers: { "x-request-id": '"><script>' } });
    expect(odd.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [
      "a body that is no JSON",
      { method: "POST", url: "/echo", headers: { "content-type": "application/json" }, payload: "{" },
      400,
      "invalid_json",
    ],
    [
      "an empty body",
      { method: "POST", url: "/echo", headers: { "content-type": "application/json" }, payload: "" },
      400,
      "invalid_json",
    ],
    ["a large body", { method: "POST", url: "/echo", payload: { a: "x".repeat(2000) } }, 413, "body_too_large"],
    [
      "an unknown content type",
      { method: "POST", url: "/echo", headers: { "content-type": "a/b" }, payload: "x" },
      415,
      "unsupported_media_type",
    ],
    ["an unknown path", { method: "GET", url: "/../../etc/passwd" }, 404, "not_found"],
    ["a path that cannot be decoded", { method: "GET", url: "/%zz" }, 400, "invalid_path"],
    ["bad input", { method: "GET", url: "/input-error" }, 400, "invalid_input"],
    ["overload", { method: "GET", url: "/full" }, 503, "overloaded"],
  ] as const)("answers %s with a code", async (_, request, status, code) => {
    const { app } = await server();
    const answer = await app.inject(request as never);
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["x-request-id"]).toBeDefined();
  });

  it("keeps the message of a bug to the log", async () => {
    const { app, logged } = await server();
    const answer = await app.inject("/bug");
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("secret");
    expect(logged()).toContainEqual(
      expect.objectContaining({ event: "internal error", stack: expect.stringContaining("secret detail") }),
    );
  });

  it("asks for the token on all routes but the open ones", async () => {
    const { app } = await server({ token: "sesame-123" });
    const get = (authorization?: string) => app.inject({ url: "/metrics", headers: authorization ? { authorization } : {} });
    expect((await get()).statusCode).toBe(401);
    expect((await get("Bearer wrong-1234")).json().error.message).toBe("the token is wrong");
    expect((await get("Basic sesame-123")).statusCode).toBe(401);
    expect((await get("Bearer sesame-123")).statusCode).toBe(200);
    expect((await app.inject("/healthz")).statusCode).toBe(200);
    expect((await app.inject("/nothing")).statusCode).toBe(401); // paths are not told apart without a token
  });

  it("answers pages of another origin only where it is allowed", async () => {
    const preflight = {
      method: "OPTIONS",
      url: "/echo",
      headers: { origin: "https://a.example", "access-control-request-method": "POST" },
    } as const;
    const closed = await server();
    expect((await closed.app.inject(preflight)).headers["access-control-allow-origin"]).toBeUndefined();
    const { app } = await server({ cors: "https://a.example", token: "sesame-123" });
    const answer = await app.inject(preflight);
    expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([204, "https://a.example"]);
    const other = await app.inject({ ...preflight, headers: { ...preflight.headers, origin: "https://b.example" } });
    expect(other.headers["access-control-allow-origin"]).toBeUndefined();
    const got = await app.inject({ url: "/healthz", headers: { origin: "https://a.example" } });
    expect(got.headers["access-control-allow-origin"]).toBe("https://a.example");
  });

  it("describes its routes, on a page too, with everything escaped", async () => {
    const { app } = await server();
    expect(Object.keys((await app.inject("/openapi.json")).json().paths)).toContain("/readyz");
    const page = await app.inject("/docs");
    expect(page.body).toContain("A &lt;test&gt;");
    expect(page.body).not.toMatch(/<script|https?:/);
    expect((await app.inject("/docs.css")).headers["content-type"]).toContain("text/css");
    expect(docsPage({ info: { title: "t", version: "1" }, paths: { "/<b>": { get: { summary: "<i>" } } } })).not.toMatch(
      /<b>|<i>/,
    );
    const get = { parameters: [{ name: "name", in: "path", description: "a <model>" }] };
    const pages = [{}, get].map((operation) =>
      docsPage({ info: { title: "t", version: "1" }, paths: { "/a": { get: operation } } }),
    );
    expect(pages.map((text) => text.match(/<ul>.*<\/ul>/g))).toEqual([
      null,
      ["<ul><li><code>name</code> (path) a &lt;model&gt;</li></ul>"],
    ]);
  });
});

describe("a listening server", () => {
  const talk = async (url: string, text: string) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let got = "";
    socket.on("data", (bytes) => (got += bytes)).on("error", () => {});
    socket.write(text);
    await once(socket, "close");
    return got;
  };

  it("refuses bytes that are no request, long headers and slow requests, and goes on", async () => {
    const { app } = await server({ limits: { body: 1000, seconds: 0.5 } });
    const url = await listen(app, { host: "127.0.0.1", port: 0 });
    expect(await talk(url, "\x16\x03\x01 hello\r\n\r\n")).toMatch(/^HTTP\/1.1 400 [\s\S]*invalid_http/);
    expect(await talk(url, `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
    expect(await talk(url, "GET / HTTP/1.1\r\nhost: a\r\n")).toMatch(/^HTTP\/1.1 408 [\s\S]*request_timeout/);
    expect(
      await talk(url, "POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"),
    ).toMatch(/^HTTP\/1.1 408 /);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("finishes requests that are under way when it stops, and cuts off those that take too long", async () => {
    const { app } = await server();
    app.get("/slow", () => new Promise((resolve) => setTimeout(() => resolve({ done: true }), 300)));
    app.get("/never", () => new Promise(() => {}));
    const url = await listen(app, { host: "127.0.0.1", port: 0 });
    const slow = fetch(`${url}/slow`).then((answer) => answer.json());
    const never = fetch(`${url}/never`).catch((error: Error) => error.message);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await stopGracefully(app, 0.6)).toBe(1);
    expect(await slow).toEqual({ done: true });
    expect(await never).toBe("fetch failed");
  });

  it("logs a connection that is lost before its answer, once, but not the end of an event stream", async () => {
    const { app, logged } = await server();
    app.get("/never", () => new Promise(() => {}));
    app.post("/late", (_, reply) => reply.send(new Readable({ read() {} }))); // a stream that never begins
    app.get("/events", { config: { endless: true } }, (_, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" }).write(": here\n\n");
    });
    const url = await listen(app, { host: "127.0.0.1", port: 0 });
    const lost = async (path: string, more: RequestInit = {}) => {
      const stop = new AbortController();
      const answer = fetch(`${url}${path}`, { signal: stop.signal, ...more });
      await new Promise((resolve) => setTimeout(resolve, 200));
      stop.abort();
      await answer.then((one) => one.text()).catch(() => {});
    };
    await lost("/events");
    await lost("/never");
    const losses = () => logged().flatMap(({ event, route }) => (event === "connection lost" ? [route] : []));
    await expect.poll(losses, { timeout: 10_000 }).toEqual(["/never"]);
    await lost("/late", { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
    await expect.poll(losses, { timeout: 10_000 }).toEqual(["/never", "/late"]);
    expect(logged().filter(({ event }) => event === "internal error")).toEqual([]);
    await stopGracefully(app, 0.2);
  });

  it("says why it cannot listen", async () => {
    const { app } = await server();
    const { port } = new URL(await listen(app, { host: "127.0.0.1", port: 0 }));
    const second = await server();
    await expect(listen(second.app, { host: "127.0.0.1", port: Number(port) })).rejects.toThrow(/another program listens there/);
  });
});

describe("tokenFrom", () => {
  it("takes the option, the file or the environment", () => {
    writeFileSync(join(folder, "token"), "from-a-file\n");
    expect(tokenFrom({})).toBeUndefined();
    expect(tokenFrom({ token: "12345678", environment: "87654321" })).toBe("12345678");
    expect(tokenFrom({ environment: "87654321" })).toBe("87654321");
    expect(tokenFrom({ tokenFile: join(folder, "token") })).toBe("from-a-file");
  });

  it.each([
    [{ token: "short" }, /--token: expected a token of at least 8/],
    [{ token: "with blanks in it" }, /without blanks/],
    [{ token: "12345678", tokenFile: "x" }, /not both/],
    [{ tokenFile: join(folder, "none") }, /cannot be read \(ENOENT\)/],
  ])("refuses %j", (sources, message) => {
    expect(() => tokenFrom(sources)).toThrow(message);
  });
});

it("static files are found by their exact path alone", async () => {
  writeFileSync(join(folder, "index.html"), "<p>hello");
  writeFileSync(join(folder, "app-AbCd1234.js"), "1");
  const { app } = await server({ token: "sesame-123" });
  const files = readStaticFolder(folder);
  for (const [name, file] of files) addStaticFile(app, `/page/${name}`, file);
  const page = await app.inject("/page/index.html");
  expect([page.body, page.headers["content-type"]]).toEqual(["<p>hello", "text/html; charset=utf-8"]);
  const again = await app.inject({ url: "/page/index.html", headers: { "if-none-match": page.headers.etag as string } });
  expect(again.statusCode).toBe(304);
  expect((await app.inject("/page/app-AbCd1234.js")).headers["cache-control"]).toContain("immutable");
  for (const path of ["/page/../index.html", "/page/%2e%2e/index.html", "/page/..%2findex.html", "/page//index.html"])
    expect((await app.inject(path)).statusCode).toBe(401);
});

it("a missing package is named with the command that installs it", async () => {
  const missing = async () => {
    throw Object.assign(new Error("Cannot find package 'fastify' imported from x"), { code: "ERR_MODULE_NOT_FOUND" });
  };
  const needed = { command: "serve", packages: ["fastify", "typebox"] as const };
  await expect(importPackage(needed, missing)).rejects.toThrow(
    new InputError("serve: the package fastify is not installed: npm install fastify@5 typebox@1"),
  );
  await expect(importPackage(needed, async () => Promise.reject(new Error("other")))).rejects.toThrow("other");
});

it("a quiet log has warnings and errors alone", () => {
  const lines: string[] = [];
  const log = newLog((text) => lines.push(text), { quiet: true });
  log("info", "a");
  log("warn", "b", { n: 1 });
  log.flush();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", event: "b", n: 1 }]);
});
