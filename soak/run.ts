/** Runs cases of a check in two threads, one with kernels and one without, whose answers must agree. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Check, Outcome } from "./check.ts";
import type { WorkerSettings } from "./worker.ts";

/** A case that failed, to be run again by its number. */
export interface Failure {
  readonly check: string;
  readonly number: number;
  readonly why: string;
}

/** A thread that runs batches of cases; it is ended if one takes longer than `hang` milliseconds, or breaks it. */
class Runner {
  private worker: Worker | undefined;
  constructor(
    private readonly check: Check,
    private readonly plain: boolean,
    private readonly hang: number,
  ) {}

  async run(numbers: readonly number[]): Promise<readonly Outcome[]> {
    const worker = (this.worker ??= await this.start());
    const answer = await new Promise<readonly Outcome[] | string>((resolve) => {
      const watchdog = setTimeout(() => settle("does not end"), this.hang);
      const broken = (error: Error) => settle(`ends its thread: ${error.stack ?? error.message}`);
      const settle = (result: readonly Outcome[] | string) => {
        clearTimeout(watchdog);
        worker.off("message", settle).off("error", broken);
        resolve(result);
      };
      worker.on("message", settle).on("error", broken);
      worker.postMessage(numbers);
    });
    if (typeof answer !== "string") return answer;
    await this.close();
    if (numbers.length === 1) return [{ failure: answer }];
    // One of them is to blame: each is run alone.
    const outcomes: Outcome[] = [];
    for (const number of numbers) outcomes.push(...(await this.run([number])));
    return outcomes;
  }

  /** A thread that has loaded its code: how long that takes says nothing about a case. */
  private async start(): Promise<Worker> {
    const workerData: WorkerSettings = { check: this.check.id, plain: this.plain };
    const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData });
    await once(worker, "message");
    return worker;
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
    this.worker = undefined;
  }
}

/** A check that can be run in batches. */
export class Soak {
  private readonly fast: Runner;
  private readonly plain: Runner;
  constructor(
    private readonly check: Check,
    hang = 600_000,
  ) {
    this.fast = new Runner(check, false, hang);
    this.plain = new Runner(check, true, hang);
  }

  /** The cases of these numbers that fail. */
  async run(numbers: readonly number[]): Promise<Failure[]> {
    const [fast, plain] = await Promise.all([this.fast.run(numbers), this.plain.run(numbers)]);
    return numbers.flatMap((number, i) => {
      const why = failureOf(fast[i]!, plain[i]!);
      return why === undefined ? [] : [{ check: this.check.id, number, why }];
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.fast.close(), this.plain.close()]);
  }
}

function failureOf(fast: Outcome, plain: Outcome): string | undefined {
  if ("failure" in fast) return fast.failure;
  if ("failure" in plain) return `without kernels: ${plain.failure}`;
  return fast.digest === plain.digest ? undefined : "kernels and plain code give different results";
}
