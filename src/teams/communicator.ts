/** What processes exchange. MPI provides it (mpi.ts); every function is called by one thread of each process, in the same order. */
import type { ArrayTypes, Exchanged } from "../types.ts";

export interface Communicator {
  /** Number of this process, from 0. */
  readonly rank: number;
  /** Number of processes. */
  readonly size: number;
  barrier(): void;
  /** Adds whole numbers of all processes, in place. */
  addUp(array: ArrayTypes["f64" | "i32" | "i64"]): void;
  maximum(array: ArrayTypes["f64"]): void;
  /** `part` of all processes one after another; process p gives lengths[p] elements. */
  gather<A extends Exchanged>(part: A, lengths: readonly number[], into: A): void;
  broadcast(array: Exchanged, process: number): void;
  /** Adds, and gives process p its share of lengths[p] elements. */
  reduceScatter(from: ArrayTypes["i64"], lengths: readonly number[], into: ArrayTypes["i64"]): void;
  send(array: ArrayTypes["f64"], to: number): void;
  receive(array: ArrayTypes["f64"], from: number): void;
}

/** The lengths that all processes give. */
export function lengthsOf(communicator: Communicator, length: number): number[] {
  const all = new Float64Array(communicator.size);
  const one = Array.from({ length: communicator.size }, () => 1);
  communicator.gather(Float64Array.of(length), one, all);
  return [...all];
}

/** Plain data of all processes, as JSON carries them. */
export function exchange<T>(communicator: Communicator, value: T): T[] {
  const bytes = new TextEncoder().encode(JSON.stringify(value ?? null));
  const lengths = lengthsOf(communicator, bytes.length);
  const all = new Uint8Array(lengths.reduce((a, b) => a + b, 0));
  communicator.gather(bytes, lengths, all);
  let at = 0;
  return lengths.map((length) => JSON.parse(new TextDecoder().decode(all.subarray(at, (at += length)))) as T);
}

/** Arrays of bytes that the first process has, in all of them. */
export function broadcastAll(communicator: Communicator, arrays: readonly Uint8Array[]): Uint8Array[] {
  const [lengths] = exchange(
    communicator,
    arrays.map(({ length }) => length),
  );
  return lengths!.map((length, i) => {
    const bytes = communicator.rank === 0 ? arrays[i]!.slice() : new Uint8Array(length);
    communicator.broadcast(bytes, 0);
    return bytes;
  });
}
