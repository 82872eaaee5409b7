/**
 * Results of polls, kept up to date by two threads and given to whoever listens. A poll is fitted when someone first asks for its results, and
 * again after each ballot as long as someone listens; several ballots that come during a fit are taken together.
 */
import { Worker } from "node:worker_threads";
import type { Log } from "../http/log.ts";
import type { DatabasePlace } from "./database.ts";
import type { FitAnswer, FitRequest } from "./fit-thread.ts";
import type { StoreClient } from "./store-client.ts";
import { STUDIED } from "./studied.ts";
import type { StudyAnswer, StudyRequest } from "./study-thread.ts";
import type { PollResults, ResultStudy } from "./types.ts";

/** What a fit needs to know of a poll. */
export type FittedPoll = Omit<FitRequest, "number">;
type Listener = (results: PollResults) => void;

interface State {
  readonly poll: FittedPoll;
  readonly listeners: Set<Listener>;
  results: PollResults | undefined;
  study: ResultStudy | undefined;
  /** Ballots of the last study that was begun. */
  studied: number;
  /** The last fits that were begun and done. */
  begun: number;
  done: number;
  /** A fit is under way or was so a moment ago; whether another is wanted after it. */
  fitting: boolean;
  again: boolean;
  /** Changes in the database when it was last looked at for changes of other servers. */
  changes: number;
}

const EVERY = 200; // milliseconds between two fits of a poll
const LOOK = 2000; // milliseconds between looks for ballots that came through other servers
const GROWN = 1.1; // ballots of a new study, as a multiple of those of the last

export class LiveResults {
  readonly #states = new Map<number, State>();
  readonly #store: StoreClient;
  readonly #place: DatabasePlace;
  readonly #log: Log;
  #fits: Worker | undefined;
  #studies: Worker | undefined;
  readonly #looking: NodeJS.Timeout;
  readonly #waitingStudies: StudyRequest[] = [];
  #studying = false;
  #broken: string | undefined;

  constructor(place: DatabasePlace, store: StoreClient, log: Log) {
    [this.#store, this.#place, this.#log] = [store, place, log];
    this.#looking = setInterval(() => void this.#look(), LOOK).unref();
  }

  /** Why results are not up to date, or undefined. Votes are stored nevertheless. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Calls `listener` with results whenever they change, and soon with the current ones. Returns what ends that. */
  listen(poll: FittedPoll, listener: Listener): () => void {
    const state = this.#stateOf(poll);
    state.listeners.add(listener);
    if (state.results) listener(state.results);
    this.#fit(state);
    return () => {
      state.listeners.delete(listener);
    };
  }

  /** Results that are up to date now. */
  current(poll: FittedPoll): Promise<PollResults> {
    return new Promise((resolve) => {
      const state = this.#stateOf(poll);
      const wanted = state.begun + 1; // a fit under way may lack the last ballot
      const listener: Listener = (results) => {
        if (state.done < wanted) return;
        state.listeners.delete(listener);
        resolve(results);
      };
      state.listeners.add(listener);
      this.#fit(state);
    });
  }

  /** A ballot of the poll was stored. */
  changed(id: number): void {
    const state = this.#states.get(id);
    if (state && state.listeners.size > 0) this.#fit(state);
  }

  /** The poll was deleted. */
  forget(id: number): void {
    this.#states.delete(id);
    this.#fits?.postMessage({ forget: id });
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await Promise.all([this.#fits?.terminate(), this.#studies?.terminate()]);
  }

  /** The threads start when they are first needed, so that the server starts at once. */
  #fitThread(): Worker {
    if (this.#fits) return this.#fits;
    this.#fits = new Worker(new URL("./fit-thread.js", import.meta.url), { workerData: this.#place });
    this.#fits.on("message", (answer: FitAnswer) => this.#fitted(answer));
    return this.#watched(this.#fits, "the thread of fits has failed");
  }

  #studyThread(): Worker {
    if (this.#studies) return this.#studies;
    this.#studies = new Worker(new URL("./study-thread.js", import.meta.url));
    this.#studies.on("message", (answer: StudyAnswer) => this.#studied(answer));
    return this.#watched(this.#studies, "the thread of studies has failed");
  }

  #watched(worker: Worker, failure: string): Worker {
    return worker.on("error", (error) => {
      this.#broken = failure;
      this.#log("error", failure, { stack: (error as Error).stack ?? String(error) });
    });
  }

  #stateOf(poll: FittedPoll): State {
    let state = this.#states.get(poll.poll);
    if (!state) {
      state = {
        ...{ poll, listeners: new Set<Listener>(), results: undefined, study: undefined, studied: 0 },
        ...{ begun: 0, done: 0, fitting: false, again: false, changes: -1 },
      };
      this.#states.set(poll.poll, state);
    }
    return state;
  }

  #fit(state: State): void {
    if (state.fitting) {
      state.again = true;
      return;
    }
    state.fitting = true;
    this.#fitThread().postMessage({ ...state.poll, number: ++state.begun } satisfies FitRequest);
  }

  #fitted({ poll, number, results, sample }: FitAnswer): void {
    const state = this.#states.get(poll);
    if (!state) return;
    state.done = number;
    state.results = state.study ? { ...results, study: state.study } : results;
    for (const listener of [...state.listeners]) listener(state.results);
    setTimeout(() => {
      state.fitting = false;
      if (!state.again) return;
      state.again = false;
      if (state.listeners.size > 0) this.#fit(state);
    }, EVERY);
    if (results.ballots < STUDIED || results.ballots < GROWN * state.studied) return;
    state.studied = results.ballots;
    this.#waitingStudies.push({ poll, items: state.poll.items, sample });
    this.#nextStudy();
  }

  #nextStudy(): void {
    const next = this.#studying ? undefined : this.#waitingStudies.shift();
    if (!next) return;
    this.#studying = true;
    this.#studyThread().postMessage(next);
  }

  #studied({ poll, study }: StudyAnswer): void {
    this.#studying = false;
    this.#nextStudy();
    const state = this.#states.get(poll);
    if (!state?.results || !study) return;
    state.study = study;
    state.results = { ...state.results, study };
    for (const listener of [...state.listeners]) listener(state.results);
  }

  async #look(): Promise<void> {
    for (const state of [...this.#states.values()]) {
      if (state.listeners.size === 0) continue;
      try {
        const changes = (await this.#store.call("changesOf", state.poll.poll)) ?? -1;
        if (state.changes >= 0 && changes !== state.changes) this.#fit(state);
        state.changes = changes;
      } catch {
        return; // the database is gone; requests report it
      }
    }
  }
}
