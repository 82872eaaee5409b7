/**
 * Battles of judges who differ in reliability. Judge j sees the margins multiplied by a discrimination α_j, so that with m = θ_first - θ_second + Σ x β
 * a battle costs win(α_j m), win(-α_j m) or tie(α_j m) under an objective of pairs:
 *
 *   α_j = 1 + τ u_j,   u_j ~ N(0, 1)
 *
 * The mean of α is 1, which fixes the scale of θ; α near 0 is a judge who votes at random, and below 0 one who votes against the others. Judges
 * have few battles, so u_j is integrated out: the cost is minus the log of the marginal likelihood, Σ_j -log ∫ exp(-Σ_r cost_r) φ(u) du. The
 * integrand is log-concave in u where the cost is convex, so the trapezoidal rule around its mode, in units of its curvature there, has errors near
 * rounding. Derivatives follow from Louis 1982: the gradient is the posterior mean of the gradient, and the Hessian the posterior mean of
 * the Hessian minus the posterior covariance of the gradient.
 *
 * Parameters: utilities, the ghost's where there is one, β, the objective's auxiliary parameter, τ.
 */
import { exp, log } from "../../numeric/functions.ts";
import type { Objective, PairOutcomes } from "../../types.ts";
import { fillTerms, rowTerms } from "./pair-problem.ts";

/** Battles in the order of their judges. Rows from starts[judges] on belong to no judge and have α = 1: those of a ghost. */
export interface JudgedRows {
  /** Items, and the ghost. */
  readonly items: number;
  readonly judges: number;
  /** First row of each judge, and the end. */
  readonly starts: Uint32Array;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** 0 the first item won, 1 the second, 2 neither. */
  readonly outcome: Uint8Array;
  /** Count times weight. */
  readonly weights: Float64Array;
  readonly covariates: Float64Array;
  readonly covariateCount: number;
}

/** The cost and its derivatives. */
export interface JudgeDerivatives {
  readonly cost: number;
  readonly gradient: Float64Array;
  /** Size × size. */
  readonly hessian: Float64Array;
  /** The sum over judges of the outer products of their gradients. */
  readonly products: Float64Array;
}

/** Means and standard deviations of α given the battles. */
export interface JudgePosterior {
  readonly mean: Float64Array;
  readonly error: Float64Array;
}

export interface JudgeProblem {
  readonly size: number;
  cost(params: Float64Array): number;
  derivatives(params: Float64Array): JudgeDerivatives;
  posterior(params: Float64Array): JudgePosterior;
}

const STEP = 0.7; // of the trapezoidal rule, in standard deviations at the mode
const SIDE = 12; // nodes to each side: tails may be longer than those of a normal density, and end before 8.4 standard deviations
const NODES = 2 * SIDE + 1;
const HALF_LOG_2PI = 0.9189385332046728;

export function judgeProblem(rows: JudgedRows, objective: Objective): JudgeProblem {
  const { items, judges, starts, first, second, outcome, weights, covariates, covariateCount: k } = rows;
  const auxiliary = objective.auxiliary.length;
  const size = items + k + auxiliary + 1;
  const last = size - 1; // the place of τ
  const modes = new Float64Array(judges); // where the last search for each mode ended
  const terms = rowTerms();
  const [nodes, masses] = [new Float64Array(NODES), new Float64Array(NODES)];

  const marginAt = (params: Float64Array, r: number) => {
    let margin = params[first[r]!]! - params[second[r]!]!;
    for (let c = 0; c < k; c++) margin += covariates[r * k + c]! * params[items + c]!;
    return margin;
  };
  const fillRow = (outcomes: PairOutcomes, r: number, margin: number) => {
    const [kind, w] = [outcome[r]!, weights[r]!];
    fillTerms(outcomes, margin, kind === 0 ? w : 0, kind === 1 ? w : 0, kind === 2 ? w : 0, terms);
  };

  /** The exponent of judge j's integrand at u, with its derivatives by u. */
  const exponent = { cost: 0, slope: 0, curvature: 0 };
  const exponentAt = (outcomes: PairOutcomes, margins: Float64Array, j: number, tau: number, u: number) => {
    const from = starts[j]!;
    let [cost, slope, curvature] = [(u * u) / 2, u, 1];
    for (let r = from; r < starts[j + 1]!; r++) {
      const m = margins[r - from]!;
      fillRow(outcomes, r, (1 + tau * u) * m);
      cost += terms.cost;
      slope += terms.slope * tau * m;
      curvature += terms.curvature * tau * tau * m * m;
    }
    exponent.cost = cost;
    exponent.slope = slope;
    exponent.curvature = curvature;
    return exponent;
  };

  /** Fills the nodes and their posterior probabilities, and returns minus the log of the integral. */
  const integrate = (outcomes: PairOutcomes, margins: Float64Array, j: number, tau: number): number => {
    let u = modes[j]!;
    let { cost, slope, curvature } = exponentAt(outcomes, margins, j, tau, u);
    for (let round = 0; round < 50 && Math.abs(slope) > 1e-6 * Math.sqrt(curvature); round++) {
      let length = 1;
      const [from, along, before] = [u, -slope / curvature, cost];
      for (; length > 1e-6; length /= 2) {
        u = from + length * along;
        ({ cost, slope, curvature } = exponentAt(outcomes, margins, j, tau, u));
        if (cost <= before + 1e-12 * Math.abs(before)) break;
      }
      if (length <= 1e-6) break;
    }
    modes[j] = u;
    const unit = 1 / Math.sqrt(curvature);
    let sum = 0;
    for (let q = 0; q < NODES; q++) {
      nodes[q] = u + (q - SIDE) * STEP * unit;
      masses[q] = exp(cost - (q === SIDE ? cost : exponentAt(outcomes, margins, j, tau, nodes[q]!).cost));
      sum += masses[q]!;
    }
    for (let q = 0; q < NODES; q++) masses[q] = masses[q]! / sum;
    return cost - log(sum * STEP * unit) + HALF_LOG_2PI;
  };

  let scratch = new Float64Array(1024);
  /** The margins of judge j's rows. */
  const marginsOf = (params: Float64Array, j: number) => {
    const count = starts[j + 1]! - starts[j]!;
    if (count > scratch.length) scratch = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) scratch[i] = marginAt(params, starts[j]! + i);
    return scratch;
  };
  const outcomesAt = (params: Float64Array) => objective.pairs!.at(params.subarray(items + k, last));

  /** The cost of rows without a judge. */
  const freeCost = (params: Float64Array, outcomes: PairOutcomes) => {
    let sum = 0;
    for (let r = starts[judges]!; r < first.length; r++) {
      fillRow(outcomes, r, marginAt(params, r));
      sum += terms.cost;
    }
    return sum;
  };

  /** Adds a row of no judge, whose covariates are 0. */
  const addFreeRow = ({ gradient, add, addSquare, addColumn }: JudgeSums, r: number) => {
    gradient[first[r]!] = gradient[first[r]!]! + terms.slope;
    gradient[second[r]!] = gradient[second[r]!]! - terms.slope;
    addSquare(r, terms.curvature);
    if (auxiliary === 0) return;
    gradient[last - 1] = gradient[last - 1]! + terms.slopeX;
    addColumn(r, last - 1, terms.mixed);
    add(last - 1, last - 1, terms.curvatureX);
  };

  /** Adds the mean over the nodes of a row's Hessian, and writes its gradient at each node into `slopes`. */
  const addJudgedRow = (
    outcomes: PairOutcomes,
    r: number,
    margin: number,
    tau: number,
    slopes: Float64Array,
    width: number,
    places: Int32Array,
    { add, addSquare, addColumn }: JudgeSums,
  ) => {
    const [a, b] = [places[first[r]!]!, places[second[r]!]!];
    let [square, withTau, tauTwice, mixed, mixedTau, auxTwice] = [0, 0, 0, 0, 0, 0];
    for (let q = 0; q < NODES; q++) {
      const u = nodes[q]!;
      const p = masses[q]!;
      const at = q * width;
      const scale = 1 + tau * u;
      const byTau = u * margin; // the derivative of the scaled margin
      fillRow(outcomes, r, scale * margin);
      const along = terms.slope * scale;
      slopes[at + a] = slopes[at + a]! + along;
      slopes[at + b] = slopes[at + b]! - along;
      for (let c = 0; c < k; c++) {
        const place = at + places[items + c]!;
        slopes[place] = slopes[place]! + along * covariates[r * k + c]!;
      }
      slopes[at + places[last]!] = slopes[at + places[last]!]! + terms.slope * byTau;
      square += p * terms.curvature * scale * scale;
      withTau += p * (terms.curvature * scale * byTau + terms.slope * u);
      tauTwice += p * terms.curvature * byTau * byTau;
      if (auxiliary === 0) continue;
      slopes[at + places[last - 1]!] = slopes[at + places[last - 1]!]! + terms.slopeX;
      mixed += p * terms.mixed * scale;
      mixedTau += p * terms.mixed * byTau;
      auxTwice += p * terms.curvatureX;
    }
    addSquare(r, square);
    addColumn(r, last, withTau);
    add(last, last, tauTwice);
    if (auxiliary === 0) return;
    addColumn(r, last - 1, mixed);
    add(last - 1, last, mixedTau);
    add(last - 1, last - 1, auxTwice);
  };

  return {
    size,
    cost(params) {
      const outcomes = outcomesAt(params);
      let sum = freeCost(params, outcomes);
      for (let j = 0; j < judges; j++) sum += integrate(outcomes, marginsOf(params, j), j, params[last]!);
      return sum;
    },
    posterior(params) {
      const outcomes = outcomesAt(params);
      const tau = params[last]!;
      const [mean, error] = [new Float64Array(judges), new Float64Array(judges)];
      for (let j = 0; j < judges; j++) {
        integrate(outcomes, marginsOf(params, j), j, tau);
        let [center, square] = [0, 0];
        for (let q = 0; q < NODES; q++) center += masses[q]! * nodes[q]!;
        for (let q = 0; q < NODES; q++) square += masses[q]! * (nodes[q]! - center) ** 2;
        mean[j] = 1 + tau * center;
        error[j] = Math.abs(tau) * Math.sqrt(square);
      }
      return { mean, error };
    },
    derivatives(params) {
      const outcomes = outcomesAt(params);
      const tau = params[last]!;
      const sums = judgeSums(rows, size);
      let cost = 0;
      for (let r = starts[judges]!; r < first.length; r++) {
        fillRow(outcomes, r, marginAt(params, r));
        cost += terms.cost;
        addFreeRow(sums, r);
      }
      const places = new Int32Array(size).fill(-1); // of parameters among those of one judge
      for (let j = 0; j < judges; j++) {
        const margins = marginsOf(params, j);
        cost += integrate(outcomes, margins, j, tau);
        const used: number[] = [];
        for (let r = starts[j]!; r < starts[j + 1]!; r++)
          for (const item of [first[r]!, second[r]!]) if (places[item]! < 0) places[item] = used.push(item) - 1;
        for (let p = items; p < size; p++) places[p] = used.push(p) - 1;
        const slopes = new Float64Array(NODES * used.length); // the gradient at each node
        for (let r = starts[j]!; r < starts[j + 1]!; r++)
          addJudgedRow(outcomes, r, margins[r - starts[j]!]!, tau, slopes, used.length, places, sums);
        addJudge(slopes, masses, used, size, sums);
        for (const parameter of used) places[parameter] = -1;
      }
      const { gradient, hessian, products } = sums;
      return { cost, gradient, hessian, products };
    },
  };
}

/** The sums over rows that derivatives are made of. */
interface JudgeSums {
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  readonly products: Float64Array;
  /** Adds to both entries of the Hessian. */
  add(i: number, j: number, value: number): void;
  /** Adds value times the outer product of the derivatives of row r's margin. */
  addSquare(r: number, value: number): void;
  /** Adds value times the derivatives of row r's margin to the column of a parameter after them. */
  addColumn(r: number, column: number, value: number): void;
}

function judgeSums({ items, first, second, covariates, covariateCount: k }: JudgedRows, size: number): JudgeSums {
  const hessian = new Float64Array(size * size);
  const add = (i: number, j: number, value: number) => {
    hessian[i * size + j] = hessian[i * size + j]! + value;
    if (i !== j) hessian[j * size + i] = hessian[j * size + i]! + value;
  };
  return {
    ...{ gradient: new Float64Array(size), hessian, products: new Float64Array(size * size), add },
    addSquare(r, value) {
      const [a, b] = [first[r]!, second[r]!];
      add(a, a, value);
      add(b, b, value);
      add(a, b, -value);
      for (let c = 0; c < k; c++) {
        const x = value * covariates[r * k + c]!;
        add(a, items + c, x);
        add(b, items + c, -x);
        for (let d = 0; d <= c; d++) add(items + c, items + d, x * covariates[r * k + d]!);
      }
    },
    addColumn(r, column, value) {
      add(first[r]!, column, value);
      add(second[r]!, column, -value);
      for (let c = 0; c < k; c++) add(items + c, column, value * covariates[r * k + c]!);
    },
  };
}

/** Adds the mean gradient over the nodes, its outer product, and takes the covariance of the gradient from the Hessian. */
function addJudge(
  slopes: Float64Array,
  masses: Float64Array,
  used: readonly number[],
  size: number,
  { gradient, hessian, products }: JudgeSums,
): void {
  const width = used.length;
  const mean = new Float64Array(width);
  for (let q = 0; q < NODES; q++) for (let i = 0; i < width; i++) mean[i] = mean[i]! + masses[q]! * slopes[q * width + i]!;
  for (let i = 0; i < width; i++) gradient[used[i]!] = gradient[used[i]!]! + mean[i]!;
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      let covariance = 0;
      for (let q = 0; q < NODES; q++)
        covariance += masses[q]! * (slopes[q * width + i]! - mean[i]!) * (slopes[q * width + j]! - mean[j]!);
      const product = mean[i]! * mean[j]!;
      const [there, back] = [used[i]! * size + used[j]!, used[j]! * size + used[i]!];
      hessian[there] = hessian[there]! - covariance;
      products[there] = products[there]! + product;
      if (there === back) continue;
      hessian[back] = hessian[back]! - covariance;
      products[back] = products[back]! + product;
    }
  }
}
