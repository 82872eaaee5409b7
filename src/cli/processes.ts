/**
 * Commands that several processes run together, under mpirun or srun, or started by --processes (see launch.ts). The first process writes results and
 * messages; the others are silent, unless one of them alone fails.
 */
import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { InputError } from "../input-error.ts";
import { launchedProcesses, localProcesses } from "../teams/mpi.ts";
import { isFirstProcess, joinProcesses } from "../teams/processes.ts";
import { cores } from "../teams/threads.ts";
import { wholeNumber } from "./options.ts";

/** Commands that share the lists out to processes. */
export const SHARED_COMMANDS: readonly string[] = ["train", "evaluate", "rank", "cv", "tune"];

export const addProcesses = (command: Command): Command =>
  command.option(
    "--processes <number>",
    "start this many processes with mpirun, each with its share of the lists; does not affect the result (default: 1)",
  );

/** Refuses a number of processes other than that which was started. Comes first in a command that has the option. */
export function checkProcesses({ processes }: { readonly processes?: string }): void {
  const wanted = wholeNumber("processes", processes, 1);
  if (wanted === undefined || wanted === launchedProcesses()) return;
  throw new InputError(
    launchedProcesses() > 1
      ? `--processes: ${launchedProcesses()} processes were started by mpirun, and ${wanted} are wanted; leave the option out`
      : "--processes: expected on the command line, since it starts the processes; a config file cannot set it",
  );
}

/** Threads of a process unless a number is given: the processes of a machine share its cores. */
export const defaultThreads = (): number => Math.max(1, Math.floor(cores() / localProcesses()));

const GRACE = 1500; // milliseconds: the first process reports an error that all have

/** Runs a command together with the processes that a launcher has started with this one, if any. */
export async function runTogether(
  name: string | undefined,
  act: () => Promise<number>,
  complain: (line: string) => void,
): Promise<number> {
  if (launchedProcesses() === 1) return act();
  let world: Awaited<ReturnType<typeof joinProcesses>>;
  try {
    world = await joinProcesses();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    complain(error.message);
    return 2;
  }
  const { rank, size, finalize, abort } = world!;
  const kept: string[] = [];
  const { stdout, stderr } = process;
  const write = stderr.write.bind(stderr);
  if (!isFirstProcess()) {
    const silent = (text: string | Uint8Array, into?: string[]) => {
      if (typeof text === "string") into?.push(text);
      return true;
    };
    Object.defineProperty(stdout, "write", { value: (text: string | Uint8Array) => silent(text) });
    Object.defineProperty(stderr, "write", { value: (text: string | Uint8Array) => silent(text, kept) });
  }
  let code = 2;
  if (name !== undefined && SHARED_COMMANDS.includes(name)) code = await act();
  else
    complain(
      `${name ?? "tierwise"}: runs in one process, with threads only; leave out mpirun (${SHARED_COMMANDS.join(", ")} can use it)`,
    );
  if (code === 0) {
    finalize();
    return 0;
  }
  if (rank > 0) {
    await setTimeout(GRACE);
    const last = kept.filter((line) => line.startsWith("tierwise: ")).at(-1) ?? "tierwise: failed\n";
    write(last.replace("tierwise: ", `tierwise: process ${rank} of ${size}: `));
  }
  abort(code);
  return code;
}
