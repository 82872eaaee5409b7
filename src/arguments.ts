/**
 * Checks of what code passes to public functions, so that a wrong argument is a `InputError` of one line instead of an error from deep inside
 * or a wrong number. Types rule most of this out for programs in TypeScript; JavaScript, casts and JSON get past them. Every check here
 * takes constant time per call, apart from the column indices of a sparse matrix, which are looked through once per matrix.
 */
import { describeValue, InputError, quote } from "./input-error.ts";
import { suggest } from "./part.ts";
import type { Dataset, Learner, Matrix, Metric, Model, Objective } from "./types.ts";

/** What an argument or option must be. */
export interface Kind {
  /** In words. */
  readonly wanted: string;
  fits(value: unknown): boolean;
  /** Of an option: it has no default. */
  readonly required?: true;
}

/** A kind for every option of a function. */
export type Kinds<O> = { readonly [K in keyof Required<O>]: Kind };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** Arrays and typed arrays of numbers; what an array holds is not looked at. */
export const isNumbers = (value: unknown): value is ArrayLike<number> =>
  Array.isArray(value) ||
  (ArrayBuffer.isView(value) &&
    !(value instanceof DataView || value instanceof BigInt64Array || value instanceof BigUint64Array));

const kind = (wanted: string, fits: (value: unknown) => boolean): Kind => ({ wanted, fits });

/** The same kind for an option that must be given. */
export const required = (one: Kind): Kind => ({ ...one, required: true });

export const someFunction = kind("a function", (value) => typeof value === "function");
export const someText = kind("a text", (value) => typeof value === "string");
export const someName = kind("a text that is not empty", (value) => typeof value === "string" && value !== "");
export const yesOrNo = kind("true or false", (value) => typeof value === "boolean");
export const someTexts = kind(
  "an array of texts",
  (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
);
export const someNumbers = kind("an array of numbers", isNumbers);
export const someFloats = kind("scores as a Float64Array", (value) => value instanceof Float64Array);
export const someSignal = kind(
  "an AbortSignal",
  (value) => isObject(value) && "aborted" in value && typeof value.throwIfAborted === "function",
);
export const oneOf = (...words: readonly (string | number)[]): Kind =>
  kind(`one of ${words.map((one) => (typeof one === "string" ? quote(one) : one)).join(", ")}`, (value) =>
    words.some((one) => one === value),
  );
/** A whole number; `Infinity` where `open` says so. */
export const wholeFrom = (least: number, open = false): Kind =>
  kind(
    `a whole number of at least ${least}${open ? " or Infinity" : ""}`,
    (value) => (open && value === Infinity) || (Number.isSafeInteger(value) && (value as number) >= least),
  );
export const numberAbove = (low: number): Kind =>
  kind(`a number above ${low}`, (value) => Number.isFinite(value) && (value as number) > low);
export const numberFrom = (low: number): Kind =>
  kind(`a number of at least ${low}`, (value) => Number.isFinite(value) && (value as number) >= low);
export const fraction: Kind = kind("a number between 0 and 1", (value) => typeof value === "number" && value > 0 && value < 1);
/** Any seed of random numbers. */
export const seedNumber = kind("a whole number", Number.isSafeInteger);

const method = (value: unknown, ...names: readonly string[]) =>
  isObject(value) && names.every((name) => typeof value[name] === "function");
const isNamed = (value: unknown) => isObject(value) && typeof value.id === "string" && typeof value.spec === "string";

export const isDataset = (value: unknown): value is Dataset =>
  isObject(value) &&
  value.starts instanceof Uint32Array &&
  value.labels instanceof Float32Array &&
  isObject(value.features) &&
  isObject(value.names);
export const someData = kind("data, as readData, parseData, build or ballots give them", isDataset);
export const someModel = kind(
  "a model, as fit, train or readModel give one",
  (value) => method(value, "score") && isObject((value as unknown as Model).columns),
);
export const someLearner = kind("a learner, such as trees() or linear()", (value) => isNamed(value) && method(value, "learn"));
export const someObjective = kind(
  "an objective, such as plPartition()",
  (value) =>
    isNamed(value) &&
    method(value, "evaluate") &&
    Array.isArray((value as Objective).auxiliary) &&
    (value as Objective).outputs >= 1,
);
const isMetric = (value: unknown): value is Metric =>
  isNamed(value) && method(value, "measure") && ["higher", "lower"].includes((value as Metric).better);
export const someMetric = kind("a metric, such as ndcg({ k: 10 })", isMetric);
export const someMetrics = kind(
  "an array of metrics, such as [ndcg({ k: 10 })]",
  (value) => Array.isArray(value) && value.every(isMetric),
);
export const explainedItem = kind("an item of the result of explain", (value) => isObject(value) && Array.isArray(value.reasons));

const isTransform = (value: unknown) => isNamed(value) && method(value, "fit", "apply");
export const someTransform = kind("a feature transform: { id, spec, fit, apply }", isTransform);

/** The same kind, or a module that exports one (see modules.ts). */
const isSource = (value: unknown) => isObject(value) && "module" in value && !("id" in value);
const orModule = ({ wanted, fits }: Kind): Kind =>
  kind(`${wanted}, or { module: URL, options }`, (value) => isSource(value) || fits(value));
export const objectiveOrModule = orModule(someObjective);
export const transformOrModule = orModule(someTransform);
export const metricsOrModules = kind(
  "an array of metrics, such as [ndcg({ k: 10 })], or of { module: URL, options }",
  (value) => Array.isArray(value) && value.every((one) => isSource(one) || isMetric(one)),
);

/** Refuses a value of another kind. `who` is the function, with the argument where it has several. */
export function check(who: string, value: unknown, { wanted, fits }: Kind): void {
  if (!fits(value)) throw new InputError(`${who}: expected ${wanted}, got ${describeValue(value)}`);
}

/** Refuses options that the function does not have, naming near misses, and those of the wrong kind. */
export function checkOptions<O extends object>(who: string, options: O | undefined, kinds: Kinds<O>): void {
  if (options !== undefined && !isObject(options))
    throw new InputError(`${who}: expected options as an object, got ${describeValue(options)}`);
  if (isObject(options) && "then" in options) throw new InputError(`${who}: expected options, got ${describeValue(options)}`);
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  const known = kinds as Readonly<Record<string, Kind>>;
  for (const key of Object.keys(given))
    if (!Object.hasOwn(known, key) && given[key] !== undefined)
      throw new InputError(`${who} has no option ${quote(key)}; ${suggest(key, Object.keys(known))}`);
  for (const [key, { wanted, fits, required: must }] of Object.entries(known)) {
    const value = given[key];
    if (value === undefined ? must : !fits(value))
      throw new InputError(`${who}, option ${key}: expected ${wanted}, got ${describeValue(value)}`);
  }
}

/** Refuses what is no dataset, and one whose arrays do not belong together; data with bins instead of values where values are needed. */
export function checkData(who: string, data: unknown, bins?: "accept bins"): asserts data is Dataset {
  check(who, data, someData);
  if (!bins && "binned" in (data as Dataset).features)
    throw new InputError(
      `${who}: the data were read with readBinned, which keeps only the bins of features, and their values are needed; read them with readData`,
    );
  const wrong = brokenIn(data as Dataset);
  if (wrong) throw new InputError(`${who}: the data do not hold together: ${wrong}`);
}

const sound = new WeakSet<Matrix>();

/** What is wrong with a dataset, or undefined. */
function brokenIn({
  starts,
  labels,
  features,
  items,
  labelSpaceSize,
  names,
  listWeights,
  itemWeights,
}: Dataset): string | undefined {
  const lists = starts.length - 1;
  if (lists < 0 || starts[0] !== 0 || starts[lists] !== labels.length)
    return `starts go from ${starts[0]} to ${starts[lists]}, and there are ${labels.length} labels`;
  const rows = labelSpaceSize === undefined ? labels.length : lists;
  if (features.rows !== rows)
    return `there are ${rows} ${labelSpaceSize === undefined ? "items" : "lists"} and ${features.rows} rows of features`;
  if (names.features && names.features.length !== features.columns)
    return `${features.columns} features have ${names.features.length} names`;
  if (items && items.length !== labels.length) return `there are ${labels.length} labels and ${items.length} items`;
  if (listWeights && listWeights.length !== lists) return `there are ${lists} lists and ${listWeights.length} weights of lists`;
  if (itemWeights && itemWeights.length !== labels.length)
    return `there are ${labels.length} items and ${itemWeights.length} weights of items`;
  return sound.has(features) ? undefined : brokenMatrix(features);
}

function brokenMatrix(matrix: Matrix): string | undefined {
  const { rows, columns, values } = matrix;
  if (!(values instanceof Float32Array)) return "the values of features are no Float32Array";
  if (matrix.kind === "dense" && matrix.binned) {
    const { features, layout, bins } = matrix.binned;
    if (features.length !== columns || layout.slots.length !== columns || bins.length < layout.groups * rows * 8)
      return `${rows} rows of ${columns} features have ${bins.length} bytes of bins`;
  } else if (matrix.kind === "dense") {
    if (values.length !== rows * columns) return `${rows} rows of ${columns} features have ${values.length} values`;
  } else if (matrix.kind === "sparse") {
    const { starts, indices } = matrix;
    if (starts.length !== rows + 1 || starts[rows]! > values.length || indices.length !== values.length)
      return `${rows} sparse rows have ${starts.length} starts, ${indices.length} indices and ${values.length} values`;
    for (let at = 0; at < indices.length; at++)
      if (indices[at]! >= columns) return `a sparse row holds column ${indices[at]}, and there are ${columns}`;
  } else return "features are neither dense nor sparse";
  sound.add(matrix);
  return undefined;
}

/** One finite or infinite score for every item of the data. */
export function checkScores(who: string, scores: unknown, data: Dataset): void {
  check(who, scores, someFloats);
  const { length } = scores as Float64Array;
  if (length !== data.labels.length)
    throw new InputError(
      `${who}: expected a score for each of the ${data.labels.length} items of the data, got ${length} scores`,
    );
}

/** The arguments that most functions begin with. */
export function checkModelAndData(who: string, model: unknown, data: unknown): void {
  check(who, model, someModel);
  checkData(who, data);
}

/** A learner and an objective, as options. */
export const training: Kinds<{ model: Learner; objective?: Objective }> = {
  model: required(someLearner),
  objective: someObjective,
};
