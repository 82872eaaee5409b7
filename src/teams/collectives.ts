/**
 * The collectives of a team. Members of one process share memory; the first member of each exchanges with the other processes.
 *
 * A floating-point sum over blocks is a left fold in block order, whatever the number of processes. A block that begins in one process and ends in
 * another is continued from the sum that the first has come to. Then either all processes gather the sums of all blocks and add them in order, or,
 * where these are many numbers, each adds its own to the total of those before it and passes it on in pieces, and the last one broadcasts it.
 */
import type { Blocks, Exchanged, Team } from "../types.ts";
import { addBlocks } from "./blocks.ts";
import type { Communicator } from "./communicator.ts";

/** What a team of one process provides. */
export type LocalTeam = Pick<Team, "rank" | "size" | "barrier" | "allocShared" | "parallelFor" | "post">;

/** How members of a process learn which process theirs is; the first also communicates. */
export interface ProcessContext {
  readonly rank: number;
  readonly size: number;
  /** Of the first member. */
  readonly communicator?: Communicator | undefined;
}

const GATHERED = 2 ** 17; // numbers of all blocks: below, all processes add them up
const PIECE = 2 ** 13; // numbers that are passed on at once

const ONE: ProcessContext = { rank: 0, size: 1 };

export function withCollectives(local: LocalTeam, processes: ProcessContext = ONE): Team {
  const { rank, size, barrier } = local;
  const communicator = rank === 0 ? processes.communicator : undefined;
  let parts: Float64Array = new Float64Array();
  let total: Float64Array = new Float64Array();

  /** Has the first member exchange something between two barriers. */
  function exchanging(act: (communicator: Communicator) => void): void {
    barrier();
    if (processes.size === 1) return;
    if (communicator) act(communicator);
    barrier();
  }

  function reserve(blocks: number, width: number): void {
    if (parts.length < blocks * width) parts = local.allocShared("f64", blocks * width);
    if (total.length < width) total = local.allocShared("f64", width);
  }

  const partOf = (block: number, width: number) => parts.subarray(block * width, (block + 1) * width);

  /** Adds up this process's blocks, columns shared out among the members. */
  function fold(blocks: number, width: number): Float64Array {
    addBlocks(parts, blocks, width, total, Math.floor((width * rank) / size), Math.floor((width * (rank + 1)) / size));
    barrier();
    return total.subarray(0, width);
  }

  function sum(given: number | Blocks, width: number, visit: (block: number, into: Float64Array) => void): Float64Array {
    if (typeof given !== "number" && given.divided && processes.size > 1) return sumShards(given, width, visit);
    const blocks = typeof given === "number" ? given : given.count;
    reserve(blocks, width);
    local.parallelFor(blocks, (block) => visit(block, partOf(block, width).fill(0)));
    return fold(blocks, width);
  }

  function sumShards(blocks: Blocks, width: number, visit: (block: number, into: Float64Array) => void): Float64Array {
    const { count, first, last, continues, continued } = blocks;
    const own = last - first;
    const before = continues ? 1 : 0;
    const gathered = count * width <= GATHERED;
    reserve(gathered ? count : Math.max(1, own), width);
    const { rank: process } = processes;
    // The block that the next process waits for comes first, and the one that this process waits for last.
    local.parallelFor(Math.max(0, own - before), (k) => {
      const block = own - 1 - k;
      visit(first + block, partOf(block, width).fill(0));
    });
    exchanging((others) => {
      const waiting = partOf(own - 1, width);
      if (continued && own > before) others.send(waiting, process + 1);
      if (continues) {
        others.receive(partOf(0, width), process - 1);
        visit(first, partOf(0, width));
      }
      if (continued && own === before) others.send(waiting, process + 1);
      const finished = continued ? own - 1 : own; // a block counts in the process where it ends
      if (gathered) gatherParts(others, count, finished, width);
      else passOn(others, finished, width);
    });
    return gathered ? fold(count, width) : total.subarray(0, width);
  }

  /** Brings the sums of all blocks to all processes. Blocks without anything stand for none, and zeros fill their places at the end. */
  function gatherParts(others: Communicator, count: number, finished: number, width: number): void {
    const counts = new Float64Array(others.size);
    others.gather(
      Float64Array.of(finished),
      Array.from({ length: others.size }, () => 1),
      counts,
    );
    const lengths = Array.from(counts, (blocks) => blocks * width);
    const all = lengths.reduce((a, b) => a + b, 0);
    others.gather(parts.slice(0, finished * width), lengths, parts.subarray(0, all));
    parts.fill(0, all, count * width);
  }

  /** Adds the sums of this process's blocks to the total of those before it, piece by piece. */
  function passOn(others: Communicator, finished: number, width: number): void {
    const { rank: process, size: processCount } = others;
    for (let from = 0; from < width; from += PIECE) {
      const to = Math.min(width, from + PIECE);
      const piece = total.subarray(from, to).fill(0);
      if (process > 0) others.receive(piece, process - 1);
      for (let block = 0; block < finished; block++) {
        const start = block * width;
        for (let i = from; i < to; i++) total[i]! += parts[start + i]!;
      }
      if (process + 1 < processCount) others.send(piece, process + 1);
    }
    others.broadcast(total.subarray(0, width), processCount - 1);
  }

  return {
    ...local,
    processes: { rank: processes.rank, size: processes.size },
    sum,
    addUp: (array) => exchanging((others) => others.addUp(array)),
    maximum: (array) => exchanging((others) => others.maximum(array)),
    broadcast: (array, process) => exchanging((others) => others.broadcast(array, process)),
    reduceScatter: (from, lengths, into) => exchanging((others) => others.reduceScatter(from, lengths, into)),
    gather<A extends Exchanged>(part: A, lengths: readonly number[], into: A): void {
      exchanging((others) => others.gather(part, lengths, into));
      if (processes.size > 1) return;
      if (rank === 0) into.set(part.subarray(0, lengths[0]!) as never);
      barrier();
    },
  };
}

/** How many things each process has. */
export function lengthsIn(team: Team, length: number): number[] {
  const { size } = team.processes;
  if (size === 1) return [length];
  const [own, all] = [team.allocShared("f64", 1), team.allocShared("f64", size)];
  if (team.rank === 0) own[0] = length;
  team.gather(own, Array.from({ length: size }, () => 1), all); // biome-ignore format: one line
  return [...all];
}

const gathered = new WeakMap<Float64Array, Float64Array>(); // by array of one process

/** The numbers of all processes one after another, for a checkpoint; with one process, the array itself. */
export function gatherAll(team: Team, own: Float64Array): Float64Array {
  if (team.processes.size === 1) return own;
  const lengths = lengthsIn(team, own.length);
  const into = gathered.get(own) ?? team.allocShared("f64", lengths.reduce((a, b) => a + b, 0)); // biome-ignore format: one line
  gathered.set(own, into);
  team.gather(own, lengths, into);
  return into;
}
