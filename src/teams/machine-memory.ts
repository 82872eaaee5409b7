/** How much memory the machine or the container of this process has. */
import { totalmem } from "node:os";
import type { Kind } from "../arguments.ts";
import { memoryBudget, sizeFrom, withMemory } from "../memory-budget.ts";

const SHARE = 0.9; // the rest is for the system and for what is not known until it is used

/** The budget unless one is set: nine tenths of the memory of the machine, or of the container where that has less. */
export function defaultMemory(): number {
  const constrained = process.constrainedMemory?.() ?? 0; // 0 where that is not known, and astronomic where there is no limit
  const total = totalmem();
  return Math.floor(SHARE * (constrained > 0 ? Math.min(constrained, total) : total));
}

/** An amount of memory as an option of a function takes it. */
export const someMemory: Kind = {
  wanted: 'a number of bytes above 0, or a text such as "2g"',
  fits: (value) => {
    const bytes = typeof value === "string" ? sizeFrom(value) : value;
    return typeof bytes === "number" && bytes > 0 && !Number.isNaN(bytes);
  },
};

/** Runs `act` under the budget of an option; without one under that which is set, or else the default. */
export function withinMemory<R>(given: number | string | undefined, act: () => Promise<R>): Promise<R> {
  const asked = typeof given === "string" ? sizeFrom(given) : given;
  return withMemory(asked ?? (memoryBudget() < Number.POSITIVE_INFINITY ? undefined : defaultMemory()), act);
}
