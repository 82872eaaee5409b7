/**
 * Contests whose margin and tie parameter are any linear forms of the parameters. Row r costs wins · win(d) + losses · win(-d) + ties · tie(d) under an
 * objective of pairs, with margin d = m_r · p and tie parameter x = t_r · p; quadratic penalties ½ w (f · p)² are added. This serves utilities that
 * depend on features of items or on time, and tie parameters by item. The fit is Newton's method with exact second derivatives.
 */
import { InputError } from "../../input-error.ts";
import { envelopeCholesky, envelopeSolve } from "../../numeric/envelope-cholesky.ts";
import type { Objective } from "../../types.ts";
import { fillTerms, rowTerms } from "./pair-problem.ts";

/** Sparse linear forms: form r is the sum of by[k] times parameter at[k], k from starts[r] to starts[r + 1]. */
export interface Forms {
  readonly starts: Uint32Array;
  readonly at: Uint32Array;
  readonly by: Float64Array;
}

/** What is fitted. */
export interface LinearRows {
  /** Number of parameters. */
  readonly size: number;
  readonly objective: Objective;
  readonly wins: Float64Array;
  readonly losses: Float64Array;
  readonly ties: Float64Array;
  readonly margin: Forms;
  /** The tie parameter of each row; absent for objectives that have none. */
  readonly tie?: Forms;
  readonly penalties?: readonly { readonly forms: Forms; readonly weight: number }[];
}

/** The parameters at the minimum. */
export interface LinearRowsFit {
  readonly params: Float64Array;
  /** Cost of the rows, without penalties. */
  readonly cost: number;
  /** Sum of the penalties. */
  readonly penalty: number;
}

/** Forms from lists of pairs of a parameter and its factor. */
export function formsOf(rows: readonly (readonly (readonly [at: number, by: number])[])[]): Forms {
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((row, r) => void (starts[r + 1] = starts[r]! + row.length));
  const all = rows.flat();
  return { starts, at: Uint32Array.from(all, ([at]) => at), by: Float64Array.from(all, ([, by]) => by) };
}

/** The value of form r. */
export function formAt({ starts, at, by }: Forms, params: Float64Array, r: number): number {
  let sum = 0;
  for (let k = starts[r]!; k < starts[r + 1]!; k++) sum += by[k]! * params[at[k]!]!;
  return sum;
}

/** Cost of each row as it is at the parameters; the rows need not be those that were fitted. */
export function rowCosts(rows: LinearRows, params: Float64Array): Float64Array {
  const terms = rowTerms();
  return rows.wins.map((wins, r) => {
    const outcomes = rows.objective.pairs!.at(rows.tie ? [formAt(rows.tie, params, r)] : []);
    fillTerms(outcomes, formAt(rows.margin, params, r), wins, rows.losses[r]!, rows.ties[r]!, terms);
    return terms.cost;
  });
}

/** Cost of the rows and penalties; adds their gradient, and to the lower triangle of `hessian` the second derivatives. */
function evaluate(rows: LinearRows, params: Float64Array, gradient: Float64Array, hessian?: Float64Array): [number, number] {
  const { size, objective, wins, losses, ties, margin, tie, penalties = [] } = rows;
  const terms = rowTerms();
  let [cost, penalty] = [0, 0];
  const product = (one: Forms, other: Forms, r: number, s: number, value: number) => {
    for (let k = one.starts[r]!; k < one.starts[r + 1]!; k++) {
      const [i, factor] = [one.at[k]!, value * one.by[k]!];
      for (let l = other.starts[s]!; l < other.starts[s + 1]!; l++) {
        const j = other.at[l]!;
        if (j <= i) hessian![i * size + j] = hessian![i * size + j]! + factor * other.by[l]!;
      }
    }
  };
  const add = ({ starts, at, by }: Forms, r: number, value: number) => {
    for (let k = starts[r]!; k < starts[r + 1]!; k++) gradient[at[k]!] = gradient[at[k]!]! + value * by[k]!;
  };
  for (let r = 0; r < wins.length; r++) {
    const outcomes = objective.pairs!.at(tie ? [formAt(tie, params, r)] : []);
    fillTerms(outcomes, formAt(margin, params, r), wins[r]!, losses[r]!, ties[r]!, terms);
    cost += terms.cost;
    add(margin, r, terms.slope);
    if (tie) add(tie, r, terms.slopeX);
    if (!hessian) continue;
    product(margin, margin, r, r, terms.curvature);
    if (!tie) continue;
    product(margin, tie, r, r, terms.mixed);
    product(tie, margin, r, r, terms.mixed);
    product(tie, tie, r, r, terms.curvatureX);
  }
  for (const { forms, weight } of penalties) {
    for (let r = 0; r + 1 < forms.starts.length; r++) {
      const value = formAt(forms, params, r);
      penalty += (weight / 2) * value * value;
      add(forms, r, weight * value);
      if (hessian) product(forms, forms, r, r, weight);
    }
  }
  return [cost, penalty];
}

/** The second derivatives of cost and penalties, size × size. */
export function linearRowsHessian(rows: LinearRows, params: Float64Array): Float64Array {
  const { size } = rows;
  const hessian = new Float64Array(size * size);
  evaluate(rows, params, new Float64Array(size), hessian);
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) hessian[j * size + i] = hessian[i * size + j]!;
  return hessian;
}

const STEPS = 100;
const FREE = 1e-10; // of the mean curvature, added along directions that change nothing, such as a common shift

/** Minimizes cost and penalties by Newton's method, halving steps that do not descend. */
export function fitLinearRows(rows: LinearRows, start?: Float64Array): LinearRowsFit {
  const { size, wins, losses, ties } = rows;
  const first = envelopeOf(rows);
  const params = start ? start.slice() : new Float64Array(size);
  const total = wins.reduce((sum, one, r) => sum + one + losses[r]! + ties[r]!, 0);
  let gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  let [cost, penalty] = evaluate(rows, params, gradient, hessian);
  for (let step = 0; step < STEPS; step++) {
    const direction = newtonStep(hessian, gradient, size, first);
    const along = direction.reduce((sum, one, i) => sum + one * gradient[i]!, 0);
    if (-along <= 1e-13 * Math.max(1, total)) break;
    let descended = false;
    for (let length = 1; length > 1e-12; length /= 2) {
      const next = params.map((value, i) => value + length * direction[i]!);
      const slope = new Float64Array(size);
      const [own, more] = evaluate(rows, next, slope);
      if (!(own + more <= cost + penalty + 1e-4 * length * along)) continue;
      descended = own + more < cost + penalty;
      params.set(next);
      [cost, penalty, gradient] = [own, more, slope];
      break;
    }
    if (!descended) break; // rounding hides any further descent
    hessian.fill(0);
    evaluate(rows, params, new Float64Array(size), hessian);
  }
  return { params, cost, penalty };
}

/** For each parameter, the first that it shares a row or a penalty with. */
export function envelopeOf({ size, margin, tie, penalties = [] }: LinearRows): Uint32Array {
  const first = Uint32Array.from({ length: size }, (_, i) => i);
  const share = (all: readonly Forms[], r: number) => {
    let least = size;
    for (const { starts, at } of all) for (let k = starts[r]!; k < starts[r + 1]!; k++) least = Math.min(least, at[k]!);
    for (const { starts, at } of all)
      for (let k = starts[r]!; k < starts[r + 1]!; k++) first[at[k]!] = Math.min(first[at[k]!]!, least);
  };
  for (let r = 0; r + 1 < margin.starts.length; r++) share(tie ? [margin, tie] : [margin], r);
  for (const { forms } of penalties) for (let r = 0; r + 1 < forms.starts.length; r++) share([forms], r);
  return first;
}

function newtonStep(hessian: Float64Array, gradient: Float64Array, size: number, first: Uint32Array): Float64Array {
  let scale = 0;
  for (let i = 0; i < size; i++) scale += Math.abs(hessian[i * size + i]!) / size;
  for (let ridge = FREE * scale; ridge <= 10 * scale; ridge *= 100) {
    const matrix = hessian.slice();
    for (let i = 0; i < size; i++) matrix[i * size + i] = matrix[i * size + i]! + ridge;
    if (!envelopeCholesky(matrix, size, first)) continue;
    const direction = gradient.map((value) => -value);
    envelopeSolve(matrix, size, first, direction);
    return direction;
  }
  throw new InputError("the fit has no second derivatives to go by: battles are too few or their weights too extreme");
}
