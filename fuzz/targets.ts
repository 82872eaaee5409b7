/** Everything that is fuzzed, by name. */
import { InputError } from "../src/input-error.ts";
import { suggest } from "../src/similar-names.ts";
import type { Target } from "./target.ts";
import { dataTargets } from "./targets/data.ts";
import { modelTargets } from "./targets/models.ts";
import { selfTest } from "./targets/self-test.ts";
import { settingsTargets } from "./targets/settings.ts";
import { sideFileTargets } from "./targets/side-files.ts";
import { textTargets } from "./targets/texts.ts";

export const targets: readonly Target[] = [
  ...dataTargets,
  ...modelTargets,
  ...textTargets,
  ...settingsTargets,
  ...sideFileTargets,
];

export function targetOf(id: string): Target {
  const found = [...targets, selfTest].find((one) => one.id === id);
  if (!found) throw new InputError(`no fuzz target is called ${JSON.stringify(id)}; ${suggest(id, targets.map((one) => one.id))}`); // biome-ignore format: one line
  return found;
}
