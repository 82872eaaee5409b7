/** What an objective, a metric and a feature transform must have: code of the caller is checked member by member before it is used. */
import { type Kind, oneOf, required, someFunction, someText, wholeFrom } from "./arguments.ts";
import { describeValue, InputError, quote } from "./input-error.ts";
import type { Metric, Objective, Transform } from "./types.ts";

/** A kind for every member; those that are not `required` may be absent. */
type Members<T> = { readonly [K in keyof Required<T>]: Kind };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

const objectiveMembers: Members<Objective> = {
  id: required(someText),
  spec: required(someText),
  outputs: required(wholeFrom(1)),
  cost: required(oneOf("exact", "sampled", "none")),
  gradient: required(oneOf("exact", "sampled", "heuristic", "none")),
  hessian: required(oneOf("exact", "bound", "none")),
  ties: required(oneOf("tier", "silent", "event", "order", "value")),
  negatives: oneOf("log-sum-exp", "logistic", "hinge"),
  likelihood: oneOf("tiers", "other"),
  auxiliary: required({
    wanted: "an array of { name, initial }, empty where there are none",
    fits: (value) =>
      Array.isArray(value) && value.every((one) => isRecord(one) && typeof one.name === "string" && Number.isFinite(one.initial)),
  }),
  pairs: {
    wanted: "{ at }, a function of the auxiliary parameters",
    fits: (value) => isRecord(value) && typeof value.at === "function",
  },
  quadratic: oneOf("all", "different"),
  reduction: {
    wanted: '{ kind: "expected", values }, with a number for each output',
    fits: (value) =>
      isRecord(value) && value.kind === "expected" && Array.isArray(value.values) && value.values.every(Number.isFinite),
  },
  chains: {
    wanted: "{ steps, stages, trace }",
    fits: (value) => isRecord(value) && typeof value.stages === "function" && typeof value.trace === "function",
  },
  evaluate: required(someFunction),
};

const metricMembers: Members<Metric> = {
  id: required(someText),
  spec: required(someText),
  variant: required(someText),
  better: required(oneOf("higher", "lower")),
  measure: required(someFunction),
  ideal: someFunction,
  depth: wholeFrom(1),
  ofOrder: { wanted: "true, or absent", fits: (value) => value === true },
};

const transformMembers: Members<Transform> = {
  id: required(someText),
  spec: required(someText),
  fit: required(someFunction),
  apply: required(someFunction),
  keepsColumns: { wanted: "true, or absent", fits: (value) => value === true },
};

const members = { objective: objectiveMembers, metric: metricMembers, transform: transformMembers } as const;

/** What can be code of the caller. */
export interface OwnKinds {
  objective: Objective;
  metric: Metric;
  transform: Transform;
}

export const articleOf = (kind: keyof OwnKinds) => (kind === "objective" ? "an" : "a");

/** Refuses a value that lacks a member of its kind or has a wrong one, and names that member. */
export function checkMembers<K extends keyof OwnKinds>(who: string, kind: K, value: unknown): asserts value is OwnKinds[K] {
  if (!isRecord(value) || Array.isArray(value) || "then" in value)
    throw new InputError(`${who}: expected ${articleOf(kind)} ${kind}, got ${describeValue(value)}`);
  const named = typeof value.id === "string" ? `the ${kind} ${quote(value.id)}` : `the ${kind}`;
  for (const [name, { wanted, fits, required: must }] of Object.entries<Kind>(members[kind])) {
    const member = value[name];
    if (member === undefined ? must : !fits(member))
      throw new InputError(`${who}: ${named}, member ${name}: expected ${wanted}, got ${describeValue(member)}`);
  }
  if (kind === "objective") checkReduction(who, named, value as unknown as Objective);
}

function checkReduction(who: string, named: string, { outputs, reduction }: Objective): void {
  if ((reduction?.values.length ?? 1) !== outputs)
    throw new InputError(
      `${who}: ${named} has ${outputs} outputs, so its reduction must have as many values, got ${reduction?.values.length ?? "none"}`,
    );
}
