/** What is soaked: checks of random cases by number, so that a case that fails can be run again. */
import { random } from "../src/numeric/random.ts";
import type { Random } from "../src/types.ts";

/** What a case gave: equal with and without kernels, or why it is wrong. */
export type Outcome = { readonly digest: string } | { readonly failure: string };

export interface Check {
  /** Name of the check. */
  readonly id: string;
  /** What is compared with what. */
  readonly about: string;
  /** Cases that are run together: teams of threads take long to start. */
  readonly batch: number;
  /** Runs the cases of these numbers. `plain`: the thread that runs it has no kernels; what needs no second look may then be left out. */
  run(numbers: readonly number[], plain: boolean): Promise<readonly Outcome[]>;
}

/** A defect that a check found. */
export class Finding extends Error {}

/** A check of one case after another. `visit` gives what kernels and plain code must agree in. */
export const each =
  (visit: (number: number, draw: Random) => string | Promise<string>): Check["run"] =>
  async (numbers) => {
    const outcomes: Outcome[] = [];
    for (const number of numbers) outcomes.push(await attempt(() => visit(number, random(number, 0x50a4))));
    return outcomes;
  };

export async function attempt(visit: () => string | Promise<string>): Promise<Outcome> {
  try {
    return { digest: await visit() };
  } catch (error) {
    return { failure: error instanceof Finding ? error.message : ((error as Error)?.stack ?? String(error)) };
  }
}
