/** The processes that a launcher of MPI has started together with this one, once this one has joined them. */
import { InputError } from "../input-error.ts";
import type { ProcessContext } from "./collectives.ts";
import type { Communicator } from "./communicator.ts";
import { launchedProcesses, type MpiControl, openMpiWorld } from "./mpi.ts";

let joined: (Communicator & MpiControl) | undefined;

/** Joins the other processes, where a launcher has started several. */
export async function joinProcesses(): Promise<(Communicator & MpiControl) | undefined> {
  const launched = launchedProcesses();
  if (launched === 1) return undefined;
  joined ??= await openMpiWorld();
  if (joined.size !== launched)
    throw new InputError(
      `processes: ${launched} were started, and the MPI library knows of ${joined.size}; start them with the launcher of the same library (mpirun.openmpi, mpirun.mpich), with srun --mpi=pmix for Open MPI or srun --mpi=pmi2 for MPICH, and name the library by TIERWISE_MPI where several are installed`,
    );
  return joined;
}

/** How to communicate with the other processes from the thread that joined them; undefined where there are none. */
export const communicator = (): Communicator | undefined => joined;

/** What a team in this thread needs to know of them. */
export const processContext = (): ProcessContext | undefined =>
  joined && { rank: joined.rank, size: joined.size, communicator: joined };

/** Whether this process writes results: the first, or the only one. */
export const isFirstProcess = (): boolean => (joined?.rank ?? 0) === 0;
