/** Summary statistics of a dataset. */
import { checkData } from "../arguments.ts";
import type { Dataset } from "../types.ts";

/** A dataset in numbers. */
export interface DataSummary {
  /** Number of lists. */
  readonly lists: number;
  /** Number of entries. */
  readonly entries: number;
  /** Number of features. */
  readonly features: number;
  /** The number of the first feature where features have no names. */
  readonly base: 0 | 1;
  /** How features are stored. */
  readonly storage: "dense" | "sparse";
  /** Share of the cells that hold a value other than 0 and missing. */
  readonly filled: number;
  /** Number of missing values. */
  readonly missing: number;
  /** How often each label occurs, labels ascending. */
  readonly labels: readonly {
    /** The label. */
    readonly label: number;
    /** Number of entries with it. */
    readonly count: number;
  }[];
  /** Number of entries per list. */
  readonly sizes: {
    /** Smallest list. */
    readonly least: number;
    /** Median list. */
    readonly median: number;
    /** Largest list. */
    readonly most: number;
  };
  /** Number of lists without a label above 0. */
  readonly listsWithoutPositive: number;
}

/** What the data hold, in numbers. */
export function summary(data: Dataset): DataSummary {
  checkData("summary", data);
  const { features, base } = data;
  let missing = 0;
  let filled = 0;
  for (const value of features.values) {
    if (Number.isNaN(value)) missing++;
    else if (value !== 0) filled++;
  }
  const cells = features.rows * features.columns;
  if (features.kind === "sparse" && features.absent !== 0) missing += cells - features.values.length;
  return {
    ...listSummary(data),
    ...{ base, storage: features.kind, filled: cells === 0 ? 0 : filled / cells, missing },
  };
}

/** What needs no values of features. */
export function listSummary(data: Dataset): Omit<DataSummary, "base" | "storage" | "filled" | "missing"> {
  const { starts, labels, features } = data;
  const lists = starts.length - 1;
  const counts = labelCounts(labels);
  const sizes = new Uint32Array(lists);
  let listsWithoutPositive = 0;
  for (let q = 0; q < lists; q++) {
    sizes[q] = starts[q + 1]! - starts[q]!;
    if (!labels.subarray(starts[q]!, starts[q + 1]!).some((label) => label > 0)) listsWithoutPositive++;
  }
  return {
    lists,
    entries: labels.length,
    features: features.columns,
    labels: [...counts].map(([label, count]) => ({ label, count })).sort((a, b) => a.label - b.label),
    sizes: sizeSummary(sizes),
    listsWithoutPositive,
  };
}

/** How often each label occurs. Small whole labels are counted in an array, which is ten times faster. */
function labelCounts(labels: Float32Array): Map<number, number> {
  const small = new Float64Array(1024);
  const counts = new Map<number, number>();
  for (let e = 0; e < labels.length; e++) {
    const label = labels[e]!;
    const place = label | 0;
    if (place === label && place >= 0 && place < small.length) small[place]!++;
    else counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  small.forEach((count, label) => void (count > 0 && counts.set(label, count)));
  return counts;
}

/** The smallest, median and largest of list sizes, which it sorts. */
export function sizeSummary(sizes: Uint32Array): DataSummary["sizes"] {
  const lists = sizes.length;
  sizes.sort();
  const middle = lists / 2;
  return {
    least: sizes[0] ?? 0,
    median: lists === 0 ? 0 : (sizes[Math.ceil(middle) - 1]! + sizes[Math.floor(middle)]!) / 2,
    most: sizes[lists - 1] ?? 0,
  };
}
