/**
 * Stress mode, for tests only: scratch arrays begin with values that no computation should ever see (NaN, the extreme integers) instead of
 * zeros, so that a read before the first write shows in the result. With `TIERWISE_STRESS=SEED` in the environment it is on in every thread,
 * and members of teams also wait random times (teams/jitter.ts). Results must not change. Costs one test per allocation when off.
 */
import type { ArrayTypes } from "../types.ts";

const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
const given = process?.env?.TIERWISE_STRESS ?? "";

/** The seed set in the environment, or undefined. */
export const stressSeed: number | undefined = /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;

let on = stressSeed !== undefined;

/** Switches poisoning on or off in this thread. */
export function usePoison(yes: boolean): void {
  on = yes;
}

/** Whether arrays are poisoned in this thread. */
export const poisoned = (): boolean => on;

const HIGH = 0x7fff_ffff_ffff_ffffn;

/** Overwrites an array, where the mode is on, with values that stand out: NaN, or the integer farthest from zero. Returns it. */
export function poison<A extends ArrayTypes[keyof ArrayTypes]>(array: A): A {
  if (!on) return array;
  if (array instanceof Float64Array || array instanceof Float32Array) array.fill(Number.NaN);
  else if (array instanceof BigInt64Array) array.fill(-HIGH - 1n);
  else if (array instanceof BigUint64Array) array.fill(2n * HIGH + 1n);
  else {
    const bits = 8 * array.BYTES_PER_ELEMENT;
    const signed = array instanceof Int8Array || array instanceof Int16Array || array instanceof Int32Array;
    array.fill(signed ? -(2 ** (bits - 1)) : 2 ** bits - 1);
  }
  return array;
}
