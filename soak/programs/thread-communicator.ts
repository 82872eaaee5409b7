/** Threads of one team in the place of processes, for tests: they exchange by shared arrays what processes exchange by MPI. */
import type { Communicator } from "../../src/teams/communicator.ts";
import type { Exchanged, Team } from "../../src/types.ts";

const BOX = 2 ** 20; // numbers that a message may have

export function threadCommunicator(team: Team): Communicator {
  const { rank, size, barrier } = team;
  const bytesOf = ({ buffer, byteOffset, byteLength }: Exchanged) => new Uint8Array(buffer, byteOffset, byteLength);

  /** The arrays of all members, of any length. */
  function all<A extends Exchanged>(array: A): A[] {
    const lengths = team.allocShared("f64", size);
    lengths[rank] = array.byteLength;
    barrier();
    const starts = Array.from(lengths, (_, p) => lengths.subarray(0, p).reduce((a, b) => a + Math.ceil(b / 8) * 8, 0));
    const shared = team.allocShared("u8", starts.at(-1)! + lengths[size - 1]! + 8);
    shared.set(bytesOf(array), starts[rank]!);
    barrier();
    const found = starts.map((start, p) => {
      const copy = shared.slice(start, start + lengths[p]!);
      return new (array.constructor as new (buffer: ArrayBufferLike) => A)(copy.buffer);
    });
    barrier();
    return found;
  }

  const box = team.allocShared("f64", size * BOX); // for each receiver
  const full = team.allocShared("i32", size, "zeros");
  return {
    rank,
    size,
    barrier,
    addUp(array) {
      const arrays = all(array) as (typeof array)[];
      for (let i = 0; i < array.length; i++)
        array[i] = arrays.slice(1).reduce((sum, one) => (sum as number) + (one[i] as number), arrays[0]![i]!) as never;
    },
    maximum(array) {
      const arrays = all(array);
      array.forEach((_, i) => {
        array[i] = Math.max(...arrays.map((one) => one[i]!));
      });
    },
    gather(part, lengths, into) {
      let at = 0;
      all(part.subarray(0, lengths[rank]) as typeof part).forEach((one) => {
        into.set(one as never, at);
        at += one.length;
      });
    },
    broadcast: (array, process) => array.set(all(array)[process]! as never),
    reduceScatter(from, lengths, into) {
      const sums = from.slice();
      this.addUp(sums);
      const start = lengths.slice(0, rank).reduce((a, b) => a + b, 0);
      into.set(sums.subarray(start, start + lengths[rank]!));
    },
    send(array, to) {
      while (Atomics.load(full, to) !== 0) Atomics.wait(full, to, 1, 1);
      box.set(array, to * BOX);
      Atomics.store(full, to, 1);
      Atomics.notify(full, to);
    },
    receive(array) {
      while (Atomics.load(full, rank) === 0) Atomics.wait(full, rank, 0, 1);
      array.set(box.subarray(rank * BOX, rank * BOX + array.length));
      Atomics.store(full, rank, 0);
      Atomics.notify(full, rank);
    },
  };
}
