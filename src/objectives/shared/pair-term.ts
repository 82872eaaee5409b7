/** The term of one outcome of a pair, as objectives of pairs fill it. */
import type { PairTerm } from "../../types.ts";

export type WritableTerm = { -readonly [K in keyof PairTerm]: number };

/** A term to be filled again and again, of numbers that are floats from the beginning. */
export const outcomeTerm = (): WritableTerm => ({ cost: 0, slope: 0, curvature: 0, slopeX: 0, curvatureX: 0, mixed: 0 });
