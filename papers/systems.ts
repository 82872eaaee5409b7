/** Tables of systems: each is trained on every fold of a data set, judged on the test lists, and compared with one of them list by list. */
import { compareValues, holm } from "../src/index.ts";
import type { DataSet, Found } from "./data-sets.ts";
import { markBest } from "./markdown.ts";
import type { Cell, Entry, Lab, Values } from "./paper.ts";
import { type Outcome, type Recipe, trialCell } from "./trial.ts";

export interface System {
  readonly name: string;
  readonly recipe: (found: Found) => Recipe;
  readonly weight?: number; // how long it takes, relative to the others
}

/** Boosted trees as the papers have them: without a penalty on leaf values and without sampling, whatever the size of the data. */
export const boostedTrees = (options: string) => `trees:${options},l2=0,list-fraction=1,feature-fraction=1`;

/** A system on a data set: a cell for each fold. */
export interface Entrant {
  readonly system: Pick<System, "name">;
  readonly folds: readonly Cell<Outcome>[];
}

export interface Contest {
  readonly found: Found;
  readonly entrants: readonly Entrant[];
}

/** About how much work the lists of a data set are. */
const SIZES: Readonly<Record<string, number>> = { mq2008: 1, ohsumed: 1.5, "mq2007-agg": 3, search: 0.7, "search-folds": 0.7 };

/** Larger data sets are left out when it must be quick. */
const LARGE = 2;

/** All folds, or when it must be quick the first alone. The seed of a fold is its number. */
export function contests(lab: Lab, sets: readonly DataSet[], systems: readonly System[]): Contest[] {
  return sets.flatMap((set) => {
    const found = lab.find(set);
    const size = SIZES[set.id] ?? 30;
    if (!found || (lab.quick && size > LARGE)) return [];
    const folds = lab.quick ? [0] : set.folds.map((_, fold) => fold);
    const entrants = systems.map((system) => {
      const recipe = lab.quick ? hastened(system.recipe(found)) : system.recipe(found);
      return { system, folds: folds.map((fold) => trialCell(lab, found, fold, fold + 1, recipe, size * (system.weight ?? 1))) };
    });
    return [{ found, entrants }];
  });
}

/** The same with few trees, passes and climbs. */
const hastened = (recipe: Recipe): Recipe => ({
  ...recipe,
  model: recipe.model
    .replace(/rounds=\d+|^trees$/, (found) => (found === "trees" ? "trees:rounds=40" : "rounds=40"))
    .replace(/epochs=\d+/, "epochs=3")
    .replace(/^coordinate-ascent.*$/, "coordinate-ascent:restarts=1,tolerance=0.02"),
});

/** Fold by fold, so that data are read once for all systems. */
export const cellsOf = (all: readonly Contest[]): Cell<Outcome>[] =>
  all.flatMap(({ entrants }) => entrants[0]!.folds.flatMap((_, fold) => entrants.map(({ folds }) => folds[fold]!)));

/** The mean over folds of the means over their test lists, as LETOR has it. */
export function meanOf({ folds }: Entrant, metric: string, value: Values): number {
  const means = folds.map((cell) => value(cell).metrics[metric] ?? Number.NaN);
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

/** The values of all test lists, fold after fold; NaN where it is undefined. */
export const listsOf = ({ folds }: Entrant, metric: string, value: Values): number[] =>
  folds.flatMap((cell) => value(cell).lists[metric]!.map((one) => one ?? Number.NaN));

export const secondsOf = ({ folds }: Entrant, value: Values): number =>
  folds.reduce((sum, cell) => sum + value(cell).processor, 0) / folds.length;

export interface Against {
  readonly difference: number; // mean over lists of this system minus the other
  readonly p: number;
  readonly corrected: number; // by Holm, over all systems of the contest
}

/** Every system of a contest against one of them, by the paired randomization test; that one itself has nothing to compare. */
export function against(contest: Contest, reference: string, metric: string, value: Values): (Against | undefined)[] {
  const base = contest.entrants.find(({ system }) => system.name === reference);
  if (!base) throw new Error(`no system is called ${reference}`);
  const other = listsOf(base, metric, value);
  const tests = contest.entrants.map((entrant) =>
    entrant === base ? undefined : compareValues(listsOf(entrant, metric, value), other, { resamples: 100 }),
  );
  const corrected = holm(tests.map((test) => test?.p ?? Number.NaN));
  return tests.map((test, i) => test && { difference: test.difference.mean, p: test.p, corrected: corrected[i]! });
}

/** ▲ and ▼: better or worse, beyond what chance explains after correction. */
export const verdict = (found: Against | undefined, level = 0.05) =>
  !found ? "" : found.corrected < level ? (found.difference > 0 ? "▲" : "▼") : "";

export const pText = (p: number) => (p < 0.001 ? "<0.001" : p.toFixed(3));

/** Rows of means with the best of each metric marked, and the last columns: difference to the reference and its corrected p. */
export function contestRows(
  contest: Contest,
  metrics: readonly string[],
  reference: string,
  judged: string,
  value: Values,
): Entry[][] {
  const tests = against(contest, reference, judged, value);
  const rows = contest.entrants.map((entrant, i): Entry[] => {
    const test = tests[i];
    return [
      entrant.system.name,
      ...metrics.map((metric) => meanOf(entrant, metric, value)),
      test ? { value: test.difference } : null,
      test ? `${pText(test.corrected)} ${verdict(test)}`.trim() : "",
    ];
  });
  return markBest(rows, 1, 1 + metrics.length);
}

/** A sentence about lists without a relevant item, on which the tools of the field do not agree. */
export function emptyLists(contest: Contest, metric: string, value: Values): string {
  const lists = listsOf(contest.entrants[0]!, metric, value);
  const empty = lists.filter(Number.isNaN).length;
  const fraction = empty / lists.length;
  if (empty === 0) return `${contest.found.set.title}: all ${lists.length} test lists have a relevant item.`;
  return `${contest.found.set.title}: ${empty} of ${lists.length} test lists have no relevant item and are left out of NDCG; counted as 0 (RankLib) a mean m becomes ${(1 - fraction).toFixed(3)} m, counted as 1 (LightGBM, XGBoost) ${(1 - fraction).toFixed(3)} m + ${fraction.toFixed(3)}.`;
}
