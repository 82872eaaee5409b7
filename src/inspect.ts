/**
 * Looks at data before a model is trained on them: features that give the label away, rows that contradict each other, lists and features that say
 * nothing, differences between training and test data, and the best NDCG that any function of the features can reach.
 * Long, because one pass over the columns finds constants, copies, ids and leaks; what needs a pass of its own is in inspect-*.ts.
 */
import { checkData, checkOptions, type Kinds, someTexts } from "./arguments.ts";
import { few, ignoring } from "./counted.ts";
import { align } from "./data/align.ts";
import { eachColumn } from "./data/column.ts";
import { widthOf } from "./data/table/encode.ts";
import { type DriftedFeature, driftOf } from "./inspect-drift.ts";
import { duplicatesOf, repeatedItems } from "./inspect-duplicates.ts";
import { filledByLabel, labelsInWords } from "./inspect-leaks.ts";
import { nearOrders } from "./inspect-orders.ts";
import { sameInListsWarnings } from "./inspect-same-in-lists.ts";
import { ndcg } from "./metrics/index.ts";
import { columnName, columnsOf } from "./models/shared/columns.ts";
import { digest } from "./numeric/digest.ts";
import { shortText } from "./numeric/float32.ts";
import type { Dataset } from "./types.ts";

/** What is compared, and what is looked for. */
export interface InspectOptions {
  /** Test data, to be compared with the data. Default: none. */
  readonly test?: Dataset;
  /** Features that are known to be ids. Default: whole numbers that differ in all rows are taken for ids. */
  readonly ids?: readonly string[];
}

/** Something about data that a user should look at. */
export interface InspectWarning {
  /** What it is about. */
  readonly kind:
    | "no features"
    | "leak"
    | "id"
    | "duplicates"
    | "repeated items"
    | "single"
    | "one tier"
    | "constant"
    | "same in lists"
    | "copied"
    | "shared lists"
    | "drift";
  /** The features or lists concerned. */
  readonly names: readonly string[];
  /** In words. */
  readonly text: string;
}

/** What `inspect` found. */
export interface Inspection {
  /** Number of lists. */
  readonly lists: number;
  /** Number of items in all lists. */
  readonly items: number;
  /** Number of features. */
  readonly features: number;
  /** Number of items with each label, by label. */
  readonly labels: Readonly<Record<string, number>>;
  /** The best NDCG, and NDCG of the first 10 ranks, that scores computed from the features can have, because equal rows of a list tie. */
  readonly ceiling: Readonly<Record<string, number>>;
  /** What a user should look at, the most important first. */
  readonly warnings: readonly InspectWarning[];
  /** By feature, how test data differ; empty without these. */
  readonly drift: readonly DriftedFeature[];
}

const kinds: Kinds<InspectOptions> = {
  test: { wanted: "a dataset", fits: (value) => typeof value === "object" && value !== null && "starts" in value },
  ids: someTexts,
};

/**
 * Looks at data before a model is trained on them.
 *
 * ```ts
 * const { data } = await readData(["train.csv"]);
 * for (const { text } of inspect(data).warnings) console.log(text);
 * ```
 */
export function inspect(data: Dataset, options: InspectOptions = {}): Inspection {
  checkData("inspect", data);
  checkOptions("inspect", options, kinds);
  if (options.test) checkData("inspect, option test", options.test);
  const { starts, labels, features } = data;
  const columns = columnsOf(data);
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const rows = data.labelSpaceSize === undefined && data.items === undefined;
  const duplicates = rows && features.columns > 0 ? duplicatesOf(data) : { warnings: [], groups: undefined, repeated: 0 };
  const scanned = rows && features.columns > 0 ? scanFeatures(data, options.ids ?? [], duplicates.repeated) : [];
  const test =
    options.test && rows && features.columns > 0 ? align(options.test, columns, { unknownFeatures: "ignore" }).data : undefined;
  const drift = test ? driftOf(data, test, (c) => columnName(columns, c)) : { features: [], warnings: [] };
  return {
    ...{ lists: starts.length - 1, items: labels.length, features: features.columns },
    labels: Object.fromEntries([...counts].sort(([a], [b]) => a - b).map(([label, count]) => [shortText(label), count])),
    ceiling: duplicates.groups ? ceilingOf(data, duplicates.groups) : {},
    warnings: [
      ...(rows && features.columns === 0 ? [NO_FEATURES] : []),
      ...scanned,
      ...(rows ? sameInListsWarnings(data) : []),
      ...duplicates.warnings,
      ...(rows ? repeatedItems(data) : []),
      ...listWarnings(data),
      ...(test ? sharedLists(data, test) : []),
      ...drift.warnings,
    ],
    drift: drift.features,
  };
}

const NO_FEATURES: InspectWarning = {
  ...{ kind: "no features", names: [] },
  text: "the data have no features, from which scores of items could follow",
};

const LEAST_PAIRS = 8; // of items with different labels, for a perfect order to be no accident
const LEAST_ROWS = 20;
const NEARLY_DISTINCT = 0.98; // of rows: a few may be there twice
const NEARLY_ALL = 0.95; // of lists: a few labels may be wrong
const LEAST_LISTS = 20; // for nearly all of them
const LONG = 3; // pairs of a list, on average, for nearly all of them: a good feature may order most lists of two

/** Features that order every list as the labels do, look like ids, are constant, or equal another one. */
function scanFeatures(data: Dataset, ids: readonly string[], repeated: number): InspectWarning[] {
  const columns = columnsOf(data);
  const kinds = new Map(data.names.encoding?.map(({ name, kind }) => [name, kind]));
  const amounts = new Set(data.names.encoding?.flatMap(({ name, unit }) => (unit === undefined ? [] : [name]))); // $126,744,557
  const isLikeIds = (name: string, source: string, known: Float64Array) =>
    !amounts.has(source) && (ID_NAME.test(name) || CODE_NAME.test(name) || isNumbering(known));
  const copies = new Set<string>(); // pairs of columns
  const [leaks, named, constant, copied]: [InspectWarning[], InspectWarning[], string[], InspectWarning[]] = [[], [], [], []];
  const seen = new Map<string, string>(); // names by digests
  const words = labelsInWords(data);
  const givenAway = new Set(words.flatMap(({ names }) => names));
  const sources = sourcesOf(data);
  const sourceOf = new Map(sources.map((source, c) => [columnName(columns, c), source]));
  const itemValues = oneToOne(data);
  const nearOrder = nearOrders(data);
  named.push(...wordsOfItems(data));
  eachColumn(data.features, (values, c) => {
    const name = columnName(columns, c);
    const known = values.filter((value) => !Number.isNaN(value));
    const order = (found: Float64Array) => perfectOrder(data, found) ?? nearOrder(found);
    const way = order(values) ?? orderWithMissing(values, known.length, order);
    if (!way && known.every((value) => value === known[0])) {
      constant.push(name);
      return;
    }
    const source = sources[c] ?? name;
    if (way && givenAway.has(source)) return; // one warning for its column as a whole
    if (way) leaks.push({ kind: "leak", names: [name], text: `feature ${name} orders ${way.what} as the labels do (${way.way}); if it is known only after the fact, leave it out (--ignore ${source})` }); // biome-ignore format: one line
    else if (itemValues?.(values) && isLikeIds(name, source, known))
      named.push({ kind: "id", names: [name], text: `feature ${name} is one-to-one with the items: whole numbers that name them; leave it out (--ignore ${name})` }); // biome-ignore format: one line
    else if (ids.includes(name) || (kinds.get(source) !== "date" && kinds.get(source) !== "time" && known.length === values.length && isId(known, repeated) && isLikeIds(name, source, known)))
      named.push({ kind: "id", names: [name], text: `feature ${name} looks like an id: whole numbers that differ in ${isDistinct(known) ? "all" : "nearly all"} rows; leave it out (--ignore ${name}), or name the items by it (--item ${name})` }); // biome-ignore format: one line
    const key = digest(new Uint8Array(values.map((value) => value + 0).buffer));
    const same = seen.get(key);
    if (same === undefined) seen.set(key, name);
    else {
      // One warning for two columns of categories, whatever their number.
      const first = sourceOf.get(same) ?? same;
      const pair = JSON.stringify([first, source]);
      const isWhole = first !== same && source !== name && first !== source;
      if (!isWhole || !copies.has(pair)) copied.push({ kind: "copied", names: [same, name], text: `feature ${name} equals feature ${same} in all rows` }); // biome-ignore format: one line
      if (isWhole) copies.add(pair);
    }
  });
  const still = constant.length > 0 ? [{ kind: "constant" as const, names: constant, text: `${few(constant, "feature")} the same in all rows` }] : []; // biome-ignore format: one line
  const given = new Set(leaks.flatMap(({ names }) => names));
  return [...leaks, ...words, ...filledByLabel(data, given), ...named, ...copied, ...still];
}

/** The column of the table that each feature was made of, where tables had words. */
const sourcesOf = ({ names: { encoding = [] } }: Dataset): string[] =>
  encoding.flatMap((one) => new Array<string>(widthOf(one)).fill(one.name));

const LEAST_ITEMS = 10;

/** The number of each row's item, where lists share items, so that a feature could name them; undefined elsewhere. */
function sharedItems({ names: { entries }, labels }: Dataset): Uint32Array | undefined {
  if (!entries || entries.length !== labels.length) return undefined;
  const places = new Map<string, number>();
  const items = Uint32Array.from(entries, (entry) => {
    const place = places.get(entry) ?? places.size;
    places.set(entry, place);
    return place;
  });
  return places.size >= LEAST_ITEMS && places.size * 1.5 <= items.length ? items : undefined;
}

/** Whether values name items: each item has one, and no two the same. */
function namesItems(items: Uint32Array, values: ArrayLike<number>): boolean {
  const [ofItem, ofValue] = [new Map<number, number>(), new Map<number, number>()];
  for (let row = 0; row < items.length; row++) {
    const [item, value] = [items[row]!, values[row]!];
    if (Number.isNaN(value)) continue;
    if ((ofItem.get(item) ?? value) !== value || (ofValue.get(value) ?? item) !== item) return false;
    ofItem.set(item, value);
    ofValue.set(value, item);
  }
  return ofItem.size >= LEAST_ITEMS;
}

/** Whether a column of whole numbers names the items. */
function oneToOne(data: Dataset): ((values: Float64Array) => boolean) | undefined {
  const items = sharedItems(data);
  return (
    items && ((values) => values.every((value) => Number.isNaN(value) || Number.isInteger(value)) && namesItems(items, values))
  );
}

/** Columns of words that name the items. */
function wordsOfItems(data: Dataset): InspectWarning[] {
  const items = sharedItems(data);
  const found: InspectWarning[] = [];
  let at = 0;
  for (const one of data.names.encoding ?? []) {
    const width = widthOf(one);
    if (items && one.kind === "category" && width >= LEAST_ITEMS) {
      const words = new Float64Array(items.length).fill(Number.NaN);
      eachColumn(data.features, (values, c) => values.forEach((value, row) => { if (value === 1) words[row] = c; }), at, at + width); // biome-ignore format: one step
      if (namesItems(items, words))
        found.push({ kind: "id", names: [one.name], text: `column ${one.name} is one-to-one with the items: its words name them, and nothing is learned for other items; leave it out (--ignore ${one.name})` }); // biome-ignore format: one line
    }
    at += width;
  }
  return found;
}

const ID_NAME = /(^|[_.\s-])(id|Id|ID|sku|SKU|uuid|UUID)$|[a-z]I[dD]$|^id[_.\s-]/;
/** Names of ids, if these differ in all rows. */
const CODE_NAME = /(^|[_.\s-])([Kk]ey|KEY|[Cc]ode|CODE|[Nn]o|NO|[Nn]r|NR|[Nn]umber|NUMBER)\.?$|[a-z](Key|Code|No|Nr|Number)$/;
const MOST_LOOKED_AT = 200_000; // rows
const LEAST_DIGITS = 5; // of ids that are not consecutive; counts of so many digits hardly all have the same number of them

/**
 * What is said before a training of columns of whole numbers that look like ids: they have the name of one, or differ in nearly all rows and are
 * consecutive or of one length. Counts, such as views, may differ in nearly all rows too, but they are neither.
 */
export function idNotices(data: Dataset): string[] {
  const { encoding, features: names } = data.names;
  if (!names || data.labelSpaceSize !== undefined || "binned" in data.features || data.labels.length < LEAST_ROWS) return [];
  const kinds = encoding?.flatMap((one) => new Array<string>(widthOf(one)).fill(one.unit === undefined ? one.kind : "amount"));
  const found: string[] = [];
  eachColumn({ ...data.features, rows: Math.min(data.features.rows, MOST_LOOKED_AT) }, (values, c) => {
    if ((kinds?.[c] ?? "number") !== "number") return;
    const some = values.filter((value) => !Number.isNaN(value));
    const named =
      ID_NAME.test(names[c]!) && some.length >= LEAST_ROWS && some.every(Number.isInteger) && new Set(some).size >= LEAST_ROWS;
    if (named || (isId(some, 0) && isNumbering(some))) found.push(names[c]!);
  });
  if (found.length === 0) return [];
  const list = found.slice(0, 5).map((name) => JSON.stringify(name)).join(", "); // biome-ignore format: one chain
  const option = ignoring(found);
  const more = found.length > 5 ? ` and ${found.length - 5} more` : "";
  return [
    found.length === 1
      ? `column ${list} is a feature and looks like an id (whole numbers); if it is one, leave it out (--ignore ${option})`
      : `columns ${list}${more} are features and look like ids (whole numbers); if they are, leave them out (--ignore ${option})`,
  ];
}

/** Whether whole numbers fill half of their range, or all have the same number of digits, at least five. */
function isNumbering(values: Float64Array): boolean {
  const known = new Set(values);
  let [low, high] = [Infinity, -Infinity];
  for (const value of known) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const digits = String(low).length;
  return high - low < 2 * known.size || (low > 0 && digits >= LEAST_DIGITS && digits === String(high).length);
}

const isDistinct = (known: Float64Array) => new Set(known).size === known.length;

function isId(known: Float64Array, repeated: number): boolean {
  if (known.length < LEAST_ROWS || repeated * 2 > known.length || !known.every(Number.isInteger)) return false;
  let left = (1 - NEARLY_DISTINCT) * known.length + repeated; // values that may be there twice
  const seen = new Set<number>();
  for (const value of known) if (seen.size === seen.add(value).size && --left < 0) return false;
  return true;
}

/** How a feature orders lists: "ascending", and "every list exactly". */
export interface FoundOrder {
  readonly way: string;
  readonly what: string;
}

/** The same where items without a value are below the others: what is filled in only after the fact, such as the price of a sale. */
function orderWithMissing(
  values: Float64Array,
  known: number,
  order: (values: Float64Array) => FoundOrder | undefined,
): FoundOrder | undefined {
  if (known === values.length) return undefined;
  const found = order(values.map((value) => (Number.isNaN(value) ? -Infinity : value)));
  return (
    found && { ...found, way: `${found.way}, and missing where they are ${found.way === "ascending" ? "lowest" : "highest"}` }
  );
}

/** Whether the feature ascends or descends with the label in every list, or in nearly all, items without a value aside. */
function perfectOrder({ starts, labels }: Dataset, values: Float64Array): FoundOrder | undefined {
  const most = (1 - NEARLY_ALL) * (starts.length - 1); // lists that may be in another order
  let [lists, pairs] = [0, 0]; // with different labels
  const wrong = { ascending: 0, descending: 0 };
  for (let list = 0; list + 1 < starts.length; list++) {
    if (wrong.ascending > most && wrong.descending > most) return undefined;
    const rows = Array.from({ length: starts[list + 1]! - starts[list]! }, (_, i) => starts[list]! + i).filter((row) => !Number.isNaN(values[row]!)); // biome-ignore format: one chain
    const tiers = new Map<number, [number, number]>();
    const counts = new Map<number, number>();
    for (const row of rows) {
      counts.set(labels[row]!, (counts.get(labels[row]!) ?? 0) + 1);
      const [low, high] = tiers.get(labels[row]!) ?? [Infinity, -Infinity];
      tiers.set(labels[row]!, [Math.min(low, values[row]!), Math.max(high, values[row]!)]);
    }
    if (tiers.size < 2) continue;
    const ordered = [...tiers].sort(([a], [b]) => a - b).map(([, range]) => range);
    if (ordered.some((range, t) => t > 0 && !(range[0] > ordered[t - 1]![1]))) wrong.ascending++;
    if (ordered.some((range, t) => t > 0 && !(range[1] < ordered[t - 1]![0]))) wrong.descending++;
    const ties = [...counts.values()].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
    pairs += (rows.length * (rows.length - 1)) / 2 - ties;
    lists++;
  }
  if (pairs < LEAST_PAIRS) return undefined;
  const allowed = lists >= LEAST_LISTS && pairs >= LONG * lists ? (1 - NEARLY_ALL) * lists : 0;
  const way = (["ascending", "descending"] as const).find((one) => wrong[one] <= allowed);
  return way && { way, what: `${wrong[way] === 0 ? "every list" : `${lists - wrong[way]} of ${lists} lists`} exactly` };
}

/** Lists from which nothing is learned. */
function listWarnings({ starts, labels, labelSpaceSize }: Dataset): InspectWarning[] {
  if (labelSpaceSize !== undefined) return [];
  let [single, flat] = [0, 0];
  for (let list = 0; list + 1 < starts.length; list++) {
    const own = labels.subarray(starts[list]!, starts[list + 1]!);
    if (own.length < 2) single++;
    else if (own.every((label) => label === own[0])) flat++;
  }
  const lists = starts.length - 1;
  return [
    ...(single > 0 ? [{ kind: "single" as const, names: [], text: `${single} of ${lists} lists have one item, from which no order is learned` }] : []), // biome-ignore format: one line
    ...(flat > 0 ? [{ kind: "one tier" as const, names: [], text: `${flat} of ${lists} lists have equal labels, from which no order is learned` }] : []), // biome-ignore format: one line
  ];
}

/** Lists of the same name in both data: the same query, user or race may be in the training data. */
function sharedLists(data: Dataset, test: Dataset): InspectWarning[] {
  const known = new Set(data.names.lists ?? []);
  const both = (test.names.lists ?? []).filter((name) => known.has(name));
  if (both.length === 0) return [];
  const text = `${both.length} of ${test.starts.length - 1} lists of the test data are in the training data too, such as ${both[0]}; a test should have lists of its own`;
  return [{ kind: "shared lists", names: both, text }];
}

/** The mean NDCG of the best order of groups of equal rows: by their mean gain, which no order of the groups exceeds. */
function ceilingOf(data: Dataset, groups: Uint32Array): Record<string, number> {
  const { starts, labels } = data;
  const metrics = [ndcg(), ndcg({ k: 10 })];
  const sums = metrics.map(() => ({ sum: 0, lists: 0 }));
  for (let list = 0; list + 1 < starts.length; list++) {
    const [from, to] = [starts[list]!, starts[list + 1]!];
    const gains = new Map<number, { sum: number; count: number }>();
    for (let row = from; row < to; row++) {
      const group = gains.get(groups[row]!) ?? { sum: 0, count: 0 };
      group.sum += 2 ** labels[row]! - 1;
      group.count++;
      gains.set(groups[row]!, group);
    }
    const scores = Float64Array.from({ length: to - from }, (_, i) => {
      const { sum, count } = gains.get(groups[from + i]!)!;
      return sum / count;
    });
    metrics.forEach((metric, m) => {
      const value = metric.measure(scores, labels.subarray(from, to));
      if (Number.isNaN(value)) return;
      sums[m]!.sum += value;
      sums[m]!.lists++;
    });
  }
  return Object.fromEntries(
    metrics.flatMap(({ spec }, m) => (sums[m]!.lists > 0 ? [[spec, sums[m]!.sum / sums[m]!.lists]] : [])),
  );
}
