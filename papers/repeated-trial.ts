/** One training on one fold of one repetition of cross-validation: the cell of `repeated.ts`. */
import { concat, type Dataset, folds, readData } from "../src/index.ts";
import { codeDigest, TRAINING } from "./code-digest.ts";
import type { Found } from "./data-sets.ts";
import type { Cell, Lab } from "./paper.ts";
import type { System } from "./systems.ts";
import { type Outcome, type Recipe, runTrial } from "./trial.ts";

export const FOLDS = 5;

/** The lists of all files of the set that was read last, which the next cell probably needs too. */
let last: { readonly digest: string; readonly data: Promise<Dataset> } | undefined;

function pooled({ digest, paths }: Found): Promise<Dataset> {
  const read = async () => concat(await Promise.all(paths.map(async (path) => (await readData([path], { threads: 1 })).data)));
  if (last?.digest !== digest) last = { digest, data: read() };
  return last.data;
}

export function repeatedCell(lab: Lab, found: Found, repetition: number, fold: number, system: System): Cell<Outcome> {
  const recipe: Recipe = system.recipe(found);
  return {
    settings: { kind: "repeated", data: found.set.id, digest: found.digest, repetition, fold, ...recipe },
    get code() {
      const metrics = [recipe.metrics, ...(recipe.watch === undefined ? [] : [recipe.watch])].flatMap((some) => some.split(","));
      return codeDigest(["papers/repeated-trial", "papers/trial", ...TRAINING], {
        ...{ model: [recipe.model], objective: [recipe.objective], metric: metrics },
      });
    },
    title: `${found.set.title}, repetition ${repetition}, fold ${fold + 1}: ${system.name}`,
    weight: system.weight ?? 1,
    run: async () => {
      const { train, valid, test } = folds(await pooled(found), FOLDS, repetition)[fold]!;
      return runTrial({ train, valid, test }, recipe, repetition, lab.threads);
    },
  };
}
