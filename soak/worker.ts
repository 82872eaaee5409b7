/** Runs cases of one check, in a thread that the main one can end when it hangs. */
import { parentPort, workerData } from "node:worker_threads";
import { usePlain } from "../src/numeric/kernels.ts";
import { checkOf } from "./checks.ts";

/** What a worker is started with. */
export interface WorkerSettings {
  readonly check: string;
  /** Without kernels. */
  readonly plain: boolean;
}

const { check: id, plain } = workerData as WorkerSettings;
if (plain) usePlain();

parentPort!.on("message", async (numbers: readonly number[]) => {
  parentPort!.postMessage(await checkOf(id).run(numbers, plain));
});
parentPort!.postMessage("ready");
