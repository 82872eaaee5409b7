/**
 * Search spaces: options of a model and an objective, each with a list of values or a range.
 *
 *   leaves=100,200,500        one of these
 *   learning-rate=0.01..0.1   a range; on a log scale from a factor of ten on, or as :log and :linear say
 *   l2=0.01..10/4:log         four values of a range, evenly spaced on its scale
 *
 * A value is always text as on the command line, with four significant digits, so it can be reused exactly.
 */
import { InputError, quote } from "./input-error.ts";
import { exp, log } from "./numeric/functions.ts";
import { below } from "./numeric/random.ts";
import { splitOptions } from "./part.ts";
import type { Random } from "./types.ts";

/** An option to search, with its values or range. */
export type SearchDimension = SearchChoices | SearchRange;

/** Values of an option to try. */
export interface SearchChoices {
  /** Name of the option. */
  readonly name: string;
  /** Values to try. */
  readonly values: readonly string[];
}

/** A range of numbers to search. */
export interface SearchRange {
  /** Name of the option. */
  readonly name: string;
  /** Lowest value. */
  readonly low: number;
  /** Highest value. */
  readonly high: number;
  /** How values are spaced between low and high. */
  readonly scale: "linear" | "log";
  /** Whether values are integers. */
  readonly whole: boolean;
  /** Number of values in a grid; without it the range can only be searched at random. */
  readonly steps?: number;
}

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?:/(\\d+))?(?::(log|linear))?$`, "i");
const RATIO = 10; // from which a range is on a log scale

export function dimension(name: string, text: string, whole: boolean): SearchDimension {
  const form = RANGE.exec(text.trim());
  if (!form) {
    if (/\d\.\.|\.\.\d/.test(text))
      throw new InputError(`${name}: expected a range such as 0.01..0.1, 0.01..0.1/5 or 0.01..0.1:log, got ${quote(text)}`);
    const values = [...new Set(splitOptions(text))];
    if (values.length === 0)
      throw new InputError(`${name}: expected values with commas between them, or a range, got ${quote(text)}`);
    return { name, values };
  }
  const [low, high] = [Number(form[1]), Number(form[2])];
  const steps = form[3] === undefined ? undefined : Number(form[3]);
  if (!(low < high)) throw new InputError(`${name}: a range goes from low to high, got ${quote(text)}`);
  if (form[4]?.toLowerCase() === "log" && !(low > 0))
    throw new InputError(`${name}: a log scale begins above 0, got ${quote(text)}`);
  if (steps !== undefined && steps < 2) throw new InputError(`${name}: expected at least 2 steps in a range, got ${steps}`);
  if (whole && !(Number.isInteger(low) && Number.isInteger(high)))
    throw new InputError(`${name}: expected whole numbers as the ends of the range, got ${quote(text)}`);
  const scale =
    (form[4]?.toLowerCase() as SearchRange["scale"] | undefined) ?? (low > 0 && high / low >= RATIO ? "log" : "linear");
  return { name, low, high, scale, whole, ...(steps === undefined ? {} : { steps }) };
}

/** In words, for people. */
export const dimensionText = (one: SearchDimension): string =>
  "values" in one
    ? `${one.name}: ${one.values.join(", ")}`
    : `${one.name}: ${one.low} to ${one.high}${one.steps ? ` in ${one.steps} steps` : ""}, ${one.scale} scale`;

/** Whether all its values can be gone through. */
export const isCountable = (one: SearchDimension): boolean => "values" in one || one.steps !== undefined;

/** Values as text, by option. */
export type SearchSettings = Readonly<Record<string, string>>;

/** Every combination, the last dimension changing first. */
export function gridOf(dimensions: readonly SearchDimension[]): SearchSettings[] {
  const columns = dimensions.map((one) => {
    if ("values" in one) return one.values;
    if (one.steps === undefined)
      throw new InputError(
        `${one.name}: a grid needs to know how many values of the range to try, as in ${one.low}..${one.high}/5`,
      );
    const { steps } = one;
    return [...new Set(Array.from({ length: steps }, (_, i) => valueAt(one, i / (steps - 1))))];
  });
  return columns.reduce<SearchSettings[]>(
    (all, values, d) => all.flatMap((before) => values.map((value) => ({ ...before, [dimensions[d]!.name]: value }))),
    [{}],
  );
}

/** A random value of each dimension. */
export function drawFrom(dimensions: readonly SearchDimension[], random: Random): SearchSettings {
  return Object.fromEntries(
    dimensions.map((one) => {
      if ("values" in one) return [one.name, one.values[below(random, one.values.length)]!];
      const fraction = one.steps === undefined ? random() : below(random, one.steps) / (one.steps - 1);
      return [one.name, valueAt(one, fraction)];
    }),
  );
}

function valueAt({ low, high, scale, whole }: SearchRange, fraction: number): string {
  const value = scale === "log" ? exp(log(low) + fraction * (log(high) - log(low))) : low + fraction * (high - low);
  const inside = Math.min(high, Math.max(low, whole ? Math.round(value) : Number(value.toPrecision(4))));
  return String(inside);
}
