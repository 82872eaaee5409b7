/**
 * Several processes in one thread, for tests of programs that exchange by a communicator and otherwise depend on their arguments alone. A collective
 * blocks, so processes cannot take turns; instead a program is ended where it needs what another process has not given yet, and run again from
 * its beginning when that is known.
 */
import type { Communicator } from "../src/teams/communicator.ts";
import type { Exchanged } from "../src/types.ts";

/** Ends a program whose collective waits for other processes. */
class Waits extends Error {}

interface Given {
  readonly name: string;
  readonly array: Exchanged;
}

/** The results of the program in each of `size` processes; what it throws is a result too. */
export async function replayedProcesses<R>(
  size: number,
  program: (others: Communicator) => Promise<R> | R,
): Promise<(R | Error)[]> {
  const steps: (Given | undefined)[][] = []; // by number of the collective, then by process
  const sent = new Map<string, Float64Array>(); // by sender, receiver and number
  const given = () => steps.flat().filter((one) => one !== undefined).length + sent.size;
  for (;;) {
    const before = given();
    const results: (R | Error)[] = [];
    for (let rank = 0; rank < size; rank++) results.push(await inTurn(program, replayed(rank, size, steps, sent)));
    if (!results.some((one) => one instanceof Waits)) return results;
    const ended = results.findIndex((one) => !(one instanceof Waits));
    if (given() === before)
      throw new Error(
        `the processes wait for each other${ended < 0 ? "" : `, and process ${ended} has ended: ${String(results[ended])}`}`,
      );
  }
}

async function inTurn<R>(program: (others: Communicator) => Promise<R> | R, others: Communicator): Promise<R | Error> {
  try {
    return await program(others);
  } catch (error) {
    return error as Error;
  }
}

function replayed(rank: number, size: number, steps: (Given | undefined)[][], sent: Map<string, Float64Array>): Communicator {
  let step = 0;
  const numbers = new Map<string, number>(); // of messages
  const next = (from: number, to: number) => {
    const pair = `${from} to ${to}`;
    const number = numbers.get(pair) ?? 0;
    numbers.set(pair, number + 1);
    return `${pair}: ${number}`;
  };
  /** What all processes give to the next collective. */
  const all = (name: string, array: Exchanged): Exchanged[] => {
    const now = (steps[step] ??= new Array<Given | undefined>(size).fill(undefined));
    step++;
    now[rank] ??= { name, array: array.slice() };
    if (now.some((one) => one === undefined)) throw new Waits(`${name} waits`);
    const other = now.find((one) => one!.name !== name);
    if (other) throw new Error(`process ${rank} calls ${name} where another calls ${other.name}`);
    return now.map((one) => one!.array);
  };
  const fold = (name: string, array: Exchanged, combine: (a: never, b: never) => unknown) => {
    const parts = all(name, array);
    for (let i = 0; i < array.length; i++) array[i] = parts.map((part) => part[i]).reduce(combine as never) as never;
  };
  return {
    rank,
    size,
    barrier: () => void all("barrier", new Uint8Array(0)),
    addUp: (array) => fold("addUp", array, (a: number, b: number) => a + b),
    maximum: (array) => fold("maximum", array, (a: number, b: number) => Math.max(a, b)),
    gather(part, lengths, into) {
      let at = 0;
      for (const [p, given] of all("gather", part.subarray(0, lengths[rank])).entries()) {
        if (given.length !== lengths[p]) throw new Error(`process ${p} gives ${given.length} elements instead of ${lengths[p]}`);
        into.set(given as never, at);
        at += given.length;
      }
    },
    broadcast: (array, process) => array.set(all("broadcast", array)[process] as never),
    reduceScatter(from, lengths, into) {
      const parts = all("reduceScatter", from) as BigInt64Array[];
      const start = lengths.slice(0, rank).reduce((a, b) => a + b, 0);
      for (let i = 0; i < lengths[rank]!; i++) into[i] = parts.reduce((sum, part) => sum + part[start + i]!, 0n);
    },
    send: (array, to) => void sent.set(next(rank, to), array.slice()),
    receive(array, from) {
      const found = sent.get(next(from, rank));
      if (!found) throw new Waits("receive waits");
      array.set(found);
    },
  };
}
