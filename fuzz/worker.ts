/** Runs inputs of one target, in a thread that the main one can end when it hangs. */
import { parentPort, workerData } from "node:worker_threads";
import { usePlain } from "../src/numeric/kernels.ts";
import { random } from "../src/numeric/random.ts";
import { Finding } from "./target.ts";
import { targetOf } from "./targets.ts";

/** What a worker is started with. */
export interface WorkerSettings {
  readonly target: string;
  /** Without kernels. */
  readonly plain: boolean;
  /** The number of the input that runs. */
  readonly current: SharedArrayBuffer;
}

/** An input, or the seed of one that the target makes itself. */
export type Job = Uint8Array | number;

/** What became of an input. */
export interface Result {
  readonly outcome: "read" | "refused" | "failed";
  readonly digest: string;
  readonly shape: string;
  /** Why it failed. */
  readonly failure?: string;
  /** The input, if the target made it. */
  readonly bytes?: Uint8Array;
}

const { target: id, plain, current } = workerData as WorkerSettings;
const target = targetOf(id);
const now = new Int32Array(current);
if (plain) usePlain();

const SLOW = 1000; // milliseconds that any input may take
const PER_BYTE = 0.1; // and so many for each of its bytes

async function attempt(job: Job): Promise<Result> {
  let bytes = typeof job === "number" ? undefined : job;
  try {
    if (typeof job === "number") {
      bytes = target.generated!(random(job));
      return { outcome: "read", digest: "", shape: "generated", bytes };
    }
    const began = performance.now();
    const answer = await target.run(job);
    const took = performance.now() - began;
    if (took > SLOW + PER_BYTE * job.length && (await isSlow(job))) throw new Finding("takes longer than its size allows");
    return answer;
  } catch (error) {
    const failure = error instanceof Finding ? error.message : ((error as Error)?.stack ?? String(error));
    const made = error instanceof Finding ? error.bytes : undefined;
    return { outcome: "failed", digest: "", shape: "", failure, ...(made && { bytes: made }), ...(bytes && { bytes }) };
  }
}

/** A machine under load is slow at times; an input is slow if it always is. */
async function isSlow(bytes: Uint8Array): Promise<boolean> {
  for (let repeat = 0; repeat < 3; repeat++) {
    const began = process.cpuUsage();
    await target.run(bytes);
    const { user, system } = process.cpuUsage(began);
    if ((user + system) / 1000 <= SLOW + PER_BYTE * bytes.length) return false;
  }
  return true;
}

parentPort!.on("message", async (jobs: readonly Job[]) => {
  const results: Result[] = [];
  for (const [i, job] of jobs.entries()) {
    Atomics.store(now, 0, i);
    results.push(await attempt(job));
  }
  Atomics.store(now, 0, -1);
  parentPort!.postMessage(results);
});
