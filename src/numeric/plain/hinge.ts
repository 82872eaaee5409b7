/**
 * Plain fallback of wasm/hinge.ts: a linear classifier with squared hinge loss by dual coordinate descent (see ../hinge.ts). A product
 * of a row with the weights is taken as four partial sums, entry e of the row in sum e % 4, then the weight of the bias is added.
 */

/** Rows of numbers: row i has entries begin[i] to end[i], and one more of value 1 at the place of the bias. */
export interface SparseRows {
  readonly count: number;
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

/** What a problem is solved with. */
export interface HingeSettings {
  /** Weight of the loss of a row; the squared length of the weights counts ½. */
  readonly cost: number;
  /** The largest violation of the optimality conditions that is accepted. */
  readonly tolerance: number;
  /** Passes over the rows at most. */
  readonly passes: number;
}

/** The state of a solver: alpha is the dual variable of each row, and w = Σ alpha y x. */
export interface HingeState {
  /** The class of each row, 1 or -1. */
  readonly signs: Int8Array;
  readonly alpha: Float64Array;
  /** Squared length of each row, with the bias. */
  readonly squares: Float64Array;
  /** Scratch for an order of the rows. */
  readonly order: Uint32Array;
  readonly w: Float64Array;
  /** Place of the bias among the weights. */
  readonly bias: number;
}

const TINY = 1e-12; // a smaller violation moves nothing

export function rowProduct({ begin, end, indices, values }: SparseRows, i: number, w: Float64Array, bias: number): number {
  let [e, to] = [begin[i]!, end[i]!];
  let [a, b, c, d] = [0, 0, 0, 0];
  for (; e + 3 < to; e += 4) {
    a += values[e]! * w[indices[e]!]!;
    b += values[e + 1]! * w[indices[e + 1]!]!;
    c += values[e + 2]! * w[indices[e + 2]!]!;
    d += values[e + 3]! * w[indices[e + 3]!]!;
  }
  if (e < to) a += values[e]! * w[indices[e]!]!;
  if (e + 1 < to) b += values[e + 1]! * w[indices[e + 1]!]!;
  if (e + 2 < to) c += values[e + 2]! * w[indices[e + 2]!]!;
  return a + b + (c + d) + w[bias]!;
}

export function addRow(
  { begin, end, indices, values }: SparseRows,
  i: number,
  factor: number,
  w: Float64Array,
  bias: number,
): void {
  for (let e = begin[i]!; e < end[i]!; e++) w[indices[e]!] = w[indices[e]!]! + factor * values[e]!;
  w[bias] = w[bias]! + factor;
}

/** Puts the first `count` rows in random order and returns the state of the generator, xorshift of 32 bits. */
export function shuffled(order: Uint32Array, count: number, draws: number): number {
  for (let s = 0; s + 1 < count; s++) {
    draws ^= draws << 13;
    draws ^= draws >>> 17;
    draws ^= draws << 5;
    const other = s + ((draws >>> 0) % (count - s));
    const held = order[s]!;
    order[s] = order[other]!;
    order[other] = held;
  }
  return draws;
}

export function solveHinge(rows: SparseRows, state: HingeState, settings: HingeSettings, seed: number): number {
  const { signs, alpha, squares, order, w, bias } = state;
  const { tolerance, passes } = settings;
  const diagonal = 0.5 / settings.cost;
  let [active, most, pass, draws] = [rows.count, Infinity, 0, seed | 0 || 1];
  for (let i = 0; i < rows.count; i++) order[i] = i;
  while (pass < passes) {
    draws = shuffled(order, active, draws);
    let [high, low] = [-Infinity, Infinity];
    for (let s = 0; s < active; s++) {
      const i = order[s]!;
      const [sign, before] = [signs[i]!, alpha[i]!];
      const slope = sign * rowProduct(rows, i, w, bias) - 1 + before * diagonal;
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
      if (violation > TINY || violation < -TINY) {
        const after = Math.max(before - slope / (squares[i]! + diagonal), 0);
        alpha[i] = after;
        addRow(rows, i, (after - before) * sign, w, bias);
      }
    }
    pass++;
    if (high - low <= tolerance) {
      if (active === rows.count) break;
      active = rows.count;
      most = Infinity;
    } else most = high > 0 ? high : Infinity;
  }
  return pass;
}
