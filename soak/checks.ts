/** Everything that is soaked, by name. */
import { InputError } from "../src/input-error.ts";
import { suggest } from "../src/similar-names.ts";
import type { Check } from "./check.ts";
import { learnersCheck } from "./checks/learners.ts";
import { metrics } from "./checks/metrics.ts";
import { objectives } from "./checks/objectives.ts";
import { readers } from "./checks/readers.ts";
import { selfTest } from "./checks/self-test.ts";
import { tiers } from "./checks/tiers.ts";
import { treesCheck } from "./checks/trees.ts";

export const checks: readonly Check[] = [learnersCheck, treesCheck, objectives, tiers, metrics, readers];

export function checkOf(id: string): Check {
  const found = [...checks, selfTest].find((one) => one.id === id);
  if (!found) throw new InputError(`no check is called ${JSON.stringify(id)}; ${suggest(id, checks.map((one) => one.id))}`); // biome-ignore format: one line
  return found;
}
