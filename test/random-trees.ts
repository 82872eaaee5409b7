/** Random small data and random options of trees, by number: case n is the same wherever it is made. */
import { decidingLists } from "../src/data/deciding-lists.ts";
import { denseRows } from "../src/models/trees/binned-dataset.ts";
import type { BoostInputs } from "../src/models/trees/boost.ts";
import type { fields, TreesSettings } from "../src/models/trees/options.ts";
import type { Tree } from "../src/models/trees/tree.ts";
import type { Heap } from "../src/numeric/heap.ts";
import { below, random } from "../src/numeric/random.ts";
import { objective as find, objectives } from "../src/objectives/index.ts";
import type { Dataset, Matrix, Objective, Random } from "../src/types.ts";

export interface Case {
  readonly number: number;
  readonly seed: number;
  readonly data: Dataset;
  readonly watched: Dataset;
  readonly objective: Objective;
  readonly options: TreesSettings;
  readonly given: BoostInputs;
}

const pick = <const T>(draw: Random, from: readonly T[]): T => from[below(draw, from.length)]!;

/** What a column holds: a function of the row that also sees the columns before it. */
type Column = (draw: Random, before: readonly number[], signal: number) => number;

const KINDS: readonly ((draw: Random) => Column)[] = [
  () => (draw, _, signal) => signal + draw(),
  () => (draw) => draw() * 2 - 1,
  (draw) => {
    const n = 2 + below(draw, 6);
    return (draw, _, signal) => Math.floor((draw() + 0.4 * signal) * n) / 4;
  },
  () => (draw, _, signal) => (draw() < 0.3 + 0.1 * signal ? 1 : 0),
  (draw) => {
    const value = pick(draw, [0, -0, 1, -3.5, 1e30]);
    return () => value; // constant
  },
  (draw) => {
    const of = draw();
    return (draw, before) => (before.length === 0 ? draw() : before[Math.floor(of * before.length)]!); // a duplicate
  },
  () => (draw, _, signal) => (draw() < 0.8 ? 0 : signal - 1), // mostly 0
  () => (draw) => pick(draw, [0, -0, 1e-40, -1e-40, 1e38, -1e38, 3]),
  (draw) => {
    const n = pick(draw, [2, 5, 12]);
    return (draw, _, signal) => (3 * below(draw, n) + signal) % n; // categories
  },
  () => () => Number.NaN,
];

function column(draw: Random): Column {
  const values = pick(draw, KINDS)(draw);
  const missing = pick(draw, [0, 0, 0, 0.1, 0.6]);
  return (draw, before, signal) => {
    const value = Math.fround(values(draw, before, signal));
    return draw() < missing ? Number.NaN : value;
  };
}

function matrixOf(draw: Random, rows: number, columns: number, values: Float32Array): Matrix {
  const kind = below(draw, 4);
  if (kind > 1) return { kind: "dense", rows, columns, values };
  const absent = kind === 0 ? 0 : Number.NaN;
  const starts = new Float64Array(rows + 1);
  const [indices, kept]: [number[], number[]] = [[], []];
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < columns; c++) {
      const value = values[row * columns + c]!;
      if (Object.is(value, absent)) continue;
      indices.push(c);
      kept.push(value);
    }
    starts[row + 1] = indices.length;
  }
  const entries = { indices: Uint32Array.from(indices), values: Float32Array.from(kept) };
  return { kind: "sparse", rows, columns, absent, starts, ...entries };
}

function dataOf(draw: Random, columns: readonly Column[], lists: number, most: number, weighted: number): Dataset {
  const sizes = Array.from({ length: lists }, () => (draw() < 0.05 ? 0 : 1 + below(draw, most)));
  const starts = [0];
  for (const size of sizes) starts.push(starts.at(-1)! + size);
  const rows = starts.at(-1)!;
  const labels = new Float32Array(rows);
  const values = new Float32Array(rows * columns.length);
  for (let list = 0; list < lists; list++) {
    const tied = draw() < 0.1;
    for (let row = starts[list]!; row < starts[list + 1]!; row++) {
      labels[row] = tied ? 1 : below(draw, 4);
      const before: number[] = [];
      for (const one of columns) before.push(one(draw, before, draw() < 0.3 ? below(draw, 4) : labels[row]!));
      values.set(before, row * columns.length);
    }
  }
  return {
    ...{ starts: Uint32Array.from(starts), labels, base: 1 as const, names: {} },
    features: matrixOf(draw, rows, columns.length, values),
    ...(weighted & 1 ? { listWeights: Float32Array.from(sizes, (_, q) => (q === 0 ? 1 : pick(draw, [0, 0.5, 1, 1, 3]))) } : {}),
    ...(weighted & 2 ? { itemWeights: Float32Array.from(labels, () => pick(draw, [0.25, 1, 1, 2])) } : {}),
  };
}

/** The first data made in which some list has two different labels, without which nothing is learned. */
function decidingData(make: () => Dataset): Dataset {
  for (;;) {
    const data = make();
    if (decidingLists(data) > 0) return data;
  }
}

/** Case n. Small enough to be done slowly, with everything in it that trees know. */
export function randomCase(number: number): Case {
  const draw = random(number, 0xca5e);
  const chosen = pick(draw, [...objectives.map(({ id }) => id), "pl-partition", "lambdarank", "mart-1", "mcrank"]);
  const objective = find(chosen === "mcrank" ? "mcrank:grades=4" : chosen);
  const wide = draw() < 0.25; // several groups of columns: of usual codes, or of many bins
  const most = wide ? KINDS[pick(draw, [0, 6])]! : column;
  const columns = Array.from({ length: wide ? 10 + below(draw, 14) : 1 + below(draw, 7) }, () =>
    draw() < 0.7 ? most(draw) : column(draw),
  );
  const [lists, longest, weighted] = [4 + below(draw, 16), 3 + below(draw, 9), below(draw, 4)];
  const data = decidingData(() => dataOf(draw, columns, lists, longest, weighted));
  const shape = pick(draw, ["leaf-wise", "leaf-wise", "symmetric"]);
  const free = shape === "symmetric"; // of what symmetric trees refuse
  const categorical = new Set(Array.from(columns.keys()).filter(() => draw() < 0.2 && !free));
  const monotone = new Int8Array(columns.length);
  if (objective.outputs === 1 && draw() < 0.4 && !free)
    columns.forEach((_, f) => {
      if (!categorical.has(f)) monotone[f] = pick(draw, [-1, 0, 1]);
    });
  const more = random(number, 0x315); // a stream of its own, so that other draws of a case stay what they were
  const limiting = random(number, 0x11a); // likewise
  const interactions = randomGroups(limiting, columns.length);
  const weights = limiting() < 0.3 ? Float64Array.from(columns, () => pick(limiting, [0, 0.25, 0.5, 1, 1, 2, 1000])) : undefined;
  const named = (f: number) => `${f + 1}${monotone[f]! > 0 ? "+" : monotone[f]! < 0 ? "-" : ""}`;
  const options: TreesSettings = {
    rounds: 1 + below(draw, objective.outputs > 1 ? 2 : 4),
    shape,
    leaves: 2 + below(draw, 14),
    learningRate: pick(draw, [0.1, 0.3, 1]),
    learningRateDecay: pick(draw, [0, 0, 0.05]),
    minLearningRate: pick(draw, [0.01, 0.2]),
    maxDepth: pick(draw, [Infinity, Infinity, Infinity, 2, 3]),
    minItems: pick(draw, [1, 1, 1, 2, 2, 3, 5, 10]),
    minItemsUnit: free ? "hessian" : pick(draw, ["hessian", "rows", "both"]),
    minHessian: pick(draw, [1e-3, 1e-3, 0, 0, 0.05, 0.5]),
    minGain: pick(draw, [0, 0, 0, 0, 0, 0.01, 0.3]),
    l1: pick(draw, [0, 0, 0, 0.05, 0.5]),
    l2: pick(draw, [0, 0, 0, 0.1, 2, 50]),
    maxBins: pick(draw, [255, 255, 255, 2, 4, 20]),
    listFraction: pick(draw, [1, 1, 1, 0.7, 0.3]),
    featureFraction: pick(draw, [1, 1, 0.7, wide ? 0.1 : 0.4]),
    leaf: pick(draw, ["newton-diagonal", "newton-diagonal", "newton-block"]),
    monotone: columns.flatMap((_, f) => (monotone[f] === 0 ? [] : [named(f)])).join(" "),
    categorical: [...categorical].map(named).join(" "),
    withinList: pick(more, ["none", "none", "z", "rank", "best"]),
    withinListRaw: more() < 0.7,
    bag: pick(more, [1, 1, 1, 2, 3]),
    interactionConstraints: interactions
      .map((group) => `(${[...group].map((f) => f + 1).join(",")})`)
      .join(pick(limiting, ["", ",", " "])),
    featureWeights: weights ? `(${Array.from(weights, (weight, f) => `${f + 1}=${weight}`).join(",")})` : "",
  } satisfies Record<keyof typeof fields, unknown>;
  const validation = dataOf(draw, columns, 3, 4, 0);
  return {
    number,
    seed: 1 + below(draw, 1000),
    data,
    watched: validation,
    objective,
    options,
    given: {
      ...{ trees: [], bag: 1, monotone, categorical },
      interactions: interactions.length > 0 ? withRest(interactions, columns.length) : undefined,
      weights: weights?.every((weight) => weight === 1) ? undefined : weights,
    },
  };
}

/** Groups of features that may be on one path, overlapping or not; none where interactions are free. */
function randomGroups(draw: Random, features: number): Set<number>[] {
  if (draw() < 0.6) return [];
  const groups = Array.from({ length: 1 + below(draw, 3) }, () => Array.from({ length: features }, (_, f) => f));
  const share = pick(draw, [0.2, 0.5, 0.8]);
  return groups.map((all) => new Set(all.filter(() => draw() < share))).filter(({ size }) => size > 0);
}

/** The groups, and one of the features in none. */
function withRest(groups: readonly Set<number>[], features: number): Set<number>[] {
  const rest = new Set<number>();
  for (let f = 0; f < features; f++) if (!groups.some((group) => group.has(f))) rest.add(f);
  return rest.size === 0 ? [...groups] : [...groups, rest];
}

/** The case with the features within the list written out, item by item from their definition, and without the option. */
export function writtenOut(one: Case): Case {
  const { withinList, withinListRaw } = one.options;
  if (withinList === "none") return one;
  const { monotone, categorical, interactions, weights } = one.given;
  const { columns } = one.data.features;
  const all = Array.from({ length: columns }, (_, c) => c);
  const source = [
    ...all.filter((c) => withinListRaw || categorical.has(c)).map((c) => ({ c, raw: true })),
    ...all.filter((c) => !categorical.has(c)).map((c) => ({ c, raw: false })),
  ];
  const expanded = (data: Dataset): Dataset => {
    const values = valuesOf(data.features);
    const lists = Array.from({ length: data.starts.length - 1 }, (_, q) => [data.starts[q]!, data.starts[q + 1]!] as const);
    const cells = lists.flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, i) =>
        source.map(({ c, raw }) => {
          const of = (row: number) => values[row * columns + c]!;
          const known = Array.from({ length: to - from }, (_, j) => of(from + j)).filter((value) => !Number.isNaN(value));
          return raw ? of(from + i) : compared(of(from + i), known, withinList);
        }),
      ),
    );
    const features: Matrix = {
      kind: "dense",
      rows: cells.length,
      columns: source.length,
      values: Float32Array.from(cells.flat()),
    };
    return { ...data, features };
  };
  return {
    ...one,
    data: expanded(one.data),
    watched: expanded(one.watched),
    given: {
      ...one.given,
      monotone: Int8Array.from(source, ({ c }) => monotone[c]!),
      categorical: new Set(Array.from(source.keys()).filter((k) => categorical.has(source[k]!.c))),
      interactions: interactions?.map((group) => new Set(Array.from(source.keys()).filter((k) => group.has(source[k]!.c)))),
      weights: weights && Float64Array.from(source, ({ c }) => weights[c]!),
    },
    options: { ...one.options, withinList: "none", withinListRaw: true },
  };
}

/** A value against the known ones of its list, which it is one of. */
export function compared(value: number, known: readonly number[], statistic: "z" | "rank" | "best"): number {
  if (Number.isNaN(value)) return Number.NaN;
  const n = known.length;
  if (statistic === "best") return Math.max(value - Math.max(...known) + 0, -3.4028234663852886e38);
  if (statistic === "rank") {
    const [below, equal] = [known.filter((one) => one < value).length, known.filter((one) => one === value).length];
    return n === 1 ? 0.5 : (below + (equal - 1) / 2) / (n - 1);
  }
  const mean = known.reduce((sum, one) => sum + one, 0) / n;
  const deviation = Math.sqrt(known.reduce((sum, one) => sum + (one - mean) * (one - mean), 0) / n);
  return known.every((one) => one === value) ? 0 : (value - mean) / deviation + 0;
}

/** What is different between two lists of trees, or nothing: every number of every node, bit for bit. */
export function difference(got: readonly Tree[], wanted: readonly Tree[]): string | undefined {
  if (got.length !== wanted.length) return `${got.length} trees instead of ${wanted.length}`;
  for (let t = 0; t < got.length; t++) {
    const [a, b] = [got[t]!, wanted[t]!];
    for (const key of ["feature", "threshold", "missing", "left", "right", "items", "gain", "value"] as const) {
      if (a[key].length !== b[key].length) return `tree ${t} has ${a[key].length} nodes instead of ${b[key].length}`;
      const node = a[key].findIndex((value, n) => !Object.is(value, b[key][n]));
      if (node >= 0) return `tree ${t}, node ${node}: ${key} ${a[key][node]} instead of ${b[key][node]}`;
    }
    const sets = (tree: Tree) =>
      [...tree.sets]
        .map(([node, set]) => `${node}: ${[...set]}`)
        .sort()
        .join("; ");
    if (sets(a) !== sets(b)) return `tree ${t}: categories ${sets(a)} instead of ${sets(b)}`;
  }
  return undefined;
}

/** All values of a matrix, row by row. */
export function valuesOf(matrix: Matrix): Float32Array {
  const values = new Float32Array(matrix.rows * matrix.columns);
  denseRows(matrix, 0, matrix.rows, values);
  return values;
}

/** The same data where kernels can work on them. */
export function inHeap(data: Dataset, heap: Heap): Dataset {
  const floats = (from: Float32Array) => {
    const copy = heap.f32(from.length);
    copy.set(from);
    return copy;
  };
  const { labels, features, listWeights, itemWeights } = data;
  return {
    ...data,
    labels: floats(labels),
    features: { ...features, values: floats(features.values) },
    ...(listWeights ? { listWeights: floats(listWeights) } : {}),
    ...(itemWeights ? { itemWeights: floats(itemWeights) } : {}),
  };
}
