/**
 * The loop of one target: inputs are mutated from a corpus, two threads read each of them, one with kernels and one without, and answers of a
 * new shape put their inputs into the corpus. What is run follows from the seed alone.
 */
import { Worker } from "node:worker_threads";
import { below, random } from "../src/numeric/random.ts";
import { mutate } from "./mutate.ts";
import { shrink } from "./shrink.ts";
import { digestOf, type Target } from "./target.ts";
import type { Job, Result, WorkerSettings } from "./worker.ts";

/** A failing input, made as small as possible. */
export interface Failure {
  readonly target: string;
  readonly bytes: Uint8Array;
  readonly why: string;
}

/** What a run of a target did. */
export interface Summary {
  readonly target: string;
  readonly inputs: number;
  readonly read: number;
  readonly refused: number;
  readonly corpus: readonly Uint8Array[];
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

export interface RunOptions {
  readonly seed: number;
  /** Inputs to run at most. */
  readonly inputs: number;
  /** Milliseconds after which no further batch begins. */
  readonly time: number;
  /** Inputs to start from besides the target's own. */
  readonly corpus?: readonly Uint8Array[];
  /** Milliseconds of processor time after which one input counts as hanging and its thread is ended; or ten times as long without. Default: 60000. */
  readonly hang?: number;
  /** Failures after which the target is left. Default: 5. */
  readonly most?: number;
}

const BATCH = 200;
const IDLE = 10; // times as long as an input may run, it may wait
const KEPT = 400; // inputs in the corpus
const SMALL = 4096; // bytes of an input that is kept, or twice the largest sample: mutations double inputs, and large ones take all the time
const VALID = 0.7; // of the mutated inputs come from one that was read, since what is rejected is rejected early
const GENERATED = 0.1; // of the inputs, where the target can make some

/** A thread that answers jobs, and is started again after it was ended. */
class Runner {
  private worker: Worker | undefined;
  private readonly current = new Int32Array(new SharedArrayBuffer(4)).fill(-1); // the number of the input that runs, if one does
  constructor(
    private readonly target: string,
    private readonly plain: boolean,
    private readonly hang: number,
  ) {}

  async run(jobs: readonly Job[]): Promise<Result[]> {
    const settings: WorkerSettings = {
      target: this.target,
      plain: this.plain,
      current: this.current.buffer as SharedArrayBuffer,
    };
    this.worker ??= new Worker(new URL("./worker.js", import.meta.url), { workerData: settings, stderr: true });
    const worker = this.worker;
    return new Promise((resolve) => {
      const stop = () => {
        clearInterval(watchdog);
        worker.off("message", done).off("error", broken);
      };
      const done = (results: Result[]) => {
        stop();
        resolve(results);
      };
      /** The input that was running fails, and the others are run by a new thread. */
      const failed = async (failure: string) => {
        stop();
        const at = Math.max(0, Atomics.load(this.current, 0));
        await this.close();
        this.current[0] = -1;
        const before = at > 0 ? await this.run(jobs.slice(0, at)) : [];
        const after = at + 1 < jobs.length ? await this.run(jobs.slice(at + 1)) : [];
        resolve([...before, { outcome: "failed", digest: "", shape: "", failure }, ...after]);
      };
      const broken = (error: Error) => void failed(`ends its thread: ${error.stack ?? error.message}`);
      // A thread that waits for a core is not one that hangs: the time of the processor counts, and that of the clock only if nothing runs at all.
      let [last, since, used] = [-2, performance.now(), process.cpuUsage()];
      const watchdog = setInterval(() => {
        const now = Atomics.load(this.current, 0);
        const { user, system } = process.cpuUsage(used);
        if (now !== last || now < 0) [last, since, used] = [now, performance.now(), process.cpuUsage()];
        else if ((user + system) / 1000 > this.hang || performance.now() - since > IDLE * this.hang) void failed("does not end");
      }, 500);
      worker.on("message", done).on("error", broken);
      worker.postMessage(jobs);
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
    this.worker = undefined;
  }
}

/** Why an input fails, from the answers of both threads. */
function failureOf(fast: Result, plain: Result): string | undefined {
  if (fast.outcome === "failed") return fast.failure;
  if (plain.outcome === "failed") return `without kernels: ${plain.failure}`;
  if (fast.digest !== plain.digest) return "kernels and plain code read it otherwise";
  return undefined;
}

/** Failures with the same text, apart from numbers, are taken as one. */
const kindOf = (why: string) => why.replace(/[\d.e+-]+/g, "0").slice(0, 200);

type Both = (jobs: readonly Job[]) => Promise<Result[][]>;

/** The smallest input found that fails for the same reason. One that hangs takes too long to be tried often. */
function smallest(bytes: Uint8Array, why: string, both: Both): Promise<Uint8Array> {
  const fails = async (rest: Uint8Array) => {
    const [fast, plain] = await both([rest]);
    const now = failureOf(fast![0]!, plain![0]!);
    return now !== undefined && kindOf(now) === kindOf(why);
  };
  return shrink(bytes, fails, why === "does not end" ? 0 : 300);
}

export async function fuzz(target: Target, options: RunOptions): Promise<Summary> {
  const { seed, inputs, time, most = 5, hang = 60_000 } = options;
  const began = performance.now();
  const runners = [new Runner(target.id, false, hang), new Runner(target.id, true, hang)] as const;
  const both: Both = (jobs) => Promise.all(runners.map((runner) => runner.run(jobs)));
  const corpus = [...target.seeds(), ...(options.corpus ?? [])];
  const begun = corpus.length;
  const largest = Math.max(SMALL, ...corpus.map((bytes) => 2 * bytes.length));
  const valid: Uint8Array[] = []; // those of the corpus that were read
  const shapes = new Set<string>();
  const found = new Map<string, Failure>();
  const counts = { read: 0, refused: 0 };
  const draw = random(seed, Number.parseInt(digestOf(target.id).slice(0, 8), 16));
  let done = 0;
  try {
    while (done < inputs && found.size < most && performance.now() - began < time) {
      const jobs: Job[] = Array.from({ length: Math.min(BATCH, inputs - done) }, (_, i) => {
        if (done + i < begun) return corpus[done + i]!; // the corpus itself comes first
        if (target.generated && draw() < GENERATED) return Math.floor(2 ** 32 * draw());
        const parents = draw() < VALID && valid.length > 0 ? valid : corpus;
        return mutate(parents[below(draw, parents.length)]!, draw, { words: target.words, corpus });
      });
      const [fast, plain] = await both(jobs);
      for (const [i, job] of jobs.entries()) {
        const [one, other] = [fast![i]!, plain![i]!];
        const why = failureOf(one, other);
        const bytes = typeof job === "number" ? one.bytes : job;
        if (why !== undefined) {
          if (found.has(kindOf(why))) continue;
          const smaller = typeof job === "number" ? one.bytes : await smallest(job, why, both);
          found.set(kindOf(why), { target: target.id, bytes: smaller ?? new Uint8Array(0), why });
          continue;
        }
        counts[one.outcome as "read" | "refused"]++;
        const shape = `${one.outcome} ${one.shape}`;
        const isNew = !shapes.has(shape) && corpus.length < KEPT;
        const isOld = done + i < begun; // of the corpus that the run began with
        if (!bytes || !((isNew && bytes.length <= largest) || isOld)) continue;
        shapes.add(shape);
        if (!isOld) corpus.push(bytes);
        if (one.outcome === "read") valid.push(bytes);
      }
      done += jobs.length;
    }
  } finally {
    await Promise.all(runners.map((runner) => runner.close()));
  }
  const seconds = (performance.now() - began) / 1000;
  return { target: target.id, inputs: done, ...counts, corpus, failures: [...found.values()], seconds };
}
