/**
 * Features within the list, as a wrapper of learners: each feature is also, or only, given relative to the other items of its list, since a
 * ranking depends on nothing else. With x the values of a feature in a list, missing ones left out:
 *
 *   z     (x - mean) / standard deviation, and 0 where the list is constant or has one value
 *   rank  the average rank from 0 (lowest) to 1, equal values sharing theirs; 0.5 where the list is constant or has one value
 *   best  x - max(x), so that the largest value is 0
 *
 * Missing values stay missing. Each of the three rises with x while the other items stay, so a monotone constraint carries over. The
 * statistics are computed from the list that is scored; the model stores only which columns they are of.
 */
import { InputError } from "../input-error.ts";
import { Heap } from "../numeric/heap.ts";
import { choice, type Fields, flag } from "../part.ts";
import { splitLists } from "../teams/blocks.ts";
import { type ParallelOps, soloTeam } from "../teams/solo.ts";
import type { Columns, Dataset, Learner, Model, Run, SavedModel } from "../types.ts";
import { checkColumns, checkScoring, columnName, columnsOf } from "./shared/columns.ts";
import {
  type ListFeatures,
  type ListStatistic,
  listFeatures,
  listStatistics,
  writeListFeatures,
} from "./shared/list-features.ts";
import { savedChoice, savedIntegers, savedModel } from "./shared/saved.ts";

/** Options of models that can compare the items of a list feature by feature. */
export interface WithinListOptions {
  /**
   * Features relative to the other items of the list: z-scores, average ranks from 0 to 1, or differences to the largest value. Default:
   * "none".
   */
  readonly withinList: "none" | ListStatistic;
  /** Keep the raw features beside those within the list. Default: true. */
  readonly withinListRaw: boolean;
}

export const withinListFields: Fields<WithinListOptions> = {
  withinList: choice(
    ["none", ...listStatistics],
    "features relative to the other items of the list: z-scores, average ranks from 0 to 1, or differences to the largest value",
  ),
  withinListRaw: flag(true, "keep the raw features beside those within the list"),
};

/** What a wrapped model was made of, for a warm start. */
const carried = new WeakMap<Model, { readonly inner: Model; readonly features: ListFeatures }>();

/**
 * Learns from data with features within the list. `asIs` are columns that have none, such as categories, and are always kept. `learn` is given
 * the column of the data that each of its columns is of.
 */
export function learnWithin(
  { withinList, withinListRaw }: WithinListOptions,
  data: Dataset,
  run: Run,
  asIs: ReadonlySet<number>,
  learn: (data: Dataset, run: Run, source: Uint32Array) => Model,
): Model {
  const columns = columnsOf(data);
  const before = run.init && carried.get(run.init);
  if (withinList === "none") {
    if (before) throw otherStart(`with within-list=${before.features.statistic}`, "without it");
    return learn(
      data,
      run,
      Uint32Array.from({ length: columns.count }, (_, c) => c),
    );
  }
  if (data.labelSpaceSize !== undefined)
    throw new InputError(
      `the option within-list=${withinList} compares the items of a list by their features, and in multi-label data all labels of a list share one row of features; leave it out`,
    );
  const features = listFeatures(withinList, columns.count, withinListRaw, asIs);
  if (run.init && !before) throw otherStart("without within-list", `with within-list=${withinList}`);
  if (before && JSON.stringify(savedOf(before.features)) !== JSON.stringify(savedOf(features)))
    throw otherStart("with other features within the list", "with these options");
  const validation = run.validation && expand(run.validation, features, run.team);
  const learned = learn(
    expand(data, features, run.team),
    { ...run, ...(validation && { validation }), ...(before && { init: before.inner }) },
    Uint32Array.of(...features.kept, ...features.compared),
  );
  return wrap(learned, columns, features);
}

const otherStart = (trained: string, now: string) =>
  new InputError(`the model to start from was trained ${trained}, and cannot continue ${now}`);

/** The same for learners to which all columns are alike. */
export const withinList = (inner: Learner, options: WithinListOptions): Learner =>
  options.withinList === "none"
    ? inner
    : {
        ...inner,
        learn: (data, objective, run) =>
          learnWithin(options, data, run, new Set(), (expanded, its) => inner.learn(expanded, objective, its)),
      };

const MOST = 2 ** 30; // values of the expanded features, 4 GiB

/** The data with the features within the list, of all lists. */
function expand(data: Dataset, features: ListFeatures, ops: ParallelOps): Dataset {
  const { rows } = data.features;
  const width = features.kept.length + features.compared.length;
  if (rows * width > MOST)
    throw new InputError(
      `${features.compared.length} features within the list for ${rows} items do not fit into memory; leave out within-list, or raw features with within-list-raw=no`,
    );
  const values = ops.allocShared("f32", rows * width);
  const bounds = splitLists(data.starts);
  ops.parallelFor(bounds.length - 1, (block) => writeListFeatures(data, features, bounds[block]!, bounds[block + 1]!, values, 0));
  const { count, base, names } = derivedColumns(columnsOf(data), features);
  return {
    ...data,
    features: { kind: "dense", rows, columns: count, values },
    base,
    names: { ...data.names, features: names! },
  };
}

const labels: Readonly<Record<ListStatistic, string>> = { z: "z in list", rank: "rank in list", best: "minus best in list" };

/** The raw features that are kept, and after them those within the list, by name. */
function derivedColumns(columns: Columns, { kept, compared, statistic }: ListFeatures): Columns {
  const nameOf = (c: number) => columnName(columns, c);
  const names = [...Array.from(kept, nameOf), ...Array.from(compared, (c) => `${nameOf(c)} (${labels[statistic]})`)];
  return { count: names.length, base: columns.base, names };
}

const CHUNK = 4096; // rows scored at once, whole lists

function wrap(inner: Model, columns: Columns, features: ListFeatures): Model {
  const width = inner.columns.count;
  const names = { features: inner.columns.names! };

  /** Lists from to to, with the features of the inner model, in memory that the next call may use again. */
  const part = (data: Dataset, from: number, to: number, values: Float32Array): Dataset => {
    const [first, last] = [data.starts[from]!, data.starts[to]!];
    writeListFeatures(data, features, from, to, values, first);
    return {
      starts: data.starts.slice(from, to + 1).map((start) => start - first),
      labels: data.labels.subarray(first, last),
      features: { kind: "dense", rows: last - first, columns: width, values: values.subarray(0, (last - first) * width) },
      base: inner.columns.base,
      names,
    };
  };

  const model: Model = {
    id: inner.id,
    columns,
    listwise: true,
    derived: {
      columns: inner.columns,
      of(data) {
        checkColumns(columns, data);
        return expand(data, features, soloTeam());
      },
    },
    score(data, into) {
      checkScoring(columns, data, into);
      const { starts } = data;
      const heap = new Heap();
      let values: Float32Array = new Float32Array(0);
      for (let from = 0, to = 0; from + 1 < starts.length; from = to) {
        do to++;
        while (to + 1 < starts.length && starts[to + 1]! - starts[from]! <= CHUNK);
        const size = (starts[to]! - starts[from]!) * width;
        if (values.length < size) values = heap.f32(Math.max(size, CHUNK * width));
        inner.score(part(data, from, to, values), into.subarray(starts[from]!, starts[to]!));
      }
      heap.close();
    },
    ...(inner.explain && {
      explain(data: Dataset, list: number) {
        checkColumns(columns, data);
        const rows = data.starts[list + 1]! - data.starts[list]!;
        return inner.explain!(part(data, list, list + 1, new Float32Array(rows * width)), 0);
      },
    }),
    ...(inner.stages && {
      stages: { count: inner.stages.count, after: (rounds: number) => wrap(inner.stages!.after(rounds), columns, features) },
    }),
    ...(inner.drawTree && { drawTree: (index: number) => inner.drawTree!(index) }),
    save: () => ({ id: "within-list", ...savedOf(features), inner: inner.save() }),
    describe() {
      const description = inner.describe();
      const all = `${columns.count}; with those within the list (${features.statistic}), ${description.facts.features ?? width}`;
      return { ...description, facts: { ...description.facts, features: all } };
    },
  };
  carried.set(model, { inner, features });
  return model;
}

const savedOf = ({ statistic, kept, compared }: ListFeatures) => ({
  statistic,
  kept: [...kept],
  compared: [...compared],
});

export function readWithinList(
  saved: SavedModel,
  columns: Columns,
  revive: (saved: SavedModel, columns: Columns) => Model,
): Model {
  const features: ListFeatures = {
    statistic: savedChoice(saved, "statistic", listStatistics),
    kept: savedIntegers(saved, "kept"),
    compared: savedIntegers(saved, "compared"),
  };
  const far = [...features.kept, ...features.compared].find((c) => c >= columns.count);
  if (far !== undefined)
    throw new InputError(
      `the model file is damaged: a feature within the list is of column ${far}, and there are ${columns.count}`,
    );
  return wrap(revive(savedModel(saved, "inner"), derivedColumns(columns, features)), columns, features);
}
