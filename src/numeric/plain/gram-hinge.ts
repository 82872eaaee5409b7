/** Plain fallback of wasm/gram-hinge.ts (see ../gram-hinge.ts). */
import type { HingeSettings, SparseRows } from "./hinge.ts";
import { shuffled } from "./hinge.ts";

const { fround } = Math;

/** The entries of rows by feature, as far as rows have been visited: feature f has entries first[f] to next[f]. */
export interface Postings {
  readonly first: Uint32Array;
  readonly next: Uint32Array;
  /** Rows, times 4: bytes of a product. */
  readonly others: Uint32Array;
  readonly factors: Float32Array;
}

export interface GramState {
  /** The class of each row, 1 or -1. */
  readonly signs: Int8Array;
  readonly alpha: Float64Array;
  /** Scratch for an order of the rows. */
  readonly order: Uint32Array;
  /** The value of the classifier for each row: Σ alpha y x over all rows, times the row. */
  readonly margins: Float32Array;
}

export function gramRows(
  { count, begin, end, indices, values }: SparseRows,
  { first, next, others, factors }: Postings,
  gram: Float32Array,
): void {
  for (let i = 0; i < count; i++) {
    const row = gram.subarray(i * count, (i + 1) * count);
    row.fill(1, 0, i + 1); // the bias
    for (let e = begin[i]!; e < end[i]!; e++) {
      const [feature, x] = [indices[e]!, values[e]!];
      const last = next[feature]!;
      others[last] = 4 * i;
      factors[last] = x;
      for (let p = first[feature]!; p <= last; p++) {
        const j = others[p]! / 4;
        row[j] = row[j]! + fround(x * factors[p]!);
      }
      next[feature] = last + 1;
    }
  }
  for (let i = 0; i < count; i++) for (let j = 0; j < i; j++) gram[j * count + i] = gram[i * count + j]!;
}

/** margins += factor * row i of the products; the factor is a float32. */
export function addGramRow(gram: Float32Array, i: number, count: number, factor: number, margins: Float32Array): void {
  for (let j = 0; j < count; j++) margins[j] = margins[j]! + fround(factor * gram[i * count + j]!);
}

export function solveGram(
  count: number,
  gram: Float32Array,
  { signs, alpha, order, margins }: GramState,
  { cost, tolerance, passes }: HingeSettings,
  least: number,
  seed: number,
): number {
  const diagonal = 0.5 / cost;
  let [active, most, pass, draws] = [count, Infinity, 0, seed | 0 || 1];
  for (let i = 0; i < count; i++) order[i] = i;
  while (pass < passes) {
    draws = shuffled(order, active, draws);
    let [high, low] = [-Infinity, Infinity];
    for (let s = 0; s < active; s++) {
      const i = order[s]!;
      const [sign, before] = [signs[i]!, alpha[i]!];
      const slope = sign * margins[i]! - 1 + before * diagonal;
      if (before === 0 && slope > most) {
        active--;
        order[s] = order[active]!;
        order[active] = i;
        s--;
        continue;
      }
      const violation = before === 0 && slope > 0 ? 0 : slope;
      if (violation > high) high = violation;
      if (violation < low) low = violation;
      if (violation > least || violation < -least) {
        const after = Math.max(before - slope / (gram[i * count + i]! + diagonal), 0);
        alpha[i] = after;
        addGramRow(gram, i, count, fround((after - before) * sign), margins);
      }
    }
    pass++;
    if (high - low <= tolerance) {
      if (active === count) break;
      active = count;
      most = Infinity;
    } else most = high > 0 ? high : Infinity;
  }
  return pass;
}
