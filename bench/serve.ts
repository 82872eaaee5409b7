/**
 * Load on `tierwise serve`: 100 items x 136 features by 300 trees, JSON and compact bodies at 1, 8 and 64 connections, against a naive server
 * (JSON.parse and score in one thread) and one that only receives compact bodies (what HTTP itself costs) in the same run; then overload, 100 replacements of the model file under load, and memory over time. Server and client are processes of
 * their own, so that nothing of this program delays the event loop that is measured.
 *
 *   npm run bench serve                         all but memory, 5 s each
 *   npm run bench serve -- --seconds 3 --rounds 3 --connections 1,8 --only load
 *   npm run bench serve -- --minutes 5 --only memory
 */
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { encodeRankBody, RANK_BODY_TYPE } from "../src/formats/rank-body.ts";
import { build, fit, plPartition, rank, readModel, trees, writeModel } from "../src/index.ts";
import { random } from "../src/numeric/random.ts";

const [ITEMS, WIDTH, TREES] = [100, 136, 300];
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    minutes: { type: "string", default: "0" },
    threads: { type: "string", default: "2" },
    rounds: { type: "string", default: "2" },
    connections: { type: "string", default: "1,8,64" },
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
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Requests that were not sent, because so many were under way. */
  readonly left?: number;
  /** Answers by status, with milliseconds until they came. */
  readonly times: Readonly<Record<string, { count: number; p50: number; p99: number; longest: number }>>;
}
const CLIENT = `let text = "";
process.stdin.on("data", (part) => (text += part)).on("end", async () => {
  const { body, ...load } = JSON.parse(text);
  const times = {};
  const running = require("autocannon")({ ...load, body: body && Buffer.from(body, "base64") });
  running.on("response", (_, status, __, time) => (times[status] ??= []).push(time));
  const result = await running;
  for (const [status, all] of Object.entries(times)) {
    all.sort((a, b) => a - b);
    const at = (share) => all[Math.min(all.length - 1, Math.floor(share * all.length))];
    times[status] = { count: all.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
  }
  process.stdout.write(JSON.stringify({ ...result, times }));
});`;
/** Sends requests at a fixed rate, whether or not they are answered, and obeys `Connection: close`, which autocannon does not. */
const RATE_CLIENT = `let text = "";
process.stdin.on("data", (part) => (text += part)).on("end", () => {
  const { url, body, headers, method, connections, duration, overallRate } = JSON.parse(text);
  const http = require("node:http");
  const bytes = Buffer.from(body, "base64");
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const times = {};
  let [sent, underWay, errors, left] = [0, 0, 0, 0];
  const send = () => {
    underWay++;
    let [began, answered] = [performance.now(), false];
    const request = http.request(url, { agent, method, headers: { ...headers, "content-length": bytes.length } }, (answer) => {
      answered = true;
      (times[answer.statusCode] ??= []).push(performance.now() - began);
      answer.resume().on("end", () => underWay--);
      if (!request.writableFinished) answer.on("end", () => request.destroy());
    });
    request.on("error", () => answered || (errors++, underWay--));
    request.end(bytes);
  };
  const begin = performance.now();
  const timer = setInterval(() => {
    const now = performance.now() - begin;
    if (now > duration * 1000) return clearInterval(timer), setTimeout(finish, 2000);
    for (const due = (now / 1000) * overallRate; sent < due; sent++) underWay < connections ? send() : left++;
  }, 5);
  const finish = () => {
    const counts = Object.entries(times).map(([status, all]) => {
      all.sort((a, b) => a - b);
      const at = (share) => all[Math.min(all.length - 1, Math.floor(share * all.length))];
      return [status, { count: all.length, p50: at(0.5), p99: at(0.99), longest: at(1) }];
    });
    process.stdout.write(JSON.stringify({ times: Object.fromEntries(counts), errors, timeouts: underWay, left }), () => process.exit());
  };
});`;
const cannon = async (load: Load, program = CLIENT): Promise<Result> => {
  const client = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] });
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
/** Receives a body and answers as many bytes as a compact answer has, without any work. */
const receiver = createServer((request, response) => {
  request.on("data", () => {}).on("end", () => response.end(Buffer.alloc(12 * ITEMS + 100)));
});
async function addressOf(server: typeof naive): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const [naiveUrl, receiverUrl] = [await addressOf(naive), await addressOf(receiver)];

const command = ["serve", path, "--port", "0", "--threads", String(threads), "--reload", "0.05", "--quiet"];
const server = spawn(process.execPath, [fileURLToPath(new URL("../src/cli/main.js", import.meta.url)), ...command], {
  stdio: ["ignore", "pipe", "inherit"],
});
const base = await new Promise<string>((resolve, reject) => {
  server.stdout.once("data", (bytes: Buffer) => resolve(String(bytes).trim()));
  server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
});
const url = `${base}/models/model/rank`;

/** One number of GET /metrics. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)`, "m").exec(text)![1]);
}
/** The longest delay of the event loop of the server since the last call, in milliseconds. */
const delay = async () => 1000 * (await metric("tierwise_event_loop_delay_max_seconds"));
const RESOLUTION = 5; // milliseconds, as in the server
const monitor = monitorEventLoopDelay({ resolution: RESOLUTION });
monitor.enable();
/** The same of this process: while its servers are idle or only receive, that is how long the machine takes to run a thread that is ready. */
function ownDelay(): number {
  const longest = Math.max(0, monitor.max / 1e6 - RESOLUTION);
  monitor.reset();
  return longest;
}
const inMs = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
const line = (name: string, connections: number, { requests, times, non2xx, errors }: Result) =>
  console.log(
    `${name.padEnd(8)} ${String(connections).padStart(4)} connections: ${requests.average.toFixed(0).padStart(6)} requests/s ${(requests.average * ITEMS).toFixed(0).padStart(8)} rows/s, p50 ${times[200]?.p50.toFixed(2)} ms, p99 ${times[200]?.p99.toFixed(2)} ms, not 2xx ${non2xx}, errors ${errors}`,
  );

console.log(
  `${ITEMS} items x ${WIDTH} features, ${TREES} trees, ${threads} threads; JSON ${json.length} bytes, compact ${compact.length}`,
);

/** Requests/s beside the naive server. Kinds of requests take turns, and of each the best round counts. */
async function load(): Promise<void> {
  const kinds = {
    naive: { url: naiveUrl, ...bodies.json },
    receive: { url: receiverUrl, ...bodies.compact },
    JSON: { url, ...bodies.json },
    compact: { url, ...bodies.compact },
  };
  for (const kind of Object.values(kinds)) await cannon({ connections: 2, duration: 1, ...kind }); // warm
  for (const connections of values.connections.split(",").map(Number)) {
    const best = new Map<string, Result>();
    const delays = new Map<string, number[]>();
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [name, kind] of Object.entries(kinds)) {
        await delay();
        ownDelay();
        const result = await cannon({ connections, duration: seconds, ...kind });
        if (!(result.requests.average <= (best.get(name)?.requests.average ?? 0))) best.set(name, result);
        delays.set(name, [...(delays.get(name) ?? []), name === "receive" ? ownDelay() : await delay()]);
      }
    for (const [name, result] of best) {
      line(name, connections, result);
      if (name !== "naive")
        console.log(`         longest delay of the event loop, by round: ${delays.get(name)!.map(inMs).join(", ")}`);
    }
    const ratio = best.get("compact")!.requests.average / best.get("naive")!.requests.average;
    console.log(`         compact / naive ${ratio.toFixed(2)}`);
  }
}

/** Ten times as many requests a second as are answered, of a kind that is slow to answer; and 1,000 connections that ask without a pause. */
async function overload(): Promise<void> {
  const slow = { ...bodies.json, body: Buffer.from(JSON.stringify({ items: Array.from({ length: 5 }, () => items).flat() })) };
  const capacity = await cannon({ url, connections: 4, duration: seconds, ...slow });
  line("5 x JSON", 4, capacity);
  const rate = Math.max(1, Math.ceil(10 * capacity.requests.average));
  await byStatus(
    `${rate}/s`,
    await cannon({ url, connections: 1000, duration: seconds, overallRate: rate, ...slow }, RATE_CLIENT),
  );
  await cannon({ url, connections: 1, duration: 1, ...bodies.compact });
  line("after", 8, await cannon({ url, connections: 8, duration: 2, ...bodies.compact }));
  await byStatus("compact", await cannon({ url, connections: 1000, duration: seconds, ...bodies.compact }));
  line("after", 8, await cannon({ url, connections: 8, duration: 2, ...bodies.compact }));
}

/** Counts and times of answers by status. */
async function byStatus(name: string, { times, errors, timeouts, left }: Result): Promise<void> {
  for (const [status, { count, p50, p99, longest }] of Object.entries(times))
    console.log(
      `${name.padEnd(8)} 1000 connections: status ${status} ${count} times, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`,
    );
  console.log(
    `         errors ${errors}, no answer ${timeouts}${left === undefined ? "" : `, not sent ${left}`}; longest delay of the event loop ${inMs(await delay())}`,
  );
}

/** The model file is replaced 100 times under load. */
async function reload(): Promise<void> {
  const loads = await metric("tierwise_model_loads_total");
  const under = cannon({ url, connections: 8, duration: 25, ...bodies.compact });
  for (let time = 1; time <= 100; time++) {
    copyFileSync(paths[time % 2]!, `${path}.new`);
    renameSync(`${path}.new`, path);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  line("replaced", 8, await under);
  const longest = await delay(); // first, since each look at the metrics begins a new maximum
  const versions = (await metric("tierwise_model_loads_total")) - loads;
  console.log(`         100 files, ${versions} versions served; longest delay of the event loop ${inMs(longest)}`);
}

/** Resident memory, while requests of all kinds come without a pause. */
async function memory(): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  await resident("before");
  for (let turn = 0; Date.now() < end; turn++) {
    const { requests, non2xx } = await cannon({
      ...{ url, connections: 8, duration: 15 },
      ...(turn % 2 ? bodies.json : bodies.compact),
    });
    await resident(`${requests.total} requests (${non2xx} not 2xx)`);
  }
}

async function resident(what: string): Promise<void> {
  console.log(`memory   ${what}: resident ${((await metric("process_resident_memory_bytes")) / 2 ** 20).toFixed(0)} MB`);
}

for (const [part, run] of Object.entries({ load, overload, reload, memory })) if (wanted(part)) await run();
naive.close();
receiver.close();
server.removeAllListeners("exit").kill();
rmSync(folder, { recursive: true, force: true });
