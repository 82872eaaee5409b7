/**
 * The thread that keeps the leaderboards of polls up to date. It reads ballots that changed from the database, adds them to the fit of their
 * poll and posts results. A fit that must be computed again does so in pieces of some milliseconds, between which other ballots are taken.
 */
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { IncrementalUtilities } from "../../models/utilities/incremental.ts";
import { Database, type DatabasePlace } from "./database.ts";
import { GHOST, resultsOf } from "./results.ts";
import { type ChangedBallot, PollStore } from "./store.ts";
import type { BallotTiers, PollResults } from "./types.ts";

export interface FitRequest {
  /** Counts the requests for this poll. */
  readonly number: number;
  readonly poll: number;
  readonly items: number;
  readonly tiers: number;
}

/** Results, and some ballots for what takes longer. */
export interface FitAnswer {
  readonly poll: number;
  /** The last request whose ballots are in the results. */
  readonly number: number;
  readonly results: PollResults;
  readonly sample: readonly (readonly [tiers: BallotTiers, count: number])[];
}

interface Poll {
  readonly request: FitRequest;
  readonly fit: IncrementalUtilities;
  /** Ballots by their number, to take them back when they change. */
  readonly known: Map<number, Pick<ChangedBallot, "tiers" | "count">>;
  readonly placed: Float64Array;
  since: number;
  number: number;
  refining: boolean;
}

const BATCH = 2000; // ballots that are read at once
const MOST_KNOWN = 2_000_000; // ballots in memory: beyond, the polls that were not asked for longest are dropped
const KEPT = 500; // ballots from which on a fit is kept in the database
const ROUGH = 2000; // ballots of a first fit where there are many more
const SAMPLE = 400;
const NEAR = 1e-4; // distance from the last full fit up to which results are as good as exact
const CLOSE = 0.01; // the same up to which they are shown until a full fit is done

const database = await Database.open(workerData as DatabasePlace);
const store = new PollStore(database);
const polls = new Map<number, Poll>();

async function update(request: FitRequest): Promise<void> {
  const poll = polls.get(request.poll) ?? (await open(request));
  polls.delete(request.poll);
  polls.set(request.poll, poll); // the most recently asked for is the last
  for (;;) {
    const changed = store.changesSince(request.poll, poll.since, BATCH);
    for (const one of changed) apply(poll, one, (tiers, count) => poll.fit.add(tiers, count));
    if (changed.length < BATCH) break;
    await setImmediate();
  }
  poll.number = request.number;
  if (poll.fit.isWithin(CLOSE)) post(poll);
  if (!poll.refining && !poll.fit.isWithin(NEAR)) await refine(poll);
}

/** Reads all ballots of a poll and fits them from where the last fit ended. */
async function open(request: FitRequest): Promise<Poll> {
  const loaded: [BallotTiers, number][] = [];
  const placed = new Float64Array(request.items * request.tiers);
  const state = { request, known: new Map(), placed, since: 0, number: request.number, refining: false };
  for (;;) {
    const changed = store.changesSince(request.poll, state.since, BATCH);
    for (const one of changed) apply(state, one, (tiers, count) => loaded.push([tiers, count]));
    if (changed.length < BATCH) break;
    await setImmediate();
  }
  const before = store.fitOf(request.poll);
  const start = before?.length === request.items ? before : await roughFit(request.items, loaded);
  const fit = new IncrementalUtilities(request.items, GHOST, start);
  fit.load(loaded);
  drop();
  return Object.assign(state, { fit });
}

/** Utilities of some of many ballots, from which a fit of all of them takes few passes. */
async function roughFit(items: number, ballots: readonly [BallotTiers, number][]): Promise<Float64Array | undefined> {
  if (ballots.length < 4 * ROUGH) return undefined;
  const fit = new IncrementalUtilities(items, GHOST);
  fit.load(ballots.slice(0, ROUGH));
  for (const _ of fit.refine()) await setImmediate();
  return fit.utilities();
}

/** Takes the ballot that a voter had before back and adds the new one. */
function apply(
  poll: Omit<Poll, "fit">,
  { ballot, tiers, count, change }: ChangedBallot,
  add: (tiers: BallotTiers, count: number) => void,
): void {
  const { known, placed, request } = poll;
  const place = (of: BallotTiers, by: number) =>
    of.forEach((items, tier) => {
      for (const item of items) placed[item * request.tiers + tier]! += by;
    });
  const before = known.get(ballot);
  if (before) {
    add(before.tiers, -before.count);
    place(before.tiers, -before.count);
  }
  add(tiers, count);
  place(tiers, count);
  known.set(ballot, { tiers, count });
  poll.since = change;
}

async function refine(poll: Poll): Promise<void> {
  poll.refining = true;
  for (const _ of poll.fit.refine()) await setImmediate();
  poll.refining = false;
  if (poll.fit.ballots >= KEPT) {
    try {
      store.keepFit(poll.request.poll, poll.fit.utilities());
    } catch {} // another writer was busy for long: the next start takes longer
  }
  post(poll);
}

function post({ request, number, fit, placed }: Poll): void {
  const all = [...fit.distinct()];
  const step = Math.max(1, all.length / SAMPLE);
  const sample = Array.from({ length: Math.min(SAMPLE, all.length) }, (_, i) => all[Math.floor(i * step)]!);
  const answer: FitAnswer = {
    ...{ poll: request.poll, number },
    results: resultsOf(fit, placed),
    sample: sample.map(({ tiers, count }) => [tiers, count] as const),
  };
  parentPort!.postMessage(answer);
}

function drop(): void {
  let sum = [...polls.values()].reduce((all, { known }) => all + known.size, 0);
  for (const [id, { known, refining }] of polls) {
    if (sum <= MOST_KNOWN) return;
    if (refining) continue;
    sum -= known.size;
    polls.delete(id);
  }
}

const opening = new Map<number, Promise<unknown>>();
parentPort!.on("message", (message: FitRequest | { readonly forget: number }) => {
  if ("forget" in message) return void polls.delete(message.forget);
  // A request for a poll that is being opened waits for that.
  const before = polls.has(message.poll) ? undefined : opening.get(message.poll);
  const now = (before ?? Promise.resolve()).then(() => update(message));
  opening.set(message.poll, now);
  now.finally(() => opening.get(message.poll) === now && opening.delete(message.poll));
});
