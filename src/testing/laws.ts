/**
 * What the laws of objectives, metrics and transforms share. A law is a claim about every member of a kind, checked on lists drawn from a fixed
 * seed. A violation is one line: whose, which law, what was found, and the list on which it was found.
 */
import { random } from "../numeric/random.ts";
import type { Random } from "../types.ts";

/** A law that code of the caller does not keep. The message is one line with the law, the numbers and the list. */
export class LawError extends Error {
  /** "LawError", by which it can be recognized. */
  override readonly name = "LawError";
  /** The law in words. */
  readonly law: string;

  constructor(who: string, law: string, found: string) {
    super(`${who}: ${law}: ${found}`);
    this.law = law;
  }
}

/** What a check found wrong; `runLaw` adds whose it is and which law. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** A claim about values of one kind, and how it is checked. */
export interface Law<T, O> {
  readonly name: string;
  /** Whether the claim is made at all, by what the value declares about itself. */
  applies(value: T, options: O): boolean;
  /** Throws a `Violation` where the claim does not hold. */
  check(value: T, options: O, random: Random): void;
}

/** Checks one law. Each draws its lists from its own seed, so that a law alone sees the same lists as all of them together. */
export function runLaw<T extends { readonly spec: string }, O>(kind: string, law: Law<T, O>, value: T, options: O): void {
  try {
    law.check(value, options, random(seedOf(law.name)));
  } catch (error) {
    throw error instanceof Violation ? new LawError(`${kind} ${value.spec}`, law.name, error.message) : error;
  }
}

const seedOf = (name: string) => [...name].reduce((seed, letter) => (31 * seed + letter.charCodeAt(0)) % 1_000_003, 7);

/** Runs all laws that apply. */
export function runLaws<T extends { readonly spec: string }, O>(
  kind: string,
  laws: readonly Law<T, O>[],
  value: T,
  options: O,
): void {
  for (const law of laws) if (law.applies(value, options)) runLaw(kind, law, value, options);
}

const SHOWN = 12; // numbers of a list that a message holds

/** Numbers as a message shows them. */
export const show = (values: ArrayLike<number>): string => {
  const first = Array.from({ length: Math.min(values.length, SHOWN) }, (_, i) => String(values[i]));
  return `[${first.join(", ")}${values.length > SHOWN ? `, ... ${values.length} in all` : ""}]`;
};

/** One list of a case. */
export interface List {
  readonly scores: Float64Array;
  readonly labels: Float32Array;
  readonly weights?: Float32Array;
}

/** A list as a message shows it. */
export const showList = ({ scores, labels, weights }: List): string =>
  `scores ${show(scores)}, labels ${show(labels)}${weights ? `, weights ${show(weights)}` : ""}`;

/** Refuses a number that is further from the wanted one than `tolerance` of the larger of 1 and its size; NaN equals only NaN. */
export function close(what: string, found: number, wanted: number, tolerance: number, list: List): void {
  const equal = Object.is(found, wanted) || Math.abs(found - wanted) <= tolerance * Math.max(1, Math.abs(wanted));
  if (!equal) throw new Violation(`${what} is ${found}, expected ${wanted} (${showList(list)})`);
}

/** Refuses numbers that are not finite. */
export function finite(what: string, values: ArrayLike<number>, list: List): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i]))
      throw new Violation(`${what}${values.length > 1 ? `[${i}]` : ""} is ${values[i]} (${showList(list)})`);
}
