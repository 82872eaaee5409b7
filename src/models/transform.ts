/**
 * A wrapper of learners: a feature transform of the caller is fitted to the training data and changes all data before the model sees them. The
 * model carries the transform by its spec and its state, which is plain JSON; the code is given again when the model is read.
 *
 * In a team one worker fits and applies the transform and the others read the result from shared memory, so that a transform need not know of
 * threads, and all workers see the same features.
 */
import { checkData } from "../arguments.ts";
import { describeValue, InputError } from "../input-error.ts";
import { type AnyPart, buildPart, parseSpec } from "../part.ts";
import type { Columns, Dataset, Learner, Matrix, Model, SavedModel, Team, Transform } from "../types.ts";
import { checkColumns, checkScoring, columnsOf } from "./shared/columns.ts";
import { savedColumns, savedModel, savedText } from "./shared/saved.ts";

/** A transform with what it learned. */
interface Fitted {
  readonly transform: Transform;
  readonly state: unknown;
}

/** The transform that a model carries and the model inside, for a warm start. */
const carried = new WeakMap<Model, Fitted & { readonly inner: Model }>();

/** The transform that a model was trained with, or undefined. */
export const transformOf = (model: Model): Transform | undefined => carried.get(model)?.transform;

export const withTransform = (inner: Learner, transform: Transform): Learner => ({
  ...inner,
  learn(data, objective, run) {
    const { team, init, validation } = run;
    const before = init && carried.get(init);
    if (init && before?.transform.spec !== transform.spec)
      throw new InputError(
        `the model to start from was trained ${before ? `with the transform ${before.transform.spec}` : "without a transform"}, and cannot continue with ${transform.spec}`,
      );
    const state = before ? before.state : sharedJson(team, () => fitTransform(transform, data));
    const learned = inner.learn(applyShared(team, transform, state, data), objective, {
      ...run,
      ...(validation && { validation: applyShared(team, transform, state, validation) }),
      ...(before && { init: before.inner }),
    });
    return wrap(learned, columnsOf(data), { transform, state });
  },
});

/** What the transform learns from data, as a model file will hold it. */
export function fitTransform(transform: Transform, data: Dataset): unknown {
  const state = transform.fit(data);
  const wrong = notJson(state, "the state");
  if (wrong) throw new InputError(`transform ${transform.spec}: expected fit to give plain JSON, and ${wrong}`);
  return JSON.parse(JSON.stringify(state));
}

/** What of a value JSON would lose, in words, or undefined. */
function notJson(value: unknown, where: string): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return undefined;
  if (Array.isArray(value)) return first(value.map((one, i) => () => notJson(one, `${where}[${i}]`)));
  const isPlain = typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (isPlain)
    return first(
      Object.entries(value as object).map(
        ([key, one]) =>
          () =>
            notJson(one, `${where}.${key}`),
      ),
    );
  return `${where} is ${describeValue(value)}`;
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const wrong = check();
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** The data with other features. Nothing else of them may change. */
export function applyTransform(transform: Transform, state: unknown, data: Dataset): Dataset {
  const who = `transform ${transform.spec}`;
  const changed = transform.apply(state, data);
  checkData(`${who}, the result of apply`, changed);
  for (const key of ["starts", "labels"] as const)
    if (!sameNumbers(changed[key], data[key]))
      throw new InputError(`${who}: apply may change features only, and ${key} are not those of its data`);
  return withFeatures(data, changed.features, changed.base, changed.names.features);
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function withFeatures(data: Dataset, features: Matrix, base: 0 | 1, own: readonly string[] | undefined): Dataset {
  const { features: _, encoding: __, ...names } = data.names;
  return { ...data, features, base, names: own ? { ...names, features: own } : names };
}

/** Applies the transform in the first worker; all get the same arrays in shared memory. */
function applyShared(team: Team, transform: Transform, state: unknown, data: Dataset): Dataset {
  if (team.size === 1) return applyTransform(transform, state, data);
  const changed = team.rank === 0 ? applyTransform(transform, state, data) : undefined;
  const { kind, rows, columns, stored, absent, base, names } = sharedJson(team, () => headOf(changed!)) as Head;
  const matrix = { rows, columns, values: team.allocShared("f32", stored) };
  const starts = team.allocShared("f64", kind === "sparse" ? rows + 1 : 0);
  const indices = team.allocShared("u32", kind === "sparse" ? stored : 0);
  if (changed) {
    matrix.values.set(changed.features.values);
    if (changed.features.kind === "sparse") {
      starts.set(changed.features.starts);
      indices.set(changed.features.indices);
    }
  }
  team.barrier();
  const features: Matrix =
    kind === "sparse"
      ? { kind, ...matrix, starts, indices, absent: Number(absent) }
      : { kind, ...matrix, ...(absent !== undefined && { absent: Number(absent) }) };
  return withFeatures(data, features, base, names);
}

/** What of new features is no array of numbers. JSON has no NaN, so the value of absent entries is a text. */
interface Head {
  readonly kind: Matrix["kind"];
  readonly rows: number;
  readonly columns: number;
  readonly stored: number;
  readonly absent?: string;
  readonly base: 0 | 1;
  readonly names?: readonly string[];
}

const headOf = ({ features, base, names }: Dataset): Head => ({
  kind: features.kind,
  rows: features.rows,
  columns: features.columns,
  stored: features.values.length,
  ...(features.absent !== undefined && { absent: String(features.absent) }),
  base,
  ...(names.features && { names: names.features }),
});

/** A JSON value that the first worker computes, and of which every worker gets a copy. */
function sharedJson(team: Team, compute: () => unknown): unknown {
  if (team.size === 1) return compute();
  const bytes = team.rank === 0 ? new TextEncoder().encode(JSON.stringify(compute())) : undefined;
  const length = team.allocShared("u32", 1);
  if (bytes) length[0] = bytes.length;
  team.barrier();
  const text = team.allocShared("u8", length[0]!);
  if (bytes) text.set(bytes);
  team.barrier();
  return JSON.parse(new TextDecoder().decode(text.slice())); // a decoder takes no shared memory
}

function wrap(inner: Model, columns: Columns, fitted: Fitted): Model {
  const { transform, state } = fitted;
  const applied = (data: Dataset) => {
    checkColumns(columns, data);
    return applyTransform(transform, state, data);
  };
  const model: Model = {
    id: inner.id,
    columns,
    ...(inner.labelSpace && { labelSpace: inner.labelSpace }),
    ...(inner.top && { top: (data: Dataset, k: number) => inner.top!(applied(data), k) }),
    score(data, into) {
      checkScoring(columns, data, into);
      inner.score(applied(data), into);
    },
    ...(inner.listwise && { listwise: true as const }),
    ...(inner.derived &&
      transform.keepsColumns && {
        derived: { columns: inner.derived.columns, of: (data: Dataset) => inner.derived!.of(applied(data)) },
      }),
    // Contributions are of the columns that the inner model sees, which are those of the data only where the transform keeps them.
    ...(inner.explain &&
      transform.keepsColumns && { explain: (data: Dataset, list: number) => inner.explain!(applied(data), list) }),
    ...(inner.stages && {
      stages: { count: inner.stages.count, after: (rounds: number) => wrap(inner.stages!.after(rounds), columns, fitted) },
    }),
    ...(inner.drawTree && { drawTree: (index: number) => inner.drawTree!(index) }),
    save: () => ({ id: "transform", transform: transform.spec, state, columns: inner.columns, inner: inner.save() }),
    describe() {
      const description = inner.describe();
      const features = `${columns.count}, transformed by ${transform.spec} to ${description.facts.features ?? inner.columns.count}`;
      return { ...description, facts: { ...description.facts, features } };
    },
  };
  carried.set(model, { ...fitted, inner });
  return model;
}

/** The code of transforms that a model file may name: finished ones, or parts that build one from its spec. */
export type Transforms = readonly (Transform | AnyPart<Transform>)[];

export function readTransformed(
  saved: SavedModel,
  columns: Columns,
  revive: (saved: SavedModel, columns: Columns) => Model,
  transforms: Transforms,
): Model {
  const transform = findTransform(savedText(saved, "transform"), transforms);
  const inner = revive(savedModel(saved, "inner"), savedColumns(saved, "columns"));
  return wrap(inner, columns, { transform, state: saved.state });
}

function findTransform(spec: string, transforms: Transforms): Transform {
  const id = /^[^@:;(]*/.exec(spec)![0];
  const found = transforms.find((one) => one.id === id);
  const needs = `the model was trained with the feature transform ${spec}`;
  const others = transforms.length > 0 ? ` (given: ${transforms.map((one) => one.id).join(", ")})` : "";
  if (!found) throw new MissingTransform(`${needs}, whose code is not in the model file${others}`);
  if (typeof found !== "function") {
    if (found.spec === spec) return found;
    throw new InputError(`${needs}, and the one given is ${found.spec}; give it the same options`);
  }
  const { part, options } = parseSpec([found], "transform", spec);
  return buildPart(part, "transform", options);
}

/** The code of a transform is not given. The command line suggests a flag where the library suggests an option. */
export class MissingTransform extends InputError {
  /** What is missing, without the suggestion. */
  readonly what: string;

  constructor(what: string) {
    super(`${what}; pass it in the option transforms`);
    this.what = what;
  }

  /** The same with the file before it. */
  inFile(path: string): MissingTransform {
    return new MissingTransform(`${path}: ${this.what}`);
  }
}
