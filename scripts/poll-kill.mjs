// Kills the poll server with SIGKILL at random moments while voters vote, starts it again, and looks for ballots that were acknowledged and are gone:
//
//   node scripts/poll-kill.mjs --kills 50 --voters 8
//
// Prints one line of JSON: kills, ballots that were acknowledged, lost and doubled ones, what the integrity check of the database says, and how long starts
// took. Exits with 1 where anything was lost, doubled or damaged.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    voters: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
  },
});
const [kills, voters] = [Number(values.kills), Number(values.voters)];
const main = fileURLToPath(new URL("../dist/src/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tierwise-poll-kill-"));
const db = join(folder, "polls.db");
let state = Number(values.seed);
const draw = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let server;
let base = "";
const starts = []; // seconds

async function start() {
  const begun = performance.now();
  server = spawn(process.execPath, [main, "poll", "--db", db, "--port", "0", "--votes-per-minute", "0", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  base = await new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (bytes) => {
      text += bytes;
      const found = /http:\/\/\S+?:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  starts.push((performance.now() - begun) / 1000);
}

async function kill() {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.removeAllListeners("exit");
  server.once("exit", () => {});
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGKILL");
  await Promise.race([ended, gone]);
}

const send = (path, method, body, cookie) =>
  fetch(`${base}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  });

await start();
const tiers = ["S", "A", "B"].map((name) => ({ name, color: "#ffe066" }));
const items = Array.from({ length: 8 }, (_, i) => ({ name: `item ${i}`, color: "#3b6ea8" }));
const { poll } = await (await send("/api/polls", "POST", { title: "Kill", tiers, items })).json();
const path = `/api/polls/${poll}/ballot`;
const ballot = () => {
  const found = [[], [], []];
  for (const i of items.keys()) found[Math.floor(3 * draw())].push(i);
  return found;
};

let running = true;
const acknowledged = new Map(); // by cookie, the last ballot that the server confirmed, and one that may have been stored since
let certain = 0;

/** Votes, and now and then changes a ballot; tries again with the same request after a failure. */
async function voter(name) {
  for (let k = 0; running; k++) {
    const request = `voter ${name} ballot ${k} of this run`;
    const first = ballot();
    let cookie;
    while (running && cookie === undefined) {
      try {
        const answer = await send(path, "PUT", { tiers: first, request });
        if (answer.ok) cookie = answer.headers.get("set-cookie").split(";")[0];
      } catch {
        await pause(20);
      }
    }
    if (cookie === undefined) return;
    const known = { sure: first, perhaps: undefined };
    acknowledged.set(cookie, known);
    certain++;
    if (draw() < 0.3) {
      known.perhaps = ballot();
      try {
        if ((await send(path, "PUT", { tiers: known.perhaps, request }, cookie)).ok)
          Object.assign(known, { sure: known.perhaps, perhaps: undefined });
      } catch {}
    }
  }
}

const all = Array.from({ length: voters }, (_, name) => voter(name));
for (let k = 0; k < kills; k++) {
  // A moment while ballots are being acknowledged, however slow the machine is.
  const [enough, limit] = [certain + 1 + Math.floor(40 * draw()), performance.now() + 20_000];
  while (certain < enough && performance.now() < limit) await pause(5);
  await pause(20 * draw());
  await kill();
  await start();
}
await pause(200);
running = false;
await Promise.all(all);

let lost = 0;
for (const [cookie, { sure, perhaps }] of acknowledged) {
  const answer = await (await fetch(`${base}${path}`, { headers: { cookie } })).json();
  const found = JSON.stringify(answer.tiers);
  if (found !== JSON.stringify(sure) && found !== JSON.stringify(perhaps)) lost++;
}
const { ballots } = await (await fetch(`${base}/api/polls/${poll}`)).json();
await kill();
const Database = createRequire(import.meta.url)("libsql");
const database = new Database(db);
const rows = database.prepare("SELECT COUNT(*) AS count FROM ballots").all([])[0].count;
const integrity = database.prepare("PRAGMA integrity_check").all([])[0].integrity_check;
database.close();
rmSync(folder, { recursive: true });
starts.sort((a, b) => a - b);
// Each voter may have one ballot whose answer was lost at the very end.
const doubled = Math.max(0, rows - certain - voters);
console.log(
  JSON.stringify({
    kills,
    acknowledged: certain,
    stored: rows,
    counted: ballots,
    lost,
    doubled,
    integrity,
    medianStartSeconds: starts[starts.length >> 1],
    longestStartSeconds: starts.at(-1),
  }),
);
process.exit(lost > 0 || doubled > 0 || integrity !== "ok" || rows !== ballots ? 1 : 0);
