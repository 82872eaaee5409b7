/**
 * A request to stop, shared with the thread that receives signals (see main.ts). While a training keeps checkpoints, the first signal is such a
 * request: the training saves its state and ends. At all other times a signal ends the command at once.
 */

/** The words: the number of the signal that requests an end, and 1 while a request will be seen. */
export const [REQUEST, HEEDED] = [0, 1];

let words: Int32Array = new Int32Array(2); // replaced by shared ones where the command has a thread of its own

/** Sets the words that the other thread sees. */
export function useInterrupt(shared: Int32Array<SharedArrayBuffer>): void {
  words = shared;
}

/** The word that a training looks at. */
export const requestWord = (): Int32Array => words.subarray(REQUEST, REQUEST + 1);

/** Runs something that heeds requests. */
export async function heeding<T>(act: () => Promise<T>): Promise<T> {
  Atomics.store(words, HEEDED, 1);
  try {
    return await act();
  } finally {
    Atomics.store(words, HEEDED, 0);
  }
}

/** The number of the signal that requested an end; 0 for none. */
export const requestedBy = (): number => Atomics.load(words, REQUEST);
