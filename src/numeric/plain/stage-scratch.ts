/** Memory for stages of the likelihood of tiers (tier-stage.ts), and the numbers that the steps of a stage pass on. */

/** log P, and its first and second derivative along the direction of all d. */
export interface Stage {
  log: number;
  slope: number;
  curvature: number;
}

/** Memory for stages, one after another: its arrays grow with the largest tier. The results of a stage are written here too. */
export interface StageScratch extends Stage {
  /** e^d of the items in between. */
  a: Float64Array;
  /** 1 - exp(-z) at two nodes. */
  q: Float64Array;
  /** Of h at either node, over e^d. */
  sums: Float64Array;
  /** Of h (e^s - center) at either node, over e^d. */
  moments: Float64Array;
  /** Positions of the items in between. */
  which: Uint32Array;
  /** Items in between, and items far below. */
  m: number;
  low: number;
  /** The sum of d over the items far below. */
  offset: number;
  /** Sums over the items in between: of d, e^d and its square. */
  logs: number;
  mass: number;
  squares: number;
  /** Where φ is greatest, about, and e^s there, from which covariances with e^s are taken. */
  mode: number;
  center: number;
  /** About the greatest φ, less `offset`. */
  top: number;
  /** Of the peak of exp φ. */
  width: number;
  /** φ beside the peak, less the d of the items far below: at most 0.0025 too low for each item. */
  peakValue: number;
  /** φ' where `height` or `leftBound` was last evaluated: in the end, where the nodes begin. */
  leftSlope: number;
  readonly pair: NodePair;
}

/** Two nodes that are visited together. */
export interface NodePair {
  /** Logs of the products of q so far, at either node, and the products since: of even and odd items. */
  logs0: number;
  logs1: number;
  even0: number;
  even1: number;
  odd0: number;
  odd1: number;
  /** Sums over all pairs: of weights, and of weights times e^s - center. */
  total0: number;
  total1: number;
  drift0: number;
  drift1: number;
}

export function stageScratch(): StageScratch {
  const none = new Float64Array(0);
  return {
    ...{ log: 0, slope: 0, curvature: 0, width: 1, peakValue: 0, leftSlope: 0 },
    ...{ a: none, q: none, sums: none, moments: none, which: new Uint32Array(0) },
    ...{ m: 0, low: 0, offset: 0, logs: 0, mass: 0, squares: 0, mode: 0, center: 0, top: 0 },
    pair: {
      ...{ logs0: 0, logs1: 0, even0: 1, even1: 1, odd0: 1, odd1: 1 },
      ...{ total0: 0, total1: 0, drift0: 0, drift1: 0 },
    },
  };
}

/** Products are taken into the sum of logs below this, looked at every eight items: no q is below 1e-60. */
export const SMALL = 1e-50;

/** Enlarges the arrays for n items. */
export function reserve(scratch: StageScratch, n: number): void {
  if (scratch.a.length > n) return;
  const size = Math.max(64, 2 * n);
  scratch.a = new Float64Array(size);
  scratch.q = new Float64Array(2 * size);
  scratch.sums = new Float64Array(2 * size);
  scratch.moments = new Float64Array(2 * size);
  scratch.which = new Uint32Array(size);
}
