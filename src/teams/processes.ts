/** The processes that a launcher of MPI has started together with this one, once this one has joined them. */
import type { ProcessContext } from "./collectives.ts";
import type { Communicator } from "./communicator.ts";
import { launchedProcesses, type MpiControl, openMpiWorld } from "./mpi.ts";

let joined: (Communicator & MpiControl) | undefined;

/** Joins the other processes, where a launcher has started several. */
export async function joinProcesses(): Promise<(Communicator & MpiControl) | undefined> {
  if (launchedProcesses() > 1) joined ??= await openMpiWorld();
  return joined;
}

/** How to communicate with the other processes from the thread that joined them; undefined where there are none. */
export const communicator = (): Communicator | undefined => joined;

/** What a team in this thread needs to know of them. */
export const processContext = (): ProcessContext | undefined =>
  joined && { rank: joined.rank, size: joined.size, communicator: joined };

/** Whether this process writes results: the first, or the only one. */
export const isFirstProcess = (): boolean => (joined?.rank ?? 0) === 0;
