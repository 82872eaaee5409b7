/** One training and what it gave on the test lists: the cell that most tables are made of. */
import {
  align,
  concat,
  type Dataset,
  type Evaluation,
  evaluate,
  fit,
  folds,
  learner,
  metricList,
  objective,
  readData,
  split,
  train,
} from "../src/index.ts";
import { codeDigest, TRAINING } from "./code-digest.ts";
import type { Found } from "./data-sets.ts";
import { columnsOf, labelFrequency } from "./internal.ts";
import type { Cell, Lab } from "./paper.ts";

/** How a model is trained and judged. */
export interface Recipe {
  readonly model: string;
  readonly objective: string;
  readonly watch?: string; // metric of the validation data that keeps the best round; none: the last round is kept
  readonly stop?: "default"; // the library's own choice decides which round is best, instead of the watched metric
  readonly patience?: number;
  readonly metrics: string; // of the test data
  readonly held?: number; // share of the training lists that validates where the data set has no validation lists; 0: none
  readonly keep?: string; // metrics of which the values of all lists are kept; default: all
  readonly features?: number; // only so many of the first features
}

/** A type, not an interface, so that it counts as JSON. */
export type Outcome = {
  readonly rounds: number;
  readonly best: number; // the round that was kept
  readonly valid?: number | null; // the watched metric of that round
  readonly seconds: number;
  readonly processor: number; // seconds of processor time of all threads
  readonly metrics: Readonly<Record<string, number | null>>; // means over the test lists
  readonly lists: Readonly<Record<string, readonly (number | null)[]>>; // by metric, then list: null where it is undefined
};

export interface Parts {
  readonly train: Dataset;
  readonly valid: Dataset;
  readonly test: Dataset;
}

/** The same data are often wanted many times in a row. */
let last: { readonly key: string; readonly parts: Promise<Parts> } | undefined;

/** One fold of a data set. Where it names no validation lists, a share of the training lists, chosen by the seed, is held out. */
export function loadFold(found: Found, fold: number, held = 0.2, seed = 1): Promise<Parts> {
  const key = `${found.digest} ${fold} ${held} ${found.set.folds[fold]!.valid ? "" : seed}`;
  if (last?.key !== key) last = { key, parts: readFold(found, fold, held, seed) };
  return last.parts;
}

async function readFold({ set, paths }: Found, fold: number, held: number, seed: number): Promise<Parts> {
  const { train, valid, test } = set.folds[fold]!;
  const read = async (which: readonly number[]) =>
    concat(await Promise.all(which.map(async (file) => (await readData([paths[file]!], { threads: 1 })).data)));
  if (set.pooled) return copied(folds(await read([...paths.keys()]), set.folds.length)[fold]!);
  const all = await read(train);
  const columns = columnsOf(all);
  const fitted = async (which: readonly number[]) => {
    const data = await read(which);
    return data.labelSpaceSize === undefined ? align(data, columns, { unknownFeatures: "ignore" }).data : data;
  };
  if (valid || held === 0) return { train: all, valid: valid ? await fitted(valid) : all, test: await fitted(test) };
  const [rest, out] = split(all, [1 - held, held], seed) as [Dataset, Dataset];
  const tested = await fitted(test);
  // Propensities are those of all training lists, not only of what is left after some were held out.
  return {
    train: rest,
    valid: out,
    test: all.labelSpaceSize === undefined ? tested : { ...tested, labelFrequency: labelFrequency(all) },
  };
}

/** The parts of a fold, which creates them at each access. */
const copied = ({ train, valid, test }: Parts): Parts => ({ train, valid, test });

export function trialCell(lab: Lab, found: Found, fold: number, seed: number, recipe: Recipe, weight = 1): Cell<Outcome> {
  const { set, digest } = found;
  return {
    settings: { kind: "trial", data: set.id, digest, fold, seed, ...recipe },
    get code() {
      const metrics = [recipe.metrics, ...(recipe.watch === undefined ? [] : [recipe.watch])].flatMap((some) => some.split(","));
      return codeDigest(["papers/trial", ...TRAINING], {
        ...{ model: [recipe.model], objective: [recipe.objective], metric: metrics },
      });
    },
    title: `${set.title} fold ${fold + 1}: ${recipe.model} under ${recipe.objective}`,
    weight,
    run: async () =>
      runTrial(withFeatures(await loadFold(found, fold, recipe.held, seed), recipe.features), recipe, seed, lab.threads),
  };
}

export async function runTrial(parts: Parts, recipe: Recipe, seed: number, threads: number): Promise<Outcome> {
  const { model, objective: cost, watch, stop, patience } = recipe;
  const [begun, before] = [performance.now(), process.cpuUsage()];
  const how = {
    ...{ model: learner(model), objective: objective(cost), seed },
    ...(watch === undefined ? {} : { valid: parts.valid, metrics: metricList(watch) }),
    ...(watch === undefined || stop === "default" ? {} : { stopOn: metricList(watch)[0]!.spec }),
    ...(patience === undefined ? {} : { patience }),
  };
  // One thread works here: on small data, starting another takes longer than training.
  const fitted = threads === 1 ? fit(parts.train, how) : await train(parts.train, { ...how, threads });
  const spent = process.cpuUsage(before);
  const seconds = (performance.now() - begun) / 1000;
  return {
    ...{ rounds: fitted.rounds, best: fitted.best.round, valid: orNull(Object.values(fitted.best.metrics)[0] ?? Number.NaN) },
    ...{ seconds: rounded(seconds), processor: rounded((spent.user + spent.system) / 1e6) },
    ...judged(evaluate(fitted.model, parts.test, metricList(recipe.metrics)), recipe),
  };
}

/** The part of an outcome that the test lists decide. */
export function judged(evaluation: Evaluation, { metrics, keep = metrics }: Pick<Recipe, "metrics" | "keep">) {
  const kept = new Set(metricList(keep).map(({ spec }) => spec));
  const { metrics: means, details } = evaluation;
  return {
    metrics: Object.fromEntries(Object.entries(means).map(([name, mean]) => [name, orNull(mean)])),
    lists: Object.fromEntries(
      Object.entries(details)
        .filter(([name]) => kept.has(name))
        .map(([name, { values }]) => [name, Array.from(values, orNull)]),
    ),
  };
}

/** Six digits are more than any table shows, and keep the file of cells small. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6;
const orNull = (value: number) => (Number.isFinite(value) ? rounded(value) : null);

function withFeatures(parts: Parts, count: number | undefined): Parts {
  if (count === undefined) return parts;
  const cut = (data: Dataset) => {
    const { names, base } = columnsOf(data);
    return align(data, { count, base, ...(names && { names: names.slice(0, count) }) }, { unknownFeatures: "ignore" }).data;
  };
  return { train: cut(parts.train), valid: cut(parts.valid), test: cut(parts.test) };
}
