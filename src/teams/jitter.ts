/**
 * Random waits of a team's members, for tests only: before and after each barrier, and before and after each block of `parallelFor` and
 * `sum`. A race that needs one thread to be late thus becomes far more likely to show. Most waits are none or a few microseconds and some are sleeps
 * of up to half a millisecond, in which others overtake; each member draws from a stream of its own.
 */
import { random } from "../numeric/random.ts";

let wait: (() => void) | undefined;

/** Waits from now on in this thread, as the member of this rank; without a seed no longer. */
export function useJitter(seed: number | undefined, rank = 0): void {
  wait = seed === undefined ? undefined : waits(seed, rank);
}

/** Waits a random time where the mode is on. */
export const pause = (): void => wait?.();

function waits(seed: number, rank: number): () => void {
  const draw = random(seed, rank, 0x317e);
  const word = new Int32Array(new SharedArrayBuffer(4));
  return () => {
    const kind = draw();
    if (kind < 0.06) Atomics.wait(word, 0, 0, 0.5 * draw());
    else if (kind < 0.4) for (let look = 2000 * draw(); look > 0; look--) Atomics.load(word, 0);
  };
}
