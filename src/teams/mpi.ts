/**
 * The MPI library of the machine as a communicator, by the optional package koffi: Open MPI, MPICH and its relatives, and libraries with the
 * standard ABI of MPI 5. They differ in the values of handles, which are addresses in the first and numbers in the others.
 *
 * Every thread that communicates opens the library for itself; the first of a process initializes it. Threads take turns: the thread of a command
 * reads data, then the first thread of a team trains. Calls block their thread.
 */
import { InputError } from "../input-error.ts";
import type { ArrayTypes, Exchanged } from "../types.ts";
import type { Communicator } from "./communicator.ts";

/** The values that an ABI gives to what the calls below name. */
interface Handles {
  readonly world: number | bigint;
  readonly byte: number | bigint;
  readonly int32: number | bigint;
  readonly int64: number | bigint;
  readonly double: number | bigint;
  readonly sum: number | bigint;
  readonly max: number | bigint;
  readonly inPlace: bigint;
}

type Library = import("koffi").LibraryHandle;

interface Abi {
  readonly name: string;
  /** Names under which the library may be found. */
  readonly files: readonly string[];
  handles(library: Library): Handles;
}

const openMpi: Abi = {
  name: "Open MPI",
  files: ["libmpi.so.40", "libmpi.40.dylib"],
  handles(library) {
    const at = (name: string) => library.symbol(name) as bigint;
    return {
      ...{ world: at("ompi_mpi_comm_world"), byte: at("ompi_mpi_byte"), int32: at("ompi_mpi_int32_t") },
      ...{ int64: at("ompi_mpi_int64_t"), double: at("ompi_mpi_double") },
      ...{ sum: at("ompi_mpi_op_sum"), max: at("ompi_mpi_op_max"), inPlace: 1n },
    };
  },
};

const mpich: Abi = {
  name: "MPICH",
  files: ["libmpich.so.12", "libmpi.so.12", "libmpi.12.dylib"],
  handles: () => ({
    ...{ world: 0x44000000, byte: 0x4c00010d, int32: 0x4c000439, int64: 0x4c00083a, double: 0x4c00080b },
    ...{ sum: 0x58000003, max: 0x58000001, inPlace: BigInt.asUintN(64, -1n) },
  }),
};

/** The ABI of the standard, MPI 5.0, chapter 20. */
const standard: Abi = {
  name: "MPI with the standard ABI",
  files: ["libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.1.dylib"],
  handles: () => ({
    ...{ world: 0x101, byte: 0x247, int32: 0x250, int64: 0x258, double: 0x214 },
    ...{ sum: 0x21, max: 0x23, inPlace: 1n },
  }),
};

/** The variables by which launchers tell a process how many there are: mpirun of Open MPI, mpiexec of MPICH, srun. */
const SIZES = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"] as const;
const LOCAL_SIZES = ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"] as const;

/** Names another library than those known, by its path; its kind follows from the name of the file. */
const LIBRARY = "TIERWISE_MPI";

const first = (names: readonly string[]): number => {
  const found = names.map((name) => Number(process.env[name] ?? "")).find((count) => count >= 1);
  return found ?? 1;
};

/** How many processes a launcher of MPI has started together with this one; 1 where there is none. */
export const launchedProcesses = (): number => first(SIZES);

/** How many of them run on this machine, as far as the launcher says; otherwise all. */
export const localProcesses = (): number => Math.min(first(LOCAL_SIZES), launchedProcesses()) || launchedProcesses();

export const INSTALL_MPI =
  "apt-get install openmpi-bin libopenmpi3 (Debian and Ubuntu), dnf install openmpi, or brew install open-mpi";

const MOST = 2 ** 28; // elements of one call, whose count is a 32-bit number

/** Opens the library, initializes it if no thread of this process has, and gives the communicator of all processes. */
export async function openMpiWorld(): Promise<Communicator & MpiControl> {
  const koffi = await importKoffi();
  const { library, handles } = find(koffi);
  return communicatorOf(library, handles);
}

export interface MpiControl {
  /** Ends communication, once in a process, when all processes have come so far. */
  finalize(): void;
  /** Ends all processes with an exit code. */
  abort(code: number): void;
}

/** Whether the package is installed. */
export const hasKoffi = (): Promise<boolean> =>
  importKoffi().then(
    () => true,
    () => false,
  );

async function importKoffi(): Promise<typeof import("koffi")> {
  try {
    const name = "koffi"; // no literal below, so that bundlers leave the package to Node
    const module = (await import(/* @vite-ignore */ name)) as typeof import("koffi");
    return (module as unknown as { default?: typeof import("koffi") }).default ?? module;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new InputError("processes: calling MPI needs the package koffi; install it: npm install koffi");
  }
}

function find(koffi: typeof import("koffi")): { library: Library; handles: Handles } {
  const own = process.env[LIBRARY];
  const { OMPI_COMM_WORLD_SIZE, PMI_SIZE, PMIX_RANK } = process.env;
  const isOpenMpi = OMPI_COMM_WORLD_SIZE !== undefined || (PMI_SIZE === undefined && PMIX_RANK !== undefined); // the latter by srun
  const all = isOpenMpi ? [openMpi, standard, mpich] : [mpich, standard, openMpi];
  const candidates = all.flatMap((abi) => abi.files.map((file) => ({ abi, file })));
  if (own) {
    const abi = /abi/.test(own) ? standard : /mpich|\.12/.test(own) ? mpich : openMpi;
    candidates.splice(0, candidates.length, { abi, file: own });
  }
  for (const { abi, file } of candidates) {
    let library: Library;
    try {
      library = koffi.load(file, { global: true }); // plug-ins of Open MPI look for its symbols there
    } catch {
      continue;
    }
    return { library, handles: abi.handles(library) };
  }
  throw new InputError(
    own
      ? `processes: the MPI library ${own}, named by ${LIBRARY}, cannot be loaded`
      : `processes: no MPI library is installed; install one: ${INSTALL_MPI}`,
  );
}

const SERIALIZED = 2; // of the levels of threads: one thread at a time; numbered differently in the standard ABI, so that all is asked for
const MULTIPLE = 3;

function communicatorOf(library: Library, at: Handles): Communicator & MpiControl {
  const declare = (name: string, args: string) => {
    const call = library.func(`int ${name}(${args})`);
    return (...values: unknown[]) => {
      const code = call(...values) as number;
      if (code !== 0) throw new Error(`${name} failed with code ${code}`);
    };
  };
  const handle = "uintptr_t";
  const int = new Int32Array(1);
  const asked = (name: string, ...before: unknown[]) => {
    declare(name, `${before.map(() => handle).join(", ")}${before.length > 0 ? ", " : ""}void *out`)(...before, int);
    return int[0]!;
  };
  if (asked("MPI_Initialized") === 0) {
    declare("MPI_Init_thread", "void *argc, void *argv, int wanted, void *given")(null, null, MULTIPLE, int);
    if (int[0]! < SERIALIZED && at.world !== 0x101)
      throw new InputError("processes: this MPI library serves the first thread of a process only; use one built for threads");
  }
  const rank = asked("MPI_Comm_rank", at.world);
  const size = asked("MPI_Comm_size", at.world);
  const typeOf = (array: Exchanged): number | bigint =>
    array instanceof Float64Array
      ? at.double
      : array instanceof BigInt64Array
        ? at.int64
        : array instanceof Uint8Array
          ? at.byte
          : at.int32; // f32, u32 and i32: they are only copied, or have a sign
  const allreduce = declare(
    "MPI_Allreduce",
    `${handle} from, void *into, int count, ${handle} type, ${handle} op, ${handle} comm`,
  );
  const allgatherv = declare(
    "MPI_Allgatherv",
    `void *from, int count, ${handle} type, void *into, void *counts, void *starts, ${handle} intoType, ${handle} comm`,
  );
  const bcast = declare("MPI_Bcast", `void *array, int count, ${handle} type, int root, ${handle} comm`);
  const scatter = declare(
    "MPI_Reduce_scatter",
    `void *from, void *into, void *counts, ${handle} type, ${handle} op, ${handle} comm`,
  );
  const barrier = declare("MPI_Barrier", `${handle} comm`);
  const send = declare("MPI_Send", `void *array, int count, ${handle} type, int to, int tag, ${handle} comm`);
  const receive = declare("MPI_Recv", `void *array, int count, ${handle} type, int from, int tag, ${handle} comm, void *status`);
  const status = new Int32Array(64);

  /** Calls with pieces of an array that one call can take. */
  function inPieces<A extends Exchanged>(array: A, act: (piece: A) => void): void {
    for (let from = 0; from < array.length; from += MOST) act(array.subarray(from, from + MOST) as A);
  }
  const reduce = (array: ArrayTypes["f64" | "i32" | "i64"], op: number | bigint) =>
    inPieces(array, (piece) => allreduce(at.inPlace, piece, piece.length, typeOf(piece), op, at.world));

  return {
    rank,
    size,
    barrier: () => barrier(at.world),
    addUp: (array) => reduce(array, at.sum),
    maximum: (array) => reduce(array, at.max),
    broadcast: (array, process) => inPieces(array, (piece) => bcast(piece, piece.length, typeOf(piece), process, at.world)),
    gather(part, lengths, into) {
      const type = typeOf(part);
      const starts = lengths.map((_, p) => lengths.slice(0, p).reduce((a, b) => a + b, 0));
      const total = starts.at(-1)! + lengths.at(-1)!;
      if (total <= MOST) {
        allgatherv(part, lengths[rank]!, type, into, Int32Array.from(lengths), Int32Array.from(starts), type, at.world);
        return;
      }
      into.subarray(starts[rank]!, starts[rank]! + lengths[rank]!).set(part as never);
      for (let p = 0; p < size; p++)
        inPieces(into.subarray(starts[p]!, starts[p]! + lengths[p]!) as typeof into, (piece) =>
          bcast(piece, piece.length, type, p, at.world),
        );
    },
    reduceScatter: (from, lengths, into) => scatter(from, into, Int32Array.from(lengths), at.int64, at.sum, at.world),
    send: (array, to) => inPieces(array, (piece) => send(piece, piece.length, at.double, to, 1, at.world)),
    receive: (array, from) => inPieces(array, (piece) => receive(piece, piece.length, at.double, from, 1, at.world, status)),
    finalize: () => declare("MPI_Finalize", "void")(),
    abort: (code) => declare("MPI_Abort", `${handle} comm, int code`)(at.world, code),
  };
}
