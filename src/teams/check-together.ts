/** Checks that processes make of the lists each of them has, so that all go on or all end with the same error. */
import { InputError } from "../input-error.ts";
import type { Team } from "../types.ts";
import { lengthsIn } from "./collectives.ts";

/** Makes a check in every process. Where it refuses the data of some, all throw what the first of them throws. */
export function checkTogether(team: Team, check: () => void): void {
  if (team.processes.size === 1) {
    check();
    return;
  }
  const own = new TextEncoder().encode(refusalOf(check));
  const lengths = lengthsIn(team, own.length);
  const total = lengths.reduce((a, b) => a + b, 0);
  if (total === 0) return;
  const part = team.allocShared("u8", Math.max(1, own.length));
  if (team.rank === 0) part.set(own);
  const all = team.allocShared("u8", total);
  team.gather(part, lengths, all);
  const first = lengths.find((length) => length > 0)!;
  throw new InputError(new TextDecoder().decode(Uint8Array.from(all.subarray(0, first))));
}

function refusalOf(check: () => void): string {
  try {
    check();
    return "";
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}
