/** `tierwise serve` as a process: options, signals, a slow client, a model file that changes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { folder, main, succeed, tierwise } from "./cli.ts";

const cwd = folder({
  "train.txt": Array.from({ length: 24 }, (_, i) => `${i % 3} qid:${i >> 2} 1:${i % 5} 2:${(i * 7) % 4}\n`).join(""),
});
beforeAll(async () => {
  await succeed(["train", "train.txt", "--out", "model.json", "--quiet"], { cwd });
  await succeed(["train", "train.txt", "--objective", "ranknet", "--out", "other.json", "--quiet"], { cwd });
  writeFileSync(join(cwd, "token"), "a-secret-token\n");
});

const lists = (count: number) => ({
  lists: Array.from({ length: count }, (_, q) => ({
    id: `q${q}`,
    items: [
      [1, 2],
      [q, 1],
    ],
  })),
});

it("serves with its options, and ends with code 0 on SIGTERM after requests under way", async () => {
  copyFileSync(join(cwd, "model.json"), join(cwd, "live.json"));
  const words = [
    ...[
      "serve",
      "live=live.json",
      "--port",
      "0",
      "--threads",
      "1",
      "--token-file",
      "token",
      "--max-rows",
      "50",
      "--max-body",
      "64k",
    ],
    ...["--timeout", "2", "--queue", "50", "--reload", "0.1", "--grace", "5", "--cors", "https://a.example"],
    ...["--shadow", "other.json", "--split", "0.5"],
  ];
  const child = spawn(process.execPath, [main, ...words], { cwd, env: { ...process.env, TIERWISE_TOKEN: "ignored-token" } });
  let log = "";
  child.stderr.on("data", (text) => (log += text));
  const [first] = (await once(child.stdout, "data")) as [Buffer];
  const url = first.toString().trim();
  const headers = { authorization: "Bearer a-secret-token", "content-type": "application/json" };
  const post = (body: unknown, given: Record<string, string> = headers) =>
    fetch(`${url}/models/live/rank`, {
      method: "POST",
      headers: given,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const answer = await post(lists(20));
  const { lists: ranked } = (await answer.json()) as { lists: { model: string }[] };
  expect(new Set(ranked.map(({ model }) => model))).toEqual(new Set(["live@1", "other@1"]));
  expect((await post(lists(1), { "content-type": "application/json" })).status).toBe(401);
  expect((await post(lists(30))).status).toBe(413);
  expect((await post("x".repeat(70_000))).status).toBe(413);
  expect(
    (await fetch(`${url}/healthz`, { headers: { origin: "https://a.example" } })).headers.get("access-control-allow-origin"),
  ).toBe("https://a.example");

  // A body that never comes is refused in time, while others are served.
  const slow = connect(Number(new URL(url).port), "127.0.0.1");
  slow.write(
    "POST /models/live/rank HTTP/1.1\r\nhost: a\r\nauthorization: Bearer a-secret-token\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
  );
  let refusal = "";
  slow.on("data", (bytes) => (refusal += bytes));

  copyFileSync(join(cwd, "other.json"), join(cwd, "live.new"));
  renameSync(join(cwd, "live.new"), join(cwd, "live.json"));
  for (let version = 1; version === 1; ) {
    const shown = (await (await fetch(`${url}/models/live`, { headers })).json()) as { version: number };
    version = shown.version;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await once(slow, "close");
  expect(refusal).toMatch(/^HTTP\/1.1 408 /);

  // Half of a request has arrived when the server is stopped: it takes the rest and answers.
  const body = JSON.stringify({ items: [[1, 2]] });
  const half = connect(Number(new URL(url).port), "127.0.0.1");
  let finished = "";
  half.on("data", (bytes) => (finished += bytes));
  half.write(
    `POST /models/live/rank HTTP/1.1\r\nhost: a\r\nauthorization: Bearer a-secret-token\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  const requests = async () =>
    (await (await fetch(`${url}/metrics`, { headers })).text()).match(/^tierwise_http_requests_under_way (\d+)/m)![1];
  // Three times: the scrape before may still count for a moment.
  for (let seen = 0; seen < 3; seen = (await requests()) === "2" ? seen + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGTERM");
  while (!log.includes('"stopping"')) await new Promise((resolve) => setTimeout(resolve, 20));
  half.write(body.slice(5));
  const [code] = await once(child, "exit");
  expect(finished).toMatch(/^HTTP\/1.1 200 [\s\S]*"rank":1/);
  expect(code).toBe(0);
  const events = log
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events).toEqual(expect.arrayContaining(["listening", "request", "model loaded", "stopping", "stopped"]));
});

it.each([
  [["serve", "none.json"], /none.json: there is no such model file/],
  [["serve", "train.txt"], /train.txt: /],
  [["serve", "model.json", "x=model.json", "--shadow", "other.json"], /--shadow: say which of the models/],
  [["serve", "model.json", "model.json"], /two models have the name "model"/],
  [["serve", "a b=model.json"], /"a b" cannot be part of a URL/],
  [["serve", "model.json", "--split", "0.5"], /--split: needs a second model/],
  [["serve", "model.json", "--shadow", "other.json", "--split", "0.5", "--interleave", "team-draft"], /give one of them/],
  [["serve", "model.json", "--shadow", "other.json", "--interleave", "x"], /--interleave: no method is called "x"/],
  [["serve", "model.json", "--impressions", "log"], /--impressions: what is logged/],
  [["serve", "model.json", "--port", "70000"], /--port: expected a whole number from 0 to 65535/],
  [["serve", "model.json", "--timeout", "0"], /--timeout: expected a number of seconds/],
  [["serve", "model.json", "--max-body", "1"], /--max-body: expected a size/],
  [["serve", "model.json", "--cors", "*"], /--cors: expected one origin/],
  [["interleave", "none.jsonl"], /none.jsonl: there is no such file/],
  [["interleave", "-", "-"], /standard input can be read only once/],
  [["interleave", "train.txt"], /train.txt:1: expected a line of JSON/],
])("%j is refused in one line", async (words, message) => {
  const { code, out, err } = await tierwise(words, { cwd });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(message);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
});
