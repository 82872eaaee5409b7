/**
 * Load on `tierwise serve`: 100 items x 136 features by 300 trees, JSON and compact bodies at 1, 8 and 64 connections, against a naive server
 * (JSON.parse and score in one thread) in the same run; then overload, 100 replacements of the model file under load, and memory over time.
 *
 *   npm run bench serve                         all but memory, 5 s each
 *   npm run bench serve -- --seconds 10 --only load
 *   npm run bench serve -- --minutes 5 --only memory
 */
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { encodeRankBody, RANK_BODY_TYPE } from "../src/formats/rank-body.ts";
import { build, fit, plPartition, rank, readModel, trees, writeModel } from "../src/index.ts";
import { random } from "../src/numeric/random.ts";
import { listen } from "../src/server/http/listen.ts";
import { newLog } from "../src/server/http/log.ts";
import { buildServing } from "../src/server/serve/serve.ts";

const [ITEMS, WIDTH, TREES] = [100, 136, 300];
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    minutes: { type: "string", default: "0" },
    threads: { type: "string", default: "2" },
    only: { type: "string", default: "load,overload,reload,memory" },
  },
});
const [seconds, minutes, threads] = [Number(values.seconds), Number(values.minutes), Number(values.threads)];

const wanted = (part: string) => values.only.split(",").includes(part);
const folder = mkdtempSync(join(tmpdir(), "tierwise-bench-"));
const draw = random(1);
const row = () => Array.from({ length: WIDTH }, () => Math.fround(draw() * 10));
const training = build(
  Array.from({ length: 3000 }, (_, i) => {
    const features = row();
    return { list: Math.floor(i / 30), label: Math.floor((features[0]! + features[1]! * 0.5) / 4), features };
  }),
);
const paths = [1, 2].map((seed) => {
  const path = join(folder, `model-${seed}.json`);
  const { model } = fit(training, { model: trees({ rounds: TREES, leaves: 31 }), objective: plPartition(), seed });
  writeModel(path, { model, training: { objective: "pl-partition", model: "trees" }, metrics: {} });
  return path;
});
const path = join(folder, "model.json");
copyFileSync(paths[0]!, path);

/** The client runs in a process of its own, so that it does not slow the thread of the server. */
interface Load {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  /** Requests/s of all connections. Default: as many as are answered. */
  readonly overallRate?: number;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}
interface Result {
  readonly requests: { readonly average: number; readonly total: number };
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Milliseconds to each answer, by status. */
  readonly times: Readonly<Record<string, readonly number[]>>;
}
const CLIENT = `let text = "";
process.stdin.on("data", (part) => (text += part)).on("end", async () => {
  const { body, ...load } = JSON.parse(text);
  const times = {};
  const running = require("autocannon")({ ...load, body: body && Buffer.from(body, "base64") });
  running.on("response", (_, status, __, time) => (times[status] ??= []).push(time));
  process.stdout.write(JSON.stringify({ ...(await running), times }));
});`;
const cannon = async (load: Load): Promise<Result> => {
  const client = spawn(process.execPath, ["-e", CLIENT], { stdio: ["pipe", "pipe", "inherit"] });
  client.stdin.end(JSON.stringify({ ...load, body: load.body && Buffer.from(load.body).toString("base64") }));
  let text = "";
  for await (const part of client.stdout) text += part;
  return JSON.parse(text) as Result;
};

const items = Array.from({ length: ITEMS }, row);
const json = Buffer.from(JSON.stringify({ items }));
const compact = encodeRankBody({ columns: WIDTH, rows: ITEMS }, [Float32Array.from(items.flat())]);
const bodies = {
  json: { method: "POST", headers: { "content-type": "application/json" }, body: json },
  compact: { method: "POST", headers: { "content-type": RANK_BODY_TYPE, accept: RANK_BODY_TYPE }, body: compact },
} as const;

const { model } = readModel(path);
const naive = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on("data", (chunk: Buffer) => chunks.push(chunk))
    .on("end", () => {
      const parsed = JSON.parse(Buffer.concat(chunks).toString()) as { items: number[][] };
      const found = rank(model, parsed.items).map(({ rank: place, score, item }) => ({
        index: parsed.items.indexOf(item),
        rank: place,
        score,
      }));
      response.setHeader("content-type", "application/json").end(JSON.stringify({ items: found }));
    });
});
await new Promise<void>((resolve) => naive.listen(0, "127.0.0.1", resolve));
const naiveUrl = `http://127.0.0.1:${(naive.address() as AddressInfo).port}/`;

const { app, models, metrics } = await buildServing({
  ...{ models: [{ name: "model", path }], threads, reload: 0.2 },
  limits: { body: 1 << 24, rows: 20_000, detailedRows: 1000, seconds: 10, queue: 256 },
  log: newLog(() => {}, { quiet: true }),
});
const url = `${await listen(app, { host: "127.0.0.1", port: 0 })}/models/model/rank`;
const line = (name: string, connections: number, { requests, latency, non2xx, errors }: Result) =>
  console.log(
    `${name.padEnd(8)} ${String(connections).padStart(4)} connections: ${requests.average.toFixed(0).padStart(6)} requests/s ${(requests.average * ITEMS).toFixed(0).padStart(8)} rows/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms, not 2xx ${non2xx}, errors ${errors}`,
  );
const delay = () => /^tierwise_event_loop_delay_max_seconds (\S+)/m.exec(metrics.text())![1];

console.log(
  `${ITEMS} items x ${WIDTH} features, ${TREES} trees, ${threads} threads; JSON ${json.length} bytes, compact ${compact.length}`,
);

/** Requests/s at 1, 8 and 64 connections beside the naive server. */
async function load(): Promise<void> {
  for (const body of [bodies.json, bodies.compact]) await cannon({ url, connections: 2, duration: 1, ...body }); // warm
  await cannon({ url: naiveUrl, connections: 2, duration: 1, ...bodies.json });
  for (const connections of [1, 8, 64]) {
    const plain = await cannon({ url: naiveUrl, connections, duration: seconds, ...bodies.json });
    line("naive", connections, plain);
    delay();
    line("JSON", connections, await cannon({ url, connections, duration: seconds, ...bodies.json }));
    console.log(`         longest delay of the event loop ${delay()} s`);
    const fast = await cannon({ url, connections, duration: seconds, ...bodies.compact });
    line("compact", connections, fast);
    console.log(
      `         compact / naive ${(fast.requests.average / plain.requests.average).toFixed(2)}; longest delay of the event loop ${delay()} s`,
    );
  }
}

/** Ten times as many requests a second as are answered, of a kind that is slow to answer; and 1,000 connections that ask without a pause. */
async function overload(): Promise<void> {
  const slow = { ...bodies.json, body: Buffer.from(JSON.stringify({ items: Array.from({ length: 5 }, () => items).flat() })) };
  const capacity = await cannon({ url, connections: 4, duration: seconds, ...slow });
  line("5 x JSON", 4, capacity);
  const rate = Math.max(1, Math.ceil(10 * capacity.requests.average));
  byStatus(`${rate}/s`, await cannon({ url, connections: 1000, duration: seconds, overallRate: rate, ...slow }));
  await cannon({ url, connections: 1, duration: 1, ...bodies.compact });
  line("after", 8, await cannon({ url, connections: 8, duration: 2, ...bodies.compact }));
  byStatus("compact", await cannon({ url, connections: 1000, duration: seconds, ...bodies.compact }));
  line("after", 8, await cannon({ url, connections: 8, duration: 2, ...bodies.compact }));
}

/** Counts and times of answers by status. */
function byStatus(name: string, { times, errors, timeouts }: Result): void {
  for (const [status, all] of Object.entries(times)) {
    const sorted = [...all].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1);
    console.log(
      `${name.padEnd(8)} 1000 connections: status ${status} ${all.length} times, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
    );
  }
  console.log(`         errors ${errors}, timeouts ${timeouts}; longest delay of the event loop ${delay()} s`);
}

/** The model file is replaced 100 times under load. */
async function reload(): Promise<void> {
  delay();
  const under = cannon({ url, connections: 8, duration: 20, ...bodies.compact });
  for (let time = 1; time <= 100; time++) {
    copyFileSync(paths[time % 2]!, `${path}.new`);
    renameSync(`${path}.new`, path);
    await models.check();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  line("replaced", 8, await under);
  console.log(`         version ${models.entries[0]!.current.number}; longest delay of the event loop ${delay()} s`);
}

/** Resident memory and what of it is the heap, while requests of all kinds come without a pause. */
async function memory(): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  for (let turn = 0; Date.now() < end; turn++) {
    const { requests, non2xx } = await cannon({
      ...{ url, connections: 8, duration: 15 },
      ...(turn % 2 ? bodies.json : bodies.compact),
    });
    const { rss, heapUsed, external } = process.memoryUsage();
    const text = [rss, heapUsed, external].map((bytes) => (bytes / 2 ** 20).toFixed(0));
    console.log(
      `memory   ${requests.total} requests (${non2xx} not 2xx): resident ${text[0]} MB, heap ${text[1]} MB, external ${text[2]} MB`,
    );
  }
}

for (const [part, run] of Object.entries({ load, overload, reload, memory })) if (wanted(part)) await run();
naive.close();
await app.close();
rmSync(folder, { recursive: true, force: true });
