/**
 * Values files: the metric values of every list, saved by cross-validation for later comparisons. JSON, with null for undefined values.
 * Nothing here opens files.
 */
import { check, isNumbers, type Kind, someText } from "../arguments.ts";
import { InputError, quote } from "../input-error.ts";
import { checkNesting } from "./json.ts";

/** What a system reached on each list. */
export interface SystemValues {
  /** Name of the system. */
  readonly name: string;
  /** Ids of the lists. */
  readonly lists: readonly string[];
  /** By metric, one per list; NaN where it is undefined. */
  readonly values: Readonly<Record<string, Float64Array>>;
  /** Weights of the lists. */
  readonly weights?: ArrayLike<number>;
  /** The lists are ballots, and the weights say how many voters cast each. */
  readonly counted?: true;
}

const FORMAT = "tierwise values";

export const isMeasured: Kind = {
  wanted: "what measured or parseValues give",
  fits(value) {
    const { name, lists, values } = (value ?? {}) as Partial<SystemValues>;
    return typeof name === "string" && Array.isArray(lists) && typeof values === "object" && values !== null;
  },
};

/** Refuses values of other lists than it names. */
export function checkMeasured(who: string, one: SystemValues): void {
  check(who, one, isMeasured);
  for (const [metric, values] of [...Object.entries(one.values), ...(one.weights ? [["weights", one.weights] as const] : [])])
    if (!isNumbers(values) || values.length !== one.lists.length)
      throw new InputError(`${who}: ${one.name}, ${metric}: expected ${one.lists.length} numbers, one for each list`);
}

/** Values of metrics, list by list, as text. */
export function serializeValues(measured: SystemValues): string {
  checkMeasured("serializeValues", measured);
  const { name, lists, values, weights, counted } = measured;
  const numbers = (all: ArrayLike<number>) => Array.from(all, (one) => (Number.isFinite(one) ? one : null));
  const metrics = Object.fromEntries(Object.entries(values).map(([metric, all]) => [metric, numbers(all)]));
  const record = {
    ...{ format: FORMAT, version: 1, name, lists, values: metrics },
    ...(weights && { weights: numbers(weights) }),
    ...(counted && { counted }),
  };
  return `${JSON.stringify(record)}\n`;
}

/** Whether a file that begins so is one of these. */
export const isValuesFile = (beginning: string): boolean =>
  new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${FORMAT}"`).test(beginning);

/** The values in a text, list by list; `path` is what errors call it. */
export function parseValues(text: string, path = "values"): SystemValues {
  check("parseValues", text, someText);
  check("parseValues, the path", path, someText);
  const wrong = (what: string) => new InputError(`${path}: the values file is damaged: ${what}`);
  let record: Record<string, unknown>;
  checkNesting(text, path);
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw wrong((error as Error).message.replace(/\s+/g, " "));
  }
  const { format, version, name, lists, values, weights, counted } = record ?? {};
  if (format !== FORMAT) throw new InputError(`${path}: not a values file written by cv`);
  if (version !== 1)
    throw new InputError(
      `${path}: the values file has ${version === undefined ? "no version" : `version ${quote(typeof version === "object" ? JSON.stringify(version) : String(version))}`}; this tierwise reads version 1`,
    );
  if (typeof name !== "string") throw wrong("name should be a text");
  if (!Array.isArray(lists) || !lists.every((one) => typeof one === "string")) throw wrong("lists should be a list of ids");
  if (typeof values !== "object" || values === null) throw wrong("values should hold a list of numbers for each metric");
  const numbers = (what: string, all: unknown) => {
    if (!Array.isArray(all) || all.length !== lists.length || !all.every((one) => one === null || typeof one === "number"))
      throw wrong(`${what} should be ${lists.length} numbers, one for each list`);
    return Float64Array.from(all, (one: number | null) => one ?? Number.NaN);
  };
  return {
    name,
    lists,
    values: Object.fromEntries(Object.entries(values).map(([metric, all]) => [metric, numbers(`values of ${metric}`, all)])),
    ...(weights === undefined ? {} : { weights: numbers("weights", weights) }),
    ...(weights !== undefined && counted === true && { counted }),
  };
}
