/** Starts a thread that runs rank-worker.ts, with the kernels and the memory budget of this one. */
import { Worker } from "node:worker_threads";
import { memoryBudget, memoryRemedy } from "../../memory-budget.ts";
import { kernelModule } from "../../numeric/kernels.ts";
import type { ServerLink } from "./worker-link.ts";
import type { BatchMemories, WorkerStart } from "./worker-messages.ts";

export function startWorker({ workerEnd: end }: ServerLink, memory?: BatchMemories): Worker {
  const worker = new Worker(new URL("./rank-worker.js", import.meta.url), {
    workerData: { module: kernelModule(), budget: [memoryBudget(), memoryRemedy()], memory, end } satisfies WorkerStart,
    transferList: [end.port],
  });
  worker.setMaxListeners(0);
  return worker;
}
