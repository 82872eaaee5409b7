/**
 * Polls: how long a ballot takes from the request to the leaderboard that includes it, with many ballots before it, and how long votes wait meanwhile.
 * `npm run bench poll`, or `npm run bench poll -- 20000 30` for other numbers of ballots and items.
 */
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { random } from "../src/numeric/random.ts";
import { newLog } from "../src/server/http/log.ts";
import { Database } from "../src/server/poll/database.ts";
import { createPollServer } from "../src/server/poll/poll-server.ts";
import type { CountedBallots } from "../src/server/poll/store.ts";
import { PollStore } from "../src/server/poll/store.ts";

const [count = 100_000, items = 30] = process.argv.slice(2).map(Number);
const NEW = 20; // ballots that are timed
const TIERS = 6;
const folder = mkdtempSync(join(tmpdir(), "tierwise-bench-poll-"));
const path = join(folder, "polls.db");
const draw = random(1, 0xba);

/** Items by utilities 0, 0.1, 0.2, ... and noise, in tiers of equal size; a fifth is not ranked. */
function ballot(): number[][] {
  const scored = Array.from({ length: items }, (_, i) => ({ i, score: i / 10 - Math.log(-Math.log(draw())) }));
  scored.sort((a, b) => b.score - a.score);
  const tiers: number[][] = Array.from({ length: TIERS }, () => []);
  scored.forEach(({ i }, place) => {
    if (draw() > 0.2) tiers[Math.floor((place * TIERS) / items)]!.push(i);
  });
  return tiers;
}

const poll = {
  title: "bench",
  tiers: Array.from({ length: TIERS }, (_, t) => ({ name: `tier ${t}`, color: "#ffe066" })),
  items: Array.from({ length: items }, (_, i) => ({ name: `item ${i}`, color: "#3b6ea8" })),
};

/** Fills the database: a poll with ballots as voters would have sent them. */
async function fill(): Promise<string> {
  const database = await Database.open({ path });
  const ballots: CountedBallots = Array.from({ length: count }, () => [ballot(), 1] as const);
  const { poll: token } = database.transaction(() => new PollStore(database).create(poll, ballots));
  database.run("UPDATE polls SET imported = 0"); // so that it takes votes
  database.close();
  return token;
}

const seconds = (from: number) => (performance.now() - from) / 1000;
const token = await fill();
const pages = fileURLToPath(new URL("../pages/poll", import.meta.url));
const { app } = await createPollServer({ database: { path }, pages, log: newLog(() => {}), votesPerMinute: 0 });
await app.listen({ host: "127.0.0.1", port: 0 });
const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/polls/${token}`;

let waiting: { readonly ballots: number; resolve(): void } | undefined;
const stream = await fetch(`${base}/events`);
const begun = performance.now();
const reader = (async () => {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of stream.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const [, ballots] = /"ballots":(\d+)/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        if (waiting && Number(ballots) >= waiting.ballots) waiting.resolve();
      }
    }
  } catch {} // the server has ended
})();
const shown = (ballots: number) =>
  new Promise<void>((resolve) => {
    waiting = { ballots, resolve };
  });

await shown(count);
console.log(`${count} ballots of ${items} items: first results ${seconds(begun).toFixed(2)} s after the server started`);
const [answers, shows]: [number[], number[]] = [[], []];
for (let k = 1; k <= NEW; k++) {
  const from = performance.now();
  const seen = shown(count + k);
  const body = JSON.stringify({ tiers: ballot(), request: `request number ${k} of this bench` });
  const answer = await fetch(`${base}/ballot`, { method: "PUT", headers: { "content-type": "application/json" }, body });
  if (!answer.ok) throw new Error(await answer.text());
  answers.push(seconds(from));
  await seen;
  shows.push(seconds(from));
}
const line = (what: string, values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  console.log(`${what}: median ${sorted[NEW >> 1]!.toFixed(3)} s, longest ${sorted.at(-1)!.toFixed(3)} s`);
};
line("a ballot is acknowledged after", answers);
line("a ballot is in the leaderboard after", shows);
await app.close();
await reader;
rmSync(folder, { recursive: true });
process.exit(0);
